"""The score pad: a finished chart typed in from a real table.

First a line for each player, its name and how many discards lie before it: two players, or one
alone. Then, after a blank line, the chart, its top row first. A cell is `.` where it is
unexplored, `~` for open sea, and else the sides on which its tile is land: n, e, s, w (or o, in
French). An explorer follows a slash: r for the first player's red ones, y (or j, in French) for the
second's yellow ones, its value, and on a strait the side of its part:

    Ada: 1
    Bo: 0

    .  e     w/y2  ~  ~
    .  ns/r1s  ...
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from pelagos.engine.arrays import new_states, numbers, record_of
from pelagos.engine.errors import BadTableau
from pelagos.engine.pack import Pack as Box
from pelagos.engine.pad import LONGEST_NAME, Pad, leaders, winner_note
from pelagos.engine.view import Sheet, Text, evidence, make_sheet, text
from pelagos.games.ozeanien import GAME
from pelagos.games.ozeanien.notation import cell_name
from pelagos.games.ozeanien.rules import beyond, edges_at, fill, is_strait, opposite
from pelagos.games.ozeanien.scoring import (
    DISCARD_POINTS,
    cells_of,
    count_cells,
    lines,
    sheet,
)
from pelagos.games.ozeanien.scoring import evidence as evidence_of
from pelagos.games.ozeanien.state import (
    EAST,
    EDGES,
    OPEN,
    OVER,
    SEATS,
    SIDES,
    TILES,
    VALUES,
    Pack,
    State,
)

UNEXPLORED, OPEN_SEA = ".", "~"
LETTERS = {"n": 0, "e": 1, "s": 2, "w": 3, "o": 3}
COLOURS = {"r": 0, "w": 0, "b": 0, "y": 1, "j": 1, "g": 1}
"""Letters of the seats' colours; w, b and g are those of the wooden pieces in the box."""

_PLAYER = re.compile(r"(?P<name>[^:]*[^:\s])\s*(?::\s*(?P<discards>\d{1,2})?)?")
_CELL = re.compile(
    r"(?P<land>[.~]|[neswo]{1,4})(/(?P<colour>[rwbyjg])(?P<value>[1-3])(?P<part>[neswo]?))?"
)


@dataclass
class Player:
    """A player's line."""

    name: str
    discards: int = 0


@dataclass(frozen=True)
class Row:
    """A line of the chart."""

    line: int
    cells: list[str]


@dataclass
class Table:
    """The players, and the rows of the chart from the top."""

    players: list[Player]
    rows: list[Row]

    @property
    def is_empty(self) -> bool:
        """Is no tile laid?"""
        return all(cell == UNEXPLORED for row in self.rows for cell in row.cells)


def score(source: str, pack: Box) -> Pad:
    """Sheets with evidence for the chart in the text."""
    return count(read(source, pack), pack)


def count(table: Table, pack: Box) -> Pad:
    """The sheets of a table that was read."""
    data: Pack = record_of(pack.data)
    players = table.players
    game: Any = record_of(new_states(GAME, 1))
    game.players = len(players)
    game.phase = OVER
    for seat, player in enumerate(players):
        game.discards[seat, OPEN] = player.discards
    for row, line in enumerate(reversed(table.rows)):
        _lay_row(game, data, row, line)
    _check_edges(game, data)
    _check_explorers(game, data)
    fill(game, data)
    notes: list[Text] = []
    if int(game.filled):
        cells = ", ".join(cell_name(data, cell) for cell in cells_of(int(game.filled)))
        notes.append(text("score.filled", cells=cells))
    sheets = [_sheet(game, data, seat) for seat in range(len(players))]
    winners: list[int] = []
    if len(players) > 1 and not table.is_empty:
        winners = leaders(sheets)
        notes.append(winner_note(winners))
    return Pad(
        [player.name for player in players],
        sheets,
        notes,
        winners=winners,
        missing=[int(table.is_empty)] * len(players),
    )


def write(table: Table) -> str:
    """A table as text, which reads as the same table."""
    heads = [f"{player.name}: {player.discards}" for player in table.players]
    return "\n".join([*heads, *(" ".join(row.cells) for row in table.rows)])


def add(table: Table, name: str) -> None:
    """One player more."""
    table.players.append(Player(name))


def new_table(pack: Box) -> Table:
    """An unexplored chart, without players."""
    data = record_of(pack.data)
    rows = [Row(0, [UNEXPLORED] * int(data.columns)) for _ in range(int(data.rows))]
    return Table([], rows)


def _sheet(game: State, pack: Pack, seat: int) -> Sheet:
    """A seat's sheet; the pad knows how many discards there are, not which."""
    names = lines({"players": int(game.players)})
    points = numbers(len(names))
    sheet(game, pack, seat, points)
    proofs = evidence_of(game, pack, seat, points.tolist())
    count = int(game.discards[seat, OPEN])
    if int(game.players) > 1 and count:
        proofs[1] = [evidence(DISCARD_POINTS * count, [], "reason.discards", count=count)]
    return make_sheet(seat, names, points.tolist(), proofs)


# --- reading --------------------------------------------------------------------------------------


def read(source: str, box: Box) -> Table:
    """The table that a text tells of."""
    pack: Pack = record_of(box.data)
    numbered = enumerate(source.removeprefix("\ufeff").splitlines(), 1)
    written = [(number, raw.split("#")[0].strip()) for number, raw in numbered]
    filled = [(number, line) for number, line in written if line]
    columns, rows = int(pack.columns), int(pack.rows)
    heads = len(filled) - rows
    if not 1 <= heads <= SEATS:
        raise BadTableau(
            text("ozeanien/refuse.pad_lines", count=len(filled), rows=rows, columns=columns)
        )
    players = [_player(number, line) for number, line in filled[:heads]]
    return Table(players, [_row(number, line, columns) for number, line in filled[heads:]])


def _player(number: int, line: str) -> Player:
    parts = _PLAYER.fullmatch(line)
    if not parts or len(parts["name"]) > LONGEST_NAME:
        raise BadTableau(text("ozeanien/refuse.pad_player", line=number, most=LONGEST_NAME))
    discards = int(parts["discards"] or 0)
    if discards > TILES:
        raise BadTableau(
            text("ozeanien/refuse.pad_discards", line=number, count=discards, tiles=TILES)
        )
    return Player(parts["name"], discards)


def _row(number: int, line: str, columns: int) -> Row:
    cells = re.split(r"[\s,;|]+", line.lower().strip(" \t,;|"))
    if len(cells) != columns:
        raise BadTableau(
            text("ozeanien/refuse.pad_cells", line=number, count=len(cells), columns=columns)
        )
    return Row(number, cells)


# --- laying out -----------------------------------------------------------------------------------


def _lay_row(game: Any, pack: Pack, row: int, written: Row) -> None:
    """Put a row's tiles and explorers on the board."""
    for column, word in enumerate(written.cells):
        cell = row * int(pack.columns) + column
        parts = _CELL.fullmatch(word)
        where = {"line": written.line, "word": repr(word)}
        if not parts:
            signs = {"unexplored": UNEXPLORED, "open": OPEN_SEA}
            raise BadTableau(text("ozeanien/refuse.pad_no_cell", **where, **signs))
        if parts["land"] == UNEXPLORED:
            if parts["colour"]:
                raise BadTableau(text("ozeanien/refuse.pad_nobody", **where))
            continue
        game.explored |= 1 << cell
        for letter in parts["land"].strip(OPEN_SEA):
            game.land[LETTERS[letter]] |= 1 << cell
        if parts["colour"]:
            _put_explorer(game, cell, parts, where)


def _put_explorer(game: Any, cell: int, parts: re.Match[str], where: dict[str, Any]) -> None:
    seat, value, part = COLOURS[parts["colour"]], int(parts["value"]), parts["part"]
    edges = edges_at(game, cell)
    if seat >= int(game.players):
        raise BadTableau(text("ozeanien/refuse.pad_second", **where))
    if not edges:
        raise BadTableau(text("ozeanien/refuse.pad_land", **where))
    if is_strait(edges) != bool(part):
        raise BadTableau(text("ozeanien/refuse.pad_strait", **where))
    if part and not edges >> LETTERS[part] & 1:
        side = text(f"ozeanien/side.{EDGES[LETTERS[part]]}")
        raise BadTableau(text("ozeanien/refuse.pad_part", **where, side=side))
    game.explorers[seat, value - 1] |= 1 << cell
    if part and LETTERS[part] > EAST:
        game.far |= 1 << cell


def _check_edges(game: State, pack: Pack) -> None:
    """Land must meet land, sea sea, and the border is sea."""
    for side in range(SIDES):
        land = int(game.land[side])
        for cell in cells_of(land & int(pack.border[side])):
            name = cell_name(pack, cell)
            where = text(f"ozeanien/side.{EDGES[side]}")
            raise BadTableau(text("ozeanien/refuse.pad_border", cell=name, side=where))
        across = beyond(pack, int(game.land[opposite(side)]), opposite(side))
        met = beyond(pack, int(game.explored), opposite(side)) & int(game.explored)
        for cell in cells_of((land ^ across) & met):
            other = cells_of(beyond(pack, 1 << cell, side))[0]
            names = {"cell": cell_name(pack, cell), "other": cell_name(pack, other)}
            raise BadTableau(text("ozeanien/refuse.pad_touch", **names))


def _check_explorers(game: State, pack: Pack) -> None:
    """A colour has so many explorers of each value; alone there are none."""
    for seat in range(SEATS):
        for value in range(VALUES):
            count = count_cells(int(game.explorers[seat, value]))
            most = int(pack.explorers[value]) if int(game.players) > 1 else 0
            if count > most:
                colour = text(f"ozeanien/seat_colour.s{seat}")
                what = {"count": count, "colour": colour, "value": value + 1, "most": most}
                raise BadTableau(text("ozeanien/refuse.pad_explorers", **what))

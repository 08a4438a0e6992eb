"""Ozeanien's moves and deals in words: `ship left 3`, `draw`, `lay b5 90`, `explorer 1 north`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from pelagos.engine.errors import BadRecord, short, text
from pelagos.engine.game import check_first
from pelagos.games.ozeanien.actions import ACTIONS
from pelagos.games.ozeanien.state import (
    CELLS,
    CIRCLES,
    CLASSES,
    COASTS,
    DEGREES,
    LONGEST,
    PILE,
    REMOVED,
    TILES,
    Pack,
    State,
)

UNKNOWN = "?"


def cell_name(pack: Pack, cell: int) -> str:
    """A cell's name: column a from the left, row 1 from the bottom."""
    columns = int(pack.columns)
    return _cell_name(columns, cell)


def _cell_name(columns: int, cell: int) -> str:
    return f"{'abcdefg'[cell % columns]}{cell // columns + 1}"


# --- moves ----------------------------------------------------------------------------------------


def write(game: State, pack: Pack, seat: int, action: int) -> str:
    """A move in words."""
    return _names(int(pack.columns), int(pack.rows))[action]


def read(game: State, pack: Pack, seat: int, words: str) -> int:
    """The move that these words name; -1 if they name none."""
    return _actions(int(pack.columns), int(pack.rows)).get(words, -1)


@cache
def _actions(columns: int, rows: int) -> dict[str, int]:
    """Every move's words on a board of this size, and its number."""
    return {name: action for action, name in enumerate(_names(columns, rows)) if name}


@cache
def _names(columns: int, rows: int) -> tuple[str, ...]:
    """Every action's words on a board of this size; empty for a place that it doesn't have."""
    return tuple(_name(columns, rows, action) for action in range(ACTIONS.size))


def _name(columns: int, rows: int, action: int) -> str:
    verb, values, _ = ACTIONS.decode(action)
    cells = min(columns * rows, CELLS)
    if verb == "ship" and values[0] < CIRCLES:
        side, index = divmod(values[0], LONGEST)
        length = rows if side % 2 else columns
        return f"ship {COASTS[side]} {index + 1}" if index < length else ""
    if verb == "ship":
        cell = values[0] - CIRCLES
        return f"ship {_cell_name(columns, cell)}" if cell < cells else ""
    if verb == "lay":
        cell, turn = values
        return f"lay {_cell_name(columns, cell)} {DEGREES[turn]}" if cell < cells else ""
    if verb == "reuse":
        return f"reuse {CLASSES[values[0]]} {values[1]}"
    return " ".join([verb, *(str(value) for value in values if value)])


# --- deals ----------------------------------------------------------------------------------------


def write_deal(game: State, pack: Pack) -> dict[str, Any]:
    """The pile in drawing order, the removed tiles, and who starts."""
    tiles = [CLASSES[int(tile) - 1] for tile in game.pile]
    return {"pile": tiles[:PILE], "removed": tiles[PILE:], "start": int(game.start)}


def read_deal(game: State, pack: Pack, deal: Mapping[str, Any]) -> None:
    """Put a deal into an empty state."""
    tiles = _tiles(deal, "pile", PILE) + _tiles(deal, "removed", REMOVED)
    for kind, name in enumerate(CLASSES):
        count, right = tiles.count(kind), int(pack.tiles[kind])
        if count != right:
            raise BadRecord(text("ozeanien/refuse.tiles", count=count, tile=name, right=right))
    start = deal.get("start")
    if type(start) is not int or start not in range(int(game.players)):
        last = int(game.players) - 1
        raise BadRecord(text("ozeanien/refuse.start", last=last, start=short(start)))
    check_first("start", start, int(game.start) - 1)
    for place, kind in enumerate(tiles):
        game.pile[place] = kind + 1
    game.start = start


def _tiles(deal: Mapping[str, Any], name: str, count: int) -> list[int]:
    """The tiles of one list of the deal, as classes."""
    names = deal.get(name)
    if not isinstance(names, list) or len(names) != count:
        raise BadRecord(text("ozeanien/refuse.deal_list", name=name, count=count))
    for place, tile in enumerate(names):
        if tile not in CLASSES:
            where = f"{name}[{place}]"
            raise BadRecord(
                text(
                    "ozeanien/refuse.no_tile",
                    where=where,
                    tile=short(tile),
                    known=", ".join(CLASSES),
                )
            )
    return [CLASSES.index(tile) for tile in names]


def conceal_deal(deal: Mapping[str, Any], game: State, pack: Pack, seat: int) -> dict[str, Any]:
    """The deal as any seat knows it now: nobody has seen the rest of the pile, or what is out."""
    drawn = int(game.top)
    pile = [*deal["pile"][:drawn], *[UNKNOWN] * (PILE - drawn)]
    return {**deal, "pile": pile, "removed": [UNKNOWN] * (TILES - PILE)}


# --- chance ---------------------------------------------------------------------------------------


def write_chance(game: State, pack: Pack, outcome: Sequence[int]) -> str:
    """Nothing is random after set-up."""
    return ""


def read_chance(game: State, pack: Pack, words: str) -> list[int]:
    """Nothing is random after set-up."""
    raise BadRecord(text("ozeanien/refuse.chance"))

"""The score pad: a finished reef typed in from a real table.

One block a player, a blank line between blocks: a line with the name, then four lines of five
cards. A card is its name in English or French or the start of one; brackets mean face down:

    Ada
    krill whale krill krill crab
    ...

`-` is a cell that is still empty. `Tim` as the second of two names is the solo game's opponent.
With two players, `neutral: 3` says how much plankton the neutral hand has played.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from pelagos.engine.arrays import new_states, record_of
from pelagos.engine.errors import BadTableau, short
from pelagos.engine.pack import Pack
from pelagos.engine.pad import LONGEST_NAME, Group, Pad, leaders, winner_note
from pelagos.engine.view import Text, make_sheet, text
from pelagos.engine.words import LANGUAGES, words
from pelagos.games.ecosystem import GAME
from pelagos.games.ecosystem.actions import FLIPS, TIM_FLIPS
from pelagos.games.ecosystem.frame import COLUMNS, NEIGHBOUR_PAIRS, REEF_CELLS, ROWS
from pelagos.games.ecosystem.notation import words_of
from pelagos.games.ecosystem.rules import PAIRS, flip, owes_flip
from pelagos.games.ecosystem.scoring import evidence, group_totals, lines_of, result
from pelagos.games.ecosystem.state import (
    OVER,
    PLANKTON,
    SEATS,
    SPECIES,
    TIM,
    TURNS,
    WHALE,
    State,
)

EMPTY = -1
BLANK = "-"
"""How an empty cell is written."""
TIM_NAME = "Tim"


@dataclass
class Reef:
    """One player's block."""

    name: str
    line: int = 0
    rows: list[list[tuple[int, bool]]] = field(default_factory=list)
    """Cards row by row: a species, or `EMPTY`; and does it lie face down?"""

    @property
    def cards(self) -> list[tuple[int, bool]]:
        """The same in one row."""
        return [card for row in self.rows for card in row]

    @property
    def missing(self) -> int:
        """How many cells are empty."""
        return sum(kind == EMPTY for kind, _ in self.cards)


@dataclass
class Table:
    """All reefs, and the neutral hand's plankton."""

    players: list[Reef]
    neutral: int = 0

    @property
    def solo(self) -> bool:
        """Is it a game against Tim?"""
        return len(self.players) == 2 and _plain(self.players[1].name) == _plain(TIM_NAME)


def score(source: str, pack: Pack) -> Pad:
    """Sheets with evidence for the reefs in the text, and the best whale flips."""
    return count(read(source, pack), pack)


def count(table: Table, pack: Pack) -> Pad:
    """The same for a table that was read."""
    reefs, solo = table.players, table.solo
    players = 1 if solo else len(reefs)
    if table.neutral and players != 2:
        raise BadTableau(text("ecosystem/refuse.neutral"))
    _check_box(table, pack)
    for reef in reefs:
        _check_turned(reef)
    # a single reef is compared with nobody
    game = _lay(reefs, 3 if players == 1 and not solo else players, table.neutral)
    data = record_of(pack.data)
    seats = [0, TIM] if solo else list(range(len(reefs)))
    notes: list[Text] = []
    for seat, reef in zip(seats, reefs, strict=True):
        if reef.missing:
            laid = ROWS * COLUMNS - reef.missing
            notes.append(text("score.unfinished", who=reef.name, laid=laid, whole=ROWS * COLUMNS))
        else:
            notes += _best_flips(game, data, seat, reef.name, tim=solo and seat == TIM)
    lines = [lines_of(game, data, seat) for seat in seats]
    sheets = [
        make_sheet(seat, GAME.lines, points, evidence(game, data, seat, points))
        for seat, points in zip(seats, [list(made.values()) for made in lines], strict=True)
    ]
    missing = [reef.missing for reef in reefs]
    winners: list[int] = []
    if solo and not any(missing):
        compared = result(game, data)
        level = text(f"score.{compared['level']}")
        notes.append(text("score.tim", margin=compared["margin"], level=level))
        winners = [0] if compared["level"] != "loss" else []
    elif len(reefs) > 1 and not any(missing):
        winners = leaders(sheets)
        notes.append(winner_note(winners))
    return Pad(
        [reef.name for reef in reefs],
        sheets,
        notes,
        groups=[_groups(made) for made in lines],
        winners=winners,
        missing=missing,
    )


def _groups(lines: dict[str, int]) -> list[Group]:
    """The three groups' totals; the smallest counts twice."""
    totals = group_totals(lines)
    smallest = min(totals, key=totals.__getitem__)
    return [
        Group(text(f"table.{name}"), points, _SIGNS[name], "×2" if name == smallest else "")
        for name, points in totals.items()
    ]


_SIGNS = {"producers": "producer", "prey": "prey", "predators": "predator"}


def _check_box(table: Table, pack: Pack) -> None:
    """The box has so many cards of each species."""
    laid = Counter(kind for reef in table.players for kind, _ in reef.cards if kind != EMPTY)
    laid[PLANKTON] += table.neutral
    for kind, most in enumerate(record_of(pack.data).counts.tolist()):
        if laid[kind] > most:
            what = {"count": laid[kind], "species": text(f"ecosystem/line.{SPECIES[kind]}")}
            raise BadTableau(text("ecosystem/refuse.box", **what, most=most))


def _check_turned(reef: Reef) -> None:
    """Each card that lies face down was turned by a whale of its own beside it."""
    cards = dict(zip(REEF_CELLS, reef.cards, strict=True))
    turned = [cell for cell, (_, down) in cards.items() if down]
    whales = {cell: [whale for other, whale in NEIGHBOUR_PAIRS if other == cell] for cell in turned}
    acted: dict[int, int] = {}

    def finds_whale(cell: int, tried: set[int]) -> bool:
        for whale in whales[cell]:
            if cards[whale][0] == WHALE and whale not in tried:
                tried.add(whale)
                if whale not in acted or finds_whale(acted[whale], tried):
                    acted[whale] = cell
                    return True
        return False

    for cell in turned:
        if not finds_whale(cell, set()):
            raise BadTableau(text("ecosystem/refuse.turned", name=reef.name, count=len(turned)))


# --- reading ----------------------------------------------------------------------------------


def _plain(name: str) -> str:
    """Lower case, without accents, hyphens or spaces."""
    decomposed = unicodedata.normalize("NFD", name.casefold())
    return "".join(letter for letter in decomposed if letter.isalnum())


def _names() -> list[tuple[str, int]]:
    """Every spelling of every species."""
    names = []
    for kind, species in enumerate(SPECIES):
        spellings = {species, "tortue" if species == "turtle" else species}
        spellings |= {words(GAME, language).noun(species) for language in LANGUAGES}
        names += [(_plain(spelling), kind) for spelling in spellings]
    return names


def _species(word: str, line: int) -> int:
    plain = _plain(word)
    names = _names()
    exact = {kind for name, kind in names if name == plain}
    begun = {kind for name, kind in names if plain and name.startswith(plain)}
    kinds = sorted(exact or begun)
    if len(kinds) == 1:
        return kinds[0]
    what = {"line": line, "word": short(word)}
    if kinds:
        meant = _either([SPECIES[kind] for kind in kinds])
        raise BadTableau(text("ecosystem/refuse.ambiguous", **what, species=meant))
    raise BadTableau(text("ecosystem/refuse.unknown", **what, species=", ".join(SPECIES)))


def _either(names: list[str]) -> str | Text:
    """One of these names, as a text."""
    if len(names) == 1:
        return names[0]
    return text("ecosystem/refuse.or", first=names[0], rest=_either(names[1:]))


def _cells(line: str, number: int) -> list[tuple[int, bool]]:
    cells = []
    for word in re.split(r"[\s,;|]+", line.strip(" \t|,;")):
        if word == BLANK:
            cells.append((EMPTY, False))
            continue
        down = word.startswith(("(", "[")) and word.endswith((")", "]"))
        cells.append((_species(word.strip("()[]"), number), down))
    if len(cells) != COLUMNS:
        numbers = {"line": number, "count": len(cells), "columns": COLUMNS}
        raise BadTableau(text("ecosystem/refuse.row", **numbers))
    return cells


def read(source: str, pack: Pack) -> Table:
    """The table that a text tells of."""
    reefs: list[Reef] = []
    neutral = 0
    for number, raw in enumerate(source.removeprefix("\ufeff").splitlines(), 1):
        line = raw.split("#")[0].strip()
        if not line:
            continue
        counted = re.fullmatch(r"(?:neutral|neutre)\s*:?\s*(\d{1,2})", line, re.IGNORECASE)
        if counted:
            neutral = int(counted[1])
        elif not reefs or len(reefs[-1].rows) == ROWS:
            reefs.append(Reef(_name(line, number), number))
        else:
            reefs[-1].rows.append(_cells(line, number))
    if not reefs:
        raise BadTableau(text("ecosystem/refuse.no_reef"))
    if len(reefs) > SEATS:
        raise BadTableau(text("ecosystem/refuse.reefs", count=len(reefs), most=SEATS))
    if len(reefs[-1].rows) < ROWS:
        last = reefs[-1]
        numbers = {"line": last.line, "count": len(last.rows), "rows": ROWS}
        raise BadTableau(text("ecosystem/refuse.rows", name=last.name, **numbers))
    return Table(reefs, neutral)


def write(table: Table) -> str:
    """A table as text, which reads as the same table."""
    blocks = [
        "\n".join([reef.name, *(" ".join(_written(*card) for card in row) for row in reef.rows)])
        for reef in table.players
    ]
    return "\n".join([*blocks, *([f"neutral: {table.neutral}"] if table.neutral else [])])


def _written(kind: int, down: bool) -> str:
    if kind == EMPTY:
        return BLANK
    return f"({SPECIES[kind]})" if down else SPECIES[kind]


def add(table: Table, name: str) -> None:
    """One player more, with an empty reef."""
    rows = [[(EMPTY, False)] * COLUMNS for _ in range(ROWS)]
    table.players.append(Reef(name, 0, rows))


def new_table(pack: Pack) -> Table:
    """A table without players."""
    return Table([])


def _name(line: str, number: int) -> str:
    name = line.rstrip(":").strip()
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
        raise BadTableau(text("ecosystem/refuse.name", line=number, most=LONGEST_NAME))
    return name


def _lay(reefs: list[Reef], players: int, neutral: int) -> State:
    game: Any = record_of(new_states(GAME, 1))
    game.players = players
    game.phase = OVER
    game.turn = TURNS
    game.neutral[PLANKTON] = neutral
    for seat, reef in enumerate(reefs):
        for cell, (kind, down) in zip(REEF_CELLS, reef.cards, strict=True):
            game.cells[seat, cell] = kind + 1
            game.reef[seat] |= 1 << cell
            if down:
                game.down[seat] |= 1 << cell
    return game  # type: ignore[no-any-return]


# --- whales -----------------------------------------------------------------------------------


def _best_flips(game: State, pack: Any, seat: int, name: str, *, tim: bool) -> list[Text]:
    """The flips that make the most of a reef whose whales have not acted yet, and make them.

    Alone, the margin counts: Tim's whales are turned against him (ECO-35).
    """
    if int(game.down[seat]):
        return []
    best: tuple[int, list[int]] | None = None
    seen: set[tuple[int, int]] = set()
    stack: list[list[int]] = [[]]
    while stack:
        path = stack.pop()
        game.acted[seat] = game.down[seat] = 0
        for pair in path:
            flip(game, seat, pair)
        key = (int(game.acted[seat]), int(game.down[seat]))
        if key in seen:
            continue
        seen.add(key)
        onward = [pair for pair in range(PAIRS) if owes_flip(game, seat, pair)]
        if onward:
            stack += [[*path, pair] for pair in onward]
            continue
        gain = _gain(game, pack, seat)
        if best is None or gain > best[0]:
            best = gain, path
    game.acted[seat] = game.down[seat] = 0
    if best is None or not best[1]:
        return []
    first = TIM_FLIPS if tim else FLIPS
    moves = ", ".join(words_of(first + pair) for pair in best[1])
    for pair in best[1]:
        flip(game, seat, pair)
    return [text("score.flips", who=name, flips=moves)]


def _gain(game: State, pack: Any, seat: int) -> int:
    """What a player wants as high as it can be: the own total, or alone the margin over Tim."""
    if int(game.players) == 1:
        return int(result(game, pack)["margin"])
    return sum(lines_of(game, pack, seat).values())

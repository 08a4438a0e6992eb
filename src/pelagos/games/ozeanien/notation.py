"""Ozeanien's moves and deals in words: `ship left 3`, `draw`, `lay b5 90`, `explorer 1 north`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from pelagos.engine.errors import BadRecord
from pelagos.games.ozeanien.rules import (
    ACTIONS,
    DRAWS,
    EXPLORERS,
    LAYS,
    PARTS,
    PASS,
    REUSES,
    SHIPS,
)
from pelagos.games.ozeanien.state import (
    CELLS,
    CIRCLES,
    EAST,
    KINDS,
    LONGEST,
    NORTH,
    PILE,
    REMOVED,
    SIDES,
    SOUTH,
    TILES,
    TURNS,
    VALUES,
    WEST,
    Pack,
    State,
)

CLASSES = ("open", "cape", "corner", "strait", "inlet", "inland")
DEGREES = (0, 90, 180, 270)
EDGES = ("north", "east", "south", "west")
"""The sides of a tile."""
COASTS = ("top", "right", "bottom", "left")
"""The same sides of the board, where the circles are."""
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


def read(game: State, pack: Pack, seat: int, text: str) -> int:
    """The move that these words name; -1 if they name none."""
    return _actions(int(pack.columns), int(pack.rows)).get(text, -1)


@cache
def _actions(columns: int, rows: int) -> dict[str, int]:
    """Every move's words on a board of this size, and its number."""
    return {name: action for action, name in enumerate(_names(columns, rows)) if name}


@cache
def _names(columns: int, rows: int) -> tuple[str, ...]:
    """Every action's words on a board of this size; empty for a place that it doesn't have."""
    names = [""] * ACTIONS
    names[PASS] = "pass"
    names[DRAWS] = "draw"
    for side, length in ((NORTH, columns), (EAST, rows), (SOUTH, columns), (WEST, rows)):
        for index in range(length):
            names[SHIPS + side * LONGEST + index] = f"ship {COASTS[side]} {index + 1}"
    for cell in range(min(columns * rows, CELLS)):
        name = _cell_name(columns, cell)
        names[SHIPS + CIRCLES + cell] = f"ship {name}"
        for turn in range(TURNS):
            names[LAYS + cell * TURNS + turn] = f"lay {name} {DEGREES[turn]}"
    for value in range(VALUES):
        for kind in range(KINDS):
            names[REUSES + kind * VALUES + value] = f"reuse {CLASSES[kind]} {value + 1}"
        names[EXPLORERS + value * PARTS] = f"explorer {value + 1}"
        for side in range(SIDES):
            names[EXPLORERS + value * PARTS + 1 + side] = f"explorer {value + 1} {EDGES[side]}"
    return tuple(names)


# --- deals ----------------------------------------------------------------------------------------


def write_deal(game: State, pack: Pack) -> dict[str, Any]:
    """The pile in drawing order, the removed tiles, and who starts."""
    tiles = [CLASSES[int(tile) - 1] for tile in game.pile]
    return {"pile": tiles[:PILE], "removed": tiles[PILE:], "start": int(game.start)}


def read_deal(game: State, pack: Pack, deal: Mapping[str, Any]) -> None:
    """Put a deal into an empty state."""
    tiles = _tiles(deal, "pile", PILE) + _tiles(deal, "removed", REMOVED)
    for kind, name in enumerate(CLASSES):
        told, right = tiles.count(kind), int(pack.tiles[kind])
        if told != right:
            raise BadRecord(f"deal: {told} tiles {name} in pile and removed; the pack has {right}.")
    start = deal.get("start")
    if type(start) is not int or start not in range(int(game.players)):
        raise BadRecord(f"deal.start must be a seat, 0 to {int(game.players) - 1}, not {start!r}.")
    for place, kind in enumerate(tiles):
        game.pile[place] = kind + 1
    game.start = start


def _tiles(deal: Mapping[str, Any], name: str, count: int) -> list[int]:
    """The tiles of one list of the deal, as classes."""
    told = deal.get(name)
    if not isinstance(told, list) or len(told) != count:
        raise BadRecord(f"deal.{name} must be a list of {count} tile classes.")
    for place, tile in enumerate(told):
        if tile not in CLASSES:
            known = ", ".join(CLASSES)
            raise BadRecord(f"deal.{name}[{place}] is {tile!r}, which isn't one of {known}.")
    return [CLASSES.index(tile) for tile in told]


def conceal_deal(deal: Mapping[str, Any], game: State, pack: Pack, seat: int) -> dict[str, Any]:
    """The deal as any seat knows it now: nobody has seen the rest of the pile, or what is out."""
    drawn = int(game.top)
    pile = [*deal["pile"][:drawn], *[UNKNOWN] * (PILE - drawn)]
    return {**deal, "pile": pile, "removed": [UNKNOWN] * (TILES - PILE)}


# --- chance ---------------------------------------------------------------------------------------


def write_chance(game: State, pack: Pack, outcome: Sequence[int]) -> str:
    """Nothing is random after set-up."""
    return ""


def read_chance(game: State, pack: Pack, text: str) -> list[int]:
    """Nothing is random after set-up."""
    raise BadRecord("Nothing random happens in Ozeanien after the deal.")

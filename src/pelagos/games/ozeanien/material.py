"""Ozeanien's material: a pack's board, tiles and explorers, checked and turned into one record."""

from __future__ import annotations

from collections.abc import Mapping

from pelagos.engine.arrays import new_packs, record_of
from pelagos.engine.errors import BadPack, short, text
from pelagos.engine.pack import read_table, read_toml
from pelagos.engine.types import Array, Record
from pelagos.games.ozeanien.rules import FORMS
from pelagos.games.ozeanien.state import (
    CELLS,
    CLASSES,
    COASTS,
    EAST,
    LONGEST,
    MOST_EXPLORERS,
    NORTH,
    PACK,
    RESERVE,
    SIDES,
    SOUTH,
    TILES,
    VALUES,
    WEST,
)

FILES = ("board.toml", "explorers.csv", "tiles.csv")
SHORTEST = 2
"""The fewest columns, and the fewest rows, that a board may have."""


def load(files: Mapping[str, str]) -> Array:
    """The pack as one record (OZE-1, OZE-3, OZE-4)."""
    packs = new_packs(PACK)
    pack = record_of(packs)
    _load_board(files, pack)
    _load_tiles(files, pack)
    _load_explorers(files, pack)
    return packs


def _load_board(files: Mapping[str, str], pack: Record) -> None:
    board = read_toml(files, "board.toml")
    for name in board:
        if name not in ("columns", "rows", "without_circles"):
            raise BadPack(text("ozeanien/refuse.board_unknown", name=name))
    columns, rows = (_length(board, name) for name in ("columns", "rows"))
    if columns * rows > CELLS:
        raise BadPack(text("ozeanien/refuse.board_large", columns=columns, rows=rows, most=CELLS))
    bare = board.get("without_circles")
    if bare not in COASTS:
        raise BadPack(text("ozeanien/refuse.board_bare", known=", ".join(COASTS)))
    pack.columns, pack.rows = columns, rows
    pack.board = (1 << columns * rows) - 1
    for side in range(SIDES):
        cells = _cells_along(side, columns, rows)
        pack.border[side] = sum(1 << cell for cell in cells)
        if side != COASTS.index(bare):
            pack.circled |= pack.border[side]
            for index, cell in enumerate(cells):
                pack.circles[side * LONGEST + index] = cell + 1


def _length(board: Mapping[str, object], name: str) -> int:
    value = board.get(name)
    if type(value) is not int or not SHORTEST <= value <= LONGEST:
        raise BadPack(text("ozeanien/refuse.board_length", name=name, first=SHORTEST, last=LONGEST))
    return value


def _cells_along(side: int, columns: int, rows: int) -> range:
    """The cells along one side of the board, from the left or from the bottom."""
    return {
        NORTH: range(columns * (rows - 1), columns * rows),
        EAST: range(columns - 1, columns * rows, columns),
        SOUTH: range(columns),
        WEST: range(0, columns * rows, columns),
    }[side]


def _load_tiles(files: Mapping[str, str], pack: Record) -> None:
    seen = set()
    for row in read_table(files, "tiles.csv", ("id", "edges_NESW", "sea_tiles", "reserve_tiles")):
        name = row.text("id")
        if name not in CLASSES:
            raise row.wrong(
                text("ozeanien/refuse.tile_unknown", name=short(name), known=", ".join(CLASSES))
            )
        if name in seen:
            raise row.wrong(text("ozeanien/refuse.tile_twice", name=name))
        seen.add(name)
        kind = CLASSES.index(name)
        if row.text("edges_NESW") != FORMS[kind]:
            raise row.wrong(text("ozeanien/refuse.tile_edges", name=name, edges=FORMS[kind]))
        pack.tiles[kind] = row.number("sea_tiles", 0, TILES)
        pack.reserve[kind] = row.number("reserve_tiles", 0, RESERVE)
    for name in CLASSES:
        if name not in seen:
            raise BadPack(text("ozeanien/refuse.tile_missing", name=name))
    for column, counts, right in (
        ("sea_tiles", pack.tiles, TILES),
        ("reserve_tiles", pack.reserve, RESERVE),
    ):
        total = sum(int(count) for count in counts)
        if total != right:
            raise BadPack(text("ozeanien/refuse.tile_sum", column=column, total=total, right=right))


def _load_explorers(files: Mapping[str, str], pack: Record) -> None:
    seen = set()
    for row in read_table(files, "explorers.csv", ("value", "count")):
        value = row.number("value", 1, VALUES)
        if value in seen:
            raise row.wrong(text("ozeanien/refuse.value_twice", value=value))
        seen.add(value)
        pack.explorers[value - 1] = row.number("count", 0, MOST_EXPLORERS)
    for value in range(1, VALUES + 1):
        if value not in seen:
            raise BadPack(text("ozeanien/refuse.value_missing", value=value))

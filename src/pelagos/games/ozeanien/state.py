"""Ozeanien's state: every field with a word on what it holds.

The board is at most 35 cells; cell 0 is at the bottom left, cells go on to the right and then row
by row upwards, so that a step is 1 or the number of columns away. A *mask* has one bit for a
cell. The four sides of a cell are numbered clockwise from the north, and a tile's *edges* are four
bits, one for each side that is land.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from pelagos.engine.types import Array, state_type

NORTH, EAST, SOUTH, WEST = range(4)
SIDES = 4

OPEN, CAPE, CORNER, STRAIT, INLET, INLAND = range(6)
KINDS = 6
"""The classes of tiles."""
TURNS = 4
"""Quarter turns, clockwise."""

VALUES = 3
"""Explorers are worth 1, 2 or 3."""
SEATS = 2

LONGEST = 7
"""The most columns, and the most rows, that a board may have."""
CELLS = 35
CIRCLES = SIDES * LONGEST
"""Start circles: one place for each side of the board and each column or row along it."""

TILES = 35
"""Sea tiles in the box."""
REMOVED = 3
PILE = TILES - REMOVED
RESERVE = 25
"""Reserve tiles in the box."""

SHIP, DRAW, LAY, EXPLORER, OVER = range(5)
"""The phases. In DRAW the ship is placed, and the seat draws or reuses a discard."""

STATE = state_type(
    [
        ("stream", np.uint64, 4),
        ("explored", np.int64),
        ("filled", np.int64),
        ("land", np.int64, SIDES),
        ("explorers", np.int64, (SEATS, VALUES)),
        ("far", np.int64),
        ("supply", np.int8, (SEATS, VALUES)),
        ("discards", np.int8, (SEATS, KINDS)),
        ("players", np.int8),
        ("start", np.int8),
        ("seat", np.int8),
        ("phase", np.int8),
        ("ship", np.int8),
        ("tile", np.int8),
        ("laid", np.int8),
        ("top", np.int8),
        ("pile", np.int8, TILES),
    ]
)

PACK = state_type(
    [
        ("board", np.int64),
        ("border", np.int64, SIDES),
        ("circled", np.int64),
        ("columns", np.int8),
        ("rows", np.int8),
        ("circles", np.int8, CIRCLES),
        ("tiles", np.int8, KINDS),
        ("reserve", np.int8, KINDS),
        ("explorers", np.int8, VALUES),
    ]
)


class Pack(Protocol):
    """The material: the board, the tiles of each class, a player's explorers of each value."""

    board: int
    """Mask of all cells."""
    border: Array
    """For each side, the mask of the cells along that side of the board."""
    circled: int
    """Mask of the cells that have a start circle."""
    columns: int
    rows: int
    circles: Array
    """The cell of each start circle + 1; 0 where there is no circle."""
    tiles: Array
    """Sea tiles of each class."""
    reserve: Array
    """Reserve tiles of each class."""
    explorers: Array
    """Explorers of each value, a colour."""


class State(Protocol):
    """One game. Tiles are class + 1, and 0 is no tile; cells too where 0 must mean none."""

    stream: Array
    """The random stream."""
    explored: int
    """Mask of the cells that have a tile."""
    filled: int
    """Mask of the cells that were filled, from the reserve or as if from it."""
    land: Array
    """For each side, the mask of the cells whose tile is land on that side."""
    explorers: Array
    """For each seat and value, the mask of the tiles that carry such an explorer."""
    far: int
    """Mask of the straits whose explorer stands on the south or west part, not on the other."""
    supply: Array
    """Explorers before each seat, by value."""
    discards: Array
    """Discarded tiles before each seat, by class."""
    players: int
    start: int
    """The seat that starts."""
    seat: int
    """The seat whose turn it is."""
    phase: int
    ship: int
    """Where the ship is, as a start + 1, until the turn ends; see `rules.SHIPS`."""
    tile: int
    """The tile to be laid."""
    laid: int
    """The cell of the tile just laid + 1, until the turn ends."""
    top: int
    """Place of the next tile in the pile."""
    pile: Array
    """The pile in drawing order, what has been drawn is 0; then the removed tiles."""

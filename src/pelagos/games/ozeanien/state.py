"""Ozeanien's state: every field with a word on what it holds.

The board is at most 35 cells; cell 0 is at the bottom left, cells go on to the right and then row
by row upwards, so that a step is 1 or the number of columns away. A *mask* has one bit for a
cell. The four sides of a cell are numbered clockwise from the north, and a tile's *edges* are four
bits, one for each side that is land.
"""

from __future__ import annotations

from typing import Protocol

from pelagos.engine.fields import state_type
from pelagos.engine.types import Array

NORTH, EAST, SOUTH, WEST = range(4)
SIDES = 4
EDGES = ("north", "east", "south", "west")
"""The sides of a tile."""
COASTS = ("top", "right", "bottom", "left")
"""The same sides of the board, where the circles are."""

OPEN, CAPE, CORNER, STRAIT, INLET, INLAND = range(6)
CLASSES = ("open", "cape", "corner", "strait", "inlet", "inland")
KINDS = len(CLASSES)
"""The classes of tiles."""
DEGREES = (0, 90, 180, 270)
TURNS = len(DEGREES)
"""Quarter turns, clockwise."""

VALUES = 3
"""Explorers are worth 1, 2 or 3."""
MOST_EXPLORERS = 35
"""Of one value and colour."""
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
        ("stream", "uint64", 4),
        ("explored", "int64"),
        ("filled", "int64"),
        ("land", "int64", SIDES),
        ("explorers", "int64", (SEATS, VALUES)),
        ("far", "int64"),
        ("supply", "int8", (SEATS, VALUES)),
        ("discards", "int8", (SEATS, KINDS)),
        ("players", "int8"),
        ("play_on", "int8"),
        ("resting", "int8"),
        ("start", "int8"),
        ("seat", "int8"),
        ("phase", "int8"),
        ("ship", "int8"),
        ("tile", "int8"),
        ("laid", "int8"),
        ("top", "int8"),
        ("pile", "int8", TILES),
    ]
)

PACK = state_type(
    [
        ("board", "int64"),
        ("border", "int64", SIDES),
        ("circled", "int64"),
        ("columns", "int8"),
        ("rows", "int8"),
        ("circles", "int8", CIRCLES),
        ("tiles", "int8", KINDS),
        ("reserve", "int8", KINDS),
        ("explorers", "int8", VALUES),
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
    play_on: int
    """Does the game go on with discards after the last draw?"""
    resting: int
    """After the last draw: how many seats in a row have laid nothing."""
    start: int
    """The seat that starts."""
    seat: int
    """The seat whose turn it is."""
    phase: int
    ship: int
    """Where the ship is, as a start + 1, until the turn ends; see `actions`."""
    tile: int
    """The tile to be laid."""
    laid: int
    """The cell of the tile just laid + 1, until the turn ends."""
    top: int
    """Place of the next tile in the pile."""
    pile: Array
    """The pile in drawing order, what has been drawn is 0; then the removed tiles."""

"""The frame in which a reef lies: its cells, their names, and what is beside what.

A reef has at most 4 rows by 5 columns and lies in a *frame* of 6 by 7 whose border stays sea: the
box that the cards occupy has its top left corner at row 1, column 1 of the frame, so that every
cell where a card may go next is in the frame, and neighbours are one step of 1 or 7 away. A cell is
a number; a mask has one bit for each cell.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from pelagos.engine.view import Text, text

ROWS, COLUMNS = 4, 5
"""The size of a finished reef."""
FRAME_ROWS, FRAME_COLUMNS = ROWS + 2, COLUMNS + 2
FRAME = FRAME_ROWS * FRAME_COLUMNS
DOWN, RIGHT = FRAME_COLUMNS, 1
"""One step in the frame."""


def cell_at(row: int, column: int) -> int:
    """The frame cell of a row and column of the box."""
    return (row + 1) * FRAME_COLUMNS + column + 1


@cache
def row_and_column(cell: int) -> tuple[int, int]:
    """A frame cell's row and column of the box."""
    row, column = divmod(int(cell), FRAME_COLUMNS)
    return row - 1, column - 1


@cache
def cell_name(cell: int) -> str:
    """A frame cell as moves name it: row and column of the box."""
    return "{},{}".format(*row_and_column(cell))


def cell_words(row: int, column: int) -> Text:
    """A cell of the box for people, who count from 1; or the cell above it, or left of it."""
    if row < 0:
        return text("cell.above", column=column + 1)
    if column < 0:
        return text("cell.left", row=row + 1)
    return text("cell.at", row=row + 1, column=column + 1)


def cells_of(mask: int) -> list[int]:
    """The cells of a mask, ascending."""
    cells, left = [], int(mask)
    while left:
        lowest = left & -left
        cells.append(lowest.bit_length() - 1)
        left ^= lowest
    return cells


REEF_CELLS = tuple(cell_at(row, column) for row in range(ROWS) for column in range(COLUMNS))
"""The frame cells of the full reef, row by row."""

NEIGHBOUR_PAIRS = tuple(
    (cell, cell + step)
    for cell in REEF_CELLS
    for step in (-DOWN, -RIGHT, RIGHT, DOWN)
    if cell + step in REEF_CELLS
)
"""Every cell of the full reef with every cell beside it."""


def _mask(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in cells)


_ALL_ROWS, _ALL_COLUMNS = range(-1, ROWS + 1), range(-1, COLUMNS + 1)

WHOLE_FRAME = _mask(range(FRAME))
BOTTOM_ROW = _mask(cell_at(ROWS - 1, column) for column in range(COLUMNS))
LAST_COLUMN = _mask(cell_at(row, COLUMNS - 1) for row in range(ROWS))
INNER_ROWS = _mask(cell_at(row, column) for row in range(ROWS) for column in _ALL_COLUMNS)
INNER_COLUMNS = _mask(cell_at(row, column) for row in _ALL_ROWS for column in range(COLUMNS))
TOP_ROW = _mask(cell_at(-1, column) for column in _ALL_COLUMNS)
FIRST_COLUMN = _mask(cell_at(row, -1) for row in _ALL_ROWS)
FIRST_CELL = cell_at(0, 0)

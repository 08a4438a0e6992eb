"""How a reef lies on the page: in a frame that shows where it may still grow."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from pelagos.games.ecosystem.frame import COLUMNS, ROWS

At = tuple[int, int]
"""A row and a column of the box that the cards occupy."""


@dataclass(frozen=True)
class Frame:
    """So many rows and columns, and where in them the box has its corner."""

    rows: int
    columns: int
    top: int
    left: int

    @property
    def is_set(self) -> bool:
        """Can it grow no more?"""
        return (self.rows, self.columns) == (ROWS, COLUMNS)

    @property
    def cells(self) -> list[list[At]]:
        """Its cells, row by row."""
        columns = range(-self.left, self.columns - self.left)
        return [
            [(row, column) for column in columns] for row in range(-self.top, self.rows - self.top)
        ]


WHOLE = Frame(ROWS, COLUMNS, 0, 0)
"""Of a reef that is filled from its corner."""


def frame_around(cards: Collection[At], choices: Collection[At] = (), grows: bool = False) -> Frame:
    """The cards in the middle of a frame as large as a finished reef; one that still grows has room
    on all sides, until its rows or columns are set and no choice is outside.
    """
    rows = _line({row for row, _ in cards}, {row for row, _ in choices}, ROWS, grows)
    sides = {column for _, column in choices}
    columns = _line({column for _, column in cards}, sides, COLUMNS, grows)
    return Frame(rows[0], columns[0], rows[1], columns[1])


def _line(cards: set[int], choices: set[int], most: int, grows: bool) -> tuple[int, int]:
    """One direction: how many lines the frame has, and in which one the box begins."""
    first = min(cards, default=0)
    size = max(cards, default=0) - first + 1
    outside = any(not 0 <= line - first < most for line in choices)
    room = 1 if grows and (size < most or outside) else 0
    return most + 2 * room, (most - size) // 2 + room - first

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
    """The cards in the middle of a frame as large as a finished reef; around one that still grows
    a line on each side that may still be laid, and whatever may be chosen.
    """
    lines = _lines_of_growing if grows else _lines_of_finished
    rows = lines({row for row, _ in cards}, {row for row, _ in choices}, ROWS)
    sides = {column for _, column in choices}
    columns = lines({column for _, column in cards}, sides, COLUMNS)
    return Frame(len(rows), len(columns), -rows[0], -columns[0])


def _lines_of_finished(cards: set[int], _choices: set[int], most: int) -> range:
    """One direction of a reef that is looked at: as many lines as it will have."""
    first, last = min(cards, default=0), max(cards, default=0)
    top = first - (most - (last - first + 1)) // 2
    return range(top, top + most)


def _lines_of_growing(cards: set[int], choices: set[int], most: int) -> range:
    """One direction of a reef that is played on."""
    first, last = min(cards, default=0), max(cards, default=0)
    if last - first + 1 < most:
        first, last = first - 1, last + 1
    first, last = min({first, *choices}), max({last, *choices})
    while last - first > most and first not in cards | choices:
        first += 1
    while last - first > most and last not in cards | choices:
        last -= 1
    return range(first, last + 1)

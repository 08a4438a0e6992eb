"""Where things stand on a cell of the chart, and where a mark covers no explorer's value.

Measures are in cells, as `table.css` has them where the chart is smallest and numbers are largest
for it. What is clear there is clear on every chart, upright and turned by a quarter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pelagos.games.ozeanien.coasts import STEP

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
REACH = {"centre": 0.0, "land": 0.22, "moored": 0.33, "near": 0.36, "far": 0.5}
"""How far from its cell's middle a thing stands."""
AROUND = ("n", "e", "s", "w", "ne", "es", "sw", "nw")
VALUE = (-0.01, -0.09, 0.33, 0.25)
"""An explorer's value, seen from where the explorer stands."""
FIGURE = (-0.23, -0.29, 0.23, 0.18)
START = (0.25, 0.23)
"""Half of what the number of a start measures."""
SHIP = (0.22, 0.22)
"""Half of a ship that shares its tile with somebody."""
SLACK = 0.13
"""How far a mark may reach over the chart's edge."""


@dataclass(frozen=True)
class Stand:
    """A place on a cell: from its middle towards some sides."""

    row: int
    column: int
    sides: str
    reach: str

    @property
    def classes(self) -> str:
        """What the style sheet calls it."""
        return " ".join((self.reach, *(f"to-{side}" for side in self.sides)))

    def points(self, rows: int) -> Iterator[tuple[float, float]]:
        """Where that is on the upright chart, then on the turned one."""
        reach = REACH[self.reach]
        x = self.column + 0.5 + reach * sum(STEP[side][0] for side in self.sides)
        y = self.row + 0.5 + reach * sum(STEP[side][1] for side in self.sides)
        yield x, y
        yield rows - y, x


@dataclass
class Crowd:
    """What a chart of so many rows must keep in sight, upright and turned."""

    rows: int
    columns: int
    values: tuple[list[Box], list[Box]] = field(default_factory=lambda: ([], []))
    figures: tuple[list[Box], list[Box]] = field(default_factory=lambda: ([], []))

    def add_explorer(self, stand: Stand) -> None:
        """Somebody stands here, or may."""
        for way, (x, y) in enumerate(stand.points(self.rows)):
            self.values[way].append(_moved(VALUE, x, y))
            self.figures[way].append(_moved(FIGURE, x, y))

    def add(self, stand: Stand, half: tuple[float, float]) -> None:
        """A mark of this size stands here."""
        for way, (x, y) in enumerate(stand.points(self.rows)):
            self.values[way].append(_around(half, x, y))

    def has_room(self, stand: Stand, half: tuple[float, float], figures: bool = False) -> bool:
        """Would a mark of this size cover nothing, and stay on the chart?"""
        for way, (x, y) in enumerate(stand.points(self.rows)):
            box = _around(half, x, y)
            width, height = (self.columns, self.rows) if way == 0 else (self.rows, self.columns)
            if min(box) < -SLACK or box[2] > width + SLACK or box[3] > height + SLACK:
                return False
            crowd = self.values[way] + (self.figures[way] if figures else [])
            if any(_meet(box, other) for other in crowd):
                return False
        return True

    def first_clear(self, stands: Iterable[Stand], half: tuple[float, float]) -> Stand | None:
        """The first of these where such a mark covers nobody, else no value; None: there is no
        such place.
        """
        ordered = list(stands)
        for figures in (True, False):
            for stand in ordered:
                if self.has_room(stand, half, figures):
                    return stand
        return None

    def least_covering(self, stands: Iterable[Stand], half: tuple[float, float]) -> Stand:
        """The first of these where such a thing covers the least; numbers count most."""

        def covered(stand: Stand) -> float:
            area = 0.0
            for way, (x, y) in enumerate(stand.points(self.rows)):
                box = _around(half, x, y)
                area += 10 * sum(_shared(box, other) for other in self.values[way])
                area += sum(_shared(box, other) for other in self.figures[way])
            return round(area, 6)

        return min(stands, key=covered)


def _shared(box: Box, other: Box) -> float:
    """The area that two boxes share."""
    width = min(box[2], other[2]) - max(box[0], other[0])
    height = min(box[3], other[3]) - max(box[1], other[1])
    return max(width, 0.0) * max(height, 0.0)


def _moved(box: Box, x: float, y: float) -> Box:
    return box[0] + x, box[1] + y, box[2] + x, box[3] + y


def _around(half: tuple[float, float], x: float, y: float) -> Box:
    return x - half[0], y - half[1], x + half[0], y + half[1]


def _meet(box: Box, other: Box) -> bool:
    return box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]

"""Small charts: where their points and bars lie; templates draw them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Scale:
    """Numbers along a length, the first at `start`."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Where a number lies."""
        share = (value - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self, most: int = 4) -> list[tuple[float, int]]:
        """Round numbers to write beside it, and where."""
        step = _round_step((self.high - self.low) / most)
        first = math.ceil(self.low / step)
        last = math.floor(self.high / step)
        return [(self.at(number * step), number * step) for number in range(first, last + 1)]


def scale_of(values: Iterable[float], start: float, end: float) -> Scale:
    """A scale on which all values lie, between round numbers."""
    numbers = list(values)
    low, high = min(numbers), max(numbers)
    step = _round_step((high - low) / 4)
    return Scale(math.floor(low / step) * step, math.ceil((high + 0.01) / step) * step, start, end)


def mean(values: Sequence[float]) -> float | None:
    """Their mean, if there are any."""
    return sum(values) / len(values) if values else None


def bar(scale: Scale, value: float) -> tuple[float, float]:
    """Where a bar from zero begins, and how long it is."""
    ends = sorted((scale.at(0), scale.at(value)))
    return ends[0], round(ends[1] - ends[0], 1)


def _round_step(least: float) -> int:
    """The smallest of 1, 2, 5, 10, 20, 50… that isn't less."""
    step = 1
    while step < least:
        step = step * 5 // 2 if str(step)[0] == "2" else step * 2
    return step

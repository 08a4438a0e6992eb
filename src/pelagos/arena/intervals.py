"""Numbers with their 95 % intervals.

Games of one deal are not independent, so every interval is made from deals, not from games. A win
rate's is Wilson's at the effective number of games: the games played, divided by how much more (or
less: mirrored deals cancel luck) the rate varies from deal to deal than independent games would.
A mean's is Student's over the deals' means.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

Z95 = 1.959964
LEAST_SPREAD = 0.25
"""Mirrored deals are credited with at most four times their games."""
METHOD = (
    "95 % intervals by deal: Wilson's at the effective number of games (win rates), "
    "Student's over deals (means)"
)


class Estimate(NamedTuple):
    """A number and its 95 % interval."""

    value: float
    low: float
    high: float


def student(freedom: int) -> float:
    """Student's 97.5 % quantile (Cornish and Fisher's expansion)."""
    z, n = Z95, max(freedom, 1)
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )


def rate(by_deal: Sequence[tuple[float, int]]) -> Estimate:
    """A share of wins from (wins, chances) of each deal."""
    count = sum(chances for _, chances in by_deal)
    if not count:
        return Estimate(0.0, 0.0, 1.0)
    share = sum(wins for wins, _ in by_deal) / count
    deals = len(by_deal)
    spread = 1.0
    if deals > 1 and 0 < share < 1:
        squares = sum((wins - share * chances) ** 2 for wins, chances in by_deal)
        variance = squares * deals / (deals - 1) / count**2
        spread = max(variance / (share * (1 - share) / count), LEAST_SPREAD)
    effective = count / spread
    z = student(deals - 1) if deals > 1 else Z95
    middle = (share + z * z / (2 * effective)) / (1 + z * z / effective)
    half = (
        z
        / (1 + z * z / effective)
        * math.sqrt(share * (1 - share) / effective + z * z / (4 * effective**2))
    )
    return Estimate(share, max(min(middle - half, share), 0.0), min(max(middle + half, share), 1.0))


def mean(by_deal: Sequence[float]) -> Estimate:
    """A mean from the deals' means."""
    count = len(by_deal)
    middle = sum(by_deal) / count
    if count == 1:
        return Estimate(middle, -math.inf, math.inf)
    variance = sum((value - middle) ** 2 for value in by_deal) / (count - 1)
    half = student(count - 1) * math.sqrt(variance / count)
    return Estimate(middle, middle - half, middle + half)

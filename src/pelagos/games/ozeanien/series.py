"""Ozeanien's series, as its book proposes: several games, of which the loser of one starts the
next.
"""

from __future__ import annotations

from collections.abc import Iterable

from pelagos.engine import series
from pelagos.engine.match import Match
from pelagos.games.ozeanien import GAME
from pelagos.games.ozeanien.state import SEATS


class Series(series.Series):
    """Three or five games, or another odd number. A drawn game is half a point each (OZE-37); the
    series is over when a seat has more than half of all points (OZE-38), and drawn if both have as
    many after the last game (OZE-39).
    """

    def __init__(self, length: int, matches: Iterable[Match] = ()) -> None:
        """A series of two explorers."""
        super().__init__(GAME, length, matches, players=SEATS)

"""What a network says of actions, in words of bots; the race of those that look best.

No NumPy here: browsers race as well.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from pelagos.bots.bot import Thought
from pelagos.bots.budget import Budget
from pelagos.engine.game import Game
from pelagos.engine.units import POINT, UNIT

NETWORK_FILE = "network.npz"
"""A game's networks, in its folder."""
CANDIDATES = 6
"""The most actions that race."""
MARGIN = 4 * POINT
"""Actions that look worse by more than this don't."""
TRUST = 4.0
"""How many looks the network's first word is worth."""
VISITS, VALUE, OWN, OTHER = range(4)
TALLY = 4
"""What looks add up for each candidate."""


class Rated(NamedTuple):
    """A legal action, what it is worth, and the points that it leads to, in UNITs."""

    action: int
    value: int
    own: int
    other: int


RATED = len(Rated._fields)
"""Numbers that tell of a rated action."""


def thought_of(game: Game, action: int, own: float, other: float, visits: int = 0) -> Thought:
    """What points in UNITs say of an action: how likely it wins, roughly, by how far apart
    finished games are.
    """
    spread = game.part("evaluation").SPREAD / 100
    lead = max(-20.0, min(20.0, (own - other) / UNIT / spread))
    return Thought(action, 1 / (1 + math.exp(-2 * lead)), visits, own / UNIT)


@dataclass
class Candidate:
    """An action that races, and what its looks have added up to."""

    rated: Rated
    tally: list[int]

    @property
    def points(self) -> tuple[float, float]:
        """Own points and the best other's, by its looks, or by the network's first word."""
        visits = self.tally[VISITS]
        if not visits:
            return self.rated.own, self.rated.other
        return self.tally[OWN] / visits, self.tally[OTHER] / visits


class Race:
    """Candidates side by side, the best first."""

    def __init__(self, rated: list[Rated], budget: Budget) -> None:
        """Line up the actions that look best."""
        self.start = time.perf_counter()
        rated = sorted(rated, key=lambda entry: -entry.value)
        racing = [entry for entry in rated if entry.value > rated[0].value - MARGIN][:CANDIDATES]
        self.candidates = [Candidate(entry, [0] * TALLY) for entry in racing]
        self.left_out = rated[len(racing) :]
        self.alive = len(racing)
        self._budget, self._done = budget, 0

    def run(self, look: Callable[[list[Candidate]], None]) -> None:
        """Look until the budget is used up, or one is left."""
        while self.alive > 1:
            running = self.candidates[: self.alive]
            look(running)
            self._done += self.alive
            promise = self._promise(running)
            running.sort(key=lambda candidate: -promise[candidate.rated.action])
            self.candidates[: self.alive] = running
            part = self._part()
            if part >= 1 or (self._budget.stop is not None and self._budget.stop()):
                break
            racing = len(self.candidates)
            self.alive = min(self.alive, max(2, -int(-(racing ** (1 - part)) // 1)))

    def _part(self) -> float:
        """How much of the budget is used up once all that run have had another look."""
        budget, part = self._budget, 0.0
        if budget.milliseconds is not None:
            used = 1000 * (time.perf_counter() - self.start)
            part = (used + used / self._done * self.alive) / budget.milliseconds
        if budget.simulations is not None:
            part = max(part, (self._done + self.alive) / budget.simulations)
        return part

    def _promise(self, running: list[Candidate]) -> dict[int, float]:
        """What the looks say of those that run, and the network's first word; all of them have
        been in the same worlds.
        """
        visits = running[0].tally[VISITS]
        looks = sum(candidate.tally[VALUE] for candidate in running) / visits
        shift = (looks - sum(candidate.rated.value for candidate in running)) / len(running)
        return {
            candidate.rated.action: (
                candidate.tally[VALUE] + TRUST * (candidate.rated.value + shift)
            )
            / (visits + TRUST)
            for candidate in running
        }

    def thoughts(self, game: Game) -> list[Thought]:
        """What came out for each candidate, and the network's first word for those left out."""
        seen = [
            thought_of(game, candidate.rated.action, *candidate.points, candidate.tally[VISITS])
            for candidate in self.candidates
        ]
        return [
            *seen,
            *(thought_of(game, entry.action, entry.own, entry.other) for entry in self.left_out),
        ]

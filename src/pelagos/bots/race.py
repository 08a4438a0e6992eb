"""A race of candidates over redealt worlds: what the bots that simulate have in common.

`Racer` is a bot made of it. What happens in one simulation is the bot's own: a rule `follow` that
makes a candidate's move, plays the game to its end and counts the points.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, TypeAlias

import numpy as np

from pelagos.bots.bot import Thought
from pelagos.bots.budget import Budget
from pelagos.bots.playing import playing
from pelagos.engine.arrays import new_states, readable
from pelagos.engine.position import Position
from pelagos.engine.rule import rule
from pelagos.engine.stream import below, renew
from pelagos.engine.types import MOST_SEATS, Array

Loop: TypeAlias = Callable[..., None]
"""A compiled loop over simulations (`race_loop`)."""
Tree: TypeAlias = tuple[Array, ...]
"""What a bot's own `follow` remembers from simulation to simulation."""

CANDIDATES = 12
"""The most actions that are tried at the root; the best-rated ones."""
PER_CANDIDATE = 4
"""With few simulations, so many at least for each candidate."""
LOWEST_BIAS = -0.3
GLANCE = 0.0008
"""Seconds between two looks at the clock."""


def race_loop(rules: SimpleNamespace, follow: Callable[..., int]) -> Loop:
    """The loop that makes simulations: the next candidate, in a world that all of them share.

    `follow(game, pack, seat, candidate, action, stream, actions, totals, tree)` plays a game to its
    end, starting with the candidate's action, writes the totals and returns the winners' mask.
    """
    redeal, value, share = rules.redeal, rules.value, rules.share

    @rule
    def simulate(
        states: Array,
        packs: Array,
        seat: int,
        count: int,
        alive: int,
        cursor: Array,
        order: Array,
        candidates: Array,
        visits: Array,
        sums: Array,
        points: Array,
        wins: Array,
        streams: Array,
        actions: Array,
        totals: Array,
        tree: Any,
    ) -> None:
        """States: the position, a world, a game in it. Streams: the bot's own, the world's, and
        the play-out's, which starts the same for every candidate of a world.
        """
        pack = packs[0]
        for _ in range(count):
            place = cursor[0]
            if place == 0:
                states[1] = states[0]
                redeal(states[1], pack, seat, streams[0])
                renew(streams[1], streams[0])
            states[2] = states[1]
            game = states[2]
            for index in range(4):
                streams[2, index] = streams[1, index]
            candidate = order[place]
            action = candidates[candidate]
            won = follow(game, pack, seat, candidate, action, streams[2], actions, totals, tree)
            sums[candidate] += value(game, pack, seat, totals, won)
            points[candidate] += totals[seat]
            wins[candidate] += share(game, won, seat)
            visits[candidate] += 1
            cursor[0] = place + 1 if place + 1 < alive else 0

    return simulate


class Race:
    """Candidates that run side by side, all of them in the same redealt worlds, and fall behind
    one by one as the budget is used up (sequential halving, as smooth as it can be).
    """

    def __init__(
        self, position: Position, seat: int, stream: Array, budget: Budget, trust: float = 0.0
    ) -> None:
        """Line up the best-rated legal actions. `trust` is how many simulations a rate is worth."""
        self.start = time.perf_counter()
        room = playing(position.game)
        packs = readable(position.pack.data)
        rated = []
        for action in position.legal(seat):
            lot = below(stream, 1 << 20)
            rated.append((-room.rate(position.states, packs, seat, action), lot, action))
        rated.sort()
        most = CANDIDATES
        if budget.simulations is not None:
            most = max(2, min(most, budget.simulations // PER_CANDIDATE))
        self.actions = np.array([action for _, _, action in rated[:most]], np.int64)
        self.left_out = [action for _, _, action in rated[most:]]
        count = len(self.actions)
        rates = np.array([-rate for rate, _, _ in rated[:most]], float)
        self.trust = trust
        self.bias = np.maximum((rates - rates[0]) * room.slope, LOWEST_BIAS)
        self.order = np.arange(count)
        self.cursor = np.zeros(1, np.int64)
        self.visits = np.zeros(count, np.int64)
        self.sums = np.zeros(count)
        self.points = np.zeros(count)
        self.wins = np.zeros(count)
        self.alive = count
        self._seat = seat
        self._states = new_states(position.game, 3)
        self._states[0] = position.states[0]
        self._packs = packs
        self._streams = np.zeros((3, 4), np.uint64)
        self._streams[0] = stream
        self._legal = room.actions
        self._totals = np.zeros(MOST_SEATS, np.int64)

    def simulate(self, loop: Loop, tree: Tree, count: int) -> None:
        """Make `count` simulations, the cursor going round over those still in the race."""
        loop(
            self._states,
            self._packs,
            self._seat,
            count,
            self.alive,
            self.cursor,
            self.order,
            self.actions,
            self.visits,
            self.sums,
            self.points,
            self.wins,
            self._streams,
            self._legal,
            self._totals,
            tree,
        )

    @property
    def means(self) -> Array:
        """Every candidate's mean value."""
        means: Array = self.sums / np.maximum(self.visits, 1)
        return means

    @property
    def promise(self) -> Array:
        """The means, and what the rates say as long as there are few simulations."""
        promise: Array = self.means + self.bias * self.trust / (self.visits + self.trust + 1e-9)
        return promise

    def run(self, loop: Loop, tree: Tree, budget: Budget) -> None:
        """Simulate until the budget is used up."""
        used, done, pace = 0.0, 0, 1
        while len(self.actions) > 1:
            count = self.alive - int(self.cursor[0])
            if budget.simulations is not None:
                count = min(count, budget.simulations - done)
            if budget.milliseconds is not None:
                count = min(count, pace)
            self.simulate(loop, tree, count)
            done += count
            part = 0.0
            if budget.milliseconds is not None:
                used = time.perf_counter() - self.start
                pace = max(1, int(GLANCE * done / used))
                part = (used + used / done) * 1000 / budget.milliseconds
            if budget.simulations is not None:
                part = max(part, done / budget.simulations)
            if part >= 1 or (budget.stop is not None and budget.stop()):
                break
            if self.cursor[0] == 0:
                self._let_fall(part)

    def _let_fall(self, part: float) -> None:
        """Drop the worst, so that as many are left as this part of the budget leaves."""
        wanted = max(2, int(np.ceil(len(self.actions) ** (1 - part))))
        if wanted < self.alive:
            racing = self.order[: self.alive]
            ranked = racing[np.argsort(-self.promise[racing], kind="stable")]
            self.order[: self.alive] = ranked
            self.alive = wanted

    @property
    def best(self) -> int:
        """Place of the best candidate still in the race, among those tried most."""
        racing = self.order[: self.alive]
        return int(racing[np.argmax(self.promise[racing])])

    def thoughts(self) -> list[Thought]:
        """What came out for each candidate, and nothing for those left out; the best first."""
        first = self.best
        games = np.maximum(self.visits, 1)
        others = [
            Thought(
                int(self.actions[place]),
                float(self.wins[place] / games[place]),
                int(self.visits[place]),
                float(self.points[place] / games[place]),
            )
            for place in range(len(self.actions))
        ]
        best = others.pop(first)
        others.sort(key=lambda thought: (-thought.visits, -thought.value))
        return [best, *others, *(Thought(action, 0.0, 0, 0.0) for action in self.left_out)]


class Racer(ABC):
    """A bot that lets its candidates race."""

    name: str

    def choose(self, position: Position, seat: int, stream: Array, budget: Budget) -> int:
        """The candidate whose games went best."""
        legal = position.legal(seat)
        if len(legal) == 1:
            return legal[0]
        race = self.race(position, seat, stream, budget)
        self.keep(race)
        return int(race.actions[race.best])

    def explain(
        self, position: Position, seat: int, stream: Array, budget: Budget
    ) -> list[Thought]:
        """How the games of each candidate went."""
        return self.race(position, seat, stream, budget).thoughts()

    @abstractmethod
    def race(self, position: Position, seat: int, stream: Array, budget: Budget) -> Race:
        """A race that has been run."""

    @abstractmethod
    def keep(self, race: Race) -> None:
        """Remember what may be of use for the next decision, now that the best one is made."""

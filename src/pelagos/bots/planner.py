"""`planner`: a few decisions of the network's own play in redealt worlds, then its value.

The best-looking actions race in the same worlds: each is made, all seats go on as the network
chooses, and after some more decisions of the seat the network says what it has come to. Those that
fall behind drop out as the budget is used up. Where there is no network, `search` plays for it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from pelagos.bots.bot import Thought
from pelagos.bots.budget import Budget
from pelagos.bots.learned import Learned
from pelagos.bots.networks import Trained
from pelagos.bots.playing import playing
from pelagos.bots.search import Search
from pelagos.bots.valuing import Scratch, valuing
from pelagos.engine.arrays import new_states, readable
from pelagos.engine.game import Game
from pelagos.engine.network import POINT
from pelagos.engine.position import Position
from pelagos.engine.rule import rule
from pelagos.engine.turns import first_seat, whole_games
from pelagos.engine.types import Array

CANDIDATES = 6
"""The most actions that race."""
MARGIN = 4 * POINT
"""Actions that look worse by more than this don't."""
TRUST = 4.0
"""How many looks the network's first word is worth."""
PLIES = 3
"""Decisions of the seat that follow before the network's value is taken."""


@cache
def _looks(game: Game) -> Callable[..., None]:
    """The compiled loop over looks ahead."""
    rules, whole, house = valuing(game), whole_games(game), playing(game)
    choose, final_value, redeal = rules.choose, rules.final_value, whole.redeal
    play, legal, settle = whole.play, whole.legal, house.settle

    @rule
    def look_ahead(
        game: Any, pack: Any, seat: int, action: int, plies: int, network: Any, room: Any
    ) -> int:
        """What the action comes to in this world; the game is played on."""
        actions = room.actions[room.actions.shape[0] - 1]
        play(game, pack, seat, action)
        made = 0
        who = settle(game, pack, actions)
        while who:
            mover = first_seat(who)
            count = legal(game, pack, mover, actions)
            chosen = int(actions[0])
            if count > 1:
                room.states[0] = game
                best = choose(pack, mover, network, room)
                if mover == seat:
                    if made == plies:
                        return int(room.values[best])
                    made += 1
                chosen = int(room.actions[0, best])
            play(game, pack, mover, chosen)
            who = settle(game, pack, actions)
        return int(final_value(game, pack, seat, network, room))

    @rule
    def looks(
        states: Array,
        packs: Array,
        seat: int,
        plies: int,
        count: int,
        candidates: Array,
        visits: Array,
        sums: Array,
        stream: Array,
        networks: Array,
        room: Any,
    ) -> None:
        """A look at each of the first `count` candidates, in one world that they share.

        States: the position, a world, a game in it.
        """
        pack, network = packs[0], networks[0]
        states[1] = states[0]
        redeal(states[1], pack, seat, stream)
        for place in range(count):
            states[2] = states[1]
            action = int(candidates[place])
            sums[place] += look_ahead(states[2], pack, seat, action, plies, network, room)
            visits[place] += 1

    return looks


class Race:
    """Candidates side by side, the best first."""

    def __init__(self, rated: list[tuple[int, int]], budget: Budget) -> None:
        """Line up the actions that look best."""
        rated = sorted(rated, key=lambda pair: -pair[1])
        racing = [pair for pair in rated if pair[1] > rated[0][1] - MARGIN][:CANDIDATES]
        self.start = time.perf_counter()
        self.actions = np.array([action for action, _ in racing], np.int64)
        self.prior = np.array([float(value) for _, value in racing])
        self.left_out = rated[len(racing) :]
        self.visits = np.zeros(len(racing), np.int64)
        self.sums = np.zeros(len(racing))
        self.alive = len(racing)
        self._budget, self._done = budget, 0

    @property
    def promise(self) -> Array:
        """What the looks say of those still racing, and the network's first word."""
        visits, sums = self.visits[: self.alive], self.sums[: self.alive]
        prior = self.prior[: self.alive]
        shift = (sums / np.maximum(visits, 1)).mean() - prior.mean() if self._done else 0.0
        promise: Array = (sums + TRUST * (prior + shift)) / (visits + TRUST)
        return promise

    def run(self, look: Callable[[Race], None]) -> None:
        """Look until the budget is used up, or one is left."""
        while self.alive > 1:
            look(self)
            self._done += self.alive
            budget, part = self._budget, 0.0
            if budget.milliseconds is not None:
                used = 1000 * (time.perf_counter() - self.start)
                part = (used + used / self._done * self.alive) / budget.milliseconds
            if budget.simulations is not None:
                part = max(part, (self._done + self.alive) / budget.simulations)
            order = np.argsort(-self.promise, kind="stable")
            for row in (self.actions, self.prior, self.visits, self.sums):
                row[: self.alive] = row[order]
            if part >= 1 or (budget.stop is not None and budget.stop()):
                break
            self.alive = min(self.alive, max(2, int(np.ceil(len(self.actions) ** (1 - part)))))


class Planner(Learned):
    """The network's choice, thought over."""

    name = "planner"

    def __init__(self, trained: Trained | None = None) -> None:
        """By the game's own network, or by this one."""
        super().__init__(trained)
        self._search = Search()

    def choose(self, position: Position, seat: int, stream: Array, budget: Budget) -> int:
        """The action whose looks ahead came out best."""
        trained = self.network(position)
        if trained is None:
            return self._search.choose(position, seat, stream, budget)
        return int(self._race(position, seat, stream, budget, trained).actions[0])

    def explain(
        self, position: Position, seat: int, stream: Array, budget: Budget
    ) -> list[Thought]:
        """What the looks ahead came to, in points: own ones, less the others'."""
        trained = self.network(position)
        if trained is None:
            return self._search.explain(position, seat, stream, budget)
        race = self._race(position, seat, stream, budget, trained)
        means = np.where(race.visits > 0, race.sums / np.maximum(race.visits, 1), race.prior)
        seen = [
            Thought(int(action), float(mean) / POINT, int(visits), 0.0)
            for action, mean, visits in zip(race.actions, means, race.visits, strict=True)
        ]
        return [*seen, *(Thought(action, value / POINT, 0, 0.0) for action, value in race.left_out)]

    def _race(
        self, position: Position, seat: int, stream: Array, budget: Budget, trained: Trained
    ) -> Race:
        race = Race(self.rate(position, seat, trained), budget)
        game, packs = position.game, readable(position.pack.data)
        states = new_states(game, 3)
        states[0] = position.states[0]
        own_stream = stream.copy()
        room: Scratch = self.room(game, trained)
        loop = _looks(game)

        def look(race: Race) -> None:
            loop(
                states,
                packs,
                seat,
                PLIES,
                race.alive,
                race.actions,
                race.visits,
                race.sums,
                own_stream,
                trained.network,
                room,
            )

        race.run(look)
        return race

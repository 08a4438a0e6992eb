"""`planner`: a few decisions of the network's own play in redealt worlds, then its value.

The best-looking actions race in the same worlds: each is made, all seats go on as the network
chooses, and after some more decisions of the seat the network says what it has come to; where a
game says what may be turned up, less the luck on the way. Those that fall behind drop out as the
budget is used up. Where there is no network, `search` plays for it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from pelagos.bots.bot import Thought
from pelagos.bots.budget import Budget
from pelagos.bots.learned import Learned
from pelagos.bots.networks import Trained
from pelagos.bots.outlook import CANDIDATES, TALLY, Candidate, Race
from pelagos.bots.playing import playing
from pelagos.bots.search import Search
from pelagos.bots.valuing import valuing
from pelagos.engine.arrays import new_states, readable
from pelagos.engine.game import Game
from pelagos.engine.network import value_of
from pelagos.engine.position import Position
from pelagos.engine.rule import rule
from pelagos.engine.turns import first_seat, whole_games
from pelagos.engine.types import Array

PLIES = 3
"""Decisions of the seat that follow before the network's value is taken."""


@cache
def looking(game: Game) -> Callable[..., None]:
    """The rule that looks ahead."""
    rules, whole, house = valuing(game), whole_games(game), playing(game)
    choose, final_points, redeal = rules.choose, rules.final_points, whole.redeal
    play, legal, settle, luck = whole.play, whole.legal, house.settle, rules.luck

    @rule
    def play_on(
        game: Any, pack: Any, seat: int, mover: int, action: int, network: Any, room: Any
    ) -> tuple[int, int]:
        """Make the mover's action; say how lucky it was for the seat, and for the other."""
        room.states[0] = game
        own, other = luck(pack, mover, action, network, room)
        play(game, pack, mover, action)
        if mover == seat:
            return own, other
        if int(game.players) == 2:
            return other, own
        return 0, 0

    @rule
    def look_ahead(
        game: Any, pack: Any, seat: int, action: int, plies: int, network: Any, room: Any
    ) -> tuple[int, int]:
        """The points that the action leads to in this world, less luck; the game is played on."""
        actions = room.actions[room.actions.shape[0] - 1]
        lucky, unlucky = play_on(game, pack, seat, seat, action, network, room)
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
                        own, other = int(room.points[best, 0]), int(room.points[best, 1])
                        return own - lucky, other - unlucky
                    made += 1
                chosen = int(room.actions[0, best])
            more, less = play_on(game, pack, seat, mover, chosen, network, room)
            lucky += more
            unlucky += less
            who = settle(game, pack, actions)
        own, other = final_points(game, pack, seat, room)
        return own - lucky, other - unlucky

    @rule
    def look(
        states: Array,
        packs: Array,
        seat: int,
        plies: int,
        count: int,
        candidates: Array,
        tallies: Array,
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
            own, other = look_ahead(states[2], pack, seat, action, plies, network, room)
            tallies[place, 0] += 1
            tallies[place, 1] += value_of(network, own, other)
            tallies[place, 2] += own
            tallies[place, 3] += other

    return look


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
        race = self._race(position, seat, stream, budget, trained)
        return race.candidates[0].rated.action

    def explain(
        self, position: Position, seat: int, stream: Array, budget: Budget
    ) -> list[Thought]:
        """What the looks ahead came to."""
        trained = self.network(position)
        if trained is None:
            return self._search.explain(position, seat, stream, budget)
        return self._race(position, seat, stream, budget, trained).thoughts(position.game)

    def _race(
        self, position: Position, seat: int, stream: Array, budget: Budget, trained: Trained
    ) -> Race:
        race = Race(self.rate(position, seat, trained), budget)
        game, packs, own_stream = position.game, readable(position.pack.data), stream.copy()
        states = new_states(game, 3)
        states[0] = position.states[0]
        room, rule_ = self.room(game, trained), looking(game)
        actions = np.zeros(CANDIDATES, np.int64)
        tallies = np.zeros((CANDIDATES, TALLY), np.int64)

        def look(running: list[Candidate]) -> None:
            count = len(running)
            actions[:count] = [candidate.rated.action for candidate in running]
            tallies[:count] = [candidate.tally for candidate in running]
            asked = (states, packs, seat, PLIES, count, actions, tallies)
            rule_(*asked, own_stream, trained.network, room)
            for candidate, tally in zip(running, tallies[:count].tolist(), strict=True):
                candidate.tally = tally

        race.run(look)
        return race

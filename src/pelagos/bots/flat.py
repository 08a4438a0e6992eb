"""`flat`: Monte Carlo. Redeal, make a candidate move, let everyone play on leaning to what looks
good, and see what comes of it.
"""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace

from pelagos.bots.bot import Thought
from pelagos.bots.budget import Budget
from pelagos.bots.playing import Race, playing
from pelagos.engine.game import Game
from pelagos.engine.position import Position
from pelagos.engine.rule import rule
from pelagos.engine.stream import renew
from pelagos.engine.types import Array


@cache
def _loop(game: Game) -> SimpleNamespace:
    room = playing(game)
    play, redeal, play_out = room.play, room.redeal, room.play_out
    count_up, value, share = room.count_up, room.value, room.share

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
        games: Array,
        streams: Array,
        actions: Array,
        totals: Array,
    ) -> None:
        """States: the position, a world, a game in it. Streams: the bot's own, the world's, and
        the play-out's, which starts the same for every candidate of a world.
        """
        for _ in range(count):
            place = cursor[0]
            if place == 0:
                states[1] = states[0]
                redeal(states[1], packs[0], seat, streams[0])
                renew(streams[1], streams[0])
            states[2] = states[1]
            for index in range(4):
                streams[2, index] = streams[1, index]
            candidate = order[place]
            play(states[2], packs[0], seat, candidates[candidate])
            play_out(states[2], packs[0], streams[2], actions)
            count_up(states[2], packs[0], actions, totals)
            sums[candidate] += value(states[2], packs[0], seat, totals)
            points[candidate] += totals[seat]
            wins[candidate] += share(states[2], packs[0], seat, totals)
            games[candidate] += 1
            visits[candidate] += 1
            cursor[0] = place + 1 if place + 1 < alive else 0

    return SimpleNamespace(simulate=simulate)


class Flat:
    """The strong baseline for games of this kind: no tree, many games to the end."""

    name = "flat"

    def choose(self, position: Position, seat: int, stream: Array, budget: Budget) -> int:
        """The candidate whose games went best."""
        race = self._race(position, seat, stream, budget)
        return int(race.actions[race.best])

    def explain(
        self, position: Position, seat: int, stream: Array, budget: Budget
    ) -> list[Thought]:
        """How the games of each candidate went."""
        return self._race(position, seat, stream, budget).thoughts()

    def _race(self, position: Position, seat: int, stream: Array, budget: Budget) -> Race:
        race = Race(position, seat, stream, budget)
        simulate = _loop(position.game).simulate
        race.run(lambda count: simulate(*race.field(count)), budget)
        return race

"""Whole random games in compiled code, and what was seen on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from conftest import shapes
from pelagos.engine.arrays import new_states, readable, record_of
from pelagos.engine.doors import doors
from pelagos.engine.game import Game
from pelagos.engine.pack import default_pack
from pelagos.engine.position import lines_of
from pelagos.engine.rule import rule
from pelagos.engine.stream import below, players_stream, seed_of, words_of
from pelagos.engine.types import CHANCE


def all_shapes(game: Game) -> Iterator[dict[str, Any]]:
    """Every number of players and option, goals too."""
    yield from shapes(game)
    for option in game.options:
        if option.is_goal:
            players = next(players for players in game.players if option.is_for(players))
            for value in option.values:
                yield dict(game.check_options({"players": players, option.name: value}))


@cache
def _play(game: Game) -> Callable[..., Any]:
    rules = doors(game).rules
    pending, legal, play = rules.pending, rules.legal, rules.play
    chance, happen, observe = rules.chance, rules.happen, rules.observe

    @rule
    def survey(
        states: Any, packs: Any, players: int, stream: Any, room: Any, raw: Any, bounds: Any
    ) -> Any:
        """Play to the end, by lot; look at it from every seat at every step; return how many
        decisions there were, and how many seats decided at once at the most.
        """
        state, pack = states[0], packs[0]
        decisions, together = 0, 0
        while True:
            mask = pending(state, pack)
            if mask == CHANCE:
                happen(state, pack, room, chance(state, pack, room))
                continue
            for seat in range(players):
                observe(state, pack, seat, raw)
                for place in range(len(raw)):
                    bounds[0, place] = min(bounds[0, place], raw[place])
                    bounds[1, place] = max(bounds[1, place], raw[place])
            if mask == 0:
                return decisions, together
            count = 0
            for seat in range(players):
                count += (mask >> seat) & 1
            together = max(together, count)
            lot = below(stream, count)
            mover = -1
            for seat in range(players):
                if (mask >> seat) & 1:
                    if lot == 0:
                        mover = seat
                    lot -= 1
            actions = legal(state, pack, mover, room)
            play(state, pack, mover, int(room[below(stream, actions)]))
            decisions += 1

    return survey


@dataclass
class Survey:
    """What was seen in some random games."""

    low: Any
    high: Any
    longest: int
    together: int
    least: int
    most: int


def survey(game: Game, options: dict[str, Any], games: int) -> Survey:
    """Play so many random games with these options, and tell what was seen in them."""
    size, players = game.part("features").SIZE, options["players"]
    packs = readable(default_pack(game).data)
    lines = lines_of(game, options)
    room = np.zeros(max(game.actions + 1, game.outcome, len(lines)), np.int64)
    raw, sheet = np.empty(size, np.int16), np.zeros(len(lines), np.int64)
    bounds = np.array([[32767] * size, [-32768] * size], np.int16)
    seen = Survey(bounds[0], bounds[1], 0, 0, 1 << 30, -(1 << 30))
    for index in range(games):
        states = new_states(game, 1)
        game.part("rules").configure(record_of(states), options)
        seed = seed_of(f"survey {options}", index)
        states["stream"][0] = words_of(seed)
        doors(game).shuffle(states, packs, 0)
        doors(game).begin(states, packs, 0)
        raw[:] = -32768  # a number that is left out shows
        stream = players_stream(seed)
        decisions, together = _play(game)(states, packs, players, stream, room, raw, bounds)
        seen.longest, seen.together = max(seen.longest, decisions), max(seen.together, together)
        for seat in range(players):
            doors(game).sheet(states, packs, 0, seat, sheet)
            seen.least, seen.most = min(seen.least, sheet.sum()), max(seen.most, sheet.sum())
    return seen

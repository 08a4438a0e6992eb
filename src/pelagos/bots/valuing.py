"""Choosing by a network's value of what each action leads to, as rules.

A game brings `afterstate`: its layout, `context` (features that the seat's own action doesn't
change), `changing` (those that it may change), and `act` (the action happens alone, and nothing
hidden is turned). A seat's decisions that follow one another at once (take a card, place it) are
valued together: a card is worth as much as its best place.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from pelagos.bots.playing import playing
from pelagos.engine.arrays import new_states
from pelagos.engine.doors import doors
from pelagos.engine.game import Game
from pelagos.engine.network import HEADS, change_rows, expected, sum_rows, value_of
from pelagos.engine.rule import rule
from pelagos.engine.types import ENDS, GOES_ON, MOST_SEATS, Array
from pelagos.engine.units import UNIT

Rule = Callable[..., Any]
WORST = -(1 << 62)
"""Less than any value."""
LEVELS = 2
"""How many decisions of a seat are valued together, where its game says nothing else."""


class Scratch(NamedTuple):
    """Room to decide in."""

    states: Array
    """The position, and what it becomes by each decision that is followed."""
    features: Array
    """Of the position, and of an afterstate."""
    sums: Array
    """The first layer's: of the position, and of an afterstate."""
    layer: Array
    actions: Array
    """What is legal, for each decision that is followed."""
    values: Array
    """What each legal action of the position is worth."""
    points: Array
    """What it leads to: the seat's own points and the best other's, in UNITs."""
    totals: Array


def has_afterstates(game: Game) -> bool:
    """Does the game say what a network may see?"""
    try:
        game.part("afterstate")
    except ModuleNotFoundError:
        return False
    return True


def scratch(game: Game, network: Array) -> Scratch:
    """Room for decisions by this network."""
    afterstate = game.part("afterstate")
    levels = int(getattr(afterstate, "LEVELS", LEVELS))
    rows, hidden = network["first"].shape[1:]
    room = len(playing(game).actions)
    return Scratch(
        new_states(game, levels + 1),
        np.zeros((2, rows), np.int16),
        np.zeros((2, hidden), np.int32),
        np.zeros(network["second"].shape[2], np.int32),
        np.zeros((levels + 1, room), np.int64),
        np.zeros(room, np.int64),
        np.zeros((room, HEADS), np.int64),
        np.zeros(MOST_SEATS, np.int64),
    )


@cache
def valuing(game: Game) -> SimpleNamespace:
    """The rules for a game."""
    afterstate, rules = game.part("afterstate"), doors(game).rules
    levels = int(getattr(afterstate, "LEVELS", LEVELS))
    first = int(afterstate.CONTEXT)
    context, changing, act = afterstate.context, afterstate.changing, afterstate.act
    legal, whole = rules.legal, playing(game)
    count_up, standing = whole.count_up, game.part("evaluation").standing

    @rule
    def final_points(game: Any, pack: Any, seat: int, room: Any) -> tuple[int, int]:
        """The seat's own points and the best other's as they are counted now, in UNITs."""
        totals = room.totals
        count_up(game, pack, room.actions[room.actions.shape[0] - 1], totals)
        ahead = int(standing(game, pack, seat, totals))
        own = int(totals[seat])
        return UNIT * own, UNIT * (100 * own - ahead) // 100

    @rule
    def prepare(game: Any, pack: Any, seat: int, network: Any, room: Any) -> None:
        """Sum up the position's own features."""
        context(game, pack, seat, room.features[0])
        changing(game, pack, seat, room.features[0])
        for place in range(first):
            room.features[1, place] = room.features[0, place]
        sum_rows(network, room.features[0], room.sums[0])

    @rule
    def afterstate_points(
        game: Any, pack: Any, seat: int, network: Any, room: Any
    ) -> tuple[int, int]:
        """What the network says of a state that differs from the position by the seat's actions."""
        after = room.features[1]
        changing(game, pack, seat, after)
        change_rows(network, room.features[0], after, first, room.sums[0], room.sums[1])
        own, other = expected(network, room.sums[1], room.layer)
        return own, other

    follow = _follower(levels, legal, act, afterstate_points, final_points)
    for level in range(levels - 1, 0, -1):
        follow = _follower(level, legal, act, afterstate_points, final_points, follow)

    @rule
    def rate(pack: Any, seat: int, network: Any, room: Any) -> int:
        """Value every legal action of the position, states[0]; return how many there are.

        The position must be redealt for the seat, or one that `act` turns nothing hidden in.
        """
        states, actions = room.states, room.actions[0]
        count = int(legal(states[0], pack, seat, actions))
        prepare(states[0], pack, seat, network, room)
        for place in range(count):
            own, other = follow(states, pack, seat, int(actions[place]), network, room)
            room.points[place, 0] = own
            room.points[place, 1] = other
            room.values[place] = value_of(network, own, other)
        return count

    @rule
    def choose(pack: Any, seat: int, network: Any, room: Any) -> int:
        """The place of the best action among the legal ones, in room.actions[0]."""
        count = rate(pack, seat, network, room)
        best = 0
        for place in range(1, count):
            if room.values[place] > room.values[best]:
                best = place
        return best

    @rule
    def decide(states: Array, packs: Array, seat: int, networks: Array, room: Any) -> int:
        """The best action."""
        room.states[0] = states[0]
        best = choose(packs[0], seat, networks[0], room)
        return int(room.actions[0, best])

    @rule
    def rate_all(states: Array, packs: Array, seat: int, networks: Array, room: Any) -> int:
        """Value every legal action; return how many there are."""
        room.states[0] = states[0]
        return int(rate(packs[0], seat, networks[0], room))

    return SimpleNamespace(
        act=act,
        context=context,
        changing=changing,
        follow=follow,
        rate=rate,
        choose=choose,
        decide=decide,
        prepare=prepare,
        rate_all=rate_all,
        final_points=final_points,
    )


def _follower(
    level: int,
    legal: Rule,
    act: Rule,
    afterstate_points: Rule,
    final_points: Rule,
    deeper: Rule | None = None,
) -> Rule:
    """The rule that makes an action in states[level - 1], on a copy, and says to what points it
    leads.
    """
    if deeper is None:

        @rule
        def follow(
            states: Array, pack: Any, seat: int, action: int, network: Any, room: Any
        ) -> tuple[int, int]:
            states[level] = states[level - 1]
            if act(states[level], pack, seat, action) & ENDS:
                own, other = final_points(states[level], pack, seat, room)
            else:
                own, other = afterstate_points(states[level], pack, seat, network, room)
            return own, other

        return follow

    @rule
    def follow_on(
        states: Array, pack: Any, seat: int, action: int, network: Any, room: Any
    ) -> tuple[int, int]:
        states[level] = states[level - 1]
        comes_to = act(states[level], pack, seat, action)
        own, other = 0, 0
        if comes_to & GOES_ON:
            actions = room.actions[level]
            count = legal(states[level], pack, seat, actions)
            top = WORST
            for place in range(count):
                points, others = deeper(states, pack, seat, int(actions[place]), network, room)
                worth = value_of(network, points, others)
                if worth > top:
                    own, other, top = points, others, worth
        elif comes_to & ENDS:
            own, other = final_points(states[level], pack, seat, room)
        else:
            own, other = afterstate_points(states[level], pack, seat, network, room)
        return own, other

    return follow_on

"""Choosing by a network's value of what each action leads to, as rules.

A game brings `afterstate`: its layout, `context` (features that the seat's own action doesn't
change), `changing` (those that it may change), and `act` (the action happens alone, and nothing
hidden is turned). A seat's decisions that follow one another at once (take a card, place it) are
valued together: a card is worth as much as its best place.

Where something is turned up between them (a tile is drawn), a game may say what it can be, and how
likely: `OUTCOMES`, `likely`, `turn_up`, `coming`. Then the action is worth what comes out on
average, each outcome with the best choice that follows. What these choices lead to must depend on
what was turned up alone, not on how the seat came there (`BRANCHES`, `branch`): it is valued once
a decision, and remembered.
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
from pelagos.engine.types import ENDS, GOES_ON, MOST_SEATS, TURNS_UP, Array
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
    known: Array
    """What follows from each branch by each action of it: is it known, own points, the other's."""
    weights: Array
    """How likely each outcome is."""


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
        np.zeros((*branches_of(game), 1 + HEADS), np.int64),
        np.zeros(max(1, int(getattr(afterstate, "OUTCOMES", 0))), np.int64),
    )


def branches_of(game: Game) -> tuple[int, int]:
    """How many branches are remembered, and how many actions of each."""
    afterstate = game.part("afterstate")
    if not hasattr(afterstate, "OUTCOMES"):
        return 1, 1
    first, end = afterstate.BRANCHING
    return int(afterstate.BRANCHES), int(end - first)


@cache
def valuing(game: Game) -> SimpleNamespace:
    """The rules for a game."""
    afterstate, rules = game.part("afterstate"), doors(game).rules
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

    follow, expect, forget = _followers(afterstate, legal, afterstate_points, final_points)

    @rule
    def rate(pack: Any, seat: int, network: Any, room: Any) -> int:
        """Value every legal action of the position, states[0]; return how many there are.

        The position must be redealt for the seat, or one that `act` turns nothing hidden in.
        """
        states, actions = room.states, room.actions[0]
        count = int(legal(states[0], pack, seat, actions))
        prepare(states[0], pack, seat, network, room)
        forget(room)
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
        luck=_luck(afterstate, prepare, forget, expect),
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


def _followers(
    afterstate: Any, legal: Rule, afterstate_points: Rule, final_points: Rule
) -> tuple[Rule, Rule, Rule]:
    """Rules that follow an action of the position, states[0]; that say what something turned up
    leads to; that forget what is remembered.
    """
    levels = int(getattr(afterstate, "LEVELS", LEVELS))
    follow = expect = _last(levels, afterstate.act, afterstate_points, final_points)
    for level in range(levels - 1, 0, -1):
        if hasattr(afterstate, "OUTCOMES"):
            best = _remembering(level, afterstate, legal, follow)
            expect = _expecting(level, afterstate, best, afterstate_points, final_points)
        else:
            best, expect = _best(level, legal, follow), _nothing
        follow = _follower(level, afterstate, best, expect, afterstate_points, final_points)

    @rule
    def forget(room: Any) -> None:
        for which in range(room.known.shape[0]):
            for place in range(room.known.shape[1]):
                room.known[which, place, 0] = 0

    return follow, expect, forget


def _last(level: int, act: Rule, afterstate_points: Rule, final_points: Rule) -> Rule:
    """The rule that makes an action in states[level - 1], on a copy, and says to what points it
    leads, whatever may follow.
    """

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


def _follower(
    level: int,
    afterstate: Any,
    best: Rule,
    expect: Rule,
    afterstate_points: Rule,
    final_points: Rule,
) -> Rule:
    """The same with what follows."""
    act, branch = afterstate.act, getattr(afterstate, "branch", _no_branch)

    @rule
    def follow_on(
        states: Array, pack: Any, seat: int, action: int, network: Any, room: Any
    ) -> tuple[int, int]:
        states[level] = states[level - 1]
        comes_to = act(states[level], pack, seat, action)
        if comes_to & TURNS_UP:
            own, other = expect(states, pack, seat, action, -1, network, room)
        elif comes_to & GOES_ON:
            own, other = best(states, pack, seat, branch(action, -1), network, room)
        elif comes_to & ENDS:
            own, other = final_points(states[level], pack, seat, room)
        else:
            own, other = afterstate_points(states[level], pack, seat, network, room)
        return own, other

    return follow_on


def _best(level: int, legal: Rule, deeper: Rule) -> Rule:
    """The rule that says what the best choice in states[level] leads to."""

    @rule
    def best(
        states: Array, pack: Any, seat: int, branch: int, network: Any, room: Any
    ) -> tuple[int, int]:
        actions = room.actions[level]
        count = legal(states[level], pack, seat, actions)
        own, other, top = 0, 0, WORST
        for place in range(count):
            points, others = deeper(states, pack, seat, int(actions[place]), network, room)
            worth = value_of(network, points, others)
            if worth > top:
                own, other, top = points, others, worth
        return own, other

    return best


def _remembering(level: int, afterstate: Any, legal: Rule, deeper: Rule) -> Rule:
    """The same, where an action of a branch is valued once a decision."""
    first, end = afterstate.BRANCHING

    @rule
    def best(
        states: Array, pack: Any, seat: int, branch: int, network: Any, room: Any
    ) -> tuple[int, int]:
        actions, known = room.actions[level], room.known
        count = legal(states[level], pack, seat, actions)
        own, other, top = 0, 0, WORST
        for place in range(count):
            action = int(actions[place])
            shared = branch >= 0 and first <= action < end
            if shared and known[branch, action - first, 0]:
                points = int(known[branch, action - first, 1])
                others = int(known[branch, action - first, 2])
            else:
                points, others = deeper(states, pack, seat, action, network, room)
                if shared:
                    known[branch, action - first, 0] = 1
                    known[branch, action - first, 1] = points
                    known[branch, action - first, 2] = others
            worth = value_of(network, points, others)
            if worth > top:
                own, other, top = points, others, worth
        return own, other

    return best


def _expecting(
    level: int, afterstate: Any, best: Rule, afterstate_points: Rule, final_points: Rule
) -> Rule:
    """The rule that says what an action in states[level - 1] leads to by which something is
    turned up: one outcome, or all of them on average (-1).
    """
    act, likely, turn_up = afterstate.act, afterstate.likely, afterstate.turn_up
    outcomes, branch = int(afterstate.OUTCOMES), afterstate.branch

    @rule
    def expect(
        states: Array, pack: Any, seat: int, action: int, only: int, network: Any, room: Any
    ) -> tuple[int, int]:
        weights = room.weights
        likely(states[level - 1], pack, weights)
        total, sum_own, sum_other = 0, 0, 0
        for outcome in range(outcomes):
            weight = int(weights[outcome])
            if weight and (only < 0 or outcome == only):
                states[level] = states[level - 1]
                act(states[level], pack, seat, action)
                comes_to = turn_up(states[level], pack, seat, outcome)
                if comes_to & GOES_ON:
                    own, other = best(states, pack, seat, branch(action, outcome), network, room)
                elif comes_to & ENDS:
                    own, other = final_points(states[level], pack, seat, room)
                else:
                    own, other = afterstate_points(states[level], pack, seat, network, room)
                total += weight
                sum_own += weight * own
                sum_other += weight * other
        total = max(total, 1)
        return sum_own // total, sum_other // total

    return expect


def _luck(afterstate: Any, prepare: Rule, forget: Rule, expect: Rule) -> Rule:
    """The rule that says how lucky the seat will be."""
    if not hasattr(afterstate, "OUTCOMES"):

        @rule
        def no_luck(pack: Any, seat: int, action: int, network: Any, room: Any) -> tuple[int, int]:
            return 0, 0

        return no_luck
    act, coming = afterstate.act, afterstate.coming

    @rule
    def luck(pack: Any, seat: int, action: int, network: Any, room: Any) -> tuple[int, int]:
        """By how much what will be turned up in states[0] after this action is better than usual:
        own points and the other's, in UNITs; nothing where nothing is turned up.
        """
        states = room.states
        states[1] = states[0]
        if not act(states[1], pack, seat, action) & TURNS_UP:
            return 0, 0
        prepare(states[0], pack, seat, network, room)
        forget(room)
        usual_own, usual_other = expect(states, pack, seat, action, -1, network, room)
        outcome = coming(states[0], pack)
        own, other = expect(states, pack, seat, action, outcome, network, room)
        return own - usual_own, other - usual_other

    return luck


@rule
def _nothing(
    states: Array, pack: Any, seat: int, action: int, only: int, network: Any, room: Any
) -> tuple[int, int]:
    """Nothing is turned up in this game."""
    return 0, 0


@rule
def _no_branch(action: int, outcome: int) -> int:
    """Nothing is remembered in this game."""
    return -1

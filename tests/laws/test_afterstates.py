"""What networks see of afterstates: within its bounds, and nothing that the seat can't know."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from conftest import SOAK, random_walk, shapes
from pelagos.bots.valuing import has_afterstates
from pelagos.engine.arrays import copy_of, readable, record_of
from pelagos.engine.game import Game, games
from pelagos.engine.match import Match
from pelagos.engine.pack import default_pack
from pelagos.engine.position import Position
from pelagos.engine.stream import words_of
from pelagos.engine.types import ENDS, TURNS_UP

NAMES = sorted(name for name, game in games().items() if has_afterstates(game))
EVERY = 1 if SOAK else 9
"""Of a game's positions, one of so many is looked at."""
ACTIONS = 100 if SOAK else 6
WORLDS = 2

RECORDED = {
    "ecosystem": (1, "8d2bfc7d154d"),
    "oceanide": (2, "634d5d7717a1"),
    "oceanos": (2, "bb8abc9312a4"),
    "ozeanien": (2, "152c903f2aad"),
}
"""Each layout's version, and what it comes to."""


def features(game: Game, states: Any, seat: int) -> Any:
    afterstate = game.part("afterstate")
    out = np.full(afterstate.SIZE, -99, np.int16)
    state, pack = record_of(states), record_of(readable(default_pack(game).data))
    afterstate.context(state, pack, seat, out)
    afterstate.changing(state, pack, seat, out)
    return out


def after(game: Game, position: Position, seat: int, action: int) -> tuple[int, Any]:
    """What `act` says, and the features once the action has happened alone."""
    afterstate = game.part("afterstate")
    pack = record_of(readable(default_pack(game).data))
    out = features(game, position.states, seat)
    states = copy_of(position.states)
    comes_to = int(afterstate.act(record_of(states), pack, seat, action))
    if not comes_to & ENDS:
        afterstate.changing(record_of(states), pack, seat, out)
    return comes_to, out


def turns_up(name: str) -> bool:
    """Does the game say what may be turned up?"""
    return hasattr(games()[name].part("afterstate"), "OUTCOMES")


def after_outcome(
    game: Game, position: Position, seat: int, action: int, outcome: int
) -> tuple[int, Any]:
    """The same once this has been turned up."""
    afterstate = game.part("afterstate")
    pack = record_of(readable(default_pack(game).data))
    states = copy_of(position.states)
    afterstate.act(record_of(states), pack, seat, action)
    comes_to = int(afterstate.turn_up(record_of(states), pack, seat, outcome))
    return comes_to, features(game, states, seat)


def decisions(game: Game) -> Iterator[tuple[Position, int, list[int]]]:
    """Positions of random games of every shape, whose decision it is, and some of its actions."""
    for seed, options in enumerate(shapes(game)):
        chance = random.Random(seed)
        match = Match.new(game, seed=seed, **options)
        for number, at in enumerate(random_walk(match, chance)):
            if number % EVERY == 0 and not at.over:
                seat = chance.choice(at.pending)
                legal = at.legal(seat)
                yield at.position, seat, chance.sample(legal, min(len(legal), ACTIONS))


@pytest.mark.parametrize("name", NAMES)
def test_features_stay_within_their_bounds_and_tell_nothing_hidden(name: str) -> None:
    game = games()[name]
    layout = game.part("afterstate").LAYOUT
    names = np.array(layout.names())
    low, high = np.full(layout.size, 999), np.full(layout.size, -999)
    for number, (position, seat, actions) in enumerate(decisions(game)):
        seen = {action: after(game, position, seat, action) for action in actions}
        for _, out in seen.values():
            low, high = np.minimum(low, out), np.maximum(high, out)
            wrong = (out < layout.low) | (out > layout.high)
            assert not wrong.any(), names[wrong]
        for world in range(WORLDS):
            other = position.redeal(seat, words_of(f"{number} {world}".encode()))
            assert (
                features(game, other.states, seat) == features(game, position.states, seat)
            ).all()
            for action, (comes_to, out) in seen.items():
                there = after(game, other, seat, action)
                assert there[0] == comes_to, action
                assert (there[1] == out).all(), (action, names[there[1] != out])
    assert (layout.low >= -128).all()
    assert (layout.high <= 127).all()
    assert (low < high).mean() > 0.4, names[low == high]


@pytest.mark.parametrize("name", NAMES)
def test_changed_features_have_a_new_version(name: str) -> None:
    """Whoever changes fields raises the version, writes both down here, and trains anew."""
    layout = games()[name].part("afterstate").LAYOUT
    assert (layout.version, layout.fingerprint) == RECORDED[name]
    assert all(field.about for field in layout.fields)


@pytest.mark.parametrize("name", [name for name in NAMES if turns_up(name)])
def test_what_may_be_turned_up_is_the_same_in_every_world(name: str) -> None:
    game = games()[name]
    afterstate, layout = game.part("afterstate"), game.part("afterstate").LAYOUT
    pack = record_of(readable(default_pack(game).data))
    turned = 0
    for number, (position, seat, actions) in enumerate(decisions(game)):
        other = position.redeal(seat, words_of(f"{number}".encode()))
        for action in actions:
            weights = []
            for world in (position, other):
                states = copy_of(world.states)
                if int(afterstate.act(record_of(states), pack, seat, action)) & TURNS_UP:
                    weights.append(np.zeros(afterstate.OUTCOMES, np.int64))
                    afterstate.likely(record_of(states), pack, weights[-1])
            if not weights:
                continue
            assert (weights[0] == weights[1]).all()
            assert weights[0][int(afterstate.coming(record_of(position.states), pack))] > 0
            for outcome in np.flatnonzero(weights[0]).tolist():
                first, second = (
                    after_outcome(game, world, seat, action, outcome) for world in (position, other)
                )
                assert first[0] == second[0]
                assert (first[1] == second[1]).all(), np.array(layout.names())[
                    first[1] != second[1]
                ]
                assert ((first[1] >= layout.low) & (first[1] <= layout.high)).all()
                turned += 1
    assert turned > 20

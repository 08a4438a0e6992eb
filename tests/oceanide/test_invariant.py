"""The one invariant: one copy is shown, the others are held."""

from __future__ import annotations

import random

import pytest

from conftest import random_walk
from pelagos.engine.match import Match
from pelagos.games.oceanide.state import OBJECTS, STATE


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_one_copy_is_shown_and_the_others_are_held_after_every_step(players: int) -> None:
    for seed in range(15):
        match = Match.new("oceanide", players=players, seed=f"shown {seed}")
        for at in random_walk(match, random.Random(seed)):
            game = at.position.record
            for seat in range(players):
                own = game.own[seat].tolist()
                assert min(own) >= 0
                shown = sum(1 << kind for kind in range(OBJECTS) if own[kind])
                assert int(game.shown[seat]) == shown
                points = at.position.points(seat)
                assert points[1] + points[2] == sum(own)


def test_a_state_is_at_most_a_kibibyte() -> None:
    assert STATE.size <= 1024

"""What holds for every door; `test_faults` plants faults that these find."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from pelagos.engine.game import games
from pelagos.engine.stream import words_of
from pelagos.envs.table import Series, Setup, Table

EVERY = [
    pytest.param(game.id, players, id=f"{game.id}-{players}")
    for game in games().values()
    for players in game.players
]
"""Every installed game with every number of players."""


def pick(mask: Any, choices: random.Random) -> int:
    """Any action that the mask allows."""
    return int(choices.choice(np.flatnonzero(mask).tolist()))


def walk(setup: Setup, seed: int = 0) -> Iterator[Table]:
    """A table before every decision of a random game, and after the last."""
    table, choices = Series(setup).deal(seed), random.Random(seed)
    while not table.over:
        yield table
        seat = table.first
        table.act(seat, choices.choice(table.legal(seat)))
    yield table


def same(first: Table, other: Table) -> bool:
    return (first.states.tobytes(), first.who, first.log, first.seed) == (
        other.states.tobytes(),
        other.who,
        other.log,
        other.seed,
    )


def check_copies(setup: Setup) -> None:
    """A copy and a pickle are the table, and go on by themselves."""
    for table in walk(setup):
        copies = table.copy(), copy.deepcopy(table), pickle.loads(pickle.dumps(table))
        assert all(same(table, other) for other in copies)
        if not table.over:
            before, seat = pickle.dumps(table), table.first
            after = []
            for other in copies:
                other.act(seat, other.legal(seat)[-1])
                after.append(pickle.dumps(other))
            assert after[0] == after[1] == after[2] != before
            assert pickle.dumps(table) == before


def check_worlds(setup: Setup) -> None:
    """A redealt world looks the same to its seat, asks it the same, and can be played."""
    for ply, table in enumerate(walk(setup)):
        for seat in range(setup.players):
            world = table.redeal(seat, words_of(b"%d" % ply))
            assert world.legal(seat) == table.legal(seat)
            for seen, true in zip(world.look(seat), table.look(seat), strict=True):
                assert (seen == true).all(), f"seat {seat} sees more than it can know"
    world = next(iter(walk(setup))).redeal(0, words_of(b"another"))
    world.play_out(words_of(b"chance"))
    assert world.over


def check_masks(setup: Setup) -> None:
    """Legal actions ascend; the mask says the same; what is seen keeps to its bounds."""
    low, high = setup.bounds()
    for table in walk(setup):
        for seat in range(setup.players):
            legal = table.legal(seat)
            assert legal == sorted(set(legal))
            assert bool(legal) == table.owes(seat)
            seen, mask = table.look(seat)
            assert np.flatnonzero(mask).tolist() == legal
            assert seen.dtype == setup.kind
            assert (low <= seen).all()
            assert (seen <= high).all()


def check_seeds(setup: Setup) -> None:
    """A seed says all that chance does; another one says something else."""
    first, again, other = (
        [table.states.tobytes() for table in walk(setup, seed)] for seed in (3, 3, 4)
    )
    assert first == again != other
    series = Series(setup)
    dealt = [series.deal(seed).states.tobytes() for seed in (5, None, 5, None)]
    assert dealt[:2] == dealt[2:]
    assert dealt[0] != dealt[1]


CHECKS = (check_copies, check_worlds, check_masks, check_seeds)

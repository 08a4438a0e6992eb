"""Thousands of schedules: whatever goes wrong, in whatever order, what must hold holds."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from conftest import SOAK
from simulation.planted import PLANTED, Planted
from simulation.schedule import prepare, run

SCHEDULES = 100_000 if SOAK else 2_000
PARTS = 100 if SOAK else 4
"""Of equal size: so that several processes can share them, and a long run be gone on with."""


@pytest.mark.parametrize("part", range(PARTS))
def test_what_must_hold_holds(part: int) -> None:
    moves = twins = starts = 0
    for seed in range(part * SCHEDULES // PARTS, (part + 1) * SCHEDULES // PARTS):
        outcome = run(seed)
        assert not outcome.broken, f"{outcome.broken}: make replay SEED={seed}"
        moves, twins, starts = moves + outcome.moves, twins + outcome.twins, starts + outcome.starts
    assert moves > 10 * SCHEDULES / PARTS
    assert starts > 1.5 * SCHEDULES / PARTS
    assert twins > SCHEDULES / PARTS / 4


def test_a_seed_is_a_schedule() -> None:
    for seed in (1, 3, 6):
        first, second = run(seed, tracing=True), run(seed, tracing=True)
        assert first == second
        assert len(first.trace) > 10


@pytest.mark.parametrize("plant", PLANTED, ids=lambda plant: plant.__name__)
def test_a_planted_fault_is_found(plant: Callable[[], Planted]) -> None:
    prepare()  # what was played before is sound
    with plant():
        outcomes = (run(seed) for seed in range(2_000))
        broken = next(outcome for outcome in outcomes if outcome.broken)
    assert any(symptom in broken.broken for symptom in PLANTED[plant])

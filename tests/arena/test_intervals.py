"""Honest intervals: they hold the truth as often as they say."""

from __future__ import annotations

import pytest

from pelagos.arena.intervals import mean, rate, student


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(4, 2.776), (9, 2.262), (30, 2.042), (400, 1.966)]
)
def test_students_quantiles_are_those_of_the_tables(freedom: int, quantile: float) -> None:
    assert student(freedom) == pytest.approx(quantile, rel=0.005)


def test_winning_everything_is_no_certainty() -> None:
    interval = rate([(2.0, 2)] * 10)
    assert interval.value == 1
    assert 0.75 < interval.low < 0.95
    assert interval.high == 1


def test_mirrored_deals_that_cancel_luck_narrow_the_interval() -> None:
    paired = rate([(1.0, 2)] * 40 + [(2.0, 2)] * 10)
    lucky = rate([(2.0, 2)] * 30 + [(0.0, 2)] * 20)
    assert paired.value == lucky.value == pytest.approx(0.6)
    assert paired.high - paired.low < 0.6 * (lucky.high - lucky.low)


def test_the_interval_holds_the_truth_nineteen_times_in_twenty() -> None:
    import random

    choices = random.Random(1)
    held = 0
    for _ in range(400):
        deals = []
        for _ in range(40):
            luck = choices.uniform(0.35, 0.85)  # a deal's own chance: its games aren't independent
            deals.append((float(sum(choices.random() < luck for _ in range(2))), 2))
        interval = rate(deals)
        held += interval.low <= 0.6 <= interval.high
    assert 0.92 <= held / 400 <= 0.98


def test_a_mean_of_one_deal_says_nothing_of_its_error() -> None:
    assert mean([3.0]).high == float("inf")
    assert mean([1.0, 3.0]).value == 2

"""How a series stands, for any number of seats; Ozeanien's own are in its tests."""

from __future__ import annotations

import random

import pytest

from pelagos.engine.errors import BadOption
from pelagos.engine.match import Match
from pelagos.engine.series import LONGEST, Series, Standing, check_length, replay, standing, written


def after(length: int, players: int, *games: list[int]) -> Standing:
    now = Standing.fresh(length, players)
    for winners in games:
        assert not now.over
        now = now.then(winners)
    return now


def test_it_is_decided_when_nobody_can_catch_up() -> None:
    assert not after(5, 3, [0], [0]).over
    assert after(5, 3, [0], [0], [0]).winners == [0]
    assert not after(5, 3, [0], [0], [1]).over
    assert after(5, 4, [0], [1], [0], [0]).winners == [0]
    assert not after(7, 4, [0], [0], [1], [2], [0]).over  # 3 : 1 : 1, and two to play
    assert after(7, 4, [0], [0], [0], [2], [0]).winners == [0]


def test_what_is_equal_at_the_end_is_shared_to_the_last_part() -> None:
    shared = after(3, 3, [0, 1, 2], [0], [1])
    assert shared.over
    assert shared.winners == [0, 1]
    thirds = after(5, 3, [0, 1, 2], [0, 1, 2], [0, 1, 2], [0], [1, 2])
    assert thirds.winners == [0]
    even = after(3, 3, [0, 1, 2], [0, 1, 2], [0, 1, 2])
    assert even.winners == [0, 1, 2]
    assert [float(points) for points in even.points] == [1.0, 1.0, 1.0]


def test_one_that_is_over_is_followed_by_the_next() -> None:
    assert standing(3, 2, []) == Standing.fresh(3, 2)
    assert standing(3, 2, [[0]]).points == (1, 0)
    assert standing(3, 2, [[0], [0]]) == Standing.fresh(3, 2)
    assert standing(3, 2, [[0], [0], [1]]).points == (0, 1)


def test_points_are_written_as_people_write_them() -> None:
    shares = (0.0, 1.0, 0.5, 1.5, 1 / 3, 5 / 3, 2.25, 7 / 12)
    assert [written(share) for share in shares] == [
        "0", "1", "½", "1½", "⅓", "1⅔", "2¼", "0.58",
    ]  # fmt: skip


@pytest.mark.parametrize("length", [0, 2, -3, LONGEST + 2, 3.0, True, "3"])
def test_its_length_is_an_odd_number(length: object) -> None:
    with pytest.raises(BadOption, match="odd number"):
        check_length(length, 2)


def test_a_series_of_any_game_goes_into_one_file_and_comes_back() -> None:
    series, lots = Series("oceanide", 3, players=3), random.Random(1)
    while not series.over:
        match = series.deal("a series")
        while not match.over:
            seat = match.pending[0]
            match.play(seat, lots.choice(match.legal(seat)))
    again = replay(series.record())
    assert again.record() == series.record()
    assert again.winners == series.winners
    for number, record in enumerate(series.record()["records"], 1):
        assert record["series"]["number"] == number
        assert Match.replay(record).over

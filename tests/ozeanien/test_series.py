"""A series of games of Ozeanien: three, five or another odd number."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pelagos.engine.errors import BadRecord, PelagosError
from pelagos.engine.match import Match
from pelagos.engine.series import load, parse, replay
from pelagos.games.ozeanien import GAME
from pelagos.games.ozeanien.series import Series


def game(start: int, *winners: int) -> Any:
    """A finished game as a series sees it; without winners it is going on."""
    return SimpleNamespace(
        game=GAME, players=2, deal={"start": start}, winners=list(winners), over=bool(winners)
    )


def play_out(match: Match, seed: int = 0) -> Match:
    chooser = np.random.default_rng(seed)
    while not match.over:
        seat = match.pending[0]
        match.play(seat, int(chooser.choice(match.legal(seat))))
    return match


def test_anyone_may_start_the_first_game():
    assert Series(3).start is None
    for start in (0, 1):
        Series(3).add(game(start))


def test_the_loser_starts_the_next_game():
    assert Series(3, [game(0, 0)]).start == 1
    assert Series(3, [game(1, 0)]).start == 1
    assert Series(5, [game(0, 1)]).start == 0
    with pytest.raises(PelagosError, match="game 2: seat 1 must start it, not seat 0"):
        Series(3, [game(0, 0), game(0)])


def test_after_a_draw_the_seat_that_did_not_start_starts():
    assert Series(3, [game(0, 0, 1)]).start == 1
    assert Series(3, [game(1, 0, 1)]).start == 0


def test_a_drawn_game_counts_half_each():
    series = Series(5, [game(0, 0, 1), game(1, 1)])
    assert series.points == [0.5, 1.5]


def test_a_series_ends_when_a_seat_has_more_than_half_of_all_points():
    assert not Series(3, [game(0, 0)]).over
    series = Series(3, [game(0, 0), game(1, 0)])
    assert series.over
    assert series.winners == [0]
    halves = Series(3, [game(0, 0), game(1, 0, 1)])
    assert halves.points == [1.5, 0.5]
    assert not halves.over
    assert halves.winners == []
    assert Series(5, [game(0, 1), game(0, 1), game(0, 1)]).over
    assert not Series(5, [game(0, 1), game(0, 1), game(0, 0, 1)]).over


def test_a_series_of_equal_points_is_drawn_after_its_last_game():
    series = Series(3, [game(0, 0), game(1, 1), game(0, 0, 1)])
    assert series.over
    assert series.winners == [0, 1]
    assert Series(3, [game(0, 0, 1), game(1, 0, 1), game(0, 0)]).winners == [0]


def test_nothing_follows_a_series_that_is_over_or_a_game_that_is_not():
    with pytest.raises(PelagosError, match="game 3: the series was over after 2 games"):
        Series(3, [game(0, 0), game(1, 0), game(1)])
    with pytest.raises(PelagosError, match="game 2: the game before it isn't over"):
        Series(3, [game(0), game(1)])


def test_a_series_is_of_two_player_games_and_of_an_odd_number():
    with pytest.raises(PelagosError, match="with 2 players"):
        Series(3, [Match.new(GAME, players=1, seed=1)])
    for length in (4, 23, -1, 3.0, True):
        with pytest.raises(PelagosError, match="odd number of games up to 21"):
            Series(length)  # type: ignore[arg-type]


def test_dealt_games_start_with_the_right_seat_and_come_back_from_the_file(tmp_path):
    series = Series(5)
    while not series.over:
        start = series.start
        match = series.deal("a series")
        assert start in (None, match.deal["start"])
        play_out(match, len(series.matches))
    assert 3 <= len(series.matches) <= 5
    path = tmp_path / "series.json"
    path.write_text(series.to_json(), encoding="utf-8")
    again = load(path)
    assert again.record() == series.record()
    assert again.winners == series.winners
    assert again.points == series.points
    assert json.loads(series.to_json())["series"] == 5


def test_the_same_seed_deals_the_same_series_and_other_games_of_it_differ():
    deals = []
    for _ in range(2):
        series = Series(3)
        play_out(series.deal(7))
        series.deal(7)
        deals.append([match.deal for match in series.matches])
    assert deals[0] == deals[1]
    assert deals[0][0]["pile"] != deals[0][1]["pile"]


def one_game_won_by_the_seat_that_started() -> Series:
    for seed in range(100):
        series = Series(3)
        match = play_out(series.deal(seed))
        if match.winners == [match.deal["start"]]:
            return series
    raise AssertionError("nobody who started ever won")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda data: data.update(pelagos=2), "version must be 1"),
        (lambda data: data.update(pelagos=True), "version must be 1"),
        (lambda data: data.pop("pelagos"), "version must be 1"),
        (lambda data: data.update(series=4), "series must be an odd number from 3 to 21, not 4"),
        (lambda data: data.update(records={}), "records is missing, or isn't a list of games"),
        (lambda data: data["records"].append(3), r"records\[1\] isn't an object"),
        (lambda data: data["records"].append({}), r"records\[1\]: pelagos"),
        (
            lambda data: data["records"].append(data["records"][0]),
            r"records\[1\]: .* must start it",
        ),
        (lambda data: data["records"][0]["moves"].pop(), r"records\[0\]: result"),
    ],
)
def test_a_wrong_series_file_is_refused_by_place_and_reason(change, reason):
    data = json.loads(one_game_won_by_the_seat_that_started().to_json())
    change(data)
    with pytest.raises(BadRecord, match=reason):
        replay(data)


def test_what_is_no_series_at_all_is_refused_with_a_sentence(tmp_path):
    for text, reason in (("[]", "a JSON object"), ("{", "Not JSON"), ("[" * 100_000, "deeply")):
        with pytest.raises(BadRecord, match=reason):
            parse(text)
    with pytest.raises(BadRecord, match="can't be read"):
        load(tmp_path / "nothing.json")
    (tmp_path / "bytes.json").write_bytes(b"\xff")
    with pytest.raises(BadRecord, match="UTF-8"):
        load(tmp_path / "bytes.json")

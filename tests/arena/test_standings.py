"""Standings: what a win, a series or a failing bot counts."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from arena.setting import QUICK, make_plan, played
from pelagos.arena import matches, workers
from pelagos.arena.host import host
from pelagos.arena.plan import Fixture, Plan, seatings
from pelagos.arena.results import Results
from pelagos.arena.standings import compute_standings
from pelagos.engine.errors import PelagosError
from pelagos.engine.game import find_game
from pelagos.engine.match import Match
from pelagos.engine.pack import default_pack, make_pack


def test_a_shared_win_is_split() -> None:
    plan = make_plan("random", "greedy")
    games = [
        played(0, ["random", "greedy"], [10, 10], [0, 1]),
        played(0, ["greedy", "random"], [12, 9], [0]),
    ]
    standings = compute_standings(plan, games)
    assert [(standing.name, standing.wins.value) for standing in standings.standings] == [
        ("greedy", 0.75),
        ("random", 0.25),
    ]
    assert standings.crosstable["greedy"]["random"].ahead.value == 0.75
    assert standings.crosstable["greedy"]["random"].margin.value == 1.5


def test_a_bot_on_two_seats_of_three_has_its_rate_for_each_seat() -> None:
    plan = make_plan("random", "greedy", players=3)
    games = [
        played(
            0, seats, [30 if name == "greedy" else 10 for name in seats], [seats.index("greedy")]
        )
        for seats in seatings(["random", "random", "greedy"])
    ]
    rates = {
        standing.name: standing.wins.value for standing in compute_standings(plan, games).standings
    }
    assert rates == {"greedy": 1.0, "random": 0.0}


def test_alone_the_best_score_on_a_deal_wins_it() -> None:
    plan = make_plan("random", "greedy", players=1)
    games = [
        played(0, ["random"], [50], []),
        played(0, ["greedy"], [70], [0]),
        played(1, ["random"], [60], []),
        played(1, ["greedy"], [60], []),
    ]
    data = compute_standings(plan, games).as_json()
    assert data["bots"]["greedy"]["win_rate"] == 0.75
    assert data["bots"]["greedy"]["goal_rate"] == 0.5
    assert data["bots"]["random"]["mean_score"] == 55


def test_the_winner_is_rated_higher_and_the_json_is_complete() -> None:
    standings, left = host(make_plan("random", "greedy"), 12)
    assert left == 0
    data = standings.as_json()
    assert {"game", "players", "games", "bots"} <= data.keys()
    assert (data["game"], data["players"], data["games"], data["deals"]) == ("ecosystem", 2, 12, 6)
    for bot in data["bots"].values():
        assert {"win_rate", "low", "high", "mean_score", "ms_per_decision", "ms_p99"} <= bot.keys()
        assert bot["low"] <= bot["win_rate"] <= bot["high"]
        assert bot["decisions"] > 0
        assert bot["failures"] == 0
    assert sum(bot["win_rate"] for bot in data["bots"].values()) == pytest.approx(1)
    assert data["bots"]["greedy"]["rating"]["mu"] > 25 > data["bots"]["random"]["rating"]["mu"]
    json.dumps(data, allow_nan=False)


def test_a_failing_bot_is_replaced_and_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    from pelagos.bots.random import Random

    plan = make_plan("random", "greedy")
    workers.play_warm(plan, Fixture(0, ("random", "greedy")))
    monkeypatch.setattr(Random, "choose", lambda *_: 1 // 0)
    games = list(workers.here(plan, list(plan.fixtures(4))))
    data = compute_standings(plan, games).as_json()
    assert data["bots"]["random"]["failures"] == 4
    assert data["bots"]["greedy"]["failures"] == 0
    assert "ZeroDivisionError" in next(iter(games[0].failures.values()))


def test_a_series_is_one_race_that_its_winner_wins_and_the_loser_begins_the_next_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    games: list[Match] = []
    play_match = matches.play_match

    def watched(match: Match, *more: Any) -> Any:
        games.append(match)
        return play_match(match, *more)

    monkeypatch.setattr(matches, "play_match", watched)
    plan = Plan.make(
        find_game("ozeanien"), {"players": 2}, "0", ["random", "greedy"], QUICK, series=3
    )
    single = make_plan("random", "greedy", game="ozeanien")
    for fixture in plan.fixtures(4):
        games.clear()
        race = matches.play(plan, fixture)
        assert race.more == {"games": len(games)}
        assert 2 <= len(games) <= 3
        won = [sum(seat in game.winners for game in games) for seat in (0, 1)]
        assert won[race.winners[0]] == max(won)
        assert race.scores == tuple(sum(game.scores[seat] for game in games) for seat in (0, 1))
        for last, game in itertools.pairwise(games):
            if len(last.winners) == 1:
                assert game.deal["start"] == 1 - last.winners[0]
        first = games[0].deal
        assert matches.play(single, fixture).scores == tuple(games[0].scores)
        assert matches.deal_out(single, fixture.deal).deal == first
        assert matches.play(plan, fixture).digest == race.digest


def test_a_series_is_told_in_headline_json_and_file_and_another_length_is_refused(
    tmp_path: Path,
) -> None:
    names, file = ["random", "greedy"], tmp_path / "games.jsonl"
    plans = {
        length: Plan.make(find_game("ozeanien"), {"players": 2}, "0", names, QUICK, series=length)
        for length in (1, 3)
    }
    standings, _ = host(plans[3], 2, file=file)
    assert standings.as_json()["series"] == 3
    assert standings.played == "2 series, best of 3, on 1 deals"
    with pytest.raises(PelagosError, match="series"):
        Results(plans[1], file)
    with pytest.raises(PelagosError, match="odd number"):
        Plan.make(find_game("ozeanien"), {"players": 2}, "0", names, QUICK, series=2)
    with pytest.raises(PelagosError, match="play against"):
        Plan.make(find_game("ozeanien"), {"players": 1}, "0", names, QUICK, series=3)


def test_a_pack_of_ones_own_is_played_and_named(tmp_path: Path) -> None:
    game = find_game("ecosystem")
    files = dict(default_pack(game).files)
    files["pack.toml"] = files["pack.toml"].replace('name = "default"', 'name = "mine"')
    plan = Plan.make(game, {"players": 2}, "0", ["random"], QUICK, make_pack(game, files))
    standings, _ = host(plan, 2, file=tmp_path / "games.jsonl")
    assert standings.as_json()["pack"]["name"] == "mine"
    with pytest.raises(PelagosError, match="another tournament: its pack"):
        Results(make_plan("random"), tmp_path / "games.jsonl")

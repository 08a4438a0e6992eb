"""Campaigns: games until an interval excludes a bar."""

from __future__ import annotations

from pathlib import Path

import pytest

from pelagos.arena import workers
from pelagos.arena.campaigns import Bar, judge, read_bars
from pelagos.arena.campaigns import table as verdict_table
from pelagos.engine.errors import PelagosError
from pelagos.engine.game import find_game
from places import ROOT

BARS = ROOT / "bench" / "campaigns.toml"


def test_the_bars_can_be_read_and_name_installed_games() -> None:
    bars = read_bars(BARS)
    assert len(bars) == 37
    for bar in bars:
        assert find_game(bar.game).id == bar.game
        assert len(set(bar.bots)) == len(bar.bots)


def test_a_campaign_stops_once_the_interval_excludes_its_bar() -> None:
    bar = Bar(
        "greedy against random", "ecosystem", 2, ("greedy", "random"), "win_rate", 0.7, "1sims"
    )
    verdict = judge(bar, bar.plan("0"), 400, workers.here)
    assert verdict.cleared
    assert verdict.sure
    assert verdict.games == 40
    assert verdict_table([verdict]).row_count == 1


def test_a_campaign_that_stays_open_plays_all_its_games() -> None:
    bar = Bar("even", "ecosystem", 2, ("random", "greedy"), "mean_score", 45.0, "1sims")
    verdict = judge(bar, bar.plan("0"), 60, workers.here)
    assert verdict.games <= 60
    assert verdict.as_json()["value"] == verdict.estimate.value


def test_a_campaign_can_ask_how_often_a_result_is_reached() -> None:
    bar = Bar("margin", "ecosystem", 1, ("greedy",), "reaches", 0.99, "1sims", "margin", 500)
    verdict = judge(bar, bar.plan("0"), 40, workers.here)
    assert not verdict.cleared
    assert verdict.estimate.value == 0
    assert verdict.games == 20


def test_a_wrong_bar_gets_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "bars.toml"
    path.write_text(
        '[[bar]]\nname = "x"\ngame = "ecosystem"\nplayers = 2\nbots = ["random"]\n'
        'measure = "beauty"\nbar = 1\n'
    )
    with pytest.raises(PelagosError, match="a measure is win_rate"):
        read_bars(path)
    path.write_text('[[bar]]\nname = "x"\n')
    with pytest.raises(PelagosError, match="can't be read"):
        read_bars(path)

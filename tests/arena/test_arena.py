"""The arena: fair schedules, honest intervals, games that repeat, tournaments that survive."""

from __future__ import annotations

import itertools
import json
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from conftest import SOAK
from pelagos.arena import matches, workers
from pelagos.arena.campaigns import Bar, judge, read_bars
from pelagos.arena.campaigns import table as verdict_table
from pelagos.arena.host import TooEarlyError, host
from pelagos.arena.intervals import mean, rate, student
from pelagos.arena.matches import Played
from pelagos.arena.plan import Entrant, Fixture, Plan, rotations, seatings
from pelagos.arena.report import report
from pelagos.arena.results import Results
from pelagos.arena.standings import Standings, compute_standings
from pelagos.arena.tournament import Tournament
from pelagos.bots import Budget
from pelagos.engine.errors import PelagosError
from pelagos.engine.game import find_game
from pelagos.engine.match import Match
from pelagos.engine.pack import default_pack, make_pack
from places import ROOT

QUICK = Budget(simulations=5)
BARS = ROOT / "bench" / "campaigns.toml"


def make_plan(
    *names: str, game: str = "ecosystem", players: int = 2, seed: str = "0", **options: Any
) -> Plan:
    return Plan.make(find_game(game), {"players": players, **options}, seed, names, QUICK)


def played(
    deal: int, seats: Sequence[str], scores: Sequence[int], winners: Sequence[int]
) -> Played:
    times = tuple({"0": 1} for _ in seats)
    nothing = tuple(0.0 for _ in seats)
    return Played(deal, tuple(seats), tuple(scores), tuple(winners), "", {}, times, nothing, {})


def as_text(found: Standings) -> str:
    return json.dumps(found.as_json(times=False))


def pelagos(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "pelagos.cli", *arguments]


# --- the schedule -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "players"),
    [(2, 2), (3, 3), (3, 2), (2, 3), (2, 4), (4, 3), (2, 5)],
)
def test_every_bot_sits_equally_often_in_every_seat_of_every_deal(names: int, players: int) -> None:
    plan = make_plan(*["random", "greedy", "flat", "search"][:names], players=players)
    for deal in range(3):
        for full in (True, False):
            games = list(plan.round(deal, full))
            assert len(set(games)) == len(games)
            for seat in range(players):
                sitting = Counter(game.seats[seat] for game in games)
                assert len(sitting) == names
                assert len(set(sitting.values())) == 1


def test_a_deal_is_played_in_every_seating() -> None:
    assert seatings(["a", "b", "b"]) == [("a", "b", "b"), ("b", "a", "b"), ("b", "b", "a")]
    assert len(seatings(["a", "b", "c", "d"])) == 24
    assert rotations(["a", "b", "c"]) == [("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")]


def test_games_are_rounded_up_to_whole_deals() -> None:
    plan = make_plan("random", "greedy")
    assert [len(list(plan.fixtures(games))) for games in (1, 2, 3, 40)] == [2, 2, 4, 40]
    many = make_plan("random", "greedy", "flat", "search", players=4)
    assert len(list(many.fixtures(10))) == 12  # rotations: too few games for all 24 seatings
    assert len({game.seats for game in many.fixtures(240)}) == 24


def test_more_games_go_on_where_fewer_stopped() -> None:
    plan = make_plan("random", "greedy")
    few, more = list(plan.fixtures(40)), list(plan.fixtures(60))
    assert more[: len(few)] == few


def test_alone_every_bot_plays_the_same_deals() -> None:
    plan = make_plan("random", "greedy", players=1)
    assert list(plan.fixtures(4)) == [
        Fixture(0, ("random",)),
        Fixture(0, ("greedy",)),
        Fixture(1, ("random",)),
        Fixture(1, ("greedy",)),
    ]


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (["nobody"], "There is no bot or creature 'nobody'"),
        (["random", "random"], "Name each bot once"),
        ([], "at least one bot"),
        (["random@soon"], "A budget is written"),
    ],
)
def test_a_wrong_entry_gets_a_sentence(names: list[str], reason: str) -> None:
    with pytest.raises(PelagosError, match=reason):
        make_plan(*names)


def test_a_bot_may_enter_with_two_budgets_and_a_creature_with_its_own() -> None:
    plan = make_plan("flat@2sims", "flat@8sims", "otter", "turtle", "puffin@9sims", players=3)
    assert [(one.name, one.bot, str(one.budget)) for one in plan.entrants] == [
        ("flat@2sims", "flat", "2sims"),
        ("flat@8sims", "flat", "8sims"),
        ("otter", "flat", "300sims"),
        ("turtle", "flat", "300sims"),  # the otter, as it was once called
        ("puffin@9sims", "greedy", "9sims"),
    ]


# --- intervals --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(4, 2.776), (9, 2.262), (30, 2.042), (400, 1.966)]
)
def test_students_quantiles_are_those_of_the_tables(freedom: int, quantile: float) -> None:
    assert student(freedom) == pytest.approx(quantile, rel=0.005)


def test_winning_everything_is_no_certainty() -> None:
    found = rate([(2.0, 2)] * 10)
    assert found.value == 1
    assert 0.75 < found.low < 0.95
    assert found.high == 1


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
        found = rate(deals)
        held += found.low <= 0.6 <= found.high
    assert 0.92 <= held / 400 <= 0.98


def test_a_mean_of_one_deal_says_nothing_of_its_error() -> None:
    assert mean([3.0]).high == float("inf")
    assert mean([1.0, 3.0]).value == 2


# --- standings --------------------------------------------------------------------------------


def test_a_shared_win_is_split() -> None:
    plan = make_plan("random", "greedy")
    games = [
        played(0, ["random", "greedy"], [10, 10], [0, 1]),
        played(0, ["greedy", "random"], [12, 9], [0]),
    ]
    found = compute_standings(plan, games)
    assert [(one.name, one.wins.value) for one in found.standings] == [
        ("greedy", 0.75),
        ("random", 0.25),
    ]
    assert found.crosstable["greedy"]["random"].ahead.value == 0.75
    assert found.crosstable["greedy"]["random"].margin.value == 1.5


def test_a_bot_on_two_seats_of_three_has_its_rate_for_each_seat() -> None:
    plan = make_plan("random", "greedy", players=3)
    games = [
        played(
            0, seats, [30 if name == "greedy" else 10 for name in seats], [seats.index("greedy")]
        )
        for seats in seatings(["random", "random", "greedy"])
    ]
    found = {one.name: one.wins.value for one in compute_standings(plan, games).standings}
    assert found == {"greedy": 1.0, "random": 0.0}


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
    found, left = host(make_plan("random", "greedy"), 12)
    assert left == 0
    data = found.as_json()
    assert {"game", "players", "games", "bots"} <= data.keys()
    assert (data["game"], data["players"], data["games"], data["deals"]) == ("ecosystem", 2, 12, 6)
    for one in data["bots"].values():
        assert {"win_rate", "low", "high", "mean_score", "ms_per_decision", "ms_p99"} <= one.keys()
        assert one["low"] <= one["win_rate"] <= one["high"]
        assert one["decisions"] > 0
        assert one["failures"] == 0
    assert sum(one["win_rate"] for one in data["bots"].values()) == pytest.approx(1)
    assert data["bots"]["greedy"]["rating"]["mu"] > 25 > data["bots"]["random"]["rating"]["mu"]
    json.dumps(data, allow_nan=False)


def test_a_failing_bot_is_replaced_and_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    from pelagos.bots.random import Random

    plan = make_plan("random", "greedy")
    workers.play_warm(plan, Fixture(0, ("random", "greedy")))
    monkeypatch.setattr(Random, "choose", lambda *_: 1 // 0)
    games = list(workers.here(plan, list(plan.fixtures(4))))
    found = compute_standings(plan, games).as_json()
    assert found["bots"]["random"]["failures"] == 4
    assert found["bots"]["greedy"]["failures"] == 0
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
    found, _ = host(plan, 2, file=tmp_path / "games.jsonl")
    assert found.as_json()["pack"]["name"] == "mine"
    with pytest.raises(PelagosError, match="another tournament: its pack"):
        Results(make_plan("random"), tmp_path / "games.jsonl")


# --- repeating --------------------------------------------------------------------------------


def test_with_simulations_two_processes_play_the_same_to_the_byte() -> None:
    plan = make_plan("greedy", "flat", seed="twice")
    alone, _ = host(plan, 6)
    together, _ = host(plan, 6, workers=2)
    assert as_text(alone) == as_text(together)
    assert alone.as_json()["digest"] == together.digest
    other, _ = host(make_plan("greedy", "flat", seed="else"), 6)
    assert other.digest != alone.digest


def interrupted_after(count: int) -> Any:
    def work(plan: Plan, fixtures: Sequence[Fixture]) -> Iterator[Played]:
        for number, game in enumerate(workers.here(plan, fixtures)):
            if number == count:
                raise KeyboardInterrupt
            yield game

    return work


def test_an_interrupted_tournament_goes_on_without_loss(tmp_path: Path) -> None:
    plan = make_plan("random", "greedy")
    path = tmp_path / "games.jsonl"
    with Results(plan, path) as results, pytest.raises(KeyboardInterrupt):
        Tournament(plan, results).run(10, interrupted_after(5))
    kept = path.read_text().splitlines()
    assert len(kept) == 1 + 5
    path.write_text("\n".join(kept) + '\n{"deal": 2, "sea')  # the power failed in mid-line
    seen: list[int] = []
    found, left = host(plan, 10, file=path, advance=seen.append)
    assert seen[0] == 5
    assert left == 0
    assert as_text(found) == as_text(host(plan, 10)[0])
    assert len(path.read_text().splitlines()) == 1 + 10
    again, _ = host(plan, 10, file=path)
    assert as_text(again) == as_text(found)


def test_only_whole_deals_count_after_an_interrupt(tmp_path: Path) -> None:
    plan = make_plan("random", "greedy")
    with Results(plan) as results:
        tournament = Tournament(plan, results)
        with pytest.raises(KeyboardInterrupt):
            tournament.run(10, interrupted_after(5))
        assert len(tournament.finished) == 4


def test_another_tournaments_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    host(make_plan("random", "greedy"), 2, file=path)
    with pytest.raises(PelagosError, match="holds another tournament: its seed is 0, not 1"):
        Results(make_plan("random", "greedy", seed="1"), path)
    path.write_text("not a tournament\n")
    with pytest.raises(PelagosError, match="isn't a tournament's file"):
        Results(make_plan("random", "greedy"), path)


def test_nothing_played_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pelagos.arena.host.get_ready", stop)
    with pytest.raises(TooEarlyError, match="nothing to show"):
        host(make_plan("random"), 2)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT to send")
def heed_control_c() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_control_c_stops_in_time_and_the_command_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    command = pelagos(
        *f"arena ecosystem random greedy --players 2 --games 200000 --resume {path}".split(),
        *("--budget", "1sims", "--processes", "2", "--json"),
    )
    running = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=heed_control_c,  # a shell's background jobs ignore it
    )
    start = time.monotonic()
    while not path.exists() or path.read_text().count("\n") < 8:
        assert time.monotonic() - start < 300
        assert running.poll() is None
        time.sleep(0.1)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130, err
    data = json.loads(out)
    assert 2 <= data["games"] < 200_000
    assert b"goes on from" in err
    played_already = path.read_text().count("\n") - 1
    names = ["random", "greedy"]
    plan = Plan.make(find_game("ecosystem"), {"players": 2}, "0", names, Budget(simulations=1))
    found, _ = host(plan, played_already + 4, file=path)
    assert len(found.games) >= played_already + 4


# --- the command and its report ---------------------------------------------------------------


def test_the_command_prints_json_and_writes_a_report(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    command = pelagos(
        *f"arena ecosystem random greedy --players 2 --games 4 --report {page}".split(),
        *("--budget", "1sims", "--json", "--no-times"),
    )
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    data = json.loads(done.stdout)
    assert data["games"] == 4
    assert "ms_per_decision" not in data["bots"]["greedy"]
    assert "greedy" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("players", [1, 2, 3])
def test_the_report_needs_nothing_from_outside(players: int) -> None:
    found, _ = host(make_plan("random", "greedy", players=players), 6)
    page = report(found)
    assert not re.search(r"https?://|<script|<link|@import|url\(", page)
    assert "prefers-color-scheme: dark" in page
    assert "$" not in page.partition("</style>")[2]
    drawings = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert len(drawings) >= 4
    for drawing in drawings:
        ElementTree.fromstring(drawing)
        assert "nan" not in drawing
    for name in ("random", "greedy"):
        assert name in page


def test_a_bots_name_is_text_in_the_report() -> None:
    entrants = (Entrant("<i>one", "random", QUICK), Entrant("two", "random", QUICK))
    plan = Plan("ecosystem", {"players": 2}, "0", entrants)
    page = report(compute_standings(plan, [played(0, ["<i>one", "two"], [1, 2], [1])]))
    assert "&lt;i&gt;one" in page
    assert "<i>" not in page


# --- campaigns --------------------------------------------------------------------------------


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


# --- a cluster --------------------------------------------------------------------------------


def test_without_ray_a_cluster_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    plan = make_plan("random")
    with pytest.raises(PelagosError, match=r"pelagos\[cluster\]"), workers.cluster(plan):
        pass


def test_a_local_ray_plays_the_same_to_the_byte() -> None:
    if not SOAK:
        pytest.importorskip("ray")
    plan = make_plan("random", "greedy", seed="ray")
    code = (
        "import json, sys\n"
        "from pelagos.arena.host import host\n"
        "from pelagos.arena.plan import Plan\n"
        "from pelagos.bots import Budget\n"
        "from pelagos.engine.game import find_game\n"
        "plan = Plan.make(find_game('ecosystem'), {'players': 2}, 'ray', ['random', 'greedy'],\n"
        "                 Budget.parse('5sims'))\n"
        "found, left = host(plan, 6, on_cluster=True)\n"
        "print(json.dumps(found.as_json(times=False)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.strip().splitlines()[-1] == as_text(host(plan, 6)[0])

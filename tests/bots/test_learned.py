"""Networks as rules: whole numbers that say what the floats say, everywhere the same."""

from __future__ import annotations

import logging
import os
import random
import subprocess
import sys
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import SOAK, random_walk
from pelagos.arena.campaigns import Bar, judge
from pelagos.arena.workers import here
from pelagos.bots import Budget, find_bot
from pelagos.bots.learned import Learned
from pelagos.bots.networks import Trained, network_for, read, shipped, why_not, write
from pelagos.bots.outlook import NETWORK_FILE
from pelagos.bots.planner import Planner
from pelagos.bots.valuing import has_afterstates
from pelagos.engine.errors import PelagosError
from pelagos.engine.game import find_game, games
from pelagos.engine.match import Match
from pelagos.engine.network import LARGEST, Floats, check_sums, expected, fixed, sum_rows
from pelagos.engine.pack import default_pack
from pelagos.engine.stream import words_of
from pelagos.engine.units import UNIT
from pelagos.train.self_play import GREEDY, SelfPlay
from pelagos.train.training import join

NAMES = sorted(name for name, game in games().items() if has_afterstates(game))
HIDDEN, INNER = 16, 8
BUDGET = Budget(simulations=1)
ASKED = 1 if SOAK else 6
"""Of a game's decisions, one of so many is asked: interpreted, each takes long."""


def any_floats(game: Any, seed: int = 1, hidden: int = HIDDEN) -> Floats:
    """Weights that were never trained."""
    rows = game.part("afterstate").SIZE
    rng = np.random.default_rng(seed)
    return Floats(
        rng.normal(0, 0.05, (rows, hidden)),
        rng.normal(0, 0.1, hidden),
        rng.normal(0, 0.3, (hidden, INNER)),
        rng.normal(0, 0.1, INNER),
        rng.normal(0, 3, (INNER, 2)),
        np.array([90.0, 80.0]),
    )


def any_network(game: Any, seed: int = 1, hidden: int = HIDDEN) -> Any:
    return fixed(any_floats(game, seed, hidden), game.part("afterstate").LAYOUT, 50)


def networks_of(game: Any) -> tuple[Trained, ...]:
    networks = shipped(game)
    return networks.trained if networks else ()


def all_choices(name: str) -> list[int]:
    """What an untrained network chooses along a random game."""
    game = find_game(name)
    bot = Learned(Trained(tuple(game.players), any_network(game)))
    match = Match.new(game, seed=4)
    chosen = []
    for number, at in enumerate(random_walk(match, random.Random(4))):
        if number % ASKED == 0 and not at.over:
            seat = at.pending[0]
            stream = words_of(b"same")
            choice = bot.choose(at.position.redeal(seat, stream), seat, stream, BUDGET)
            assert choice in at.legal(seat)
            chosen.append(choice)
    return chosen


@pytest.mark.parametrize("name", NAMES)
def test_whole_numbers_say_what_floats_say(name: str) -> None:
    game = find_game(name)
    layout, floats = game.part("afterstate").LAYOUT, any_floats(game)
    network = any_network(game)
    rng = np.random.default_rng(2)
    total, layer = np.zeros(HIDDEN, np.int32), np.zeros(INNER, np.int32)
    for _ in range(20):
        seldom = rng.random(layout.size) < 0.2
        features = (rng.integers(layout.low, layout.high.astype(int) + 1) * seldom).astype(np.int16)
        features = np.minimum(features, 9)
        sum_rows(network[0], features, total)
        said = np.array(expected(network[0], total, layer)) / UNIT
        hidden = np.maximum(features @ floats.first + floats.bias, 0)
        inner = np.maximum(hidden @ floats.second + floats.second_bias, 0)
        assert np.allclose(said, inner @ floats.third + floats.third_bias, atol=0.3)


def test_no_sum_overflows_whatever_is_seen() -> None:
    """Huge weights are made small enough; those of a file that aren't are refused."""
    game = find_game("ecosystem")
    layout = game.part("afterstate").LAYOUT
    floats = any_floats(game)
    network = fixed(floats._replace(first=floats.first * 100), layout, 50)
    check_sums(network, layout)
    total = np.zeros(HIDDEN, np.int32)
    sum_rows(network[0], layout.high, total)
    assert (np.abs(total.astype(np.int64)) < 1 << 31).all()
    network[0]["second"] = LARGEST
    with pytest.raises(ValueError, match="overflow"):
        check_sums(network, layout)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_position_gives_the_same_move_compiled_and_interpreted(name: str) -> None:
    code = f"from bots.test_learned import all_choices; print(all_choices({name!r}))"
    environment = {**os.environ, "PELAGOS_INTERPRETED": "1"}
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    assert run.stdout.strip() == str(all_choices(name))


def test_a_network_travels_in_a_file_and_serves_what_it_was_trained_for(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = find_game("ecosystem")
    pack = default_pack(game)
    trained = Trained((2, 3), any_network(game), {"games": 7})
    write(tmp_path / "network.npz", game, pack, [trained])
    networks = read((tmp_path / "network.npz").read_bytes(), game)
    assert (networks.trained[0].players, networks.trained[0].about) == ((2, 3), {"games": 7})
    assert networks.trained[0].network.tobytes() == trained.network.tobytes()
    monkeypatch.setattr("pelagos.bots.networks.shipped", lambda _: networks)
    assert network_for(game, pack, 2) is networks.trained[0]
    other = replace(pack, files={**pack.files, "more.txt": "x"})
    for reason, known in (
        ("with 4 players", why_not(game, pack, 4)),
        ("another pack", why_not(game, other, 2)),
    ):
        assert reason in str(PelagosError(known))
    old = replace(networks, features="0 old")
    monkeypatch.setattr("pelagos.bots.networks.shipped", lambda _: old)
    assert "other rules or features" in str(PelagosError(why_not(game, pack, 2)))
    position, stream = Match.new(game, seed=1, players=2).position, words_of(b"x")
    with caplog.at_level(logging.WARNING):
        chosen = Learned().choose(position.copy(), 0, stream.copy(), BUDGET)
    assert "another bot plays for it" in caplog.text
    assert chosen == find_bot("greedy").choose(position, 0, stream, BUDGET)


@pytest.mark.parametrize("bot", ["learned", "planner"])
def test_nobody_needs_torch_to_play(bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks for it is refused."""
    monkeypatch.setitem(sys.modules, "torch", None)
    match, stream = Match.new("ecosystem", seed=1, players=2), words_of(b"x")
    assert network_for(match.game, match.pack, 2) is not None
    budget = Budget(simulations=12)
    chosen = find_bot(bot).choose(match.position.redeal(0, stream), 0, stream, budget)
    assert chosen in match.legal(0)


@pytest.mark.parametrize("name", ["ecosystem", "oceanide"])
def test_a_planner_thinks_its_choice_over_and_repeats_it(name: str) -> None:
    game = find_game(name)
    trained = Trained(tuple(game.players), any_network(game))
    match = Match.new(game, seed=5)
    budget = Budget(simulations=24)
    for at in random_walk(match, random.Random(5)):
        seat = at.pending[0] if at.pending else -1
        if seat < 0 or len(at.legal(seat)) < 3:
            continue
        stream = words_of(b"plan")
        position = at.position.redeal(seat, stream.copy())
        chosen = Planner(trained).choose(position, seat, stream.copy(), budget)
        thoughts = Planner(trained).explain(position, seat, stream.copy(), budget)
        assert thoughts[0].action == chosen
        assert sorted(thought.action for thought in thoughts) == at.legal(seat)
        assert sum(thought.visits for thought in thoughts) <= 24
        if len(at.history) > 30:
            break


def test_networks_of_one_file_are_equally_wide_and_say_what_they_said(tmp_path: Path) -> None:
    """So that one compilation, and one module of a browser, serves all of them."""
    game = find_game("oceanos")
    pack, layout = default_pack(game), game.part("afterstate").LAYOUT
    narrow, wide = any_network(game), any_network(game, 2, 2 * HIDDEN)
    runs = [tmp_path / "narrow.npz", tmp_path / "wide.npz"]
    write(runs[0], game, pack, [Trained((2,), narrow)])
    write(runs[1], game, pack, [Trained((3, 4, 5), wide)])
    join(runs, tmp_path / NETWORK_FILE, game, pack)
    widened, same = read((tmp_path / NETWORK_FILE).read_bytes(), game).trained
    assert (widened.players, same.players) == ((2,), (3, 4, 5))
    assert widened.network.dtype == same.network.dtype
    assert same.network.tobytes() == wide.tobytes()
    features = (layout.high // 3).astype(np.int16)
    said = []
    for network in (narrow, widened.network):
        total = np.zeros(network["bias"].shape[1], np.int32)
        sum_rows(network[0], features, total)
        said.append(expected(network[0], total, np.zeros(INNER, np.int32)))
    assert said[0] == said[1]


SHIPPED = [(name, entry) for name in NAMES for entry in networks_of(find_game(name))]
MOST_BYTES = 400_000
DUELS = 24
"""Deals, each with every seating."""
GAMES = 8
"""With budgets of simulations these are always the same."""
LEAST, LEAST_WHERE_CHANCE_IS_LOUD = 0.5, {"ozeanien": 0.35}


@pytest.mark.parametrize(("name", "trained"), SHIPPED, ids=[name for name, _ in SHIPPED])
def test_a_shipped_network_beats_greedy_and_says_where_it_comes_from(
    name: str, trained: Trained
) -> None:
    game = find_game(name)
    pack = default_pack(game)
    assert (files(game.package) / NETWORK_FILE).stat().st_size <= MOST_BYTES
    assert {"games", "rounds", "seconds", "recipe", "against_greedy"} <= trained.about.keys()
    for players in trained.players:
        assert network_for(game, pack, players) is trained
        options = game.check_options({"players": players})
        shares = SelfPlay(game, pack, options, "shipped").duel(trained.network, 0, GREEDY, DUELS)
        assert shares.mean() > 1 / max(players, 2), players


@pytest.mark.parametrize("name", sorted({name for name, _ in SHIPPED}))
@pytest.mark.parametrize("bot", ["learned", "planner@24sims"])
def test_a_few_games_against_search(bot: str, name: str) -> None:
    """About what search simulates in 20 ms; `make soak` plays the campaigns by the clock."""
    bots = (bot, "search@40sims")
    least = LEAST_WHERE_CHANCE_IS_LOUD.get(name, LEAST)
    bar = Bar("a few games", name, 2, bots, "win_rate", least, "1sims")
    verdict = judge(bar, bar.plan("few"), GAMES, here)
    assert verdict.failures == 0
    assert verdict.cleared, verdict.estimate

"""The engine's speed next to its peers', in one run: `make bench`.

Everything is measured on one core by CPU time. Random play of whole games counts every single
choice of a player as a decision; chance isn't counted, and compiling isn't. Our games are measured
before and after the peers, and the mean is shown, so that a noisy machine hits both alike.

A simulation of our search (redeal, descend, play out, back up) stands next to one of OpenSpiel's
information-set search. How far time budgets are overrun is wall-clock time: a busy machine shows.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import bots
from pelagos.arena.simulate import CHUNK, Simulation
from pelagos.engine.batch import OBSERVED, SEEDED, Batch
from pelagos.engine.digest import scratch, seed_games, series_bytes
from pelagos.engine.game import find_game, games
from pelagos.engine.match import Match
from pelagos.engine.pack import default_pack
from pelagos.engine.rule import hot_rule, rule
from pelagos.engine.stream import below, words_of
from pelagos.engine.types import Array

HERE = Path(__file__).parent
YARDSTICK = ("OpenSpiel", "goofspiel")
BUDGET_MS = 20.0
SLOTS = 1024
"""Games of a batch that is stepped through."""
OVERRUNS = ("overrun_ms_p50", "overrun_ms_p99")
SHAPES: list[tuple[str, dict[str, Any]]] = [
    ("ecosystem", {"players": 3}),
    ("ecosystem", {"players": 1}),
    ("oceanos", {"players": 4}),
    ("oceanide", {"players": 3}),
    ("ozeanien", {"players": 2}),
]
console = Console()


def random_play(game: str, options: dict[str, Any], seconds: float) -> float:
    """Random decisions a CPU second, dealing and scoring included."""
    Batch(game, 2, **options).play_out()
    decisions, spent, number = 0, 0.0, 0
    while spent < seconds:
        batch = Batch(game, 2_000, seed="bench", first=number, **options)
        batch.play_out()
        decisions += batch.decisions
        spent += batch.cpu_seconds
        number += 2_000
    return decisions / spent


@hot_rule
def seed_all(series: Array, count: int, streams: Array, players: Array, room: Array) -> None:
    """Seed games as play-outs do, some at a time."""
    for first in range(0, count, streams.shape[0]):
        seed_games(series, first, streams, players, room)


def simulations(game: str, options: dict[str, Any], seconds: float) -> dict[str, float]:
    """`pelagos simulate` from seeds to tally, beside play-outs of games that are seeded already;
    and what the arena's way of asking bots makes of the same greedy games.
    """
    kind = find_game(game)
    checked, pack = kind.check_options(options), default_pack(kind)
    at_random = Simulation.make(kind, checked, ["random"], "bench")
    greedy = Simulation.make(kind, checked, ["greedy"], "bench")
    streams, players = np.zeros((2, SEEDED, 4), np.uint64)
    seed_all(series_bytes("bench"), 1, streams, players, scratch())
    at_random.run(pack, 1)
    greedy.match(pack, 0)
    rates = {"play-outs": [0, 0.0], "simulate": [0, 0.0], "greedy": [0, 0.0], "arena": [0, 0.0]}
    number = 0
    while rates["simulate"][1] < seconds:
        batch = Batch(kind, CHUNK, seed="bench", pack=pack, **options)
        batch.play_out()
        start = time.process_time()
        seed_all(series_bytes("bench"), CHUNK, streams, players, scratch())
        play_out = batch.cpu_seconds - (time.process_time() - start)
        tally = at_random.run(pack, CHUNK)
        thinking = greedy.run(pack, CHUNK // 100)
        start = time.process_time()
        match = greedy.match(pack, number)
        asked = time.process_time() - start
        number += 1
        for name, decisions, spent in (
            ("play-outs", batch.decisions, play_out),
            ("simulate", tally.decisions, tally.cpu_seconds),
            ("greedy", thinking.decisions, thinking.cpu_seconds),
            ("arena", sum(entry.seat >= 0 for entry in match.history), asked),
        ):
            rates[name][0] += decisions
            rates[name][1] += spent
    speed = {name: decisions / spent for name, (decisions, spent) in rates.items()}
    return {
        "play-outs": speed["play-outs"],
        "simulate, end to end": speed["simulate"],
        "share of the play-out rate": speed["simulate"] / speed["play-outs"],
        "simulate --bots greedy": speed["greedy"],
        "times the arena's rate": speed["greedy"] / speed["arena"],
    }


@rule
def count(mask: Array, first: int, last: int) -> int:
    """How many actions are legal from one number to before another. There are less than 256, so
    that a byte is enough: a processor adds up 32 of them at once.
    """
    legal = np.uint8(0)
    for action in range(first, last):
        legal = np.uint8(legal + np.uint8(mask[action]))
    return int(legal)


@hot_rule
def choose(masks: Array, stream: Array, actions: Array) -> None:
    """One legal action a game, by lot; sixteen are passed over at a time."""
    size = masks.shape[1]
    for index in range(masks.shape[0]):
        mask = masks[index]
        which = below(stream, count(mask, 0, size))
        action = 0
        some = count(mask, 0, min(16, size))
        while which >= some:
            which -= some
            action += 16
            some = count(mask, action, min(action + 16, size))
        while which or not mask[action]:
            which -= int(mask[action])
            action += 1
        actions[index] = action


def steps(game: str, options: dict[str, Any], seconds: float) -> dict[str, float]:
    """Decisions a CPU second in a batch, with mask, observation, reset and a random choice."""
    rates = {}
    for observe in OBSERVED:
        batch = Batch(game, SLOTS, observe=observe, seed="bench", check=False, **options)
        stream, actions = words_of(b"bench"), np.zeros(SLOTS, np.int64)
        choose(batch.masks, stream, actions)
        batch.step(actions)
        made, start = 0, time.process_time()
        while time.process_time() - start < seconds:
            for _ in range(20):
                choose(batch.masks, stream, actions)
                batch.step(actions)
                made += SLOTS
        rates[f"step, {observe}"] = made / (time.process_time() - start)
    return rates


def calls(game: str, options: dict[str, Any], seconds: float) -> dict[str, float]:
    """Microseconds for `pending`, `legal` and `play` by integer, from Python."""
    spent = dict.fromkeys(("pending", "legal", "play"), 0.0)
    count = 0
    total = 0.0
    while total < seconds:
        match = Match.new(game, seed=count, **options)
        while not match.over:
            first = time.perf_counter()
            seat = match.pending[0]
            second = time.perf_counter()
            action = match.legal(seat)[0]
            third = time.perf_counter()
            match.play(seat, action)
            last = time.perf_counter()
            spent["pending"] += second - first
            spent["legal"] += third - second
            spent["play"] += last - third
            total += last - first
            count += 1
    return {name: 1e6 * value / count for name, value in spent.items()}


def copies(game: str, seconds: float) -> float:
    """State copies a CPU second, in one array."""
    batch = Batch(game, 4_096)
    target = batch.states.copy()
    start = time.process_time()
    count = 0
    while time.process_time() - start < seconds:
        target[:] = batch.states
        count += batch.count
    return count / (time.process_time() - start)


def cold_compile(game: str) -> float:
    """CPU seconds until a first random game has been played with an empty cache."""
    script = (
        f"from pelagos import Batch, Match; Match.new({game!r}, seed=1); "
        f"Batch({game!r}, 1).play_out(); import time; print(time.process_time())"
    )
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PELAGOS_CACHE": folder},
            capture_output=True,
            text=True,
            check=True,
        )
    return float(done.stdout)


def cold_compiles() -> dict[str, float]:
    """Every game's cold compile, as many at a time as there are cores."""
    names = [game for game, _ in first_shapes()]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(names, pool.map(cold_compile, names), strict=True))


def warm_replay(game: str) -> float:
    """CPU seconds of a warm `pelagos replay FILE`, start of Python included."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pelagos.cli"]
        subprocess.run([*command, "record", game, "--out", folder], check=True, capture_output=True)
        file = next(Path(folder).iterdir())
        replay = [*command, "replay", str(file)]
        subprocess.run(replay, check=True, capture_output=True)
        before = os.times()
        subprocess.run(replay, check=True, capture_output=True)
        after = os.times()
    return (
        after.children_user
        + after.children_system
        - (before.children_user + before.children_system)
    )


def peers(python: str, seconds: float) -> list[dict[str, Any]]:
    """The peers' rows, measured by their own interpreter."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "peers.json"
        command = [python, str(HERE / "peers.py"), "--seconds", str(seconds), "--json", str(target)]
        subprocess.run(command, check=True)
        rows: list[dict[str, Any]] = json.loads(target.read_text())["rows"]
    return rows


def own_rows(seconds: float) -> list[dict[str, Any]]:
    """Random play in every shape that is installed."""
    return [
        {
            "peer": "Pelagos",
            "game": f"{game}, {options['players']} players",
            "how": "compiled",
            "unit": "decisions",
            "per_second": random_play(game, options, seconds),
        }
        for game, options in SHAPES
        if game in games()
    ]


def search_rows() -> list[dict[str, Any]]:
    """Our bots' simulations, and how far they overrun a time budget."""
    return [
        {
            "peer": "Pelagos",
            "game": f"{row['game']}, {row['players']} players",
            "how": row["bot"],
            "unit": "simulations",
            "per_second": row["simulations_per_second"],
            **{name: row[name] for name in ("budget_ms", *OVERRUNS, "overrun_ms_most")},
        }
        for row in bots.rows([game for game, _ in first_shapes()], BUDGET_MS)
    ]


def yardstick(rows: list[dict[str, Any]]) -> float:
    """The fastest C++ loop of four-player goofspiel, or 0 if it wasn't measured."""
    speeds = [
        row["per_second"] or 0.0
        for row in rows
        if row["peer"] == YARDSTICK[0] and YARDSTICK[1] in row["game"] and "C++" in row["how"]
    ]
    return max(speeds, default=0.0)


def show(rows: list[dict[str, Any]], base: float) -> None:
    """Print random play as a table, fastest first."""
    table = Table(title="Random play of whole games, one core", title_justify="left")
    for head in ("engine", "game", "how"):
        table.add_column(head)
    for head in ("decisions a second", "× goofspiel in C++"):
        table.add_column(head, justify="right")
    for row in sorted(rows, key=lambda row: -(row["per_second"] or 0)):
        speed = row["per_second"]
        ratio = f"{speed / base:.2f}" if speed and base else ""
        shown = f"{speed:,.0f}" if speed else str(row.get("reason", "not measured"))
        bold = "bold" if row["peer"] == "Pelagos" else ""
        table.add_row(row["peer"], row["game"], row["how"], shown, ratio, style=bold)
    console.print(table)


def show_search(rows: list[dict[str, Any]]) -> None:
    """Print the searches as a table, fastest first."""
    table = Table(title="Search: simulations a second, one core", title_justify="left")
    for head in ("engine", "game", "how"):
        table.add_column(head)
    for head in ("simulations a second", f"overrun of {BUDGET_MS:.0f} ms: median", "99 %"):
        table.add_column(head, justify="right")
    for row in sorted(rows, key=lambda row: -row["per_second"]):
        speed = row["per_second"]
        shown = f"{speed:,.0f}" if speed else str(row.get("reason", "not measured"))
        late = [f"{row[name]:.2f} ms" if name in row else "" for name in OVERRUNS]
        bold = "bold" if row["peer"] == "Pelagos" else ""
        table.add_row(row["peer"], row["game"], row["how"], shown, *late, style=bold)
    console.print(table)


def show_by_game(title: str, rows: dict[str, dict[str, float]]) -> None:
    """Print what was measured of each game, a row a game."""
    table = Table(title=title, title_justify="left")
    table.add_column("game")
    heads = list(next(iter(rows.values())))
    for head in heads:
        table.add_column(head, justify="right")
    for game, row in rows.items():
        table.add_row(game, *(f"{row[head]:,.{0 if row[head] > 1000 else 2}f}" for head in heads))
    console.print(table)


def detail(game: str, options: dict[str, Any], seconds: float) -> dict[str, float]:
    """Single calls, copies and start-up of one game."""
    figures = {f"{name} µs": value for name, value in calls(game, options, seconds).items()}
    figures["million copies/s"] = copies(game, seconds / 4) / 1e6
    figures["warm replay CPU s"] = warm_replay(game)
    figures["state bytes"] = float(Batch(game, 1).states.itemsize)
    return figures


def main() -> None:
    """Measure, print, and write JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", help="the interpreter that has the peers installed")
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU seconds a row")
    parser.add_argument("--json", type=Path, help="where the numbers go")
    words = parser.parse_args()
    console.print("Compiling …")
    cold = cold_compiles()  # before this process keeps to one core
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    console.print("Our games …")
    rows = own_rows(words.seconds)
    searches = search_rows()
    if words.peers:
        console.print("The peers …")
        others = peers(words.peers, words.seconds)
        console.print("Our games again …")
        for row, again in zip(rows, own_rows(words.seconds), strict=True):
            row["per_second"] += again["per_second"]
            row["per_second"] /= 2
        rows += [row for row in others if row["unit"] == "decisions"]
        searches += [row for row in others if row["unit"] == "simulations"]
    base = yardstick(rows)
    details = {
        game: {**detail(game, options, words.seconds), "cold compile CPU s": cold[game]}
        for game, options in first_shapes()
    }
    simulated = {
        game: {
            **steps(game, options, words.seconds),
            **simulations(game, options, words.seconds),
        }
        for game, options in first_shapes()
    }
    show(rows, base)
    show_by_game("Many games: decisions a second, one core", simulated)
    show_search(searches)
    show_by_game("From Python, and starting up", details)
    if words.json:
        report = {
            "rows": rows,
            "simulations": simulated,
            "search": searches,
            "goofspiel_in_c++": base,
            "details": details,
        }
        words.json.write_text(json.dumps(report, indent=1) + "\n")


def first_shapes() -> list[tuple[str, dict[str, Any]]]:
    """One shape of each installed game."""
    seen: dict[str, dict[str, Any]] = {}
    for game, options in SHAPES:
        if game in games():
            seen.setdefault(game, options)
    return list(seen.items())


if __name__ == "__main__":
    main()

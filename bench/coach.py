"""The coach, measured: are its chances true, does it tell skill, and how fast is it?

python bench/coach.py campaign --out bench/coach [--processes 2] [--seconds 3600] [--share 0.1]
python bench/coach.py fit --out bench/coach
python bench/coach.py report --out bench/coach [--write docs/coach.md]
python bench/coach.py speed [--threads 2] [--json bench/coach.json]

A campaign plays games between bots and writes a line a unit of work into `--out`; started again,
it goes on with what is missing. Every unit is the same wherever and whenever it runs.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import random
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pelagos import coach
from pelagos.bots import Budget, Player, decide, warm_up
from pelagos.coach.chances import Calibration
from pelagos.coach.study import DecisionStudy, PositionStudy
from pelagos.coach.walk import walk
from pelagos.engine.game import find_game, games
from pelagos.engine.match import Match
from pelagos.engine.types import Array

CALIBRATION_GAMES = 2000
POSITIONS = 10
"""So many of each game's positions are predicted, for a seat drawn by lot."""
CALIBRATION_ROUNDS = 2
MATCHES = 25
"""Matches of greedy and flat in each game."""
MATCH_GAMES = 20
BOTS = ("greedy", "flat")
LIGHT, STRONG = 60, 600
"""Simulations of flat's decisions: where its games are predicted, and where its skill is seen."""
TENTHS = 10
Z99 = 2.575829
POWERS = [number / 100 for number in range(70, 131)]
MIXES = [0, 0.0025, 0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.06]
MOST_ERROR = 0.03
SKILL_BAR = 0.95
START, END = "<!-- calibration -->", "<!-- end of calibration -->"


class Unit(NamedTuple):
    """A piece of work; its number says which games are played."""

    task: str
    game: str
    number: int


# --- games ----------------------------------------------------------------------------------------


def own_games() -> list[str]:
    """The games that Pelagos brings along."""
    return [name for name, game in games().items() if game.package.startswith("pelagos.")]


def players_of(game: str, most: int) -> int:
    """So many players, or as many as the game is for."""
    return min(most, max(find_game(game).players))


def played(game: str, bots: Sequence[str], seed: str, simulations: int) -> Match:
    """A whole game between bots."""
    budget = Budget(simulations=simulations)
    match = Match.new(game, players=len(bots), seed=seed, names=list(bots))
    players = [Player(bot) for bot in bots]
    while not match.over:
        seat = match.pending[0]
        match.play(seat, decide(match, seat, players[seat], budget).action)
    return match


# --- are the chances true? ------------------------------------------------------------------------


def calibration(game: str, number: int) -> dict[str, Any]:
    """Predictions from one game, every other one between stronger bots, and what was won."""
    bot = "flat" if number % 2 else "greedy"
    match = played(game, [bot] * players_of(game, 3), f"calibration/{number}", LIGHT)
    steps = walk(match)[:-1]
    lots = random.Random(number)
    predictions = []
    for step in sorted(lots.sample(range(len(steps)), min(POSITIONS, len(steps)))):
        study = PositionStudy(steps[step].position)
        for round_number in range(1, CALIBRATION_ROUNDS + 1):
            study.run(round_number)
        seat = lots.randrange(match.players)
        won = (seat in match.winners) / len(match.winners)
        shares = [round(float(share), 5) for share in study.shares]
        predictions.append({"chances": shares, "seat": seat, "won": round(won, 5)})
    return {"bot": bot, "predictions": predictions}


class Tenth(NamedTuple):
    """A tenth of the predictions, and what was won of them."""

    predicted: float
    won: float
    low: float
    high: float

    @property
    def is_true(self) -> bool:
        """Is the prediction where it should be?"""
        near = abs(self.predicted - self.won) <= MOST_ERROR
        return near and self.low <= self.predicted <= self.high


def tenths(rows: Sequence[tuple[int, float, float]]) -> list[Tenth]:
    """Of (game, prediction, won): each tenth of the predictions, the lowest first."""
    ordered = sorted(rows, key=lambda row: (row[1], row[0]))
    edges = [len(ordered) * tenth // TENTHS for tenth in range(TENTHS + 1)]
    return [_tenth(ordered[a:b]) for a, b in pairwise(edges) if a < b]


def _tenth(rows: Sequence[tuple[int, float, float]]) -> Tenth:
    """Wilson's 99 % interval at the effective number of positions: those of one game hang together,
    so the rate varies more from game to game than from position to position.
    """
    count = len(rows)
    won = sum(row[2] for row in rows) / count
    by_game: dict[int, float] = defaultdict(float)
    for game, _, share in rows:
        by_game[game] += share - won
    clusters = len(by_game)
    squares = sum(rest**2 for rest in by_game.values()) * clusters / max(clusters - 1, 1)
    alone = won * (1 - won) / count
    effective = count / max(squares / count**2 / alone, 1.0) if alone else clusters
    z2 = Z99**2 / effective
    middle = (won + z2 / 2) / (1 + z2)
    half = math.sqrt(won * (1 - won) * z2 + z2**2 / 4) / (1 + z2)
    predicted = sum(row[1] for row in rows) / count
    return Tenth(predicted, won, max(middle - half, 0.0), min(middle + half, 1.0))


# --- does it tell skill? --------------------------------------------------------------------------


def skill(game: str, number: int) -> dict[str, Any]:
    """One game of a match between greedy and flat: what each lost, by the first answer."""
    bots = ["greedy", "flat"] if number % 2 else ["flat", "greedy"]
    match = played(game, bots, f"skill/{number}", STRONG)
    lost = dict.fromkeys(bots, 0)
    decisions = dict.fromkeys(bots, 0)
    for step in walk(match):
        for choosing in step.deciding:
            nobody = [-1] * match.players  # who else chose matters to worth, not to cost
            study = DecisionStudy(choosing.position, choosing.seat, choosing.action, nobody)
            study.run(1)
            bot = bots[choosing.seat]
            lost[bot] += max(round(10000 * study.more_win(study.best).mean), 0)
            decisions[bot] += 1
    return {"lost": lost, "decisions": decisions}


def matches(rows: dict[int, dict[str, Any]]) -> list[dict[str, float]]:
    """The whole matches among these games: what each bot lost a decision, in per cent."""
    whole = []
    for first in range(0, max(rows, default=-1) + 1, MATCH_GAMES):
        numbers = range(first, first + MATCH_GAMES)
        if all(number in rows for number in numbers):
            whole.append(
                {
                    bot: sum(rows[number]["lost"][bot] for number in numbers)
                    / sum(rows[number]["decisions"][bot] for number in numbers)
                    / 100
                    for bot in BOTS
                }
            )
    return whole


# --- a campaign -----------------------------------------------------------------------------------

TASKS = {"calibration": calibration, "skill": skill}
SIZES = {"calibration": CALIBRATION_GAMES, "skill": MATCHES * MATCH_GAMES}


def work(unit: Unit) -> tuple[Unit, dict[str, Any]]:
    """Do a unit of work."""
    return unit, TASKS[unit.task](unit.game, unit.number)


def get_ready(game: str) -> None:
    """Compile what a campaign needs of a game."""
    warm_up(find_game(game), BOTS)
    for task in TASKS.values():
        task(game, 10**6)


def file_of(folder: Path, unit: Unit) -> Path:
    return folder / f"{unit.task}-{unit.game}.jsonl"


def add(folder: Path, unit: Unit, row: dict[str, Any]) -> None:
    """Write down what came of a unit, on a line of its own whatever happened before."""
    path = file_of(folder, unit)
    cut_short = path.exists() and not path.read_bytes().endswith(b"\n")
    with path.open("a") as file:
        file.write("\n" * cut_short + json.dumps({"number": unit.number, **row}) + "\n")


def done(folder: Path, task: str, game: str) -> dict[int, dict[str, Any]]:
    """What a folder has of a task, by number; a line that was cut short doesn't count."""
    path = file_of(folder, Unit(task, game, 0))
    rows = {}
    for line in path.read_text().splitlines() if path.exists() else ():
        try:
            row = json.loads(line)
        except json.JSONDecodeError:
            continue
        rows[row["number"]] = row
    return rows


def missing(folder: Path, names: Sequence[str], share: float) -> list[Unit]:
    """What is left to do, evenly: whenever it is stopped, every game has about the same part."""
    units = []
    for task, size in SIZES.items():
        count = max(round(size * share), 1)
        for game in names:
            have = done(folder, task, game)
            units += [
                (number / count, Unit(task, game, number))
                for number in range(count)
                if number not in have
            ]
    return [unit for _, unit in sorted(units)]


def campaign(
    folder: Path, names: Sequence[str], processes: int, seconds: float, share: float
) -> None:
    """Do what is missing, until it is done or the time is over."""
    start = time.monotonic()
    folder.mkdir(parents=True, exist_ok=True)
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(processes, len(names)), context) as pool:
        list(pool.map(get_ready, names))
    print(f"ready after {time.monotonic() - start:.0f} s", flush=True)
    units = missing(folder, names, share)
    left = iter(units)
    finished = 0
    with ProcessPoolExecutor(processes, context) as pool:
        running: set[Future[tuple[Unit, dict[str, Any]]]] = set()
        while True:
            while len(running) < 2 * processes and time.monotonic() - start < seconds:
                unit = next(left, None)
                if unit is None:
                    break
                running.add(pool.submit(work, unit))
            if not running:
                break
            ended, running = wait(running, return_when=FIRST_COMPLETED)
            for future in ended:
                unit, row = future.result()
                add(folder, unit, row)
                finished += 1
                if finished % 500 == 0:
                    elapsed = time.monotonic() - start
                    print(f"{finished} of {len(units)} after {elapsed:.0f} s", flush=True)
    print(f"{finished} of {len(units)} done after {time.monotonic() - start:.0f} s")


# --- what came of it ------------------------------------------------------------------------------


def report(folder: Path, names: Sequence[str]) -> str:
    """Both results in Markdown."""
    return "\n".join([*_calibration_report(folder, names), "", *_skill_report(folder, names)])


class Predictions(NamedTuple):
    """Positions of a game's games: which game, all seats' shares, the seat asked for, and what it
    won.
    """

    numbers: Array
    shares: Array
    seats: Array
    won: Array

    def part(self, which: Array) -> Predictions:
        """Some of them."""
        return Predictions(*(column[which] for column in self))

    def chances(self, calibration: Calibration) -> Array:
        """What is predicted for the seats asked for."""
        rows = zip(self.shares.tolist(), self.seats, strict=True)
        return np.array([calibration.apply(shares)[seat] for shares, seat in rows])


def predictions(folder: Path, game: str) -> Predictions:
    """What a campaign has predicted, uncalibrated."""
    rows = [
        (number, row["chances"], row["seat"], row["won"])
        for number, played_game in sorted(done(folder, "calibration", game).items())
        for row in played_game["predictions"]
    ]
    if not rows:
        return Predictions(*(np.zeros((0, 1)) for _ in range(4)))
    numbers, shares, seats, won = zip(*rows, strict=True)
    return Predictions(np.array(numbers), np.array(shares), np.array(seats), np.array(won))


def fit(known: Predictions) -> Calibration:
    """The calibration under which what happened is likeliest."""

    def surprise(calibration: Calibration) -> float:
        chances = np.clip(known.chances(calibration), 1e-5, 1 - 1e-5)
        likely = known.won * np.log(chances) + (1 - known.won) * np.log(1 - chances)
        return -float(likely.mean())

    return min((Calibration(power, mix) for power in POWERS for mix in MIXES), key=surprise)


def out_of_sample(known: Predictions) -> list[tuple[int, float, float]]:
    """(game, prediction, won), each half of the games calibrated by what the other half says."""
    rows: list[tuple[int, float, float]] = []
    if not len(known.won):
        return rows
    half = known.numbers // 2 % 2  # games of both bots in either
    for part in (0, 1):
        judged = known.part(half == part)
        chances = judged.chances(fit(known.part(half != part)))
        rows += zip(judged.numbers.tolist(), chances.tolist(), judged.won.tolist(), strict=True)
    return rows


def failures(folder: Path, names: Sequence[str]) -> list[str]:
    """Bars that aren't cleared: chances that aren't true, and skill that isn't told."""
    faults = [
        f"{game}: of {tenth.predicted:.1%} predicted, {tenth.won:.1%} won"
        for game in names
        for tenth in tenths(out_of_sample(predictions(folder, game)))
        if not tenth.is_true
    ]
    whole = [match for game in names for match in matches(done(folder, "skill", game))]
    better = sum(match["flat"] < match["greedy"] for match in whole)
    if better < SKILL_BAR * len(whole):
        faults.append(f"flat is better in {better} of {len(whole)} matches")
    return faults


def _calibration_report(folder: Path, names: Sequence[str]) -> Iterator[str]:
    yield "| tenth | " + " | ".join(names) + " |"
    yield "|---|" + "---|" * len(names)
    columns, counts = [], []
    for game in names:
        known = predictions(folder, game)
        rows = out_of_sample(known)
        columns.append(tenths(rows))
        counts.append(f"{len(rows):,} of {len({row[0] for row in rows}):,}")
    for number in range(TENTHS):
        cells = []
        for column in columns:
            if number >= len(column):
                cells.append("")
                continue
            tenth = column[number]
            mark = "" if tenth.is_true else " **!**"
            inside = f"{100 * tenth.low:.1f}–{100 * tenth.high:.1f}"
            cells.append(f"{100 * tenth.predicted:.1f} → {100 * tenth.won:.1f} ({inside}){mark}")
        yield f"| {number + 1} | " + " | ".join(cells) + " |"
    yield "| positions of games | " + " | ".join(counts) + " |"
    worst = [
        max((abs(tenth.predicted - tenth.won) for tenth in column), default=1.0)
        for column in columns
    ]
    yield "| largest error | " + " | ".join(f"{100 * error:.1f}" for error in worst) + " |"


def _skill_report(folder: Path, names: Sequence[str]) -> Iterator[str]:
    yield "| game | matches | flat is better | flat loses a decision | greedy loses |"
    yield "|---|---|---|---|---|"
    for game in names:
        whole = matches(done(folder, "skill", game))
        better = sum(match["flat"] < match["greedy"] for match in whole)
        count = max(len(whole), 1)
        mean = {bot: sum(match[bot] for match in whole) / count for bot in BOTS}
        yield (
            f"| {game} | {len(whole)} | {better} | {mean['flat']:.2f} % | {mean['greedy']:.2f} % |"
        )


def write(path: Path, text: str) -> None:
    """Put the report between its marks."""
    page = path.read_text(encoding="utf-8")
    before, _, rest = page.partition(START)
    _, _, after = rest.partition(END)
    path.write_text(f"{before}{START}\n\n{text}\n\n{END}{after}", encoding="utf-8")


# --- speed ----------------------------------------------------------------------------------------


def speed(threads: int, game: str = "ecosystem", players: int = 3) -> dict[str, Any]:
    """How long the first answer and the whole analysis of a game take, rules loaded."""
    bots = ["flat", "greedy", "flat"][:players]
    match = played(game, bots, "speed", LIGHT)
    list(coach.analyse(match.at(8), 1, threads))  # compiles, or loads
    start, seconds = time.perf_counter(), []
    documents = []
    for document in coach.analyse(match, threads=threads):
        seconds.append(round(time.perf_counter() - start, 1))
        documents.append(document)
    return {
        "game": game,
        "players": players,
        "threads": threads,
        "decisions": len(documents[-1]["decisions"]),
        "playouts": documents[-1]["budget"]["playouts"],
        "first_seconds": seconds[0],
        "full_seconds": seconds[-1],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", choices=("campaign", "fit", "report", "speed"))
    parser.add_argument("--out", type=Path, default=Path("bench/coach"))
    parser.add_argument("--games", default=",".join(own_games()))
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--check", action="store_true", help="fail where a bar isn't cleared")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    names = asked.games.split(",")
    if asked.command == "campaign":
        campaign(asked.out, names, asked.processes, asked.seconds, asked.share)
    if asked.command == "speed":
        row = speed(asked.threads)
        print(json.dumps(row, indent=1))
        if asked.json:
            asked.json.write_text(json.dumps(row, indent=1) + "\n")
        return
    if asked.command == "fit":
        for game in names:
            power, mix = fit(predictions(asked.out, game))
            print(f"{game}/coach.toml: power = {power}, mix = {mix}")
        return
    text = report(asked.out, names)
    print(text)
    if asked.write:
        write(asked.write, text)
    if asked.check and (faults := failures(asked.out, names)):
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()

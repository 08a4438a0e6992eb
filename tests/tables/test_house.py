"""What the server tells of itself."""

from __future__ import annotations

import random
import subprocess
import sys

import httpx

from pelagos.engine.game import games
from tabling import ROOT, Server, gather, listen


def test_the_house_tells_games_bots_health_and_numbers(server: Server) -> None:
    people = gather(server.url, "minnows", 2)
    heard = listen(people[1])
    next(heard)
    people[0].step(random.Random(0))
    next(heard)
    metrics = server.metrics()
    assert "pelagos_move_to_stream_seconds_bucket" in metrics
    assert "pelagos_streams" in metrics
    assert httpx.get(f"{server.url}/health").json() == {"ok": True}
    ids = [game["id"] for game in httpx.get(f"{server.url}{ROOT}/games").json()["games"]]
    assert ids == list(games())
    assert len(httpx.get(f"{server.url}{ROOT}/bots").json()["bots"]) >= 3


def test_the_help_loads_neither_rules_nor_server() -> None:
    code = "import sys, pelagos.cli; print([m for m in ('numba', 'fastapi', 'sqlalchemy') "
    code += "if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

"""One source at three speeds: interpreted and compiled rules give the same bytes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from conftest import SOAK, shapes
from engine.tracing import trace
from pelagos.engine.game import Game

pytestmark = pytest.mark.thorough
GAMES = 5_000 if SOAK else 48
"""Whole games for each game, over all its shapes."""


def test_interpreted_and_compiled_rules_agree_move_by_move(
    game: Game, options: dict[str, Any]
) -> None:
    count = -(-GAMES // len(list(shapes(game))))
    script = Path(__file__).with_name("tracing.py")
    interpreted = subprocess.run(
        [sys.executable, str(script), game.id, json.dumps(options), "0", str(count)],
        env={**os.environ, "PELAGOS_INTERPRETED": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert interpreted.stdout.split("\n")[:-1] == trace(game.id, options, 0, count)

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
COUNTED = 1 if SOAK else 6
"""Of a game's positions, the points of one of so many are compared: interpreted, they take long."""


def test_interpreted_and_compiled_rules_agree_move_by_move(
    game: Game, options: dict[str, Any]
) -> None:
    numbers = (0, -(-GAMES // len(list(shapes(game)))), COUNTED)
    script = Path(__file__).with_name("tracing.py")
    interpreted = subprocess.run(
        [sys.executable, str(script), game.id, json.dumps(options), *map(str, numbers)],
        env={**os.environ, "PELAGOS_INTERPRETED": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert interpreted.stdout.split("\n")[:-1] == trace(game.id, options, *numbers)

"""Plans and games for the tests of the arena."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from pelagos.arena.matches import Played
from pelagos.arena.plan import Plan
from pelagos.arena.standings import Standings
from pelagos.bots import Budget
from pelagos.engine.game import find_game

QUICK = Budget(simulations=5)


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


def as_text(standings: Standings) -> str:
    return json.dumps(standings.as_json(times=False))


def pelagos(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "pelagos.cli", *arguments]

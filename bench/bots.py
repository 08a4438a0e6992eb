"""Bots: simulations a second on one core, and how far time budgets are overrun.

python bench/bots.py [--json] [--games ecosystem,oceanos] [--milliseconds 20]
"""

from __future__ import annotations

import argparse
import json
import time
from functools import cache
from typing import Any

import numpy as np

from pelagos.bots import Budget, bot_stream, find_bot
from pelagos.bots.flat import Flat
from pelagos.bots.search import Search
from pelagos.engine.game import find_game, games
from pelagos.engine.match import Match
from pelagos.engine.position import Position

THINKERS: dict[str, type[Flat] | type[Search]] = {"flat": Flat, "search": Search}
POSITIONS = 40


@cache
def positions(game: str, players: int, count: int = POSITIONS) -> list[tuple[Position, int]]:
    """Decisions with a choice, spread over greedy games; the seat's view of each."""
    asked_at: list[tuple[Position, int]] = []
    deal = 0
    while len(asked_at) < 3 * count:
        match = Match.new(game, players=players, seed=f"bench {deal}")
        deal += 1
        greedy = find_bot("greedy")
        while not match.over:
            seat = match.pending[0]
            stream = bot_stream(b"bench", seat, len(match.history))
            given = match.position.redeal(seat, stream)
            if len(match.legal(seat)) > 1:
                asked_at.append((given.copy(), seat))
            match.play(seat, greedy.choose(given, seat, stream, Budget(simulations=1)))
    step = len(asked_at) // count
    return asked_at[::step][:count]


def simulations(game: str, players: int, bot: str, budget: int = 200) -> dict[str, Any]:
    """Whole simulations (redeal, descend, play out, back up) a CPU second, over a game."""
    spots = positions(game, players)
    spent, done = 0.0, 0
    for number, (position, seat) in enumerate([spots[0], *spots]):
        thinker = THINKERS[bot]()
        stream = bot_stream(b"bench", seat, number)
        start = time.process_time()
        thoughts = thinker.explain(position.copy(), seat, stream, Budget(simulations=budget))
        if number:  # the first one loads the rules
            spent += time.process_time() - start
            done += sum(thought.visits for thought in thoughts)
    return {
        "game": game,
        "players": players,
        "bot": bot,
        "simulations_per_second": round(done / spent),
    }


def overrun(
    game: str, players: int, bot: str, milliseconds: float, rounds: int = 5
) -> dict[str, Any]:
    """By how many milliseconds decisions overrun their budget."""
    budget = Budget(milliseconds=milliseconds)
    spots = positions(game, players)
    late = []
    for number, (position, seat) in enumerate([spots[0], *(spots * rounds)]):
        thinker = THINKERS[bot]()
        stream = bot_stream(b"bench", seat, number)
        given = position.copy()
        start = time.perf_counter()
        thinker.choose(given, seat, stream, budget)
        if number:
            late.append(1000 * (time.perf_counter() - start) - milliseconds)
    return {
        "game": game,
        "players": players,
        "bot": bot,
        "budget_ms": milliseconds,
        "decisions": len(late),
        "overrun_ms_p50": round(float(np.percentile(late, 50)), 3),
        "overrun_ms_p99": round(float(np.percentile(late, 99)), 3),
        "overrun_ms_most": round(max(late), 3),
    }


def rows(names: list[str], milliseconds: float) -> list[dict[str, Any]]:
    """Everything, a row for each game and bot."""
    measured = []
    for name in names:
        players = 2 if 2 in find_game(name).players else find_game(name).default_players
        for bot in THINKERS:
            row = simulations(name, players, bot)
            row.update(overrun(name, players, bot, milliseconds))
            measured.append(row)
    return measured


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--games", default=",".join(games()))
    parser.add_argument("--milliseconds", type=float, default=20)
    asked = parser.parse_args()
    measured = rows(asked.games.split(","), asked.milliseconds)
    if asked.json:
        print(json.dumps(measured, indent=1))
        return
    print(f"{'game':<10} {'bot':<7} {'sims/s':>8} {'overrun p50':>12} {'p99':>8} {'most':>8}  ms")
    for row in measured:
        print(
            f"{row['game']:<10} {row['bot']:<7} {row['simulations_per_second']:>8}"
            f" {row['overrun_ms_p50']:>12} {row['overrun_ms_p99']:>8} {row['overrun_ms_most']:>8}"
        )


if __name__ == "__main__":
    main()

"""What a beginner scores against each creature of the ladder: `games/<id>/ladder.json`, measured.

    python tools/measure_ladder.py [GAME …] [--games 40] [--seconds 1200] [--write]

The beginner does what looks best, as `greedy` does, in two of three decisions, and anything in the
third. It sits at a table of the game's usual number of players, in each seat in turn, and all the
others are the creature. Deals and streams follow from fixed seeds, so that a creature with a budget
of simulations gives the same numbers again; one with a clock depends on the machine.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from pathlib import Path

from pelagos.bots import LADDER, Creature, Player, Question, decide, find_bot, warm_up
from pelagos.bots.budget import ONE_SIMULATION
from pelagos.engine.game import Game, find_game, games
from pelagos.engine.match import Match
from pelagos.engine.stream import below

STRAY = 3
"""The beginner does anything in one of so many decisions."""
ROOT = Path(__file__).parent.parent / "src/pelagos/games"
FILE = "ladder.json"


def beginner_moves(match: Match, seat: int) -> int:
    """What the beginner does."""
    question = Question.ask(match, seat, ONE_SIMULATION)
    legal = question.position.legal(seat)
    if len(legal) == 1:
        return legal[0]
    if below(question.stream, STRAY) == 0:
        return legal[below(question.stream, len(legal))]
    greedy = find_bot("greedy")
    return int(greedy.choose(question.position, seat, question.stream, ONE_SIMULATION))


def play(game: Game, creature: Creature, number: int) -> tuple[int, float, float]:
    """A game's end: the beginner's points, the creatures' mean, and the beginner's share of it."""
    players = game.default_players
    match = Match.new(game, players=players, seed=f"ladder/{number // players}")
    own = number % players
    bots = {seat: Player(creature.bot) for seat in range(players) if seat != own}
    while not match.over:
        seat = match.pending[0]
        if seat == own:
            match.play(seat, beginner_moves(match, seat))
        else:
            match.play(seat, decide(match, seat, bots[seat], creature.budget).action)
    others = [score for seat, score in enumerate(match.scores) if seat != own]
    won = 1 / len(match.winners) if own in match.winners else 0.0
    return int(match.scores[own]), statistics.mean(others), won


def measure(game: Game, creature: Creature, most: int, seconds: float) -> dict[str, float]:
    """Several games, as many as the time allows, but one in each seat at least."""
    warm_up(game, [creature.bot, "greedy"])
    began = time.monotonic()
    ends: list[tuple[int, float, float]] = []
    while len(ends) < most:
        enough = len(ends) >= 2 * game.default_players
        if enough and time.monotonic() - began > seconds:
            break
        ends.append(play(game, creature, len(ends)))
    beginner, others, won = (statistics.mean(column) for column in zip(*ends, strict=True))
    spread = statistics.stdev(end[0] for end in ends) / len(ends) ** 0.5
    return {
        "beginner": round(beginner, 1),
        "creature": round(others, 1),
        "wins": round(won, 3),
        "error": round(spread, 1),
        "games": len(ends),
    }


def main() -> None:
    """Measure, and print or write what came out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="*")
    parser.add_argument("--games", type=int, default=40, help="of each creature, at most")
    parser.add_argument("--seconds", type=float, default=1200.0, help="for each creature")
    parser.add_argument("--write", action="store_true", help=f"into the games' {FILE}")
    asked = parser.parse_args()
    for game in [find_game(name) for name in asked.game] or list(games().values()):
        if game.default_players < 2 or not (ROOT / game.id).is_dir():
            continue
        measured: dict[str, object] = {"players": game.default_players, "against": {}}
        for creature in LADDER:
            result = measure(game, creature, asked.games, asked.seconds)
            measured["against"] = {**dict(measured["against"]), creature.id: result}  # type: ignore[call-overload]
            print(game.id, creature.id, result, file=sys.stderr, flush=True)
        text = json.dumps(measured, indent=1) + "\n"
        if asked.write:
            (ROOT / game.id / FILE).write_text(text, encoding="utf-8")
        else:
            print(text)


if __name__ == "__main__":
    main()

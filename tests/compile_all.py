"""Compile what the tests' processes are about to ask for: once, not each for itself.

Rules, bots and loops over games of every game, and its module of WebAssembly; what is in the cache
already is only looked for.
"""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import suppress

from pelagos.bots import LADDER, pocket, warm_up
from pelagos.bots.whole_games import BotGames
from pelagos.engine.batch import Batch
from pelagos.engine.game import Game, find_game, games
from pelagos.engine.pack import default_pack
from pelagos.tables.compiling import note
from pelagos.tables.service import RULES
from pelagos.web import vendor

PROCESSES = 2


def compile_module(name: str) -> None:
    pocket.module(find_game(name))


def compile_rules(name: str) -> None:
    game = find_game(name)
    for step in (RULES, *dict.fromkeys(creature.bot for creature in LADDER)):
        warm_up(game, [step] if step else [])
        note((name, step))
    compile_loops(game)


def compile_loops(game: Game) -> None:
    """The loops over games that tests run in many shapes."""
    batch = Batch(game, 2, seed="compile")
    batch.play_out()
    assert len(batch.states) == 2  # dealt and played again
    stepped = Batch(game, 2, seed="compile")
    stepped.step(stepped.masks.argmax(axis=1))
    options, pack = game.check_options({}), default_pack(game)
    for bots in (["greedy"], ["greedy", "random"]):
        seats = [bots[seat % len(bots)] for seat in range(int(options["players"]))]
        if set(seats) == set(bots):
            BotGames(game, seats, 1, seed="compile", pack=pack, options=options).play_out()


def main() -> None:
    with suppress(vendor.NoPackages):  # the tests that need them say so
        vendor.ensure()
    with ProcessPoolExecutor(PROCESSES, multiprocessing.get_context("spawn")) as pool:
        jobs = {
            pool.submit(job, name): f"{what} of {name}"
            for job, what in ((compile_module, "module"), (compile_rules, "rules and bots"))
            for name in games()
        }
        print("Compiling (the first time takes some minutes) …", flush=True)
        for number, job in enumerate(as_completed(jobs), 1):
            job.result()
            print(f"· {jobs[job]} ({number} of {len(jobs)})", flush=True)


if __name__ == "__main__":
    main()

"""Batches on a GPU, beside Pgx in the same run: `python bench/gpu.py --json bench/gpu.json`.

Each game has a process of its own, so that all are compiled at once; the measuring itself is done
by one at a time. It needs `pelagos[gpu]`, and for the peers pgx with a JAX that sees the GPU.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
GAMES = {"ecosystem": 3, "oceanide": 3, "oceanos": 4, "ozeanien": 2}
"""With how many players each is measured."""
PEERS = {"connect_four": 4, "sparrow_mahjong": 16, "backgammon": 16}
"""Pgx's games, and after how many steps ended lanes are refilled."""
WHOLE_GAMES = 1 << 20
SLOTS = 1 << 17
STEPS = 40
LOCK = "PELAGOS_BENCH_LOCK"


@contextmanager
def alone() -> Iterator[None]:
    """Wait until nobody else measures."""
    with open(os.environ[LOCK], "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def quickest(work: Callable[[], None], wait: Callable[[], None], times: int = 5) -> float:
    """Seconds of the quickest of several runs, after a first that isn't counted."""
    best = float("inf")
    for run in range(times + 1):
        wait()
        start = time.perf_counter()
        work()
        wait()
        if run:
            best = min(best, time.perf_counter() - start)
    return best


def whole_games(game: str, players: int, wait: Callable[[], None]) -> Iterator[dict[str, Any]]:
    """From nothing to the results as NumPy's arrays: seeding, dealing, playing, scoring."""
    from pelagos import Batch

    Batch(game, 64, players=players, device="gpu").play_out()
    batches = []

    def work() -> None:
        batches[:] = [Batch(game, WHOLE_GAMES, players=players, device="gpu")]
        batches[0].play_out()

    with alone():
        seconds = quickest(work, wait)
    yield {"what": "whole games, end to end", "per_second": batches[0].decisions / seconds}


def steps(game: str, players: int, observe: str | None, cuda: Any) -> Iterator[dict[str, Any]]:
    """One decision in each game, with mask and observation; and with a random choice before it."""
    import numpy as np

    from pelagos import Batch

    batch = Batch(game, SLOTS, players=players, observe=observe, device="gpu")
    masks = cuda.as_cuda_array(batch.masks)
    words, actions = (cuda.to_device(np.arange(SLOTS)) for _ in range(2))

    @cuda.jit
    def choose(masks: Any, words: Any, actions: Any) -> None:
        index = cuda.grid(1)
        if index < masks.shape[0]:
            count = 0
            for action in range(masks.shape[1]):
                count += masks[index, action]
            words[index] = (words[index] * 1103515245 + 12345) & 0x7FFFFFFF
            which = (words[index] >> 8) % count
            for action in range(masks.shape[1]):
                if masks[index, action]:
                    if which == 0:
                        actions[index] = action
                        break
                    which -= 1

    def choosing() -> None:
        for _ in range(STEPS):
            choose[SLOTS // 128, 128](masks, words, actions)

    def playing() -> None:
        for _ in range(STEPS):
            choose[SLOTS // 128, 128](masks, words, actions)
            batch.step(actions)

    playing()
    with alone():
        for _ in range(4):  # so that games are at all stages
            playing()
        both, alone_seconds = (quickest(work, cuda.synchronize) for work in (playing, choosing))
    shown = f"mask and {observe}" if observe else "mask"
    decisions = SLOTS * STEPS
    yield {"what": f"step, {shown}", "per_second": decisions / (both - alone_seconds)}
    yield {"what": f"step, {shown}, random choice", "per_second": decisions / both}


def ours(game: str) -> Iterator[dict[str, Any]]:
    """All that is measured of a game."""
    from pelagos.engine.gpu import _cuda

    cuda = _cuda()
    players = GAMES[game]
    yield from whole_games(game, players, cuda.synchronize)
    for observe in ("raw", None, "float32"):
        yield from steps(game, players, observe, cuda)


def pgx(game: str) -> Iterator[dict[str, Any]]:
    """One of Pgx's games, in as many lanes. Its observation is dropped, to its gain."""
    from peers import Batch, pgx_loop

    play = pgx_loop(game, Batch(SLOTS, steps_between_refills=PEERS[game], refills=8))
    with alone():
        best = 0.0
        for _ in range(4):
            start = time.perf_counter()
            best = max(best, play() / (time.perf_counter() - start))
    yield {"what": "step, mask, random choice", "per_second": best}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--only", help="one of the games, in this process")
    parser.add_argument("--json", type=Path, help="write the numbers to this file too")
    options = parser.parse_args()
    if options.only:
        measure = ours if options.only in GAMES else pgx
        for row in measure(options.only):
            print(json.dumps({"game": options.only, **row}), flush=True)
        return
    with tempfile.NamedTemporaryFile() as lock:
        environment = {
            **os.environ,
            LOCK: lock.name,
            "PYTHONWARNINGS": "ignore",
            "XLA_PYTHON_CLIENT_PREALLOCATE": "false",
        }
        running = [
            subprocess.Popen(
                [sys.executable, __file__, "--only", game],
                env=environment,
                stdout=subprocess.PIPE,
                text=True,
            )
            for game in (*GAMES, *PEERS)
        ]
        rows = []
        for process in running:
            assert process.stdout is not None
            for line in process.stdout:
                rows.append(json.loads(line))
                print(
                    "{game:16} {what:40}".format(**rows[-1]),
                    f"{rows[-1]['per_second'] / 1e6:10.1f} M decisions a second",
                    flush=True,
                )
        failed = [process for process in running if process.wait()]
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))
    sys.exit(f"{len(failed)} games couldn't be measured" if failed else 0)


if __name__ == "__main__":
    main()

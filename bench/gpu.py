"""Batches on a GPU, beside Pgx in the same run: `python bench/gpu.py --json bench/gpu.json`.

Each line has a process of its own, so that all are compiled at once; the measuring itself is done
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
from itertools import product
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
GAMES = {"ecosystem": 3, "oceanide": 3, "oceanos": 4, "ozeanien": 2}
"""With how many players each is measured."""
PEERS = {"connect_four": 4, "sparrow_mahjong": 16, "backgammon": 16}
"""Pgx's games, and after how many steps ended lanes are refilled."""
OURS = ("whole games", "raw", "float32", "same bytes")
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


def steps(game: str, players: int, observe: str, cuda: Any) -> Iterator[dict[str, Any]]:
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
    decisions = SLOTS * STEPS
    yield {"what": f"step, mask, {observe}", "per_second": decisions / (both - alone_seconds)}
    yield {"what": f"step, mask, {observe}, random choice", "per_second": decisions / both}


def same_bytes(game: str, players: int) -> Iterator[dict[str, Any]]:
    """Are all arrays the same as a CPU's, step after step, with now and then an illegal action?"""
    import numpy as np

    from pelagos import Batch
    from pelagos.engine.turns import Shown

    cpu, gpu = (
        Batch(game, 256, players=players, observe="raw", finals=True, check=False, device=device)
        for device in ("cpu", "gpu")
    )
    choices = np.random.default_rng(1)
    is_same = True
    for _ in range(300):
        actions = (cpu.masks * choices.random(cpu.masks.shape)).argmax(axis=1)
        actions[choices.random(256) < 0.001] = -1
        cpu.step(actions)
        gpu.step(actions)
        for name in Shown._fields:
            is_same &= bool((getattr(gpu, name).copy_to_host() == getattr(cpu, name)).all())
    is_same &= cpu.states.tobytes() == gpu.states.tobytes()
    out = [Batch(game, 20_000, players=players, device=device) for device in ("cpu", "gpu")]
    is_same &= bool((out[0].play_out() == out[1].play_out()).all())
    yield {"what": "every byte as on the CPU", "is_same": is_same}


def ours(game: str, what: str) -> Iterator[dict[str, Any]]:
    """One thing that is measured of a game."""
    from pelagos.engine.gpu import _cuda

    cuda = _cuda()
    players = GAMES[game]
    if what == "whole games":
        yield from whole_games(game, players, cuda.synchronize)
    elif what == "same bytes":
        yield from same_bytes(game, players)
    else:
        yield from steps(game, players, what, cuda)


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


def written(row: dict[str, Any]) -> str:
    """A line of the report."""
    result = (
        f"{row['per_second'] / 1e6:10.1f} M decisions a second"
        if "per_second" in row
        else str(row["is_same"])
    )
    return f"{row['game']:16} {row['what']:32} {result}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--only", nargs=2, help="a game and what to measure, in this process")
    parser.add_argument("--json", type=Path, help="write the numbers to this file too")
    options = parser.parse_args()
    if options.only:
        game, what = options.only
        for row in ours(game, what) if game in GAMES else pgx(game):
            print(json.dumps({"game": game, **row}), flush=True)
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
                [sys.executable, __file__, "--only", game, what],
                env=environment,
                stdout=subprocess.PIPE,
                text=True,
            )
            for game, what in [*product(GAMES, OURS), *product(PEERS, ["pgx"])]
        ]
        rows = []
        for process in running:
            assert process.stdout is not None
            for line in process.stdout:
                rows.append(json.loads(line))
                print(written(rows[-1]), flush=True)
        failed = [process for process in running if process.wait()]
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))
    sys.exit(f"{len(failed)} games couldn't be measured" if failed else 0)


if __name__ == "__main__":
    main()

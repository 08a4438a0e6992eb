"""Batches on a GPU: one thread plays one game, by the very rules that the CPU runs."""

from __future__ import annotations

import time
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from pelagos.engine.doors import doors
from pelagos.engine.errors import PelagosError
from pelagos.engine.game import Game
from pelagos.engine.rule import INTERPRETED

if TYPE_CHECKING:
    from pelagos.engine.batch import Batch

THREADS = 256
"""Threads a block."""


def why_not() -> str:
    """Why no GPU can be used here; empty if one can."""
    if INTERPRETED:
        return "rules are interpreted (PELAGOS_INTERPRETED is set)"
    try:
        cuda = _cuda()
    except ImportError as error:
        return f"numba-cuda is missing ({error}); install pelagos[gpu]"
    try:
        if not cuda.is_available():
            return "no CUDA device, driver or toolkit was found"
    except Exception as error:  # a driver can fail in ways of its own
        return f"CUDA doesn't start: {error}"
    return ""


def _cuda() -> Any:
    # Newer NumPy dropped names that numba-cuda still asks for when it is imported.
    for old, new in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
        if not hasattr(np, old):
            setattr(np, old, getattr(np, new))
    from numba import cuda

    return cuda


@cache
def _kernel(game: Game, room_size: int, players: int) -> Any:
    import numba

    from pelagos.engine.batch import whole_games

    cuda = _cuda()
    rules = whole_games(doors(game).rules)
    play_out_rule, count_up_rule = rules.play_out, rules.count_up
    state = numba.from_dtype(game.part("state").STATE)
    number = numba.int64

    @cuda.jit
    def kernel(
        states: Any, packs: Any, streams: Any, lines: Any, totals: Any, won: Any, lengths: Any
    ) -> None:
        index = cuda.grid(1)
        if index < states.shape[0]:
            room = cuda.local.array(room_size, number)
            sums = cuda.local.array(players, number)
            games = cuda.local.array(1, state)
            games[0] = states[index]
            lengths[index] += play_out_rule(games[0], packs[0], streams[index], room)
            won[index] = count_up_rule(games[0], packs[0], room, lines, sums)
            for seat in range(players):
                totals[index, seat] = sums[seat]
            states[index] = games[0]

    return kernel


def play_out(batch: Batch) -> None:
    """Play a batch to its end on the GPU."""
    reason = why_not()
    if reason:
        raise PelagosError(f"No GPU can be used here: {reason}.")
    cuda = _cuda()
    kernel = _kernel(batch.game, batch._rooms.shape[1], batch.players)
    states = cuda.to_device(np.ascontiguousarray(batch.states))
    packs = cuda.to_device(batch.pack.data.copy())
    streams = cuda.to_device(batch.streams)
    totals = cuda.to_device(batch.totals)
    won = cuda.to_device(batch.won)
    lengths = cuda.to_device(batch.lengths)
    blocks = (batch.count + THREADS - 1) // THREADS
    arguments = (states, packs, streams, len(batch.lines), totals, won, lengths)
    compiled = kernel.specialize(*arguments) if not kernel.specialized else kernel
    cuda.synchronize()
    wall = time.perf_counter()
    compiled[blocks, THREADS](*arguments)
    cuda.synchronize()
    batch.seconds += time.perf_counter() - wall
    states.copy_to_host(batch.states)
    streams.copy_to_host(batch.streams)
    totals.copy_to_host(batch.totals)
    won.copy_to_host(batch.won)
    lengths.copy_to_host(batch.lengths)

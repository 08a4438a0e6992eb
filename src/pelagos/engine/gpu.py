"""Batches on a GPU: one thread plays one game, by the very rules that the CPU runs."""

from __future__ import annotations

import warnings
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from pelagos.engine.doors import doors
from pelagos.engine.errors import PelagosError, text
from pelagos.engine.game import Game
from pelagos.engine.rule import INTERPRETED
from pelagos.engine.types import MOST_SEATS, Array

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
def _kernels(game: Game, room_size: int) -> SimpleNamespace:
    """One kernel for each thing that a batch does; thread i has game i."""
    import numba

    from pelagos.engine.batch import whole_games

    cuda = _cuda()
    rules = whole_games(doors(game).rules)
    start_rule, play_out_rule, count_up_rule = rules.start, rules.play_out, rules.count_up
    mark_rule, play_rule = rules.mark, rules.play
    state = numba.from_dtype(game.part("state").STATE.dtype)
    number = numba.int64

    @cuda.jit
    def start(states: Any, packs: Any, places: Any) -> None:
        index = cuda.grid(1)
        if index < places.shape[0]:
            room = cuda.local.array(room_size, number)
            start_rule(states[places[index]], packs[0], room)

    @cuda.jit
    def play_out(states: Any, packs: Any, streams: Any, lengths: Any) -> None:
        index = cuda.grid(1)
        if index < states.shape[0]:
            room = cuda.local.array(room_size, number)
            games = cuda.local.array(1, state)
            games[0] = states[index]
            lengths[index] += play_out_rule(games[0], packs[0], streams[index], room)
            states[index] = games[0]

    @cuda.jit
    def count_up(states: Any, packs: Any, lines: Any, which: Any, totals: Any, won: Any) -> None:
        index = cuda.grid(1)
        if index < states.shape[0] and which[index]:
            room = cuda.local.array(room_size, number)
            sums = cuda.local.array(MOST_SEATS, number)
            won[index] = count_up_rule(states[index], packs[0], room, lines, sums)
            for seat in range(totals.shape[1]):
                totals[index, seat] = sums[seat]

    @cuda.jit
    def mark(states: Any, packs: Any, masks: Any, seats: Any) -> None:
        index = cuda.grid(1)
        if index < states.shape[0]:
            room = cuda.local.array(room_size, number)
            seats[index] = mark_rule(states[index], packs[0], room, masks[index])

    @cuda.jit
    def step(states: Any, packs: Any, seats: Any, actions: Any) -> None:
        index = cuda.grid(1)
        if index < states.shape[0] and seats[index] >= 0:
            play_rule(states[index], packs[0], seats[index], actions[index])

    return SimpleNamespace(start=start, play_out=play_out, count_up=count_up, mark=mark, step=step)


class Gpu:
    """A batch's games on the GPU. They stay there; `fetch` brings the states back."""

    def __init__(self, batch: Batch) -> None:
        reason = why_not()
        if reason:
            raise PelagosError(text("refuse.no_gpu", reason=reason))
        self._cuda = _cuda()
        self._batch = batch
        self._kernels = _kernels(batch.game, batch.room_size)
        self._packs = self._cuda.to_device(batch.pack.data.copy())
        self._states = self._cuda.to_device(batch.states)
        self._streams = self._cuda.to_device(batch.streams)

    def _launch(self, kernel: Any, count: int, *arguments: Any) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # small batches leave a GPU idle; that's no mistake
            kernel[(count + THREADS - 1) // THREADS, THREADS](*arguments)
        self._cuda.synchronize()

    def start(self, places: Array) -> None:
        """Shuffle and deal the games at these places, which the host has seeded."""
        self._states.copy_to_device(self._batch.states)
        self._streams.copy_to_device(self._batch.streams)
        self._launch(self._kernels.start, len(places), self._states, self._packs, places)
        self.fetch()

    def fetch(self) -> None:
        """Bring states and streams back to the host's arrays."""
        self._states.copy_to_host(self._batch.states)
        self._streams.copy_to_host(self._batch.streams)

    def play_out(self) -> None:
        """Play every game to its end."""
        batch = self._batch
        self._launch(
            self._kernels.play_out,
            batch.count,
            self._states,
            self._packs,
            self._streams,
            batch.lengths,
        )

    def count_up(self, which: Array) -> None:
        """Score these games."""
        batch = self._batch
        self._launch(
            self._kernels.count_up,
            batch.count,
            self._states,
            self._packs,
            len(batch.lines),
            which,
            batch.totals,
            batch.won,
        )

    def mark(self) -> None:
        """Write who owes a decision and what is legal."""
        batch = self._batch
        arguments = (self._states, self._packs, batch.masks, batch.seats)
        self._launch(self._kernels.mark, batch.count, *arguments)

    def step(self, actions: Array) -> None:
        """Make one decision in every game."""
        batch = self._batch
        arguments = (self._states, self._packs, batch.seats, actions)
        self._launch(self._kernels.step, batch.count, *arguments)

"""Batches on a GPU: one thread plays one game, by the very rules that the CPU runs."""

from __future__ import annotations

from functools import cache, cached_property
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from pelagos.engine.arrays import new_states
from pelagos.engine.dlpack import CUDA, Lent
from pelagos.engine.errors import PelagosError, short, text
from pelagos.engine.game import Game
from pelagos.engine.rewards import Reward
from pelagos.engine.rule import INTERPRETED
from pelagos.engine.turns import Chooser, Expand, Shown, Tables, first_illegal, play_outs, steps
from pelagos.engine.types import MOST_SEATS, Array

if TYPE_CHECKING:
    from pelagos.engine.batch import Plan

WHOLE_GAMES_BLOCK = 512
STEP_BLOCK = 256
"""Threads a block, each as measured to be best."""
DEFAULT_STREAM, NO_STREAM = 1, -1
"""DLPack's numbers of CUDA's default stream, and of none."""


def stream_address(stream: Any) -> int:
    """Where a CUDA stream lies, of whichever library it is; 0: nobody named one."""
    if stream is None:
        return 0
    for name in ("__cuda_stream__", "cuda_stream", "ptr"):  # cuda.core and others, torch, CuPy
        if hasattr(stream, name):
            stream = getattr(stream, name)
            break
    if callable(stream):
        stream = stream()
    if isinstance(stream, tuple):  # a version, and the address
        stream = stream[-1]
    try:
        return int(stream)
    except (TypeError, ValueError):
        raise PelagosError(text("refuse.stream", stream=short(stream))) from None


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
    from numba import config, cuda

    # Small batches leave a GPU idle; that is no mistake.
    config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # type: ignore[attr-defined]
    return cuda


@cache
def play_out_kernels(game: Game, choosers: tuple[Chooser, ...], room_size: int) -> SimpleNamespace:
    """Thread i plays game i, in memory of its own."""
    import numba

    cuda = _cuda()
    rules = play_outs(game, choosers)
    deal, finish = rules.deal, rules.finish
    state, number, word = numba.from_dtype(_state(game)), numba.int32, numba.uint64

    @cuda.jit
    def whole_games(setup: Any, tables: Any, shown: Any) -> None:
        index = cuda.grid(1)
        if index < tables.numbers.shape[0]:
            room = cuda.local.array(room_size, number)
            totals = cuda.local.array(MOST_SEATS, number)
            stream = cuda.local.array(4, word)
            states = cuda.local.array(1, state)
            deal(states, 0, setup, tables.numbers[index], stream, room)
            decisions, won = finish(states[0], setup, stream, room, totals)
            tables.lengths[index] = decisions
            shown.won[index] = won
            for seat in range(shown.totals.shape[1]):
                shown.totals[index, seat] = totals[seat]

    @cuda.jit
    def play_out(setup: Any, tables: Any, shown: Any) -> None:
        index = cuda.grid(1)
        if index < tables.numbers.shape[0]:
            room = cuda.local.array(room_size, number)
            totals = cuda.local.array(MOST_SEATS, number)
            states = cuda.local.array(1, state)
            states[0] = tables.states[index]
            decisions, won = finish(states[0], setup, tables.streams[index], room, totals)
            tables.lengths[index] += decisions
            shown.won[index] = won
            for seat in range(shown.totals.shape[1]):
                shown.totals[index, seat] = totals[seat]
            tables.states[index] = states[0]

    return SimpleNamespace(whole_games=whole_games, play_out=play_out)


@cache
def step_kernels(
    game: Game,
    choosers: tuple[Chooser, ...],
    reward: Reward,
    expand: Expand | None,
    room_size: int,
    raw_size: int,
) -> SimpleNamespace:
    """Thread i has game i."""
    import numba

    cuda = _cuda()
    rules = steps(game, choosers, reward, expand)
    open_game, step_rule = rules.open_game, rules.step
    raw_size = raw_size if expand is not None else 1
    number, small = numba.int32, numba.int16

    @cuda.jit
    def start(setup: Any, tables: Any, shown: Any) -> None:
        index = cuda.grid(1)
        if index < tables.numbers.shape[0]:
            room = cuda.local.array(room_size, number)
            raw = cuda.local.array(raw_size, small)
            open_game(tables.states, index, setup, tables, shown, index, room, raw)

    @cuda.jit
    def step(setup: Any, tables: Any, shown: Any, actions: Any) -> None:
        index = cuda.grid(1)
        if index < tables.numbers.shape[0]:
            room = cuda.local.array(room_size, number)
            raw = cuda.local.array(raw_size, small)
            action = int(actions[index])
            step_rule(tables.states, index, setup, tables, shown, index, action, room, raw)

    return SimpleNamespace(start=start, step=step)


def _state(game: Game) -> Any:
    return new_states(game, 1).dtype


class Gpu:
    """A batch's games on the GPU. All arrays stay there until somebody asks for them at home.

    Arrays of two axes lie column by column, so that neighbouring threads write side by side.
    """

    def __init__(self, plan: Plan, numbers: Array, stream: Any = None) -> None:
        reason = why_not()
        if reason:
            raise PelagosError(text("refuse.no_gpu", reason=reason))
        self._cuda = _cuda()
        self._plan = plan
        self._count = len(numbers)
        self._address = stream_address(stream)
        self._queue: Any = self._cuda.external_stream(self._address) if self._address else 0
        """The stream that all work is queued on, in order; 0 is CUDA's default one."""
        put, setup = self._put, plan.setup
        self._setup = setup._replace(
            packs=put(setup.packs.copy()),
            template=put(setup.template),
            series=put(setup.series),
            choosers=put(setup.choosers),
        )
        self.numbers = put(numbers)
        self.lengths = put(np.zeros(self._count, np.int32))
        self._ready: dict[Any, Any] = {}
        """Kernels with their grid and stream: making these takes longer than a launch."""

    def _put(self, array: Array) -> Any:
        return self._cuda.to_device(array, stream=self._queue)

    def zeros(self, shape: tuple[int, ...], kind: str) -> Any:
        """A new array."""
        return self._put(np.zeros(shape, kind, order="F"))

    def home(self, array: Any) -> Array:
        """An array of this device as NumPy's."""
        if isinstance(array, np.ndarray):
            return array
        host: Array = array.copy_to_host(stream=self._queue)
        self._wait()
        return host

    def _wait(self) -> None:
        """Until all is done that was queued; copies on the default stream wait by themselves."""
        if self._queue:
            self._queue.synchronize()

    def _let_follow(self, other: Any) -> None:
        """Let work on another stream, by its number in DLPack, wait for what is queued here."""
        here = self._address or DEFAULT_STREAM
        there = DEFAULT_STREAM if other is None else int(other)
        if there not in (NO_STREAM, here):
            event = self._cuda.event(timing=False)
            event.record(self._queue)
            event.wait(0 if there == DEFAULT_STREAM else self._cuda.external_stream(there))

    def lent(self, array: Any) -> Lent:
        """An array as callers get it."""
        device = self._cuda.get_current_device().id
        place = array.__cuda_array_interface__["data"][0]
        return Lent(array, place, (CUDA, device), self._let_follow, self.home)

    def taken(self, array: Any) -> Any:
        """An array of the caller's, to be read or written in place."""
        if hasattr(array, "__cuda_array_interface__"):
            return self._cuda.as_cuda_array(array, sync=False)
        return self._put(np.asarray(array))

    @cached_property
    def tables(self) -> Tables:
        """The games."""
        count = self._count
        states = self._cuda.device_array(count, _state(self._plan.game), stream=self._queue)
        streams = self._cuda.device_array((count, 4), np.uint64, stream=self._queue)
        return Tables(states, streams, self.numbers, self.lengths)

    def _launch(self, kernel: Any, block: int, *arguments: Any) -> None:
        if kernel not in self._ready:
            self._ready[kernel] = kernel[(self._count + block - 1) // block, block, self._queue]
        self._ready[kernel](self._setup, *arguments)

    @cached_property
    def _play_outs(self) -> SimpleNamespace:
        return play_out_kernels(self._plan.game, self._plan.choosers, self._plan.room_size)

    @cached_property
    def _steps(self) -> SimpleNamespace:
        plan = self._plan
        sizes = plan.room_size, plan.raw_size
        return step_kernels(plan.game, plan.choosers, plan.reward, plan.expand, *sizes)

    def whole_games(self, shown: Shown) -> None:
        """Deal every game and play it to its end; nothing is kept but what it came to."""
        empty = self._cuda.device_array(0, _state(self._plan.game), stream=self._queue)
        streams = self._cuda.device_array((0, 4), np.uint64, stream=self._queue)
        tables = Tables(empty, streams, self.numbers, self.lengths)
        self._launch(self._play_outs.whole_games, WHOLE_GAMES_BLOCK, tables, shown)

    def play_out(self, shown: Shown) -> None:
        """Play every game on to its end."""
        self._launch(self._play_outs.play_out, WHOLE_GAMES_BLOCK, self.tables, shown)

    def start(self, shown: Shown) -> None:
        """Deal every game and show its first decision."""
        self._launch(self._steps.start, STEP_BLOCK, self.tables, shown)

    def step(self, shown: Shown, actions: Any) -> None:
        """Make one decision in every game: one launch, and nothing comes home."""
        self._launch(self._steps.step, STEP_BLOCK, self.tables, shown, actions)

    def first_illegal(self, shown: Shown, actions: Any) -> int:
        """The first game whose action isn't legal; -1: none. This waits for the GPU."""
        return int(first_illegal(*map(self.home, (shown.seats, shown.masks, actions))))

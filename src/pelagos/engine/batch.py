"""Many games in one object: random play-outs and steps, on one core, several threads, or a GPU."""

from __future__ import annotations

import operator
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, cached_property
from importlib.metadata import entry_points
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from pelagos.engine.arrays import new_states, readable, record_of
from pelagos.engine.digest import scratch, seed_games, series_bytes
from pelagos.engine.errors import PelagosError, short, text
from pelagos.engine.game import Game, find_game
from pelagos.engine.layout import expander
from pelagos.engine.pack import Pack, default_pack, load_pack
from pelagos.engine.position import Position, lines_of
from pelagos.engine.rewards import Reward, find_reward
from pelagos.engine.rule import hot_rule, is_rule, rule
from pelagos.engine.turns import (
    Chooser,
    Expand,
    Setup,
    Shown,
    Tables,
    first_illegal,
    play_outs,
    random_chooser,
    steps,
)
from pelagos.engine.types import MOST_SEATS, Array

if TYPE_CHECKING:
    from pelagos.engine.gpu import Gpu

DEVICES = ("cpu", "gpu")
OBSERVED = {"raw": "int16", "float32": "float32"}
"""How observations are written, their numbers or expanded to columns, and in which type."""
BOTS = "pelagos.bots"
"""The entry points by which bots are found."""
RANDOM = "random"
SEEDED = 64
"""Whole games are seeded so many at a time."""


class Plan:
    """What is fixed for all games of a batch."""

    def __init__(
        self,
        game: Game,
        options: Mapping[str, Any],
        pack: Pack,
        seed: str,
        opponents: Sequence[str],
        learners: Sequence[int],
        reward: str | Reward,
        observe: str | None,
        finals: bool,
        reset: bool,
    ) -> None:
        """Everything checked already."""
        self.game = game
        self.players = int(options["players"])
        self.room_size = max(game.actions + 1, game.outcome, len(game.lines))
        self.reward = find_reward(reward)
        if not is_rule(self.reward):
            name = short(getattr(reward, "__name__", reward))
            raise PelagosError(text("refuse.plain_reward", name=name))
        self.expand = expander(game) if observe == "float32" else None
        layout = game.part("features").LAYOUT
        self.raw_size = int(layout.size)
        self.columns = {None: 0, "raw": layout.size, "float32": layout.expanded}[observe]
        self.observed = OBSERVED[observe or "raw"]
        self.final_columns = self.columns if finals else 0
        template = new_states(game, 1)
        game.part("rules").configure(record_of(template), options)
        names = [RANDOM if seat in learners else opponents[seat] for seat in range(self.players)]
        kinds = sorted(set(names))
        self.choosers = tuple(find_chooser(game, name) for name in kinds)
        which = np.zeros(MOST_SEATS, np.uint8)
        which[: self.players] = [kinds.index(name) for name in names]
        self.setup = Setup(
            pack.data,
            template,
            series_bytes(seed),
            which,
            sum(1 << seat for seat in set(learners)),
            len(lines_of(game, options)),
            reset,
        )

    def shapes(self, count: int) -> dict[str, tuple[tuple[int, ...], str]]:
        """The shape and the type of each array that a learner is shown."""
        return {
            "seats": ((count,), "int8"),
            "masks": ((count, self.game.actions), "bool"),
            "observations": ((count, self.columns), self.observed),
            "rewards": ((count, self.players), "float32"),
            "ended": ((count,), "int8"),
            "finals": ((count, self.final_columns), self.observed),
            "totals": ((count, self.players), "int32"),
            "won": ((count,), "uint8"),
        }


def _whole(name: str, number: Any) -> int:
    """How many, or which; refused with a sentence if it isn't a whole number."""
    try:
        return operator.index(number)
    except TypeError:
        raise PelagosError(text("refuse.whole", column=name, value=short(number))) from None


def find_chooser(game: Game, name: str) -> Chooser:
    """How the bot of this name chooses in compiled games."""
    if name == RANDOM:
        return random_chooser(game)
    bots = {entry.name: entry for entry in entry_points(group=BOTS)}
    compiled = getattr(bots[name].load(), "chooser", None) if name in bots else None
    if compiled is None:
        raise PelagosError(text("refuse.chooser", name=short(name)))
    chooser: Chooser = compiled(game)
    return chooser


@cache
def play_out_loops(game: Game, choosers: tuple[Chooser, ...]) -> SimpleNamespace:
    """The compiled loops of play-outs over part of a batch."""
    rules = play_outs(game, choosers)
    start, finish = rules.start, rules.finish

    @hot_rule
    def whole_games(
        first: int,
        last: int,
        setup: Setup,
        tables: Tables,
        shown: Shown,
        room: Array,
        streams: Array,
        seeding: Array,
    ) -> None:
        """Seed games, some at a time; deal, play and count them, one after another in the same
        place. Their numbers in the series follow one another.
        """
        state = tables.states[0]
        for index in range(first, last):
            place = (index - first) % SEEDED
            if place == 0:
                count = min(SEEDED, last - index)
                number = int(tables.numbers[index])
                seed_games(setup.series, number, streams[:count], tables.streams[:count], seeding)
            tables.states[0] = setup.template[0]
            for word in range(4):
                state.stream[word] = streams[place, word]
            start(state, setup.packs[0], room)
            stream = tables.streams[place]
            decisions, won = finish(state, setup, stream, room, shown.totals[index])
            tables.lengths[index] = decisions
            shown.won[index] = won

    @hot_rule
    def play_out(
        first: int, last: int, setup: Setup, tables: Tables, shown: Shown, room: Array
    ) -> None:
        """Play games on to their ends and count them up."""
        for index in range(first, last):
            state, stream = tables.states[index], tables.streams[index]
            decisions, won = finish(state, setup, stream, room, shown.totals[index])
            tables.lengths[index] += decisions
            shown.won[index] = won

    return SimpleNamespace(whole_games=whole_games, play_out=play_out)


@cache
def step_loops(
    game: Game, choosers: tuple[Chooser, ...], reward: Reward, expand: Expand | None
) -> SimpleNamespace:
    """The compiled loops of steps over part of a batch."""
    rules = steps(game, choosers, reward, expand)
    open_game, step_rule = rules.open_game, rules.step

    @rule
    def start(
        first: int,
        last: int,
        setup: Setup,
        tables: Tables,
        shown: Shown,
        room: Array,
        raw: Array,
    ) -> None:
        for index in range(first, last):
            open_game(tables.states, index, setup, tables, shown, index, room, raw)

    @hot_rule
    def step(
        first: int,
        last: int,
        setup: Setup,
        tables: Tables,
        shown: Shown,
        actions: Array,
        room: Array,
        raw: Array,
    ) -> None:
        states = tables.states
        for index in range(first, last):
            step_rule(states, index, setup, tables, shown, index, int(actions[index]), room, raw)

    return SimpleNamespace(start=start, step=step)


class Cpu:
    """A batch's games on the CPU, shared out to threads."""

    def __init__(self, plan: Plan, numbers: Array, threads: int) -> None:
        self._plan = plan
        self._count = len(numbers)
        self._threads = min(threads, self._count)
        self._pool = ThreadPoolExecutor(self._threads) if self._threads > 1 else None
        packs, template = readable(plan.setup.packs), readable(plan.setup.template)
        self._setup = plan.setup._replace(packs=packs, template=template)
        self._rooms = np.zeros((self._threads, plan.room_size), np.int64)
        self._raws = np.zeros((self._threads, plan.raw_size), np.int16)
        self.numbers = numbers
        self.lengths = np.zeros(self._count, np.int32)

    def zeros(self, shape: tuple[int, ...], kind: str) -> Array:
        """A new array."""
        return np.zeros(shape, kind)

    def home(self, array: Array) -> Array:
        """An array of this device as NumPy's."""
        return array

    def lent(self, array: Array) -> Array:
        """An array as callers get it."""
        return array

    def taken(self, array: Any) -> Array:
        """An array of the caller's, to be read or written in place."""
        return np.asarray(array)

    @cached_property
    def tables(self) -> Tables:
        """The games."""
        states, streams = new_states(self._plan.game, self._count), self._streams(self._count)
        return Tables(states, streams, self.numbers, self.lengths)

    def _streams(self, count: int) -> Array:
        return np.zeros((count, 4), np.uint64)

    def _share(self, work: Callable[..., None]) -> None:
        """Run the work on equal shares: from which game, to which, in which worker's room."""
        edges = [self._count * share // self._threads for share in range(self._threads + 1)]
        shares = (edges[:-1], edges[1:], self._rooms, self._raws)
        if self._pool is None:
            work(*(column[0] for column in shares))
        else:
            list(self._pool.map(work, *shares))

    def whole_games(self, shown: Shown) -> None:
        """Deal every game and play it to its end; nothing is kept but what it came to."""
        loop = play_out_loops(self._plan.game, self._plan.choosers).whole_games

        def work(first: int, last: int, room: Array, raw: Array) -> None:
            place = new_states(self._plan.game, 1), self._streams(SEEDED)
            tables = Tables(*place, self.numbers, self.lengths)
            streams, seeding = self._streams(SEEDED), scratch()
            loop(first, last, self._setup, tables, shown, room, streams, seeding)

        self._share(work)

    def play_out(self, shown: Shown) -> None:
        """Play every game on to its end."""
        loop = play_out_loops(self._plan.game, self._plan.choosers).play_out

        def work(first: int, last: int, room: Array, raw: Array) -> None:
            loop(first, last, self._setup, self.tables, shown, room)

        self._share(work)

    def start(self, shown: Shown) -> None:
        """Deal every game and show its first decision."""
        loop = self._steps.start

        def work(first: int, last: int, room: Array, raw: Array) -> None:
            loop(first, last, self._setup, self.tables, shown, room, raw)

        self._share(work)

    def step(self, shown: Shown, actions: Array) -> None:
        """Make one decision in every game."""
        loop = self._steps.step

        def work(first: int, last: int, room: Array, raw: Array) -> None:
            loop(first, last, self._setup, self.tables, shown, actions, room, raw)

        self._share(work)

    @cached_property
    def _steps(self) -> SimpleNamespace:
        plan = self._plan
        return step_loops(plan.game, plan.choosers, plan.reward, plan.expand)

    def first_illegal(self, shown: Shown, actions: Array) -> int:
        """The first game whose action isn't legal; -1: none."""
        return int(first_illegal(shown.seats, shown.masks, actions))


class Batch:
    """Games of a seed's series, many at once.

    `play_out` finishes them all. `step` makes one decision in each: `seats` says whose it is,
    `masks` which actions are legal, `observations` what the seat sees; `rewards` and `ended` say
    what came of it. Where a game ended, the next one is dealt at once: game k of slot i is game
    i + k * count of the series, on any device and by any number of threads. On a GPU the arrays
    stay there and are lent without copying (`torch.from_dlpack(batch.masks)`).
    """

    seats: Any
    """In each game, whose decision it is; -1: it is over."""
    masks: Any
    """In each game, which actions are legal."""
    observations: Any
    """In each game, what the seat sees."""
    rewards: Any
    """What the last step brought each seat: 0 but at a game's end."""
    ended: Any
    """What the last step did to each game: 0 it goes on, 1 over, 2 lost by an illegal action."""
    finals: Any
    """What who moved last saw at the end of a game."""
    totals: Any
    """Each seat's points in the last game that ended; after `play_out` NumPy's, on any device."""
    won: Any
    """Mask of its winners; likewise."""
    lengths: Any
    """Decisions made in each game; likewise."""

    def __init__(
        self,
        game: str | Game,
        count: int,
        *,
        players: int | None = None,
        seed: str | int = 0,
        first: int = 0,
        pack: Pack | Path | str | None = None,
        threads: int = 1,
        device: str = "cpu",
        observe: str | None = None,
        learners: int | Sequence[int] | None = None,
        opponents: str | Sequence[str] = RANDOM,
        rewards: str | Reward = "win",
        finals: bool = False,
        reset: bool = True,
        check: bool | None = None,
        buffers: Mapping[str, Any] | None = None,
        stream: Any = None,
        **options: Any,
    ) -> None:
        """Nothing is dealt before it is asked for.

        first      the number in the series of the first slot's first game
        observe    "raw" (the layout's numbers, int16) or "float32" (expanded); None: nothing
        learners   the seats that `step` decides for; None: all
        opponents  the bot in the other seats, or one name a seat
        rewards    "win", "margin", "score", or a rule
        finals     keep what was seen at a game's last decision, for learners that want it
        reset      deal the next game where one has ended
        check      refuse illegal actions, by default on a CPU; otherwise they lose the game
        buffers    arrays of the caller's own to write to, by name
        stream     on a GPU, the stream to work on: torch's, CuPy's or cuda.core's, or its address
        """
        self.game = find_game(game) if isinstance(game, str) else game
        if players is not None:
            options["players"] = players
        if _whole("count", count) < 1 or _whole("threads", threads) < 1:
            raise PelagosError(text("refuse.batch_empty"))
        if _whole("first", first) < 0:
            raise PelagosError(text("refuse.batch_first", first=first))
        if device not in DEVICES:
            raise PelagosError(
                text("refuse.device", device=short(device), known=", ".join(DEVICES))
            )
        if observe is not None and observe not in OBSERVED:
            raise PelagosError(
                text("refuse.observe", observe=short(observe), known=", ".join(OBSERVED))
            )
        self.options = self.game.check_options(options)
        self.players = int(self.options["players"])
        if not isinstance(pack, Pack):
            pack = default_pack(self.game) if pack is None else load_pack(self.game, pack)
        self.pack = pack
        self.count = count
        self.seed = str(seed)
        self.device = device
        self._plan = Plan(
            self.game,
            self.options,
            self.pack,
            self.seed,
            self._opponents(opponents),
            self._learners(learners),
            rewards,
            observe,
            finals,
            reset,
        )
        self._check = device == "cpu" if check is None else check
        self.seconds = self.cpu_seconds = 0.0
        """Time spent in compiled rules of play-outs; compiling apart."""
        self._is_dealt = self._is_played = False
        numbers = np.arange(first, first + count, dtype=np.int64)
        if device == "gpu":
            from pelagos.engine.gpu import Gpu

            self._device: Cpu | Gpu = Gpu(self._plan, numbers, stream)
        elif stream is not None:
            raise PelagosError(text("refuse.stream", stream=short(stream)))
        else:
            self._device = Cpu(self._plan, numbers, threads)
        self._buffers = self._checked(buffers or {})

    def _opponents(self, opponents: str | Sequence[str]) -> Sequence[str]:
        if not isinstance(opponents, Sequence):
            raise PelagosError(text("refuse.chooser", name=short(opponents)))
        named = [opponents] * self.players if isinstance(opponents, str) else list(opponents)
        if len(named) != self.players:
            raise PelagosError(text("refuse.opponents", players=self.players, count=len(named)))
        return named

    def _learners(self, learners: int | Sequence[int] | None) -> Sequence[int]:
        seats = range(self.players) if learners is None else learners
        if isinstance(seats, int):  # the only one
            seats = (seats,)
        for seat in seats:
            if seat not in range(self.players):
                raise PelagosError(text("refuse.learner", seat=short(seat), last=self.players - 1))
        return seats

    def _checked(self, buffers: Mapping[str, Any]) -> dict[str, Array]:
        """The caller's arrays as the device sees them; refused if one doesn't fit."""
        shapes = self._plan.shapes(self.count)
        taken = {}
        for name, buffer in buffers.items():
            if name not in shapes:
                known = ", ".join(shapes)
                raise PelagosError(text("refuse.buffer_name", name=short(name), known=known))
            array = taken[name] = self._device.taken(buffer)
            (shape, kind), given = shapes[name], (tuple(array.shape), str(array.dtype))
            if given != (shape, kind):
                raise PelagosError(
                    text("refuse.buffer", name=name, wanted=f"{kind} {shape}", given=given)
                )
        return taken

    @cached_property
    def _shown(self) -> Shown:
        """All arrays: the caller's own where there are any."""
        shapes = self._plan.shapes(self.count).items()
        return Shown(**{name: self._array(name, *shape) for name, shape in shapes})

    @cached_property
    def _results(self) -> Shown:
        """The arrays that play-outs write; the others are empty."""
        shapes = self._plan.shapes(self.count).items()
        kept = ("totals", "won")
        return Shown(
            **{
                name: self._array(name, shape if name in kept else (0,) * len(shape), kind)
                for name, (shape, kind) in shapes
            }
        )

    def _array(self, name: str, shape: tuple[int, ...], kind: str) -> Array:
        return self._buffers[name] if name in self._buffers else self._device.zeros(shape, kind)

    def __getattr__(self, name: str) -> Any:
        """What a learner is shown; the first look deals the games. It stays the same array."""
        if name == "lengths":
            array = self._device.lengths
        elif name in Shown._fields:
            self._deal()
            array = getattr(self._shown, name)
        else:
            raise AttributeError(name)
        lent = self.__dict__[name] = self._device.lent(array)
        return lent

    def _deal(self) -> None:
        if not self._is_dealt:
            self._is_dealt = True
            self._device.start(self._shown)

    # --- playing ----------------------------------------------------------------------------------

    def step(self, actions: Any) -> Any:
        """Make one decision in every game that isn't over; return `ended`."""
        if self._is_played:
            raise PelagosError(text("refuse.played_out"))
        self._deal()
        taken = self._device.taken(actions)
        if taken.shape != (self.count,) or taken.dtype.kind not in "iu":
            raise PelagosError(text("refuse.step", count=self.count))
        if self._check:
            place = self._device.first_illegal(self._shown, taken)
            if place >= 0:
                seat = int(self._device.home(self._shown.seats)[place])
                action = int(self._device.home(taken)[place])
                raise PelagosError(
                    text("refuse.step_illegal", place=place, action=action, seat=seat)
                )
        self._device.step(self._shown, taken)
        return self.ended

    def play_out(self) -> Array:
        """Play every game to its end; return the points, a row a game.

        Opponents choose as they do in steps, and learners at random.
        """
        with self._timed():
            if self._is_dealt:
                self._device.play_out(self._results)
            else:
                self._device.whole_games(self._results)
            home = self._device.home
            self.totals, self.won = home(self._results.totals), home(self._results.won)
            self.lengths = home(self._device.lengths)
        self._is_played = True
        points: Array = self.totals
        return points

    @contextmanager
    def _timed(self) -> Iterator[None]:
        wall, cpu = time.perf_counter(), time.process_time()
        yield
        self.seconds += time.perf_counter() - wall
        self.cpu_seconds += time.process_time() - cpu

    @property
    def decisions(self) -> int:
        """Decisions made in the games as they stand."""
        return int(self._device.home(self._device.lengths).sum(dtype=np.int64))

    # --- the games themselves ---------------------------------------------------------------------

    @property
    def numbers(self) -> Array:
        """Each game's number in the series."""
        return self._device.home(self._device.numbers)

    @property
    def states(self) -> Array:
        """The games' states, as NumPy's array."""
        if not self._is_dealt:
            self._deal()
            if self._is_played:  # nothing was kept of them: played again, they are the same
                self._device.play_out(self._results)
        return self._device.home(self._device.tables.states)

    def position(self, index: int) -> Position:
        """One game of the batch, as a copy."""
        return Position(self.game, self.pack, self.options, self.states[index : index + 1].copy())

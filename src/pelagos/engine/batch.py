"""Many games in one array: random play-outs and steps, on one core, several threads, or a GPU."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from pelagos.engine.arrays import new_states, readable, record_of
from pelagos.engine.doors import doors
from pelagos.engine.errors import PelagosError, text
from pelagos.engine.game import Game, find_game
from pelagos.engine.pack import Pack, default_pack
from pelagos.engine.position import Position, lines_of
from pelagos.engine.rule import rule
from pelagos.engine.stream import below, players_stream, seed_of, words_of
from pelagos.engine.types import CHANCE, Array

if TYPE_CHECKING:
    from pelagos.engine.gpu import Gpu

DEVICES = ("cpu", "gpu")


def whole_games(rules: SimpleNamespace) -> SimpleNamespace:
    """Rules over whole games, made from a game's own; the CPU and the GPU both run these.

    `room` is a worker's row of numbers, where actions, outcomes and sheets are written.
    """
    shuffle, begin, pending, legal = rules.shuffle, rules.begin, rules.pending, rules.legal
    play, chance, happen = rules.play, rules.chance, rules.happen
    sheet, winners = rules.sheet, rules.winners

    @rule
    def settle(game: Any, pack: Any, room: Array) -> Any:
        """Let chance do what it owes; return who owes a decision then."""
        who = pending(game, pack)
        while who == CHANCE:
            count = chance(game, pack, room)
            happen(game, pack, room, count)
            who = pending(game, pack)
        return who

    @rule
    def start(game: Any, pack: Any, room: Array) -> Any:
        """Shuffle, deal, and come to the first decision."""
        shuffle(game, pack)
        begin(game, pack)
        return settle(game, pack, room)

    @rule
    def first_seat(who: int) -> int:
        """The lowest seat that owes a decision."""
        seat = 0
        while not (who >> seat) & 1:
            seat += 1
        return seat

    @rule
    def play_out(game: Any, pack: Any, stream: Array, room: Array) -> int:
        """Play to the end, each legal action equally likely; return how many decisions it took."""
        decisions = 0
        who = settle(game, pack, room)
        while who:
            seat = first_seat(who)
            count = legal(game, pack, seat, room)
            play(game, pack, seat, room[below(stream, count)])
            decisions += 1
            who = settle(game, pack, room)
        return decisions

    @rule
    def count_up(game: Any, pack: Any, room: Array, lines: int, totals: Array) -> Any:
        """Write every seat's points; return the winners' mask."""
        for seat in range(int(game.players)):
            sheet(game, pack, seat, room)
            total = 0
            for line in range(lines):
                total += int(room[line])
            totals[seat] = total
        return winners(game, pack, totals)

    @rule
    def mark(game: Any, pack: Any, room: Array, mask: Array) -> int:
        """Mark the legal actions of the first seat that owes a decision; return it, or -1."""
        for action in range(mask.shape[0]):
            mask[action] = False
        who = settle(game, pack, room)
        if not who:
            return -1
        seat = first_seat(who)
        count = legal(game, pack, seat, room)
        for index in range(count):
            mask[room[index]] = True
        return seat

    return SimpleNamespace(
        start=start,
        first_seat=first_seat,
        play_out=play_out,
        count_up=count_up,
        mark=mark,
        play=play,
        settle=settle,
    )


@cache
def loops(game: Game) -> SimpleNamespace:
    """The compiled loops over part of an array."""
    rules = whole_games(doors(game).rules)
    start_rule, play_out_rule, count_up_rule = rules.start, rules.play_out, rules.count_up
    mark_rule, play_rule = rules.mark, rules.play

    @rule
    def start(
        states: Array, packs: Array, places: Array, first: int, last: int, room: Array
    ) -> None:
        for index in range(first, last):
            start_rule(states[places[index]], packs[0], room)

    @rule
    def play_out(
        states: Array,
        packs: Array,
        first: int,
        last: int,
        streams: Array,
        room: Array,
        lengths: Array,
    ) -> None:
        for index in range(first, last):
            lengths[index] += play_out_rule(states[index], packs[0], streams[index], room)

    @rule
    def count_up(
        states: Array,
        packs: Array,
        first: int,
        last: int,
        room: Array,
        lines: int,
        which: Array,
        totals: Array,
        won: Array,
    ) -> None:
        for index in range(first, last):
            if which[index]:
                won[index] = count_up_rule(states[index], packs[0], room, lines, totals[index])

    @rule
    def mark(
        states: Array, packs: Array, first: int, last: int, room: Array, masks: Array, seats: Array
    ) -> None:
        for index in range(first, last):
            seats[index] = mark_rule(states[index], packs[0], room, masks[index])

    @rule
    def step(
        states: Array, packs: Array, first: int, last: int, seats: Array, actions: Array
    ) -> None:
        for index in range(first, last):
            if seats[index] >= 0:
                play_rule(states[index], packs[0], int(seats[index]), int(actions[index]))

    return SimpleNamespace(start=start, play_out=play_out, count_up=count_up, mark=mark, step=step)


class Cpu:
    """A batch's games on the CPU, shared out to threads."""

    def __init__(self, batch: Batch, threads: int) -> None:
        self._batch = batch
        self._threads = min(threads, batch.count)
        self._packs = readable(batch.pack.data)
        self._loops = loops(batch.game)
        self._rooms = np.zeros((self._threads, batch.room_size), np.int64)

    def _share(self, work: Callable[[int, int, Array], None], count: int) -> None:
        """Run the work on equal shares of `count` games."""
        edges = [count * share // self._threads for share in range(self._threads + 1)]
        shares = list(zip(edges[:-1], edges[1:], self._rooms, strict=True))
        if self._threads == 1:
            work(*shares[0])
            return
        with ThreadPoolExecutor(self._threads) as pool:
            list(pool.map(lambda share: work(*share), shares))

    def start(self, places: Array) -> None:
        """Shuffle and deal the games at these places."""
        states = self._batch.states
        self._share(
            lambda first, last, room: self._loops.start(
                states, self._packs, places, first, last, room
            ),
            len(places),
        )

    def fetch(self) -> None:
        """The states are here already."""

    def play_out(self) -> None:
        """Play every game to its end."""
        batch = self._batch
        self._share(
            lambda first, last, room: self._loops.play_out(
                batch.states, self._packs, first, last, batch.streams, room, batch.lengths
            ),
            batch.count,
        )

    def count_up(self, which: Array) -> None:
        """Score these games."""
        batch = self._batch
        lines = len(batch.lines)
        self._share(
            lambda first, last, room: self._loops.count_up(
                batch.states, self._packs, first, last, room, lines, which, batch.totals, batch.won
            ),
            batch.count,
        )

    def mark(self) -> None:
        """Write who owes a decision and what is legal."""
        batch = self._batch
        self._share(
            lambda first, last, room: self._loops.mark(
                batch.states, self._packs, first, last, room, batch.masks, batch.seats
            ),
            batch.count,
        )

    def step(self, actions: Array) -> None:
        """Make one decision in every game."""
        batch = self._batch
        self._share(
            lambda first, last, room: self._loops.step(
                batch.states, self._packs, first, last, batch.seats, actions
            ),
            batch.count,
        )


class Batch:
    """Games 0 to count - 1 of a seed's series, in one array.

    `play_out` finishes them all with random moves. `step` makes one decision in each: `seats` says
    whose it is (-1: over), `masks` which actions are legal.
    """

    def __init__(
        self,
        game: str | Game,
        count: int,
        *,
        players: int | None = None,
        seed: str | int = 0,
        first: int = 0,
        pack: Pack | None = None,
        threads: int = 1,
        device: str = "cpu",
        **options: Any,
    ) -> None:
        """Deal the games. `first` is the number of the first one in the series."""
        self.game = find_game(game) if isinstance(game, str) else game
        if players is not None:
            options["players"] = players
        if count < 1 or threads < 1:
            raise PelagosError(text("refuse.batch_empty"))
        if device not in DEVICES:
            raise PelagosError(text("refuse.device", device=repr(device), known=", ".join(DEVICES)))
        self.options = self.game.check_options(options)
        self.players = int(self.options["players"])
        self.pack = pack or default_pack(self.game)
        self.lines = lines_of(self.game, self.options)
        self.count = count
        self.seed = str(seed)
        self.next = first + count
        """The number in the series of the next game that a reset deals."""
        self.room_size = max(self.game.actions + 1, self.game.outcome, len(self.lines))
        self.states = new_states(self.game, count)
        """The games; after work on a GPU, `fetch` brings them up to date."""
        self.streams = np.zeros((count, 4), np.uint64)
        self.lengths = np.zeros(count, np.int64)
        """Decisions made in each game."""
        self.totals = np.zeros((count, self.players), np.int64)
        self.won = np.zeros(count, np.int64)
        """Mask of each game's winners."""
        self.masks = np.zeros((count, self.game.actions), np.bool_)
        self.seats = np.full(count, -1, np.int64)
        self.seconds = self.cpu_seconds = 0.0
        """Time spent dealing, playing and scoring; seeding and compiling apart."""
        self._marked = False
        self._template = new_states(self.game, 1)
        self.game.part("rules").configure(record_of(self._template), self.options)
        if device == "gpu":
            from pelagos.engine.gpu import Gpu

            self._device: Cpu | Gpu = Gpu(self)
        else:
            self._device = Cpu(self, threads)
        self._deal(np.arange(count), first)

    def _deal(self, places: Array, first: int) -> None:
        """Put fresh games of the series, from number `first` on, into the array."""
        seeds = [seed_of(self.seed, first + step) for step in range(len(places))]
        self._device.fetch()
        self.states[places] = self._template[0]
        self.states["stream"][places] = [words_of(seed) for seed in seeds]
        self.streams[places] = [players_stream(seed) for seed in seeds]
        self.lengths[places] = 0
        with self._timed():
            self._device.start(places)

    @contextmanager
    def _timed(self) -> Iterator[None]:
        """Count the time that compiled rules take."""
        wall, cpu = time.perf_counter(), time.process_time()
        yield
        self.seconds += time.perf_counter() - wall
        self.cpu_seconds += time.process_time() - cpu

    def play_out(self) -> Array:
        """Play every game to its end with random moves; return the scores, a row a game."""
        with self._timed():
            self._device.play_out()
            self._device.count_up(np.ones(self.count, np.bool_))
        self.seats[:] = -1
        self.masks[:] = False
        return self.totals

    def fetch(self) -> Array:
        """The states, up to date."""
        self._device.fetch()
        return self.states

    def mark(self) -> None:
        """Bring `seats` and `masks` up to date."""
        self._marked = True
        self._device.mark()

    def step(self, actions: Array, reset: bool = False) -> Array:
        """Make one decision in every game that isn't over; return which games ended with it.

        With `reset`, finished games are dealt anew, the next of the series; their scores stay
        in `totals` until they finish again.
        """
        actions = np.ascontiguousarray(actions, np.int64)
        if actions.shape != (self.count,):
            raise PelagosError(text("refuse.step", count=self.count))
        if not self._marked:
            self.mark()
        going = self.seats >= 0
        inside = (actions >= 0) & (actions < self.game.actions)
        allowed = self.masks[np.arange(self.count), np.where(inside, actions, 0)] & inside
        if not allowed[going].all():
            place = int(np.flatnonzero(going & ~allowed)[0])
            raise PelagosError(
                text(
                    "refuse.step_illegal",
                    place=int(place),
                    action=int(actions[place]),
                    seat=int(self.seats[place]),
                )
            )
        self._device.step(actions)
        self.lengths += going
        self.mark()
        over = going & (self.seats < 0)
        if over.any():
            self._device.count_up(over)
            if reset:
                places = np.flatnonzero(over)
                self._deal(places, self.next)
                self.next += len(places)
                self.mark()
        return over

    @property
    def decisions(self) -> int:
        """Decisions made in the games as they stand."""
        return int(self.lengths.sum())

    def position(self, index: int) -> Position:
        """One game of the batch, as a copy."""
        states = self.fetch()[index : index + 1].copy()
        return Position(self.game, self.pack, self.options, states)

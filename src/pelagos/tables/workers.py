"""Bots at tables: owed answers are rows with a lease, thought out in processes with a deadline.

Each seat's bot stays with the process that thought for it last, so that it remembers. Bots are
guarded (`bots.guard`): for one that fails `greedy` moves. A process that hangs is ended and another
one started, and `greedy` moves too. If the server is killed, the rows stay, and whoever comes next
takes them up.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import signal
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any
from zlib import crc32

import numpy as np

from pelagos.bots import Budget, bot_stream, find_bot
from pelagos.bots.guard import STAND_IN, Guarded
from pelagos.engine.arrays import new_states, readable
from pelagos.engine.game import find_game
from pelagos.engine.match import Match
from pelagos.engine.pack import Pack, default_pack, make_pack
from pelagos.engine.position import Position
from pelagos.engine.stream import below
from pelagos.tables import acts, logs
from pelagos.tables.errors import Refused
from pelagos.tables.service import Tables
from pelagos.tables.table import BOT, Table
from pelagos.tables.writer import Due

GRACE = 3.0
"""Seconds that a bot may go beyond its budget before it is stopped."""
WARMING = 300.0
"""Seconds that compiling a bot's rules may take, the first time."""
PART = 0.6
"""Of the time until an answer is due, how much a bot may think."""
FOR_PEOPLE = "turtle"
"""The creature that decides for a person whose time ran out."""
MOST_BOTS = 16
"""So many bots a process remembers."""
POLL = 1.0
"""Seconds between looks for owed work that nobody told of."""


@dataclass(frozen=True)
class Question:
    """What a bot is asked: one redealt position, and nothing that its seat can't know."""

    game: str
    files: tuple[tuple[str, str], ...] | None
    options: Mapping[str, Any]
    state: bytes
    seat: int
    bot: str
    milliseconds: float | None
    simulations: int | None
    stream: bytes
    player: str
    """Which bot, at which table and seat and in which game: the same remembers what it thought."""


# --- in the process that thinks -------------------------------------------------------------------


@lru_cache(16)
def _pack(game: str, files: tuple[tuple[str, str], ...] | None) -> Pack:
    found = find_game(game)
    return default_pack(found) if files is None else make_pack(found, dict(files))


@lru_cache(MOST_BOTS)
def _guarded(bot: str, player: str) -> Guarded:
    return Guarded(find_bot(bot), apart=False)


def answer(question: Question) -> tuple[int, str]:
    """Think, and choose an action; and what went wrong, if it did."""
    game = find_game(question.game)
    states = new_states(game, 1)
    states[:] = np.frombuffer(question.state, states.dtype)
    pack = _pack(question.game, question.files)
    position = Position(game, pack, question.options, readable(states))
    stream = np.frombuffer(question.stream, np.uint64).copy()
    budget = Budget(question.milliseconds, question.simulations)
    bot = _guarded(question.bot, question.player)
    before = len(bot.failures)
    action = int(bot.choose(position, question.seat, stream, budget))
    return action, "; ".join(str(failure) for failure in bot.failures[before:])


def _think(pipe: Connection) -> None:
    """A thinking process: answers questions until its server is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ready: set[tuple[str, str]] = set()
    while True:
        try:
            question = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            kind = (question.game, question.bot)
            if kind not in ready:
                # Compiling isn't thinking: a first short thought, then the deadline starts.
                answer(_hurried(question))
                ready.add(kind)
            pipe.send(("ready", 0))
            action, failure = answer(question)
            pipe.send(("action", action) if not failure else ("stood in", (action, failure)))
        except (BrokenPipeError, EOFError):
            return
        except Exception as error:  # anybody's bot
            with contextlib.suppress(OSError):
                pipe.send(("failed", f"{type(error).__name__}: {error}"[:200]))


def _hurried(question: Question) -> Question:
    return replace(question, milliseconds=None, simulations=1, player="")


# --- in the server --------------------------------------------------------------------------------


class Thinker:
    """One thinking process, and the pipe to it."""

    def __init__(self) -> None:
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self.busy = asyncio.Lock()

    async def ask(self, question: Question, seconds: float) -> int:
        """The bot's action; TimeoutError if it thinks too long, RuntimeError if it fails."""
        try:
            if self._process is None or not self._process.is_alive():
                self.stop()
                await asyncio.to_thread(self._begin)
            pipe = self._pipe
            assert pipe is not None
            pipe.send(question)
            kind, value = await self._hear(pipe, WARMING)
            if kind == "ready":
                kind, value = await self._hear(pipe, seconds)
        except (TimeoutError, EOFError, OSError, asyncio.CancelledError):
            self.stop()
            raise
        if kind == "failed":
            raise RuntimeError(str(value))
        if kind == "stood in":
            value, failure = value
            logs.tell("bot_failed", bot=question.bot, game=question.game, error=failure[:200])
        return int(value)

    def _begin(self) -> None:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self._process = context.Process(target=_think, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()
        self._pipe = ours

    async def _hear(self, pipe: Connection, seconds: float) -> tuple[str, Any]:
        loop = asyncio.get_running_loop()
        heard = loop.create_future()

        def wake() -> None:
            if not heard.done():
                heard.set_result(None)

        loop.add_reader(pipe.fileno(), wake)
        try:
            if not pipe.poll():
                await asyncio.wait_for(heard, seconds)
        finally:
            loop.remove_reader(pipe.fileno())
        found: tuple[str, Any] = pipe.recv()
        return found

    def stop(self) -> None:
        """End the process, whatever it is at."""
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None
        if self._process is not None:
            if self._process.is_alive():
                self._process.kill()
            self._process.join(1)
            self._process = None


def _fitting(budget: Budget, left: float) -> Budget:
    """The budget, cut so that the thought ends before the answer is due."""
    if budget.milliseconds is None or left <= 0:
        return budget
    return Budget(max(20.0, min(budget.milliseconds, left * 1000 * PART)), budget.simulations)


class Workers:
    """Takes up owed answers, lets bots think, and makes their moves when they are due."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._thinkers = [Thinker() for _ in range(tables.settings.thinkers)]
        self._busy: set[asyncio.Task[None]] = set()
        self._asked: set[tuple[str, int, int]] = set()
        """What is being thought about here: a lease may end while rules are compiled."""
        self._loop: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to look for work."""
        self._loop = asyncio.create_task(self._look())

    async def close(self) -> None:
        """Let go: what was begun will be taken up again when its lease ends."""
        tasks = [*self._busy, *([self._loop] if self._loop else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for thinker in self._thinkers:
            thinker.stop()

    async def _look(self) -> None:
        tables = self._tables
        room = 64
        while True:
            tables.work_came.clear()
            taken: list[Due] = []
            try:
                if len(self._busy) < room:
                    taken = await tables.store.take(
                        tables.clock(), room - len(self._busy), tables.settings.lease
                    )
            except Exception as error:  # the database may be away for a while
                logs.tell("work_lookup_failed", error=type(error).__name__)
                await asyncio.sleep(POLL)
            for work in taken:
                task = asyncio.create_task(self._do(work))
                self._busy.add(task)
                task.add_done_callback(self._busy.discard)
            if not taken:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(tables.work_came.wait(), POLL)

    async def _do(self, work: Due) -> None:
        asked = (work.table, work.seat, work.decision)
        if asked in self._asked:
            return
        self._asked.add(asked)
        try:
            await self.answer(work)
        except Refused:
            await self._tables.store.drop(work)
        except Exception as error:  # the lease ends, and somebody tries again
            logs.tell("work_failed", error=type(error).__name__, reason=str(error)[:200])
        finally:
            self._asked.discard(asked)

    async def answer(self, work: Due) -> None:
        """Think about one decision, wait until the answer is due, and move."""
        tables = self._tables
        live = await tables.find(work.table)
        table = live.table
        match = table.match
        if (
            match is None
            or table.decisions[work.seat] != work.decision
            or work.seat not in match.pending
        ):
            await tables.store.drop(work)
            return
        if table.seats[work.seat].kind != BOT:
            await self._stand_in(table, match, work)
            return
        began = time.perf_counter()
        creature = acts.find_creature(table.seats[work.seat].bot)
        budget = _fitting(creature.budget, work.at - tables.clock())
        action = await self._choose(table, match, work, creature.bot, budget)
        spent = time.perf_counter() - began
        if not acts.goes_on(match, work.seat, action):
            await asyncio.sleep(max(0.0, work.at - tables.clock()))
        await tables.do(
            work.table, lambda now: acts.bot_move(now, work.seat, work.decision, action, work.at)
        )
        if tables.watcher is not None:
            tables.watcher.bot_answered(creature.id, spent)

    async def _stand_in(self, table: Table, match: Match, work: Due) -> None:
        """Decide for a person: as its standing order says, or since its time ran out."""
        tables, seat = self._tables, work.seat
        action, late = acts.by_order(table, seat), False
        if action is None:
            await asyncio.sleep(max(0.0, table.until - tables.clock()))
            asked = acts.asked(match, seat)
            late = asked is None
            usual = acts.find_creature(FOR_PEOPLE)
            action = (
                await self._choose(table, match, work, usual.bot, usual.budget)
                if asked is None
                else asked[0]
            )
        chosen = action
        if late and not acts.goes_on(match, seat, chosen):
            # One time for the whole of a hidden choice, as a bot's own.
            end = table.until + tables.drawn(table, f"late/{seat}/{table.until}", GRACE)
            await asyncio.sleep(end - tables.clock())
        await tables.do(
            work.table, lambda now: acts.stand_in(now, seat, work.decision, chosen, late)
        )

    async def _choose(self, table: Table, match: Match, work: Due, bot: str, budget: Budget) -> int:
        seat = work.seat
        legal = match.legal(seat)
        if len(legal) == 1:
            return legal[0]
        assert match.seed is not None
        stream = bot_stream(match.seed, seat, work.decision)
        position = match.position.redeal(seat, stream)
        files = None if match.pack.is_default else tuple(sorted(match.pack.files.items()))
        question = Question(
            match.game.id,
            files,
            dict(match.options),
            position.states.tobytes(),
            seat,
            bot,
            budget.milliseconds,
            budget.simulations,
            stream.tobytes(),
            f"{table.id}/{seat}/{len(table.past)}",
        )
        seconds = (budget.milliseconds or 0.0) / 1000 + GRACE
        for asked in (question, replace(question, bot=STAND_IN, player="")):
            thinker = self._thinker(question.player)
            try:
                async with thinker.busy:
                    action = await thinker.ask(asked, seconds)
                if action in legal:
                    return action
                logs.tell("bot_illegal", bot=asked.bot, game=match.game.id)
            except (TimeoutError, RuntimeError, OSError, EOFError) as error:
                logs.tell("bot_failed", bot=asked.bot, game=match.game.id, error=str(error)[:200])
        return legal[int(below(stream, len(legal)))]

    def _thinker(self, player: str) -> Thinker:
        """The process that has thought for this player before, or any that is free."""
        usual = crc32(player.encode()) % len(self._thinkers)
        ordered = self._thinkers[usual:] + self._thinkers[:usual]
        return next((one for one in ordered if not one.busy.locked()), ordered[0])

"""The coach at tables: finished games are analysed on request, one at a time, after all else.

An analysis is a row with a lease, as a bot's answer is: if the server is killed, whoever comes next
goes on with it from the round that was stored last. The work is done by a process of the lowest
priority (`analysing`), a round at a time, and no round begins while a bot is waited for.

Where a player's browser can, it plays the games instead, and the process only adds them up; such an
analysis counts as done after each round, since the server has nothing more to do about it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from pelagos.engine.errors import PelagosError, text
from pelagos.tables import logs
from pelagos.tables.errors import Malformed, NotFound, Unavailable
from pelagos.tables.service import Tables
from pelagos.tables.table import Finished, Table

PROGRAM = (sys.executable, "-m", "pelagos.tables.analysing")
LEASE = 300.0
"""Seconds that one round may take before somebody else may take the work up."""
MOST_TRIES = 3
"""Processes that may fail at a game before it counts as not to be analysed."""
POLL = 2.0
"""Seconds between looks for work that another process was asked for."""
BREATH = 0.1
"""Seconds between looks whether bots still think."""
LONGEST_LINE = 64_000_000
"""Bytes of an analysis."""
FIRST_SHARE = 0.4
"""Of the first round's work, about what its first stage is."""
MOST_KEPT = 16
"""Analyses that are kept in memory as data."""

NOWHERE = (0, 0)
"""The round and stage of who has no work yet."""
STOP = getattr(signal, "SIGSTOP", None)
"""What lets a process stand still, where there is such a thing."""

Document = dict[str, Any]
Which = tuple[str, int]
"""A table, and the number of a finished game there."""


@dataclass(frozen=True)
class Progress:
    """How far an analysis has come."""

    document: Document | None
    done: bool
    """Nothing more comes; without a document it has failed."""
    ahead: int = 0
    """Analyses that come before it."""

    @property
    def failed(self) -> bool:
        """Could the game not be analysed?"""
        return self.done and self.document is None


class Shared:
    """A round whose games are played in players' browsers."""

    def __init__(self, number: int) -> None:
        self.round = number
        self.stage = 0
        self.work: Document | None = None
        """What is to be played; None: nobody has said so yet, or it is all done."""
        self.answers: list[list[Any]] = []
        """What came of the stages before."""
        self.parts: list[Any] = []
        """What came of the jobs of this stage; None where it isn't known yet."""
        self.busy = asyncio.Lock()

    def go_on(self, work: Document | None) -> None:
        """The next stage, of this round or the next."""
        if work is None:
            self.work = None
            return
        if work["round"] == self.round:
            self.stage = len(self.answers)
        else:
            self.round, self.stage, self.answers = work["round"], 0, []
        self.work = work
        self.parts = [None] * len(work["calls"])

    def take(self, answers: list[Any]) -> None:
        """Note what came of some jobs."""
        try:
            for place, sums in answers:
                self.parts[range(len(self.parts))[place]] = sums
        except (IndexError, TypeError, ValueError):
            raise Malformed(text("tables/refuse.coach_numbers")) from None

    @property
    def is_complete(self) -> bool:
        """Is nothing left of this stage?"""
        return all(part is not None for part in self.parts)

    def work_for(self, at: tuple[int, int]) -> Document | None:
        """What a browser is told that is `at` a stage: to go on, or the work of another one."""
        if self.work is None:
            return None
        here = {"round": self.round, "stage": self.stage}
        if at == (self.round, self.stage):
            return here
        left = [place for place, part in enumerate(self.parts) if part is None]
        first = (0, FIRST_SHARE) if self.stage == 0 else (FIRST_SHARE, 1)
        part = first if self.round == 1 else (0, 1)
        return {**self.work, **here, "part": part, "left": left}


class Adder:
    """A process that adds up what browsers have played, from when it is first needed on."""

    def __init__(self, program: Sequence[str]) -> None:
        self._program = program
        self._process: asyncio.subprocess.Process | None = None
        self._one_at_a_time = asyncio.Lock()

    async def ask(self, request: Document) -> Document:
        """What comes of it; if anything goes wrong, the next one asks a new process."""
        async with self._one_at_a_time:
            try:
                return await self._ask(request)
            except BaseException:
                await self.close()
                raise

    async def _ask(self, request: Document) -> Document:
        if self._process is None:
            self._process = await begin(self._program)
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(orjson.dumps(request) + b"\n")
        await process.stdin.drain()
        line = await process.stdout.readline()
        if not line:
            raise Unavailable(text("tables/refuse.coach_failed"))
        answer: Document = orjson.loads(line)
        return answer

    async def close(self) -> None:
        """End it."""
        process, self._process = self._process, None
        if process is not None:
            if process.returncode is None:
                process.kill()
            await process.wait()


async def begin(program: Sequence[str]) -> asyncio.subprocess.Process:
    """Start a process that analyses."""
    return await asyncio.create_subprocess_exec(
        *program,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=LONGEST_LINE,
    )


class Coaching:
    """Takes up what is asked for, and stores it round by round."""

    def __init__(
        self, tables: Tables, bots_wait: Callable[[], bool], program: Sequence[str] = PROGRAM
    ) -> None:
        self._tables = tables
        self._analyses = tables.store.analyses
        self._bots_wait = bots_wait
        self._program = program
        self._asked = asyncio.Event()
        self._loop: asyncio.Task[None] | None = None
        self._known: OrderedDict[Which, tuple[str, Document]] = OrderedDict()
        self._shared: OrderedDict[Which, Shared] = OrderedDict()
        self._adder = Adder(program)

    def start(self) -> None:
        """Begin to look for work."""
        self._loop = asyncio.create_task(self._look())

    async def close(self) -> None:
        """Let go: what was begun is gone on with later."""
        if self._loop is not None:
            self._loop.cancel()
            await asyncio.gather(self._loop, return_exceptions=True)
        await self._adder.close()

    async def ask(self, table: Table, game: int) -> None:
        """Let a finished game be analysed; asked again, or if it is there, nothing is done."""
        finished_game(table, game)
        await self._analyses.ask(table.id, game, self._tables.clock())
        self._asked.set()

    async def progress(self, table: str, game: int) -> Progress | None:
        """How far an analysis has come; None if nobody has asked for it."""
        analysis = await self._analyses.known(table, game)
        if analysis is None:
            return None
        return Progress(
            self._parsed((table, game), analysis.document), analysis.done, analysis.ahead
        )

    # --- in a player's browser --------------------------------------------------------------------

    async def share(
        self, table: Table, game: int, at: tuple[int, int], answers: list[Any]
    ) -> Document | None:
        """What a player's browser is to play next for the analysis of a finished game.

        `answers` is what came of some jobs of the round and stage that it is `at`: pairs of a job's
        place and its sums. What belongs to no running stage is forgotten: somebody was faster, or
        we were started anew. None: there is nothing to do, or the server is at it.
        """
        which, finished = (table.id, game), finished_game(table, game)
        progress = await self.progress(*which)
        if progress is not None and not progress.done:
            return None
        before = progress.document if progress is not None else None
        number = before["budget"]["round"] + 1 if before else 1
        shared = self._shared.get(which)
        if shared is None or shared.round != number:
            shared = self._shared[which] = Shared(number)
        self._shared.move_to_end(which)
        while len(self._shared) > MOST_KEPT:
            self._shared.popitem(last=False)
        async with shared.busy:
            if shared.work is None:
                at = NOWHERE
                await self._add_up(which, finished, before, shared)
            elif at == (shared.round, shared.stage):
                shared.take(answers)
                if shared.is_complete:
                    await self._add_up(which, finished, before, shared)
            if shared.work is None:
                self._shared.pop(which, None)
            return shared.work_for(at)

    async def _add_up(
        self, which: Which, finished: Finished, before: Document | None, shared: Shared
    ) -> None:
        """Let a process add up what was played, store a whole round, and say what comes next."""
        if shared.work is not None:
            shared.answers.append(shared.parts)
        request = {"record": finished.record(), "analysis": before, "answers": shared.answers}
        answer = await self._adder.ask(request)
        if "malformed" in answer:
            self._shared.pop(which, None)
            raise Malformed(text("tables/refuse.coach_numbers"))
        if answer["document"] is not None:
            await self._analyses.ask(*which, self._tables.clock(), LEASE)
            document = orjson.dumps(answer["document"]).decode()
            await self._keep(*which, document, answer["document"], done=True)
        shared.go_on(answer["work"])

    def _parsed(self, which: tuple[str, int], stored: str) -> Document | None:
        """A stored analysis as data, parsed once."""
        if not stored:
            return None
        if which not in self._known or self._known[which][0] != stored:
            self._known[which] = (stored, orjson.loads(stored))
        self._known.move_to_end(which)
        while len(self._known) > MOST_KEPT:
            self._known.popitem(last=False)
        return self._known[which][1]

    # --- working ----------------------------------------------------------------------------------

    async def _look(self) -> None:
        failures: tuple[type[Exception], ...]
        failures = (PelagosError, OSError, *self._tables.store.raises)
        while True:
            self._asked.clear()
            try:
                work = await self._analyses.take(self._tables.clock(), LEASE, MOST_TRIES)
                if work is not None:
                    await self._do(*work)
                    continue
            except failures as error:
                logs.tell("analysis_failed", error=type(error).__name__, reason=str(error)[:200])
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(POLL):  # `wait_for` may swallow that we are ended
                    await self._asked.wait()

    async def _do(self, table: str, game: int) -> None:
        """Analyse a game, round by round."""
        live = await self._tables.find(table)
        finished = finished_game(live.table, game)
        before = await self.progress(table, game)
        request = {
            "record": finished.record(),
            "analysis": before.document if before else None,
            "threads": os.cpu_count() or 1,
        }
        rounds = self._rounds(request)
        try:
            async for line in rounds:
                document = orjson.loads(line)
                await self._keep(table, game, line.decode(), document)
                if document["budget"]["done"]:
                    return
        except BaseException as error:
            await self._release(table, game, isinstance(error, Exception))
            raise
        finally:
            await rounds.aclose()

    async def _rounds(self, request: Document) -> AsyncGenerator[bytes, None]:
        """The analysis after each round, as a process finds it out; `request`: what it needs."""
        process = await begin(self._program)
        assert process.stdin is not None
        try:
            process.stdin.write(orjson.dumps(request) + b"\n")
            while True:
                await self.bots_rest()
                process.stdin.write(b"\n")
                await process.stdin.drain()
                line = await self._round(process)
                if not line:
                    ended = f"the process ended with {await process.wait()}"
                    raise OSError(ended)
                yield line
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()

    async def bots_rest(self) -> None:
        """Wait until no bot thinks, or waits to."""
        while self._bots_wait():
            await asyncio.sleep(BREATH)

    async def _round(self, process: asyncio.subprocess.Process) -> bytes:
        """What the process finds out in a round; while bots think it stands still."""
        assert process.stdout is not None
        reading = asyncio.ensure_future(process.stdout.readline())
        stands = False
        try:
            while not reading.done():
                await asyncio.wait({reading}, timeout=BREATH)
                if STOP is not None and stands != self._bots_wait():
                    stands = not stands
                    process.send_signal(STOP if stands else signal.SIGCONT)
        finally:
            reading.cancel()
        return reading.result()

    async def _keep(
        self, table: str, game: int, line: str, document: Document, done: bool = False
    ) -> None:
        """Store a round; `done`: the server does nothing more about it."""
        accuracy = [seat["accuracy"] / 100 for seat in document["seats"]]
        done = done or bool(document["budget"]["done"])
        summary = orjson.dumps({"accuracy": accuracy}).decode()
        lease = 0.0 if done else self._tables.clock() + LEASE
        await self._analyses.keep(table, game, line.strip(), summary, done, lease)

    async def _release(self, table: str, game: int, failed: bool) -> None:
        """Let somebody else go on at once; being stopped is no failure."""
        with contextlib.suppress(OSError, *self._tables.store.raises):
            await self._analyses.release(table, game, failed)


def finished_game(table: Table, game: int) -> Finished:
    """A finished game of a table by its number."""
    if table.other_rules:
        table.check_open()
    if table.broken or not 0 <= game < len(table.finished):
        raise NotFound(text("tables/refuse.not_over"))
    return table.finished[game]

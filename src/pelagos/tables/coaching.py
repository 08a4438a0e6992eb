"""The coach at tables: finished games are analysed on request, one at a time, after all else.

An analysis is a row with a lease, as a bot's answer is: if the server is killed, whoever comes next
goes on with it from the round that was stored last. The work is done by a process of the lowest
priority (`analysing`), a round at a time, and no round begins while a bot is waited for.
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
from pelagos.tables.errors import NotFound
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
MOST_KEPT = 16
"""Analyses that are kept in memory as data."""

STOP = getattr(signal, "SIGSTOP", None)
"""What lets a process stand still, where there is such a thing."""

Document = dict[str, Any]


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
        self._known: OrderedDict[tuple[str, int], tuple[str, Document]] = OrderedDict()

    def start(self) -> None:
        """Begin to look for work."""
        self._loop = asyncio.create_task(self._look())

    async def close(self) -> None:
        """Let go: what was begun is gone on with later."""
        if self._loop is not None:
            self._loop.cancel()
            await asyncio.gather(self._loop, return_exceptions=True)

    async def ask(self, table: Table, game: int) -> None:
        """Let a finished game be analysed; asked again, or if it is there, nothing is done."""
        finished_game(table, game)
        await self._analyses.ask(table.id, game, self._tables.clock())
        self._asked.set()

    async def progress(self, table: str, game: int) -> Progress | None:
        """How far an analysis has come; None if nobody has asked for it."""
        known = await self._analyses.known(table, game)
        if known is None:
            return None
        return Progress(self._parsed((table, game), known.document), known.done, known.ahead)

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
        told = {
            "record": finished.record(),
            "analysis": before.document if before else None,
            "threads": os.cpu_count() or 1,
        }
        rounds = self._rounds(told)
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

    async def _rounds(self, told: Document) -> AsyncGenerator[bytes, None]:
        """The analysis after each round, as a process finds it out; `told`: what it needs."""
        process = await asyncio.create_subprocess_exec(
            *self._program,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LONGEST_LINE,
        )
        assert process.stdin is not None
        try:
            process.stdin.write(orjson.dumps(told) + b"\n")
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

    async def _keep(self, table: str, game: int, line: str, document: Document) -> None:
        """Store a round."""
        accuracy = [seat["accuracy"] / 100 for seat in document["seats"]]
        done = bool(document["budget"]["done"])
        summary = orjson.dumps({"accuracy": accuracy}).decode()
        lease = 0.0 if done else self._tables.clock() + LEASE
        await self._analyses.keep(table, game, line.strip(), summary, done, lease)

    async def _release(self, table: str, game: int, failed: bool) -> None:
        """Let somebody else go on at once; being stopped is no failure."""
        with contextlib.suppress(OSError, *self._tables.store.raises):
            await self._analyses.release(table, game, failed)


def finished_game(table: Table, game: int) -> Finished:
    """A finished game of a table by its number."""
    if table.broken or not 0 <= game < len(table.finished):
        raise NotFound(text("tables/refuse.not_over"))
    return table.finished[game]

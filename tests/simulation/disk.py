"""The database of a simulated place: real statements on a real SQLite, with a disk's faults.

What was committed survives every crash; what wasn't is gone. Jobs take a drawn time, may fail
before or after their commit, and their process may be killed before or after it.
"""

from __future__ import annotations

import asyncio
import tempfile
import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from unittest import mock

import sqlalchemy as sa
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import StaticPool

from pelagos.tables import store
from pelagos.tables.database import BEGIN_WRITING, FILE, Job, Result, SqliteThread
from pelagos.tables.keeping import Append
from pelagos.tables.schema import meta
from pelagos.tables.store import Store, _migrate
from pelagos.tables.writer import Statements

if TYPE_CHECKING:
    from simulation.world import Process, World


class Medium(Protocol):
    """Where jobs are run, at once and whole."""

    def run(self, job: Job[Result]) -> Result: ...

    def close(self) -> None: ...


class InMemory:
    """One SQLite in memory, wiped for each schedule."""

    def __init__(self, content: bytes = b"") -> None:
        self._connection, self._raw, empty = _in_memory()
        self._raw.deserialize(content or empty)

    def content(self) -> bytes:
        """All that is on it."""
        return bytes(self._raw.serialize())

    def run(self, job: Job[Result]) -> Result:
        self._raw.execute("BEGIN")
        try:
            result = job(self._connection)
        except BaseException:
            self._raw.execute("ROLLBACK")
            raise
        self._raw.execute("COMMIT")
        return result

    def close(self) -> None:
        """It is wiped when it is used again."""


class OnFile:
    """A SQLite file as servers have it, in the thread that owns its connection."""

    def __init__(self, content: bytes = b"") -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="pelagos-simulated-")
        file = Path(self._folder.name) / FILE
        file.write_bytes(content or _in_memory()[2])
        self._database = SqliteThread(str(file), BEGIN_WRITING)
        self._thread = threading.Thread(target=self._database._work, daemon=True)
        self._thread.start()

    def run(self, job: Job[Result]) -> Result:
        asked = _Asked()
        self._database._jobs.put((job, asked))  # type: ignore[arg-type]
        asked.heard.wait()
        if asked.error is not None:
            raise asked.error
        return asked.result  # type: ignore[no-any-return]

    def close(self) -> None:
        self._database._jobs.put(None)
        self._thread.join()
        self._folder.cleanup()


class _Asked:
    """Stands where the thread expects a future: whoever asked waits, and time with them."""

    def __init__(self) -> None:
        self.heard = threading.Event()
        self.result: Any = None
        self.error: Exception | None = None

    def get_loop(self) -> _Asked:
        return self

    def call_soon_threadsafe(self, _: Any, __: Any, result: Any, error: Exception | None) -> None:
        self.result, self.error = result, error
        self.heard.set()


@cache
def _in_memory() -> tuple[sa.Connection, Any, bytes]:
    """A connection, SQLAlchemy's and its own, and a migrated database without tables. Jobs begin
    and commit by the driver itself: for SQLAlchemy all is one transaction, which costs nothing.
    """
    engine = sa.create_engine("sqlite://", poolclass=StaticPool, isolation_level="AUTOCOMMIT")
    connection = engine.connect()
    _migrate(connection)
    connection.execute(sa.insert(meta), {"name": "key", "value": "5e" * 32})
    raw: Any = connection.connection.driver_connection
    return connection, raw, bytes(raw.serialize())


class Disk:
    """A place's one database."""

    def __init__(self, world: World, medium: Medium) -> None:
        self._world = world
        self._medium = medium
        self._written: list[Append] = []
        statements().disk = self

    def run(self, job: Job[Result]) -> Result:
        """Run a job and commit it; then all hear what it wrote."""
        self._written.clear()
        result = self._medium.run(job)
        for append in self._written:
            self._world.committed(append)
        return result

    def write(self, appends: Sequence[Append]) -> None:
        """These are being written: they count when their job is committed."""
        self._written += appends


class NotingStatements(Statements):
    """The statements of an append; the disk is told what is appended."""

    def __init__(self) -> None:
        super().__init__(sa.make_url("sqlite://").get_dialect()())
        self.disk: Disk | None = None

    def write(self, batch: Sequence[Append], now: float, connection: sa.Connection) -> None:
        super().write(batch, now, connection)
        assert self.disk is not None
        self.disk.write(batch)


@cache
def statements() -> NotingStatements:
    """Put together once for all."""
    return NotingStatements()


class FaultyDatabase:
    """The disk as one process has it."""

    def __init__(self, disk: Disk, process: Process) -> None:
        self._disk = disk
        self._process = process
        self._faults = process.world.faults
        self._one_by_one = None if process.world.shared else asyncio.Lock()

    async def run(self, job: Job[Result]) -> Result:
        if self._one_by_one is None:
            return await self._run(job)
        async with self._one_by_one:
            return await self._run(job)

    async def _run(self, job: Job[Result]) -> Result:
        process, faults = self._process, self._faults
        await asyncio.sleep(faults.disk_seconds())
        fault = faults.disk_fault()
        if fault == "crash before commit":
            process.crash(fault)
            await asyncio.Future()
        if fault == "fails":
            process.hit("the disk fails")
            raise OperationalError("simulated", None, OSError("database or disk is full"))
        result = self._disk.run(job)
        if fault == "crash after commit":
            process.crash(fault)
            await asyncio.Future()
        if fault == "fails after commit":
            process.hit("the disk's answer is lost")
            raise OperationalError("simulated", None, OSError("connection lost"))
        await asyncio.sleep(faults.disk_seconds() / 2)
        return result

    async def close(self) -> None:
        """Nothing to let go of."""


class SimulatedStore(Store):
    """The real store on a simulated disk."""

    def __init__(self, process: Process) -> None:
        self._process = process
        reading = FaultyDatabase(process.world.disk, process)
        writing = reading if process.world.shared else FaultyDatabase(process.world.disk, process)
        with mock.patch.object(store, "open_database", return_value=(reading, writing)):
            super().__init__("sqlite://")
        self.postgres = process.world.shared

    async def spread(self, table: str, line: str) -> None:
        if self.postgres:
            self._process.world.spread_talk(table, line)

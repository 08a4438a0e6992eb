"""The database: jobs on a SQLAlchemy connection, each in a transaction of its own.

Jobs are plain functions in SQLAlchemy Core, the same for both databases. SQLite runs them in a
thread that owns its connection; PostgreSQL runs them on a pool of asyncpg connections.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypeVar

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.ext.asyncio import create_async_engine

from pelagos.engine.errors import PelagosError, text

FILE = "pelagos.sqlite"
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=30000", "secure_delete=ON")
BEGIN_READING, BEGIN_WRITING = "BEGIN", "BEGIN IMMEDIATE"
PRIVATE = 0o600
POOL_SIZE = 8
"""Connections to PostgreSQL; as many more may be open for a moment."""

Result = TypeVar("Result")
Job: TypeAlias = Callable[[sa.Connection], Result]


class Database(Protocol):
    """Where jobs are run."""

    async def run(self, job: Job[Result]) -> Result:
        """Run a job in a transaction; it is committed when this returns."""

    async def close(self) -> None:
        """Finish what was begun, and let go."""


class SqliteThread:
    """A thread that owns one connection to a SQLite file and runs one job after another."""

    def __init__(self, file: str, begin: str) -> None:
        """`begin` is the statement that opens a transaction."""
        self._file = file
        self._begin = begin
        self._jobs: queue.SimpleQueue[tuple[Job[Any], asyncio.Future[Any]] | None]
        self._jobs = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    async def run(self, job: Job[Result]) -> Result:
        """Run a job in a transaction; it is committed when this returns."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name=self._begin, daemon=True)
            self._thread.start()
        done: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._jobs.put((job, done))
        return await done

    async def close(self) -> None:
        """Finish what was begun, and let go of the file."""
        if self._thread is not None:
            self._jobs.put(None)
            await asyncio.to_thread(self._thread.join)
            self._thread = None

    def _work(self) -> None:
        engine = _sqlite_engine(self._file, self._begin)
        connection: sa.Connection | None = None
        while (asked := self._jobs.get()) is not None:
            job, done = asked
            result, error = None, None
            try:
                connection = connection or engine.connect()
                with connection.begin():
                    result = job(connection)
            except Exception as failure:  # whoever waits must hear of it
                error = failure
            done.get_loop().call_soon_threadsafe(_settle, done, result, error)
        if connection is not None:
            connection.close()
        engine.dispose()


def _settle(done: asyncio.Future[Any], result: Any, error: Exception | None) -> None:
    if done.done():  # nobody waits any more
        return
    if error is None:
        done.set_result(result)
    else:
        done.set_exception(error)


def _sqlite_engine(file: str, begin: str) -> sa.Engine:
    engine = sa.create_engine(f"sqlite:///{file}")

    @event.listens_for(engine, "connect")
    def _connected(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # we begin transactions ourselves
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begun(connection: sa.Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


class PostgresPool:
    """Connections to a PostgreSQL database."""

    def __init__(self, url: str) -> None:
        try:
            self._engine = create_async_engine(
                url, pool_size=POOL_SIZE, max_overflow=POOL_SIZE, pool_pre_ping=True
            )
        except ModuleNotFoundError:
            raise PelagosError(text("tables/refuse.driver")) from None

    async def run(self, job: Job[Result]) -> Result:
        """Run a job in a transaction; it is committed when this returns."""
        async with self._engine.begin() as connection:
            return await connection.run_sync(job)

    async def close(self) -> None:
        """Let go of the connections."""
        await self._engine.dispose()


def url_of(where: Path | str) -> str:
    """A database's URL from a folder or a URL, with the driver that is used here."""
    if isinstance(where, Path):
        try:
            where.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise PelagosError(
                text("tables/refuse.folder", folder=str(where), reason=error.strerror)
            ) from None
        return f"sqlite:///{where / FILE}"
    scheme, sign, rest = where.partition("://")
    if sign and scheme in ("postgresql", "postgres", "postgresql+asyncpg"):
        return f"postgresql+asyncpg://{rest}"
    if sign and scheme in ("sqlite", "sqlite+aiosqlite"):
        return f"sqlite://{rest}"
    raise PelagosError(text("tables/refuse.url"))


def open_database(url: str) -> tuple[Database, Database]:
    """Where to read and where to write: for PostgreSQL one pool, for SQLite two threads."""
    if url.startswith("postgresql"):
        pool = PostgresPool(url)
        return pool, pool
    file = url.partition("///")[2]
    keep_private(Path(file))
    return SqliteThread(file, BEGIN_READING), SqliteThread(file, BEGIN_WRITING)


def keep_private(file: Path) -> None:
    """Let nobody else read a file with the key that signs seats: it is made, or mended."""
    try:
        file.touch(mode=PRIVATE)
        file.chmod(PRIVATE)
    except OSError:  # somebody else's, or not writable: opening it will tell
        return


def insert_for(dialect: str) -> Any:
    """The dialect's own `insert`, which can say what to do when a row is there already."""
    return import_module(f"sqlalchemy.dialects.{dialect}").insert

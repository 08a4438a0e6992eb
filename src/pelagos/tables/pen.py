"""The one hand that appends to a SQLite log: a thread that owns its connection.

A batch of appends is four statements in one transaction, however many tables it is for; whoever
waits hears of it in one hop, when it is on the disk.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

Job: TypeAlias = Callable[[sqlite3.Connection], None]
Row: TypeAlias = tuple[Any, ...]
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=30000")


class Pen:
    """Does one job after another, each in a transaction of its own."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._jobs: queue.SimpleQueue[tuple[Job, asyncio.Future[None]] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    async def do(self, job: Job) -> None:
        """Do it and commit; when this returns it is on the disk."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="pen", daemon=True)
            self._thread.start()
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._jobs.put((job, done))
        await done

    def close(self) -> None:
        """Finish what was begun, and let go of the file."""
        if self._thread is not None:
            self._jobs.put(None)
            self._thread.join()
            self._thread = None

    def _run(self) -> None:
        connection: sqlite3.Connection | None = None
        while (asked := self._jobs.get()) is not None:
            job, done = asked
            error: Exception | None = None
            try:
                connection = connection or _connect(self._file)
                _transact(connection, job)
            except Exception as failure:  # whoever waits must hear of it
                error = failure
            done.get_loop().call_soon_threadsafe(_tell, done, error)
        if connection is not None:
            connection.close()


def _connect(file: str) -> sqlite3.Connection:
    connection = sqlite3.connect(file, isolation_level=None)
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    return connection


def _transact(connection: sqlite3.Connection, job: Job) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        job(connection)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _tell(done: asyncio.Future[None], error: Exception | None) -> None:
    if done.done():
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)


def write_rows(
    connection: sqlite3.Connection, start: str, rows: Sequence[Row], end: str = ""
) -> None:
    """One statement for many rows: `start` VALUES (?, …), … `end`."""
    if rows:
        marks = f"({', '.join('?' * len(rows[0]))})"
        values = ", ".join([marks] * len(rows))
        connection.execute(f"{start} VALUES {values} {end}", [one for row in rows for one in row])

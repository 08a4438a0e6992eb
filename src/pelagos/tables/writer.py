"""The writer: the one place that appends to tables' logs.

Appends that come in together share one transaction; each of them succeeds or fails alone: if one
has lost a race, they are written one by one, and only the loser gets `Conflict`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from functools import cache, partial
from itertools import chain
from typing import Any

import orjson
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from pelagos.tables.database import Database, insert_for
from pelagos.tables.errors import Conflict
from pelagos.tables.keeping import Append, Due
from pelagos.tables.names import split
from pelagos.tables.schema import due, log, names, tables

CHANNEL = "pelagos_news"
TALK_CHANNEL = "pelagos_talk"
MOST_TOGETHER = 64
"""Appends in one transaction, and rows in one statement."""
GATHERING = 0.020
"""Seconds from one transaction to the next: on a busy server many appends share one. Who comes
after a pause is written at once."""


class Writer:
    """Takes all appends that wait, and commits them together."""

    def __init__(self, database: Database, dialect: sa.Dialect) -> None:
        self._database = database
        self._statements = Statements(dialect)
        self._queue: asyncio.Queue[Append] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    async def append(self, append: Append) -> None:
        """Add entries; when this returns they are on the disk. `Conflict`: somebody was faster."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work())
        self._queue.put_nowait(append)
        await append.done

    async def close(self) -> None:
        """Write no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _work(self) -> None:
        clock = asyncio.get_running_loop().time
        next_commit = clock()
        while True:
            batch = [await self._queue.get()]
            try:
                await asyncio.sleep(next_commit - clock())
                while not self._queue.empty() and len(batch) < MOST_TOGETHER:
                    batch.append(self._queue.get_nowait())
                await self._commit(batch)
            except asyncio.CancelledError:
                for append in batch:
                    append.done.cancel()
                raise
            next_commit = clock() + GATHERING

    async def _commit(self, batch: list[Append]) -> None:
        error: Exception | None = None
        try:
            await self._database.run(partial(self._statements.write, batch, time.time()))
        except IntegrityError:
            if len(batch) > 1:
                for append in batch:
                    await self._commit([append])
                return
            error = Conflict()
        except Exception as failure:  # the database is gone: whoever waits must hear of it
            error = failure
        for append in batch:
            if append.done.done():  # nobody waits any more
                continue
            if error is None:
                append.done.set_result(None)
            else:
                append.done.set_exception(error)


class Statements:
    """The statements of an append, compiled once: rows are plain values in the schema's order."""

    def __init__(self, dialect: sa.Dialect) -> None:
        def compiled(statement: sa.ClauseElement) -> str:
            return str(statement.compile(dialect=dialect))

        def upsert(*changed: str) -> str:
            row = insert(tables)
            renewed = {name: row.excluded[name] for name in changed}
            renewed["bytes"] = tables.c.bytes + row.excluded.bytes
            return compiled(row.on_conflict_do_update(index_elements=[tables.c.id], set_=renewed))

        insert = insert_for(dialect.name)
        self._all_at_once = dialect.name == "sqlite"
        self._insert_entries = compiled(sa.insert(log))
        self._insert_names = compiled(sa.insert(names))
        self._upsert_tables = upsert("number", "state", "changed")
        self._keep_change = upsert("number", "state")
        fresh = insert(due)
        self._owed = compiled(
            sa.select(due.c.seat, due.c.decision).where(due.c.table_id == sa.bindparam("table"))
        )
        self._owe = compiled(fresh.on_conflict_do_nothing())
        self._owe_at = compiled(
            fresh.on_conflict_do_update(
                index_elements=[due.c.table_id, due.c.seat, due.c.decision],
                set_={name: fresh.excluded[name] for name in ("at", "lead", "lease")},
                where=due.c.at != fresh.excluded.at,
            )
        )
        self._notify = ""
        if dialect.name == "postgresql":
            self._notify = compiled(sa.text("SELECT pg_notify(:channel, :news)"))

    def write(self, batch: Sequence[Append], now: float, connection: sa.Connection) -> None:
        """Append to the logs, and keep what follows from them."""
        execute = connection.exec_driver_sql
        parted = [[split(entry) for entry in append.entries] for append in batch]
        written = [[orjson.dumps(entry).decode() for entry, _ in lines] for lines in parted]
        entries = [
            (append.table, append.after + place, now, entry)
            for append, lines in zip(batch, written, strict=True)
            for place, entry in enumerate(lines)
        ]
        self._insert(connection, self._insert_entries, entries)
        typed = [
            (append.table, append.after + place, field, name)
            for append, lines in zip(batch, parted, strict=True)
            for place, (_, named) in enumerate(lines)
            for field, name in named.items()
        ]
        if typed:
            self._insert(connection, self._insert_names, typed)
        for statement, is_public in ((self._upsert_tables, True), (self._keep_change, False)):
            rows = [
                (
                    append.table,
                    append.length,
                    append.game,
                    append.state,
                    append.listed,
                    now,  # created: kept as it is where the row is there already
                    now,
                    append.laid_by,
                    sum(map(len, lines)),
                )
                for append, lines in zip(batch, written, strict=True)
                if append.is_public == is_public
            ]
            if rows:
                self._insert(connection, statement, rows)
        for append in batch:
            if append.works is not None:
                self._follow_work(connection, append.table, append.works)
        if self._notify:
            execute(self._notify, [(CHANNEL, f"{new.table}:{new.length}") for new in batch])

    def _insert(
        self, connection: sa.Connection, statement: str, rows: list[tuple[Any, ...]]
    ) -> None:
        """Insert rows. SQLite gets them in one statement: its thread lets go of the interpreter for
        each, and then waits for its turn beside a busy loop.
        """
        if not self._all_at_once:
            connection.exec_driver_sql(statement, rows)
            return
        for first in range(0, len(rows), MOST_TOGETHER):
            some = rows[first : first + MOST_TOGETHER]
            values = tuple(chain.from_iterable(some))
            connection.exec_driver_sql(_for_rows(statement, len(some[0]), len(some)), values)

    def _follow_work(self, connection: sa.Connection, table: str, works: Sequence[Due]) -> None:
        """Make the rows of owed work what they should be; those that stay keep time and lease."""
        stays = {(work.seat, work.decision) for work in works}
        for seat, decision in connection.exec_driver_sql(self._owed, (table,)).all():
            if (seat, decision) not in stays:
                connection.execute(delete_due(table, seat, decision))
        for work in works:
            values = (table, work.seat, work.decision, work.at, work.lead, 0.0, 0)
            connection.exec_driver_sql(self._owe_at if work.fixed else self._owe, values)


@cache
def _for_rows(statement: str, columns: int, rows: int) -> str:
    """An insert of one row as one of several."""
    row = f"({', '.join('?' * columns)})"
    return statement.replace(row, ", ".join([row] * rows), 1)


def delete_due(table: str, seat: int, decision: int) -> sa.Delete:
    """Forget work that isn't owed any more."""
    return sa.delete(due).where(
        due.c.table_id == table, due.c.seat == seat, due.c.decision == decision
    )

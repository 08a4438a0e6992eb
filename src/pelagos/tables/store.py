"""The store: an append-only log in SQLite, or in PostgreSQL if a URL names one.

An entry's key is (table, number). Whoever writes a number that is there already has lost a race,
gets `Conflict`, reads what was written and tries again. Appends that come in together share one
transaction; each of them succeeds or fails alone. Of SQLite there is one writer, a thread (`pen`).
"""

from __future__ import annotations

import asyncio
import json
import secrets
import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from pelagos.engine.errors import PelagosError
from pelagos.tables.errors import Conflict
from pelagos.tables.pen import PRAGMAS, Pen, write_rows
from pelagos.tables.schema import due, log, meta, tables
from pelagos.tables.table import Entry

FILE = "pelagos.sqlite"
CHANNEL = "pelagos_news"
MIGRATING = 0x70656C61
"""The lock that one process holds while it migrates a PostgreSQL database."""
MOST_TOGETHER = 64
"""Appends in one transaction."""


@dataclass(frozen=True)
class Due:
    """An answer that is owed: a bot's, or a person's when it is made for it."""

    table: str
    seat: int
    decision: int
    at: float
    """When the answer is due."""
    lead: float
    """How long before that to begin thinking."""
    tries: int = 0
    fixed: bool = False
    """Is `at` to be kept to, whatever a row says that is there already?"""


@dataclass
class Append:
    """Entries to be added to one table's log, all or none."""

    table: str
    after: int
    """The log's length that they follow on."""
    entries: Sequence[Entry]
    game: str
    state: str
    listed: bool
    works: Sequence[Due] | None = None
    """All the work that is owed then; None: none was or is."""
    done: asyncio.Future[None] = field(default_factory=asyncio.Future)


class Store:
    """The database behind all tables."""

    def __init__(self, url: str, reading: AsyncEngine, writing: AsyncEngine) -> None:
        """Use `Store.open`."""
        self.url = url
        self.postgres = url.startswith("postgresql")
        self._reading = reading
        self._writing = writing
        self._queue: asyncio.Queue[Append] = asyncio.Queue()
        self._writer: asyncio.Task[None] | None = None
        self._pen: Pen | None = None if self.postgres else Pen(url.partition("///")[2])

    @classmethod
    async def open(cls, where: Path | str) -> Store:
        """Open a folder's SQLite file, or the PostgreSQL database at a URL; migrate it."""
        url = url_of(where)
        if url.startswith("postgresql"):
            reading = writing = _postgres(url)
        else:
            reading, writing = _sqlite(url, "BEGIN"), _sqlite(url, "BEGIN IMMEDIATE")
        store = cls(url, reading, writing)
        try:
            async with writing.begin() as connection:
                await connection.run_sync(_migrate)
        except (DBAPIError, OSError) as error:
            await store.close()
            raise PelagosError(f"The database can't be opened: {_reason(error)}") from None
        return store

    async def close(self) -> None:
        """Let go of the database."""
        if self._writer is not None:
            self._writer.cancel()
            await asyncio.gather(self._writer, return_exceptions=True)
        if self._pen is not None:
            await asyncio.to_thread(self._pen.close)
        await self._reading.dispose()
        if self._writing is not self._reading:
            await self._writing.dispose()

    # --- one of a kind ----------------------------------------------------------------------------

    async def key(self) -> bytes:
        """The key that signs seats, made when it is first asked for."""
        async with self._writing.begin() as connection:
            await self._insert_if_new(
                connection, meta, [{"name": "key", "value": secrets.token_hex(32)}]
            )
            found = await connection.execute(sa.select(meta.c.value).where(meta.c.name == "key"))
            return bytes.fromhex(str(found.scalar_one()))

    async def _insert_if_new(
        self, connection: AsyncConnection, into: sa.Table, rows: list[dict[str, Any]]
    ) -> None:
        if self.postgres:
            from sqlalchemy.dialects.postgresql import insert as postgres_insert

            await connection.execute(postgres_insert(into).on_conflict_do_nothing(), rows)
        else:
            from sqlalchemy.dialects.sqlite import insert as sqlite_insert

            await connection.execute(sqlite_insert(into).on_conflict_do_nothing(), rows)

    # --- the log ----------------------------------------------------------------------------------

    async def read(self, table: str, after: int = 0) -> list[Entry]:
        """A table's entries from number `after` on."""
        query = (
            sa.select(log.c.number, log.c.entry)
            .where(log.c.table_id == table, log.c.number >= after)
            .order_by(log.c.number)
        )
        async with self._reading.connect() as connection:
            rows = (await connection.execute(query)).all()
        return [json.loads(row.entry) for row in rows]

    async def append(self, append: Append) -> None:
        """Add entries; when this returns they are on the disk. `Conflict`: somebody was faster."""
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write())
        self._queue.put_nowait(append)
        await asyncio.shield(append.done)

    async def _write(self) -> None:
        """The only writer of this process: takes all that waits, and commits it together."""
        while True:
            together = [await self._queue.get()]
            while not self._queue.empty() and len(together) < MOST_TOGETHER:
                together.append(self._queue.get_nowait())
            try:
                await self._commit(together)
            except asyncio.CancelledError:
                for one in together:
                    one.done.cancel()
                raise
            except Conflict:
                await self._one_by_one(together)
            except Exception as error:  # the database is gone: whoever waits must hear of it
                _fail(together, error)
            else:
                for one in together:
                    if not one.done.done():
                        one.done.set_result(None)

    async def _one_by_one(self, together: list[Append]) -> None:
        for one in together:
            try:
                await self._commit([one])
            except Exception as error:  # a lost race, or as above
                _fail([one], error)
            else:
                if not one.done.done():
                    one.done.set_result(None)

    async def _commit(self, together: list[Append]) -> None:
        now = time.time()
        rows = [
            (one.table, one.after + place, now, orjson.dumps(entry).decode())
            for one in together
            for place, entry in enumerate(one.entries)
        ]
        about = [_row(one, now) for one in together]
        if self._pen is not None:
            await self._pen.do(lambda pen: _write_down(pen, rows, about, together))
            return
        try:
            async with self._writing.begin() as connection:
                await connection.execute(sa.insert(log), [_named(log, row) for row in rows])
                await self._follow(connection, [_named(tables, row) for row in about])
                for one in together:
                    if one.works is not None:
                        await self._owe(connection, one)
                for one in together:
                    news = f"{one.table}:{one.after + len(one.entries)}"
                    await connection.execute(_TELL, {"channel": CHANNEL, "news": news})
        except IntegrityError:
            raise Conflict from None

    async def _follow(self, connection: AsyncConnection, rows: list[dict[str, Any]]) -> None:
        """Keep what the tables' own rows say of their logs."""
        from sqlalchemy.dialects.postgresql import insert

        fresh = insert(tables)
        changed = {name: fresh.excluded[name] for name in _FOLLOWS}
        await connection.execute(
            fresh.on_conflict_do_update(index_elements=["id"], set_=changed), rows
        )

    async def _owe(self, connection: AsyncConnection, one: Append) -> None:
        """Make the rows of owed work what they should be; those that stay keep time and lease."""
        works = one.works or ()
        stays = [
            sa.and_(due.c.seat == work.seat, due.c.decision == work.decision) for work in works
        ]
        gone = due.c.table_id == one.table
        if stays:
            gone = sa.and_(gone, sa.not_(sa.or_(*stays)))
        await connection.execute(sa.delete(due).where(gone))
        from sqlalchemy.dialects.postgresql import insert

        for work in works:
            fresh = insert(due)
            changed = fresh.on_conflict_do_update(
                index_elements=["table_id", "seat", "decision"],
                set_={name: fresh.excluded[name] for name in _MOVED},
                where=sa.and_(sa.literal(work.fixed), due.c.at != fresh.excluded.at),
            )
            await connection.execute(changed, _named(due, _owed(work)))

    # --- finding tables ---------------------------------------------------------------------------

    async def lengths(self, ids: Sequence[str]) -> dict[str, int]:
        """How long the logs of these tables are."""
        query = sa.select(tables.c.id, tables.c.number).where(tables.c.id.in_(ids))
        async with self._reading.connect() as connection:
            return {row.id: row.number for row in (await connection.execute(query)).all()}

    async def newest(self, count: int, game: str | None, state: str | None) -> list[dict[str, Any]]:
        """Listed tables, those that changed last first."""
        query = sa.select(tables).where(tables.c.listed.is_(True))
        if game is not None:
            query = query.where(tables.c.game == game)
        if state is not None:
            query = query.where(tables.c.state == state)
        query = query.order_by(tables.c.changed.desc(), tables.c.id).limit(count)
        async with self._reading.connect() as connection:
            return [dict(row._mapping) for row in (await connection.execute(query)).all()]

    async def everything(self) -> list[str]:
        """The ids of all tables, the oldest first."""
        query = sa.select(tables.c.id).order_by(tables.c.created, tables.c.id)
        async with self._reading.connect() as connection:
            return [row.id for row in (await connection.execute(query)).all()]

    async def copy(self) -> dict[str, list[dict[str, Any]]]:
        """Every row of every table, as of one moment."""
        async with self._reading.connect() as connection:
            if self.postgres:
                await connection.execution_options(isolation_level="REPEATABLE READ")
            found = {}
            for one in (meta, tables, log, due):
                rows = (await connection.execute(sa.select(one))).all()
                found[one.name] = [dict(row._mapping) for row in rows]
            return found

    async def is_well(self) -> bool:
        """Does the database answer?"""
        try:
            async with self._reading.connect() as connection:
                await connection.execute(sa.text("SELECT 1"))
        except (DBAPIError, OSError):
            return False
        return True

    # --- owed work --------------------------------------------------------------------------------

    async def take(self, now: float, most: int, lease: float) -> list[Due]:
        """Work whose time to begin has come and that nobody is at: it is ours until `lease`."""
        ripe = (
            sa.select(due)
            .where(due.c.at - due.c.lead <= now, due.c.lease < now)
            .order_by(due.c.at)
            .limit(most)
        )
        async with self._reading.connect() as connection:
            rows = (await connection.execute(ripe)).all()
        if not rows:
            return []
        taken = []
        async with self._writing.begin() as connection:
            for row in rows:
                ours = await connection.execute(
                    sa.update(due)
                    .where(
                        due.c.table_id == row.table_id,
                        due.c.seat == row.seat,
                        due.c.decision == row.decision,
                        due.c.lease == row.lease,
                    )
                    .values(lease=now + lease + max(0.0, row.at - now), tries=row.tries + 1)
                )
                if ours.rowcount:
                    taken.append(
                        Due(
                            row.table_id,
                            row.seat,
                            row.decision,
                            row.at,
                            row.lead,
                            int(row.tries) + 1,
                        )
                    )
        return taken

    async def drop(self, work: Due) -> None:
        """Forget work that isn't owed any more."""
        async with self._writing.begin() as connection:
            await connection.execute(
                sa.delete(due).where(
                    due.c.table_id == work.table,
                    due.c.seat == work.seat,
                    due.c.decision == work.decision,
                )
            )

    async def release(self) -> None:
        """Give up all leases: at the start of the only process that uses this database."""
        async with self._writing.begin() as connection:
            await connection.execute(sa.update(due).values(lease=0.0))


_FOLLOWS = ("number", "state", "changed")
"""What of a table's own row changes with its log."""
_MOVED = ("at", "lead", "lease")
"""What of owed work changes when it is due at another time."""
_TELL = sa.text("SELECT pg_notify(:channel, :news)")


def _row(one: Append, now: float) -> tuple[Any, ...]:
    """A table's own row, in the schema's order."""
    length = one.after + len(one.entries)
    return (one.table, length, one.game, one.state, one.listed, now, now)


def _owed(work: Due) -> tuple[Any, ...]:
    """A row of owed work, in the schema's order."""
    return (work.table, work.seat, work.decision, work.at, work.lead, 0.0, 0)


def _named(of: sa.Table, row: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip(of.columns.keys(), row, strict=True))


def _write_down(
    pen: sqlite3.Connection,
    rows: list[tuple[Any, ...]],
    about: list[tuple[Any, ...]],
    together: Sequence[Append],
) -> None:
    """What `_commit` does, for SQLite."""
    try:
        write_rows(pen, "INSERT INTO log", rows)
    except sqlite3.IntegrityError:
        raise Conflict from None
    changed = ", ".join(f"{name} = excluded.{name}" for name in _FOLLOWS)
    write_rows(pen, "INSERT INTO tables", about, f"ON CONFLICT (id) DO UPDATE SET {changed}")
    for one in together:
        if one.works is None:
            continue
        stays = {(work.seat, work.decision) for work in one.works}
        found = pen.execute("SELECT seat, decision FROM due WHERE table_id = ?", [one.table])
        for gone in set(found.fetchall()) - stays:
            pen.execute(
                "DELETE FROM due WHERE table_id = ? AND seat = ? AND decision = ?",
                [one.table, *gone],
            )
        moved = ", ".join(f"{name} = excluded.{name}" for name in _MOVED)
        for work in one.works:
            kept = f"UPDATE SET {moved} WHERE at <> excluded.at" if work.fixed else "NOTHING"
            write_rows(pen, "INSERT INTO due", [_owed(work)], f"ON CONFLICT DO {kept}")


def _fail(together: Sequence[Append], error: Exception) -> None:
    for one in together:
        if not one.done.done():
            one.done.set_exception(error)


def _reason(error: Exception) -> str:
    return str(getattr(error, "orig", error)).splitlines()[0][:200]


# --- opening --------------------------------------------------------------------------------------


def url_of(where: Path | str) -> str:
    """A database's URL from a folder or a URL, with the driver that is used here."""
    if isinstance(where, Path):
        try:
            where.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise PelagosError(f"{where} can't be used: {error.strerror}.") from None
        return f"sqlite+aiosqlite:///{where / FILE}"
    scheme, sign, rest = where.partition("://")
    if sign and scheme in ("postgresql", "postgres", "postgresql+asyncpg"):
        return f"postgresql+asyncpg://{rest}"
    if sign and scheme in ("sqlite", "sqlite+aiosqlite"):
        return f"sqlite+aiosqlite://{rest}"
    raise PelagosError("A database's URL starts with postgresql:// or sqlite://.")


def _sqlite(url: str, begin: str) -> AsyncEngine:
    engine = create_async_engine(url, connect_args={"timeout": 30})

    @event.listens_for(engine.sync_engine, "connect")
    def _connected(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # we begin transactions ourselves
        cursor = connection.cursor()
        for pragma in PRAGMAS:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def _begun(connection: Any) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _postgres(url: str) -> AsyncEngine:
    try:
        return create_async_engine(url, pool_size=8, max_overflow=8, pool_pre_ping=True)
    except ModuleNotFoundError:
        raise PelagosError(
            "PostgreSQL needs its driver: pip install 'pelagos[postgres]'."
        ) from None


def _migrate(connection: sa.Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({MIGRATING})"))
    config = Config()
    config.set_main_option("script_location", "pelagos.tables:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")

"""The store: an append-only log in SQLite, or in PostgreSQL if a URL names one.

An entry's key is (table, number). Whoever writes a number that is there already has lost a race,
gets `Conflict`, reads what was written and tries again.
"""

from __future__ import annotations

import asyncio
import math
import secrets
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from pelagos.engine.errors import PelagosError, text
from pelagos.tables.analyses import SqlAnalyses
from pelagos.tables.database import FILE, Job, Result, insert_for, open_database, url_of
from pelagos.tables.errors import Conflict
from pelagos.tables.holdings import SqlHoldings
from pelagos.tables.keeping import Analyses, Due, Holdings
from pelagos.tables.names import is_named
from pelagos.tables.schema import analyses, due, log, meta, metadata, names, tables
from pelagos.tables.table import Entry, read_entry
from pelagos.tables.tokens import Key
from pelagos.tables.writer import TALK_CHANNEL, Writer, delete_due

LISTED = tuple(column for column in tables.c if column.name not in ("laid_by", "bytes"))
"""What is told of a listed table."""
HEALTH_LASTS = 1.0
"""Seconds for which a look at the database's health is good."""
NEWER_KEY = "key from "
"""How the names of keys begin that have replaced another."""
MIGRATING = 0x70656C61
"""The lock that one process holds while it migrates a PostgreSQL database."""
RAISES: tuple[type[Exception], ...] = (SQLAlchemyError, ConnectionError, TimeoutError, Conflict)
"""What comes of it when the database is away."""

# What is asked again and again, put together once.
_ENTRIES = (
    sa.select(log.c.entry)
    .where(log.c.table_id == sa.bindparam("table"), log.c.number >= sa.bindparam("after"))
    .order_by(log.c.number)
)
_LENGTHS = sa.select(tables.c.id, tables.c.number).where(
    tables.c.id.in_(sa.bindparam("ids", expanding=True))
)
_RIPE = (
    sa.select(due)
    .where(due.c.at - due.c.lead <= sa.bindparam("now"), due.c.lease < sa.bindparam("now"))
    .order_by(due.c.at)
    .limit(sa.bindparam("most"))
)


class Store:
    """The database behind all tables."""

    def __init__(self, url: str) -> None:
        """Use `Store.open`."""
        self.url = url
        self.postgres = url.startswith("postgresql")
        self._reading, self._writing = open_database(url)
        self._writer = Writer(self._writing, sa.make_url(url).get_dialect()())
        self.append = self._writer.append
        self._trying = asyncio.Lock()
        self._tried = (-math.inf, True)
        """When it was tried last whether the database can be written, and whether it could."""
        self.holdings: Holdings = SqlHoldings(self)
        self.analyses: Analyses = SqlAnalyses(self)
        self.raises = RAISES

    @classmethod
    async def open(cls, where: Path | str, make: bool = True, migrates: bool = True) -> Store:
        """Open a folder's SQLite file, or the PostgreSQL database at a URL; migrate it.

        `make`: a folder without one gets one, else it is refused. `migrates`: unless somebody has
        just done so.
        """
        if not make and isinstance(where, Path) and not (where / FILE).exists():
            raise PelagosError(text("tables/refuse.no_data", folder=str(where), file=FILE))
        store = cls(url_of(where))
        if not migrates:
            return store
        try:
            await store._writing.run(_migrate)
        except CommandError:
            await store.close()
            raise PelagosError(text("tables/refuse.newer_data")) from None
        except (DBAPIError, OSError) as error:
            await store.close()
            raise PelagosError(text("tables/refuse.database", reason=_reason(error))) from None
        return store

    async def close(self) -> None:
        """Let go of the database."""
        await self._writer.close()
        await self._writing.close()
        await self._reading.close()

    async def key(self) -> bytes:
        """The first key that signs seats, made when it is first asked for."""
        return await self.secret("key")

    async def secret(self, name: str) -> bytes:
        """A secret of this place, made when it is first asked for."""

        def find_or_make(connection: sa.Connection) -> bytes:
            fresh = insert_for(connection.dialect.name)(meta).on_conflict_do_nothing()
            connection.execute(fresh, {"name": name, "value": secrets.token_hex(32)})
            kept = connection.execute(sa.select(meta.c.value).where(meta.c.name == name))
            return bytes.fromhex(kept.scalar_one())

        return await self.write(find_or_make)

    async def keys(self) -> list[Key]:
        """All keys that sign seats, or did."""
        newer = sa.select(meta).where(meta.c.name.like(f"{NEWER_KEY}%"))
        rows = await self.select(newer)
        return [Key(await self.key()), *(Key.from_json(row.value) for row in rows)]

    async def add_key(self, begins: float, keeps: float) -> None:
        """Let a new key sign from then on; the one before it is good so many seconds more."""
        new = Key(secrets.token_bytes(32), begins, keeps)
        row = {"name": f"{NEWER_KEY}{begins:.3f}", "value": new.as_json()}
        await self.write(lambda connection: connection.execute(sa.insert(meta), [row]))

    async def write(self, job: Job[Result]) -> Result:
        """Run a job that writes, in a transaction of its own."""
        return await self._writing.run(job)

    async def is_well(self) -> bool:
        """Can the database be written? A full disk answers questions, but keeps no moves. It is
        tried once in a while, however often anybody asks.
        """
        async with self._trying:
            now = time.monotonic()
            if now - self._tried[0] > HEALTH_LASTS:
                self._tried = (now, await self._can_write())
            return self._tried[1]

    async def _can_write(self) -> bool:
        def note_the_time(connection: sa.Connection) -> None:
            fresh = insert_for(connection.dialect.name)(meta)
            newest = fresh.on_conflict_do_update(
                index_elements=[meta.c.name], set_={"value": fresh.excluded.value}
            )
            connection.execute(newest, {"name": "health", "value": str(time.time())})

        try:
            await self._writing.run(note_the_time)
        except (DBAPIError, OSError):
            return False
        return True

    async def spread(self, table: str, line: str) -> None:
        """Tell other processes what was said at a table; nothing is written."""
        if self.postgres:
            news = sa.select(sa.func.pg_notify(TALK_CHANNEL, f"{table}:{line}"))
            await self._writing.run(lambda connection: connection.execute(news))

    # --- reading ----------------------------------------------------------------------------------

    async def select(
        self, query: sa.Select[Any], values: dict[str, Any] | None = None
    ) -> Sequence[sa.Row[Any]]:
        """The rows that a query finds."""
        return await self._reading.run(lambda connection: connection.execute(query, values).all())

    async def read(self, table: str, after: int = 0) -> list[Entry]:
        """A table's entries from number `after` on."""
        rows = await self.select(_ENTRIES, {"table": table, "after": after})
        entries = [read_entry(row.entry) for row in rows]
        return await self.with_names(table, entries, after)

    async def with_names(self, table: str, entries: list[Entry], after: int = 0) -> list[Entry]:
        """Entries with the names that belong to them, as far as they aren't erased."""
        if any(map(is_named, entries)):
            query = sa.select(names).where(names.c.table_id == table, names.c.number >= after)
            for row in await self.select(query):
                if row.number - after < len(entries):
                    entries[row.number - after][row.field] = row.name
        return entries

    async def lengths(self, ids: Sequence[str]) -> dict[str, int]:
        """How long the logs of these tables are."""
        return {row.id: row.number for row in await self.select(_LENGTHS, {"ids": list(ids)})}

    async def newest(self, count: int, game: str | None, state: str | None) -> list[dict[str, Any]]:
        """Listed tables, those that changed last first."""
        query = sa.select(*LISTED).where(tables.c.listed.is_(True))
        if game is not None:
            query = query.where(tables.c.game == game)
        if state is not None:
            query = query.where(tables.c.state == state)
        query = query.order_by(tables.c.changed.desc(), tables.c.id).limit(count)
        return [dict(row._mapping) for row in await self.select(query)]

    async def rules_of(self, ids: Sequence[str]) -> dict[str, str]:
        """By which version of its game's rules each of these tables was laid, where it is told."""
        first = sa.select(log.c.table_id, log.c.entry).where(
            log.c.table_id.in_(ids), log.c.number == 0
        )
        rows = await self.select(first)
        laid = {row.table_id: read_entry(row.entry).get("rules") for row in rows}
        return {table: str(rules) for table, rules in laid.items() if rules is not None}

    async def table_ids(self) -> list[str]:
        """The ids of all tables, the oldest first."""
        query = sa.select(tables.c.id).order_by(tables.c.created, tables.c.id)
        return [row.id for row in await self.select(query)]

    async def all_rows(self) -> dict[str, list[dict[str, Any]]]:
        """Every row of every table, as of one moment."""

        def read(connection: sa.Connection) -> dict[str, list[dict[str, Any]]]:
            if self.postgres:
                connection.execute(sa.text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"))
            return {
                table.name: [dict(row) for row in connection.execute(sa.select(table)).mappings()]
                for table in metadata.sorted_tables
            }

        return await self._reading.run(read)

    # --- owed work --------------------------------------------------------------------------------

    async def take(self, now: float, most: int, lease: float) -> list[Due]:
        """Work whose time to begin has come and that nobody is at: it is ours until `lease`."""
        rows = await self.select(_RIPE, {"now": now, "most": most})
        if not rows:
            return []

        def lease_rows(connection: sa.Connection) -> list[Due]:
            leased = [(row, now + lease + max(0.0, row.at - now)) for row in rows]
            return [
                Due(row.table_id, row.seat, row.decision, row.at, row.lead, row.tries + 1)
                for row, until in leased
                if connection.execute(_lease(row, until)).rowcount
            ]

        return await self._writing.run(lease_rows)

    async def drop(self, work: Due) -> None:
        """Forget work that isn't owed any more."""
        gone = delete_due(work.table, work.seat, work.decision)
        await self._writing.run(lambda connection: connection.execute(gone))

    async def give_back(self, works: Iterable[tuple[str, int, int]]) -> None:
        """Let others take up work that we had begun, by table, seat and decision."""

        def free(connection: sa.Connection) -> None:
            for table, seat, decision in works:
                ours = (due.c.table_id == table, due.c.seat == seat, due.c.decision == decision)
                connection.execute(sa.update(due).where(*ours).values(lease=0.0))

        await self.write(free)

    async def release(self) -> None:
        """Give up all leases: at the start of the only process that uses this database."""

        def free(connection: sa.Connection) -> None:
            for leased in (due, analyses):
                connection.execute(sa.update(leased).values(lease=0.0))

        await self.write(free)

    async def oldest_due(self) -> float | None:
        """When the oldest work that is still owed was, or will be, due."""
        [[oldest]] = await self.select(sa.select(sa.func.min(due.c.at)))
        return None if oldest is None else float(oldest)

    async def due_after(self, time: float) -> list[Due]:
        """Work that is due later than this."""
        rows = await self.select(sa.select(due).where(due.c.at > time))
        return [
            Due(row.table_id, row.seat, row.decision, row.at, row.lead, row.tries) for row in rows
        ]

    async def hasten(self, work: Due, at: float) -> None:
        """Let work be due at another time."""
        mine = (due.c.table_id == work.table, due.c.seat == work.seat)
        sooner = sa.update(due).where(*mine, due.c.decision == work.decision).values(at=at)
        await self._writing.run(lambda connection: connection.execute(sooner))


def _lease(row: sa.Row[Any], until: float) -> sa.Update:
    """Take up work, unless somebody else has meanwhile."""
    return (
        sa.update(due)
        .where(
            due.c.table_id == row.table_id,
            due.c.seat == row.seat,
            due.c.decision == row.decision,
            due.c.lease == row.lease,
        )
        .values(lease=until, tries=row.tries + 1)
    )


def _reason(error: Exception) -> str:
    return str(getattr(error, "orig", error)).splitlines()[0][:200]


def _migrate(connection: sa.Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({MIGRATING})"))
    config = Config()
    config.set_main_option("script_location", "pelagos.tables:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")

"""The database's part of one's own games: who held which seat, and what came of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from pelagos.tables.database import insert_for
from pelagos.tables.keeping import Grown, Held, Line, Result, Row
from pelagos.tables.names import is_named
from pelagos.tables.schema import analyses, due, holdings, log, names, results, tables
from pelagos.tables.table import read_entry

if TYPE_CHECKING:
    from pelagos.tables.store import Store


class SqlHoldings:
    """`keeping.Holdings` in the database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def hold(self, owner: str, seats: Iterable[Held]) -> None:
        """Note that somebody holds seats."""
        rows = [
            {"owner": owner, "table_id": table, "seat": seat, "issue": issue, "number": 0}
            for table, seat, issue in set(seats) - await self.held(owner)
        ]
        if rows:
            await self._store.write(
                lambda connection: connection.execute(_insert(connection, holdings), rows)
            )

    async def held(self, owner: str) -> set[Held]:
        """The seats that somebody has held."""
        query = sa.select(holdings).where(holdings.c.owner == owner)
        return {(row.table_id, row.seat, row.issue) for row in await self._store.select(query)}

    async def merge(self, owner: str, into: str) -> None:
        """Let everything that one key has held be the other's."""
        await self.hold(into, await self.held(owner))
        gone = sa.delete(holdings).where(holdings.c.owner == owner)
        await self._store.write(lambda connection: connection.execute(gone))

    async def shared(self, owner: str) -> set[str]:
        """The tables at which others have held seats."""
        others = sa.select(holdings.c.table_id).where(holdings.c.owner != owner).distinct()
        return {row.table_id for row in await self._store.select(others)}

    async def grown(self, owner: str, most: int) -> list[Grown]:
        """Somebody's tables whose logs have grown since results were last taken from them."""
        query = (
            sa.select(holdings.c.table_id, tables.c.number, tables.c.game)
            .join(tables, tables.c.id == holdings.c.table_id)
            .where(holdings.c.owner == owner, holdings.c.number < tables.c.number)
            .distinct()
            .limit(most)
        )
        return [Grown(row.table_id, row.game) for row in await self._store.select(query)]

    async def lines(self, table: str) -> list[Line]:
        """A table's whole log, as it is written."""
        entries = sa.select(log.c.at, log.c.entry).where(log.c.table_id == table)
        rows = await self._store.select(entries.order_by(log.c.number))
        written: list[Row] = [read_entry(row.entry) for row in rows]
        named = await self._store.with_names(table, written)
        return [
            Line(row.at, json.dumps(entry, ensure_ascii=False) if is_named(entry) else row.entry)
            for row, entry in zip(rows, named, strict=True)
        ]

    async def keep(self, table: str, number: int, rows: Sequence[Row]) -> None:
        """Keep a table's results, and how much of its log they come from."""

        def keep(connection: sa.Connection) -> None:
            if rows:
                connection.execute(_insert(connection, results), rows)
            read = sa.update(holdings).where(holdings.c.table_id == table)
            connection.execute(read.values(number=number))

        await self._store.write(keep)

    async def results(self, owner: str) -> list[Result]:
        """The results of somebody's tables, the newest first."""
        mine = sa.select(holdings.c.table_id).where(holdings.c.owner == owner)
        seen_by_coach = sa.and_(
            analyses.c.table_id == results.c.table_id,
            analyses.c.game_number == results.c.game_number,
        )
        query = (
            sa.select(results, analyses.c.summary)
            .select_from(results.outerjoin(analyses, seen_by_coach))
            .where(results.c.table_id.in_(mine))
            .order_by(results.c.ended.desc(), results.c.table_id, results.c.game_number.desc())
        )
        return [
            Result(row.table_id, row.game_number, row.ended, row.result, row.summary)
            for row in await self._store.select(query)
        ]

    async def forget(self, owner: str, alone: Sequence[str]) -> None:
        """Delete somebody's list, and these tables wholly."""

        def delete(connection: sa.Connection) -> None:
            connection.execute(sa.delete(holdings).where(holdings.c.owner == owner))
            for stored in (holdings, results, analyses, due, log, names):
                connection.execute(sa.delete(stored).where(stored.c.table_id.in_(alone)))
            connection.execute(sa.delete(tables).where(tables.c.id.in_(alone)))
            nobodys = results.c.table_id.not_in(sa.select(holdings.c.table_id))
            connection.execute(sa.delete(results).where(nobodys))

        await self._store.write(delete)


def _insert(connection: sa.Connection, into: sa.Table) -> Any:
    """Add rows; those that are there already stay."""
    return insert_for(connection.dialect.name)(into).on_conflict_do_nothing()

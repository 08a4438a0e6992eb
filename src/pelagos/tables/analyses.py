"""The database's part of the coach's work: an analysis is a row with a lease."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import sqlalchemy as sa

from pelagos.tables.database import insert_for
from pelagos.tables.keeping import Analysis
from pelagos.tables.schema import analyses

if TYPE_CHECKING:
    from pelagos.tables.store import Store


class SqlAnalyses:
    """`keeping.Analyses` in the database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def ask(self, table: str, game: int, now: float, lease: float = 0.0) -> None:
        """Let a game be analysed, unless it is or was; one that failed is begun anew. For the time
        of a `lease` nobody else takes it up.
        """
        row = {
            "table_id": table,
            "game_number": game,
            "asked": now,
            "lease": now + lease if lease else 0.0,
            "tries": 0,
            "done": False,
            "summary": "",
            "analysis": "",
        }

        def add(connection: sa.Connection) -> None:
            failed = _row(table, game) & analyses.c.done.is_(True) & (analyses.c.analysis == "")
            connection.execute(sa.delete(analyses).where(failed))
            fresh = insert_for(connection.dialect.name)(analyses).on_conflict_do_nothing()
            connection.execute(fresh, row)

        await self._store.write(add)

    async def known(self, table: str, game: int) -> Analysis | None:
        """How far an analysis has come; None if nobody has asked for it."""
        columns = (analyses.c.done, analyses.c.asked, analyses.c.analysis)
        rows = await self._store.select(sa.select(*columns).where(_row(table, game)))
        if not rows:
            return None
        before = sa.select(sa.func.count()).where(
            analyses.c.done.is_(False), analyses.c.asked < rows[0].asked
        )
        ahead = 0 if rows[0].done else (await self._store.select(before))[0][0]
        return Analysis(rows[0].done, ahead, rows[0].analysis)

    async def take(self, now: float, lease: float, most_tries: int) -> tuple[str, int] | None:
        """The work that was asked for first, if nobody is at any: it is ours for a while."""
        open_work = analyses.c.done.is_(False)
        query = sa.select(analyses).where(open_work).order_by(analyses.c.asked).limit(1)
        rows = await self._store.select(query)
        if not rows or rows[0].lease > now:
            return None
        row = rows[0]
        others = sa.select(analyses.c.table_id).where(open_work, analyses.c.lease > now)
        take = (
            sa.update(analyses)
            .where(_row(row.table_id, row.game_number), analyses.c.lease == row.lease)
            .where(~others.exists())
            .values(lease=now + lease, tries=row.tries + 1, done=row.tries >= most_tries)
        )
        taken = await self._store.write(lambda connection: connection.execute(take).rowcount)
        return (row.table_id, row.game_number) if taken and row.tries < most_tries else None

    async def keep(
        self, table: str, game: int, document: str, summary: str, done: bool, lease: float
    ) -> None:
        """Store a round."""
        storing = (
            sa.update(analyses)
            .where(_row(table, game))
            .values(analysis=document, summary=summary, done=done, lease=lease, tries=0)
        )
        await self._store.write(lambda connection: connection.execute(storing))

    async def release(self, table: str, game: int, failed: bool) -> None:
        """Let somebody else go on at once."""
        tries = analyses.c.tries if failed else 0
        free = sa.update(analyses).where(_row(table, game)).values(lease=0.0, tries=tries)
        await asyncio.shield(self._store.write(lambda connection: connection.execute(free)))


def _row(table: str, game: int) -> sa.ColumnElement[bool]:
    return sa.and_(analyses.c.table_id == table, analyses.c.game_number == game)

"""Erasing names: at somebody's wish, or when nothing has happened at a table for long.

Log and record stay as they are, and can be verified as before: the seat has a number.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import partial

import sqlalchemy as sa

from pelagos.tables import logs
from pelagos.tables.names import sat_down
from pelagos.tables.quotas import DAY
from pelagos.tables.schema import analyses, names, results, tables
from pelagos.tables.service import Tables
from pelagos.tables.store import Store
from pelagos.tables.table import Entry, Table

MOST_AT_ONCE = 200
"""Tables whose names are erased in one transaction, when their time has come."""


class Erasing:
    """Erases names in the database, and at the tables that are open."""

    def __init__(self, live: Tables, store: Store, days: int) -> None:
        """`days`: after so many names are erased at tables where nothing has happened; 0: never."""
        self._live = live
        self._store = store
        self._days = days

    async def erase(self, owner: str) -> int:
        """Erase the names under which somebody sat at tables; returns at how many."""
        held = await self._store.holdings.held(owner)
        erased = 0
        for table in sorted({table for table, _, _ in held}):
            mine = {(seat, issue) for held_at, seat, issue in held if held_at == table}
            erased += await self._erase_at(table, mine)
        return erased

    async def _erase_at(self, table: str, held: set[tuple[int, int]]) -> bool:
        entries = await self._store.read(table)
        numbers = sat_down(table, entries, held)
        own = {entries[number]["name"] for number in numbers} - {""}
        if not own:
            return False
        await self._store.write(partial(_erase, table, own, numbers))
        seats = sorted({entries[number]["seat"] for number in numbers})

        def tell(now: Table) -> list[Entry]:
            return [now.apply({"do": "erase", "seats": seats})]

        if (await self._live.find(table)).table.is_closed:
            self._live.close_table(table)
        else:
            await self._live.do(table, tell, whatever_its_length=True)
        return True

    async def erase_old(self) -> None:
        """Erase all names at tables where nothing has happened for so many days."""
        if not self._days:
            return
        before = self._live.clock() - self._days * DAY
        old = (
            sa.select(names.c.table_id)
            .join(tables, tables.c.id == names.c.table_id)
            .where(tables.c.changed < before)
            .distinct()
            .limit(MOST_AT_ONCE)
        )
        while aged := [row.table_id for row in await self._store.select(old)]:

            def erase_all(connection: sa.Connection, ids: Iterable[str] = tuple(aged)) -> None:
                for table in ids:
                    of_table = sa.select(names.c.name).where(names.c.table_id == table)
                    _erase(table, set(connection.execute(of_table).scalars()), None, connection)

            await self._store.write(erase_all)
            for table in aged:
                self._live.close_table(table)
            logs.tell("names_erased", tables=len(aged))


def _erase(
    table: str, erased: set[str], numbers: set[int] | None, connection: sa.Connection
) -> None:
    """Erase names at a table: those of these entries, and the same where others' entries tell who
    did something; without `numbers` all.
    """
    gone = sa.delete(names).where(names.c.table_id == table)
    if numbers is not None:
        by_them = sa.and_(names.c.field == "by", names.c.name.in_(erased))
        gone = gone.where(sa.or_(names.c.number.in_(numbers), by_them))
    connection.execute(gone)
    for stored, column in ((results, results.c.result), (analyses, analyses.c.analysis)):
        of_table = sa.select(stored.c.game_number, column).where(stored.c.table_id == table)
        for number, document in connection.execute(of_table).all():
            of_game = (stored.c.table_id == table, stored.c.game_number == number)
            without = {column.name: _without_names(document, erased)}
            connection.execute(sa.update(stored).where(*of_game).values(without))


def _without_names(written: str, erased: set[str]) -> str:
    """A result, or what the coach said, with numbers for people whose names are erased."""
    if not written:
        return written
    document = json.loads(written)
    for number, seat in enumerate(document.get("seats", ())):
        if seat.get("name") in erased and not seat.get("bot"):
            seat["name"] = f"seat {number}"
    return json.dumps(document, ensure_ascii=False)

"""Quotas: how much of a day, and of the disk, an address may use, in all processes together.

An address is stored as its hash with the key that signs seats, for what is counted by the day with
another one each day; both are forgotten when they count no more.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable

import sqlalchemy as sa

from pelagos.engine.errors import text
from pelagos.tables.database import insert_for
from pelagos.tables.errors import UsedUp
from pelagos.tables.limits import BOT_GAMES, TABLES
from pelagos.tables.schema import spent, tables
from pelagos.tables.settings import Settings
from pelagos.tables.store import Store

DAY = 86_400
MONTH = 30 * DAY
"""Seconds after which nobody knows any more from which address a table was laid."""
MEGABYTE = 1_000_000
USED_UP = {TABLES: "tables/refuse.used_tables", BOT_GAMES: "tables/refuse.used_bot_games"}


class Quotas:
    """What each address has used."""

    def __init__(
        self, store: Store, key: bytes, settings: Settings, clock: Callable[[], float]
    ) -> None:
        self._store = store
        self._key = key
        self._most = {TABLES: settings.tables_a_day, BOT_GAMES: settings.bot_games_a_day}
        self._most_bytes = settings.megabytes * MEGABYTE
        self._clock = clock

    async def lay(self, address: str, with_bots: bool) -> None:
        """A table is laid: is there room for it, and is it one too many today?"""
        stored = sa.select(sa.func.sum(tables.c.bytes)).where(
            tables.c.laid_by == self.laid_by(address)
        )
        [[used]] = await self._store.select(stored)
        if (used or 0) >= self._most_bytes:
            megabytes = self._most_bytes // MEGABYTE
            raise UsedUp(text("tables/refuse.storage", most=megabytes), retry_after=DAY)
        await self.spend(TABLES, address)
        if with_bots:
            await self.spend(BOT_GAMES, address)

    async def spend(self, kind: str, address: str) -> None:
        """Count one for today; refuse it if that is too many."""
        day, since_midnight = divmod(int(self._clock()), DAY)
        row = {"day": day, "kind": kind, "who": self._hash(f"{day}/{address}"), "amount": 1}
        most = self._most[kind]

        def count(connection: sa.Connection) -> bool:
            first = insert_for(connection.dialect.name)(spent).values(row)
            one_more = first.on_conflict_do_update(
                index_elements=[spent.c.day, spent.c.kind, spent.c.who],
                set_={"amount": spent.c.amount + 1},
                where=spent.c.amount < most,
            )
            return bool(connection.execute(one_more).rowcount)

        if not await self._store.write(count):
            retry = DAY - since_midnight
            raise UsedUp(text(USED_UP[kind], most=most), retry_after=retry)

    def laid_by(self, address: str) -> str:
        """What is stored of the address that a table was laid from."""
        return self._hash(f"laid/{address}")

    async def forget(self) -> None:
        """Forget what counts no more."""
        now = self._clock()
        past = sa.delete(spent).where(spent.c.day < int(now // DAY))
        whose = (
            sa.update(tables)
            .values(laid_by="")
            .where(tables.c.created < now - MONTH, tables.c.laid_by != "")
        )

        def forget(connection: sa.Connection) -> None:
            connection.execute(past)
            connection.execute(whose)

        await self._store.write(forget)

    def _hash(self, about: str) -> str:
        return hmac.digest(self._key, f"pelagos quota {about}".encode(), "sha256").hex()[:32]

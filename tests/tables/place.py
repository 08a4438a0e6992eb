"""A server without its door, with a clock in the test's hand."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from pelagos.engine.match import Match
from pelagos.tables import acts
from pelagos.tables.service import OpenTable, Tables
from pelagos.tables.settings import Settings
from pelagos.tables.store import Store
from pelagos.tables.workers import Workers
from tabling import client_id

QUICK = 60.0


class Clock:
    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class Place:
    """A server without its door: tables, workers and a clock that stands still."""

    def __init__(self, store: Store, key: bytes, pause: tuple[float, float]) -> None:
        self.clock = Clock()
        self.store = store
        self.tables = Tables(store, key, Settings(pause=pause), self.clock)
        self.workers = Workers(self.tables)
        self.laid = 0

    async def lay(self, game: str, people: int, bots: int = 0, **more: Any) -> OpenTable:
        seats = [{"kind": "open"}] * people + [{"kind": "bot", "bot": "hermit"}] * bots
        entries = acts.create(game, {"players": people + bots}, seats, **more)
        self.laid += 1
        entries[0]["secret"] = f"{self.laid:064x}"
        live = await self.tables.create(entries)
        for seat in range(people):
            await self.do(live, acts.sit, seat, "A", "", client_id() * 2, False)
        return live

    async def do(self, live: OpenTable, act: Callable[..., Any], *arguments: Any) -> None:
        await self.tables.do(live.table.id, lambda now: act(now, *arguments))

    async def move(self, live: OpenTable, seat: int, action: int | str) -> None:
        await self.do(live, acts.move, seat, None, [action], client_id())

    async def work(self) -> int:
        """Do all that is due now; how much was that?"""
        due = await self.store.take(self.clock(), 10, 10.0)
        for work in due:
            await self.workers.answer(work)
        return len(due)


def at_a_place(
    tmp_path: Path,
    test: Callable[[Place], Awaitable[None]],
    pause: tuple[float, float] = (0.4, 1.6),
) -> None:
    async def run() -> None:
        store = await Store.open(tmp_path)
        place = Place(store, await store.key(), pause)
        try:
            await test(place)
        finally:
            await place.workers.close()
            await place.tables.close()
            await store.close()

    asyncio.run(run())


def match_of(live: OpenTable) -> Match:
    assert live.table.match is not None
    return live.table.match

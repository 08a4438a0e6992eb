"""Faults as somebody might make them, planted to see that schedules find them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from unittest import mock

from pelagos.tables import message
from pelagos.tables.keeping import Append, Due
from pelagos.tables.service import OpenTable, Tables
from pelagos.tables.store import Store
from pelagos.tables.table import Entry, Table
from pelagos.tables.workers import Workers, _is_owed
from pelagos.tables.writer import Writer

Planted = AbstractContextManager[Any]


def acknowledge_before_commit() -> Planted:
    """An append is taken for written as soon as it waits to be."""
    append, begun = Writer.append, []

    async def hasty(writer: Writer, entries: Append) -> None:
        begun.append(asyncio.ensure_future(append(writer, entries)))

    return mock.patch.object(Writer, "append", hasty)


def forget_client_ids() -> Planted:
    """What was asked for twice is done twice, or refused the second time."""
    apply = Table.apply

    def forgetful(table: Table, entry: Entry) -> Entry:
        known = set(table.clients)
        written = apply(table, entry)
        table.clients = known
        return written

    return mock.patch.object(Table, "apply", forgetful)


def lose_news() -> Planted:
    """What other processes wrote is read, and nobody who listens here is told."""

    async def silent(tables: Tables, live: OpenTable) -> None:
        with mock.patch.object(live, "tell"):
            await catch_up(tables, live)

    catch_up = Tables._catch_up
    return mock.patch.object(Tables, "_catch_up", silent)


def apply_twice() -> Planted:
    """Whoever reads on begins with the entry that it knows already."""
    read = Store.read

    async def greedy(store: Store, table: str, after: int = 0) -> list[Entry]:
        return await read(store, table, max(0, after - 1))

    return mock.patch.object(Store, "read", greedy)


def leak() -> Planted:
    """What everyone is told of a table depends on what the others hold."""
    about = message.about

    def talkative(table: Table) -> dict[str, Any]:
        known = about(table)
        if table.match is not None:
            known["pace"] = f"{known['pace']}{sum(table.match.position.states.tobytes()) % 7}"
        return known

    return mock.patch.object(message, "about", talkative)


def never_wake_bots() -> Planted:
    """Now and then what bots owe isn't written down."""
    works = Tables._works

    def lazy(tables: Tables, table: Table) -> list[Due]:
        return works(tables, table) if table.number % 4 else []

    return mock.patch.object(Tables, "_works", lazy)


# --- and those that schedules have found ----------------------------------------------------------


def drop_what_is_owed() -> Planted:
    """A process that hasn't heard of a question drops the work that answers it."""
    answer = Workers.answer

    async def hasty(bots: Workers, work: Due) -> None:
        live = await bots._tables.find(work.table)
        if _is_owed(live.table, work):
            await answer(bots, work)
        else:
            await bots._tables.store.drop(work)

    return mock.patch.object(Workers, "answer", hasty)


def refuse_by_an_old_table() -> Planted:
    """A process that hasn't heard of a move refuses it when it is asked for again."""

    async def idle(tables: Tables, live: OpenTable) -> bool:
        return False

    return mock.patch.object(Tables, "_read_on", idle)


PLANTED: dict[Callable[[], Planted], tuple[str, ...]] = {
    acknowledge_before_commit: ("is acknowledged and not on the disk", "is written after"),
    forget_client_ids: ("is refused, and on the disk",),
    lose_news: ("is told of change",),
    apply_twice: ("is answered by 410",),
    leak: ("could tell that it isn't in another world",),
    never_wake_bots: ("still play",),
    drop_what_is_owed: ("still play",),
    refuse_by_an_old_table: ("This seat isn't yours",),
}
"""Each with what is said of it when it is found."""

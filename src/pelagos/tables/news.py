"""News across processes: that a table's log has grown, and to which length; what was said there.

PostgreSQL tells after the commit (NOTIFY in the transaction is sent when it commits). News may be
lost: every process re-reads its open tables every two seconds anyway.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from importlib import import_module
from typing import Any

from pelagos.tables.writer import CHANNEL, TALK_CHANNEL

RETRY = 1.0
BEAT = 5.0


async def listen(
    url: str, hear: Callable[[str, int], None], hear_talk: Callable[[str, str], None]
) -> None:
    """Call `hear(table, length)` for every bit of news, and `hear_talk(table, line)` for whatever
    is said, for ever; reconnect when it breaks.
    """
    asyncpg: Any = import_module("asyncpg")

    plain = url.replace("postgresql+asyncpg://", "postgresql://", 1)

    def heard(_connection: Any, _process: int, _channel: str, news: str) -> None:
        table, _, length = news.rpartition(":")
        if length.isdigit():
            hear(table, int(length))

    def heard_talk(_connection: Any, _process: int, _channel: str, news: str) -> None:
        table, _, line = news.partition(":")
        hear_talk(table, line)

    while True:
        connection = None
        try:
            connection = await asyncpg.connect(plain, timeout=10)
            await connection.add_listener(CHANNEL, heard)
            await connection.add_listener(TALK_CHANNEL, heard_talk)
            while True:
                await asyncio.sleep(BEAT)
                await connection.fetchval("SELECT 1", timeout=BEAT)
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError):
            await asyncio.sleep(RETRY)
        finally:
            if connection is not None:
                with contextlib.suppress(Exception):
                    connection.terminate()

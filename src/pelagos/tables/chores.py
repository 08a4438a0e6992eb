"""Chores: what is done once in a while, in every process, and does no harm done twice."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from pelagos.tables import logs

HOUR = 3600.0

Chore = Callable[[], Awaitable[None]]


class Chores:
    """Done at the start, and then every hour, or as often as is said."""

    def __init__(self, chores: Sequence[Chore], every: float = HOUR) -> None:
        self._chores = chores
        self._every = every
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin."""
        self._task = asyncio.create_task(self._keep())

    async def close(self) -> None:
        """Do no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _keep(self) -> None:
        while True:
            for chore in self._chores:
                try:
                    await chore()
                except Exception as error:  # the database may be away: in an hour it is back
                    logs.tell("chore_failed", error=type(error).__name__)
            await asyncio.sleep(self._every)

"""The event stream of one viewer: whole messages, only when they changed, and a beat."""

from __future__ import annotations

import asyncio
import time
import zlib
from collections.abc import AsyncIterator, Callable

from pelagos.tables.metrics import Metrics
from pelagos.tables.service import OpenTable
from pelagos.tables.table import SPECTATOR

BEAT = b"event: beat\ndata: {}\n\n"
GONE = b"event: gone\ndata: {}\n\n"
START = b"retry: 1000\n\n"


def wire(number: int, message: bytes) -> bytes:
    """A message as it goes over the stream; JSON has no line ends in it."""
    return b"id: %d\nevent: view\ndata: %b\n\n" % (number, message)


async def follow(
    live: OpenTable, viewer: int, may_see: Callable[[], bool], beat: float, metrics: Metrics
) -> AsyncIterator[bytes]:
    """All that a viewer is sent, for as long as it listens."""
    live.look(viewer, 1, time.time())
    metrics.streams.inc()
    shown = b""
    later = asyncio.get_running_loop().call_later
    change: asyncio.Future[bool] | None = None
    try:
        yield START
        while True:
            change = live.change()
            if not may_see():
                yield GONE
                return
            number, message = live.message(viewer)
            body = message.partition(b",")[2]
            if body != shown:
                late = time.perf_counter() - live.posted
                if shown and viewer not in (SPECTATOR, live.poster):
                    metrics.latency.observe(late)
                shown = body
                yield wire(number, message)
            silence = later(beat, _give_up, change)
            if not await change:
                yield BEAT
            silence.cancel()
    finally:
        if change is not None:
            change.cancel()
        live.look(viewer, -1, time.time())
        metrics.streams.dec()


def _give_up(change: asyncio.Future[bool]) -> None:
    if not change.done():
        change.set_result(False)


async def compressed(messages: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The same, each message squeezed against those before it and flushed."""
    squeeze = zlib.compressobj(3, zlib.DEFLATED, 31)
    async for message in messages:
        yield squeeze.compress(message) + squeeze.flush(zlib.Z_SYNC_FLUSH)

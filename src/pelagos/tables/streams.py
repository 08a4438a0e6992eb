"""The event stream of one viewer: whole messages, only when they changed, and a beat."""

from __future__ import annotations

import asyncio
import time
import zlib
from collections.abc import AsyncIterator, Callable
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

from pelagos.tables.message import Message
from pelagos.tables.service import OpenTable
from pelagos.tables.table import SPECTATOR

if TYPE_CHECKING:
    from pelagos.tables.metrics import Metrics


class Sign(Enum):
    """What goes over a stream beside messages, as it is sent."""

    START = b"retry: 1000\n\n"
    BEAT = b"event: beat\ndata: {}\n\n"
    GONE = b"event: gone\ndata: {}\n\n"
    """The viewer may not see this seat any more."""


Sent: TypeAlias = Message | Sign


def wire(number: int, data: bytes) -> bytes:
    """A message as it goes over the stream; JSON has no line ends in it."""
    return b"id: %d\nevent: view\ndata: %b\n\n" % (number, data)


async def as_json(stream: AsyncIterator[Sent]) -> AsyncIterator[bytes]:
    """A stream for the API."""
    async for sent in stream:
        yield wire(sent.number, sent.json) if isinstance(sent, Message) else sent.value


async def follow(
    live: OpenTable,
    viewer: int,
    may_see: Callable[[], bool],
    beat: float,
    metrics: Metrics,
    clock: Callable[[], float],
    drawn: bool = False,
) -> AsyncIterator[Sent]:
    """All that a viewer is sent, for as long as it listens; `drawn`: for a page."""
    live.look(viewer, 1, clock())
    metrics.streams.inc()
    shown: Message | None = None
    later = asyncio.get_running_loop().call_later
    change: asyncio.Future[bool] | None = None
    try:
        yield Sign.START
        while True:
            change = live.change()
            if not may_see():
                yield Sign.GONE
                return
            message = live.message(viewer, drawn)
            if shown is None or not message.says_the_same(shown):
                if shown is not None and viewer not in (SPECTATOR, live.poster):
                    metrics.latency.observe(time.perf_counter() - live.posted)
                shown = message
                yield message
            silence = later(beat, _give_up, change)
            if not await change:
                yield Sign.BEAT
            silence.cancel()
    finally:
        if change is not None:
            change.cancel()
        live.look(viewer, -1, clock())
        metrics.streams.dec()


def _give_up(change: asyncio.Future[bool]) -> None:
    if not change.done():
        change.set_result(False)


async def compressed(messages: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The same, each message squeezed against those before it and flushed."""
    squeeze = zlib.compressobj(3, zlib.DEFLATED, 31)
    async for message in messages:
        yield squeeze.compress(message) + squeeze.flush(zlib.Z_SYNC_FLUSH)

"""The event stream of one viewer: whole messages, only when they changed, and a beat."""

from __future__ import annotations

import asyncio
import time
import zlib
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractContextManager
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from starlette.responses import Response

from pelagos.tables import logs
from pelagos.tables.message import Message
from pelagos.tables.service import OpenTable
from pelagos.tables.sockets import SOCKET, Socket, chunk_of
from pelagos.tables.table import SPECTATOR

if TYPE_CHECKING:
    from pelagos.tables.metrics import Metrics

EVENTS = "text/event-stream"


class Sign(Enum):
    """What goes over a stream beside messages, as it is sent."""

    START = b"retry: 1000\n\n"
    BEAT = b"event: beat\ndata: {}\n\n"
    GONE = b"event: gone\ndata: {}\n\n"
    """The viewer may not see this seat any more."""


Sent: TypeAlias = Message | Sign


_HEAD, _END = b"id: %d\nevent: view\ndata: ", b"\n\n"
"""What stands around a message; JSON has no line ends in it."""


def wire(number: int, data: bytes) -> bytes:
    """A message as it goes over the stream."""
    return _HEAD % number + data + _END


def chunk_for(message: Message, viewer: int) -> bytes:
    """A message as a chunk of a stream. Those who look on are many, and it is made once for them;
    for a seat it isn't kept.
    """
    if message.chunk is not None:
        return message.chunk
    chunk = chunk_of(_HEAD % message.number, *message.pieces, _END)
    if viewer == SPECTATOR:
        message.chunk = chunk
    return chunk


async def as_json(stream: AsyncIterator[Sent]) -> AsyncIterator[bytes]:
    """A stream for the API."""
    async for sent in stream:
        yield wire(sent.number, sent.json) if isinstance(sent, Message) else sent.value


class JsonStream(Response):
    """A stream for the API that writes to its socket itself, as soon as there is news.

    A message is one call then, where `follow` wakes a task and hands it on through all that
    stands around an answer. Its task only waits for the end.
    """

    def __init__(
        self,
        live: OpenTable,
        viewer: int,
        may_see: Callable[[], bool],
        beat: float,
        metrics: Metrics,
        clock: Callable[[], float],
        counted: AbstractContextManager[None],
        headers: Mapping[str, str],
    ) -> None:
        """`counted` is held as long as it lasts."""
        super().__init__(headers=headers, media_type=EVENTS)
        del self.headers["content-length"]
        self._counted = counted
        self.viewer = viewer
        self.stale = False
        self._live = live
        self._may_see = may_see
        self._beat = beat
        self._metrics = metrics
        self._clock = clock
        self._socket: Socket
        self._send: Any
        self._shown: Message | None = None
        self._silence: asyncio.TimerHandle
        self._said_at = 0.0
        """When something was sent last, by the loop's clock."""
        self._catching_up: asyncio.Task[None] | None = None
        self._ending: asyncio.Task[None] | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Send what there is, and then all that comes, until one of both goes."""
        live, self._socket, self._send = self._live, scope[SOCKET], send
        start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        live.look(self.viewer, 1, self._clock())
        self._metrics.streams.inc()
        self._silence = asyncio.get_running_loop().call_later(self._beat, self._break_silence)
        try:
            with self._counted:
                await send(start)
                first = Sign.START.value
                await send({"type": "http.response.body", "body": first, "more_body": True})
                live.followers.add(self)
                self.show()
                while (await receive())["type"] != "http.disconnect":
                    pass
        finally:
            live.followers.discard(self)
            self._silence.cancel()
            if self._catching_up is not None:
                self._catching_up.cancel()
            live.look(self.viewer, -1, self._clock())
            self._metrics.streams.dec()

    def show(self) -> None:
        """Tell how things stand now, if that is news; a slow reader skips what is old."""
        self.stale = False
        if self._ending is not None or not self._socket.is_open:
            return
        if not self._may_see():
            self._end(Sign.GONE.value)
            return
        if self._socket.is_full:
            if self._catching_up is None:
                self._catching_up = asyncio.ensure_future(self._catch_up())
            return
        live = self._live
        try:
            message = live.message(self.viewer)
        except Exception as error:  # its table has broken, and nobody else's
            logs.tell("stream_broken", table=logs.brief(live.table.id), error=repr(error))
            self._socket.close()
            return
        shown = self._shown
        if shown is not None:
            if message is shown or not live.messages.is_news(message, shown):
                return
            if self.viewer not in (SPECTATOR, live.poster):
                self._metrics.latency.observe(time.perf_counter() - live.posted)
        self._shown = message
        self._write(chunk_for(message, self.viewer))

    def leave(self) -> None:
        """End the stream, so that its reader asks again."""
        if self._ending is None:
            self._end()

    def _write(self, chunk: bytes) -> None:
        self._socket.write(chunk)
        self._said_at = asyncio.get_running_loop().time()

    async def _catch_up(self) -> None:
        await self._socket.drain()
        self._catching_up = None
        self.show()

    def _break_silence(self) -> None:
        loop = asyncio.get_running_loop()
        left = self._said_at + self._beat - loop.time()
        if left <= 0 and self._ending is None and self._socket.is_open and not self._socket.is_full:
            self._write(chunk_of(Sign.BEAT.value))
        self._silence = loop.call_later(left if left > 0 else self._beat, self._break_silence)

    def _end(self, said: bytes = b"") -> None:
        """Say why, and no more."""
        last = {"type": "http.response.body", "body": said}
        self._ending = asyncio.ensure_future(self._send(last))


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
    hung_up = live.hung_up
    later = asyncio.get_running_loop().call_later
    change: asyncio.Future[bool] | None = None
    try:
        yield Sign.START
        while True:
            change = live.change()
            if not may_see():
                yield Sign.GONE
                return
            if live.hung_up != hung_up:
                return
            message = live.message(viewer, drawn)
            if shown is None or live.messages.is_news(message, shown):
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


_GZIP = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"
"""How a gzip stream begins."""


@lru_cache(maxsize=64)
def _block(message: bytes) -> bytes:
    """A message as a part that goes into any deflate stream: it refers to nothing before it."""
    squeeze = zlib.compressobj(3, zlib.DEFLATED, -15)
    return squeeze.compress(message) + squeeze.flush(zlib.Z_FULL_FLUSH)


async def compressed_alike(messages: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """What many are sent: each message squeezed once for all of them, and nothing kept for each."""
    yield _GZIP
    async for message in messages:
        yield _block(message)


async def compressed(messages: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The same, each message squeezed against those before it and flushed."""
    squeeze = zlib.compressobj(3, zlib.DEFLATED, 31)
    async for message in messages:
        yield squeeze.compress(message) + squeeze.flush(zlib.Z_SYNC_FLUSH)

"""What a stream writes to, where the server lends it: in tests and in browsers none may."""

from __future__ import annotations

from typing import Any, NamedTuple

SOCKET = "pelagos.socket"
"""Where a request's scope has the `Socket` of its answer."""


class Socket(NamedTuple):
    """The socket under an answer that goes out in chunks: whoever has begun such an answer may
    write its chunks here, without a task's turn for each.
    """

    cycle: Any

    @property
    def is_open(self) -> bool:
        """Is there anybody who could read it?"""
        return not (self.cycle.disconnected or self.cycle.transport.is_closing())

    @property
    def is_full(self) -> bool:
        """Does the reader fall behind?"""
        return bool(self.cycle.flow.write_paused)

    async def drain(self) -> None:
        """Until there is room."""
        await self.cycle.flow.drain()

    def write(self, chunk: bytes) -> None:
        """Send a chunk, as `chunk_of` makes it."""
        self.cycle.transport.write(chunk)

    def close(self) -> None:
        """Hang up."""
        self.cycle.transport.close()


def chunk_of(*pieces: bytes) -> bytes:
    """Data as a chunk of an answer."""
    return b"".join([b"%x\r\n" % sum(map(len, pieces)), *pieces, b"\r\n"])

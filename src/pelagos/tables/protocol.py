"""One connection, by uvicorn's protocol, with two things that it lacks: a request that was begun
has to end soon, and every answer hears when its socket is gone, a pipelined one too.
"""

from __future__ import annotations

from asyncio import TimerHandle, Transport
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from pelagos.tables.sockets import SOCKET, Socket

SLOWEST = 30.0
"""Seconds that a whole request may take to come in."""
TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class Connection(HttpToolsProtocol):
    """One connection."""

    _deadline: TimerHandle | None = None
    _answered: Any = None
    """The request that is being answered; those after it wait."""

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Somebody has come: what do they ask?"""
        super().connection_made(transport)
        self._expect()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._expect()

    def on_message_complete(self) -> None:
        """A request is whole."""
        super().on_message_complete()
        self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        """The socket is gone."""
        self._stop_waiting()
        answered = self._answered
        if answered is not None and not answered.response_complete:
            answered.disconnected = True
            answered.message_event.set()
        super().connection_lost(exc)

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self._answered = cycle
        cycle.scope[SOCKET] = Socket(cycle)
        super()._start_asgi_task(cycle, app)

    def _expect(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(SLOWEST, self._give_up)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._deadline = None
        if not self.transport.is_closing():
            if self._answered is None or self._answered.response_complete:
                self.transport.write(TOO_SLOW)
            self.transport.close()

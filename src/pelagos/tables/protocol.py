"""One connection, by uvicorn's protocol, with two things that it lacks: a request that was begun
has to end soon, and every answer hears when its socket is gone, a pipelined one too.
"""

from __future__ import annotations

from asyncio import TimerHandle, Transport
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from pelagos.tables.quick import QuickMoves
from pelagos.tables.sockets import SOCKET, Socket

SLOWEST = 30.0
"""Seconds that a whole request may take to come in."""
TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class Connection(HttpToolsProtocol):
    """One connection."""

    _deadline: TimerHandle | None = None
    _answered: Any = None
    """The request that is being answered; those after it wait."""
    moves: QuickMoves | None = None
    """Who answers moves; nobody: the app does."""
    _expected: tuple[Any, Any] | None = None
    """A move whose body is still to come, and the app that answers it if nobody else does."""

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
        if self._expected is None:
            return
        (cycle, app), self._expected = self._expected, None
        task = self.moves.take(cycle) if self.moves is not None else None
        if task is None:
            super()._start_asgi_task(cycle, app)
        else:
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

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
        if cycle.more_body and self.moves is not None and self.moves.may_take(cycle.scope):
            self._expected = (cycle, app)
        else:
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

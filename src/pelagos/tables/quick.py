"""Moves, answered by the connection itself: they are most of what is asked.

Only what is plain is answered here: a well-formed move, whole in itself, of somebody who holds the
seat, at a table that is open. Everything else goes the usual way through the app, which does the
same checks and says what is wrong.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError
from starlette.requests import Request
from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from pelagos.engine.errors import PelagosError
from pelagos.tables import acts, logs
from pelagos.tables.bodies import Move
from pelagos.tables.guard import Guard
from pelagos.tables.limits import address_of

if TYPE_CHECKING:
    from pelagos.tables.server import ServerState
    from pelagos.tables.service import OpenTable

LARGEST = 4096
"""Bytes of a move that is answered here."""
UNUSUAL = (b"cookie", b"expect", b"forwarded", b"transfer-encoding", b"x-forwarded-for")
"""Headers with which a request goes the usual way."""
_JSON = b"content-length: %d\r\ncontent-type: application/json\r\n"
"""The headers of a body that is JSON, as `server.plain` writes them."""


class QuickMoves:
    """Answers moves for connections."""

    def __init__(self, server: ServerState, guard: Guard, path: re.Pattern[str]) -> None:
        """`path` has two groups: the table and the seat."""
        self._server = server
        self._guard = guard
        self._path = path
        self._lines = _written(guard.headers("http"))

    def may_take(self, scope: Any) -> bool:
        """Does it look like a move that can be answered here, once its body has come?"""
        if scope["method"] != "POST" or scope["scheme"] != "http" or scope["query_string"]:
            return False
        if self._path.fullmatch(scope["path"]) is None:
            return False
        headers = dict(scope["headers"])
        length = headers.get(b"content-length", b"")
        return (
            headers.get(b"content-type") == b"application/json"
            and length.isdigit()
            and len(length) < 5
            and int(length) <= LARGEST
            and headers.get(b"authorization", b"").startswith(b"Bearer ")
            and not any(name in headers for name in UNUSUAL)
        )

    def take(self, cycle: Any) -> asyncio.Task[None] | None:
        """Begin to answer a request that is whole; None if it must go the usual way."""
        scope, began = cycle.scope, time.perf_counter()
        place = self._path.fullmatch(scope["path"])
        assert place is not None
        table, seat = place[1], int(place[2])
        live = self._server.tables.at_hand(table)
        if live is None or cycle.flow.write_paused:
            return None
        try:
            move = Move.model_validate_json(bytes(cycle.body))
            token = dict(scope["headers"])[b"authorization"][7:].decode("latin-1").strip()
            self._server.tables.check(live.table, seat, [token])
            self._guard.check(scope)
            self._server.by_seat.spend(f"{table}/{seat}")
            task = self._server.tables.begin(
                live,
                lambda now: acts.move(now, seat, move.decision, move.actions, move.client),
                began,
            )
        except (ValidationError, PelagosError):
            return None
        live.used = time.monotonic()
        live.address = live.address or address_of(scope)
        task.add_done_callback(lambda done: self._answer(cycle, live, seat, done, began))
        return task

    def _answer(
        self, cycle: Any, live: OpenTable, seat: int, done: asyncio.Task[None], began: float
    ) -> None:
        """Tell how it came out, if anybody listens."""
        try:
            status, lines, body = self._outcome(cycle, live, seat, done.exception())
        except (Exception, asyncio.CancelledError) as failure:
            logs.tell("move_failed", table=logs.brief(live.table.id), error=repr(failure))
            cycle.transport.close()
            return
        self._server.metrics.requests.labels("POST", status).observe(time.perf_counter() - began)
        if cycle.disconnected or cycle.transport.is_closing():
            return
        close = b"" if cycle.keep_alive else b"connection: close\r\n"
        head = [STATUS_LINE[status], _written(cycle.default_headers), lines, self._lines, close]
        cycle.response_started = cycle.response_complete = True
        cycle.transport.write(b"".join([*head, b"\r\n", *body]))
        if not cycle.keep_alive:
            cycle.transport.close()
        cycle.on_response()

    def _outcome(
        self, cycle: Any, live: OpenTable, seat: int, error: BaseException | None
    ) -> tuple[int, bytes, list[bytes]]:
        """Status, header lines and body of an answer."""
        if error is None:
            body = live.message(seat).pieces
            return 200, _JSON % sum(map(len, body)), body
        response = self._server.outcome(Request(cycle.scope), live, seat, error)
        return response.status_code, _written(response.raw_headers), [bytes(response.body)]


def _written(headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Headers as they are sent."""
    return b"".join([b"%b: %b\r\n" % line for line in headers])

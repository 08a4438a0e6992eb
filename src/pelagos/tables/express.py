"""Moves, answered without what FastAPI does around a request: they are most of what is asked.

Only a move that is well-formed is answered here. All else goes the usual way, which also says
what is wrong with it, so that both give the same answers.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import Response

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Answer = Callable[[Request, str, int, Any], Awaitable[Response]]
"""What answers a move: by the request, the table, the seat and the body."""


_JSON = (b"content-type", b"application/json")


class Express:
    """Middleware in plain ASGI, for one path."""

    def __init__(self, app: Any, path: re.Pattern[str], body: type[BaseModel], answer: Answer):
        """`path` has two groups: the table and the seat."""
        self._app = app
        self._path = path
        self._body = body
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a move; let everything else through."""
        place = self._path.fullmatch(scope["path"]) if scope.get("method") == "POST" else None
        if place is None or _JSON not in scope["headers"]:
            await self._app(scope, receive, send)
            return
        heard: list[Message] = []
        body = await _whole(receive, heard)
        try:
            asked = self._body.model_validate_json(body)
        except ValidationError:
            await self._app(scope, _again(heard, receive), send)
            return
        response = await self._answer(Request(scope), place[1], int(place[2]), asked)
        await response(scope, receive, send)


async def _whole(receive: Receive, heard: list[Message]) -> bytes:
    """A request's body; `heard` is all that was received."""
    parts: list[bytes] = []
    while True:
        message = await receive()
        heard.append(message)
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts)


def _again(heard: list[Message], receive: Receive) -> Receive:
    """What was received already, and then what comes."""

    async def received() -> Message:
        return heard.pop(0) if heard else await receive()

    return received

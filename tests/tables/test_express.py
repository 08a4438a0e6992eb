"""Moves are answered without FastAPI where they are well-formed, and by it where they aren't."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, StrictInt
from starlette.requests import Request
from starlette.responses import Response

from pelagos.tables.express import Express


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid")
    action: StrictInt


async def answer(request: Request, table: str, seat: int, body: Body) -> Response:
    return Response(f"{table} {seat} {body.action}")


def ask(
    parts: list[bytes],
    path: str = "/t/abc/3",
    method: str = "POST",
    kind: bytes = b"application/json",
) -> tuple[list[Any], list[bytes]]:
    """What is answered, and what reached the usual way."""
    messages = [
        {"type": "http.request", "body": part, "more_body": number < len(parts) - 1}
        for number, part in enumerate(parts)
    ]
    sent: list[Any] = []
    usual: list[bytes] = []

    async def receive() -> Any:
        return messages.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        more = True
        while more:
            message = await receive()
            usual.append(message["body"])
            more = message["more_body"]

    scope = {"type": "http", "method": method, "path": path, "headers": [(b"content-type", kind)]}
    express = Express(app, re.compile(r"/t/(\w+)/(\d)"), Body, answer)
    asyncio.run(express(scope, receive, send))
    return sent, usual


@pytest.mark.parametrize("parts", [[b'{"action": 7}'], [b'{"act', b'ion"', b": 7}"]])
def test_a_well_formed_move_is_answered_at_once(parts: list[bytes]) -> None:
    sent, usual = ask(parts)
    assert sent[0]["status"] == 200
    assert sent[1]["body"] == b"abc 3 7"
    assert not usual


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"action": "7"}', b'{"action": 7, "x": 1}'])
def test_what_is_wrong_goes_the_usual_way_with_its_whole_body(body: bytes) -> None:
    sent, usual = ask([body[:3], body[3:]])
    assert not sent
    assert b"".join(usual) == body


def test_other_paths_methods_and_kinds_go_the_usual_way() -> None:
    for other in ({"path": "/t/abc/3/x"}, {"method": "PUT"}, {"kind": b"text/plain"}):
        sent, usual = ask([b'{"action": 7}'], **other)  # type: ignore[arg-type]
        assert not sent
        assert usual == [b'{"action": 7}']

"""Made-up requests over every route and method: none is answered by 5xx, none hangs."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from conftest import SOAK
from pelagos.tables.settings import Settings
from pelagos.web.site import make_site
from tabling import ROOT, client_id

PIECES = 10 if SOAK else 1
"""Each with a site and lots of its own, so that a long run can be cut, shared and gone on with."""
REQUESTS = 5_000 if SOAK else 3_000
"""In each piece."""
PATIENCE = 60.0
"""Seconds after which a request hangs."""
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW")
NASTY = (
    "",
    "0",
    "1",
    "-1",
    "7",
    "²",
    "٣",
    "9" * 5000,
    "1e9",
    "NaN",
    "null",
    "true",
    "..",
    "%",
    "%00",
    "\x00",
    "\ud800",
    "a/b",
    "é" * 22,
    "x" * 22,
    "<script>",
    "‮",
    "' OR 1=1 --",
    "minnows",
    "oceanos",
    "winkle",
    "en",
    "fr",
    "2",
    "3",
)
_PARAMETER = re.compile(r"\{(\w+)(?::\w+)?\}")
_FIELD = re.compile(r'name="([^"]{1,40})"(?:[^>]*value="([^"]{0,80})")?')


def paths_of(routes: Any) -> Iterator[str]:
    """Every path that the application knows, whoever has added it."""
    for route in routes:
        path = getattr(route, "path", "")
        below = list(paths_of(getattr(route, "routes", None) or ()))
        yield from (path + rest for rest in below)
        if path and not below:
            yield path


class Fuzzer:
    """Asks an application, within this process, whatever it likes."""

    def __init__(self, app: Any, seed: int) -> None:
        self._app = app
        self.lots = random.Random(seed)
        self.tables: list[str] = []
        self.tokens: list[str] = []
        self.fields: dict[str, list[str]] = {}
        """Of forms that were seen: their fields, with values that they had."""

    async def ask(
        self,
        method: str,
        path: str,
        query: str = "",
        body: bytes = b"",
        headers: tuple[tuple[bytes, bytes], ...] = (),
    ) -> tuple[int, bytes]:
        """One request; whoever sent it hangs up as soon as it is asked whether it is there."""
        asked = [{"type": "http.request", "body": body, "more_body": False}]
        status, parts = 0, []

        async def receive() -> dict[str, Any]:
            return asked.pop() if asked else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            elif message["type"] == "http.response.body":
                parts.append(message.get("body", b""))

        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": quote(path, errors="surrogatepass").encode(),
            "query_string": query.encode("utf-8", "surrogatepass"),
            "headers": [(b"host", b"localhost"), *headers],
            "client": ("127.0.0.1", 1),
            "server": ("localhost", 80),
            "root_path": "",
            "state": {},
        }
        async with asyncio.timeout(PATIENCE):
            await self._app(scope, receive, send)
        return status, b"".join(parts)

    async def post(self, path: str, body: Any, token: str = "") -> Any:
        """A request as clients make it."""
        headers = [(b"content-type", b"application/json")]
        if token:
            headers.append((b"authorization", f"Bearer {token}".encode()))
        status, answer = await self.ask(
            "POST", path, body=json.dumps(body).encode(), headers=tuple(headers)
        )
        assert status in (200, 201), answer
        return json.loads(answer)

    async def lay(self, people: int, bots: int, sit: int) -> None:
        """A table to ask about, at which some sit."""
        seats = [{"kind": "open"}] * people + [{"kind": "bot", "bot": "winkle"}] * bots
        body = {"game": "minnows", "options": {"players": people + bots}, "seats": seats}
        laid = await self.post(f"{ROOT}/tables", {**body, "listed": True})
        table = laid["table"]["id"]
        self.tables.append(table)
        self.tokens.append(laid["token"])
        for seat in range(sit):
            person = {"name": "Mira", "client": client_id()}
            sat = await self.post(f"{ROOT}/tables/{table}/seats/{seat}", person)
            self.tokens.append(sat["token"])

    # --- making things up -------------------------------------------------------------------------

    def value(self, name: str) -> str:
        """Something for a parameter or a field, often what fits."""
        lots = self.lots
        if lots.random() < 0.7:
            if name in ("table", "from"):
                return lots.choice(self.tables)
            if name in ("seat", "game", "number", "players"):
                return lots.choice(("0", "1", "2", "minnows"))
            if self.fields.get(name):
                return lots.choice(self.fields[name])
            if name == "client":
                return client_id()
        return lots.choice(NASTY)

    def anything(self, depth: int = 0) -> Any:
        """Something that JSON can say."""
        lots = self.lots
        kind = lots.randrange(7 if depth < 3 else 5)
        if kind < 2:
            return lots.choice(NASTY)
        if kind == 2:
            return lots.choice((0, 1, -1, 2, 7, 65536, 10**30, 1.5, 1e308))
        if kind == 3:
            return lots.choice((None, True, False))
        if kind == 4:
            return client_id()
        if kind == 5:
            return [self.anything(depth + 1) for _ in range(lots.randrange(4))]
        return {
            lots.choice(JSON_FIELDS): self.anything(depth + 1) for _ in range(lots.randrange(5))
        }

    def body(self) -> tuple[bytes, bytes]:
        """A body, and what it is said to be."""
        lots = self.lots
        kind = lots.randrange(5)
        if kind == 0:
            return b"", b"application/json"
        if kind == 1:
            return lots.randbytes(lots.randrange(200)), lots.choice(CONTENT)
        if kind == 2:
            return json.dumps(self.anything()).encode(), lots.choice(CONTENT)
        if kind == 3:
            whole = {name: self.anything(2) for name in lots.sample(JSON_FIELDS, 5)}
            return json.dumps({**whole, "client": client_id()}).encode(), b"application/json"
        names = list(self.fields) or ["name"]
        form = [(name, self.value(name)) for name in lots.choices(names, k=lots.randrange(1, 12))]
        encoded = urlencode(form, errors="surrogatepass").encode()
        return encoded, b"application/x-www-form-urlencoded"

    async def try_one(self, path: str) -> tuple[int, str]:
        """A request to one of the paths."""
        lots = self.lots
        method = lots.choice(("GET", "POST", lots.choice(METHODS)))
        filled = _PARAMETER.sub(lambda parameter: self.value(parameter[1]).replace("\\", ""), path)
        filled = filled.encode("utf-8", "surrogatepass").decode("utf-8", "replace")  # as servers do
        query = ""
        if lots.random() < 0.5:
            names = lots.choices(QUERIES, k=lots.randrange(1, 4))
            query = urlencode([(name, self.value(name)) for name in names], errors="surrogatepass")
        body, content = self.body() if method not in ("GET", "HEAD") else (b"", b"")
        headers = [(b"content-type", content)] if content else []
        if lots.random() < 0.6:
            token = lots.choice((*self.tokens, *NASTY)).encode("utf-8", "replace")
            headers.append((b"authorization", b"Bearer " + token))
        if lots.random() < 0.2:
            headers.append((b"cookie", lots.choice(COOKIES)))
        if lots.random() < 0.2:
            headers.append((b"accept-language", lots.choice((b"fr", b"\xff;q=x", b"," * 500))))
        status, answer = await self.ask(method, filled, query, body, tuple(headers))
        if b"name=" in answer:
            for name, kept in _FIELD.findall(answer.decode("utf-8", "replace")):
                values = self.fields.setdefault(name, [])
                if kept and kept not in values and len(values) < 20:
                    values.append(kept)
        return status, f"{method} {filled[:200]!r} ?{query[:200]} {headers} {body[:500]!r}"


JSON_FIELDS = (
    "game",
    "options",
    "seats",
    "pack",
    "listed",
    "previews",
    "table_options",
    "free_talk",
    "hints",
    "closed",
    "colours",
    "series",
    "pace",
    "name",
    "client",
    "bytes",
    "actions",
    "decision",
    "more",
    "order",
    "sign",
    "phrase",
    "text",
    "bot",
    "kind",
    "players",
)
QUERIES = (
    "of",
    "game",
    "state",
    "limit",
    "since",
    "seat",
    "at",
    "lang",
    "from",
    "number",
    "step",
    "device",
    "players",
)
CONTENT = (b"application/json", b"text/plain", b"multipart/form-data", b"\xff", b"a/b; charset=x")
COOKIES = (b"pelagos-you=x", b"pelagos-language=fr", b"=", b"\xff\x00", b"a=" + b"b" * 4000)


@pytest.mark.parametrize("piece", range(PIECES))
def test_no_made_up_request_breaks_the_server(tmp_path: Path, piece: int) -> None:
    settings = Settings(limits=False, compile_ahead=False, pause=(0.0, 0.0), thinkers=1)

    async def fuzz() -> None:
        app = make_site(tmp_path, settings)
        async with app.router.lifespan_context(app):
            fuzzer = Fuzzer(app, 20 + piece)
            for people, bots, sit in ((2, 0, 0), (2, 0, 2), (2, 1, 2), (0, 2, 0)):
                await fuzzer.lay(people, bots, sit)
            paths = sorted(set(paths_of(app.routes)))
            assert len(paths) > 60
            statuses: dict[int, int] = {}
            for path in paths:  # whatever is drawn below, no number is too long for any of them
                status, _ = await fuzzer.ask("GET", _PARAMETER.sub("9" * 5000, path))
                assert 200 <= status < 500, (status, path)
            for number in range(REQUESTS):
                status, asked = await fuzzer.try_one(paths[number % len(paths)])
                assert 200 <= status < 500, (status, asked)
                statuses[status] = statuses.get(status, 0) + 1
            assert {200, 403, 404, 405, 422} <= statuses.keys(), statuses

    asyncio.run(fuzz())

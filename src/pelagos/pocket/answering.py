"""What a browser is answered: the server's own pages, in the browser itself.

The browser's side (`page/worker.js`) hands requests in and takes answers out; it keeps what is
written. Cookies are kept here, since nobody else may set them.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from http.cookies import SimpleCookie
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote, urlsplit

from pelagos.bots import Thought
from pelagos.bots.question import Question
from pelagos.bots.thinking import ThinkingHere, explain
from pelagos.pocket.memory import Keep, MemoryStore
from pelagos.tables.coaching import Coaching
from pelagos.tables.hints import as_text
from pelagos.tables.server import ServerState
from pelagos.tables.workers import Thinker, Workers
from pelagos.web.pages import Pages
from pelagos.web.site import pages_of

JAR = "jar"
"""Under which name the cookies are kept."""
ADDRESS = re.compile(rb'(\b(?:href|src|action|formaction|data-[\w-]+)=\\?")/(?!/)')
"""Where an attribute of a page, or of one inside JSON, begins with one of our addresses."""
EVENT = "text/event-stream"

Headers = Sequence[tuple[str, str]]
RACERS = ("flat", "search")
"""Bots whose thoughts take their time."""
Think = Callable[[str], Awaitable[str]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]


class Uncounted:
    """Numbers that nobody will ask for."""

    def __getattr__(self, name: str) -> Any:
        return self

    def __call__(self, *counted: Any) -> Any:
        """Count nothing."""
        return self


class ThinkingInAWorker(ThinkingHere):
    """Bots that simulate think in a worker of their own, and pages are answered meanwhile; those
    that answer at once do it here.
    """

    def __init__(self, think: Think | None) -> None:
        """`think` is told a task as JSON, and tells the answer so; None: there is no worker."""
        super().__init__()
        self._think = think

    async def think_soon(self, bot: str, player: str, question: Question) -> int:
        """What the bot chooses; it remembers what it thought."""
        if self._think is None or bot not in RACERS:
            return self.think(bot, player, question)
        return int(await self._race(self._think, bot, question, player))

    async def explain_soon(self, bot: str, question: Question) -> list[Thought]:
        """What a bot thinks of the choices, the best first."""
        if self._think is None or bot not in RACERS:
            return explain(bot, question)
        rows = await self._race(self._think, bot, question, None)
        return [Thought(int(row[0]), row[1], int(row[2]), row[3]) for row in rows]

    async def _race(self, think: Think, bot: str, question: Question, player: str | None) -> Any:
        position, budget = question.position, question.budget
        task = {
            "kind": "race",
            "bot": bot,
            "seat": question.seat,
            "state": as_text(position.states),
            "pack": as_text(position.pack.data),
            "stream": as_text(question.stream),
            "budget": {
                "milliseconds": budget.milliseconds or 0,
                "simulations": budget.simulations or 0,
            },
        }
        if player is not None:
            task["player"] = player
        return json.loads(await think(json.dumps({"game": position.game.id, "task": task})))

    def hurry(self) -> None:
        """A hint takes some seconds at most, and whoever comes next waits for it."""


class CoachingHere(Coaching):
    """The coach, between two requests."""

    async def _rounds(self, request: dict[str, Any]) -> AsyncGenerator[bytes, None]:
        from pelagos.coach import analyse
        from pelagos.engine import record as records

        rounds = analyse(records.replay(request["record"]), threads=1, resume=request["analysis"])
        while True:
            await self.bots_rest()
            await asyncio.sleep(0)
            document = next(rounds, None)
            if document is None:
                return
            yield json.dumps(document).encode()


class PocketState(ServerState):
    """A server of one browser."""

    def __init__(self, store: MemoryStore, settings: Any, think: Think | None) -> None:
        self._store = store
        self._think = think
        super().__init__("", settings)

    def make_metrics(self) -> Any:
        """Nobody counts."""
        return Uncounted()

    async def open_store(self) -> MemoryStore:
        """Everything lies in memory."""
        return self._store

    def make_workers(self) -> Workers:
        """One bot thinks at a time."""
        beside: Any = ThinkingInAWorker(self._think)
        return Workers(self.tables, [Thinker(beside)])

    def make_coaching(self) -> Coaching:
        """In this process."""
        return CoachingHere(self.tables, self.workers.thinking)

    def make_modules(self) -> None:
        """Whoever answers has the games' modules itself."""


class Pocket:
    """All pages, for whoever hands a request in."""

    def __init__(
        self,
        kept: Mapping[str, str],
        settings: Mapping[str, Any],
        root: str,
        keep: Keep,
        think: Think | None = None,
    ) -> None:
        """`root` is the path that the site lies under, such as `/pelagos`, or nothing; `think` lets
        bots think beside us.
        """
        self._root = root.rstrip("/")
        self._store = MemoryStore(kept, keep)
        self._server = PocketState(self._store, SimpleNamespace(**settings), think)
        self._pages = pages_of(Pages(self._server, pocket=True))
        self._jar: dict[str, str] = json.loads(self._store.meta.get(JAR, "{}"))
        self._opened: Any = None

    async def open(self) -> None:
        """Take up what is owed."""
        self._opened = self._server.opened(None)
        await self._opened.__aenter__()

    async def close(self) -> None:
        """Let go."""
        await self._opened.__aexit__(None, None, None)

    async def answer(
        self, method: str, address: str, headers: Mapping[str, str], body: bytes, send: Send
    ) -> None:
        """Answer one request: `send` is given the status and headers, then the body's parts."""
        parts = urlsplit(address)
        path = parts.path.removeprefix(self._root) or "/"
        sent = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()]
        cookies = "; ".join(f"{name}={value}" for name, value in self._jar.items())
        if cookies:
            sent.append((b"cookie", cookies.encode("latin-1")))
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "method": method,
            "scheme": "https",
            "path": unquote(path),
            "raw_path": path.encode(),
            "query_string": parts.query.encode(),
            "root_path": "",
            "headers": sent,
            "client": ("here", 0),
            "server": ("here", 443),
            "state": {},
        }
        asked = [{"type": "http.request", "body": body, "more_body": False}]
        is_page = False

        async def receive() -> dict[str, Any]:
            if asked:
                return asked.pop()
            await asyncio.get_running_loop().create_future()  # nobody hangs up
            raise AssertionError

        async def answered(message: Mapping[str, Any]) -> None:
            nonlocal is_page
            if message["type"] == "http.response.start":
                kept = await self._keep_cookies(message["headers"])
                is_page = any(
                    name == "content-type" and value.startswith(("text/html", EVENT))
                    for name, value in kept
                )
                await send({"status": message["status"], "headers": kept})
            else:
                part = message.get("body", b"")
                if is_page and self._root:
                    part = ADDRESS.sub(rb"\1" + self._root.encode() + b"/", part)
                more = bool(message.get("more_body"))
                await send({"body": part, "more": more})

        await self._pages(scope, receive, answered)

    async def _keep_cookies(self, headers: Sequence[tuple[bytes, bytes]]) -> list[tuple[str, str]]:
        """Take the cookies out of an answer's headers, and let what leads on lead below the root;
        a page's length may change.
        """
        kept, before = [], dict(self._jar)
        for raw_name, raw_value in headers:
            name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
            if name == "set-cookie":
                for cookie, morsel in SimpleCookie(value).items():
                    if morsel["max-age"] == "0":
                        self._jar.pop(cookie, None)
                    else:
                        self._jar[cookie] = morsel.coded_value
            elif name == "location" and value.startswith("/"):
                kept.append((name, self._root + value))
            elif name != "content-length":
                kept.append((name, value))
        if self._jar != before:
            await self._store.remember(JAR, json.dumps(self._jar))
        return kept

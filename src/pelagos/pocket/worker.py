"""The Python side of the site's worker: requests come in from `page/worker.js`, answers go out."""

from __future__ import annotations

import asyncio
import gc
import json
import random
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from jinja2 import ModuleLoader

from pelagos.engine.doors import doors
from pelagos.engine.game import games
from pelagos.engine.words import LANGUAGES, words
from pelagos.pocket.answering import Pocket
from pelagos.pocket.memory import Changes
from pelagos.web.drawing.templates import environment, names

TEMPLATES = "templates"
"""The folder of the compiled templates, beside our package."""


class Browser(Protocol):
    """What `page/worker.js` does for us."""

    kept: str
    """All that was kept, as JSON."""
    settings: str
    root: str

    async def keep(self, changes: str) -> None:
        """Keep changes."""

    async def think(self, asked: str) -> str:
        """Let a worker think, whose answer is JSON too."""

    def begin(self, number: int, status: int, headers: str) -> None:
        """An answer begins."""

    def part(self, number: int, body: Any, more: bool) -> None:
        """A part of its body, and whether there are more."""


def use_compiled_templates() -> None:
    """Templates come from the pack, where `pelagos site` has put them."""
    if not isinstance(environment().loader, ModuleLoader):
        environment().loader = ModuleLoader(Path(__file__).parents[2] / TEMPLATES)


def prepare() -> None:
    """Load what pages need, and nothing that depends on the games' modules: Python's memory is kept
    as it is then (`page/snapshot.js`).
    """
    use_compiled_templates()
    for template in names(games()):
        environment().get_template(template)
    for game in games().values():
        for language in LANGUAGES:
            words(game, language)
    assert not doors.cache_info().currsize, "doors that were opened here would stay without modules"
    gc.collect()


async def rehearse(settings: str) -> None:
    """The first pages, drawn for nobody: `pelagos site` keeps what Python makes for them on the way
    (`standins/sitecustomize.py`).
    """
    prepare()
    pocket = Pocket({}, json.loads(settings), "", _keep_nothing)
    await pocket.open()
    for language in LANGUAGES:
        await pocket.answer("GET", "/", {"accept-language": language}, b"", _keep_nothing)
    await pocket.close()


async def _keep_nothing(games: Any) -> None:
    """Nobody asks for it again."""


class Answerer:
    """Answers what a browser asks, each in a task of its own."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        use_compiled_templates()
        random.seed()  # a kept memory has the same numbers for every visit
        self._pocket = Pocket(
            json.loads(browser.kept),
            json.loads(browser.settings),
            browser.root,
            self._keep,
            browser.think,
        )
        self._tasks: dict[int, asyncio.Task[None]] = {}

    async def start(self) -> None:
        """Take up what is owed."""
        await self._pocket.open()

    async def _keep(self, changes: Changes) -> None:
        await self._browser.keep(json.dumps(changes))

    def ask(self, number: int, method: str, address: str, headers: str, body: Any) -> None:
        """Answer a request; `number` tells its answer from others'. `body` is JavaScript's."""
        sent = bytes(body.to_py())
        task = asyncio.ensure_future(self._answer(number, method, address, headers, sent))
        self._tasks[number] = task
        task.add_done_callback(lambda _: self._tasks.pop(number, None))

    def cancel(self, number: int) -> None:
        """Nobody reads this answer any more."""
        if number in self._tasks:
            self._tasks[number].cancel()

    async def _answer(
        self, number: int, method: str, address: str, headers: str, body: bytes
    ) -> None:
        begun = False

        async def send(message: Mapping[str, Any]) -> None:
            nonlocal begun
            if "status" in message:
                begun = True
                headers = json.dumps(message["headers"])
                self._browser.begin(number, message["status"], headers)
            else:
                self._browser.part(number, bytes(message["body"]), message["more"])

        try:
            await self._pocket.answer(method, address, json.loads(headers), body, send)
        except Exception:
            traceback.print_exc()
            if not begun:
                self._browser.begin(number, 500, "[]")
            self._browser.part(number, b"", False)

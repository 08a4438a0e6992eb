"""Somebody whose browser answers itself, without the browser."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

from pelagos.pocket.answering import Pocket
from pelagos.pocket.build import ALONE
from pelagos.pocket.memory import Changes
from pelagos.tables.settings import Settings

ROOT = "/some/path"
SETTINGS = {**Settings().model_dump(), **ALONE, "pause": (0.0, 0.0)}


class Visitor:
    """Somebody whose browser answers itself, and keeps what it is told to."""

    def __init__(self, kept: dict[str, str]) -> None:
        self.kept = kept
        self.pocket = Pocket(dict(kept), SETTINGS, ROOT, self._keep)

    async def _keep(self, changes: Changes) -> None:
        for name, text in changes.items():
            if text is None:
                del self.kept[name]
            else:
                self.kept[name] = text

    async def ask(
        self,
        address: str,
        form: Mapping[str, Any] | None = None,
        file: bytes = b"",
        **headers: str,
    ) -> SimpleNamespace:
        sent: list[Mapping[str, Any]] = []

        async def send(part: Mapping[str, Any]) -> None:
            sent.append(part)

        sent_headers = {"host": "example.org", "accept-language": "fr", **headers}
        method, body = ("GET", "") if form is None else ("POST", urlencode(form, doseq=True))
        await self.pocket.answer(method, ROOT + address, sent_headers, file or body.encode(), send)
        text = b"".join(part["body"] for part in sent[1:]).decode()
        return SimpleNamespace(
            status=sent[0]["status"], headers=dict(sent[0]["headers"]), text=text
        )

    async def move(self, table: str, chance: random.Random) -> bool:
        """Choose something when it is one's turn; False when the game is over."""
        while True:
            page = (await self.ask(f"/t/{table}")).text
            if 'data-over="1"' in page:
                return False
            if 'data-owes="1"' in page:
                break
            await asyncio.sleep(0.01)
        form = page.partition('id="act"')[2].partition("</form>")[0]
        choices = re.findall(r'<button[^>]*name="action"[^>]*value="(\d+)"', form)
        decision = re.search(r'name="decision" value="(\d+)"', page)
        assert decision
        asked = {"seat": 0, "decision": decision[1], "client": f"{chance.getrandbits(64):016x}"}
        asked |= {"action": chance.choice(choices)}
        answer = await self.ask(f"/t/{table}/act", asked, **{"x-pelagos": "1"})
        assert answer.status == 200, answer.text
        return True

    async def open_file(self, content: bytes, language: str = "fr") -> SimpleNamespace:
        """Choose a file on the page of one's own games."""
        name = b'Content-Disposition: form-data; name="file"; filename="a.pelagos.json"'
        body = b"--limit\r\n" + name + b"\r\n\r\n" + content + b"\r\n--limit--\r\n"
        kind = "multipart/form-data; boundary=limit"
        headers = {"content-type": kind, "accept-language": language}
        return await self.ask("/mine/open", {}, body, **headers)

    async def play(self, game: str, chance: random.Random) -> str:
        """A game to its end; its table."""
        laid = await self.ask(f"/play/{game}", {"bytes": ""})
        table = str(laid.headers["location"]).removeprefix(f"{ROOT}/t/")
        while await self.move(table, chance):
            pass
        return table

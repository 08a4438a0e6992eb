"""A browser's own answerer: a whole game, what is kept of it, and the way below a path."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any

import pytest

from pelagos.engine import record as records
from pelagos.engine.game import games
from pelagos.tables import fairness
from pocket.visitor import ROOT, Visitor


@pytest.mark.parametrize("which", games())
def test_a_whole_game_is_kept_and_its_record_verifies(which: str) -> None:
    chance = random.Random(which)

    async def play() -> None:
        visitor = Visitor({})
        await visitor.pocket.open()
        front = (await visitor.ask("/")).text
        assert f'action="{ROOT}/play/{which}"' in front
        assert "/invite/" not in front
        laid = await visitor.ask(f"/play/{which}", {"bytes": ""})
        assert laid.status == 303
        table = laid.headers["location"].removeprefix(f"{ROOT}/t/")
        for _ in range(3):
            assert await visitor.move(table, chance)
        before = json.loads((await visitor.ask(f"/t/{table}/record")).text)
        await visitor.pocket.close()

        again = Visitor(visitor.kept)  # the window was closed in mid-game
        await again.pocket.open()
        assert table in (await again.ask("/")).text
        now = json.loads((await again.ask(f"/t/{table}/record")).text)
        assert len(now["moves"]) >= len(before["moves"])  # a bot may have moved since
        while await again.move(table, chance):
            pass
        record = json.loads((await again.ask(f"/t/{table}/record")).text)
        fairness.check(record)
        assert records.replay(record).over
        assert table in (await again.ask("/mine")).text
        step = await again.ask(f"/t/{table}/replay?at=2&eyes=0", **{"x-pelagos": "1"})
        assert step.status == 200
        await again.ask("/mine/delete", {"sure": "1"})
        assert not [name for name in again.kept if table in name]
        await again.pocket.close()

    asyncio.run(play())


def test_a_stream_is_sent_below_the_root_too_and_wishes_are_remembered() -> None:
    async def look() -> None:
        visitor = Visitor({})
        await visitor.pocket.open()
        await visitor.ask("/settings", {"language": "en", "theme": "dark", "back": "/"})
        assert '<html lang="en" data-theme="dark">' in (await visitor.ask("/")).text
        laid = await visitor.ask("/play/minnows", {"bytes": ""})
        table = laid.headers["location"].removeprefix(f"{ROOT}/t/")
        sent: list[Any] = []
        arrived = asyncio.Event()

        async def send(part: Any) -> None:
            sent.append(part)
            if b"event: view" in part.get("body", b""):
                arrived.set()

        stream = asyncio.ensure_future(
            visitor.pocket.answer("GET", f"{ROOT}/t/{table}/stream?seat=0", {}, b"", send)
        )
        await arrived.wait()
        stream.cancel()
        await asyncio.gather(stream, return_exceptions=True)
        page = b"".join(part["body"] for part in sent[1:])
        assert f'href=\\"{ROOT}/static/'.encode() in page
        assert b'=\\"/static/' not in page
        await visitor.pocket.close()

    asyncio.run(look())

"""What takes long is done beside the loop, and once for all: nobody stops a server by reading."""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

import pytest
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient

from pelagos.engine.match import Match
from pelagos.tables import tokens
from pelagos.tables.settings import Settings
from pelagos.tables.store import Store
from pelagos.tables.table import SPECTATOR
from pelagos.web import daily
from pelagos.web.drawing import Drawing
from pelagos.web.pages import Pages
from pelagos.web.playing import Playing, Visitor
from pelagos.web.reader import Reader
from pelagos.web.site import make_site
from web.days import whole_game


def at_a_site(folder: Path, test: Callable[[FastAPI, AsyncClient], Awaitable[None]]) -> None:
    """A server in this process, and somebody who asks it."""

    async def run() -> None:
        site = make_site(folder, Settings(limits=False, compile_ahead=False))
        door = ASGITransport(site)
        async with (
            site.router.lifespan_context(site),
            AsyncClient(transport=door, base_url="http://localhost", timeout=None) as client,
        ):
            await test(site, client)

    asyncio.run(run())


def test_a_thousand_invented_cookies_read_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    true_read = Store.read

    async def counted(self: Store, table: str, after: int = 0) -> list[object]:
        read.append(table)
        return await true_read(self, table, after)  # type: ignore[return-value]

    monkeypatch.setattr(Store, "read", counted)
    invented = {}
    for number in range(1000):
        table = secrets.token_urlsafe(16)
        invented[tokens.cookie_name(table, "0")] = f"{table}.0.{number}.{secrets.token_urlsafe(32)}"
    cookies = "; ".join(f"{name}={value}" for name, value in invented.items())

    async def test(_: FastAPI, client: AsyncClient) -> None:
        answer = await client.get("/", headers={"cookie": cookies})
        assert answer.status_code == 200
        assert not read
        assert len(answer.headers.get_list("set-cookie")) <= 100

    at_a_site(tmp_path, test)


def test_what_goes_through_a_whole_game_is_done_beside_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: dict[str, set[str]] = {"at": set(), "record": set()}
    true_at, true_record = Match.at, Match.record

    def at(self: Match, number: int) -> Match:
        threads["at"].add(threading.current_thread().name)
        return true_at(self, number)

    def record(self: Match, seat: int | None = None) -> object:
        threads["record"].add(threading.current_thread().name)
        return true_record(self, seat)

    monkeypatch.setattr(Match, "at", at)
    monkeypatch.setattr(Match, "record", record)

    async def test(site: FastAPI, client: AsyncClient) -> None:
        entries = whole_game(daily.of(daily.today()), 3)
        table = (await site.state.server.tables.create(entries)).table.id
        for path in ("replay?at=5&eyes=0", "replay?at=5&eyes=open", "fair", "record?game=0"):
            assert (await client.get(f"/t/{table}/{path}")).status_code == 200, path
        for names in threads.values():
            assert names
            assert all(name.startswith("asyncio_") for name in names), names

    at_a_site(tmp_path, test)


def test_two_hundred_who_watch_are_drawn_for_once_a_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    true_inside = Drawing.inside

    def counted(self: Drawing, around: Mapping[str, object]) -> str:
        drawn.append(self.reader.language)
        return true_inside(self, around)

    monkeypatch.setattr(Drawing, "inside", counted)

    async def test(site: FastAPI, client: AsyncClient) -> None:
        entries = whole_game(daily.of(daily.today()), 3)
        live = await site.state.server.tables.create(entries)
        playing = Playing(Pages(site.state.server))
        sent = [
            playing._sent(live, Visitor(Reader(language), SPECTATOR, False, (), "", False))
            for language in ("en", "fr") * 100
        ]
        assert drawn == ["en", "fr"]
        assert len({id(message) for message in sent}) == 2

    at_a_site(tmp_path, test)

"""What takes long is done beside the loop, and once for all: nobody stops a server by reading."""

from __future__ import annotations

import asyncio
import secrets
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient

from attacks.test_fuzzing import paths_of
from pelagos.engine.game import games
from pelagos.engine.match import Match
from pelagos.tables import tokens
from pelagos.tables.settings import Settings
from pelagos.tables.store import Store
from pelagos.tables.table import SPECTATOR, Table
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


def test_others_have_their_turn_while_a_long_log_is_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns, seen = 0, set()
    true_follow = Table.follow

    def follow(self: Table, entry: dict[str, Any]) -> None:
        seen.add(turns)
        true_follow(self, entry)

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async def test(site: FastAPI, _: AsyncClient) -> None:
        entries, tables = whole_game(daily.of(daily.today()), 3), site.state.server.tables
        swapped = [{"do": "leave", "seat": 1}, {"do": "bot", "seat": 1, **entries[0]["seats"][1]}]
        start = next(number for number, entry in enumerate(entries) if entry["do"] == "move")
        long = [*entries[:start], *swapped * 500, *entries[start:]]
        table = (await tables.create(long)).table
        tables.close_table(table.id)
        monkeypatch.setattr(Table, "follow", follow)
        counting = asyncio.ensure_future(others())
        live = await tables.find(table.id)
        counting.cancel()
        assert live.table.number == len(long)
        assert live.table.finished[0].scores == table.finished[0].scores
        assert len(seen) > len(long) / 50

    at_a_site(tmp_path, test)


def slowness() -> float:
    """How many times as long this machine takes as the one that the bound was measured on."""

    def count() -> float:
        began = time.thread_time()
        sum(number % 7 for number in range(100_000))
        return time.thread_time() - began

    return max(1.0, min(count() for _ in range(10)) / 0.0025)


def test_no_page_keeps_the_loop_for_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The processor time of the loop's longest step, for every page, at the best of four times:
    the first time templates and statements are compiled, which is once in a server's life.
    """
    longest: dict[str, list[float]] = {}
    path, step = "", 0.0
    true_run = asyncio.Handle._run

    def measured(self: asyncio.Handle) -> None:
        nonlocal step
        began = time.thread_time()
        true_run(self)
        step = max(step, time.thread_time() - began)

    async def test(site: FastAPI, client: AsyncClient) -> None:
        nonlocal path, step
        entries = whole_game(daily.of(daily.today()), 3)
        table = (await site.state.server.tables.create(entries)).table.id
        paths = [path for path in sorted(set(paths_of(site.routes))) if "stream" not in path]
        asked = {
            filled.format(table=table, seat=0, game=game, key="x", tag="x", kind="csv")
            for game in games()
            for filled in (path.replace(":int", "").replace("{name:path}", "x") for path in paths)
            if "{owner}" not in filled
        }
        monkeypatch.setattr(asyncio.Handle, "_run", measured)
        for _ in range(4):
            for path in sorted(asked):
                await asyncio.sleep(0)  # who asks is in the loop, too: steps of its own
                step = 0.0
                await client.get(path)
                await asyncio.sleep(0)
                longest.setdefault(path, []).append(step)
        assert len(asked) > 70
        bound = 0.020 * slowness()
        assert not {path: steps for path, steps in longest.items() if min(steps) > bound}

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

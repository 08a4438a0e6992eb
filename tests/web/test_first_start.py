"""The first start: pages answer before anything is compiled, and show how far it is."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from httpx import ASGITransport, AsyncClient, Response

from held import Held
from pelagos.bots import LADDER
from pelagos.engine.game import games
from pelagos.tables.compiling import RULES, Compiling, compile_steps
from pelagos.tables.settings import Settings
from pelagos.web.site import make_site

GAME = "minnows"
STEPS = (RULES, *dict.fromkeys(creature.bot for creature in LADDER))


@asynccontextmanager
async def cold(folder: Path) -> AsyncIterator[tuple[AsyncClient, Compiling, Held]]:
    """A server for which nothing is compiled, somebody who looks at it, and what it waits for."""
    (folder / "steps").mkdir()
    held = Held(folder / "steps")
    compiling = Compiling(held, noted=False)
    settings = Settings(limits=False, pause=(0.0, 0.0), thinkers=1)
    site = make_site(folder / "data", settings, compiling=compiling)
    head = {"origin": "http://127.0.0.1", "accept-language": "en"}
    async with (
        site.router.lifespan_context(site),
        AsyncClient(
            transport=ASGITransport(site), base_url="http://127.0.0.1", headers=head, timeout=None
        ) as browser,
    ):
        yield browser, compiling, held


@pytest.fixture(autouse=True)
def _no_notes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pelagos.tables.compiling.note", lambda step: None)


async def after_waiting(browser: AsyncClient, waiting: str) -> Response:
    """Look at a page that waits until it goes on."""
    while (answer := await browser.get(waiting)).status_code == 200:
        assert 'http-equiv="refresh"' in answer.text
        await asyncio.sleep(0.05)
    return answer


def test_a_cold_server_answers_and_a_table_waits_for_nothing_but_its_own(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with cold(tmp_path) as (browser, compiling, held):
            front = (await browser.get("/")).text
            for game in games().values():
                assert game.titles["en"] in front
            line = re.search(r'id="compiling-text"[^>]*>([^<]+)<', front)
            assert line
            assert f"0 of {len(STEPS) * len(games())}" in line[1]
            french = await browser.get("/", headers={"accept-language": "fr"})
            assert "Premier démarrage" in french.text
            assert not compiling.has(GAME)

            sent = await browser.post(f"/play/{GAME}", data={"bytes": ""})
            waiting = sent.headers["location"]
            assert waiting.startswith("/preparing/")
            assert f'data-awaited="{GAME}"' in (await browser.get(waiting)).text
            there = await browser.get("/preparing", params={"game": GAME})
            assert there.json()["there"] is False

            held.let(GAME, RULES)
            table = (await after_waiting(browser, waiting)).headers["location"]
            page = await browser.get(table)
            assert page.status_code == 200
            assert 'id="view"' in page.text
            assert (await browser.get(waiting)).headers["location"] == "/"

            about = {"table": table.removeprefix("/t/")}
            assert (await browser.get("/preparing", params=about)).json()["bot"] == "Puffin"
            held.let(GAME, "random")
            held.let(GAME, "greedy")
            while (await browser.get("/preparing", params=about)).json()["bot"]:
                await asyncio.sleep(0.05)
            assert compiling.has(GAME, "greedy")
            assert not compiling.has(GAME, "search")

    asyncio.run(scenario())


def test_what_cannot_be_compiled_is_told_in_a_sentence(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with cold(tmp_path) as (browser, _, held):
            held.let(GAME, RULES, "the compiler is broken")
            sent = await browser.post(f"/play/{GAME}", data={"bytes": ""})
            answer = await after_waiting(browser, sent.headers["location"])
            assert answer.status_code == 503
            assert "the compiler is broken" in answer.text
            assert (await browser.get("/")).status_code == 200

    asyncio.run(scenario())


def test_progress_ends_when_all_is_compiled(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with cold(tmp_path) as (browser, compiling, held):
            assert 'id="compiling"' in (await browser.get("/")).text
            for game in games():
                for step in STEPS:
                    held.let(game, step)
            while compiling.progress is not None:
                await asyncio.sleep(0.05)
            assert compiling.is_done
            assert 'id="compiling"' not in (await browser.get("/")).text
            assert (await browser.get("/preparing")).json() == {"there": True}

    asyncio.run(scenario())


def test_games_are_compiled_in_a_process_of_their_own() -> None:
    """The real thing, for the smallest game."""

    async def compile_rules() -> bool:
        compiling = Compiling(compile_steps, noted=False)
        compiling.start(ahead=False)
        assert compiling.progress is None
        assert not compiling.has(GAME)
        await compiling.ready(GAME)
        there = compiling.has(GAME) and not compiling.has(GAME, "search")
        await compiling.close()
        return there

    assert asyncio.run(compile_rules())

"""Requests are limited by what they cost: costly ones soon, cheap ones hardly, by address."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from httpx import ASGITransport, AsyncClient

from pelagos.tables.errors import TooMuch
from pelagos.tables.limits import Budget, Metered
from pelagos.tables.settings import Settings
from pelagos.web import afterwards, daily
from pelagos.web.site import make_site
from web.days import whole_game


def burn(seconds: float) -> None:
    """Use so much of the processor, however busy the machine is."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def test_who_has_overdrawn_waits_until_it_has_come_in_again() -> None:
    now = [0.0]
    budget = Budget(0.25, 5.0, lambda: now[0])
    for _ in range(1000):
        budget.check("club")
        budget.charge("club", 0.001)
    assert budget.left("club") == pytest.approx(4.0)
    budget.charge("club", 4.4)
    with pytest.raises(TooMuch, match="2 s") as refused:
        budget.check("club")
    assert refused.value.retry_after == 2
    budget.check("elsewhere")
    now[0] = 2.1
    budget.check("club")
    budget.charge("club", 1000.0)
    assert budget.left("club") == -5.0


def test_the_loop_s_time_is_counted_and_waiting_is_not() -> None:
    steps: list[float] = []

    async def work() -> str:
        burn(0.02)
        await asyncio.sleep(0.05)
        try:
            async with asyncio.timeout(0.01):
                await asyncio.Event().wait()
        except TimeoutError:
            burn(0.02)
        return "done"

    async def run() -> str:
        return await Metered(work(), steps.append)

    assert asyncio.run(run()) == "done"
    assert 0.04 <= sum(steps) < 0.06


def test_a_burst_of_costly_pages_is_refused_and_a_neighbour_plays_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    true_step, begun = afterwards._draw_step, []

    def costly(*given: object) -> object:
        begun.append(given)
        burn(0.1)
        return true_step(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(afterwards, "_draw_step", costly)

    async def run() -> None:
        settings = Settings(milliseconds_a_second=50, compile_ahead=False, thinkers=1)
        site = make_site(tmp_path, settings)
        async with site.router.lifespan_context(site):
            server = site.state.server
            monkeypatch.setattr(server.budget, "_clock", lambda: 0.0)  # nothing comes in again
            tables = server.tables
            table = (await tables.create(whole_game(daily.of(daily.today()), 3))).table.id
            greedy, neighbour = (
                AsyncClient(
                    transport=ASGITransport(site, client=(address, 1)),
                    base_url="http://localhost",
                    timeout=None,
                )
                for address in ("192.0.2.1", "192.0.2.2")
            )
            async with greedy, neighbour:
                replay = f"/t/{table}/replay?at=5&eyes=0"
                asked = [asyncio.ensure_future(greedy.get(replay)) for _ in range(40)]
                while not begun:
                    await asyncio.sleep(0.001)
                answer = await neighbour.get(replay)
                assert answer.status_code == 200
                assert sum(task.done() for task in asked) < 5, "it came next but one or two"
                statuses = [(await task).status_code for task in asked]
                assert statuses.count(200) + statuses.count(429) == 40
                assert 5 <= statuses.count(200) <= 12  # a second's worth, a tenth each
                assert len(begun) == statuses.count(200) + 1
                refused = await greedy.get("/")
                assert refused.status_code == 429
                assert int(refused.headers["retry-after"]) >= 1
                assert refused.json()["error"]["code"] == "too_much"
                for _ in range(100):
                    answer = await neighbour.get(f"/api/v1/tables/{table}")
                    assert answer.status_code == 200

    asyncio.run(run())

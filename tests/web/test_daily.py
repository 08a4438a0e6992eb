"""The deal of the day."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from httpx import ASGITransport, AsyncClient, Client

from browser import Site
from pelagos.tables.settings import Settings
from pelagos.web import daily
from pelagos.web.site import make_site
from web.days import whole_game


def test_the_deal_of_the_day_is_the_same_for_everyone(site: Site) -> None:
    hands = []
    for _ in range(2):
        with Client(base_url=site.url, timeout=None, headers={"accept-language": "en"}) as first:
            path = first.post("/daily", data={"bytes": "a" * 64}).headers["location"]
            assert first.post("/daily").headers["location"] == path  # once a day
            about = first.get(f"/api/v1/tables/{path[3:]}").json()
            assert about["deal"].startswith("pelagos daily ")
            view = first.get(f"/api/v1{path.replace('/t/', '/tables/')}/seats/0/view").json()[
                "view"
            ]
            hands.append([piece for piece in view["pieces"] if piece["place"] != "log"])
            assert "Go on" in first.get("/").text
    assert hands[0] == hands[1]


def test_the_days_totals_are_compared(tmp_path: Path) -> None:
    """Two have played the deal to its end, each at a table of their own; both see both totals."""
    deal = daily.of(daily.today())
    app = make_site(tmp_path, Settings(limits=False))

    async def scenario() -> None:
        async with app.router.lifespan_context(app):
            tables = app.state.server.tables
            laid = [(await tables.create(whole_game(deal, seed))).table for seed in range(2)]
            totals = [table.match.scores[0] for table in laid]
            for table in laid:
                cookie = {daily.COOKIE: f"{deal.day.isoformat()}.{table.id}"}
                transport = ASGITransport(app)
                async with AsyncClient(
                    transport=transport, base_url="http://localhost", cookies=cookie
                ) as visitor:
                    front = (await visitor.get("/")).text
                shown = re.search(r'class="totals">(.*?)</p>', front, re.DOTALL)
                assert shown
                numbers = re.findall(r"-?\d+", re.sub(r"<[^>]+>", "", shown[1]))
                assert [int(number) for number in numbers] == sorted(totals, reverse=True)

    asyncio.run(scenario())

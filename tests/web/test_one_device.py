"""Several people at one device: who may look, whose clock runs, who is there."""

from __future__ import annotations

import html
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from httpx import Client

from browser import SOAK, Site
from pelagos.engine.game import find_game, games
from pelagos.tables import acts
from pelagos.tables.message import about
from pelagos.tables.service import OpenTable
from tables.place import Place, at_a_place, match_of
from tabling import client_id
from web.visiting import Elements, begin, fields

DEVICE = "a-device"


@pytest.fixture(name="site", scope="module")
def _site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = Site(tmp_path_factory.mktemp("data"), AWAY="0", REREAD="0.1")
    yield site.start().wait()
    site.stop()


async def lay_at_one_device(place: Place, game: str, people: int, **more: Any) -> OpenTable:
    live = await place.tables.create(acts.create(game, {"players": people}, None, **more))
    for seat in range(people):
        await place.tables.do(
            live.table.id,
            lambda now, seat=seat: acts.sit(  # type: ignore[misc]
                now, seat, f"P{seat}", "", client_id(), False, DEVICE
            ),
        )
    return live


async def play_until_asked(place: Place, live: OpenTable) -> bool:
    """Play at random until somebody is asked something that an order may answer."""
    chance = random.Random(3)
    while not match_of(live).over:
        pending = match_of(live).pending
        if any(acts.default_answer(match_of(live), seat) is not None for seat in pending):
            return True
        seat = chance.choice(pending)
        await place.move(live, seat, chance.choice(match_of(live).legal(seat)))
    return False


@pytest.mark.parametrize("pace", ["free", "quick"])
def test_no_clock_runs_behind_a_cover(tmp_path: Path, pace: str) -> None:
    async def test(place: Place) -> None:
        live = await lay_at_one_device(place, "oceanide", 2, pace=pace)
        assert live.table.until == 0
        assert await play_until_asked(place, live)
        assert live.table.until == 0
        place.clock.now += 600
        assert await place.work() == 0

    at_a_place(tmp_path, test)


def test_a_standing_order_answers_at_one_device_too(tmp_path: Path) -> None:
    async def test(place: Place) -> None:
        live = await lay_at_one_device(place, "oceanide", 2)
        for seat in (0, 1):
            await place.do(live, acts.give_order, seat, "allow", client_id())
        assert await play_until_asked(place, live)
        asked = match_of(live).pending
        assert await place.work() == 0
        place.clock.now += 3
        assert await place.work() == len(asked)

    at_a_place(tmp_path, test)


def test_games_without_secrets_keep_their_clock_at_one_device(tmp_path: Path) -> None:
    async def test(place: Place) -> None:
        live = await lay_at_one_device(place, "ozeanien", 2, pace="quick")
        assert live.table.until > place.clock()

    at_a_place(tmp_path, test)


def test_who_sits_beside_the_viewer_is_not_away(tmp_path: Path) -> None:
    async def test(place: Place) -> None:
        live = await lay_at_one_device(place, "ecosystem", 3)
        live.look(1, 1, place.clock())
        place.clock.now += 31
        await place.tables.look_for_people()
        assert [seat["away"] for seat in about(live.table)["seats"]] == [False] * 3
        live.look(1, -1, place.clock())
        place.clock.now += 31
        await place.tables.look_for_people()
        assert [seat["away"] for seat in about(live.table)["seats"]] == [True] * 3

    at_a_place(tmp_path, test)


def test_who_moves_to_a_device_of_their_own_sits_beside_nobody(tmp_path: Path) -> None:
    async def test(place: Place) -> None:
        live = await lay_at_one_device(place, "ecosystem", 3)
        await place.do(live, acts.issue, 1)
        assert live.table.beside(0) == (0, 2)
        assert live.table.beside(1) == (1,)

    at_a_place(tmp_path, test)


def is_cover(page: str) -> bool:
    return 'class="cover' in page


def look(client: Client, page: str) -> str:
    """Say on the cover that it's me."""
    link = re.search(r'class="main" href="([^"]+)"', page)
    assert link, page
    return client.get(html.unescape(link[1])).text


def act(client: Client, path: str, page: str, action: int) -> str:
    """Make a move as a browser without script does, and see what comes then."""
    answer = client.post(f"{path}/act", data={**fields(page), "action": str(action)})
    assert answer.status_code == 303, answer.text
    return client.get(answer.headers["location"]).text


@pytest.mark.parametrize("which", sorted(games()))
def test_there_is_a_cover_exactly_where_there_are_secrets(client: Client, which: str) -> None:
    """And never a hand of somebody whose turn it isn't; without secrets the table turns itself."""
    path = begin(client, which, seat0="me", seat1="here", name1="Bo")
    page, chance, covers = client.get(path).text, random.Random(which), 0
    for _ in range(60 if SOAK else 24):
        if 'data-over="1"' in page:
            break
        if is_cover(page):
            covers += 1
            assert 'name="action"' not in page
            assert "p-hand" not in page
            page = look(client, page)
            assert not is_cover(page)
        assert 'data-owes="1"' in page
        page = act(client, path, page, chance.choice(sorted(Elements(page).actions())))
    assert bool(covers) == find_game(which).secrets


def test_a_cover_never_lifts_by_itself(client: Client) -> None:
    """Neither when it is the viewer's turn again, nor when the page is loaded anew."""
    path = begin(client, "oceanide", seat0="me", seat1="here", name1="Bo")
    page, chance = look(client, client.get(path).text), random.Random(2)
    address = ""
    while not is_cover(page):
        answer = client.post(
            f"{path}/act",
            data={**fields(page), "action": str(chance.choice(sorted(Elements(page).actions())))},
        )
        address = answer.headers["location"]
        page = client.get(address).text
    away = re.findall(r'data-stream="([^"]+)"', page)
    bo = look(client, page)
    while not is_cover(bo):
        bo = act(client, path, bo, chance.choice(sorted(Elements(bo).actions())))
    assert is_cover(client.get(address).text)  # the same page, loaded anew
    with client.stream("GET", html.unescape(away[0])) as stream:
        line = next(line for line in stream.iter_lines() if line.startswith("data: "))
    assert "cover-card" in line


def test_who_waits_may_look_again_after_saying_so(client: Client) -> None:
    path = begin(client, "oceanide", seat0="me", seat1="here", name1="Bo")
    page, chance = look(client, client.get(path).text), random.Random(2)
    while not is_cover(page):
        page = act(client, path, page, chance.choice(sorted(Elements(page).actions())))
    still = html.unescape(re.findall(r'class="link"\s+href="([^"]+)"', page)[0])
    assert not is_cover(client.get(still).text)
    assert not is_cover(client.get(still).text)


def test_the_front_page_lists_a_table_of_several_seats_once(client: Client) -> None:
    path = begin(
        client, "ecosystem", seat0="me", seat1="here", name1="Bo", seat2="here", name2="Cy"
    )
    page = client.get("/").text
    assert page.count(f'href="{path}"') == 1
    listed = page[page.index(f'href="{path}"') :]
    assert "Mira, Bo, Cy" in listed[: listed.index("</a>")]

"""A finished game again: seen through any eyes, played on from any position."""

from __future__ import annotations

import time

import pytest
from httpx import Client

from browser import Site
from pelagos.engine import record as records
from pelagos.web.drawing import piece_id
from web.visiting import Elements, begin


@pytest.fixture(name="finished", scope="module")
def _finished(site: Site) -> str:
    """The path of a table at which bots have played a whole game."""
    with Client(base_url=site.url, timeout=None, headers={"accept-language": "en"}) as client:
        path = begin(client, "oceanide", seat0="hermit", seat1="hermit")
        while client.get(f"/api/v1{path.replace('/t/', '/tables/')}").json()["state"] != "over":
            time.sleep(0.05)
    return path


def test_a_finished_game_is_seen_again_through_any_eyes(client: Client, finished: str) -> None:
    record = client.get(f"{finished}/record").json()
    match = records.at(record, 20)
    for eyes in ("0", "1", "open"):
        page = client.get(f"{finished}/replay?at=20&eyes={eyes}")
        assert page.status_code == 200
        assert f"<b>20</b> / {len(record['moves'])}" in page.text
        assert 'name="action"' not in page.text
    client.cookies.set("pelagos-plain", "1")
    ids = {
        eyes: Elements(client.get(f"{finished}/replay?at=20&eyes={eyes}").text).ids()
        for eyes in ("0", "1")
    }
    for seat in (0, 1):
        hand = {
            piece_id(piece["key"])
            for piece in match.view(seat)["pieces"]
            if piece["place"] == f"hand{seat}"
        }
        assert hand
        assert hand <= ids[str(seat)].keys()
        assert not hand <= ids[str(1 - seat)].keys()


def test_a_game_is_played_on_from_a_position(client: Client, finished: str) -> None:
    record = client.get(f"{finished}/record").json()
    answer = client.post(f"{finished}/replay", data={"game": "0", "at": "20", "eyes": "1"})
    path = answer.headers["location"].replace("/t/", "/tables/")
    view = client.get(f"/api/v1{path}/seats/1/view").json()["view"]
    assert view["seen"] >= len(records.at(record, 20).events(1))
    assert client.get(answer.headers["location"]).status_code == 200


def test_a_running_game_is_not_shown_again(client: Client) -> None:
    path = begin(client, "ozeanien", seat0="me", seat1="here")
    assert client.get(f"{path}/replay").status_code == 404

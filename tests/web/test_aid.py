"""The aid by its addresses: as a card for pages, as data for clients, for players and watchers."""

from __future__ import annotations

import re

import httpx
import pytest

from browser import Party, Site
from pelagos.engine.game import games


@pytest.mark.parametrize("which", sorted(games()))
def test_a_seat_and_a_spectator_are_told_what_they_may_know(which: str, site: Site) -> None:
    party = Party(site, which, max(2, games()[which].players[0]))
    view = party.look(0)["view"]
    of = next(f"piece:{piece['key']}" for piece in view["pieces"] if piece["face"])
    seats = f"/tables/{party.table}/seats/0/aid"
    aid = party.http.get(seats, params={"of": of}).json()["aid"]
    assert aid["of"] == of
    sheet = party.http.get(seats).json()
    assert sheet["lines"]
    assert party.http.get(seats, params={"of": "piece:nobody"}).json() == {"aid": None}
    watched = httpx.get(f"{site.url}/api/v1/tables/{party.table}/aid", params={"of": of})
    assert watched.status_code == 200
    held = [piece for piece in view["pieces"] if piece["place"] == "hand" and piece["face"]]
    if held:  # nobody but its owner is told of a card in hand
        hidden = {"of": f"piece:{held[0]['key']}"}
        answer = httpx.get(f"{site.url}/api/v1/tables/{party.table}/aid", params=hidden).json()
        assert answer["aid"] is None
    stranger = httpx.get(f"{site.url}/api/v1{seats}", params={"of": of})
    assert stranger.status_code == 403
    for language in ("en", "fr"):
        page = httpx.get(
            f"{site.url}/t/{party.table}/aid",
            params={"of": of, "seat": "0"},
            headers={"Accept-Language": language},
            cookies=dict(party.http.cookies),
        )
        assert page.status_code == 200
        assert 'id="aid-name"' in page.text
        assert not re.search(r">[a-z]+\.[a-z_]+<", page.text), "a word is missing"
    party.http.close()


def test_a_replay_explains_what_its_eyes_saw(site: Site) -> None:
    party = Party(site, "minnows", 2)
    for _ in party.phases():
        pass
    address = f"{site.url}/t/{party.table}/aid"
    step = {"game": "0", "at": "3"}
    replayed = httpx.get(f"{site.url}/t/{party.table}/replay", params={**step, "eyes": "0"}).text
    pieces = dict.fromkeys(re.findall(r'id="(p-[\w-]+)"', replayed))
    assert pieces
    for piece in pieces:
        asked = {**step, "eyes": "0", "of": f"id:{piece}"}
        assert 'id="aid-name"' in httpx.get(address, params=asked).text
    assert httpx.get(address, params={**step, "game": "7", "of": "line:x"}).status_code == 404
    party.http.close()

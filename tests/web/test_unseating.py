"""What throws somebody out of a seat: it asks first, and tells them who did it and why."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from httpx import Client

from browser import Site
from pelagos.tables import acts
from pelagos.tables.message import Messages
from pelagos.tables.table import Table
from pelagos.web.drawing import Drawing
from pelagos.web.reader import Reader
from tables.place import Place, at_a_place
from web.visiting import begin


@pytest.fixture(name="ada")
def _ada(site: Site) -> Iterator[Client]:
    with Client(base_url=site.url, timeout=None, headers={"accept-language": "en"}) as client:
        yield client


@pytest.fixture(name="bo")
def _bo(site: Site) -> Iterator[Client]:
    with Client(base_url=site.url, timeout=None, headers={"accept-language": "fr"}) as client:
        yield client


def lay(ada: Client, bo: Client) -> str:
    """A table that Ada has laid and at which Bo sits too."""
    path = begin(ada, "ozeanien", seat0="me", seat1="open", name="Ada")
    bo.post(f"{path}/sit", data={"seat": "1", "name": "Bo", "client": "b" * 20})
    assert sits(bo, path)
    return path


def sits(client: Client, path: str) -> bool:
    return "stream?seat=1" in client.get(path).text


@pytest.mark.parametrize("do", ["issue", "leave"])
def test_nobody_is_thrown_out_without_a_question(ada: Client, bo: Client, do: str) -> None:
    path = lay(ada, bo)
    assert f'href="{path}/{do}?seat=1"' in ada.get(f"{path}/seats").text
    asked = [ada.get(f"{path}/{do}?seat=1"), ada.post(f"{path}/{do}", data={"seat": "1"})]
    for page in asked:
        assert page.status_code == 200
        assert "Bo" in page.text
        assert 'name="sure" value="1"' in page.text
    assert sits(bo, path)


def test_leaving_asks_first_too(ada: Client, bo: Client) -> None:
    path = lay(ada, bo)
    page = bo.get(f"{path}/leave?seat=1").text
    assert "Quitter la table ?" in page.replace("\u202f", " ")
    assert 'name="why"' not in page
    assert sits(bo, path)
    bo.post(f"{path}/leave", data={"seat": "1", "sure": "1"})
    assert not sits(bo, path)
    assert "page-sure" not in bo.get(path).text  # they know


def test_only_the_host_and_the_seats_owner_are_asked(ada: Client, bo: Client) -> None:
    path = lay(ada, bo)
    for address in (f"{path}/leave?seat=0", f"{path}/issue?seat=0"):
        assert bo.get(address).status_code == 403
    assert ada.get(f"{path}/leave?seat=7").status_code == 422


@pytest.mark.parametrize(
    ("do", "why", "sentences"),
    [
        ("leave", "away", ["Ada a libéré votre place", "pas là depuis longtemps"]),
        ("leave", "<b>", ["Ada a libéré votre place"]),
    ],
)
def test_who_is_thrown_out_is_told_who_did_it_and_why(
    ada: Client, bo: Client, do: str, why: str, sentences: list[str]
) -> None:
    path = lay(ada, bo)
    ada.post(f"{path}/{do}", data={"seat": "1", "sure": "1", "why": why})
    page = bo.get(f"{path}?seat=1").text.replace("&#39;", "'")
    for sentence in sentences:
        assert sentence in page
    assert "<b>" not in page
    assert f'href="{path}/seats"' in page
    assert "regardez" in bo.get(path).text  # told once


def test_whoever_is_away_is_told_who_made_a_new_link(forgetful: Site) -> None:
    with (
        Client(base_url=forgetful.url, timeout=None, headers={"accept-language": "en"}) as ada,
        Client(base_url=forgetful.url, timeout=None, headers={"accept-language": "fr"}) as bo,
    ):
        path = lay(ada, bo)
        wait_until_away(ada, path)
        ada.post(f"{path}/issue", data={"seat": "1", "sure": "1", "why": "moves"})
        page = bo.get(f"{path}?seat=1").text.replace("&#39;", "'")
        assert "Ada a fait un nouveau lien" in page
        assert "sur un autre appareil" in page


def test_whoever_is_here_keeps_their_seat(ada: Client, bo: Client) -> None:
    path = lay(ada, bo)
    refused = ada.post(f"{path}/issue", data={"seat": "1", "sure": "1"})
    assert refused.status_code == 409
    assert "Bo is here" in refused.text
    assert sits(bo, path)
    own = bo.post(f"{path}/issue", data={"seat": "1", "sure": "1"})
    assert f"{path}/seat/1?key=" in own.text  # whoever is here may pass it on themselves


def wait_until_away(client: Client, path: str) -> None:
    while 'seat-state">away' not in client.get(f"{path}/seats").text:
        time.sleep(0.05)


def test_nobody_else_is_told(ada: Client, bo: Client, site: Site) -> None:
    path = lay(ada, bo)
    ada.post(f"{path}/leave", data={"seat": "1", "sure": "1", "why": "away"})
    with Client(base_url=site.url, timeout=None, headers={"accept-language": "en"}) as eve:
        assert "page-sure" not in eve.get(path).text
        eve.cookies.set(f"pelagos-{path[3:]}-1", f"{path[3:]}.1.1.forged")
        assert "page-sure" not in eve.get(path).text
    assert "page-sure" not in ada.get(path).text


def test_here_are_only_those_who_are(tmp_path: Path) -> None:
    async def test(place: Place) -> None:
        live = await place.lay("ecosystem", 2)
        await place.do(live, acts.leave, 1)
        assert chairs(live.table) == ["here", "free"]
        await place.do(live, acts.presence, 0, True)
        assert chairs(live.table) == ["away", "free"]

    def chairs(table: Table) -> list[str]:
        gathering = Table(table.id)
        gathering.__dict__.update({**table.__dict__, "match": None})
        message = Messages().of(gathering, -1).data
        page = Drawing(message, Reader("en")).inside({"why": "", "host": False})
        return re.findall(r'class="seat-state st-(\w+)"', page)

    at_a_place(tmp_path, test)

"""Who sits beside whom: the host moves seats before the first deal, and everyone keeps theirs."""

from __future__ import annotations

import html
import json
import re

import pytest
from httpx import Client

from browser import Site
from pelagos.engine.errors import PelagosError
from pelagos.tables import acts
from pelagos.tables.table import Entry, Table, fold

CLIENT = "client-0123456789"


def visitor(site: Site) -> Client:
    return Client(
        base_url=site.url, timeout=None, headers={"accept-language": "en"}, follow_redirects=True
    )


def lay(host: Client, **seats: str) -> str:
    players = sum(name.startswith("seat") for name in seats)
    form = {"players": str(players), "name": "Mira", "client": "c" * 20, "talk": "on", **seats}
    return str(host.post("/new/oceanos", data={**form, "first": "0"}).url).partition("?")[0]


def names(client: Client, path: str) -> list[str]:
    table = client.get(f"/api/v1/tables/{path.rpartition('/')[2]}").json()
    return [seat["name"] for seat in table["seats"]]


def test_neighbours_change_places_and_their_browsers_follow(site: Site) -> None:
    with visitor(site) as host, visitor(site) as bo:
        path = lay(host, seat0="me", seat1="open", seat2="open", seat3="otter")
        bo.post(f"{path}/sit", data={"seat": "1", "name": "Bo", "client": "b" * 20})
        assert "Swap seats 1 and 2" in host.get(path).text
        assert "Swap seats" not in bo.get(path).text
        page = host.post(f"{path}/arrange", data={"seat": "0"})
        assert page.status_code == 200
        assert str(page.url).endswith("?seat=1")
        assert names(host, path) == ["Bo", "Mira", "", "Otter"]
        assert str(bo.get(f"{path}?seat=1").url).endswith("?seat=0")
        host.post(f"{path}/arrange", data={"seat": "2"})
        host.post(f"{path}/arrange", data={"seat": "1"})
        host.post(f"{path}/arrange", data={"seat": "0"})
        assert names(host, path) == ["Otter", "Bo", "Mira", ""]
        assert str(bo.get(path).url).endswith("?seat=1")
        table = path.rpartition("/")[2]
        assert host.get(f"/api/v1/tables/{table}").json()["options"]["captain"] == 2
        assert bo.post(f"{path}/arrange", data={"seat": "0"}).status_code == 403
        with visitor(site) as thea:
            thea.post(f"{path}/sit", data={"seat": "3", "name": "Théa", "client": "t" * 20})
        assert host.get(f"/api/v1/tables/{table}").json()["state"] == "playing"
        for person, seat in ((host, 2), (bo, 1)):
            message = person.get(f"/api/v1/tables/{table}/seats/{seat}/view")
            assert message.json()["own"]["seat"] == seat
        late = host.post(f"{path}/arrange", data={"seat": "0"})
        assert late.status_code == 409
        assert "The cards are dealt" in html.unescape(late.text)


def test_two_at_one_device_are_swapped_with_each_other(site: Site) -> None:
    with visitor(site) as host:
        path = lay(host, seat0="me", seat1="here", name1="Bo", seat2="open")
        host.post(f"{path}/arrange", data={"seat": "0"})
        assert names(host, path) == ["Bo", "Mira", ""]
        for seat in (0, 1):
            assert str(host.get(f"{path}?seat={seat}").url).endswith(f"?seat={seat}")


def test_a_private_link_leads_to_the_seat_wherever_it_is_now(site: Site) -> None:
    with visitor(site) as host, visitor(site) as bo:
        path = lay(host, seat0="me", seat1="kept", seat2="open")
        link = re.search(r'value="([^"]*/seat/1\?key=[^"]*)"', host.get(path).text)
        assert link is not None
        host.post(f"{path}/arrange", data={"seat": "1"})
        page = bo.get(html.unescape(link[1]))
        assert page.status_code == 200
        key = re.search(r'name="key" value="([^"]*)"', page.text)
        assert key is not None
        body = {"key": html.unescape(key[1]), "name": "Bo", "client": "b" * 20}
        assert bo.post(f"{path}/seat/2", data=body).status_code == 200
        assert names(host, path) == ["Mira", "", "Bo"]
        assert bo.get(html.unescape(link[1])).status_code == 403


def test_a_program_is_told_where_it_sits_now(site: Site) -> None:
    with visitor(site) as host, visitor(site) as program:
        laid = host.post("/api/v1/tables", json={"game": "oceanos", "options": {"players": 3}})
        table = f"/api/v1/tables/{laid.json()['table']['id']}"
        body = {"name": "Bot", "client": "b" * 20}
        token = program.post(f"{table}/seats/0", json=body).json()["token"]
        head = {"Authorization": f"Bearer {token}"}
        assert program.get(f"{table}/seats/0/moved", headers=head).status_code == 404
        answer = host.post(f"{table}/arrange", json={"order": [1, 2, 0]})
        assert [seat["name"] for seat in answer.json()["seats"]] == ["", "", "Bot"]
        assert program.get(f"{table}/seats/0/view", headers=head).status_code == 403
        now = program.get(f"{table}/seats/0/moved", headers=head).json()
        assert now["seat"] == 2
        head = {"Authorization": f"Bearer {now['token']}"}
        assert program.get(f"{table}/seats/2/view", headers=head).json()["own"]["seat"] == 2
        for order in ([0, 1], [0, 0, 1], [0, 1, 3]):
            assert host.post(f"{table}/arrange", json={"order": order}).status_code == 422
        assert program.post(f"{table}/arrange", json={"order": [0, 1, 2]}).status_code == 403


def test_an_old_secret_leads_nowhere_once_the_seat_is_issued_anew() -> None:
    table, log = Table("T" * 22), list[Entry]()
    log += [table.apply(entry) for entry in acts.create("oceanos", {"players": 3}, None)]
    log += acts.sit(table, 0, "Ada", "", CLIENT, False)
    ada = (0, table.seats[0].issue)
    log += acts.arrange(table, [1, 2, 0])
    log += acts.arrange(table, [2, 0, 1])
    log += acts.arrange(table, [1, 0, 2])
    seat, issue = table.where(*ada)
    assert table.seats[seat].name == "Ada"
    assert table.seats[seat].issue == issue
    again = fold("T" * 22, json.loads(json.dumps(log)))
    assert again.seats == table.seats
    assert again.where(*ada) == (seat, issue)
    log += acts.issue(table, seat)
    assert table.seats[seat].issue != table.where(*ada)[1]
    assert acts.arrange(table, [0, 1, 2]) == []
    with pytest.raises(PelagosError, match="each seat from 0 to 2 once"):
        acts.arrange(table, [0, 1, 1])

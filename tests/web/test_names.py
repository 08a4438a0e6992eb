"""Names: emoji made of several signs are names; what is refused stays as it was typed."""

from __future__ import annotations

import html
import re

from httpx import Client

from browser import Site

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
LONG = "Bartholomew the Unbelievably Longwinded Navigator"


def visitor(site: Site) -> Client:
    return Client(base_url=site.url, timeout=None, headers={"accept-language": "en"})


def field(page: str, name: str) -> str:
    match = re.search(rf'<input[^>]*name="{name}"[^>]*?value="([^"]*)"', page)
    assert match is not None
    return html.unescape(match[1])


def lay(client: Client, **more: str) -> str:
    form = {"players": "2", "name": FAMILY, "client": "c" * 20, "seat0": "me", **more}
    answer = client.post("/new/ozeanien", data=form)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def test_a_family_sits_down(site: Site) -> None:
    with visitor(site) as mira, visitor(site) as bo:
        path = lay(mira, seat1="open")
        answer = bo.post(f"{path}/sit", data={"seat": "1", "name": FAMILY, "client": "b" * 20})
        assert answer.status_code == 303
        assert bo.get(path).text.count(FAMILY) >= 2
        assert field(bo.get("/new/ozeanien").text, "name") == FAMILY


def test_a_refused_name_stays_in_the_form_to_sit_down(site: Site) -> None:
    with visitor(site) as mira, visitor(site) as bo:
        path = lay(mira, seat1="open")
        answer = bo.post(f"{path}/sit", data={"seat": "1", "name": LONG, "client": "b" * 20})
        assert answer.status_code == 422
        assert "1 to 40 letters" in answer.text
        assert field(answer.text[answer.text.index('id="sit"') :], "name") == LONG


def test_a_refused_name_stays_in_the_middle_of_a_game(site: Site) -> None:
    with visitor(site) as mira, visitor(site) as bo:
        path = lay(mira, seat1="open")
        bo.post(f"{path}/sit", data={"seat": "1", "name": "Bo", "client": "b" * 20})
        bo.post(f"{path}/leave", data={"seat": "1", "sure": "1"})
        answer = bo.post(f"{path}/sit", data={"seat": "1", "name": LONG, "client": "d" * 20})
        assert answer.status_code == 422
        assert field(answer.text[answer.text.index('id="sit"') :], "name") == LONG


def test_a_refused_name_stays_at_a_private_link(site: Site) -> None:
    with visitor(site) as mira, visitor(site) as bo:
        path = lay(mira, seat1="kept")
        link = html.unescape(re.findall(r'id="link-1"[^>]*value="([^"]+)"', mira.get(path).text)[0])
        key = field(bo.get(link).text, "key")
        form = {"key": key, "name": LONG, "client": "b" * 20}
        answer = bo.post(link.partition("?")[0], data=form)
        assert answer.status_code == 422
        assert field(answer.text[answer.text.index('class="panel sit"') :], "name") == LONG
        assert field(answer.text, "key") == key
        assert bo.post(link.partition("?")[0], data={**form, "name": "Bo"}).status_code == 303


def test_all_that_was_told_of_a_new_table_stays(site: Site) -> None:
    with visitor(site) as mira:
        before = len(mira.get("/api/v1/tables").json()["tables"])
        form = {
            "players": "2",
            "name": LONG,
            "client": "c" * 20,
            "seat0": "me",
            "seat1": "here",
            "name1": "Théa",
            "pace": "slow",
            "listed": "on",
        }
        answer = mira.post("/new/ozeanien", data=form)
        assert answer.status_code == 422
        page = answer.text
        main = page[page.index('id="main"') :]
        assert "1 to 40 letters" in page
        assert field(main, "name") == LONG
        assert field(main, "name1") == "Théa"
        for value in ("slow", "here"):
            assert re.search(rf'<option\s+value="{value}" selected>', page)
        assert re.search(r'name="listed" checked', page)
        assert not re.search(r'name="(previews|talk)" checked', page)
        assert len(mira.get("/api/v1/tables").json()["tables"]) == before


def test_a_refused_name_in_the_settings_stays_and_the_rest_is_kept(site: Site) -> None:
    with visitor(site) as mira:
        answer = mira.post("/settings", data={"name": LONG, "language": "fr", "back": "/"})
        assert answer.status_code == 422
        assert field(answer.text[answer.text.index('id="typed"') - 20 :], "name") == LONG
        assert 'lang="fr"' in mira.get("/").text

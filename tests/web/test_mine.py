"""My games as pages: a browser's own, nobody else's; taken along as a file; deleted."""

from __future__ import annotations

import re

from httpx import Client

from browser import Site
from pelagos.tables.own_games import new_key

KEY = "pelagos-me"


def visitor(site: Site) -> Client:
    return Client(base_url=site.url, follow_redirects=True, timeout=None)


def play(person: Client) -> str:
    """A game against bots, laid by the page, played to its end; its table."""
    laid = person.post("/play/minnows", data={"name": "Ada"})
    table = str(laid.url).rpartition("/")[2].partition("?")[0]
    while True:
        message = person.get(f"/api/v1/tables/{table}/seats/0/view").json()
        if message["view"]["over"]:
            return table
        if message["own"]["owes"]:
            chosen = message["view"]["choices"][0]["action"]
            person.post(
                f"/api/v1/tables/{table}/seats/0/actions",
                json={"actions": [chosen], "client": new_key()},
            )


def replays(person: Client, query: str = "") -> list[str]:
    """The tables whose replays the page links in its list."""
    page = person.get(f"/mine{query}")
    assert page.status_code == 200
    return re.findall(r'class="link" href="/t/([\w-]{22})/replay', page.text)


def test_a_browser_finds_its_own_games_and_nobody_elses(site: Site) -> None:
    with visitor(site) as ada, visitor(site) as stranger:
        assert KEY not in ada.get("/mine").cookies  # nobody gets a key for looking
        assert KEY not in dict(ada.cookies)
        table = play(ada)
        key = ada.cookies[KEY]
        assert replays(ada) == [table]
        page = ada.get("/mine")
        assert key not in page.text
        assert f"/t/{table}/replay?game=0&amp;eyes=0" in page.text
        assert [game["table"] for game in ada.get("/mine/games.json").json()] == [table]
        assert key not in ada.get("/mine/games.json").text
        assert key not in site.log.read_text()
        asked = stranger.get("/api/v1/mine", headers={"authorization": f"Bearer {key}"}).json()
        assert [game["table"] for game in asked["games"]] == [table]
        assert stranger.get("/api/v1/mine").json() == {"games": []}
        assert replays(stranger) == []
        stranger.cookies.set(KEY, new_key())
        assert replays(stranger) == []
        stranger.cookies.set(KEY, "'; DROP TABLE holdings; --")
        assert replays(stranger) == []
        fr = ada.get("/mine", headers={"accept-language": "fr"}).text
        assert "Mes parties" in fr
        assert "D&#39;où viennent les points" in fr


def test_seats_whose_cookies_the_browser_has_are_adopted(site: Site) -> None:
    with visitor(site) as ada:
        table = play(ada)
        ada.cookies.delete(KEY)  # as it was before there were keys
        assert "/mine" in ada.get("/").text
        assert ada.cookies[KEY]
        for name in [name for name in dict(ada.cookies) if table in name]:
            ada.cookies.delete(name)
        assert replays(ada) == [table]


def test_the_file_is_a_credential_and_brings_the_games_to_another_browser(site: Site) -> None:
    with visitor(site) as ada, visitor(site) as phone:
        first, second = play(ada), play(phone)
        assert ada.get("/mine/file").status_code == 405
        file = ada.post("/mine/file")
        assert "attachment" in file.headers["content-disposition"]
        assert file.headers["cache-control"] == "no-store"
        assert file.json()["key"] == ada.cookies[KEY]
        assert "password" in file.json()["keep"]
        brought = phone.post("/mine/import", files={"file": ("key.json", file.content)})
        assert brought.status_code == 200
        assert set(replays(phone)) == set(replays(ada)) == {first, second}
        for bad in (b"", b"{", b"[]", b'{"kind": "pelagos my games", "key": "short"}'):
            refused = phone.post("/mine/import", files={"file": ("key.json", bad)})
            assert refused.status_code == 422
            assert 'role="alert"' in refused.text
        guessed = file.content.replace(ada.cookies[KEY].encode(), new_key().encode())
        refused = phone.post("/mine/import", files={"file": ("key.json", guessed)})
        assert refused.status_code == 422
        assert set(replays(phone)) == {first, second}
        foreign = ada.post("/mine/file", headers={"origin": "https://elsewhere.example"})
        assert foreign.status_code == 403
    with visitor(site) as nobody:
        assert nobody.post("/mine/file").status_code == 404


def test_deleting_asks_first_and_says_what_goes(site: Site) -> None:
    with visitor(site) as ada, visitor(site) as other:
        table = play(ada)
        assert "1 game at which nobody else sat" in ada.get("/mine/delete").text
        ada.post("/mine/delete")
        assert replays(ada) == [table]
        file = ada.post("/mine/file").content
        done = ada.post("/mine/delete", data={"sure": "1"})
        assert "Deleted." in done.text
        assert replays(ada) == []
        assert not [name for name in dict(ada.cookies) if name == KEY or table in name]
        assert ada.get(f"/t/{table}").status_code == 404
        used = other.post("/mine/import", files={"file": ("key.json", file)})
        assert used.status_code == 422


def test_a_name_is_erased_at_a_button_and_the_games_stay(site: Site) -> None:
    with visitor(site) as ada, visitor(site) as stranger:
        table = play(ada)
        assert "Erase my name" in ada.get("/mine").text
        ada.post("/mine/erase")  # not sure
        assert stranger.get(f"/api/v1/tables/{table}").json()["seats"][0]["name"] == "Ada"
        done = ada.post("/mine/erase", data={"sure": "1"})
        assert "Your name is erased" in done.text
        assert stranger.get(f"/api/v1/tables/{table}").json()["seats"][0]["name"] == ""
        record = stranger.get(f"/api/v1/tables/{table}/record?game=0").json()
        assert record["seats"][0]["name"] == "seat 0"
        assert replays(ada) == [table]
        assert ada.get(f"/t/{table}").status_code == 200

"""Who holds a seat: sitting down, tokens and cookies, seats issued anew, left and taken over."""

from __future__ import annotations

import json
import random

import httpx
import pytest

from pelagos.tables import tokens
from tabling import ROOT, Server, all_play, client_id, gather, lay, listen, sit


def test_sitting_down_twice_by_the_same_client_is_sitting_down_once(server: Server) -> None:
    table = lay(server.url, "minnows", 2)["table"]["id"]
    body = {"name": "Ada", "client": client_id()}
    path = f"{server.url}{ROOT}/tables/{table}/seats/0"
    first, again = httpx.post(path, json=body), httpx.post(path, json=body)
    assert first.json()["token"] == again.json()["token"]
    other = httpx.post(path, json={**body, "client": client_id()})
    assert other.status_code == 409


def test_a_seat_issued_anew_leaves_the_old_secret_worthless(server: Server) -> None:
    laid = lay(server.url, "minnows", 2)
    people = [sit([server.url], laid["table"]["id"], seat) for seat in range(2)]
    host = {"Authorization": f"Bearer {laid['token']}"}
    heard = listen(people[0])
    next(heard)
    taken = httpx.post(f"{server.url}{people[0].path}/issue", headers=host)
    assert taken.status_code == 409, "they are here"
    issued = people[0].ask("POST", f"{people[0].path}/issue")
    assert people[0].ask("GET", f"{people[0].path}/view").status_code == 403
    people[1].step(random.Random(0))
    assert "gone" in [kind for kind, _ in heard]
    people[0].head = {"Authorization": f"Bearer {issued.json()['token']}"}
    assert people[0].view()["own"]["seat"] == 0


def test_only_the_host_and_its_holder_issue_a_seat(server: Server) -> None:
    people = gather(server.url, "minnows", 2)
    assert people[0].ask("POST", f"{people[1].path}/issue").status_code == 403


def test_another_seats_secret_opens_nothing(server: Server) -> None:
    people = gather(server.url, "minnows", 2)
    assert people[0].ask("GET", f"{people[1].path}/view").status_code == 403
    assert people[0].ask("GET", f"{people[1].path}/stream").status_code == 403
    body = {"actions": ["pass"], "client": client_id()}
    assert people[0].ask("POST", f"{people[1].path}/actions", body).status_code == 403
    token = people[0].head["Authorization"].removeprefix("Bearer ")
    for bad in (
        token[:-1] + ("A" if token[-1] != "A" else "B"),
        token.replace(".0.", ".1."),
        "x" * 5000,
    ):
        got = httpx.get(
            f"{server.url}{people[1].path}/view", headers={"Authorization": f"Bearer {bad}"}
        )
        assert got.status_code == 403


def test_a_cookie_seats_a_browser(server: Server) -> None:
    table = lay(server.url, "minnows", 2)["table"]["id"]
    with httpx.Client(base_url=server.url) as browser:
        body = {"name": "Cy", "client": client_id()}
        sat = browser.post(f"{ROOT}/tables/{table}/seats/0", json=body)
        cookie = sat.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
        assert browser.get(f"{ROOT}/tables/{table}/seats/0/view").status_code == 200


def test_somebody_else_takes_over_a_seat_that_was_left(server: Server) -> None:
    laid = lay(server.url, "minnows", 2)
    table = laid["table"]["id"]
    people = [sit([server.url], table, seat) for seat in range(2)]
    assert people[0].ask("POST", f"{people[0].path}/leave").status_code == 200
    assert people[0].ask("GET", f"{people[0].path}/view").status_code == 403
    people[0] = sit([server.url], table, 0, "Eve")
    all_play(people)
    assert not people[0].view()["table"]["seats"][0]["ready"]
    record = people[0].ask("GET", f"{people[0].path}/record").json()
    assert record["seats"][0]["name"] == "Eve"


def test_a_bot_takes_over_a_seat_that_was_left(server: Server) -> None:
    laid = lay(server.url, "minnows", 2)
    table = laid["table"]["id"]
    people = [sit([server.url], table, seat) for seat in range(2)]
    people[0].ask("POST", f"{people[0].path}/leave")
    host = {"Authorization": f"Bearer {laid['token']}"}
    path = f"{server.url}{people[0].path}/bot"
    assert httpx.post(path, json={"bot": "winkle"}, headers=host).status_code == 200
    people[1].play(random.Random(0))
    assert people[1].view()["view"]["over"]


@pytest.mark.parametrize("name", ["", " ", "x" * 41, "a\u202eb", "a\x00b", "\ud800"])
def test_a_name_is_bounded_and_printable(server: Server, name: str) -> None:
    table = lay(server.url, "minnows", 2)["table"]["id"]
    body = json.dumps({"name": name, "client": client_id()}).encode()
    path = f"{server.url}{ROOT}/tables/{table}/seats/0"
    got = httpx.post(path, content=body, headers={"Content-Type": "application/json"})
    assert got.status_code == 422


def test_a_token_is_of_one_table_role_and_issue() -> None:
    key = b"k" * 32
    token = tokens.sign(key, "table", "1", 2)
    assert tokens.is_signed(key, token, "table", "1", 2)
    for table, role, issue in (("other", "1", 2), ("table", "0", 2), ("table", "1", 3)):
        assert not tokens.is_signed(key, token, table, role, issue)
    assert not tokens.is_signed(b"x" * 32, token, "table", "1", 2)
    assert not tokens.is_signed(key, "é" * 10, "table", "1", 2)

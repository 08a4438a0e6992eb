"""Laying a table: its commitment, kept seats, options, pace, a pack of its own, the list."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from pelagos.engine.game import games
from pelagos.tables import fairness
from tabling import ROOT, Server, all_play, client_id, gather, lay, sit


def test_a_table_tells_its_commitment_before_anyone_sits_down(server: Server) -> None:
    laid = lay(server.url, "minnows", 2)["table"]
    assert laid["state"] == "gathering"
    assert len(laid["commitment"]) == 64
    assert "secret" not in laid


def test_a_game_starts_with_the_last_seat_and_shows_the_secret_at_its_end(server: Server) -> None:
    people = gather(server.url, "minnows", 2)
    about = people[0].view()["table"]
    assert about["state"] == "playing"
    all_play(people)
    over = people[0].view()["table"]
    assert fairness.commitment(over["secret"]) == about["commitment"]
    record = people[1].ask("GET", f"{people[1].path}/record").json()
    assert fairness.seed(over["secret"], over["bytes"]).hex() == record["seed"]


def test_a_kept_seat_is_for_whom_the_host_sends(server: Server) -> None:
    body = {
        "game": "minnows",
        "options": {"players": 2},
        "seats": [{"kind": "person"}, {"kind": "open"}],
    }
    laid = httpx.post(f"{server.url}{ROOT}/tables", json=body).json()
    path = f"{server.url}{ROOT}/tables/{laid['table']['id']}/seats/0"
    host = {"Authorization": f"Bearer {laid['token']}"}
    wish = {"name": "Bo", "client": client_id()}
    assert httpx.post(path, json=wish).status_code == 409
    invited = httpx.post(f"{path}/issue", headers=host).json()["token"]
    sat = httpx.post(path, json=wish, headers={"Authorization": f"Bearer {invited}"})
    assert sat.status_code == 200
    assert sat.json()["token"] != invited


def test_a_game_declares_how_its_tables_may_be_laid(server: Server) -> None:
    listed = httpx.get(f"{server.url}{ROOT}/games").json()["games"]
    options = {game["id"]: [option["name"] for option in game["table_options"]] for game in listed}
    assert (options["minnows"], options["ecosystem"]) == (["murky"], [])
    for game, given, laid in (
        ("minnows", {"table_options": {"murky": True}}, {"murky": True}),
        ("minnows", {}, {"murky": False}),
        ("minnows", {"closed": True}, {"murky": False}),
        ("oceanide", {}, {"closed": True}),
        ("oceanide", {"closed": True}, {"closed": True}),
        ("oceanide", {"closed": False}, {"closed": False}),
        ("oceanide", {"table_options": {"closed": False}}, {"closed": False}),
        ("oceanide", {"table_options": {"closed": True}}, {"closed": True}),
    ):
        body = {"game": game, "options": {"players": 2}, **given}
        table = httpx.post(f"{server.url}{ROOT}/tables", json=body).json()["table"]
        assert table["table_options"] == laid
        assert table.get("closed", False) == laid.get("closed", False)
    for wrong in ({"closed": True}, {"murky": 1}):
        body = {"game": "minnows", "options": {"players": 2}, "table_options": wrong}
        assert httpx.post(f"{server.url}{ROOT}/tables", json=body).status_code == 422


def test_a_table_has_a_pace_and_its_seats_give_orders(server: Server) -> None:
    body = {"game": "oceanide", "options": {"players": 2}, "pace": "quick"}
    laid = httpx.post(f"{server.url}{ROOT}/tables", json=body).json()["table"]
    assert laid["pace"] == "quick"
    people = [sit([server.url], laid["id"], seat) for seat in range(2)]
    message = people[0].view()
    assert message["table"]["until"] > 0
    assert message["own"]["orders"]["given"] == "ask"
    body = {"order": "from-6", "client": client_id()}
    got = people[0].ask("POST", f"{people[0].path}/orders", body)
    assert got.json()["own"]["orders"]["given"] == "from-6"
    assert people[1].view()["own"]["orders"]["given"] == "ask"
    body = {"order": "attack", "client": client_id()}
    assert people[0].ask("POST", f"{people[0].path}/orders", body).status_code == 422


@pytest.mark.parametrize(
    "body",
    [
        {"game": "chess"},
        {"game": "minnows", "options": {"players": 99}},
        {"game": "minnows", "options": {"players": 2, "cheat": True}},
        {"game": "minnows", "seats": [{"kind": "open"}]},
        {"game": "minnows", "options": {"players": 2}, "seats": [{"kind": "ghost"}] * 2},
        {"game": "minnows", "options": {"players": 2}, "seats": [{"kind": "bot", "bot": "x"}] * 2},
        {"game": "minnows", "pace": "hasty"},
        {"game": "minnows", "pack": {"pack.toml": "name = 'x'"}},
        {"game": "minnows", "pack": {"a": "x" * 250_000}},
    ],
)
def test_a_table_that_cannot_be_laid(server: Server, body: dict[str, Any]) -> None:
    got = httpx.post(f"{server.url}{ROOT}/tables", json=body)
    assert got.status_code == 422
    assert got.json()["error"]["sentence"]


def test_a_table_with_a_pack_of_its_own(server: Server) -> None:
    from pelagos.engine.pack import default_pack

    files = dict(default_pack(games()["minnows"]).files)
    files["pack.toml"] = files["pack.toml"].replace('name = "default"', 'name = "mine"')
    body = {"game": "minnows", "options": {"players": 2}, "pack": files}
    laid = httpx.post(f"{server.url}{ROOT}/tables", json=body).json()
    assert laid["table"]["pack"]["name"] == "mine"
    people = [sit([server.url], laid["table"]["id"], seat) for seat in range(2)]
    all_play(people)
    assert people[0].ask("GET", f"{people[0].path}/record").json()["pack"]["files"]


def test_listed_tables_are_listed_and_others_not(server: Server) -> None:
    shown = httpx.post(f"{server.url}{ROOT}/tables", json={"game": "minnows", "listed": True})
    hidden = lay(server.url, "minnows", 2)["table"]["id"]
    tables = httpx.get(f"{server.url}{ROOT}/tables?game=minnows&limit=100").json()["tables"]
    ids = [table["id"] for table in tables]
    assert shown.json()["table"]["id"] in ids
    assert hidden not in ids


def test_a_table_that_is_asked_for_twice_is_laid_once(server: Server) -> None:
    body = {"game": "minnows", "options": {"players": 2}, "listed": True, "client": client_id()}

    def listed() -> set[str]:
        rows = httpx.get(f"{server.url}{ROOT}/tables?limit=100").json()["tables"]
        return {row["id"] for row in rows}

    def ask(_: int) -> httpx.Response:
        return httpx.post(f"{server.url}{ROOT}/tables", json=body, timeout=60)

    before = listed()
    with ThreadPoolExecutor(8) as together:
        answers = [*together.map(ask, range(8)), ask(8)]
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["table"]["id"] for answer in answers}) == 1
    assert len({answer.json()["token"] for answer in answers}) == 1
    assert listed() - before == {answers[0].json()["table"]["id"]}
    other = httpx.post(f"{server.url}{ROOT}/tables", json={**body, "client": client_id()})
    assert other.json()["table"]["id"] != answers[0].json()["table"]["id"]
    short = httpx.post(f"{server.url}{ROOT}/tables", json={**body, "client": "too-short"})
    assert short.status_code == 422

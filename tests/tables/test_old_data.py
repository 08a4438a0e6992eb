"""A data folder of November 2026: its tables open as they were left, and go on.

`golden/data-2026-11` holds what that server had on its disk, and all that it said of every table
to everyone who may ask. Today's code may say more; what was said then it says in the same way.
"""

from __future__ import annotations

import asyncio
import json
import lzma
import random
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import places
from pelagos.engine import record as records
from pelagos.tables import fairness
from pelagos.tables.message import Messages, record
from pelagos.tables.serve import export, verify
from pelagos.tables.store import Store
from pelagos.tables.table import Entry, Table, fold
from tabling import Player, Server

GOLDEN = places.GOLDEN / "data-2026-11"
TABLES: list[dict[str, Any]] = json.loads((GOLDEN / "tables.json").read_text())
BY_NAME = {table["name"]: table for table in TABLES}
FILE = "pelagos.sqlite"
LEFT = "-left"
FINISHED_HERE = ("-owing", "-ahead", "-rematch", "-replaced", "-turtle", "-late", LEFT)


@cache
def said() -> dict[str, dict[str, Any]]:
    """What the old server said of each table."""
    lines = lzma.decompress((GOLDEN / "told.jsonl.xz").read_bytes()).decode().splitlines()
    return {testimony["table"]: testimony for testimony in map(json.loads, lines)}


def running(*endings: str) -> list[str]:
    """The names with these endings of tables at which a game was running."""
    named = [name for name in BY_NAME if name.endswith(endings)]
    return [name for name in named if about_of(name)["state"] == "playing"]


def about_of(name: str) -> dict[str, Any]:
    about: dict[str, Any] = said()[BY_NAME[name]["table"]]["messages"]["-1"]["table"]
    return about


def unpack(folder: Path) -> Path:
    (folder / FILE).write_bytes(lzma.decompress((GOLDEN / f"{FILE}.xz").read_bytes()))
    return folder


@pytest.fixture(name="logs", scope="module")
def _logs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Entry]]:
    """Every table's log, read by today's store."""

    async def read() -> dict[str, list[Entry]]:
        store = await Store.open(unpack(tmp_path_factory.mktemp("logs")))
        try:
            ids = await store.table_ids()
            lengths = await store.lengths(ids)
            logs = {table: await store.read(table) for table in ids}
            assert lengths == {table: len(entries) for table, entries in logs.items()}
            return logs
        finally:
            await store.close()

    return asyncio.run(read())


def opened(logs: dict[str, list[Entry]], name: str) -> tuple[Table, dict[str, Any]]:
    """A table from its log, and what the old server said of it."""
    table = BY_NAME[name]["table"]
    folded = fold(table, logs[table])
    assert not folded.broken
    return folded, said()[table]


def differences(old: Any, new: Any, where: str = "") -> Iterator[str]:
    """What was said then and isn't said in the same way now; more may be said."""
    if where.endswith((".marks", ".orders.known")):  # lists that may say more
        missing = [said for said in old if said not in new]
        if missing:
            yield f"{where} lacks {missing}"
    elif isinstance(old, dict) and isinstance(new, dict):
        for key, value in old.items():
            if key in new:
                yield from differences(value, new[key], f"{where}.{key}")
            else:
                yield f"{where}.{key} is gone"
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for place, (before, other) in enumerate(zip(old, new, strict=True)):
            yield from differences(before, other, f"{where}[{place}]")
    elif old != new or type(old) is not type(new):
        yield f"{where} was {str(old)[:200]}, is {str(new)[:200]}"


def same(old: Any, new: Any) -> None:
    unlike = list(differences(old, json.loads(json.dumps(new))))
    assert not unlike, "\n".join(unlike[:20])


def test_a_difference_is_found() -> None:
    old = {"a": [1, {"b": None}], "c": True}
    assert not list(differences(old, {"a": [1, {"b": None, "more": 2}], "c": True, "d": 0}))
    for new in (
        {"a": [1, {"b": None}]},
        {"a": [1, {}], "c": True},
        {"a": [1, {"b": None}, 2], "c": True},
        {"a": [1, {"b": 0}], "c": True},
        {"a": [1, {"b": None}], "c": 1},
    ):
        assert list(differences(old, new))
    assert not list(differences({"marks": ["down"]}, {"marks": ["down", "pending"]}))
    assert list(differences({"marks": ["down"]}, {"marks": ["pending"]}))


def test_the_folder_shows_all_that_a_host_may_have(logs: dict[str, list[Entry]]) -> None:
    assert set(logs) == {table["table"] for table in TABLES} == set(said())
    entries = [entry for log in logs.values() for entry in log]
    assert {entry["do"] for entry in entries} == {
        *("create", "sit", "bot", "leave", "issue", "start"),
        *("move", "undo", "ahead", "order", "presence", "again"),
    }
    assert any(entry.get("late") for entry in entries)
    messages = [testimony["messages"] for testimony in said().values()]
    abouts = [about_of(name) for name in BY_NAME]
    for game in ("ecosystem", "minnows", "oceanide", "oceanos", "ozeanien"):
        own = [about for about in abouts if about["game"] == game]
        assert {about["state"] for about in own} == {"gathering", "playing", "over"}
        assert {about["pace"] for about in own} == {"free", "quick", "slow"}
        bots = {seat["bot"] for about in own for seat in about["seats"]}
        assert bots >= {"starfish", "hermit", "turtle", "dolphin", "orca"}
        assert any(about["pack"]["name"] == "ours" for about in own)
    assert any(about["deal"].startswith("pelagos daily") for about in abouts if "deal" in about)
    assert any(
        message[seat]["own"]["ahead"] for message in messages for seat in message if seat != "-1"
    )


@pytest.mark.parametrize("name", BY_NAME)
def test_a_table_is_as_it_was_left(logs: dict[str, list[Entry]], name: str) -> None:
    """State, seats, options, decisions and who is waited for; each viewer's view, in full."""
    table, old = opened(logs, name)
    messages = Messages()
    for viewer, message in old["messages"].items():
        new = messages.of(table, int(viewer))
        assert new.number == message["number"]
        same(uncovered(message), uncovered(json.loads(new.json)))


def uncovered(message: dict[str, Any]) -> dict[str, Any]:
    """A message without what closed collections keep from a viewer: then the page alone hid it,
    now every reader does.
    """
    view = message["view"]
    if view is None or view["over"] or not message["table"].get("closed"):
        return message
    viewer = view["viewer"]
    others = [f"collection{seat}" for seat in range(view["players"]) if seat != viewer]
    pieces = [piece for piece in view["pieces"] if piece["place"] not in others]
    facts = {name: fact for name, fact in view["facts"].items() if name != "unseen"}
    sheets = [sheet for sheet in view["sheets"] if sheet["seat"] == viewer]
    return {**message, "view": {**view, "pieces": pieces, "facts": facts, "sheets": sheets}}


@pytest.mark.parametrize("name", BY_NAME)
def test_its_games_are_recorded_as_they_were(logs: dict[str, list[Entry]], name: str) -> None:
    table, old = opened(logs, name)
    assert len(table.finished) == len(old["records"])
    for game, whole in enumerate(old["records"]):
        same(whole, record(table, -1, game))
        assert list(records.replay(whole).scores) == whole["result"]["scores"]
        fairness.check(whole)
    for seat, seen in old.get("seen_records", {}).items():
        same(seen, record(table, int(seat)))
    for seat, events in old.get("events", {}).items():
        assert table.match is not None
        same(events, table.match.events(int(seat)))


def test_finished_games_are_exported_and_verify(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    exported = export(unpack(data), tmp_path / "records")
    assert exported.tables == len(TABLES)
    assert exported.records == sum(len(testimony["records"]) for testimony in said().values())
    for testimony in said().values():
        for number, old in enumerate(testimony["records"]):
            file = next(
                (tmp_path / "records").glob(f"*-{testimony['table']}-{number}.pelagos.json")
            )
            assert verify(file)["scores"] == old["result"]["scores"]


# --- with a real server -----------------------------------------------------------------------


@pytest.fixture(name="server", scope="module")
def _server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(unpack(tmp_path_factory.mktemp("data"))) as server:
        yield server


def people(server: Server, name: str) -> list[Player]:
    """Those who sit at a table, with the tokens that they were given then."""
    table = BY_NAME[name]
    seats = about_of(name)["seats"]
    return [
        Player([server.url], table["table"], int(role), token)
        for role, token in table["tokens"].items()
        if role.isdigit() and seats[int(role)]["kind"] != "bot"
    ]


def stands_still(about: dict[str, Any]) -> bool:
    """Is there neither a clock nor a bot that moves as soon as the server is there?"""
    owing = [about["seats"][seat]["kind"] for seat in about["waiting"]]
    return "until" not in about and "bot" not in owing


@pytest.mark.parametrize("name", BY_NAME)
def test_people_come_back_and_make_a_move(server: Server, name: str) -> None:
    old = said()[BY_NAME[name]["table"]]["messages"]
    still = stands_still(about_of(name))
    chance = random.Random(name)
    for player in people(server, name):
        if still:
            before, now = uncovered(old[str(player.seat)]), uncovered(player.view())
            same({**before, "number": 0}, {**now, "number": 0})
    for player in people(server, name):
        message = player.view()
        if message["table"]["state"] == "playing" and message["own"]["owes"]:
            decision = message["own"]["decision"]
            chosen = chance.choice(message["view"]["choices"])
            got = player.act([chosen["action"]], decision)
            if still:
                assert got.status_code == 200, got.text
                assert got.json()["own"]["decision"] > decision
            else:  # the table may have decided for us in the meantime
                assert got.status_code in (200, 409), got.text


@pytest.mark.parametrize("name", running(*FINISHED_HERE))
def test_games_go_on_to_their_end(server: Server, name: str) -> None:
    chance = random.Random(name)
    players = people(server, name)
    if name.endswith(LEFT):  # somebody takes the seat that was left
        table = BY_NAME[name]["table"]
        empty = next(
            seat
            for seat, chair in enumerate(players[0].view()["table"]["seats"])
            if not chair["taken"]
        )
        body = {"name": "Zoé", "client": "a-new-client-id-1"}
        got = players[0].ask("POST", f"/api/v1/tables/{table}/seats/{empty}", body)
        players.append(Player([server.url], table, empty, got.json()["token"]))
    games = players[0].view()["table"]["games"]
    over = False
    while not over:
        for player in players:
            over = player.step(chance)
        time.sleep(0.01)
    about = players[0].view()["table"]
    assert about["games"] == games + 1
    got = players[0].ask("GET", f"/api/v1/tables/{about['id']}/record?game={games}")
    whole = got.json()
    assert list(records.replay(whole).scores) == whole["result"]["scores"]
    fairness.check(whole)

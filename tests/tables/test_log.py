"""A table from its log: the same after a restart, read only where its rules are gone."""

from __future__ import annotations

import asyncio
import json
import random
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from pelagos.engine.errors import PelagosError
from pelagos.engine.match import Match
from pelagos.engine.position import Position
from pelagos.tables import acts, fairness
from pelagos.tables.errors import OtherRules
from pelagos.tables.keeping import Append
from pelagos.tables.message import Messages
from pelagos.tables.message import view as view_of
from pelagos.tables.service import Tables
from pelagos.tables.settings import Settings
from pelagos.tables.store import Store
from pelagos.tables.table import SPECTATOR, fold
from tables.setting import _begun
from tabling import ROOT, Server, client_id


def test_a_table_is_the_same_from_its_log() -> None:
    table, log = _begun("minnows", 3), []
    choices = random.Random(4)
    match = table.match
    assert match is not None
    while not match.over:
        seat = choices.choice(match.pending)
        made = acts.move(table, seat, None, [choices.choice(match.moves(seat))], client_id())
        log += made
        if choices.random() < 0.2 and match.pending and table.units[seat]:
            try:
                made = acts.take_back(table, seat, None, client_id())
            except PelagosError:
                continue
            log += made
    again = _begun("minnows", 3)
    again.secret = table.secret
    assert again.match is not None
    again.match = Match.new(
        "minnows", players=3, seed=fairness.seed(table.secret, ["", "", ""]), names=["A"] * 3
    )
    for entry in log:
        again.apply(json.loads(json.dumps(entry)))
    for viewer in range(-1, 3):
        assert Messages().of(again, viewer).json == Messages().of(table, viewer).json


def test_a_move_is_written_with_its_words_and_its_number() -> None:
    table = _begun("minnows", 2)
    match = table.match
    assert match is not None
    seat = match.pending[0]
    number, words = match.legal(seat)[-1], match.moves(seat)[-1]
    [entry] = acts.move(table, seat, None, [number], client_id())
    assert (entry["actions"], entry["numbers"]) == ([words], [number])


def test_a_log_is_followed_by_its_words_with_or_without_numbers() -> None:
    tables = [_begun("minnows", 2) for _ in range(2)]
    for table in tables:
        table.match = Match.new("minnows", players=2, seed=b"the same", names=["A"] * 2)
    match = tables[0].match
    assert match is not None
    seat = match.pending[0]
    entry: dict[str, Any] = {"do": "move", "seat": seat, "actions": match.moves(seat)[:1]}
    wrong = (match.legal(seat)[0] + 1) % match.game.actions
    tables[0].follow(entry)
    tables[1].follow({**entry, "numbers": [wrong]})
    assert tables[1].match is not None
    assert match.history[-1].seat == seat
    assert tables[1].match.history == match.history


@pytest.mark.parametrize("kind", ["minnows", "ecosystem"])
def test_a_move_is_played_once(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the request to every viewer's message, the rules make each move a single time."""
    made: list[tuple[int, int]] = []
    attempt = Position.attempt

    def counted(position: Position, seat: int, action: int) -> int:
        made.append((seat, action))
        return attempt(position, seat, action)

    async def scenario() -> None:
        store = await Store.open(tmp_path)
        tables = Tables(store, await store.key(), Settings())
        live = await tables.create(acts.create(kind, {"players": 2}, None))
        for seat in range(2):
            asks = partial(acts.sit, seat=seat, name="A", digits="", client="c" * 16, invited=False)
            await tables.do(live.table.id, asks)
        for viewer in (SPECTATOR, 0, 1):
            live.message(viewer)
        monkeypatch.setattr(Position, "attempt", counted)
        monkeypatch.setattr(Position, "play", _never)
        for step in range(12):
            match = live.table.match
            assert match is not None
            seat, history = match.pending[0], len(match.history)
            action = match.legal(seat)[0]
            made.clear()
            asks = partial(
                acts.move, seat=seat, decision=None, actions=[action], client=f"client-{step}"
            )
            await tables.do(live.table.id, asks)
            for viewer in (SPECTATOR, 0, 1):
                live.message(viewer)
            now = live.table.match
            assert now is not None
            new = [(done.seat, done.action) for done in now.history[history:] if done.seat >= 0]
            assert made == new
        await store.close()

    asyncio.run(scenario())


def _never(*_: Any) -> int:
    raise AssertionError


def test_a_table_of_other_rules_opens_read_only() -> None:
    entries = acts.create("minnows", {"players": 2}, None)
    entries[0]["rules"] = "0"
    table = fold("T" * 22, entries)
    with pytest.raises(OtherRules, match="version 0"):
        acts.sit(table, 0, "A", "", client_id(), False)


def test_a_broken_table_tells_why(tmp_path: Path) -> None:
    table = "G" * 22

    async def write() -> None:
        store = await Store.open(tmp_path)
        entries = acts.create("minnows", {"players": 2}, None)
        entries[0]["game"] = "gone"
        await store.append(Append(table, 0, entries, "minnows", "gathering", False))
        await store.close()

    asyncio.run(write())
    with Server(tmp_path) as server:
        got = httpx.get(f"{server.url}{ROOT}/tables/{table}/view")
        assert got.status_code == 410
        assert "no game 'gone'" in got.json()["error"]["sentence"]
        body = {"name": "Ada", "client": client_id()}
        got = httpx.post(f"{server.url}{ROOT}/tables/{table}/seats/0", json=body)
        assert got.status_code == 410


def test_an_older_log_names_its_table_option_itself() -> None:
    [entry] = acts.create("oceanide", {"players": 2}, None)
    del entry["table_options"]
    assert fold("T" * 22, [{**entry, "closed": True}]).table_options == {"closed": True}
    assert fold("T" * 22, [{**entry, "closed": False}]).table_options == {}


def test_a_table_that_was_laid_with_open_collections_and_no_opening_keeps_that() -> None:
    """Before, collections were open unless the log said so, and no log told who begins."""
    new = acts.create("oceanide", {"players": 2}, [{"kind": "bot", "bot": "winkle"}] * 2)
    table = fold("T" * 22, new)
    [start] = acts.start(table)
    old_create, old_start = dict(new[0]), dict(start)
    del old_create["table_options"], old_start["opening"]
    for entries, closed in (([new[0], start], True), ([old_create, old_start], False)):
        table = fold("T" * 22, entries)
        view = view_of(table, -1)
        assert view is not None
        assert ("out_of_sight" in view["facts"]) == closed
        assert ("unseen" in view["facts"]) != closed
        assert len(view["events"]) == closed
        assert bool(view["sheets"][0].get("covered")) == closed

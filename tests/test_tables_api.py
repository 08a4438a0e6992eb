"""A table through its API: sitting down, playing, taking back, playing on, and what is refused."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import subprocess
import sys
import zlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from pelagos.cli import app
from pelagos.engine.errors import PelagosError
from pelagos.engine.game import games
from pelagos.engine.match import Match
from pelagos.engine.position import Position
from pelagos.tables import acts, fairness, tokens
from pelagos.tables.database import FILE, url_of
from pelagos.tables.errors import Refused, TooMuch
from pelagos.tables.limits import Limit
from pelagos.tables.message import Messages
from pelagos.tables.serve import backup, export
from pelagos.tables.service import Tables
from pelagos.tables.settings import Settings
from pelagos.tables.store import Store
from pelagos.tables.table import SPECTATOR, Table, fold
from pelagos.tables.writer import Append
from postgres import Postgres, postgres
from tabling import ROOT, Player, Server, all_play, client_id, gather, lay, listen, sit

__all__ = ["postgres"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("tables")) as running:
        yield running


def owing(people: list[Player]) -> list[Player]:
    return [person for person in people if person.view()["own"]["owes"]]


def first_choice(person: Player) -> tuple[str, int]:
    message = person.view()
    return message["view"]["choices"][0]["notation"], message["own"]["decision"]


# --- gathering --------------------------------------------------------------------------------


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


def test_sitting_down_twice_by_the_same_client_is_sitting_down_once(server: Server) -> None:
    table = lay(server.url, "minnows", 2)["table"]["id"]
    body = {"name": "Ada", "client": client_id()}
    path = f"{server.url}{ROOT}/tables/{table}/seats/0"
    first, again = httpx.post(path, json=body), httpx.post(path, json=body)
    assert first.json()["token"] == again.json()["token"]
    other = httpx.post(path, json={**body, "client": client_id()})
    assert other.status_code == 409


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


def test_a_seat_issued_anew_leaves_the_old_secret_worthless(server: Server) -> None:
    laid = lay(server.url, "minnows", 2)
    people = [sit([server.url], laid["table"]["id"], seat) for seat in range(2)]
    host = {"Authorization": f"Bearer {laid['token']}"}
    heard = listen(people[0])
    next(heard)
    issued = httpx.post(f"{server.url}{people[0].path}/issue", headers=host)
    assert people[0].ask("GET", f"{people[0].path}/view").status_code == 403
    people[1].step(random.Random(0))
    assert "gone" in [kind for kind, _ in heard]
    people[0].head = {"Authorization": f"Bearer {issued.json()['token']}"}
    assert people[0].view()["own"]["seat"] == 0


def test_only_the_host_issues_seats(server: Server) -> None:
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


# --- playing ----------------------------------------------------------------------------------


def test_a_move_asked_twice_is_made_once(server: Server) -> None:
    people = gather(server.url, "minnows", 2)
    mover = owing(people)[0]
    words, decision = first_choice(mover)
    body = {"actions": [words], "decision": decision, "client": client_id()}
    first = mover.ask("POST", f"{mover.path}/actions", body)
    again = mover.ask("POST", f"{mover.path}/actions", body)
    assert first.status_code == again.status_code == 200
    assert again.json()["own"]["decision"] == decision + 1


def test_a_stale_answer_gets_the_view_and_a_sentence(server: Server) -> None:
    people = gather(server.url, "minnows", 2)
    mover = owing(people)[0]
    words, decision = first_choice(mover)
    mover.act([words], decision)
    stale = mover.act([words], decision)
    assert stale.status_code == 409
    assert stale.json()["error"]["code"] == "stale"
    assert stale.json()["message"]["own"]["decision"] == decision + 1


def test_several_actions_are_made_all_or_none(server: Server) -> None:
    people = gather(server.url, "minnows", 2)
    mover = owing(people)[0]
    words, decision = first_choice(mover)
    refused = mover.act([words, "fly to the moon"], decision)
    assert refused.status_code == 409
    assert refused.json()["error"]["code"] == "illegal"
    assert mover.view()["own"]["decision"] == decision


def test_a_hidden_choice_can_be_taken_back_until_the_reveal(server: Server) -> None:
    people = gather(server.url, "minnows", 3)
    mover = owing(people)[0]
    words, decision = first_choice(mover)
    mover.act([words], decision)
    assert mover.seat not in mover.view()["table"]["waiting"]
    got = mover.ask("POST", f"{mover.path}/take-back", {"client": client_id()})
    assert got.status_code == 200
    assert mover.seat in got.json()["table"]["waiting"]
    for person in people:
        person.act(*_listed(first_choice(person)))
    late = mover.ask("POST", f"{mover.path}/take-back", {"client": client_id()})
    assert late.status_code == 409


def _listed(choice: tuple[str, int]) -> tuple[list[str], int]:
    return [choice[0]], choice[1]


def test_who_has_chosen_is_told_and_what_is_not(server: Server) -> None:
    people = gather(server.url, "minnows", 3)
    before = people[1].view()
    words, decision = first_choice(people[0])
    people[0].act([words], decision)
    after = people[1].view()
    assert after["view"] == before["view"]
    assert set(before["table"]["waiting"]) - set(after["table"]["waiting"]) == {0}
    assert after["number"] == before["number"] + 1


def test_a_choice_sent_ahead_is_played_when_it_is_due(server: Server) -> None:
    people = gather(server.url, "ecosystem", 2)
    card, decision = first_choice(people[0])
    assert people[0].act([card], decision).status_code == 200
    body = {"actions": ["place 0,0"], "client": client_id()}
    got = people[0].ask("POST", f"{people[0].path}/ahead", body)
    assert got.json()["own"]["ahead"] == ["place 0,0"]
    assert people[1].view()["own"]["ahead"] == []
    people[1].act(*_listed(first_choice(people[1])))
    own = people[0].view()
    assert own["own"]["ahead"] == []
    assert own["own"]["decision"] == 2


def test_a_card_is_taken_and_its_place_sent_ahead_in_one_move(server: Server) -> None:
    people = gather(server.url, "ecosystem", 2)
    card, decision = first_choice(people[0])
    got = people[0].act([card, "place 0,0"], decision)
    assert got.status_code == 200
    own = got.json()["own"]
    assert (own["ahead"], own["decision"], own["owes"]) == (["place 0,0"], 1, False)
    assert "place 0,0" not in str(people[1].view())
    people[1].act(*_listed(first_choice(people[1])))
    own = people[0].view()["own"]
    assert (own["ahead"], own["decision"]) == ([], 2)


def test_whoever_chooses_last_may_send_its_place_along(server: Server) -> None:
    people = gather(server.url, "ecosystem", 2)
    people[1].act(*_listed(first_choice(people[1])))
    card, decision = first_choice(people[0])
    assert people[0].act([card, "place 0,0"], decision).json()["own"]["decision"] == 2


def test_what_is_sent_ahead_can_be_changed_and_goes_with_an_undo() -> None:
    table = _begun("ecosystem", 3)
    match = table.match
    assert match is not None
    while len(match.history) < 8 or not match.moves(0)[0].startswith("take"):
        for seat in range(3):
            _do(table, acts.move, seat, None, [match.moves(seat)[0]], client_id())
    cells = match.copy()
    for seat in range(3):
        cells.play(seat, cells.legal(seat)[0])
    first, second = cells.legal(0)[:2]
    _do(table, acts.move, 0, None, [match.legal(0)[0], first], client_id())
    assert table.ahead[0] == (cells.position.write(0, first),)
    views = list(table.views)
    _do(table, acts.move, 0, table.decisions[0], [second], client_id())
    assert table.ahead[0] == (cells.position.write(0, second),)
    assert [after - before for before, after in zip(views, table.views, strict=True)] == [
        1,
        0,
        0,
        0,
    ]
    _do(table, acts.undo, 0, None, client_id())
    assert table.ahead[0] == ()
    assert 0 in match.pending


def test_what_may_not_be_legal_when_it_is_due_is_not_sent_ahead(server: Server) -> None:
    people = gather(server.url, "ecosystem", 2)
    card, decision = first_choice(people[0])
    for later in ("place 3,3", "nonsense", 200):
        refused = people[0].act([card, later], decision)
        assert refused.status_code == 409
        assert "sent ahead" in refused.json()["error"]["sentence"]
    body = {"actions": ["nonsense"], "client": client_id()}
    assert people[0].ask("POST", f"{people[0].path}/ahead", body).status_code == 409
    own = people[0].view()["own"]
    assert (own["ahead"], own["decision"]) == ([], 0)


@pytest.mark.parametrize("kind", ["minnows", "oceanos", "ecosystem"])
def test_a_refusal_tells_nothing_of_what_would_come_to_light(kind: str) -> None:
    """Whoever chooses last and adds a wrong action must not be told the next hand."""
    table = _begun(kind, 3)
    match = table.match
    assert match is not None
    for seat in match.pending[:-1]:
        while seat in match.pending:
            _do(table, acts.move, seat, None, [match.moves(seat)[0]], client_id())
    [last] = match.pending
    told = set()
    for world in range(7):
        other = table.copy()
        assert other.match is not None
        if world:
            other.match.position = match.redeal(last, f"{world}".encode())
        with pytest.raises(PelagosError) as refused:
            acts.move(other, last, None, [match.moves(last)[0], "nonsense"], client_id())
        told.add(str(refused.value))
    assert len(told) == 1


def _do(table: Table, act: Any, *asked: Any) -> None:
    act(table, *asked)
    acts.settle(table)


def test_a_rematch_starts_when_all_have_said_so(server: Server) -> None:
    people = gather(server.url, "minnows", 2)
    all_play(people)
    before = people[0].view()["table"]
    for person in people:
        got = person.ask("POST", f"{person.path}/rematch", {"client": client_id(), "bytes": ""})
        assert got.status_code == 200
    after = people[0].view()["table"]
    assert after["state"] == "playing"
    assert after["commitment"] == before["next_commitment"]
    assert after["games"] == 1
    old = httpx.get(f"{server.url}{ROOT}/tables/{people[0].table}/record?game=0")
    assert Match.replay(old.text).over


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


def test_bots_alone_play_to_the_end_while_somebody_watches(server: Server) -> None:
    laid = lay(server.url, "minnows", 0, ["starfish", "puffin", "winkle"])
    table, host = laid["table"]["id"], {"Authorization": f"Bearer {laid['token']}"}
    assert [(seat["bot"], seat["name"]) for seat in laid["table"]["seats"]] == [
        ("starfish", "Winkle"),  # as it was once called, and is still answered to
        ("puffin", "Puffin"),
        ("winkle", "Winkle 2"),
    ]
    httpx.post(f"{server.url}{ROOT}/tables/{table}/start", headers=host)
    path = f"{server.url}{ROOT}/tables/{table}/stream"
    number = 0
    with httpx.stream("GET", path, headers={"Accept-Encoding": "identity"}, timeout=60) as got:
        for line in got.iter_lines():
            if line.startswith("data: {") and '"view":' in line:
                message = json.loads(line[6:])
                assert message["number"] > number
                number = message["number"]
                if message["view"]["over"]:
                    break
    assert number > 5


def test_a_stream_can_be_squeezed(server: Server) -> None:
    people = gather(server.url, "minnows", 2)
    head = {**people[0].head, "Accept-Encoding": "gzip"}
    with httpx.stream("GET", server.url + people[0].path + "/stream", headers=head) as got:
        assert got.headers["content-encoding"] == "gzip"
        squeezed = b""
        for chunk in got.iter_raw():
            squeezed += chunk
            plain = zlib.decompressobj(31).decompress(squeezed)
            if b"event: view" in plain and plain.endswith(b"\n\n"):
                break
    assert plain.startswith(b"retry: ")


def test_a_quiet_stream_beats(tmp_path: Path) -> None:
    with Server(tmp_path, BEAT="0.2") as quick:
        people = gather(quick.url, "minnows", 2)
        heard = listen(people[0])
        assert [next(heard)[0] for _ in range(3)] == ["view", "beat", "beat"]


def test_forced_moves_are_made_where_everyone_knows(server: Server) -> None:
    """The last card of a round is laid for the player."""
    people = gather(server.url, "ecosystem", 2)
    all_play(people)
    assert people[0].view()["own"]["decision"] > len(people[0].acknowledged)


def test_a_played_out_move_can_be_undone_where_nothing_came_to_light() -> None:
    table = _begun("ozeanien", 2)
    match = table.match
    assert match is not None
    seat = match.pending[0]
    words = match.moves(seat)[0]
    decision = table.decisions[seat]
    acts.move(table, seat, decision, [words], client_id())
    before = table.views[1 - seat]
    acts.undo(table, seat, None, client_id())
    assert match.moves(seat)[0] == words
    assert table.decisions[seat] == decision + 2
    assert table.views[1 - seat] == before + 1
    assert [mover for mover, _ in match.record()["moves"]] == []


@pytest.mark.parametrize("kind", ["ecosystem", "oceanide", "oceanos", "ozeanien", "minnows"])
def test_an_undo_is_offered_where_it_is_accepted(kind: str) -> None:
    table, choices, offered = _begun(kind, 2), random.Random(kind), 0
    match = table.match
    assert match is not None
    for _ in range(60):
        if match.over:
            break
        seat = choices.choice(match.pending)
        _do(table, acts.move, seat, None, [choices.choice(match.legal(seat))], client_id())
        for asker in range(2):
            try:
                acts.undo(table.copy(), asker, None, client_id())
                accepted = True
            except PelagosError:
                accepted = False
            assert Messages().of(table, asker).data["own"]["undo"] == accepted
            offered += accepted
    assert offered > 3


def _begun(game: str, players: int) -> Table:
    table = Table("T" * 22)
    entries = acts.create(game, {"players": players}, None)
    for seat in range(players):
        sits = {"do": "sit", "seat": seat, "name": "A", "bytes": "", "holder": "x"}
        entries.append(sits)
    entries.append({"do": "start", "bytes": [""] * players, "next": "0" * 64})
    for entry in entries:
        table.apply(entry)
    return table


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
    told = tables[0].match
    assert told is not None
    seat = told.pending[0]
    entry: dict[str, Any] = {"do": "move", "seat": seat, "actions": told.moves(seat)[:1]}
    wrong = (told.legal(seat)[0] + 1) % told.game.actions
    tables[0].follow(entry)
    tables[1].follow({**entry, "numbers": [wrong]})
    assert tables[1].match is not None
    assert told.history[-1].seat == seat
    assert tables[1].match.history == told.history


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
    assert "version 0" in str(table.broken)
    with pytest.raises(Refused):
        acts.sit(table, 0, "A", "", client_id(), False)


def test_a_broken_table_tells_why(tmp_path: Path) -> None:
    async def write() -> None:
        store = await Store.open(tmp_path)
        for table, change in (("R" * 22, {"rules": "0"}), ("G" * 22, {"game": "gone"})):
            entries = acts.create("minnows", {"players": 2}, None)
            entries[0].update(change)
            await store.append(Append(table, 0, entries, "minnows", "gathering", False))
        await store.close()

    asyncio.run(write())
    with Server(tmp_path) as told:
        for table, words in (("R" * 22, "version 0"), ("G" * 22, "no game 'gone'")):
            got = httpx.get(f"{told.url}{ROOT}/tables/{table}/view")
            assert got.status_code == 410
            assert words in got.json()["error"]["sentence"]
            body = {"name": "Ada", "client": client_id()}
            got = httpx.post(f"{told.url}{ROOT}/tables/{table}/seats/0", json=body)
            assert got.status_code == 410


def test_a_game_declares_how_its_tables_may_be_laid(server: Server) -> None:
    listed = httpx.get(f"{server.url}{ROOT}/games").json()["games"]
    options = {game["id"]: [one["name"] for one in game["table_options"]] for game in listed}
    assert (options["minnows"], options["ecosystem"]) == (["murky"], [])
    for game, given, laid in (
        ("minnows", {"table_options": {"murky": True}}, {"murky": True}),
        ("minnows", {}, {"murky": False}),
        ("minnows", {"closed": True}, {"murky": False}),
        ("oceanide", {"closed": True}, {"closed": True}),
        ("oceanide", {"table_options": {"closed": True}}, {"closed": True}),
    ):
        body = {"game": game, "options": {"players": 2}, **given}
        table = httpx.post(f"{server.url}{ROOT}/tables", json=body).json()["table"]
        assert table["table_options"] == laid
        assert table.get("closed", False) == laid.get("closed", False)
    for wrong in ({"closed": True}, {"murky": 1}):
        body = {"game": "minnows", "options": {"players": 2}, "table_options": wrong}
        assert httpx.post(f"{server.url}{ROOT}/tables", json=body).status_code == 422


def test_an_older_log_names_its_table_option_itself() -> None:
    [entry] = acts.create("oceanide", {"players": 2}, None)
    del entry["table_options"]
    assert fold("T" * 22, [{**entry, "closed": True}]).table_options == {"closed": True}
    assert fold("T" * 22, [{**entry, "closed": False}]).table_options == {}


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


# --- what is refused --------------------------------------------------------------------------


def test_another_sites_page_can_do_nothing(server: Server) -> None:
    body = {"game": "minnows", "options": {"players": 2}}
    path = f"{server.url}{ROOT}/tables"
    for head in (
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
    ):
        assert httpx.post(path, json=body, headers=head).status_code == 403
    assert httpx.post(path, json=body, headers={"Origin": server.url}).status_code == 201


BAD_BODIES: list[Any] = [
    None,
    [],
    "x",
    {"actions": []},
    {"actions": ["x"] * 17, "client": "c" * 10},
    {"actions": ["x" * 121], "client": "c" * 10},
    {"actions": ["\ud800"], "client": "c" * 10},
    {"actions": ["\x00"], "client": "c" * 10},
    {"actions": [True], "client": "c" * 10},
    {"actions": [10**30], "client": "c" * 10},
    {"actions": [-1], "client": "c" * 10},
    {"actions": [1.5], "client": "c" * 10},
    {"actions": ["pass"], "client": "short"},
    {"actions": ["pass"], "client": "has spaces in it"},
    {"actions": ["pass"], "client": "c" * 10, "decision": -1},
    {"actions": ["pass"], "client": "c" * 10, "more": 1},
]


@pytest.mark.parametrize("body", BAD_BODIES, ids=range(len(BAD_BODIES)))
def test_a_malformed_move_gets_a_sentence(server: Server, body: Any) -> None:
    people = gather(server.url, "minnows", 2)
    before = people[0].view()
    data = json.dumps(body).encode()
    for kind in ("application/json", "text/plain"):
        head = {**people[0].head, "Content-Type": kind}
        got = httpx.post(f"{server.url}{people[0].path}/actions", content=data, headers=head)
        assert got.status_code in (409, 422)
        assert got.json()["error"]["sentence"]
    assert people[0].view() == before


def test_deep_huge_and_broken_bodies_are_refused(server: Server) -> None:
    people = gather(server.url, "minnows", 2)
    path = f"{server.url}{people[0].path}/actions"
    head = {**people[0].head, "Content-Type": "application/json"}
    deep = b'{"actions":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    assert httpx.post(path, content=deep, headers=head).status_code in (400, 422)
    assert httpx.post(path, content=b"x" * 400_000, headers=head).status_code == 413
    assert httpx.post(path, content=b"\xff{", headers=head).status_code in (400, 422)

    def endless() -> Iterator[bytes]:
        for _ in range(100):
            yield b" " * 10_000

    with contextlib.suppress(httpx.TransportError):  # the server needn't listen to the end
        assert httpx.post(path, content=endless(), headers=head).status_code in (400, 413)
    assert people[0].view()["own"]["decision"] == 0


@pytest.mark.parametrize("table", ["x", "..", "T" * 22, "%00" * 22, "a" * 300, "é" * 22])
def test_there_is_no_such_table(server: Server, table: str) -> None:
    assert httpx.get(f"{server.url}{ROOT}/tables/{table}/view").status_code in (404, 422)


@pytest.mark.parametrize("name", ["", " ", "x" * 41, "a\u202eb", "a\x00b", "\ud800"])
def test_a_name_is_bounded_and_printable(server: Server, name: str) -> None:
    table = lay(server.url, "minnows", 2)["table"]["id"]
    body = json.dumps({"name": name, "client": client_id()}).encode()
    path = f"{server.url}{ROOT}/tables/{table}/seats/0"
    got = httpx.post(path, content=body, headers={"Content-Type": "application/json"})
    assert got.status_code == 422


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


def test_requests_made_up_from_the_openapi_never_break_the_server(server: Server) -> None:
    """Schemathesis, in a process of its own, with the limits lifted."""
    people = gather(server.url, "minnows", 2)
    words = ["run", f"{server.url}{ROOT}/openapi.json", "--checks", "not_a_server_error"]
    words += ["--max-examples", "15", "--phases", "examples,coverage,fuzzing", "--seed", "1"]
    words += ["--exclude-path-regex", "stream|metrics", "--generation-database", "none"]
    words += ["-H", f"Authorization: {people[0].head['Authorization']}"]
    done = subprocess.run(
        [str(Path(sys.executable).parent / "schemathesis"), *words],
        capture_output=True,
        text=True,
        check=False,
        cwd="/tmp",
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    assert people[0].view()["own"]["decision"] == 0


def test_a_limit_lets_bursts_through_and_no_more() -> None:
    now = [0.0]
    limit = Limit(2.0, 4.0, lambda: now[0])
    for _ in range(4):
        limit.spend("club")
    with pytest.raises(TooMuch):
        limit.spend("club")
    limit.spend("elsewhere")
    now[0] = 0.5
    limit.spend("club")
    with pytest.raises(TooMuch):
        limit.spend("club")


def test_limits_are_on_unless_lifted(tmp_path: Path) -> None:
    settings = {"LIMITS": "on", "MOVES_A_SECOND": "1", "TABLES_A_MINUTE": "2"}
    with Server(tmp_path, **settings) as strict:
        people = gather(strict.url, "minnows", 2)
        codes = [people[0].act(["nonsense"], 0).status_code for _ in range(8)]
        assert 429 in codes
        laid = [
            httpx.post(f"{strict.url}{ROOT}/tables", json={"game": "minnows"}) for _ in range(3)
        ]
        assert laid[-1].status_code == 429
        assert laid[-1].headers["retry-after"] == "1"


def test_logs_hold_no_secrets(tmp_path: Path) -> None:
    with Server(tmp_path) as told:
        people = gather(told.url, "minnows", 2)
        all_play(people)
        text = told.log.read_text()
        for person in people:
            assert person.head["Authorization"].removeprefix("Bearer ") not in text
            assert person.table not in text
        assert people[0].view()["table"]["secret"] not in text


def test_a_token_is_of_one_table_role_and_issue() -> None:
    key = b"k" * 32
    token = tokens.sign(key, "table", "1", 2)
    assert tokens.is_signed(key, token, "table", "1", 2)
    for table, role, issue in (("other", "1", 2), ("table", "0", 2), ("table", "1", 3)):
        assert not tokens.is_signed(key, token, table, role, issue)
    assert not tokens.is_signed(b"x" * 32, token, "table", "1", 2)
    assert not tokens.is_signed(key, "é" * 10, "table", "1", 2)


# --- house ------------------------------------------------------------------------------------


def test_the_house_tells_games_bots_health_and_numbers(server: Server) -> None:
    people = gather(server.url, "minnows", 2)
    heard = listen(people[1])
    next(heard)
    people[0].step(random.Random(0))
    next(heard)
    told = httpx.get(f"{server.url}/metrics").text
    assert "pelagos_move_to_stream_seconds_bucket" in told
    assert "pelagos_streams" in told
    assert httpx.get(f"{server.url}/health").json() == {"ok": True}
    ids = [game["id"] for game in httpx.get(f"{server.url}{ROOT}/games").json()["games"]]
    assert ids == list(games())
    assert len(httpx.get(f"{server.url}{ROOT}/bots").json()["bots"]) >= 3


def test_listed_tables_are_listed_and_others_not(server: Server) -> None:
    shown = httpx.post(f"{server.url}{ROOT}/tables", json={"game": "minnows", "listed": True})
    hidden = lay(server.url, "minnows", 2)["table"]["id"]
    found = httpx.get(f"{server.url}{ROOT}/tables?game=minnows&limit=100").json()["tables"]
    ids = [table["id"] for table in found]
    assert shown.json()["table"]["id"] in ids
    assert hidden not in ids


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    if request.param == "sqlite":
        return tmp_path / "data"
    cluster: Postgres = request.getfixturevalue("postgres")
    return cluster.database()


def test_backup_export_and_verify(where: Path | str, tmp_path: Path) -> None:
    with Server(where) as running:
        people = gather(running.url, "minnows", 2)
        all_play(people)
        gather(running.url, "minnows", 2)
        (tmp_path / "copy").mkdir()
        assert backup(where, tmp_path / "copy" / FILE) > 10
    assert export(where, tmp_path / "records") == (1, 2)
    assert export(tmp_path / "copy", tmp_path / "again") == (1, 2)
    [file] = (tmp_path / "records").iterdir()
    assert file.read_bytes() == (tmp_path / "again" / file.name).read_bytes()
    done = CliRunner().invoke(app, ["verify", str(file), "--json"])
    assert json.loads(done.stdout)["ok"] is True
    script = Path(__file__).parent.parent / "docs" / "verify_game.py"
    checked = subprocess.run([sys.executable, str(script), str(file)], check=True, text=True)
    assert checked.returncode == 0
    record = json.loads(file.read_text())
    for place, wrong in (("secret", "0" * 64), ("commitment", "0" * 64), ("bytes", ["", ""])):
        bad = {**record, "fairness": {**record["fairness"], place: wrong}}
        with pytest.raises(PelagosError):
            fairness.check(bad)
        file.write_text(json.dumps(bad))
        failed = subprocess.run([sys.executable, str(script), str(file)], capture_output=True)
        assert failed.returncode != 0
    # A server goes on from the copy: the same key signs the same seats.
    with Server(tmp_path / "copy") as other:
        people[0].urls = [other.url]
        assert people[0].view()["view"]["over"]


def test_a_lost_race_is_told_and_the_others_are_kept(tmp_path: Path) -> None:
    async def run() -> list[Any]:
        store = await Store.open(tmp_path)
        first = Append("a", 0, [{"do": "x"}], "g", "s", False)
        await store.append(first)
        together = [
            Append("a", 0, [{"do": "y"}], "g", "s", False),
            Append("b", 0, [{"do": "z"}], "g", "s", False),
        ]
        found = await asyncio.gather(
            *(store.append(one) for one in together), return_exceptions=True
        )
        logs = [await store.read("a"), await store.read("b")]
        await store.close()
        return [*[type(one).__name__ for one in found], *logs]

    assert asyncio.run(run()) == ["Conflict", "NoneType", [{"do": "x"}], [{"do": "z"}]]


def test_a_database_is_named_by_a_folder_or_a_url() -> None:
    assert url_of("postgres://a@b/c") == "postgresql+asyncpg://a@b/c"
    with pytest.raises(PelagosError):
        url_of("mysql://a@b/c")


def test_the_help_loads_neither_rules_nor_server() -> None:
    code = "import sys, pelagos.cli; print([m for m in ('numba', 'fastapi', 'sqlalchemy') "
    code += "if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

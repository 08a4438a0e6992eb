"""Talk: who hears whom, in which words, how much of it, and that nothing else changes by it."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import httpx
import pytest

from pelagos.engine.words import LANGUAGES, words_of
from pelagos.tables import acts
from pelagos.tables.errors import Malformed, Refused
from pelagos.tables.message import Messages
from pelagos.tables.table import OVER, SPECTATOR, Table, fold
from pelagos.tables.talk import PHRASES, SIGNS, Talk, make_line
from postgres import Postgres
from tables.setting import _begun
from tabling import ROOT, Player, Server, client_id, gather, lay, listen, sit

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


def say(person: Player, **said: str) -> httpx.Response:
    return person.ask("POST", f"{person.path}/talk", {"client": client_id(), **said})


def watch(server: Server, table: str, **said: str) -> httpx.Response:
    body = {"client": client_id(), **said}
    return httpx.post(f"{server.url}{ROOT}/tables/{table}/talk", json=body)


def test_everyone_at_the_table_hears_a_seat(server: Server) -> None:
    people = gather(server.url, "minnows", 2)
    before = people[1].view()
    answer = say(people[0], sign="laugh")
    assert answer.status_code == 200
    heard = people[1].view()
    assert heard["talk"][0]["seat"] == 0
    assert heard["talk"][0]["sign"] == "laugh"
    assert {part: heard[part] for part in before} == before


def test_saying_something_changes_no_decision(server: Server) -> None:
    people = gather(server.url, "minnows", 2)
    message = people[0].view()
    say(people[1], phrase="hello")
    moved = people[0].act([message["view"]["choices"][0]["action"]], message["own"]["decision"])
    assert moved.status_code == 200


def test_each_reads_signs_and_phrases_in_their_own_language() -> None:
    for language in LANGUAGES:
        table = words_of("tables", language).table["talk"]
        assert tuple(table["sign"]) == SIGNS
        assert tuple(table["phrase"]) == PHRASES
    assert len(SIGNS) == 8


def test_asked_twice_a_line_is_said_once(server: Server) -> None:
    people = gather(server.url, "minnows", 2)
    body = {"client": client_id(), "phrase": "luck"}
    for _ in range(2):
        people[0].ask("POST", f"{people[0].path}/talk", body)
    assert len(people[1].view()["talk"]) == 1


def test_a_stream_carries_what_is_said(server: Server) -> None:
    people = gather(server.url, "minnows", 2)
    heard = listen(people[1])
    next(heard)
    say(people[0], text=f"Bonjour {FAMILY}")
    later = next(message for kind, message in heard if kind == "view")
    assert later["talk"][0]["text"] == f"Bonjour {FAMILY}"


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"sign": "laugh", "phrase": "hello"},
        {"sign": "rude"},
        {"phrase": "rude"},
        {"text": "a\u0007b"},
        {"text": "a\nb"},
        {"text": "\u202eabc"},
        {"text": "x" * 201},
        {"text": "\u200d"},
    ],
)
def test_what_cant_be_said_is_refused_with_a_sentence(said: dict[str, str]) -> None:
    with pytest.raises(Malformed) as refused:
        make_line(_begun("minnows", 2), 0, said, client_id())
    for language in LANGUAGES:
        assert "refuse." not in refused.value.say(language)


def test_free_text_is_a_choice_of_the_table() -> None:
    assert acts.create("minnows", {"players": 2}, None)[0]["free_talk"]
    bots = [{"kind": "open"}, {"kind": "bot", "bot": "puffin"}]
    assert not acts.create("minnows", {"players": 2}, bots)[0]["free_talk"]
    quiet = fold("T" * 22, acts.create("minnows", {"players": 2}, None, free_talk=False))
    with pytest.raises(Refused):
        make_line(quiet, 0, {"text": "hello"}, client_id())
    assert make_line(quiet, 0, {"phrase": "hello"}, client_id()).said == "hello"


def test_nobody_talks_for_another_seat(server: Server) -> None:
    people = gather(server.url, "minnows", 2)
    body = {"client": client_id(), "sign": "sad"}
    assert people[0].ask("POST", f"{people[1].path}/talk", body).status_code == 403


def test_who_talks_too_much_is_told_to_wait(tmp_path: Path) -> None:
    with Server(tmp_path, LIMITS="on") as server:
        people = gather(server.url, "minnows", 2)
        answers = [say(people[0], sign="wow") for _ in range(8)]
        assert [answer.status_code for answer in answers] == [200] * 5 + [429] * 3
        assert "faster" in answers[-1].json()["error"]["message"]
        assert say(people[1], sign="wow").status_code == 200
        spectators = [watch(server, people[0].table, sign="wow") for _ in range(6)]
        assert spectators[-1].status_code == 429


def test_nothing_that_was_said_is_written_anywhere(where: Path | str) -> None:
    with Server(where) as server:
        people = gather(server.url, "minnows", 2)
        say(people[0], text="quite secret")
        assert "quite secret" in str(people[1].view()["talk"])
        assert "quite secret" not in str(people[1].ask("GET", f"{people[1].path}/record").json())
        assert "quite secret" not in str(people[1].ask("GET", f"{people[1].path}/events").json())
        server.kill()
        server.start().wait()
        assert "talk" not in people[1].view()


def test_other_processes_hear_it_too(postgres: Postgres) -> None:
    url = postgres.database()
    with Server(url, REREAD="60") as first, Server(url, REREAD="60") as other:
        table = lay(first.url, "minnows", 2)["table"]["id"]
        people = [sit([first.url], table, 0), sit([other.url], table, 1)]
        heard = listen(people[1])
        next(heard)
        say(people[0], text="x\u0301" * 200)
        later = next(message for kind, message in heard if kind == "view" and "talk" in message)
        assert len(later["talk"]) == 1


# --- spectators -----------------------------------------------------------------------------------


def finished(table: Table, lots: random.Random) -> None:
    match = table.match
    assert match is not None
    while not match.over:
        seat = lots.choice(match.pending)
        table.apply({"do": "move", "seat": seat, "actions": [lots.choice(match.legal(seat))]})


def talk_of(table: Table, talk: Talk, viewer: int) -> list[dict[str, Any]]:
    return list(Messages().of(table, viewer, talk=talk).talk)


def test_players_hear_spectators_when_their_game_is_over() -> None:
    table, talk = _begun("minnows", 2), Talk()
    talk.add(make_line(table, SPECTATOR, {"text": "Seat 1 has the pike"}, client_id(), "Eve"))
    talk.add(make_line(table, 0, {"phrase": "hello"}, client_id()))
    assert [line["name"] for line in talk_of(table, talk, SPECTATOR)] == ["Eve", "A"]
    assert [line["name"] for line in talk_of(table, talk, 0)] == ["A"]
    finished(table, random.Random(1))
    assert table.state == OVER
    assert [line["name"] for line in talk_of(table, talk, 0)] == ["Eve", "A"]
    table.apply({"do": "start", "bytes": ["", ""], "next": "1" * 64})
    talk.add(make_line(table, SPECTATOR, {"sign": "wow"}, client_id(), "Eve"))
    assert len(talk_of(table, talk, 0)) == 2
    assert len(talk_of(table, talk, SPECTATOR)) == 3


def test_a_spectator_without_a_name_may_talk(server: Server) -> None:
    people = gather(server.url, "minnows", 2)
    answer = watch(server, people[0].table, sign="clap")
    assert answer.json()["talk"][0]["name"] == ""
    assert answer.json()["talk"][0]["seat"] is None
    assert "talk" not in people[0].view()

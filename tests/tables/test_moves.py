"""Moves: made once, all or none, forced where everyone knows; and one more game."""

from __future__ import annotations

import httpx

from pelagos.engine.match import Match
from tables.setting import first_choice, owing
from tabling import ROOT, Server, all_play, client_id, gather


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


def test_forced_moves_are_made_where_everyone_knows(server: Server) -> None:
    """The last card of a round is laid for the player."""
    people = gather(server.url, "ecosystem", 2)
    all_play(people)
    assert people[0].view()["own"]["decision"] > len(people[0].acknowledged)

"""Nothing slips: what a viewer is sent is the same from every world that it can't tell apart.

At every decision of whole games, the message, the stream's bytes, the seat's record, its log and
its previews are made from the true table and from others: the hidden set-up dealt anew, the others'
unrevealed choices replaced, public moves kept. They must be the same bytes.
"""

from __future__ import annotations

import random

import pytest

from pelagos.engine.game import Game, games
from pelagos.tables.message import Messages
from pelagos.tables.streams import wire
from pelagos.tables.table import PLAYING, SPECTATOR
from pelagos.tables.talk import Talk, make_line
from tables.leaking import check_deals, check_sequences, check_worlds, laid, plain_walk, whole_games

everyone = pytest.mark.parametrize("kind", whole_games())


@everyone
def test_every_world_is_sent_the_same(kind: str) -> None:
    check_worlds(kind)


@everyone
def test_every_deal_that_looks_the_same_is_recorded_the_same(kind: str) -> None:
    check_deals(kind)


@everyone
def test_the_sequence_of_messages_is_the_same(kind: str) -> None:
    check_sequences(kind)


def test_what_spectators_say_changes_nothing_that_players_are_sent() -> None:
    """Neither messages nor numbers; and what a player says changes nothing but the talk."""
    table, kept, talk = laid("minnows"), Messages(), Talk()
    sent: dict[int, bytes] = {}
    for number, now in enumerate(plain_walk(table, random.Random(3))):
        line = {"text": f"seat {number} holds what nobody knows"}
        sent = {seat: kept.of(now, seat, talk=talk).json for seat in range(now.players)}
        before = Messages().of(now, SPECTATOR, talk=talk)
        talk.add(make_line(now, SPECTATOR, line, f"watcher-{number}", "Eve"))
        if now.state == PLAYING:
            for seat in range(now.players):
                message = kept.of(now, seat, talk=talk)
                assert message.json == sent[seat] == Messages().of(now, seat).json
                assert wire(message.number, message.json) == wire(now.views[seat], sent[seat])
        after = Messages().of(now, SPECTATOR, talk=talk)
        assert not after.says_the_same(before)
        assert after.shows_the_same(before)
        assert after.number == before.number
    assert b"what nobody knows" in kept.of(table, 0, talk=talk).json


def test_a_leak_of_spectators_talk_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = Talk.heard_by
    monkeypatch.setattr(Talk, "heard_by", lambda self, table, _: heard(self, table, SPECTATOR))
    with pytest.raises(AssertionError):
        test_what_spectators_say_changes_nothing_that_players_are_sent()


def test_whole_games_are_here() -> None:
    assert isinstance(games()["minnows"], Game)
    assert "minnows" in whole_games()

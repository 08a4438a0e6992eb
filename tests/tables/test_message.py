"""A message's parts: data, JSON, and either from the other; what is kept of them."""

from __future__ import annotations

import random

import pytest

from pelagos.tables import acts
from pelagos.tables.message import Messages, Part
from pelagos.tables.table import SPECTATOR, Table
from tables.leaking import laid, plain_walk, whole_games


def test_a_part_is_the_same_before_and_after_it_is_encoded() -> None:
    part, again = Part({"seats": [1, 2]}), Part({"seats": [1, 2]})
    assert part.says_the_same(again)
    assert part.json == b'{"seats":[1,2]}'
    assert part.data == {"seats": [1, 2]}
    assert part.says_the_same(again)
    assert again.says_the_same(part)


def test_parts_that_differ_are_told_apart_however_they_are_kept() -> None:
    for encoded in (False, True):
        mine, theirs = Part({"seats": [1]}), Part({"seats": [2]})
        if encoded:
            assert theirs.json
        assert not mine.says_the_same(theirs)


def test_nothing_stays_nothing() -> None:
    part: Part[None] = Part(None)
    assert part.json == b"null"
    assert part.data is None


def check_kept(kind: str) -> None:
    """At every decision of a game, with moves taken back, what is kept is what would be made."""
    kept, undone = Messages(), 0
    for now in plain_walk(laid(kind), random.Random(kind)):
        for viewer in range(SPECTATOR, now.players):
            assert kept.of(now, viewer).json == Messages().of(now, viewer).json
            assert kept.of(now, viewer).data == Messages().of(now, viewer).data
        undone += any(acts.can_undo(now, seat) for seat in range(now.players))
    assert undone


@pytest.mark.parametrize("kind", whole_games())
def test_a_message_of_kept_parts_is_the_message_made_anew(kind: str) -> None:
    check_kept(kind)


def test_a_change_that_is_not_counted_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    count = Table._count

    def forgetful(self: Table, changed: str, seat: int, waiting_changed: bool) -> None:
        looks = list(self.looks)
        count(self, changed, seat, waiting_changed)
        self.looks = looks

    monkeypatch.setattr(Table, "_count", forgetful)
    with pytest.raises(AssertionError):
        check_kept("minnows")

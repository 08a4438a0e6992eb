"""Moves in words, and deals that are refused."""

from __future__ import annotations

import json

import pytest

from pelagos.engine.arrays import record_of
from pelagos.engine.errors import BadRecord, IllegalMove
from pelagos.engine.match import Match
from pelagos.engine.pack import default_pack
from pelagos.games.ozeanien import (
    GAME,
    notation,
)
from places import SAMPLES


def test_every_move_has_one_name_and_nonsense_has_none():
    pack = record_of(default_pack(GAME).data)
    names = [notation.write(None, pack, 0, action) for action in range(GAME.actions)]
    named = [name for name in names if name]
    assert len(named) == len(set(named)) == 2 + (7 + 7 + 5 + 5) + 35 + 18 + 140 + 15
    for action, name in enumerate(names):
        assert not name or notation.read(None, pack, 0, name) == action
    for text in (
        "",
        "ship",
        "ship left 8",
        "ship left 03",
        "lay f1 0",
        "lay a1 45",
        "Draw",
        "ship b8",
    ):
        assert notation.read(None, pack, 0, text) == -1


def test_a_move_that_is_not_legal_is_refused_with_a_sentence():
    match = Match.new(GAME, players=2, seed="refuse")
    seat = match.pending[0]
    with pytest.raises(IllegalMove, match="'draw' now; legal are: ship right 1"):
        match.play(seat, "draw")
    with pytest.raises(IllegalMove, match=f"waiting for seat {seat}"):
        match.play(1 - seat, "ship left 1")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"pile": ["cape"] * 31}, "deal.pile must be a list of 32"),
        ({"removed": None}, "deal.removed must be a list of 3"),
        ({"removed": ["cape", "cape", "reef"]}, r"deal.removed\[2\] is 'reef'"),
        ({"removed": ["cape", "cape", ["cape"]]}, r"deal.removed\[2\] is \['cape'\]"),
        ({"pile": ["open"] * 32}, "tiles open in pile and removed; the pack has 4"),
        ({"start": 2}, "deal.start must be a seat, 0 to 1, not 2"),
        ({"start": True}, "deal.start must be a seat"),
    ],
)
def test_a_wrong_deal_is_refused_by_name(change, reason):
    record = json.loads((SAMPLES / "ozeanien-2.pelagos.json").read_text())
    record["deal"].update(change)
    with pytest.raises(BadRecord, match=reason):
        Match.replay(record)


def test_a_record_for_a_seat_hides_the_pile_and_the_removed_tiles():
    match = Match.new(GAME, players=2, seed="hide")
    seat = match.pending[0]
    match.play(seat, "ship left 2")
    match.play(seat, "draw")
    for viewer in (0, 1):
        deal = match.record(viewer)["deal"]
        assert deal["pile"] == [match.deal["pile"][0], *["?"] * 31]
        assert deal["removed"] == ["?"] * 3
        assert deal["start"] == match.deal["start"]

"""What can be taken back, and what is offered to be."""

from __future__ import annotations

import random

import pytest

from pelagos.engine.errors import PelagosError
from pelagos.tables import acts
from pelagos.tables.message import Messages
from tables.setting import _begun, _do
from tabling import client_id


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


def test_what_others_saw_and_is_taken_back_is_told_to_all() -> None:
    table = _begun("oceanide", 3)
    match = table.match
    assert match is not None
    while True:
        seat = match.pending[0]
        steals = [move for move in match.moves(seat) if move.startswith("steal")]
        acts.move(table, seat, None, [(steals or match.moves(seat))[0]], client_id())
        if steals:
            break
    victim = match.pending[0]
    assert victim != seat
    acts.undo(table, seat, None, client_id())
    for viewer in (None, 0, 1, 2):
        last = match.events(viewer)[-1]
        assert (last["key"], last["params"]) == ("event.undone", {"who": {"seat": seat}})
    assert match.pending == (seat,)


def test_what_nobody_saw_is_taken_back_without_a_word() -> None:
    table = _begun("minnows", 3)
    match = table.match
    assert match is not None
    acts.move(table, 0, None, [match.legal(0)[0]], client_id())
    acts.undo(table, 0, None, client_id())
    for viewer in (None, 0, 1, 2):
        assert "event.undone" not in str(match.events(viewer))

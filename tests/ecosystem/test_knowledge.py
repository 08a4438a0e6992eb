"""What is hidden, until when, and from whom."""

from __future__ import annotations

import random

import pytest

from conftest import random_walk
from pelagos.engine.errors import IllegalMove
from pelagos.engine.match import Match
from pelagos.games.ecosystem import features
from pelagos.games.ecosystem.knowledge import has_held
from pelagos.games.ecosystem.rules import hand_of, rings
from pelagos.games.ecosystem.state import HAND, TURNS


def test_a_seat_knows_every_hand_it_has_held() -> None:
    match = Match.new("ecosystem", players=4, seed=2)
    choices = random.Random(2)
    while int(match.position.record.turn) < 2:
        seat = match.pending[0]
        match.play(seat, choices.choice(match.legal(seat)))
    true = match.position.record.hands
    for seat in range(4):
        worlds = [match.redeal(seat, draw).record.hands for draw in range(30)]
        for hand in range(4):
            same = all((world[hand] == true[hand]).all() for world in worlds)
            assert same == ((seat - hand) % 4 <= 2)


@pytest.mark.parametrize("players", [2, 3, 6])
def test_an_observation_has_the_hands_in_the_order_in_which_they_come(players: int) -> None:
    layout = features.LAYOUT
    for match in random_walk(Match.new("ecosystem", players=players, seed=3), random.Random(3)):
        game = match.position.record
        round_ends = HAND if int(game.turn) < HAND else TURNS
        for seat in range(players):
            raw = match.position.observe(seat)
            known, hands = layout.part(raw, "known"), layout.part(raw, "hands")
            for step in range(min(rings(game), round_ends - int(game.turn))):
                later = match.position.copy().record
                later.turn = int(game.turn) + step
                hand = hand_of(later, seat)
                assert known[step] == has_held(game, seat, hand)
                assert hands[step].tolist() == (game.hands[hand] * known[step]).tolist()


def test_what_is_taken_stays_hidden_until_all_have_taken() -> None:
    match = Match.new("ecosystem", players=3, seed=8)
    first = match.moves(1)[0]
    match.play(1, first)
    assert not [piece for piece in match.view(0)["pieces"] if piece["place"] == "chosen1"]
    match.play(0, match.legal(0)[0])
    match.play(2, match.legal(2)[0])
    for viewer in (0, 2, None):
        (piece,) = (shown for shown in match.view(viewer)["pieces"] if shown["place"] == "chosen1")
        assert f"take {piece['face']}" == first


def test_others_placements_are_hidden_until_all_have_placed() -> None:
    match = Match.new("ecosystem", players=3, seed=8)
    for seat in range(3):
        match.play(seat, match.legal(seat)[0])
    match.play(1, "place 0,0")
    assert not [piece for piece in match.view(0)["pieces"] if piece["place"] == "grid1"]
    assert [piece for piece in match.view(1)["pieces"] if piece["place"] == "grid1"]


def test_an_undo_is_refused_after_the_reveal() -> None:
    match = Match.new("ecosystem", players=3, seed=8)
    match.play(0, match.legal(0)[0])
    match.play(1, match.legal(1)[0])
    match.undo(0)
    assert match.pending == (0, 2)
    match.play(0, match.legal(0)[1])
    match.play(2, match.legal(2)[0])
    with pytest.raises(IllegalMove, match="came to light"):
        match.undo(0)


def test_everyone_knows_of_a_last_card() -> None:
    match = Match.new("ecosystem", players=3, seed=8)
    choices = random.Random(1)
    while int(match.position.record.turn) < 9:
        seat = match.pending[0]
        match.play(seat, choices.choice(match.legal(seat)))
    assert match.view(0)["forced"]

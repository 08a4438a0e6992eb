"""The draft: hands go round; two players with the neutral hand; alone against Tim."""

from __future__ import annotations

import random

import pytest

from conftest import finished
from ecosystem.reefs import first_octopus, held, octopus_seat
from pelagos.engine.match import Match
from pelagos.games.ecosystem import actions
from pelagos.games.ecosystem.frame import cell_at
from pelagos.games.ecosystem.state import SPECIES


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_hands_go_left_in_the_first_round_and_right_in_the_second(players: int) -> None:
    match = Match.new("ecosystem", players=players, seed=9)
    choices = random.Random(9)
    while not match.over:
        record = match.position.record
        turn, before = int(record.turn), [held(match, seat) for seat in range(players)]
        if int(record.phase) != 0 or turn >= 20:
            break
        taken = []
        for seat in range(players):
            action = choices.choice(match.legal(seat))
            taken.append(action - actions.TAKES)
            match.play(seat, action)
        while int(match.position.record.turn) == turn:
            seat = match.pending[0]
            match.play(seat, choices.choice(match.legal(seat)))
        if turn in (9, 19):
            continue
        for seat in range(players):
            rest = list(before[seat])
            rest[taken[seat]] -= 1
            step = 1 if turn < 10 else -1
            assert held(match, (seat + step) % players) == rest


def test_with_two_players_the_three_hands_go_round_by_the_neutral_place() -> None:
    """0 to 1 to the neutral place to 0 in round one, the other way in round two (ECO-30)."""
    match = Match.new("ecosystem", players=2, seed=9)
    choices = random.Random(9)
    ring, went_round = 3, 0
    while int(match.position.record.turn) < 19:
        record = match.position.record
        turn, before = int(record.turn), [held(match, place) for place in range(ring)]
        for seat in range(2):
            action = choices.choice(match.legal(seat))
            before[seat][action - actions.TAKES] -= 1
            match.play(seat, action)
        ((_, neutral),) = [entry for entry in match.record()["moves"][-1:] if entry[0] == "*"]
        before[2][SPECIES.index(neutral.split()[1])] -= 1
        while int(match.position.record.turn) == turn:
            seat = match.pending[0]
            match.play(seat, choices.choice(match.legal(seat)))
        if turn == 9:
            continue  # new hands are dealt
        step = 1 if turn < 10 else -1
        assert [held(match, (place + step) % ring) for place in range(ring)] == before
        went_round += 1
    assert went_round == 18


@pytest.mark.parametrize("seed", range(8))
def test_with_two_players_the_neutral_plankton_is_ranked_at_the_end(seed: int) -> None:
    """Ranks counted from what the record tells of the neutral hand and of the reefs."""
    match = finished("ecosystem", {"players": 2}, seed)
    moves = match.record()["moves"]
    neutral = sum(move == "neutral plankton" for seat, move in moves if seat == "*")
    game, plankton = match.position.record, SPECIES.index("plankton") + 1
    own = [
        sum(
            int(card) == plankton and not int(game.down[seat]) >> cell & 1
            for cell, card in enumerate(game.cells[seat])
        )
        for seat in range(2)
    ]
    for seat, sheet in enumerate(match.record()["result"]["sheets"]):
        more = sum(count > own[seat] for count in (own[1 - seat], neutral))
        assert sheet["plankton"] == ((12, 8, 4)[more] if own[seat] else 0)


def test_each_seat_gets_its_whole_hand_in_turn_and_round_two_goes_on_from_there() -> None:
    match = finished("ecosystem", {"players": 3}, 11)
    deck = match.deal["deck"]
    again = Match.new("ecosystem", players=3, seed=11)
    for seat in range(3):
        hand = deck[10 * seat : 10 * seat + 10]
        assert held(again, seat) == [hand.count(species) for species in SPECIES]
    assert len(deck) == 130
    laid = [int(card) for grid in match.position.record.cells for card in grid if card]
    dealt = [SPECIES.index(card) + 1 for card in deck[:60]]
    assert sorted(laid) == sorted(dealt)


@pytest.mark.parametrize("players", [1, 2, 6])
def test_every_reef_is_full_after_twenty_turns_and_not_before(players: int) -> None:
    """Ten cards each after round one; four rows of five at the end."""
    match = Match.new("ecosystem", players=players, seed=12)
    choices = random.Random(12)
    while int(match.position.record.turn) < 20:
        record = match.position.record
        assert all(int(count) <= int(record.turn) + 1 for count in record.laid[:players])
        assert not match.over
        if int(record.turn) == 10 and int(record.phase) == 0:
            assert [int(count) for count in record.laid[:players]] == [10] * players
        seat = choices.choice(match.pending)
        match.play(seat, choices.choice(match.legal(seat)))
    for seat in range(players):
        pieces = [piece for piece in match.view()["pieces"] if piece["place"] == f"grid{seat}"]
        cells = sorted((row, column) for row in range(4) for column in range(5))
        assert sorted(tuple(piece["at"]) for piece in pieces) == cells


def test_the_neutral_card_comes_from_the_hand_that_lies_there() -> None:
    """Hands go 0, 1, neutral, 0 in round one, and the other way in round two."""
    match = Match.new("ecosystem", players=2, seed=7)
    choices = random.Random(7)
    for turn in range(20):
        hand = (2 - turn) % 3 if turn < 10 else (2 + turn - 10) % 3
        rest = match.position.record.hands[hand].tolist()
        assert sum(rest) == 10 - turn % 10
        while int(match.position.record.turn) == turn:
            seat = choices.choice(match.pending)
            match.play(seat, choices.choice(match.legal(seat)))
        played = [words for mover, words in match.record()["moves"] if mover == "*"][turn]
        rest[SPECIES.index(played.split()[1])] -= 1
        if turn not in (9, 19):
            assert match.position.record.hands[hand].tolist() == rest


def test_a_seat_that_placed_an_octopus_goes_on_without_waiting() -> None:
    match = first_octopus()
    seat = octopus_seat(match)
    assert seat in match.pending
    assert "pass" in match.moves(seat)


def test_with_two_players_the_neutral_hand_plays_after_both_chose_and_before_any_places() -> None:
    match = finished("ecosystem", {"players": 2}, 3)
    moves = match.record()["moves"]
    chance = [index for index, (seat, _) in enumerate(moves) if seat == "*"]
    assert len(chance) == 20
    for index in chance:
        assert all(words.startswith("take") for _, words in moves[index - 2 : index])
        assert moves[index + 1][1].startswith("place")
    assert sum(match.position.record.neutral.tolist()) == 20


def test_a_solo_turn_is_take_place_give_and_41_cards_are_seen() -> None:
    match = finished("ecosystem", {"players": 1}, 4)
    record = match.position.record
    assert int(record.top) == 41
    assert int(record.discard) > 0
    assert sum(map(sum, record.hands.tolist())) == 0
    verbs = [words.split()[0] for _, words in match.record()["moves"]]
    assert verbs.count("take") == verbs.count("place") == verbs.count("give") == 20


def test_tim_fills_his_grid_from_the_top_left_and_five_cards_come_when_a_row_is_full() -> None:
    match = Match.new("ecosystem", players=1, seed=5)
    choices = random.Random(5)
    sizes = []
    given = []
    while int(match.position.record.turn) < 20 and not match.over:
        action = choices.choice(match.legal(0))
        words = match.position.write(0, action)
        match.play(0, action)
        if words.startswith("give"):
            given.append(words.split()[1])
            sizes.append(sum(held(match, 0)) if not match.over else 0)
    assert sizes[:6] == [9, 8, 7, 6, 9, 8]
    tim = match.position.record.cells[1]
    assert [SPECIES[int(tim[cell_at(i // 5, i % 5)]) - 1] for i in range(20)] == given


def test_the_players_own_flips_come_before_tims() -> None:
    seen = 0
    for seed in range(60):
        match = finished("ecosystem", {"players": 1}, seed)
        verbs = [words.split()[0] for _, words in match.record()["moves"]]
        if "flip" in verbs and "tim" in verbs:
            last_flip = max(index for index, verb in enumerate(verbs) if verb == "flip")
            assert last_flip < verbs.index("tim")
            seen += 1
    assert seen

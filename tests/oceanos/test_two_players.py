"""Two players: hands that change places, cards under the deck."""

from __future__ import annotations

from oceanos.setting import (
    DATA,
    Story,
    duel_at_under,
    named,
)
from pelagos.games.oceanos.cards import cards_in, names_of
from pelagos.games.oceanos.state import (
    AID,
    CARDS,
    COCKPIT,
    TURNS,
)


def test_two_players_keep_at_the_same_time_and_pass_their_hands() -> None:
    story = Story(players=2)
    assert story.match.pending == (0, 1)
    hands = [named(int(story.game.hands[seat])) for seat in range(2)]
    kept = []
    for seat in range(2):
        card = sorted(hands[seat])[0]
        story.hold(seat, card)
        kept.append(card)
        story.match.play(seat, f"keep {card}")
        story.match.play(seat, "done")
    while any(move == "dive" for seat in story.match.pending for move in story.match.moves(seat)):
        seat = next(seat for seat in story.match.pending if "dive" in story.match.moves(seat))
        story.match.play(seat, "pass")
    assert story.match.pending == (0, 1)
    left = [hands[seat] - {kept[seat]} for seat in range(2)]
    for seat in range(2):
        assert set(story.match.moves(seat)) == {"pass", *(f"under {card}" for card in left[seat])}
    story.match.play(1, "pass")
    story.match.play(0, "pass")
    for seat in range(2):
        assert left[1 - seat] < named(int(story.game.hands[seat]))
        assert len(named(int(story.game.hands[seat]))) == 2


def test_cards_go_under_when_both_have_chosen_seat_zeros_first() -> None:
    story = duel_at_under()
    first, second = (story.match.moves(seat)[1] for seat in range(2))
    before = int(story.game.left)
    story.match.play(1, second)
    assert int(story.game.left) == before, "nothing moves before both have chosen"
    story.match.play(0, first)
    end = int(story.game.top) + int(story.game.left)
    bottom = [int(story.game.deck[place % CARDS]) for place in (end - 2, end - 1)]
    assert [names_of(DATA, 0)[card] for card in bottom] == [first.split()[1], second.split()[1]]


def test_an_over_full_hand_draws_nothing() -> None:
    story = duel_at_under()
    story.game.boat[0, COCKPIT] = 1
    story.match.play(0, "pass")
    story.match.play(1, "pass")
    assert len(cards_in(int(story.game.hands[0]))) == 2
    assert len(cards_in(int(story.game.hands[1]))) == 3


def test_after_turn_five_nothing_goes_under_and_the_rest_is_discarded() -> None:
    story = Story(players=2)
    while int(story.game.turn) < TURNS - 1:
        story.step()
    while int(story.game.turn) == TURNS - 1:
        assert not any(
            move.startswith("under")
            for seat in story.match.pending
            for move in story.match.moves(seat)
        )
        story.step()
    if int(story.game.phase) == AID:
        assert story.game.hands.tolist() == [0] * 5
        assert int(story.game.aside[0]) != 0
        story.finish_round()
    deck = story.match.deal["decks"][1]
    assert [named(int(story.game.hands[seat]), 1) for seat in range(2)] == [
        set(deck[:2]),
        set(deck[2:4]),
    ]


def test_a_seat_without_a_card_is_not_asked_for_one_under() -> None:
    story = Story(players=2)
    cards = sorted(named(int(story.game.hands[0])))
    story.match.play(0, f"keep {cards[0]}")
    story.match.play(0, f"fuel {cards[1]}")
    story.match.play(1, story.match.moves(1)[0])
    story.match.play(1, "done")
    while not any(move.startswith("under") for move in story.match.moves(1)):
        story.match.play(story.match.pending[0], "pass")
    assert story.match.pending == (1,)

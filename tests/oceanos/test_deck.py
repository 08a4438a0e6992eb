"""The deck: discards shuffled in, short deals."""

from __future__ import annotations

from oceanos.setting import (
    Story,
    empty_deck,
    named,
)
from pelagos.games.oceanos.cards import cards_in
from pelagos.games.oceanos.state import (
    COCKPIT,
    KEEP,
    TURNS,
)


def test_discards_are_shuffled_in_when_a_card_is_needed_even_in_the_middle_of_a_hand() -> None:
    story = Story(players=3, captain=0)
    story.until(0, "keep")
    empty_deck(story, 1)
    before = int(story.game.aside[0])
    pool = int(story.game.hands[0])
    kept = story.match.moves(0)[0]
    story.match.play(0, kept)
    while int(story.game.turn) == 0:
        story.step()
    mover, move = story.match.record()["moves"][-1]
    verb, *cards = move.split()
    assert (mover, verb) == ("*", "reshuffle")
    assert set(cards) == named(before | pool) - {kept.split()[1]}
    assert int(story.game.phase) == KEEP
    assert int(story.game.aside[0]) == 0
    assert cards[0] in named(int(story.game.hands[2])), "the hand's second card is the new deck's"
    assert cards[1] in named(int(story.game.hands[0]))


def test_discards_stay_as_long_as_no_card_is_needed() -> None:
    story = Story(players=3, captain=0)
    story.until(0, "keep")
    empty_deck(story, 4)
    while int(story.game.turn) == 0:
        story.step()
    assert int(story.game.left) == 0
    assert int(story.game.aside[0]) != 0
    assert int(story.game.phase) == KEEP


def test_a_short_deal_goes_one_card_at_a_time_past_full_hands() -> None:
    story = Story(players=4, captain=0)
    story.until(0, "keep")
    story.game.boat[2, COCKPIT] = 3
    story.game.boat[3, COCKPIT] = 3
    empty_deck(story, 5)
    story.game.aside[0] = 0
    order = [int(story.game.deck[int(story.game.top) + place]) for place in range(5)]
    story.game.hands[0] = 1 << cards_in(int(story.game.hands[0]))[0]
    while int(story.game.turn) == 0:
        story.step()
    assert int(story.game.captain) == 1
    assert cards_in(int(story.game.hands[2])) == sorted([order[0], order[3]])
    assert cards_in(int(story.game.hands[3])) == sorted([order[1], order[4]])
    assert cards_in(int(story.game.hands[0])) == [order[2]]


def test_five_players_go_through_all_of_round_one_with_level_one_cockpits() -> None:
    story = Story(players=5)
    while int(story.game.turn) < TURNS - 1:
        story.step()
    assert int(story.game.left) == 0
    assert all(entry.seat >= 0 for entry in story.match.history)

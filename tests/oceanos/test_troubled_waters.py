"""Troubled Waters: cards taken at random, leftovers under the deck."""

from __future__ import annotations

from oceanos.setting import (
    DATA,
    named,
    troubled,
)
from pelagos.games.oceanos.cards import cards_in, names_of
from pelagos.games.oceanos.state import (
    CARDS,
    COCKPIT,
    DECKS,
    TURNS,
)


def test_the_captain_takes_one_card_of_each_seat_with_cards_left_from_the_left_on() -> None:
    story = troubled(captain=1)
    hands = {seat: set(named(int(story.game.hands[seat]))) for seat in (2, 3, 0)}
    for seat in (3, 0):
        story.match.play(seat, story.match.moves(seat)[0])
        story.match.play(seat, "done")
    for _ in range(2):
        story.match.play(2, story.match.moves(2)[-1])  # keeps both
    takes = [words for mover, words in story.match.record()["moves"] if mover == "*"]
    assert [take.split()[-1] for take in takes] == ["3", "0"]
    for take in takes:
        assert take.split()[2] in hands[int(take.split()[-1])]
    story.until(1, "keep")
    assert len(cards_in(int(story.game.hands[1]))) == 2


def test_everything_not_kept_is_shuffled_under_the_deck_in_turn_five_too() -> None:
    story = troubled()
    unders = 0
    while int(story.game.depth) == 0:
        story.step()
    for mover, move in story.match.record()["moves"]:
        unders += mover == "*" and move.startswith("under")
    assert unders == TURNS
    assert not any(move.startswith("reshuffle") for _, move in story.match.record()["moves"])


def test_what_was_not_kept_lies_at_the_bottom_and_nothing_is_discarded() -> None:
    story = troubled()
    while int(story.game.turn) == 0:
        story.step()
    moves = story.match.record()["moves"]
    (under,) = (move.split()[1:] for mover, move in moves if mover == "*" and "under" in move)
    end = int(story.game.top) + int(story.game.left)
    bottom = [int(story.game.deck[place % CARDS]) for place in range(end - len(under), end)]
    assert [names_of(DATA, 0)[card] for card in bottom] == under
    assert int(story.game.aside[0]) == 0


def test_with_a_short_deck_the_others_leftovers_go_under_before_the_fill_up() -> None:
    story = troubled()
    story.game.boat[0, COCKPIT] = 3
    story.game.boat[2, COCKPIT] = 2
    story.game.hands[2] |= 1 << int(story.game.deck[int(story.game.top)])
    story.game.deck[int(story.game.top)] = 0
    story.game.top += 1
    story.game.left -= 1
    story.game.lots[0] -= 1
    for place in range(int(story.game.top), DECKS[0]):  # the rest of the deck is gone
        story.game.deck[place] = 0
    story.game.left = 0
    story.game.lots[0] = 0
    seen = []
    while int(story.game.turn) == 0:
        before = len(story.match.history)
        story.step()
        seen += [entry.outcome for entry in story.match.history[before:] if entry.seat < 0]
    takes, rest = seen[:3], seen[3:]
    assert all(len(take) == 2 for take in takes)
    first, last = rest
    assert len(first) == 1, "seat 2 had three cards: one kept, one taken, one goes under"
    assert set(first).isdisjoint(card for _, card in takes)
    assert len(last) == 3, "the captain held three taken cards and the one from below, kept one"
    assert set(first) <= set(last) | {int(story.game.rows[0, 0, 0])}


def test_takes_are_seen_by_the_two_and_hidden_from_the_rest() -> None:
    story = troubled(captain=1)
    while not story.match.record()["moves"] or story.match.record()["moves"][-1][0] != "*":
        story.step()
    (first, *_) = (move for mover, move in story.match.record()["moves"] if mover == "*")
    seat = int(first.split()[-1])
    moves = {viewer: story.match.record(viewer)["moves"] for viewer in range(4)}
    for viewer in range(4):
        seen = next(words for mover, words in moves[viewer] if mover == "*")
        assert (seen == first) == (viewer in (seat, 1))
        assert seen == first or seen == f"captain takes ? from {seat}"

"""A turn with a captain: deal, keep, lay, the captain's pool."""

from __future__ import annotations

import random

from conftest import random_walk
from oceanos.setting import (
    CHEST_WITH_GREEN,
    DATA,
    GAME,
    GREENS,
    PLAIN,
    Story,
    changed_card,
    named,
    number,
)
from pelagos.engine.pack import make_pack
from pelagos.games.oceanos.cards import cards_in, names_of
from pelagos.games.oceanos.state import (
    COCKPIT,
    FUEL,
    KEEP,
    MOTOR,
)


def test_the_captain_is_dealt_nothing_and_the_others_their_whole_hands_from_the_left() -> None:
    story = Story(players=4, captain=2)
    deck = story.match.deal["decks"][0]
    assert story.match.pending == (0, 1, 3)
    assert named(int(story.game.hands[2])) == set()
    for place, seat in enumerate((3, 0, 1)):
        assert named(int(story.game.hands[seat])) == set(deck[2 * place : 2 * place + 2])


def test_keeping_is_owed_even_with_one_card() -> None:
    story = Story()
    spare = cards_in(int(story.game.hands[1]))[0]
    story.game.hands[1] &= ~(1 << spare)
    assert len(story.match.moves(1)) == 1
    assert story.match.view(1)["forced"]


def test_no_done_is_owed_without_fuel_or_without_a_card_left() -> None:
    story = Story()
    story.match.play(1, story.match.moves(1)[0])
    extra = [move for move in story.match.moves(1) if move != "done"]
    assert len(extra) == 1
    story.match.play(1, extra[0])
    assert 1 not in story.match.pending
    story.game.boat[2, FUEL] = 0
    story.match.play(2, story.match.moves(2)[0])
    assert int(story.game.phase) != KEEP


def test_the_captain_holds_every_returned_card_even_if_they_are_many() -> None:
    story = Story(players=5, captain=0)
    hands = {seat: named(int(story.game.hands[seat])) for seat in range(1, 5)}
    story.until(0, "keep")
    kept = {names_of(DATA, 0)[int(story.game.rows[seat, 0, 0])] for seat in range(1, 5)}
    returned = set().union(*hands.values()) - kept
    assert named(int(story.game.hands[0])) == returned
    assert len(returned) == 4 > 2


def test_the_captain_is_filled_up_to_periscopes_and_one_from_the_top() -> None:
    story = Story(players=3, captain=0)
    for seat in (1, 2):
        story.match.play(seat, story.match.moves(seat)[0])
        fuel = next(move for move in story.match.moves(seat) if move.startswith("fuel"))
        story.match.play(seat, fuel)
    while story.match.pending != (0,):
        story.match.play(story.match.pending[0], "pass")
    assert named(int(story.game.hands[0])) == set(story.match.deal["decks"][0][4:6])


def test_what_the_captain_leaves_is_discarded_and_captaincy_goes_to_the_left() -> None:
    story = Story(players=4, captain=3)
    story.until(3, "keep")
    pool = named(int(story.game.hands[3]))
    first = story.match.moves(3)[0]
    story.match.play(3, first)
    story.match.play(3, "done")
    while int(story.game.turn) == 0:
        story.match.play(3, "pass")
    assert named(int(story.game.aside[0])) == pool - {first.split()[1]}
    assert int(story.game.captain) == 0


def test_captaincy_goes_on_over_a_rounds_end() -> None:
    story = Story(players=3, captain=1)
    captains = [1]
    for at in random_walk(story.match, random.Random(1)):
        captain = int(at.position.record.captain)
        if captain != captains[-1]:
            captains.append(captain)
    assert captains == [(1 + turn) % 3 for turn in range(15)]
    assert int(story.game.captain) == (1 + 14) % 3


def test_extra_cards_carry_their_fuel_and_take_columns_of_their_own() -> None:
    story = Story()
    story.turn(1, GREENS[0], GREENS[1])
    assert story.game.rows[1, 0, :3].tolist() == [number(GREENS[0]), number(GREENS[1]), 0]
    assert int(story.game.fuelled[1]) == 0b10
    story.finish_round()
    assert int(story.game.fuelled[1]) == 0


def test_three_fuel_tokens_keep_three_more_cards_in_the_order_that_was_chosen() -> None:
    story = Story(players=2)
    story.game.boat[0, MOTOR] = story.game.boat[0, COCKPIT] = story.game.boat[0, FUEL] = 3
    story.begin_here()
    story.turn(0, story.match.moves(0)[0].split()[1])
    cards = [move.split()[1] for move in reversed(story.until(0, "keep"))]
    assert len(cards) == 4
    for place, card in enumerate(cards):
        story.match.play(0, f"{'fuel' if place else 'keep'} {card}")
    assert story.match.moves(0) == [], "no fuel and no card is left"
    while int(story.game.row_size[0, 0]) == 1:
        story.step(without=0)
    row = [piece for piece in story.match.view(0)["pieces"] if piece["place"] == "rows0"]
    assert [piece["face"] for piece in row[1:]] == cards
    assert ["fuelled" in piece["marks"] for piece in row[1:]] == [False, True, True, True]


def test_each_round_has_a_row_of_its_own_filled_from_left_to_right() -> None:
    """And what lies never moves."""
    story = Story()
    laid: dict[str, list[int]] = {}
    for at in random_walk(story.match, random.Random(5)):
        pieces = [piece for piece in at.view(1)["pieces"] if piece["place"] == "rows1"]
        now = {piece["face"]: piece["at"] for piece in pieces}
        assert {card: now[card] for card in laid} == laid
        for card, (row, column) in now.items():
            assert row == int(card[0]) - 1
            assert [row, column - 1] in now.values() or column == 0
        laid = now
    assert {row for row, _ in laid.values()} == {0, 1, 2}


def test_cards_without_fuel_are_as_many_as_turns() -> None:
    story = Story(players=4)
    for at in random_walk(story.match, random.Random(7)):
        game = at.position.record
        if int(game.phase) != KEEP or int(game.turn) == 0:
            continue
        for seat in range(4):
            pieces = [piece for piece in at.view(seat)["pieces"] if piece["place"] == f"rows{seat}"]
            row = [piece for piece in pieces if piece["at"][0] == int(game.depth)]
            assert sum("fuelled" not in piece["marks"] for piece in row) == int(game.turn)


def test_discards_lie_face_up_for_everyone() -> None:
    story = Story(players=5)
    while int(story.game.turn) == 0:
        story.step()
    aside = named(int(story.game.aside[0]))
    assert len(aside) == 3
    for viewer in (*range(5), None):
        pieces = story.match.view(viewer)["pieces"]
        assert {piece["face"] for piece in pieces if piece["place"] == "discards"} == aside


def test_a_diver_is_offered_for_a_treasure_alone_and_while_it_is_laid() -> None:
    story = Story()
    assert story.turn(1, PLAIN) == []
    offered = 0
    for at in random_walk(story.match, random.Random(3)):
        for seat in at.pending:
            view = at.view(seat)
            rows = [piece for piece in view["pieces"] if piece["place"] == f"rows{seat}"]
            newest = int(at.position.record.laying[seat])
            for choice in view["choices"]:
                if choice["notation"] == "dive":
                    (card,) = (piece for piece in rows if piece["at"] == choice["at"])
                    assert "treasure" in card["marks"]
                    assert card in rows[-newest:]
                    offered += 1
    assert offered > 3


def test_cards_are_resolved_one_after_the_other_diver_then_base_then_crystals() -> None:
    story = Story()
    story.turn(1, GREENS[0])
    offers = story.turn(1, "1-01", CHEST_WITH_GREEN, answers=["pass", "pass", "dive"])
    assert [offer[1].split()[0] for offer in offers] == ["dive", "upgrade", "dive"]


def test_a_card_offers_its_base_before_its_own_crystal_counts() -> None:
    files = changed_card("1-10", crystal_green=1, symbols="clownfish base green")
    story = Story(pack=make_pack(GAME, files))
    assert story.turn(1, "1-10") == []
    assert story.boat(1)["green"] == 1

"""Who knows what: hands, choices, lots, tokens, and worlds that look the same."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from conftest import finished
from oceanos.setting import (
    CHEST,
    DATA,
    GAME,
    Story,
    duel_at_under,
    empty_deck,
    named,
    number,
    troubled,
)
from pelagos.engine.match import Match
from pelagos.games.oceanos import knowledge, worlds
from pelagos.games.oceanos.cards import cards_in, names_of
from pelagos.games.oceanos.state import (
    AID,
    CARDS,
    COCKPIT,
    FUEL,
    GREEN,
)


def drawn_worlds(match: Match, seat: int, count: int = 200) -> Iterator[Any]:
    for draw in range(count):
        yield match.redeal(seat, draw).record


def test_a_hand_and_what_was_kept_of_it_stay_the_seats_own() -> None:
    story = Story(players=4, captain=0)
    card = story.match.moves(1)[0].split()[1]
    truth = int(story.game.hands[1])
    story.match.play(1, f"keep {card}")
    others = set()
    for world in drawn_worlds(story.match, 2, 50):
        assert int(world.kept[1]) == 0, "an unrevealed choice is taken back"
        assert int(world.owing) >> 1 & 1
        others.add(int(world.hands[1]))
    assert len(others) > 10
    own = next(drawn_worlds(story.match, 1, 1))
    assert int(own.kept[1]) == 1
    assert int(own.hands[1]) | 1 << number(card) == truth


def test_how_much_fuel_was_spent_stays_hidden_until_the_reveal() -> None:
    story = Story(players=4, captain=0)
    story.match.play(1, story.match.moves(1)[0])
    story.match.play(1, story.match.moves(1)[-1])
    assert int(story.game.boat[1, FUEL]) == 0
    view = story.match.view(2)
    assert any(piece["key"] == "boat1.fuel" for piece in view["pieces"])
    assert not any(piece["key"] == "boat1.fuel" for piece in story.match.view(1)["pieces"])


def test_what_a_seat_returned_is_known_to_it_in_the_captains_hand() -> None:
    story = Story(players=4, captain=0)
    story.until(0, "keep")
    given = int(story.game.given[1])
    assert given
    kinds = set()
    for world in drawn_worlds(story.match, 1):
        assert given & ~int(world.hands[0]) == 0
        kinds.add(int(world.hands[0]) & ~given)
    assert len(kinds) > 20, "the rest of the captain's pool is unknown"
    keys = {piece["key"] for piece in story.match.view(1)["pieces"]}
    for card in named(given):
        assert f"hand0.{card}" in keys


def test_the_captain_knows_the_whole_pool_and_who_gave_what() -> None:
    story = Story(players=4, captain=0)
    story.until(0, "keep")
    for world in drawn_worlds(story.match, 0, 20):
        assert world.hands.tolist() == story.game.hands.tolist()
        assert world.given.tolist() == story.game.given.tolist()


def test_dive_and_upgrade_choices_stay_hidden_until_all_have_laid() -> None:
    story = Story(players=4, captain=0)
    for seat, card in ((1, CHEST), (2, "1-39")):
        story.hold(seat, card)
        story.match.play(seat, f"keep {card}")
        story.match.play(seat, "done")
    while 3 in story.match.pending:
        story.match.play(3, story.match.moves(3)[0])
    story.match.play(1, "dive")
    assert int(story.game.dived[1]) == 1
    assert [
        piece["marks"].count("diver")
        for piece in story.match.view(2)["pieces"]
        if piece["place"] == "rows1"
    ] == [0]
    assert 1 in story.match.view(2)["phase"]
    story.match.play(2, "pass")
    assert [
        piece["marks"].count("diver")
        for piece in story.match.view(2)["pieces"]
        if piece["place"] == "rows1"
    ] == [1]


def test_aid_choices_stay_hidden_until_all_have_chosen() -> None:
    story = Story()
    while int(story.game.phase) != AID:
        story.game.boat[1:, GREEN] = 1
        story.step()
    story.match.play(1, "upgrade cockpit")
    world = next(drawn_worlds(story.match, 2, 1))
    assert int(world.boat[1, COCKPIT]) == 1
    assert int(world.boat[1, GREEN]) > 0
    assert int(world.owing) >> 1 & 1


def test_two_players_know_what_they_passed_and_what_went_under() -> None:
    story = duel_at_under()
    passed = int(story.game.hands[0])
    story.match.play(0, "pass")
    story.match.play(1, "pass")
    kinds = set()
    for world in drawn_worlds(story.match, 0, 60):
        assert passed & ~int(world.hands[1]) == 0
        kinds.add(int(world.hands[1]))
    assert len(kinds) > 5
    for seat in (0, 1):
        story.match.play(seat, next(m for m in story.match.moves(seat) if m.startswith("keep")))
        if "done" in story.match.moves(seat):
            story.match.play(seat, "done")
    while not story.match.moves(1) or not story.match.moves(1)[-1].startswith("under"):
        story.step()
    mine = list(cards_in(passed & int(story.game.hands[1])))
    fresh = list(cards_in(int(story.game.hands[1]) & ~passed))
    for card, known in ((mine[0] if mine else 0, True), (fresh[0] if fresh else 0, False)):
        if not card:
            continue
        other = story.match.copy()
        other.play(1, f"under {names_of(DATA, 0)[card]}")
        if 0 in other.pending:
            other.play(0, "pass")
        game = other.position.record
        end = (int(game.top) + int(game.left) - 1) % CARDS
        assert int(game.deck[end]) == card
        bottoms = {int(world.deck[int(world.left) - 1]) for world in drawn_worlds(other, 0, 40)}
        assert (bottoms == {card}) == known
        owner = {int(world.deck[int(world.left) - 1]) for world in drawn_worlds(other, 1, 20)}
        assert owner == {card}
        unders = [words for _, words in other.record(0)["moves"] if words.startswith("under")]
        assert unders[-1] == (f"under {names_of(DATA, 0)[card]}" if known else "under ?")


def test_a_reshuffled_deck_is_known_as_a_set_and_hands_dealt_before_it_are_not_from_it() -> None:
    story = Story(players=5, captain=0)
    story.until(0, "keep")
    empty_deck(story, 3)
    while int(story.game.turn) == 0:
        story.step()
    assert int(story.game.last_lot) == 1
    new = {card for card in range(1, 41) if int(story.game.lot_of[0, card])}
    old = cards_in(int(story.game.hands[2]))
    assert set(old).isdisjoint(new)
    straddling = cards_in(int(story.game.hands[3]))
    assert len(set(straddling) & new) == 1
    for viewer in (-1, 0, 1, 4):
        for world in drawn_worlds(story.match, viewer, 40):
            assert set(cards_in(int(world.hands[2]))).isdisjoint(new)
            assert len(set(cards_in(int(world.hands[3]))) & new) == 1
            deck = {int(card) for card in world.deck[: int(world.left)]}
            assert deck <= new


def test_in_troubled_waters_a_seat_knows_which_of_its_cards_went_under_and_when() -> None:
    story = troubled(players=5)
    while int(story.game.turn) == 0:
        story.step()
    first = int(story.game.lots[0])
    remembered = 0
    for seat in range(5):
        own = [card for card in range(1, 41) if int(story.game.lot_of[seat, card])]
        remembered += len(own)
        for world in drawn_worlds(story.match, seat, 25):
            bottom = {int(card) for card in world.deck[first : int(world.left)]}
            assert set(own) <= bottom
            for other in range(5):
                assert set(own).isdisjoint(cards_in(int(world.hands[other])))
    assert remembered >= int(story.game.lots[1]), "each card under the deck was somebody's"


def test_flipped_kraken_tokens_stay_and_the_others_vary() -> None:
    story = Story()
    story.finish_round()
    if not int(story.game.flipped):
        pytest.skip("no eye in this round")
    seen: list[set[int]] = [set(), set(), set()]
    for world in drawn_worlds(story.match, 0, 40):
        for size in range(3):
            seen[size].add(int(world.kraken[size, 0]))
    assert seen[0] == {int(story.game.kraken[0, 0])}
    assert [len(values) for values in seen[1:]] == [3, 3]


def test_the_bag_varies_until_tokens_are_drawn() -> None:
    match = finished(GAME, {"players": 4, "troubled": False}, 3)
    game = match.position.record
    drawn = int(game.chests.sum())
    bags = {tuple(world.bag.tolist()) for world in drawn_worlds(match, 0, 10)}
    assert len(bags) == 10
    assert {bag[:drawn] for bag in bags} == {tuple(game.bag[:drawn].tolist())}


def test_cards_not_seen_yet_are_counted_by_round() -> None:
    story = Story(players=3, captain=0)
    facts = story.match.view(1)["facts"]
    assert facts["unseen"] == {"round1": 38, "round2": 45, "round3": 50}
    assert story.match.view(0)["facts"]["unseen"]["round1"] == 40
    assert story.match.view()["facts"]["unseen"]["round1"] == 40
    while int(story.game.turn) == 0:
        story.step()
    seen = int(story.game.aside[0]) | int(story.game.seen[1, 0])
    for seat in range(3):
        for card in story.game.rows[seat, 0].tolist():
            seen |= 1 << card
    assert story.match.view(1)["facts"]["unseen"]["round1"] == 40 - len(cards_in(seen & ~1))


def consistent(game: Any, world: Any, seat: int) -> bool:
    """Does the world hold every card once, and what the seat sees?"""
    truth = knowledge.census(game, DATA)
    return knowledge.census(world, DATA) == truth and int(world.hands[seat]) == int(
        game.hands[seat]
    )


@pytest.mark.parametrize(("players", "waters"), [(2, False), (4, False), (5, False), (5, True)])
def test_worlds_are_consistent_with_all_lots_at_every_ply(players: int, waters: bool) -> None:
    match = Match.new(GAME, players=players, troubled=waters, seed=11)
    choices = random.Random(5)
    while not match.over:
        for seat in range(players):
            world = match.redeal(seat, len(match.history)).record
            game = match.position.record
            assert consistent(worlds_truth(match, seat), world, seat)
            assert int(world.left) == int(game.left)
            assert world.lots.tolist() == game.lots.tolist()
            assert not world.room.any()
            assert not world.crowd.any()
            assert not world.reach.any()
        seat = choices.choice(match.pending)
        moves = match.moves(seat)
        eager = [m for m in moves if m in ("upgrade cockpit", "upgrade motor") or m[:4] == "fuel"]
        match.play(seat, choices.choice(eager or moves))


def worlds_truth(match: Match, seat: int) -> Any:
    """The truth with the others' unrevealed choices taken back."""
    position = match.position.copy()
    worlds.take_back(position.record, position.pack_record, seat)
    return position.record

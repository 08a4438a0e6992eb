"""The worked cases of the rules page, every one."""

from __future__ import annotations

from oceanos.setting import (
    BASES,
    CHEST,
    CHEST_WITH_GREEN,
    DATA,
    GREENS,
    PLAIN,
    YELLOWS,
    Story,
    ended,
    sheet,
)
from pelagos.games.oceanos.scoring import evidence, lines_of
from pelagos.games.oceanos.state import (
    FUEL,
    PARTS,
)


def test_a_base_without_a_crystal_before_it_offers_no_upgrade() -> None:
    assert Story().turn(1, BASES[0]) == []


def test_a_green_crystal_and_then_a_base_offer_every_part_from_one_to_two() -> None:
    story = Story()
    story.turn(1, GREENS[0])
    (offer,) = story.turn(1, BASES[0], answers=["upgrade aquarium"])
    assert sorted(offer) == sorted(["pass", *(f"upgrade {part}" for part in PARTS)])
    assert story.boat(1)["aquarium"] == 2


def test_two_green_crystals_and_two_bases_make_one_upgrade() -> None:
    story = Story()
    story.turn(1, GREENS[0])
    story.turn(1, GREENS[1])
    assert len(story.turn(1, BASES[0], answers=["upgrade propeller"])) == 1
    assert story.turn(1, BASES[1]) == []
    assert story.boat(1)["propeller"] == 2


def test_a_motor_improved_after_its_fuel_was_spent_gives_exactly_one_token() -> None:
    story = Story()
    story.turn(1, GREENS[0], PLAIN)
    assert story.boat(1)["fuel"] == 0
    story.turn(1, BASES[0], answers=["upgrade motor"])
    assert story.boat(1)["fuel"] == 1
    story.until(1, "keep")
    story.match.play(1, story.match.moves(1)[0])
    assert any(move.startswith("fuel") for move in story.match.moves(1))


def test_the_cockpit_deals_a_card_more_than_it_has_periscopes() -> None:
    story = Story(players=2)
    assert len(story.match.moves(0)) == 2
    story.turn(0, GREENS[0])
    story.turn(0, BASES[0], answers=["upgrade cockpit"])
    assert len(story.until(0, "keep")) == 3
    story.turn(0, GREENS[1], YELLOWS[0])
    story.turn(0, BASES[1], answers=["upgrade cockpit"])
    assert len(story.until(0, "keep")) == 4


def test_three_joined_coral_cards_and_two_apart_make_a_reef_of_three() -> None:
    game = ended(("1-40 1-07 1-03 1-08 1-29", "2-04 2-20 2-09 2-10 2-11", "3-09"))
    assert sheet(game)["reef"] == 3


def test_a_diver_in_row_three_brings_up_a_chest_above_it_too() -> None:
    game = ended(("1-20", "2-02", "3-02"), divers=["3-02"], bag=[3, 4, 2])
    assert int(game.chests[0]) == 2
    assert sheet(game)["treasure"] == 7


def test_crystal_and_base_kept_in_one_turn_count_in_their_order() -> None:
    assert len(Story().turn(1, GREENS[0], BASES[0])) == 1
    assert Story().turn(1, BASES[0], GREENS[0]) == []


def test_a_second_diver_in_a_column_finds_no_chest_twice() -> None:
    game = ended(("1-02", "2-02", "3-02"), divers=["2-02", "3-02"], bag=[2, 3, 4, 4])
    assert int(game.chests[0]) == 3
    treasure = evidence(game, DATA, 0, list(lines_of(game, DATA, 0).values()))[-1]
    assert [proof["points"] for proof in treasure] == [5, 4]
    assert [proof["pieces"] for proof in treasure] == [["rows0:0,0", "rows0:1,0"], ["rows0:2,0"]]


def test_both_colours_are_gone_even_for_an_upgrade_from_one_to_two() -> None:
    story = Story()
    story.turn(1, GREENS[0], YELLOWS[0])
    assert (story.boat(1)["green"], story.boat(1)["yellow"]) == (1, 1)
    story.turn(1, BASES[0], answers=["upgrade airlock"])
    assert (story.boat(1)["green"], story.boat(1)["yellow"]) == (0, 0)
    assert story.boat(1)["airlock"] == 2


def test_one_colour_offers_nothing_to_a_submarine_of_level_two_and_stays() -> None:
    story = Story()
    story.game.boat[1, : len(PARTS)] = 2
    story.turn(1, GREENS[0])
    assert story.turn(1, BASES[0]) == []
    assert story.boat(1)["green"] == 1


def test_a_diver_that_came_this_turn_dives_from_the_next_turn_on() -> None:
    story = Story()
    assert story.turn(1, CHEST, answers=["dive"]) == [["pass", "dive"]]
    story.turn(1, GREENS[0])
    story.game.boat[1, FUEL] = 1
    offers = story.turn(1, BASES[0], CHEST_WITH_GREEN, answers=["upgrade airlock"])
    assert len(offers) == 1, "the base; no diver for the treasure after it"
    assert story.turn(1, "1-39") == [["pass", "dive"]]


def test_fuel_that_was_not_spent_is_not_added_to_the_refill() -> None:
    story = Story()
    story.finish_round()
    assert [story.boat(seat)["fuel"] for seat in range(3)] == [1, 1, 1]

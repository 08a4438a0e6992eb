"""Crystals, bases and the player aid."""

from __future__ import annotations

from oceanos.setting import (
    BASES,
    CHEST,
    CHEST_WITH_GREEN,
    GREENS,
    YELLOWS,
    Story,
    number,
    sheet,
    upgrades,
)
from pelagos.games.oceanos.state import (
    AID,
    COCKPIT,
    FUEL,
    GREEN,
    PARTS,
    PROPELLER,
    YELLOW,
)


def test_both_colours_offer_parts_of_level_one_and_two_but_not_three() -> None:
    story = Story()
    story.game.boat[1, PROPELLER] = 3
    story.game.boat[1, COCKPIT] = 2
    story.turn(1, GREENS[0], YELLOWS[0])
    (offer,) = story.turn(1, BASES[0], answers=["upgrade cockpit"])
    assert upgrades(offer) == ["motor", "cockpit", "aquarium", "airlock"]
    assert story.boat(1)["cockpit"] == 3


def test_in_a_house_reading_both_colours_raise_a_part_of_level_two_if_there_is_one() -> None:
    story = Story(third_level_first=True)
    story.game.boat[1, PROPELLER] = 3
    story.game.boat[1, COCKPIT] = 2
    story.turn(1, GREENS[0], YELLOWS[0])
    (offer,) = story.turn(1, BASES[0], answers=["upgrade cockpit"])
    assert upgrades(offer) == ["cockpit"]
    assert "pass" in offer
    story.game.boat[1, FUEL] = 1
    story.turn(1, GREENS[1], YELLOWS[1])
    (offer,) = story.turn(1, BASES[1], answers=["upgrade motor"])
    assert upgrades(offer) == ["motor", "aquarium", "airlock"], "there is no level 2 left"


def test_one_colour_offers_parts_of_level_one_only_however_many_crystals() -> None:
    story = Story()
    story.game.boat[1, COCKPIT] = 2
    story.turn(1, GREENS[0], GREENS[1])
    (offer,) = story.turn(1, BASES[0])
    assert upgrades(offer) == ["propeller", "motor", "aquarium", "airlock"]


def test_a_part_goes_up_by_one_level_at_a_time_even_with_both_colours() -> None:
    story = Story()
    story.turn(1, GREENS[0], YELLOWS[0])
    (offer,) = story.turn(1, BASES[0], answers=["upgrade motor"])
    assert upgrades(offer) == list(PARTS)
    assert [story.boat(1)[part] for part in PARTS] == [1, 2, 1, 1, 1]


def test_an_airlock_of_each_level_has_had_as_many_divers() -> None:
    """One from the start, and one more with each upgrade: three in the whole game."""
    story = Story(players=2)
    story.turn(0, CHEST, answers=["dive"])
    story.turn(0, GREENS[0])
    story.turn(0, BASES[0], answers=["upgrade airlock"])
    assert (story.boat(0)["airlock"], story.boat(0)["divers"]) == (2, 1)
    story.turn(0, GREENS[1])
    story.game.boat[0, YELLOW] = 1
    story.turn(0, BASES[2], answers=["upgrade airlock"])
    assert (story.boat(0)["airlock"], story.boat(0)["divers"]) == (3, 2)


def test_the_aid_works_at_the_end_of_all_three_rounds() -> None:
    story = Story(players=2)
    asked = set()
    while not story.match.over:
        if int(story.game.phase) == AID:
            asked.add(int(story.game.depth))
            assert story.match.view(0)["prompt"]["key"] == "prompt.aid"
            story.match.play(0, "upgrade propeller")
            story.game.boat[0, PROPELLER] = 1
            story.game.boat[0, GREEN] = 0
        else:
            story.game.boat[0, GREEN] = 1
            story.game.boat[0, YELLOW] = 0
        if not story.match.over:
            story.step()
    assert asked == {0, 1, 2}


def test_declining_keeps_the_crystals_also_over_a_rounds_end() -> None:
    story = Story()
    story.turn(1, GREENS[0])
    assert len(story.turn(1, BASES[0], answers=["pass"])) == 1
    assert story.boat(1)["green"] >= 1
    story.finish_round()
    assert story.boat(1)["green"] >= 1
    assert int(story.game.depth) == 1


def test_crystals_of_a_card_become_pending_after_its_diver() -> None:
    story = Story()
    story.turn(1, CHEST_WITH_GREEN, answers=["dive"])
    assert story.boat(1)["green"] == 1


def test_the_player_aid_is_a_base_for_everyone_with_crystals() -> None:
    story = Story()
    for seat in range(3):
        story.game.boat[seat, GREEN] = int(seat > 0)
    while int(story.game.phase) != AID:
        story.step()
    for seat in range(3):
        boat = story.boat(seat)
        owes = boat["green"] + boat["yellow"] > 0
        assert (seat in story.match.pending) == owes
    seat = story.match.pending[0]
    assert upgrades(story.match.moves(seat)) == list(PARTS)


def test_a_propeller_and_an_aquarium_improved_at_the_aid_count_at_once() -> None:
    story = Story()
    while int(story.game.phase) != AID:
        story.game.boat[1:, GREEN] = 1
        story.step()
    for column, card in enumerate(("1-15", "1-26", "1-07", "1-08", "1-10")):
        story.game.rows[2, 0, column] = number(card)
    story.game.row_size[2, 0] = 5
    story.game.rows[2, 0, 5:] = 0
    story.match.play(1, "upgrade propeller")
    story.match.play(2, "upgrade aquarium")
    while int(story.game.depth) == 0:
        story.step()
    assert story.match.scores
    assert sheet(story.game, 1)["propeller1"] == 2
    assert sheet(story.game, 2)["animals1"] == 10, (
        "clownfish, crab, seahorse, jellyfish, shark of six"
    )


def test_the_players_aid_is_never_a_cell_and_offers_no_diver() -> None:
    story = Story()
    while int(story.game.phase) != AID:
        story.game.boat[1, GREEN] = 1
        story.step()
    assert not any(
        move == "dive" for seat in story.match.pending for move in story.match.moves(seat)
    )


def test_fuel_from_a_motor_improved_at_the_aid_is_there_after_the_refill() -> None:
    story = Story()
    while int(story.game.phase) != AID:
        story.game.boat[1, GREEN] = 1
        story.step()
    story.match.play(1, "upgrade motor")
    story.finish_round()
    assert story.boat(1)["fuel"] == 2

"""Crystals, bases and the player aid."""

from __future__ import annotations

from oceanos.setting import (
    BASES,
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
    GREEN,
    PARTS,
    PROPELLER,
)


def test_both_colours_offer_parts_of_level_one_and_two_but_not_three() -> None:
    story = Story()
    story.game.boat[1, PROPELLER] = 3
    story.game.boat[1, COCKPIT] = 2
    story.turn(1, GREENS[0], YELLOWS[0])
    (offer,) = story.turn(1, BASES[0], answers=["upgrade cockpit"])
    assert upgrades(offer) == ["motor", "cockpit", "aquarium", "airlock"]
    assert story.boat(1)["cockpit"] == 3


def test_one_colour_offers_parts_of_level_one_only_however_many_crystals() -> None:
    story = Story()
    story.game.boat[1, COCKPIT] = 2
    story.turn(1, GREENS[0], GREENS[1])
    (offer,) = story.turn(1, BASES[0])
    assert upgrades(offer) == ["propeller", "motor", "aquarium", "airlock"]


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

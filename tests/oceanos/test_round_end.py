"""A round's end: animals, propeller, the Kraken, fuel."""

from __future__ import annotations

import pytest

from oceanos.setting import (
    CHEST,
    DATA,
    Story,
    scored,
    sheet,
    table,
)
from pelagos.games.oceanos import rules
from pelagos.games.oceanos.state import (
    AQUARIUM,
    MOTOR,
    PROPELLER,
)


def test_animals_score_two_for_each_species_of_the_row_up_to_the_aquarium() -> None:
    row = "1-15 1-26 1-07 1-08 1-20"  # clownfish crab, seahorse jellyfish, shark, whale, manta
    assert [sheet(scored(row, "1-40", aquarium=level))["animals1"] for level in (1, 2, 3)] == [
        6,
        10,
        14,
    ]


def test_in_a_house_reading_the_animals_of_all_rows_so_far_score_each_species_once() -> None:
    rows = (
        "1-15 1-26",
        "2-09 2-13",
        "3-24",
    )  # four species, two, one known
    points = []
    for all_dives in (0, 1):
        game = table(rows, ("1-40",))
        game.all_dives = all_dives
        game.boat[0, AQUARIUM] = 3
        for depth in range(3):
            game.depth = depth
            rules.score_animals(game, DATA)
        points.append([sheet(game)[f"animals{depth}"] for depth in (1, 2, 3)])
    assert points == [[8, 4, 2], [8, 10, 10]]


def test_a_species_shown_twice_scores_once() -> None:
    assert sheet(scored("1-20 1-40", "1-07"))["animals1"] == 2


def test_the_propeller_gives_nothing_two_and_five() -> None:
    story = Story()
    story.game.boat[1, PROPELLER] = 2
    story.game.boat[2, PROPELLER] = 3
    story.finish_round()
    assert [sheet(story.game, seat)["propeller1"] for seat in range(3)] == [0, 2, 5]


def test_all_who_tie_for_most_eyes_lose_the_token_in_full() -> None:
    game = scored("1-15 1-07", "1-30", "1-14")  # two eyes, two eyes, one
    assert [sheet(game, seat)["kraken1"] for seat in range(3)] == [-2, -2, 0]
    assert int(game.flipped) == 1


def test_without_any_eye_the_token_stays_unseen_and_nobody_loses() -> None:
    game = scored("1-07", "1-08")
    assert [sheet(game, seat)["kraken1"] for seat in range(2)] == [0, 0]
    assert int(game.flipped) == 0


def test_eyes_of_earlier_rounds_do_not_count() -> None:
    game = table(["1-15 1-30", "2-09", ""], ["1-07", "2-01", ""])
    game.depth = 1
    game.kraken[1, 0] = -3
    rules.score_kraken(game, DATA)
    assert [sheet(game, seat)["kraken2"] for seat in range(2)] == [0, -3]


def test_the_round_has_its_own_kraken_token_and_only_a_turned_one_is_known() -> None:
    story = Story()
    sizes = ("small", "average", "big")
    while not story.match.over:
        depth = int(story.game.depth)
        kraken = story.match.view(1)["facts"]["kraken"]
        for at, size in enumerate(sizes):
            turned = int(story.game.flipped) >> at & 1
            assert at < depth or not turned
            assert isinstance(kraken[size], int) == bool(turned)
        story.finish_round()
        eyes = [int(rules.eyes_of(story.game, DATA, seat, depth)) for seat in range(3)]
        assert max(eyes) > 0, "the plain game of this seed has eyes in every round"
        token = int(story.game.kraken[depth, 0])
        assert story.match.view(1)["facts"]["kraken"][sizes[depth]] == token
        losses = [sheet(story.game, seat)[f"kraken{depth + 1}"] for seat in range(3)]
        assert losses == [token if count == max(eyes) else 0 for count in eyes]


@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_motor_gives_its_level_in_fuel_each_round_and_no_more(level: int) -> None:
    """All that it gave is spent, as soon as it may be, and comes back for the next round."""
    story = Story(players=2)
    story.game.boat[0, MOTOR] = level
    story.finish_round()
    assert story.boat(0)["fuel"] == level
    spent = 0
    while int(story.game.depth) == 1:
        fuel = [move for move in story.match.moves(0) if move.startswith("fuel")]
        if fuel:
            story.match.play(0, fuel[0])
            spent += 1
        else:
            story.step()
    assert spent == level
    assert story.boat(0)["fuel"] == level


def test_divers_stay_where_they_are_and_are_not_refilled() -> None:
    story = Story()
    story.turn(1, CHEST, answers=["dive"])
    story.finish_round()
    assert story.boat(1)["divers"] == 0
    assert int(story.game.dived[1]) == 1


def test_reef_and_treasure_stand_at_nothing_before_the_end() -> None:
    story = Story()
    story.turn(1, CHEST, answers=["dive"])
    story.turn(1, "1-39")
    lines = sheet(story.game, 1)
    assert lines["reef"] == lines["treasure"] == 0

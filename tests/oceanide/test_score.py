"""The score sheet and the tie-break."""

from __future__ import annotations

from typing import Any

import pytest

from oceanide.setting import IDS, VALUES, Table, sheet
from pelagos.games.oceanide import invariant
from pelagos.games.oceanide.state import KING, OVER


def scored(*seats: tuple[str, int, int, int]) -> Table:
    """A finished game: each seat's sets, showcase, cards in hand, thieves received."""
    table = Table(*["" for _ in seats], more="thief")
    table.game.phase = OVER
    for seat, (sets, shown, hand, thieves) in enumerate(seats):
        for name in sets.split():
            table.game.sets[seat, IDS.index(name)] += 1
        for kind in range(shown):
            invariant.receive(table.game, seat, kind)
        for _ in range(hand):
            invariant.receive(table.game, seat, KING)
        table.game.thieves[seat] = thieves
    return table


def test_the_rulebooks_example_adds_up_to_41() -> None:
    table = scored(("star rum sun fareye scales", 5, 2, 3), ("", 0, 0, 0))
    assert [VALUES[name] for name in ["star", "rum", "sun", "fareye", "scales"]] == [5, 6, 7, 5, 5]
    assert table.points(0) == sheet(sets=28, showcase=5, hand=2, thieves=6)
    assert table.position.scores[0] == 41


def test_a_set_scores_its_value_once() -> None:
    assert scored(("rum", 0, 0, 0), ("", 0, 0, 0)).points(0) == sheet(sets=6)


def test_thieves_and_kings_in_hand_score_one_each() -> None:
    assert Table("thief king king rum", "sun").points(0) == sheet(showcase=1, hand=3)


@pytest.mark.parametrize(
    ("first", "other", "winners"),
    [
        (("rum", 0, 0, 0), ("", 5, 0, 0), [0]),
        (("sun", 0, 0, 0), ("trident button", 1, 0, 0), [0]),
        (("trident moon", 0, 0, 0), ("sun", 0, 0, 0), [1]),
        (("sun star", 0, 0, 0), ("sun moon", 1, 0, 0), [0]),
        (("sun trident", 0, 0, 0), ("sun", 3, 0, 0), [0]),
        (("", 2, 0, 0), ("", 0, 0, 1), [0, 1]),
        (("sun rum", 0, 0, 0), ("heart fang", 0, 0, 0), [0, 1]),
        (("rum rum", 0, 0, 0), ("heart star", 0, 0, 0), [1]),
    ],
    ids=[
        "more points",
        "the most precious set",
        "not the number of sets",
        "then the second set",
        "a missing set loses to any",
        "no sets: shared",
        "equal values: shared",
        "one set of 7 before two of 6",
    ],
)
def test_a_tie_is_broken_by_the_most_precious_sets(
    first: Any, other: Any, winners: list[int]
) -> None:
    assert scored(first, other).position.winners == winners


def test_the_win_is_shared_by_those_tied_alone() -> None:
    table = scored(("sun", 0, 0, 0), ("rum", 1, 0, 0), ("heart", 0, 0, 0))
    assert table.position.scores == [7, 7, 7]
    assert table.position.winners == [0, 2]

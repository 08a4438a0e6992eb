"""The action space: its numbers are those of every record and client."""

from __future__ import annotations

import pytest

from pelagos.games.oceanide import GAME
from pelagos.games.oceanide.actions import ACTIONS, PAIRS


def test_the_numbers_stay_what_they_are() -> None:
    assert ACTIONS.table() == [
        (0, 0, "end", ()),
        (1, 1, "king", ()),
        (2, 2, "allow", ()),
        (3, 15, "complete", ("object",)),
        (16, 80, "trade", ("seat", "object")),
        (81, 145, "steal", ("seat", "object")),
        (146, 146, "take_none", ()),
        (147, 147, "take_hand", ()),
        (148, 160, "take_one", ("object",)),
        (161, 238, "take_two", ("objects",)),
    ]
    assert ACTIONS.size == GAME.actions


@pytest.mark.parametrize(
    ("action", "verb", "values"),
    [
        (11, "complete", (8,)),
        (16 + 2 * 13 + 5, "trade", (2, 5)),
        (81 + 4 * 13 + 12, "steal", (4, 12)),
        (161, "take_two", ((0, 1),)),
        (238, "take_two", ((11, 12),)),
    ],
)
def test_an_action_is_read_both_ways(action: int, verb: str, values: tuple[object, ...]) -> None:
    assert ACTIONS.decode(action)[:2] == (verb, values)
    assert ACTIONS.encode(verb, *values) == action


def test_a_pair_has_its_objects_in_the_packs_order() -> None:
    assert ACTIONS.encode("take_two", (5, 5)) == ACTIONS.encode("take_two", (6, 5)) == -1
    assert len(PAIRS) == 13 * 12 // 2

"""The action space: its numbers are those of every record and client."""

from __future__ import annotations

import pytest

from pelagos.games.oceanos import GAME
from pelagos.games.oceanos.actions import ACTIONS, FUELS, KEEPS, UNDERS, UPGRADES
from pelagos.games.oceanos.state import COCKPIT


def test_the_numbers_stay_what_they_are() -> None:
    assert ACTIONS.table() == [
        (0, 0, "pass", ()),
        (1, 1, "done", ()),
        (2, 2, "dive", ()),
        (3, 7, "upgrade", ("part",)),
        (8, 57, "keep", ("card",)),
        (58, 107, "fuel", ("card",)),
        (108, 157, "under", ("card",)),
    ]
    assert ACTIONS.size == GAME.actions


@pytest.mark.parametrize(
    ("action", "verb", "value"),
    [
        (UPGRADES + COCKPIT, "upgrade", "cockpit"),
        (KEEPS + 1, "keep", 1),
        (FUELS + 40, "fuel", 40),
        (UNDERS + 50, "under", 50),
    ],
)
def test_a_part_or_card_is_its_number_further_on(action: int, verb: str, value: object) -> None:
    assert ACTIONS.decode(action)[:2] == (verb, (value,))
    assert ACTIONS.encode(verb, value) == action


def test_there_is_no_card_zero() -> None:
    assert ACTIONS.encode("keep", 0) == ACTIONS.encode("keep", 51) == -1

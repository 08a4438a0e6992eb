"""The action space: the numbers that records, the API and bots rely on."""

from __future__ import annotations

import pytest

from ecosystem.reefs import GAME
from pelagos.games.ecosystem import notation
from pelagos.games.ecosystem.actions import ACTIONS


def test_actions_have_the_numbers_that_they_always_had() -> None:
    assert ACTIONS.size == GAME.actions == 251
    assert ACTIONS.table() == [
        (0, 0, "pass", ()),
        (1, 11, "take", ("species",)),
        (12, 22, "give", ("species",)),
        (23, 64, "place", ("cell",)),
        (65, 106, "drop", ("cell",)),
        (107, 126, "lift", ("cell",)),
        (127, 188, "flip", ("whale_and_card",)),
        (189, 250, "tim", ("whale_and_card",)),
    ]


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (0, "pass"),
        (1, "take coral"),
        (11, "take octopus"),
        (13, "give krill"),
        (23, "place -1,-1"),
        (31, "place 0,0"),
        (73, "drop 0,0"),
        (126, "lift 3,4"),
        (127, "flip 0,0 0,1"),
        (128, "flip 0,0 1,0"),
        (250, "tim 3,4 3,3"),
    ],
)
def test_an_action_is_written_and_read(action: int, words: str) -> None:
    nothing = None
    assert notation.write(nothing, nothing, 0, action) == words  # type: ignore[arg-type]
    assert notation.read(nothing, nothing, 0, words) == action  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "words", ["", "take", "take squid", "place 0", "place +0,0", "flip 0,0 2,0", "Pass", "pass "]
)
def test_words_that_mean_no_action(words: str) -> None:
    assert notation.read(None, None, 0, words) == -1  # type: ignore[arg-type]

"""Where a tie is broken, the end says by what: in the view, on the page, in the terminal."""

from __future__ import annotations

import json
from functools import cache
from itertools import count

import pytest

from conftest import finished
from drawn import draw
from pelagos.engine.match import Match
from pelagos.engine.words import LANGUAGES, words

CASES = {"oceanos": "the levels of the parts", "oceanide": "the most precious set"}


@cache
def tied(game: str) -> Match:
    """The first game by chance that ends with a broken tie."""
    matches = (finished(game, {"players": 5}, seed) for seed in count())
    return next(match for match in matches if match.tie_break)


@pytest.mark.parametrize("case", CASES)
def test_the_end_says_what_broke_a_tie(case: str) -> None:
    match = tied(case)
    best = max(match.scores)
    assert match.scores.count(best) > len(match.winners)
    for viewer in (None, 0, 1):
        view = json.loads(json.dumps(match.view(viewer)))
        said = words(match.game, "en").say(view["tie_break"], match.names)
        assert said.startswith(f"The tie is broken by {CASES[case]}: ")
    for language in LANGUAGES:
        said = words(match.game, language).say(match.view(0)["tie_break"], match.names)
        assert "{" not in said
        assert said.replace("'", "&#39;") in draw(match, language, 0)


@pytest.mark.parametrize("case", CASES)
def test_without_a_tie_nothing_is_said(case: str) -> None:
    matches = (finished(case, {"players": 2}, seed) for seed in count())
    match = next(match for match in matches if len(set(match.scores)) == 2)
    assert match.tie_break is None
    assert "tie_break" not in match.view(0)
    assert "tie-break" not in draw(match, "en", 0)

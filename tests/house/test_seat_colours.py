"""A seat has one colour: on the page, in the words of the terminal, in the rules."""

from __future__ import annotations

import re

import pytest

from pelagos.engine.game import find_game
from pelagos.engine.words import LANGUAGES, own_words, words
from pelagos.web.assets import STATIC
from pelagos.web.rules import rules_of

TOKENS = ("coral", "sun", "kelp", "urchin", "sand", "shell")
"""What tokens.css calls the colours that `seat_colour` has words for."""


def test_the_page_gives_each_seat_its_colour() -> None:
    style = (STATIC / "tokens.css").read_text(encoding="utf-8")
    for seat, token in enumerate(TOKENS):
        rule = re.search(rf"^  \.s{seat},[^{{]*\{{[^}}]*--seat: var\(--(\w+)\)", style, re.M)
        assert rule, seat
        assert rule[1] == token
        for language in LANGUAGES:
            assert own_words(language).has(f"seat_colour.s{seat}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_pieces_and_rules_name_that_colour(language: str) -> None:
    said, rules = words(find_game("ozeanien"), language), rules_of("ozeanien", language)
    assert rules is not None
    for seat in range(2):
        colour = own_words(language).text(f"seat_colour.s{seat}")
        assert f" {colour} " in f" {rules.text} "
        for value in (1, 2, 3):
            assert colour in said.noun(f"explorer-{seat}-{value}").split()

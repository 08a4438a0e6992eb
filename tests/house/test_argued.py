"""Rulings where people argue: both languages, linked from the lines that they are about."""

from __future__ import annotations

import re

import pytest

from pelagos.engine.game import Game, games
from pelagos.engine.words import LANGUAGES
from pelagos.web.rules import argued_of, read_page, rules_of

OURS = [game for game in games().values() if game.package.startswith("pelagos.")]
ours = pytest.mark.parametrize("ours", OURS, ids=lambda game: game.id)


@ours
def test_each_has_both_languages_and_a_ruling_behind_it(ours: Game) -> None:
    english, french = (argued_of(ours.id, language) for language in LANGUAGES)
    assert len(english) >= 5
    assert [ruling.id for ruling in english] == [ruling.id for ruling in french]
    rulings = read_page(ours, "rulings") or ""
    for ruling, other in zip(english, french, strict=True):
        assert f"### {ruling.id}\n" in rulings
        assert ruling.confidence in ("medium", "low", "high")
        assert ruling.text != other.text
        assert "?" in ruling.text
        assert "?" in other.text


@ours
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_lead_to_them_from_their_lines(ours: Game, language: str) -> None:
    page = rules_of(ours.id, language)
    assert page is not None
    linked = set(re.findall(r'href="#(argued-[a-z]+-\d+)"', page.text))
    assert linked == {ruling.anchor for ruling in argued_of(ours.id, language)}


def test_a_foreign_game_needs_none() -> None:
    assert argued_of("minnows", "fr") == ()

"""What holds for every table that a game brings: its art, its words, its style and its script."""

from __future__ import annotations

import random
import re

import pytest

from conftest import random_walk
from drawn import Page, draw, word_keys
from pelagos.engine.game import Game
from pelagos.engine.match import Match
from pelagos.engine.words import LANGUAGES, words
from pelagos.web import art
from pelagos.web.own_table import OwnTable, own_table

EVERY = 12
"""Of so many positions of a game, one is drawn; and the last."""


@pytest.fixture(name="table")
def _table(game: Game) -> OwnTable:
    table = own_table(game.id)
    if table is None:
        pytest.skip("it is drawn as all games are")
    return table


def test_every_symbol_that_is_drawn_is_there(game: Game, table: OwnTable) -> None:
    for players in {game.players[0], game.players[-1]}:
        walk = random_walk(Match.new(game, players=players, seed=players), random.Random(players))
        for ply, match in enumerate(walk):
            if ply % EVERY == 0 or match.over:
                symbols = Page(draw(match)).symbols(game.id)
                assert symbols
                assert symbols <= art.art_names(game.id)


def test_art_is_nothing_but_drawings(game: Game, table: OwnTable) -> None:
    """No script, no style, no text; and no name but that of a symbol in a file of several."""
    for file in (table.folder.parent / "art").glob("*.svg"):
        drawn = re.sub(r'<symbol id="[\w-]+"', "<symbol", file.read_text(encoding="utf-8"))
        assert not re.search(r"\b(id|style|on\w+)=|<script|<image|<text", drawn), file.name


def test_both_languages_have_the_same_words(game: Game, table: OwnTable) -> None:
    english, french = (words(game, language).table.get("table", {}) for language in LANGUAGES)
    assert word_keys(english) == word_keys(french)


def test_the_style_loads_its_art_alone_and_moves_no_layout(game: Game, table: OwnTable) -> None:
    style = (table.folder / "table.css").read_text(encoding="utf-8")
    assert not re.search(r'url\((?!"art/)', style)
    assert "transition: all" not in style
    assert not re.search(r"transition:[^;]*\b(top|left|width|height|margin)\b", style)


def test_the_script_runs_no_text_and_sets_no_style(game: Game, table: OwnTable) -> None:
    script = (table.folder / "table.js").read_text(encoding="utf-8")
    assert not re.search(r"innerHTML|\beval\b|\.style\b|new Function", script)

"""The aid of every game: everything explains itself, and whatever can't be chosen says why."""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from conftest import SOAK, random_walk
from pelagos.engine.aid import Aid, Explainer, aid_part, all_things, explain
from pelagos.engine.game import Game, games
from pelagos.engine.match import Match
from pelagos.engine.pack import default_pack
from pelagos.engine.view import View
from pelagos.engine.words import LANGUAGES, pack_words

EXPLAINED = [game for game in games().values() if aid_part(game) is not None]
STEP = 1 if SOAK else 29
"""Positions from one that is looked at to the next."""


CHECKED: set[tuple[str, str, str]] = set()
"""What was said already: of each game and language the nouns and texts."""


def check_text(match: Match, named: Mapping[str, Any], language: str) -> None:
    """A noun or text can be said in a language; a missing word is an error."""
    key = (match.game.id, language, str(named.get("noun") or named["key"]))
    if key in CHECKED:
        return
    CHECKED.add(key)
    words = pack_words(match.pack, language)
    if "noun" in named:
        assert words.has(f"noun.{named['noun']}"), named
    else:
        assert words.has(named["key"]), named
    sentence = words.value(named, names=match.names)
    assert sentence
    assert "{" not in sentence, sentence


def check_words(match: Match, aid: Aid) -> None:
    """All that an answer says can be said in every language."""
    for language in LANGUAGES:
        check_text(match, aid["name"], language)
        for named in (aid["kind"], aid["rule"], aid["why"]):
            if named is not None:
                check_text(match, named, language)
        for part in aid["parts"]:
            check_text(match, part["rule"], language)
        for row in (*aid["now"], *aid["more"]):
            check_text(match, row["reason"], language)


def material(game: Game) -> Iterator[str]:
    """The ids of all that the game's pack lists."""
    for name, text in default_pack(game).files.items():
        if name.endswith(".csv"):
            for row in csv.DictReader(text.splitlines()):
                kind = name.removesuffix("s.csv")
                named = row.get("id") or row.get("card_id") or row.get("kind")
                yield named or f"{kind}-{row['value']}"


@pytest.mark.parametrize("boxed", EXPLAINED, ids=lambda game: game.id)
def test_everything_in_the_box_has_a_rule(boxed: Game) -> None:
    match = Match.new(boxed, seed=1)
    explainer = Explainer(match, 0)
    listed = [face for group in all_things(match) for face in group["things"]]
    assert len(listed) == len(set(listed))
    for face in dict.fromkeys([*listed, *material(boxed)]):
        aid = explainer.explain(f"thing:{face}")
        assert aid is not None, face
        assert aid["rule"] is not None, face
        check_words(match, aid)
    for line in match.position.lines:
        aid = explainer.explain(f"line:{line}")
        assert aid is not None, line
        assert aid["rule"] is not None, line
        check_words(match, aid)


def subjects(view: View) -> Iterator[str]:
    """All that a person may point at: pieces, cells and around them, places."""
    for piece in view["pieces"]:
        yield f"piece:{piece['key']}"
    for place in view["places"]:
        if place["rows"] and place["columns"]:
            for row in range(-1, place["rows"] + 1):
                for column in range(-1, place["columns"] + 1):
                    yield f"cell:{place['key']}:{row},{column}"
        yield f"place:{place['key']}"


@pytest.mark.parametrize(
    ("boxed", "players"),
    [(game, players) for game in EXPLAINED for players in game.players],
    ids=lambda value: value.id if isinstance(value, Game) else str(value),
)
def test_what_lies_there_explains_itself_and_says_why_not(boxed: Game, players: int) -> None:
    match = Match.new(boxed, players=players, seed=players)
    choices = random.Random(players)
    refused = 0
    for number, position in enumerate(random_walk(match, choices)):
        if number % STEP and not position.over:
            continue
        pending = position.pending or (0,)
        for viewer in {choices.choice(pending), choices.randrange(players), None}:
            view = position.view(viewer)
            tries = number % (2 * STEP) == 0
            explainer = Explainer(position, viewer, previews=tries)
            for of in subjects(view):
                aid = explainer.explain(of)
                assert aid is not None, of
                check_words(position, aid)
                if of.startswith("piece:"):
                    assert aid["rule"] is not None, aid
                if viewer is None or aid["can"]:
                    assert aid["why"] is None, aid
                    continue
                if of.startswith("place:"):  # what lies there is chosen, not the place
                    continue
                assert aid["why"] is not None, (aid, view["prompt"])
                if viewer in position.pending:
                    assert aid["why"]["key"].startswith("why."), (aid, view["prompt"])
                    refused += 1
    assert refused > 20


def test_a_game_without_an_aid_is_explained_as_far_as_its_view_tells() -> None:
    match = Match.new("minnows", seed=1)
    assert aid_part(match.game) is None
    for piece in match.view(0)["pieces"]:
        aid = explain(match, 0, f"piece:{piece['key']}")
        assert aid is not None
        check_words(match, aid)


@pytest.mark.parametrize("of", ["", "piece:", "piece:nobody", "cell:", "cell:grid0:", "thing:x"])
def test_what_is_not_there_is_not_explained(of: str) -> None:
    for game in games().values():
        assert explain(Match.new(game, seed=1), 0, of) is None

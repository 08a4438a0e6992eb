"""The ladder's creatures: in both languages, from weak to strong, and on no card of any game."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest

from pelagos.bots import LADDER, UnknownBot, find_bot, find_creature, told_against
from pelagos.bots.ladder import MEASURED
from pelagos.engine.game import Game
from pelagos.engine.pack import default_pack
from pelagos.engine.words import LANGUAGES, words

FORMER = {"starfish": "random", "hermit": "greedy", "turtle": "flat"}


def texts(table: Any) -> Iterator[str]:
    """Every text in a table of words, whatever its depth."""
    if isinstance(table, str):
        yield table
    else:
        for part in table.values():
            yield from texts(part)


def single_words(text: str) -> set[str]:
    """A text's words, with a plural's s taken off."""
    return {word.removesuffix("s") for word in re.findall(r"[^\W\d_]+", text.casefold())}


def test_every_rung_has_a_name_and_a_word_about_it_in_both_languages() -> None:
    assert len(LADDER) == 7
    assert len({creature.id for creature in LADDER}) == 7
    for creature in LADDER:
        assert find_bot(creature.bot).name == creature.bot
        for said in (creature.names, creature.about):
            assert set(said) == set(LANGUAGES)
            assert all(said.values())


SAME_ANIMALS = {
    "winkle": ("periwinkle", "snail", "bigorneau", "bulot", "escargot"),
    "puffin": ("auk", "macareux", "pingouin"),
    "otter": ("loutre",),
    "dolphin": ("porpoise", "dauphin", "marsouin"),
    "swordfish": ("marlin", "espadon", "makaire"),
    "albatross": ("petrel", "albatros", "pétrel"),
    "orca": ("orcas", "killer", "orque", "épaulard"),
}
"""What else people call a creature. (A whale is no orca: Ecosystem's is a baleen whale.)"""


def test_no_thing_of_any_game_shares_a_word_with_a_creature(game: Game) -> None:
    for language in LANGUAGES:
        table = words(game, language).table
        things = set().union(*(single_words(noun) for noun in texts(table["noun"])))
        assert len(things) > 3
        things |= single_words(" ".join(default_pack(game).files.values()))
        for creature in LADDER:
            called = single_words(creature.names[language]) | {*SAME_ANIMALS[creature.id]}
            assert not called & things, (creature.id, called & things)


def test_a_beginner_is_told_what_to_expect_of_each_creature(game: Game) -> None:
    """Where it was measured; the stronger a creature, the fewer games the beginner wins."""
    file = files(game.package) / MEASURED
    if not file.is_file():
        assert game.package.partition(".")[0] != "pelagos"
        assert told_against(game, LADDER[0], "en") == ""
        return
    measured = json.loads(file.read_text("utf-8"))
    assert measured["players"] == game.default_players
    assert list(measured["against"]) == [creature.id for creature in LADDER]
    for creature in LADDER:
        ends = measured["against"][creature.id]
        assert ends["games"] >= 2 * game.default_players
        against = told_against(game, creature, "en")
        beginner = str(round(ends["beginner"])).replace("-", "\u2212")
        assert f"a beginner scores about {beginner} against its" in against
        assert str(abs(round(ends["creature"]))) in told_against(game, creature, "fr")
    wins = [measured["against"][creature.id]["wins"] for creature in LADDER]
    assert wins[0] > wins[1] > wins[-1] or wins[0] > wins[1] == wins[-1] == 0


@pytest.mark.parametrize(("former", "bot"), FORMER.items())
def test_a_creature_is_found_by_its_former_id(former: str, bot: str) -> None:
    creature = find_creature(former)
    assert creature.bot == bot
    assert creature is find_creature(creature.id)
    assert creature.id != former


@pytest.mark.parametrize("name", ["", "kraken", "Otter"])
def test_whoever_is_not_on_the_ladder_is_not_found(name: str) -> None:
    with pytest.raises(UnknownBot, match="there are: winkle, puffin, otter, dolphin, swordfish"):
        find_creature(name)


def test_a_seat_is_called_by_the_creatures_name_in_the_readers_language() -> None:
    assert find_creature("otter").name_of("Otter", "fr") == "Loutre"
    assert find_creature("otter").name_of("Otter 2", "fr") == "Loutre 2"
    assert find_creature("otter").name_of("Sea turtle 3", "en") == "Otter 3"
    assert find_creature("otter").name_of("Sea turtle", "fr") == "Loutre"
    assert find_creature("dolphin").name_of("Dolphin 2", "fr") == "Dauphin 2"

"""Minnows, a game from a package of its own: all that it brings, used everywhere."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator

import pytest

from drawn import Page, check_clean, draw
from pelagos.engine.errors import BadRecord, PelagosError
from pelagos.engine.game import find_game
from pelagos.engine.match import Match
from pelagos.engine.words import LANGUAGES
from pelagos.tables import acts, message
from pelagos.tables.table import fold
from pelagos.web import assets

GAME = find_game("minnows")


def games(players: int = 3, **options: bool) -> Iterator[Match]:
    """A match before every move of a game by chance, and after the last."""
    match = Match.new(GAME, players=players, seed="pond", **options)
    chance = random.Random(players)
    while not match.over:
        yield match
        seat = chance.choice(match.pending)
        match.play(seat, chance.choice(match.legal(seat)))
    yield match


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("viewer", [None, 0, 2])
def test_its_own_table_is_drawn_whole_in_every_phase(language: str, viewer: int | None) -> None:
    prompts = set()
    for match in games():
        view = match.view(viewer)
        prompts.add(view["prompt"]["key"])
        text = draw(match, language, viewer)
        page = Page(text)
        check_clean(page)
        assert 'class="pond"' in text
        values = {button["value"] for button in page.buttons}
        assert values == {str(choice["action"]) for choice in view["choices"]}
    assert viewer is None or prompts >= {"prompt.bid", "prompt.rob"}


def test_its_style_script_and_art_are_served() -> None:
    style, script = (assets.find("minnows", name) for name in ("table.css", "table.js"))
    assert style is not None
    assert b"@layer game" in style
    assert script is not None
    assert b"pelagos:choose" in script
    sprite = assets.find("minnows", "sprite.svg")
    assert sprite is not None
    for card in GAME.part("state").CARDS:
        assert f'id="{card}"'.encode() in sprite
    assert assets.find("minnows", "rules.py") is None


def test_nobody_robs_in_calm_waters() -> None:
    def moves(calm: bool) -> set[str]:
        matches = games(4, calm=calm)
        return {move for match in matches for seat in match.pending for move in match.moves(seat)}

    assert any(move.startswith("rob ") for move in moves(calm=False))
    assert all(move.startswith("bid ") for move in moves(calm=True))


def test_discards_lie_face_down_in_murky_water() -> None:
    (option,) = GAME.table_options
    shown = set()
    for match in games():
        clear, murky = (
            [
                piece
                for piece in match.view(0, options={option.name: is_on})["pieces"]
                if piece["place"] == "discards"
            ]
            for is_on in (False, True)
        )
        assert sum(piece["count"] for piece in clear) == sum(piece["count"] for piece in murky)
        assert {piece["face"] for piece in murky} <= {None}
        shown |= {piece["face"] for piece in clear}
    assert len(shown) > 3


def test_its_table_option_is_offered_kept_and_followed_at_a_table() -> None:
    (create,) = acts.create("minnows", {"players": 2}, None, table_options={"murky": True})
    table = fold("t", [create])
    assert table.table_options == {"murky": True}
    assert message.about(table)["table_options"] == {"murky": True}
    with pytest.raises(PelagosError, match="closed"):
        acts.create("minnows", {"players": 2}, None, table_options={"closed": True})
    with pytest.raises(PelagosError, match="yes"):
        acts.create("minnows", {"players": 2}, None, table_options={"murky": "yes"})


def test_who_has_caught_nothing_cannot_be_robbed_and_the_view_says_so() -> None:
    times = 0
    for match in games(4):
        for seat in match.pending:
            view = match.view(seat)
            for key, why in view["why"].items():
                assert why["key"] == "why.no_catch"
                assert not [piece for piece in view["pieces"] if piece["place"] == key]
                assert not [choice for choice in view["choices"] if choice["place"] == key]
                times += 1
    assert times


def test_its_refusals_are_told_in_both_languages() -> None:
    record = Match.new(GAME, players=2, seed=1).record()
    del record["seed"]
    record["deal"]["deck"][0] = "whale"
    with pytest.raises(BadRecord) as caught:
        Match.replay(record)
    assert "which is no card" in caught.value.say("en")
    assert "n'est pas une carte" in caught.value.say("fr")


def test_its_evaluation_makes_greedy_better_than_chance() -> None:
    command = [sys.executable, "-m", "pelagos.cli", "arena", "minnows", "greedy", "random"]
    command += ["--players", "2", "--games", "100", "--seed", "pond", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["bots"]["greedy"]["win_rate"] > 0.7

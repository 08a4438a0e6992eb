"""Oceanos' own table: it draws every phase, for every number of players, in both languages."""

from __future__ import annotations

import json
import random
import re
import tomllib
from functools import cache
from html import unescape
from pathlib import Path

import pytest

from drawn import Page, check_clean, draw
from oceanos.setting import BASES, Story, second_chest_below_a_diver
from pelagos.engine.match import Match
from pelagos.engine.view import text
from pelagos.engine.words import LANGUAGES
from pelagos.games.oceanos import view
from pelagos.games.oceanos.state import GREEN, PARTS
from pelagos.games.oceanos.table import table
from pelagos.games.oceanos.table.pictures import FLAT, card_symbols, flat_symbols

FOLDER = Path(table.__file__).parent.parent
NAMES = ["Mira", "Bo", "Inès", "Théo", "Maximilienne-Alexandrine de la Tour d'Auvergne"]
STAGES = ["keep", "extra", "dive", "upgrade", "wait", "over"]
TABLES = [(2, False), (3, False), (4, False), (5, False), (3, True), (5, True)]
CASES = [
    (players, troubled, stage)
    for players, troubled in TABLES
    for stage in (["under"] if players == 2 else []) + STAGES
]


def stage_of(match: Match, seat: int = 0) -> str:
    """Which decision the seat has before it, as the table calls it."""
    if match.over:
        return "over"
    moves = match.moves(seat)
    if not moves:
        return "wait"
    kind = moves[-1].split()[0]
    return {"fuel": "extra", "dive": "dive"}.get(kind, kind)


@cache
def games(players: int, troubled: bool = False) -> dict[str, list[Match]]:
    """Positions of a few games by what seat 0 has to do; everyone likes crystals and fuel."""
    by_stage: dict[str, list[Match]] = {}
    for seed in range(8):
        chance = random.Random(seed)
        match = Match.new(
            "oceanos", players=players, seed=seed, names=NAMES[:players], troubled=troubled
        )
        while True:
            kept = by_stage.setdefault(stage_of(match), [])
            if len(kept) < 4:
                kept.append(match.copy())
            elif chance.random() < 0.1:
                kept[chance.randrange(4)] = match.copy()
            if match.over:
                break
            seat = chance.choice(match.pending)
            moves = match.moves(seat)
            liked = [move for move in moves if move.startswith(("fuel", "upgrade", "dive"))]
            match.play(seat, chance.choice(liked if liked and chance.random() < 0.8 else moves))
        if {stage for _, _, stage in CASES if stage != "under" or players == 2} <= by_stage.keys():
            return by_stage
    raise AssertionError(f"Not all phases came up: {sorted(by_stage)}.")


def check(drawn: str, match: Match, viewer: int | None = 0) -> Page:
    """What must hold of every drawing."""
    page = Page(drawn)
    legal = sorted(match.legal(viewer)) if viewer is not None else []
    assert sorted(int(attrs["value"]) for attrs in page.buttons) == legal
    check_clean(page)
    return page


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("players", "troubled", "stage"), CASES)
def test_every_phase_is_drawn(players: int, troubled: bool, stage: str, language: str) -> None:
    for match in games(players, troubled)[stage]:
        page = check(draw(match, language), match)
        (root,) = page.classes("div", "ocean")
        assert root["data-stage"] == stage
        laid = [
            piece
            for piece in match.view(0)["pieces"]
            if piece["place"].startswith(("rows", "kept"))
        ]
        assert len(page.classes("div", "laid")) == len(laid)


def test_a_row_may_have_eight_cards() -> None:
    match = Match.new("oceanos", players=2, seed=2, names=NAMES[:2])
    chance = random.Random(2)
    longest = 0
    while not match.over and longest < 8:
        seat = chance.choice(match.pending)
        moves = match.moves(seat)
        liked = [move for move in moves if move in ("upgrade motor", "upgrade cockpit")]
        liked = liked or [move for move in moves if move.startswith("fuel")]
        match.play(seat, (liked or [move for move in moves if move != "pass"] or moves)[0])
        rows = [piece["at"] or [] for piece in match.view(0)["pieces"] if piece["place"] == "rows0"]
        longest = max(longest, *(at[1] + 1 for at in rows), 0)
    assert longest == 8
    check(draw(match), match)


@pytest.mark.parametrize(("players", "troubled"), TABLES)
def test_a_spectator_sees_the_table(players: int, troubled: bool) -> None:
    for stage in ("keep", "wait", "over"):
        match = games(players, troubled)[stage][0]
        check(draw(match, viewer=None), match, None)


def test_an_absent_player_is_told() -> None:
    match = next(waiting for waiting in games(3)["wait"] if 1 in waiting.pending)
    here, away = (check(draw(match, away=seat), match) for seat in (-1, 1))
    assert "away" in " ".join(away.texts)
    assert "away" not in " ".join(here.texts)


def test_what_is_chosen_may_be_changed() -> None:
    match = next(waiting for waiting in games(4)["wait"] if 0 in waiting.view(0)["phase"])
    page = check(draw(match, own={"undo": True}), match)
    assert [attrs for tag, attrs in page.tags if tag == "button" and attrs.get("id") == "undo"]


def test_previews_may_be_off() -> None:
    match = games(3)["keep"][2]
    page = check(draw(match, previews=False), match)
    assert page.classes("button", "card", "choice")
    assert not page.classes("b", "plus")
    assert not [attrs for attrs in page.classes("button", "choice") if attrs.get("data-lines")]


def test_two_cards_tell_what_they_bring_together() -> None:
    """The numbers are those of playing both, and so is what the second will ask; fuel buys it."""
    seen = asked = 0
    for match in games(3)["keep"]:
        page = check(draw(match), match)
        (root,) = page.classes("div", "ocean")
        now = match.view(0)["standing"][0]["total"]
        cards = page.classes("button", "card", "choice")
        for card in cards:
            pairs = json.loads(card.get("data-follow", "[]")) if root["data-spare"] != "0" else []
            assert len([pair for pair in pairs if pair["piece"]]) in (0, len(cards) - 1)
            asks = json.loads(card["data-asks"])
            for pair in pairs:
                tried = match.copy()
                tried.play(0, int(card["value"]))
                later = {choice["notation"]: choice for choice in tried.view(0)["choices"]}[
                    pair["move"]
                ]
                assert pair["gain"] == sum(later["preview"].values()) - now
                if pair["piece"]:
                    asks_then = asks.get(pair["piece"])
                    assert bool(asks_then) == bool(later["asks"])
                    asked += bool(asks_then)
                    seen += 1
    assert seen
    assert asked


def test_the_page_promises_a_diver_no_chest_that_another_one_brings_up() -> None:
    """Two chests in the column, and a diver on the upper one: the page says one, and draws one."""
    story = second_chest_below_a_diver()
    page = draw(story.match, viewer=1)
    (ask,) = re.findall(r'data-marks="clownfish coral treasure" data-asks="([^"]*)"', page)
    assert json.loads(unescape(ask))[""] == {"art": "diver", "say": "a diver for 1 chest?", "up": 0}
    story.match.play(1, "keep 2-42")
    story.until(1, "dive")
    page = draw(story.match, viewer=1)
    cards = re.findall(r'<button[^>]*way-card".*?</button>', page, re.DOTALL)
    (card,) = [card_html for card_html in cards if "+3" in card_html]
    assert card.count("#treasure") == 1
    assert "Send a diver for 1 chest" in card


def test_a_part_that_cannot_grow_says_why() -> None:
    story = Story()
    story.until(1, "keep")
    story.game.boat[1, : len(PARTS)] = (1, 2, 3, 1, 1)
    story.game.boat[1, GREEN] = 1
    story.hold(1, BASES[0])
    story.match.play(1, f"keep {BASES[0]}")
    story.until(1, "upgrade")
    page = Page(draw(story.match, viewer=1))
    assert len(page.classes("button", "way-card", "off")) == 2
    texts = " ".join(page.texts)
    assert "It is at its highest level." in texts
    assert "From level 2 on it takes crystals of both colours." in texts


def test_what_parts_give_comes_from_the_view(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another rulebook's numbers would be drawn as they are."""
    match = games(3)["keep"][0]
    now = dict(match.view(0)["facts"]["parts"])
    other = {**now, "propeller": text("fact.propeller", level1=7, level2=8, level3=9)}
    monkeypatch.setattr(view, "PARTS_FACT", other)
    assert "7 stars a round" in " ".join(Page(draw(match)).texts)


def test_the_sheet_stands_as_the_game_would_end_now() -> None:
    match = games(4)["keep"][1]
    page = check(draw(match), match)
    totals = {
        attrs["data-seat"]: int(attrs["data-total"])
        for _, attrs in page.tags
        if "data-total" in attrs
    }
    lines: dict[str, int] = {}
    for _, attrs in page.tags:
        if "data-line" in attrs:
            seat = attrs["data-seat"]
            lines[seat] = lines.get(seat, 0) + int(attrs["data-points"])
    assert (
        totals
        == lines
        == {str(sheet["seat"]): sheet["total"] for sheet in match.view(0)["standing"]}
    )


def test_the_reef_and_a_diver_with_two_chests_are_marked() -> None:
    """Rims and bridges where corals touch; a path up to the chest above."""
    reefs = paths = 0
    for match in games(4)["over"] + games(5)["over"] + games(2)["over"]:
        page = check(draw(match), match)
        for sheet in match.view(0)["sheets"]:
            reef = next(line for line in sheet["lines"] if line["key"] == "reef")
            cards = [key for proof in reef["evidence"] for key in proof["pieces"]]
            reefs += len(cards) if len(cards) > 1 else 0
            chests = next(line for line in sheet["lines"] if line["key"] == "treasure")
            paths += sum(len(proof["pieces"]) > 1 for proof in chests["evidence"])
        assert len(page.classes("div", "reef")) == reefs
        assert len(page.classes("span", "path")) == paths
        reefs = paths = 0


@pytest.mark.parametrize("eyes", range(4))
@pytest.mark.parametrize("animals", range(4))
@pytest.mark.parametrize("finds", range(6))
def test_whatever_a_card_carries_stands_on_it(eyes: int, animals: int, finds: int) -> None:
    marks = ["seahorse", "shark", "whale"][:animals]
    marks += ["coral", "treasure", "base", "green", "yellow"][:finds] + ["eye"] * eyes
    drawn = card_symbols("2-07", marks)
    assert sorted(name for name, *_ in drawn) == sorted(marks)
    for _, x, y, size in drawn:
        assert size >= 22
        assert -6 <= x <= 92 - size + 6
        assert -6 <= y <= 128 - size + 2


@pytest.mark.parametrize("eyes", range(4))
@pytest.mark.parametrize("animals", range(4))
@pytest.mark.parametrize("finds", range(6))
def test_whatever_a_card_carries_stands_on_it_when_it_lies_flat(
    eyes: int, animals: int, finds: int
) -> None:
    marks = ["seahorse", "shark", "whale"][:animals]
    marks += ["coral", "treasure", "base", "green", "yellow"][:finds] + ["eye"] * eyes
    drawn = flat_symbols(marks)
    assert sorted(name for name, *_ in drawn) == sorted(marks)
    for _, x, y, size in drawn:
        assert size >= 14
        assert -6 <= x <= 92 - size + 6
        assert -6 <= y <= FLAT - size + 6


def test_every_word_of_the_table_is_used_in_both_languages() -> None:
    tables = [
        tomllib.loads((FOLDER / "words" / f"{language}.toml").read_text(encoding="utf-8"))["table"]
        for language in LANGUAGES
    ]
    assert tables[0].keys() == tables[1].keys()
    parts = sorted((FOLDER / "table" / "parts").glob("*.html"))
    source = "".join(
        file.read_text(encoding="utf-8") for file in [FOLDER / "table" / "table.py", *parts]
    )
    source = re.sub(r"\b(ui|tell)\([^)]*\)", "", source)  # the page's own words
    begun = set(re.findall(r'"table\.(\w*)"', source))
    made = {*table.SHEET, "fuel", "diver", *(f"gives_{part}" for part in PARTS)}
    assert set(tables[0]) == (begun | made) - {"", "gives_"}

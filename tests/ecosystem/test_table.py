"""Ecosystem's own table: it draws every phase, for every number of players, in both languages."""

from __future__ import annotations

import json
import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from markupsafe import Markup

from drawn import Page, check_clean, draw
from pelagos.engine.match import Match
from pelagos.engine.words import LANGUAGES, words
from pelagos.games.ecosystem.table.cards import FORMULAS, RULE_NUMBERS

FOLDER = Path(__file__).parents[2] / "src" / "pelagos" / "games" / "ecosystem"
NAMES = ["Mira", "Bo", "Théa", "Ewan", "Noor", "Zélie"]
STAGES = {
    1: ["take", "place", "lift", "drop", "give", "flip", "over"],
    2: ["take", "place", "lift", "drop", "flip", "wait", "over"],
    3: ["take", "place", "lift", "drop", "flip", "wait", "over"],
    4: ["take", "place", "over"],
    5: ["take", "place", "over"],
    6: ["take", "place", "flip", "wait", "over"],
}
CASES = [(players, stage) for players, stages in STAGES.items() for stage in stages]


def stage_of(match: Match, seat: int = 0) -> str:
    """Which decision the seat has before it, as the table calls it."""
    if match.over:
        return "over"
    moves = match.moves(seat)
    if not moves:
        return "wait"
    if "pass" in moves:
        return "lift"
    kind = moves[0].split()[0]
    return {"tim": "flip"}.get(kind, kind)


@cache
def games(players: int) -> dict[str, list[Match]]:
    """Positions of one game by what seat 0 has to do; it likes octopuses and whales."""
    by_stage: dict[str, list[Match]] = {}
    for seed in range(20):
        chance = random.Random(seed)
        match = Match.new("ecosystem", players=players, seed=seed, names=NAMES[:players])
        while True:
            kept = by_stage.setdefault(stage_of(match), [])
            if len(kept) < 6:
                kept.append(match.copy())
            elif stage_of(match) in ("take", "place") and chance.random() < 0.1:
                kept[chance.randrange(1, 6)] = match.copy()
            if match.over:
                break
            seat = chance.choice(match.pending)
            moves = match.moves(seat)
            liked = [move for move in ("take octopus", "take whale") if move in moves]
            if "pass" in moves and chance.random() < 0.9:
                moves.remove("pass")
            match.play(seat, liked[0] if liked else chance.choice(moves))
        if set(STAGES[players]) <= by_stage.keys():
            return by_stage
    raise AssertionError(f"Not all phases came up: {sorted(by_stage)}.")


def follow(match: Match, seat: int) -> dict[int, list[tuple[str, str, int]]]:
    """For each card that the seat may take, the cells where it may then lay it, and their gain.

    It is played out; others' hidden choices don't matter to it.
    """
    sequels: dict[int, list[tuple[str, str, int]]] = {}
    now = match.scores[seat]
    for action in match.legal(seat):
        tried = match.copy()
        tried.play(seat, action)
        for other in tried.pending:
            if other != seat and stage_of(tried, other) == "take":
                tried.play(other, tried.legal(other)[-1])
        places = [choice for choice in tried.view(seat)["choices"] if choice["group"] == "place"]
        sequels[action] = [
            (choice["notation"], cell_of(choice), sum(choice["preview"].values()) - now)
            for choice in places
        ]
    return sequels


def cell_of(choice: Any) -> str:
    return f"{choice['at'][0]},{choice['at'][1]}"


def check(text: str, match: Match, viewer: int | None = 0) -> Page:
    """What must hold of every drawing."""
    page = Page(text)
    legal = sorted(match.legal(viewer)) if viewer is not None else []
    offered = [f"{attrs['value']} {attrs.get('data-more', '')}".split() for attrs in page.buttons]
    assert sorted(int(action) for actions in offered for action in actions) == legal
    check_clean(page)
    return page


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("players", "stage"), CASES)
def test_every_phase_is_drawn(players: int, stage: str, language: str) -> None:
    for match in games(players)[stage][:3]:
        page = check(draw(match, language), match)
        assert page.classes("div", "eco", f"stage-{stage}")
        cards = page.classes("span", "slab")
        laid = [piece for piece in match.view(0)["pieces"] if piece["place"].startswith("grid")]
        assert len(cards) == len(laid)


@pytest.mark.parametrize("players", sorted(STAGES))
def test_a_spectator_sees_the_table(players: int) -> None:
    for stage in ("take", "over"):
        match = games(players)[stage][0]
        check(draw(match, viewer=None), match, None)


def test_previews_may_be_off() -> None:
    for stage in ("take", "place"):
        match = games(3)[stage][3]
        page = check(draw(match, previews=False), match)
        assert stage == "take" or not page.classes("b", "plus")
        for attrs in page.classes("button", "choice"):
            assert not attrs.get("data-gain")
            assert {sequel["gain"] for sequel in json.loads(attrs.get("data-follow", "[]"))} <= {
                None
            }


@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_card_of_the_hand_tells_where_it_may_go(players: int) -> None:
    for match in games(players)["take"]:
        cells = follow(match, 0)
        page = check(draw(match), match)
        cards = page.classes("button", "choice", "card")
        assert len(cards) == len(match.legal(0))
        places = {cell for sequels in cells.values() for _, cell, _ in sequels}
        assert {button["data-later"] for button in page.classes("button", "later")} == places
        for attrs in cards:
            sequels = json.loads(attrs["data-follow"])
            shown = [(sequel["move"], sequel["at"], sequel["gain"]) for sequel in sequels]
            assert shown == cells[int(attrs["value"])]


def test_what_is_sent_ahead_is_shown() -> None:
    match = games(3)["take"][4].copy()
    taken = match.legal(0)[0]
    wanted = follow(match, 0)[taken][0][1]
    match.play(0, taken)
    drawn = draw(match, own={"ahead": [f"place {wanted}"]})
    (shown,) = check(drawn, match).classes("span", "ahead")
    assert shown["data-at"] == wanted
    assert not check(draw(match), match).classes("span", "ahead")


def test_the_reef_stays_where_it_is_until_the_hands_move() -> None:
    """A card that makes the reef larger moves no other card."""

    def corners(match: Match) -> dict[str, int]:
        """Which cell of the frame each own card lies in."""
        text = draw(match).partition('class="reef')[2].partition('class="reef')[0]
        cells = re.split(r'role="gridcell"', text)[1:]
        ids = [re.search(r'id="(p-card0_\d+)"', cell) for cell in cells]
        return {card[1]: number for number, card in enumerate(ids) if card}

    grown = 0
    for match in games(3)["place"]:
        before = corners(match)
        for action in match.legal(0):
            tried = match.copy()
            tried.play(0, action)
            if stage_of(tried) == "take":
                continue  # the hands have moved
            after = corners(tried)
            assert before.items() <= after.items()
            grown += len(after) > len(before)
    assert grown > 10


def test_templates_and_script_hold_no_number_of_the_rulebook() -> None:
    """They come from the view, or from the rules by `table.py`."""
    for file in (FOLDER / "table" / "parts").glob("*.html"):
        text = re.sub(r"\{#.*?#\}", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
        code = re.findall(r"\{[{%].*?[%}]\}", text, re.DOTALL)
        numbers = {number for part in code for number in re.findall(r"(?<![\w-])\d+\b", part)}
        assert numbers <= {"0", "1"}, file.name
    script = (FOLDER / "table" / "table.js").read_text(encoding="utf-8")
    assert set(re.findall(r"\b\d+", script)) <= {"0", "1"}


def test_every_rule_and_formula_has_the_numbers_of_the_rules() -> None:
    match = games(3)["take"][2]
    pages = {language: draw(match, language) for language in LANGUAGES}
    hand = [piece["face"] for piece in match.view(0)["pieces"] if piece["place"] == "hand"]
    assert hand
    for language, page in pages.items():
        said = words(match.game, language)
        for face in hand:
            rule = said.text(f"table.rule.{face}", RULE_NUMBERS[face])
            assert "{" not in rule
            assert Markup.escape(rule) in page
            assert {str(number) for number in RULE_NUMBERS[face].values()} <= set(
                re.findall(r"\d+", " ".join(FORMULAS[face]))
            )


def test_whales_are_turned_on_the_reef() -> None:
    """Each card that a whale may turn is a button; the whale that acts is told by its data."""
    for match in games(3)["flip"]:
        page = check(draw(match), match)
        choices = match.view(0)["choices"]
        cells = {cell_of(choice) for choice in choices}
        assert {attrs["data-at"] for attrs in page.buttons} == cells
        whales = {piece["key"] for piece in match.view(0)["pieces"] if piece["face"] == "whale"}
        assert {choice["piece"] for choice in choices} <= whales


def test_cells_are_counted_from_one() -> None:
    """No page says a cell as a move does, `0,1`; whales' neighbours are told by row and column."""
    for stage in ("place", "lift", "drop", "flip"):
        for match in games(3)[stage]:
            page = Page(draw(match))
            said = [attrs["data-say"] for attrs in page.classes("button", "listed")]
            labels = [attrs.get("aria-label", "") for attrs in page.buttons]
            for words_of_choice in [*said, *labels]:
                assert not re.search(r"\d,\s?-?\d|-\d", words_of_choice), words_of_choice
    match = games(3)["flip"][0]
    choice = match.view(0)["choices"][0]
    row, column = (number + 1 for number in choice["at"])
    said = [attrs["data-say"] for attrs in Page(draw(match)).classes("button", "listed")]
    assert f"at row {row}, column {column} face down" in said[0]


def test_the_frame_is_no_larger_than_what_is_shown() -> None:
    """A line on each side that may still be laid, and none once all are: 5 by 6 at most."""
    for players in (1, 3, 6):
        for stage in ("take", "place"):
            for match in games(players)[stage]:
                place = next(drawn for drawn in match.view(0)["places"] if drawn["key"] == "grid0")
                classes = re.search(r'class="reef cols-(\d) rows-(\d)', draw(match))
                assert classes
                columns, rows = int(classes[1]), int(classes[2])
                laid = (max(place["rows"], 1), max(place["columns"], 1))
                assert rows == (laid[0] + 2 if laid[0] < 4 else 4)
                assert columns == (laid[1] + 2 if laid[1] < 5 else 5)
    for match in games(3)["drop"] + games(3)["lift"]:
        classes = re.search(r'class="reef cols-(\d) rows-(\d)', draw(match))
        assert classes
        assert int(classes[1]) <= 6
        assert int(classes[2]) <= 5

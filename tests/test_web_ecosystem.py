"""Ecosystem's own table: it draws every phase, for every number of players, in both languages."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from drawn import Page, check_clean, draw
from pelagos.engine.match import Match
from pelagos.engine.words import LANGUAGES, words
from pelagos.web import art

FOLDER = Path(__file__).parent.parent / "src" / "pelagos" / "games" / "ecosystem"
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
    found: dict[str, list[Match]] = {}
    for seed in range(20):
        chance = random.Random(seed)
        match = Match.new("ecosystem", players=players, seed=seed, names=NAMES[:players])
        while True:
            kept = found.setdefault(stage_of(match), [])
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
        if set(STAGES[players]) <= found.keys():
            return found
    raise AssertionError(f"Not all phases came up: {sorted(found)}.")


def follow(match: Match, seat: int) -> dict[int, list[str]]:
    """For each card that the seat may take, the cells where it may then lay it, and their gain.

    It is played out; others' hidden choices don't matter to it.
    """
    found: dict[int, list[str]] = {}
    now = match.scores[seat]
    for action in match.legal(seat):
        tried = match.copy()
        tried.play(seat, action)
        for other in tried.pending:
            if other != seat and stage_of(tried, other) == "take":
                tried.play(other, tried.legal(other)[-1])
        places = [one for one in tried.view(seat)["choices"] if one["group"] == "place"]
        found[action] = [
            f"{one['notation']};{one['at'][0]},{one['at'][1]};{sum(one['preview'].values()) - now}"
            for one in places
        ]
    return found


def check(text: str, match: Match, viewer: int | None = 0) -> Page:
    """What must hold of every drawing."""
    page = Page(text)
    legal = sorted(match.legal(viewer)) if viewer is not None else []
    assert sorted(int(attrs["value"]) for attrs in page.buttons) == legal
    check_clean(page)
    return page


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("players", "stage"), CASES)
def test_every_phase_is_drawn(players: int, stage: str, language: str) -> None:
    for match in games(players)[stage][:3]:
        page = check(draw(match, language), match)
        (root,) = page.classes("div", "eco")
        assert root["data-stage"] == stage
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
            parts = attrs.get("data-follow", "").split("|")
            assert {"".join(part.split(";")[2:]) for part in parts} == {""}


@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_card_of_the_hand_tells_where_it_may_go(players: int) -> None:
    for match in games(players)["take"]:
        cells = follow(match, 0)
        page = check(draw(match), match)
        told = [attrs for attrs in page.classes("button", "choice") if "data-follow" in attrs]
        assert len(told) == len(match.legal(0))
        places = {one.split(";")[1] for found in cells.values() for one in found}
        assert {one["data-later"] for one in page.classes("button", "later")} == places
        for attrs in told:
            parts = attrs["data-follow"].split("|")
            assert [part.rpartition(";")[0] for part in parts] == cells[int(attrs["value"])]


def test_what_is_sent_ahead_is_shown() -> None:
    match = games(3)["take"][4].copy()
    taken = match.legal(0)[0]
    wanted = follow(match, 0)[taken][0].split(";")[1]
    match.play(0, taken)
    drawn = draw(match, own={"ahead": [f"place {wanted}"]})
    (shown,) = check(drawn, match).classes("span", "ahead")
    assert shown["data-at"] == wanted
    assert not check(draw(match), match).classes("span", "ahead")


def test_the_reef_stays_where_it_is_until_the_hands_move() -> None:
    """A card that makes the reef larger moves no other card."""

    def corners(match: Match) -> dict[str, str]:
        text = draw(match)
        whole = re.findall(r'class="spot (r\d c\d)[^>]*>(.*?)</div>', text, re.DOTALL)
        return {
            found[1]: where
            for where, inside in whole
            if (found := re.search(r'id="(p-card0_\d+)"', inside))
        }

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


def test_art_is_clean() -> None:
    names = art.art_names("ecosystem")
    for match in (games(2)["take"][2], games(3)["flip"][0], games(1)["over"][0]):
        used = set(re.findall(r"/static/ecosystem/sprite\.svg\?\w+#([\w-]+)", draw(match)))
        assert used
        assert used <= names
    for file in (FOLDER / "art").glob("*.svg"):
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"\b(id|style|on\w+)=|<script|<image|<text", text), file.name


def test_both_languages_have_the_same_words() -> None:
    game = games(3)["take"][0].game
    tables = [words(game, language).table["table"] for language in LANGUAGES]

    def keys(table: Any, path: str = "") -> set[str]:
        if not isinstance(table, dict) or {"one", "other"} & table.keys():
            return {path}
        return {key for name in table for key in keys(table[name], f"{path}.{name}")}

    assert keys(tables[0]) == keys(tables[1])


def test_style_and_script_are_ours() -> None:
    style = (FOLDER / "table.css").read_text(encoding="utf-8")
    assert not re.search(r"url\((?!art/)", style)
    assert "transition: all" not in style
    assert not re.search(r"transition:[^;]*\b(top|left|width|height|margin)\b", style)
    script = (FOLDER / "table.js").read_text(encoding="utf-8")
    assert not re.search(r"innerHTML|\beval\b|\.style\b|new Function", script)

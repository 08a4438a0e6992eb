"""Océanide's own table: it draws every phase, for every number of players, in both languages."""

from __future__ import annotations

import random
import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from time import time

import pytest

from drawn import Page, check_clean, draw
from pelagos.engine.match import Match
from pelagos.engine.words import LANGUAGES, words
from pelagos.games.oceanide import GAME

FOLDER = Path(str(files(GAME.package)))
NAMES = ["Mira", "Bo", "Théa", "Ewan", "Maximilienne-Alexandra de Rochebrune"]
PLAYERS = range(2, 6)
STAGES = ("act", "take", "king", "wait", "over")
CLOSED = {"closed": True}


def stage_of(match: Match, seat: int = 0) -> str:
    """Which decision the seat has before it, as the table calls it."""
    if match.over:
        return "over"
    moves = match.moves(seat)
    if not moves:
        return "wait"
    return "king" if "allow" in moves else "take" if "take none" in moves else "act"


@cache
def games(players: int) -> dict[str, list[Match]]:
    """Positions by what seat 0 has to do; everyone likes to act."""
    by_stage: dict[str, list[Match]] = {stage: [] for stage in STAGES}
    for seed in range(6):
        chance = random.Random(seed)
        match = Match.new("oceanide", players=players, seed=seed, names=NAMES[:players])
        while True:
            kept = by_stage[stage_of(match)]
            if len(kept) < 12:
                kept.append(match.copy())
            elif chance.random() < 0.2:
                kept[chance.randrange(1, 12)] = match.copy()
            if match.over:
                break
            seat = match.pending[0]
            moves = match.moves(seat)
            if len(moves) > 1 and "end" in moves and chance.random() < 0.8:
                moves.remove("end")
            match.play(seat, chance.choice(moves))
    return by_stage


class Wreck(Page):
    """The table, with what its script reads."""

    @property
    def root(self) -> dict[str, str]:
        (root,) = self.classes("div", "oce")
        return root

    @property
    def pairs(self) -> dict[tuple[str, str], int]:
        """Two objects that may be taken together, and the action that it is."""
        pairs = [pair.split(":") for pair in self.root["data-pairs"].split()]
        return {(*objects.split(","),): int(action) for objects, action in pairs}  # type: ignore[misc]


def check(text: str, match: Match, viewer: int | None = 0) -> Wreck:
    """What must hold of every drawing."""
    page = Wreck(text)
    actions = []
    for attrs in page.buttons:
        actions += [attrs["value"], *attrs.get("data-more", "").split()]
    legal = match.legal(viewer) if viewer is not None else []
    assert sorted([*map(int, actions), *page.pairs.values()]) == sorted(legal)
    picks = {attrs["data-pick"] for attrs in page.classes("button", "pick")}
    assert picks == {kind for pair in page.pairs for kind in pair}
    check_clean(page)
    return page


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("players", PLAYERS)
def test_every_phase_is_drawn(players: int, stage: str, language: str) -> None:
    for match in games(players)[stage]:
        page = check(draw(match, language), match)
        assert page.root["data-stage"] == stage
        assert len(page.classes("div", "slot")) == 13 * players
        shown = [
            piece for piece in match.view(0)["pieces"] if piece["place"].startswith("showcase")
        ]
        assert len(page.classes("div", "has")) == len(shown)


@pytest.mark.parametrize("players", PLAYERS)
def test_a_spectator_sees_the_table_and_no_hand(players: int) -> None:
    for stage in ("act", "king", "over"):
        match = games(players)[stage][-1]
        page = check(draw(match, viewer=None), match, None)
        assert not page.classes("span", "paper")


def test_every_choice_tells_what_it_would_bring() -> None:
    for players in PLAYERS:
        for stage in ("act", "take", "king"):
            for match in games(players)[stage]:
                page = check(draw(match), match)
                effects = {attrs["data-effect"] for _, attrs in page.tags if "data-effect" in attrs}
                paired = set(page.pairs.values())
                assert {str(action) for action in match.legal(0) if action not in paired} <= effects
                assert {kind for pair in page.pairs for kind in pair} <= effects


def test_the_own_hand_is_shown_by_kind_and_others_hands_are_backs() -> None:
    for match in games(3)["act"]:
        view = match.view(0)
        page = check(draw(match), match)
        own = [piece for piece in view["pieces"] if piece["place"] == "hand0"]
        assert len(page.classes("span", "paper")) == sum(piece["count"] for piece in own)
        others = [
            attrs
            for tag, attrs in page.tags
            if tag == "i" and re.fullmatch(r"p-hand[12](_\w+)?-\d+", attrs.get("id", ""))
        ]
        held = [piece for piece in view["pieces"] if piece["place"] in ("hand1", "hand2")]
        assert len(others) == sum(
            piece["count"] if piece["face"] else min(piece["count"], 7) for piece in held
        )


def test_one_who_is_asked_answers_with_or_without_a_king() -> None:
    kings = set()
    for match in games(4)["king"]:
        page = check(draw(match), match)
        assert page.root["data-stage"] == "king"
        kings.add("king" in match.moves(0))
        assert len(page.classes("button", "call")) == len(match.legal(0))
    assert kings == {True, False}


def test_the_clock_and_standing_orders_are_drawn_when_the_table_has_them() -> None:
    match = games(3)["king"][0]
    assert "data-clock-say" not in draw(match)
    orders = {"given": "from-6", "known": ["ask", "from-6", "allow"]}
    page = check(draw(match, "fr", own={"orders": orders}, until=time() + 12), match)
    (clock,) = page.classes("p", "grace")
    assert 10 <= int(clock["data-seconds"]) <= 12
    pressed = {attrs["value"]: attrs["aria-pressed"] for attrs in page.classes("button", "order")}
    assert pressed == {"ask": "false", "from-6": "true", "allow": "false"}
    match = games(3)["act"][0]
    page = check(draw(match, own={"orders": orders}, until=time() + 100), match)
    assert len(page.classes("button", "order")) == 3
    assert [tag for tag, attrs in page.tags if "data-left" in attrs] == ["b"]


def test_no_window_flashes_up_where_a_standing_order_answers() -> None:
    match = games(3)["king"][0]
    page = Wreck(draw(match, own={"owes": False, "ordered": True}))
    assert page.root["data-stage"] == "wait"
    assert not page.buttons
    assert "Your standing order about the King answers." in page.texts
    assert not page.classes("span", "st-move")


def test_closed_collections_tell_how_many_cards_and_no_points() -> None:
    match = max(games(3)["act"], key=lambda played: len(played.record()["moves"]))
    sheets = match.view(0)["sheets"]
    page = check(draw(match, options=CLOSED), match)
    assert len(page.classes("p", "shut")) == 2
    totals = [attrs["data-total"] for _, attrs in page.tags if "data-total" in attrs]
    assert totals == [str(sheets[0]["total"])]
    over = games(3)["over"][0]
    page = check(draw(over, options=CLOSED), over)
    assert not page.classes("p", "shut")
    assert {attrs["data-seat"] for _, attrs in page.tags if "data-total" in attrs} == {*"012"}


def test_closed_collections_hide_others_points_from_the_whole_page() -> None:
    match = max(games(3)["act"], key=lambda played: len(played.record()["moves"]))
    page = check(draw(match, options=CLOSED), match)
    cells = [
        (attrs["data-line"], attrs["data-seat"]) for _, attrs in page.tags if "data-line" in attrs
    ]
    assert {line for line, seat in cells if seat == "0"} == {"sets", "showcase", "hand", "thieves"}
    for seat in ("1", "2"):
        assert {line for line, whose in cells if whose == seat} == {"showcase", "hand"}


def test_an_absent_player_and_one_who_left_are_told() -> None:
    match = games(3)["wait"][0]
    seats = [
        {"name": name, "kind": "human", "bot": None, "taken": True, "ready": False}
        for name in match.names
    ]
    seats[1]["away"] = True
    seats[2]["taken"] = False
    page = check(draw(match, seats=seats), match)
    assert len(page.classes("span", "st-away")) == len(page.classes("span", "st-left")) == 1


def test_an_empty_log_says_so() -> None:
    match = Match.new("oceanide", players=4, seed=3, names=NAMES[:4])
    page = check(draw(match), match)
    assert "Nothing has happened yet." not in page.texts, "the log says who begins"
    match = Match.new("oceanide", players=4, seed=3, names=NAMES[:4])
    match.tells_opening = False
    page = check(draw(match), match)
    assert "Nothing has happened yet." in page.texts


def test_the_end_is_counted_line_by_line() -> None:
    match = games(4)["over"][0]
    page = check(draw(match), match)
    for sheet in match.view(0)["sheets"]:
        seat = str(sheet["seat"])
        cells = {
            attrs["data-line"]: int(attrs["data-points"])
            for _, attrs in page.tags
            if attrs.get("data-seat") == seat and "data-line" in attrs
        }
        assert cells == {line["key"]: line["points"] for line in sheet["lines"]}
        (total,) = {
            attrs["data-total"]
            for _, attrs in page.tags
            if attrs.get("data-seat") == seat and "data-total" in attrs
        }
        assert int(total) == sheet["total"] == sum(cells.values())
    ids = {attrs["id"] for _, attrs in page.tags if "id" in attrs}
    proofs = [attrs["data-of"] for attrs in page.classes("button", "points")]
    assert len(proofs) == sum(
        bool(line["points"]) for sheet in match.view(0)["sheets"] for line in sheet["lines"]
    )
    for _, attrs in page.tags:
        assert set(attrs.get("data-of", "").split()) <= ids


def test_what_is_stolen_flies_from_its_showcase_and_the_thief_stays() -> None:
    match = Match.new("oceanide", players=3, seed=4, names=NAMES[:3])
    chance = random.Random(1)
    while not match.over:
        seat = match.pending[0]
        moves = match.moves(seat)
        if "allow" in moves and "played" in {piece["key"] for piece in match.view(0)["pieces"]}:
            view = match.view(0)
            (wanted,) = [piece for piece in view["pieces"] if "named" in piece["marks"]]
            before = Page(draw(match, viewer=None, options={"closed": False}))
            assert [attrs for _, attrs in before.tags if attrs.get("id") == "p-played"]
            taker = view["facts"]["turn"]["seat"]
            match.play(seat, "allow")
            after = Page(draw(match, viewer=None, options={"closed": False}))
            froms = {
                attrs["id"]: attrs.get("data-from")
                for _, attrs in after.tags
                if "data-fly" in attrs
            }
            old = f"p-{wanted['key'].replace('.', '_')}"
            assert old in froms.values()
            assert froms[f"p-collection{seat}_thief-0"] == "p-played"
            assert taker != seat
            return
        steals = [move for move in moves if move.startswith("steal")]
        match.play(seat, chance.choice(steals or moves))
    raise AssertionError("nobody stole")


def test_every_word_of_the_table_is_used() -> None:
    """Words that nothing asks for would be translated for nobody."""
    sources = [*FOLDER.glob("table/*.py"), *FOLDER.glob("table/parts/*.html")]
    source = "".join(file.read_text(encoding="utf-8") for file in sources)
    table = words(GAME, "en").table["table"]
    shared = {"orders", "total", "winner", "shared", "hidden", "and"}
    for name in set(table) - shared:
        if isinstance(table[name], dict) and not {"one", "other"} & table[name].keys():
            assert f"table.{name}" in source, name
        else:
            assert f'"table.{name}"' in source or f"'table.{name}'" in source, name


def test_the_plain_table_covers_what_is_closed_too() -> None:
    match = max(games(3)["act"], key=lambda played: len(played.record()["moves"]))
    page = Page(draw(match, options=CLOSED, plain=True))
    totals = [attrs["data-total"] for _, attrs in page.tags if "data-total" in attrs]
    assert totals == [str(match.view(0)["sheets"][0]["total"])]
    labels = [attrs["aria-label"] for attrs in page.classes("span", "seat-points")]
    assert labels[1:] == ["points not shown"] * 2

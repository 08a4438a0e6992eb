"""The view: what a choice asks next, why something can't be chosen, where hands go."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from conftest import random_walk
from ecosystem.reefs import GAME, first_octopus, octopus_seat
from pelagos.engine.match import Match
from pelagos.engine.words import LANGUAGES, words


def liking_octopuses(players: int, seed: int) -> Any:
    """A match at every ply of a game in which seat 0 takes whales and octopuses, and lifts."""
    match = Match.new("ecosystem", players=players, seed=seed)
    choices = random.Random(seed)
    while True:
        yield match
        if match.over:
            return
        seat = choices.choice(match.pending)
        moves = match.moves(seat)
        liked = [move for move in ("take octopus", "take whale") if move in moves]
        if "pass" in moves:
            moves.remove("pass")
        match.play(seat, liked[0] if liked else choices.choice(moves))


def asked(view: Any, notation: str) -> list[str]:
    (choice,) = (choice for choice in view["choices"] if choice["notation"] == notation)
    return [text["key"] for text in choice["asks"]]


def reason(view: Any, key: str) -> str:
    return str(view["why"][key]["key"]).removeprefix("why.")


# --- what a choice asks next ----------------------------------------------------------------------


def test_a_card_asks_for_its_cell_and_an_octopus_for_a_lift_and_a_drop() -> None:
    seen = set()
    for match in liking_octopuses(3, 4):
        for seat in match.pending:
            view = match.view(seat, previews=False)
            laid = sum(piece["place"] == f"grid{seat}" for piece in view["pieces"])
            for choice in view["choices"]:
                verb = choice["notation"].split()[0]
                octopus = laid > 0 and (
                    choice["notation"] == "take octopus"
                    or any(
                        piece["key"] == f"chosen{seat}" and piece["face"] == "octopus"
                        for piece in view["pieces"]
                    )
                )
                expected = {
                    "take": ["ask.place", "ask.lift"] if octopus else ["ask.place"],
                    "place": ["ask.lift"] if octopus else [],
                    "lift": ["ask.drop"],
                }.get(verb, [])
                assert [text["key"] for text in choice["asks"]] == expected, choice["notation"]
                seen.add((verb, octopus))
    assert {("take", True), ("place", True), ("lift", False), ("drop", False)} <= seen


def test_what_is_asked_comes_true() -> None:
    """After each choice the seat is asked what it was told."""
    prompts = {"ask.place": "place", "ask.lift": "lift", "ask.drop": "drop", "ask.give": "give"}
    checked = 0
    for match in liking_octopuses(1, 2):
        for choice in match.view(0, previews=False)["choices"]:
            later = match.copy()
            later.play(0, choice["action"])
            prompt = later.view(0, previews=False)["prompt"]["key"].removeprefix("prompt.")
            for text in choice["asks"][:1]:
                assert prompts[text["key"]] == prompt
                checked += 1
    assert checked > 100


# --- why not --------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [1, 2, 3])
def test_reasons_are_about_what_is_there_and_no_choice(players: int) -> None:
    seen = set()
    for seed in range(3):
        for match in liking_octopuses(players, seed):
            for seat in range(players):
                view = match.view(seat, previews=False)
                pieces = {piece["key"]: piece for piece in view["pieces"]}
                places = {place["key"] for place in view["places"]}
                chosen = {
                    f"{choice['place']}:{choice['at'][0]},{choice['at'][1]}"
                    for choice in view["choices"]
                    if choice["at"] is not None
                } | {choice["piece"] for choice in view["choices"]}
                for key, text in view["why"].items():
                    place, _, cell = key.partition(":")
                    assert key in pieces or place in places
                    assert key not in chosen
                    if key in pieces and pieces[key]["at"] is not None:
                        row, column = pieces[key]["at"]
                        assert f"{pieces[key]['place']}:{row},{column}" not in chosen
                    assert not cell or re.fullmatch(r"-?\d,-?\d", cell)
                    seen.add(text["key"].removeprefix("why."))
                    for language in LANGUAGES:
                        said = words(GAME, language).say(text, ["A", "B", "C"])
                        assert said.endswith(".")
                        assert "{" not in said
    wanted = {"take_first", "place_first", "first_card", "not_beside", "too_high", "too_wide"}
    wanted |= {"octopus_first", "lift_first", "apart", "lifted_here", "no_whale", "acted"}
    wanted |= {"give_first"} if players == 1 else {"wait"}
    assert wanted <= seen


def test_a_cell_beyond_the_fifth_column_says_so() -> None:
    match = Match.new("ecosystem", players=1, seed=3)
    for column in range(5):
        match.play(0, next(move for move in match.moves(0) if "octopus" not in move))
        if column < 4:
            match.play(0, f"place 0,{column}")
            match.play(0, match.legal(0)[0])
    view = match.view(0, previews=False)
    assert reason(view, "grid0") == "not_beside"
    assert reason(view, "hand") == "place_first"
    match.play(0, "place 0,4")
    match.play(0, match.legal(0)[0])
    match.play(0, match.legal(0)[0])
    view = match.view(0, previews=False)
    assert reason(view, "grid0:0,5") == reason(view, "grid0:0,-1") == "too_wide"
    assert view["why"]["grid0:0,5"]["params"] == {"size": 5}
    assert "grid0:1,0" not in view["why"]


def test_a_lifted_card_cant_go_back() -> None:
    match = first_octopus()
    seat = octopus_seat(match)
    assert reason(match.view(seat), f"grid{seat}") == "lift_first"
    match.play(seat, "lift 0,0")
    view = match.view(seat)
    (lifted,) = (piece["key"] for piece in view["pieces"] if "lifted" in piece["marks"])
    assert reason(view, lifted) == "lifted_here"


# --- hands go round -------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_view_tells_where_the_hand_goes_and_whence_it_came(players: int) -> None:
    """Whoever the hand goes to has it next turn, and knows whence it came."""
    ring = max(3, players)
    match = Match.new("ecosystem", players=players, seed=6)
    before: list[Any] = []
    for at in random_walk(match, random.Random(6)):
        facts = [at.view(seat, previews=False)["facts"] for seat in range(players)]
        if before and facts[0]["turn"] != before[0]["turn"]:
            for seat in range(players):
                giver = facts[seat].get("comes_from")
                if giver is None:
                    assert facts[seat]["turn"] in (1, 11, 20)
                elif "seat" in giver:
                    assert before[giver["seat"]]["goes_to"] == {"seat": seat}
                else:
                    assert giver == {"noun": "neutral"}
                    step = 1 if facts[seat]["turn"] <= 10 else -1
                    assert (players + step) % ring == seat
        before = facts


def test_points_for_plankton_are_those_of_the_sheets() -> None:
    for players in (1, 2, 4):
        match = Match.new("ecosystem", players=players, seed=1)
        for at in random_walk(match, random.Random(1)):
            view = at.view(None)
            for sheet in view["sheets"]:
                (plankton,) = (line for line in sheet["lines"] if line["key"] == "plankton")
                fact = view["facts"]["plankton_points"][str(sheet["seat"])]
                assert plankton["points"] == fact
            if players == 1:
                tim = view["facts"]["tim"]["sheet"]["plankton"]
                assert view["facts"]["plankton_points"]["tim"] == tim

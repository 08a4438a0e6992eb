"""Alone against Tim: a goal chosen beforehand, and previews that count Tim."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

from conftest import finished, random_walk
from drawn import draw
from ecosystem.reefs import GAME
from pelagos.engine.errors import BadOption
from pelagos.engine.match import Match
from pelagos.engine.words import words


def at_margin(match: Match, goal: int) -> Match:
    """The same end, with this goal."""
    record: Any = match.position.record
    record.goal = goal
    return match


def test_who_reaches_the_goal_has_won() -> None:
    match = finished(GAME, {"players": 1}, 0)
    margin = match.view(0)["facts"]["margin"]
    for goal in (55, 70, 80):
        assert at_margin(match, goal).winners == ([0] if margin >= goal else [])


def test_the_goal_is_shown_all_along_with_the_margin() -> None:
    match = Match.new(GAME, players=1, goal=70, seed="goal")
    facts = match.view(0)["facts"]
    assert (facts["goal"], facts["margin"]) == (70, 0)
    drawn = re.sub(r"\s+", " ", draw(match, "en", 0))
    assert "Ahead of Tim: +0 of 70." in drawn
    over = finished(GAME, {"players": 1, "goal": 80}, 1)
    assert "Your goal was 80." in draw(over, "en", 0)


def test_a_record_has_the_goal_only_where_it_was_chosen() -> None:
    usual = finished(GAME, {"players": 1}, 2)
    assert "goal" not in usual.record()["options"]
    chosen = finished(GAME, {"players": 1, "goal": 80}, 2)
    assert chosen.record()["options"]["goal"] == 80
    again = Match.replay(json.dumps(chosen.record()))
    assert again.view(0)["facts"]["goal"] == 80
    assert again.winners == chosen.winners


def test_with_others_there_is_no_goal_to_choose() -> None:
    with pytest.raises(BadOption, match="for one player alone"):
        Match.new(GAME, players=2, goal=70)
    with pytest.raises(BadOption):
        Match.new(GAME, players=1, goal=60)


def test_previews_tell_what_tim_gets_and_what_his_whales_cost_him() -> None:
    seen = set()
    for seed in range(6):
        match = Match.new(GAME, players=1, seed=seed)
        for at in random_walk(match, random.Random(seed)):
            if at.over:
                break
            view = at.view(0)
            for choice in view["choices"]:
                if "elsewhere" not in choice:
                    continue
                tim, margin = (text["params"]["change"] for text in choice["elsewhere"])
                assert margin == choice["gain"] - tim
                then = at.copy()
                then.play(0, choice["action"])
                before = view["facts"]["tim"]["score"]
                if choice["group"] == "give":
                    assert then.view(0)["facts"]["tim"]["score"] - before == tim
                seen.add(choice["notation"].split()[0])
    assert {"give", "place"} <= seen
    assert not [
        choice
        for choice in Match.new(GAME, players=1).view(0, previews=False)["choices"]
        if "elsewhere" in choice
    ]


def test_the_page_and_the_terminal_say_it() -> None:
    match = Match.new(GAME, players=1, seed=0)
    for at in random_walk(match, random.Random(0)):
        effects = [
            words(GAME, "en").say(text)
            for choice in at.view(0)["choices"]
            for text in choice.get("elsewhere", ())
        ]
        if effects:
            assert effects[0] in draw(at, "en", 0)
            return
    pytest.fail("nothing was told")

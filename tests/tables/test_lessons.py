"""Every game's lesson, from its own folder: by its book, and otherwise at every step."""

from __future__ import annotations

import random
from typing import Any

import pytest

from lessoning import Learner
from pelagos.engine.game import find_game, games
from pelagos.engine.words import LANGUAGES, words
from pelagos.tables import acts
from pelagos.tables.errors import Refused
from pelagos.tables.lessons import LEARNER, Lesson, has_lesson, lesson_of
from pelagos.tables.table import fold

TAUGHT = [game.id for game in games().values() if has_lesson(game)]
MOST = 400
"""Things that a learner does in a lesson, and the game after it; more, and it is stuck."""


def lesson(game: str) -> Lesson:
    of = lesson_of(game)
    assert of is not None
    return of


def keys(text: Any) -> set[str]:
    return {text["key"]} if text else set()


@pytest.mark.parametrize("taught", TAUGHT)
def test_a_lesson_by_its_book_tells_every_step_and_every_text(taught: str) -> None:
    of = lesson(taught)
    learner, steps, texts = Learner(of), [], set()
    for _ in range(MOST):
        message = learner.shown
        if message["state"] == "end":
            texts |= keys(message["text"]) | keys(message["do"])
            break
        steps.append(message["step"])
        texts |= keys(message.get("text")) | keys(message.get("do"))
        if message["state"] == "read":
            learner.read()
            continue
        step = of.steps[message["step"]]
        assert message["state"] == "do" or (message["state"] == "free" and step.free), message
        if message["state"] == "do":
            legal = {choice["action"]: choice["notation"] for choice in learner.view["choices"]}
            assert set(message["lit"]) <= set(legal)
            learner.follow(message)
            assert learner.walk.last()["followed"], message
        else:
            learner.move(learner.view["choices"][0]["action"])
    assert learner.shown["state"] == "end"
    assert list(dict.fromkeys(steps)) == list(range(len(of.steps)))
    assert not learner.over, "a lesson ends before its game"
    for language in LANGUAGES:
        said = words(of.game, language)
        assert said.has("lesson.end")
        missing = [step.text for step in of.steps if not said.has(f"lesson.{step.text}")]
        assert not missing
        known = {f"lesson.{key}" for key in said.table["lesson"]}
        assert known <= texts, "every text is shown"
    assert fold("T" * 22, learner.log).match.position.states == learner.table.match.position.states


def otherwise(learner: Learner, message: dict[str, Any], chance: random.Random) -> None:
    """Something legal that isn't lit, if there is any; and whatever the box offers then."""
    choices = learner.view["choices"]
    lit = set(message.get("lit", ()))
    others = [choice["action"] for choice in choices if choice["action"] not in lit]
    learner.move(chance.choice(others or [choice["action"] for choice in choices]))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("taught", TAUGHT)
def test_a_learner_who_does_something_else_never_comes_to_a_dead_end(
    taught: str, seed: int
) -> None:
    of, chance = lesson(taught), random.Random(seed)
    learner = Learner(of)
    told_otherwise = 0
    for _ in range(MOST):
        message = learner.shown
        if message["state"] == "end" or learner.over:
            break
        if message["state"] == "other":
            told_otherwise += 1
            assert message["last"]["meant"]
            assert message["last"]["made"]["key"]
            if chance.random() < 0.3:
                learner.try_again()
                assert learner.shown["state"] != "other", "nothing is said twice"
            else:
                learner.read()
        elif message["state"] in ("read", "again") and chance.random() < 0.9:
            learner.read()
        elif message["step"] and chance.random() < 0.2:
            learner.look(message["back"])
            assert learner.shown["state"] in ("again", "do", "free", "read")
        else:
            assert message["state"] in ("do", "free", "read", "again"), message
            otherwise(learner, message, chance)
    assert learner.shown["state"] == "end"
    assert told_otherwise


@pytest.mark.parametrize("taught", TAUGHT)
def test_what_was_done_otherwise_is_taken_back_and_done_as_it_was_meant(taught: str) -> None:
    """Whatever has come to light since: in a lesson nobody is wronged."""
    of, chance = lesson(taught), random.Random(1)
    learner, tried = Learner(of), set()
    for _ in range(MOST):
        message = learner.shown
        if message["state"] == "end":
            break
        if message["state"] == "other":
            learner.try_again()
            assert learner.shown["state"] == "do", "nothing that was said before is said again"
            assert learner.shown["step"] in tried
        elif message["state"] == "read":
            learner.read()
        elif message["state"] == "do" and message["step"] not in tried:
            tried.add(message["step"])
            otherwise(learner, message, chance)
        elif message["state"] == "do":
            learner.follow(message)
        else:
            learner.move(learner.view["choices"][0]["action"])
    assert learner.shown["state"] == "end"
    assert fold("T" * 22, learner.log).match.history == learner.table.match.history


def test_a_lesson_can_be_skipped_looked_into_again_and_played_on() -> None:
    learner = Learner(lesson(TAUGHT[0]))
    learner.look("end")
    assert learner.shown["state"] == "end"
    learner.look(learner.shown["back"])
    assert learner.shown["state"] == "read"
    learner.look("closed")
    assert learner.shown["state"] == "closed"
    learner.move(learner.view["choices"][0]["action"])
    assert learner.shown["state"] == "closed"
    with pytest.raises(Refused):
        acts.learn(learner.table, 1, "client-other", show=0)


def test_a_game_without_a_lesson_has_none() -> None:
    assert lesson_of("minnows") is None
    assert not has_lesson(find_game("minnows"))


def test_no_other_table_is_a_lesson() -> None:
    learner = Learner(lesson(TAUGHT[0]))
    plain = {**learner.log[0]}
    del plain["lesson"]
    table = fold("T" * 22, [plain, *learner.log[1:]])
    assert acts.walk(table) is None
    with pytest.raises(Refused):
        acts.learn(table, LEARNER, "client-other", show=0)

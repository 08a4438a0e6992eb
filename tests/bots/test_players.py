"""Bots in seats: one that fails, cheats or hangs holds up no game, wherever it thinks."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from pelagos.bots import (
    Budget,
    Decision,
    Limits,
    Player,
    Question,
    Worker,
    advise,
    decide,
    find_bot,
    is_trusted,
    registry,
)
from pelagos.bots import player as seated
from pelagos.bots.thinking import MOST_BOTS, ThinkingHere, TooLateError
from pelagos.engine.match import Match
from pelagos.engine.stream import words_of

ONE_SIMULATION = Budget(simulations=1)
FEW = Budget(simulations=24)
FOREIGN = """
import os
import time


class Last:
    name = "last"

    def choose(self, position, seat, stream, budget):
        return position.legal(seat)[-1]


class Sleeper(Last):
    name = "sleeper"

    def choose(self, position, seat, stream, budget):
        while True:
            time.sleep(1)


class Dozer(Last):
    name = "dozer"

    def choose(self, position, seat, stream, budget):
        while budget.simulations != 1:  # awake while it is rehearsed
            time.sleep(1)
        return position.legal(seat)[-1]


class Thrower(Last):
    name = "thrower"
    asked = 0

    def choose(self, position, seat, stream, budget):
        self.asked += 1
        if self.asked % 2:
            raise RuntimeError("I can't")
        return position.legal(seat)[0]


class Liar(Last):
    name = "liar"

    def choose(self, position, seat, stream, budget):
        return 10_000


class Mumbler(Last):
    name = "mumbler"

    def choose(self, position, seat, stream, budget):
        return "the first one"


class Quitter(Last):
    name = "quitter"

    def choose(self, position, seat, stream, budget):
        os._exit(1)
"""
NAMES = ("Last", "Sleeper", "Dozer", "Thrower", "Liar", "Mumbler", "Quitter")


@pytest.fixture(autouse=True)
def _foreign_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package of bots, installed beside the house for as long as a test lasts."""
    (tmp_path / "strangers.py").write_text(FOREIGN)
    about = tmp_path / "strangers-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: strangers\nVersion: 1.0\n")
    entries = "\n".join(f"{name.lower()} = strangers:{name}" for name in NAMES)
    (about / "entry_points.txt").write_text(f"[pelagos.bots]\n{entries}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    registry.installed.cache_clear()
    yield
    registry.installed.cache_clear()


def some_question(budget: Budget = ONE_SIMULATION, plies: int = 12) -> Question:
    match = Match.new("ecosystem", players=2, seed="guard")
    for _ in range(plies):
        seat = match.pending[0]
        match.play(seat, match.legal(seat)[0])
    question = Question.ask(match, match.pending[0], budget)
    assert len(question.position.legal(question.seat)) > 2
    return question


def chosen_by(bot: str, question: Question) -> int:
    return ThinkingHere().think(bot, "", question)


# --- guarded ------------------------------------------------------------------------------------


def test_a_bot_of_another_package_is_not_trusted() -> None:
    assert not is_trusted("last")
    assert is_trusted("greedy")


@pytest.mark.parametrize(
    ("bot", "limits"),
    [("sleeper", Limits(rehearsal=0.2)), ("dozer", Limits(without_clock=0.2))],
)
def test_a_bot_that_never_returns_is_ended_and_greedy_plays_on(
    bot: str, limits: Limits, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seated, "Worker", lambda: Worker(limits))
    question = some_question(FEW)
    player = Player(bot)
    first, second = player.answer(question), player.answer(question)
    player.close()
    assert first.action == second.action == chosen_by("greedy", question)
    assert "ran past 0.2 s, and was ended" in first.failure
    assert f"{bot}, decision {question.decision}" in first.failure
    assert second.failure == ""


def test_a_bot_of_another_package_thinks_apart_and_its_failure_is_told() -> None:
    question = some_question()
    player = Player("thrower")
    first, second = player.answer(question), player.answer(question)
    player.close()
    assert first.action == chosen_by("greedy", question)
    assert first.failure == f"thrower, decision {question.decision}: RuntimeError: I can't"
    assert second == Decision(question.position.legal(question.seat)[0], second.seconds)


@pytest.mark.parametrize(
    ("bot", "reason"),
    [
        ("thrower", "RuntimeError: I can't"),
        ("liar", "action 10000 isn't legal"),
        ("mumbler", "ValueError"),
    ],
)
def test_greedy_moves_for_a_bot_that_fails_here(bot: str, reason: str) -> None:
    question = some_question()
    decision = Player(bot, ThinkingHere()).answer(question)
    assert decision.action == chosen_by("greedy", question)
    assert reason in decision.failure


def test_a_bot_that_takes_its_process_down_is_replaced() -> None:
    question = some_question()
    player = Player("quitter")
    decision = player.answer(question)
    player.close()
    assert decision.action == chosen_by("greedy", question)
    assert "its process ended" in decision.failure


def test_chance_moves_when_even_greedy_fails() -> None:
    class Broken:
        def think(self, bot: str, player: str, question: Question) -> int:
            raise RuntimeError(f"no room for {bot}")

        def close(self) -> None: ...

    question = some_question()
    decision = Player("flat", Broken()).answer(question)
    assert decision.action in question.position.legal(question.seat)
    assert "no room for flat" in decision.failure


def test_a_good_bot_of_another_package_plays_a_whole_match() -> None:
    match = Match.new("ecosystem", players=2, seed="guarded")
    players = [Player("last"), Player("random")]
    while not match.over:
        seat = match.pending[0]
        last = match.legal(seat)[-1]
        decision = decide(match, seat, players[seat], ONE_SIMULATION)
        assert decision.failure == ""
        assert seat == 1 or decision.action == last
        match.play(seat, decision.action)
    players[0].close()


# --- a process of its own -----------------------------------------------------------------------


def test_a_process_chooses_what_is_chosen_here() -> None:
    worker = Worker(Limits(start=600, rehearsal=600, without_clock=600))
    for plies in (8, 20):
        for bot in ("random", "greedy", "flat", "search"):
            question = some_question(FEW, plies)
            assert worker.think(bot, f"{plies}", question) == chosen_by(bot, question)
    worker.close()


def test_a_process_that_is_closed_lets_go_of_whoever_waits_for_it() -> None:
    worker = Worker()
    question = some_question(FEW)
    assert worker.think("dozer", "", some_question(ONE_SIMULATION)) is not None
    errors: list[str] = []

    def wait() -> None:
        try:
            worker.think("dozer", "", question)
        except TooLateError as error:
            errors.append(str(error))

    waiting = threading.Thread(target=wait)
    waiting.start()
    while not worker._asking.locked():
        pass
    worker.close()
    waiting.join()
    assert errors == ["its process ended"] or errors == ["its process was ended"]
    with pytest.raises(TooLateError):
        worker.think("greedy", "", question)


# --- remembering --------------------------------------------------------------------------------


def test_a_players_bot_is_remembered_from_question_to_question() -> None:
    here, question = ThinkingHere(), some_question()
    asked = []
    for player in ("one", "one", "two", "one"):
        here.think("search", player, question)
        asked.append(here._remembered("search", player))
    assert asked[0] is asked[1] is asked[3]
    assert asked[2] is not asked[0]


def test_the_bots_asked_longest_ago_are_forgotten_first() -> None:
    here = ThinkingHere()
    first = here._remembered("search", "0")
    second = here._remembered("search", "1")
    for number in range(2, MOST_BOTS + 1):
        here._remembered("search", "0")
        here._remembered("search", f"{number}")
    assert here._remembered("search", "0") is first
    assert here._remembered("search", "1") is not second


# --- deciding -----------------------------------------------------------------------------------


def test_a_decision_has_its_number_in_the_matchs_history() -> None:
    match = Match.new("ecosystem", players=2, seed="numbers")
    seen: list[list[int]] = [[], []]
    while not match.over:
        seat = match.pending[-1]
        seen[seat].append(match.decisions(seat))
        match.play(seat, match.legal(seat)[0])
    assert all(numbers == list(range(len(numbers))) for numbers in seen)


def test_a_bot_without_a_choice_is_not_asked() -> None:
    match = Match.new("ecosystem", players=2, seed="alone")
    player = Player("liar", ThinkingHere())
    alone = 0
    while not match.over:
        seat = match.pending[0]
        decision = decide(match, seat, player, ONE_SIMULATION)
        if len(match.legal(seat)) == 1:
            alone += 1
            assert decision == Decision(match.legal(seat)[0], None, "")
        else:
            assert decision.seconds is not None
        match.play(seat, decision.action)
    assert alone


@pytest.mark.parametrize("bot", ["greedy", "flat", "search"])
def test_advice_depends_on_nothing_that_the_seat_cannot_know(bot: str) -> None:
    match = Match.new("ecosystem", players=3, seed="1")
    other = match.copy()
    other.position = match.position.redeal(0, words_of(b"another world"))
    assert other.position.states.tobytes() != match.position.states.tobytes()
    advice = advise(match, 0, bot, FEW)
    assert advice == advise(other, 0, bot, FEW)
    assert sorted(thought.action for thought in advice) == match.legal(0)


def test_a_bot_without_reasons_still_names_its_choice() -> None:
    match = Match.new("ecosystem", players=3, seed="1")
    (thought,) = advise(match, 0, "last", FEW)
    assert thought == (match.legal(0)[-1], 0.0, 0, 0.0)
    assert not hasattr(find_bot("last"), "explain")

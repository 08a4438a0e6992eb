"""Bots at tables: they remember between moves, and one that fails or hangs stalls nobody."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from pelagos.bots import Budget, bot_stream, find_bot
from pelagos.engine.match import Match
from pelagos.tables import workers
from pelagos.tables.service import Tables
from pelagos.tables.settings import Settings
from pelagos.tables.table import Table
from pelagos.tables.workers import Question, Workers
from pelagos.tables.writer import Due


def question(match: Match, bot: str, player: str) -> Question:
    seat = match.pending[0]
    stream = bot_stream(b"x" * 32, seat, 0)
    state = match.position.redeal(seat, stream).states.tobytes()
    return Question(
        match.game.id, None, match.options, state, seat, bot, None, 30, stream.tobytes(), player
    )


class Failing:
    name = "failing"

    def choose(self, *_: Any) -> int:
        raise ValueError("out of ideas")


class Cheating:
    name = "cheating"

    def choose(self, *_: Any) -> int:
        return 99


@pytest.mark.parametrize("bot", [Failing, Cheating])
def test_greedy_moves_for_a_bot_that_fails(bot: type, monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match.new("ecosystem", seed=4)
    asked = question(match, "bad", bot.name)
    monkeypatch.setattr(workers, "find_bot", lambda _: bot())
    action, failure = workers.answer(asked)
    greedy = find_bot("greedy")
    stream = bot_stream(b"x" * 32, asked.seat, 0)
    position = match.position.redeal(asked.seat, stream)
    assert action == greedy.choose(position, asked.seat, stream, Budget(simulations=1))
    assert bot.name in failure


def test_a_bot_remembers_from_move_to_move() -> None:
    match = Match.new("ecosystem", seed=4)
    asked = question(match, "search", "table/0/0")
    workers.answer(asked)
    assert workers._guarded("search", "table/0/0").decisions == 1
    workers.answer(asked)
    assert workers._guarded("search", "table/0/0").decisions == 2
    workers.answer(replace(asked, player="table/1/0"))
    assert workers._guarded("search", "table/0/0").decisions == 2


class Hanging:
    """A process that never answers, unless it is asked for `greedy`."""

    def __init__(self) -> None:
        self.busy = asyncio.Lock()
        self.asked: list[str] = []

    async def ask(self, asked: Question, seconds: float) -> int:
        self.asked.append(asked.bot)
        if asked.bot != "greedy":
            raise TimeoutError
        return workers.answer(asked)[0]

    def stop(self) -> None: ...


def test_greedy_moves_for_a_bot_that_hangs() -> None:
    async def run() -> None:
        tables = Tables(None, b"key", Settings(thinkers=2))  # type: ignore[arg-type]
        hired = Workers(tables)
        hanging = [Hanging(), Hanging()]
        hired._thinkers = hanging  # type: ignore[assignment]
        match = Match.new("ecosystem", seed=4)
        seat = match.pending[0]
        work = Due("T", seat, 0, 0.0, 0.0)
        action = await hired._choose(Table("T"), match, work, "search", Budget(simulations=5))
        assert action in match.legal(seat)
        assert sorted(hanging[0].asked + hanging[1].asked) == ["greedy", "search"]

    asyncio.run(run())


def test_a_player_keeps_its_process_while_it_is_free() -> None:
    async def run() -> None:
        hired = Workers(Tables(None, b"key", Settings(thinkers=3)))  # type: ignore[arg-type]
        usual = hired._thinker("table/0/0")
        assert hired._thinker("table/0/0") is usual
        async with usual.busy:
            assert hired._thinker("table/0/0") is not usual
        assert hired._thinker("table/0/0") is usual

    asyncio.run(run())

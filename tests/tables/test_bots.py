"""Bots at tables: they remember between moves, and one that fails or hangs stalls nobody."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from pelagos.bots import Budget, Question
from pelagos.bots.thinking import ThinkingHere, TooLateError
from pelagos.engine.match import Match
from pelagos.tables import logs
from pelagos.tables.service import Tables
from pelagos.tables.settings import Settings
from pelagos.tables.table import Table
from pelagos.tables.workers import MOST_PLAYERS, Workers

FEW = Budget(simulations=5)


class Ill:
    """A process that answers for `greedy` alone."""

    def __init__(self, reason: Exception) -> None:
        self.reason = reason
        self.asked: list[tuple[str, str]] = []

    def think(self, bot: str, player: str, question: Question) -> int:
        self.asked.append((bot, player))
        if bot != "greedy":
            raise self.reason
        return ThinkingHere().think(bot, player, question)

    def close(self) -> None: ...


def with_workers(thinkers: int, test: Callable[[Workers], Awaitable[None]]) -> None:
    async def run() -> None:
        workers = Workers(Tables(None, b"key", Settings(thinkers=thinkers)))  # type: ignore[arg-type]
        await test(workers)
        await workers.close()

    asyncio.run(run())


@pytest.mark.parametrize("reason", [TooLateError("ran past 3 s"), ValueError("out of ideas")])
def test_greedy_moves_for_a_bot_that_fails_or_hangs(
    reason: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    logged: list[str] = []
    monkeypatch.setattr(logs, "tell", lambda what, **more: logged.append(f"{what} {more}"))

    async def test(workers: Workers) -> None:
        ill = Ill(reason)
        workers._thinkers[0].worker = ill  # type: ignore[assignment]
        match = Match.new("ecosystem", seed=4)
        seat = match.pending[0]
        question = Question.ask(match, seat, FEW)
        action = await workers._choose(Table("T"), match, seat, "search", FEW)
        assert action == ThinkingHere().think("greedy", "", question)
        assert ill.asked == [("search", f"T/{seat}/0"), ("greedy", "")]

    with_workers(1, test)
    assert len(logged) == 1
    assert str(reason) in logged[0]


def test_a_player_keeps_its_process_and_a_new_one_gets_a_free_one() -> None:
    async def test(workers: Workers) -> None:
        usual = workers._thinker("table/0/0")
        async with usual.for_bot():
            assert workers._thinker("table/0/0") is usual
            others = {id(workers._thinker(f"table/{seat}/0")) for seat in range(1, 20)}
            assert others == {id(thinker) for thinker in workers._thinkers if thinker is not usual}
        assert workers._thinker("table/0/0") is usual

    with_workers(3, test)


def test_players_who_went_long_ago_are_forgotten() -> None:
    async def test(workers: Workers) -> None:
        for number in range(MOST_PLAYERS + 5):
            workers._thinker(f"table/{number}")
        assert len(workers._hired) == MOST_PLAYERS
        assert "table/0" not in workers._hired

    with_workers(2, test)

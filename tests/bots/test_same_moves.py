"""One seed, the same moves: in the arena, in the terminal and at a live table."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path

import pytest
from rich.console import Console

from pelagos.arena.matches import play_match
from pelagos.arena.plan import Entrant
from pelagos.bots import Budget, Creature, ladder
from pelagos.engine.game import Game
from pelagos.engine.match import Match
from pelagos.tables import acts, fairness
from pelagos.tables.service import Tables
from pelagos.tables.settings import Settings
from pelagos.tables.store import Store
from pelagos.tables.workers import Workers
from pelagos.terminal.table import Table

BUDGET = Budget(simulations=12)
BOTS = ("search", "flat", "greedy")
DEAL = "the same everywhere"
"""A public text that the cards follow from, at a table as anywhere."""

Moves = list[list[int]]
"""The actions of each seat, in order."""


def seated(game: Game) -> list[str]:
    """The bots around a table, each of them at least once if there is room."""
    return [BOTS[seat % len(BOTS)] for seat in range(game.default_players)]


def dealt(game: Game) -> Match:
    """The match that a table with this public deal starts."""
    players = game.default_players
    seed = fairness.seed(fairness.public_secret(DEAL), [""] * players)
    return Match.new(game, players=players, seed=seed)


def moves_of(match: Match) -> Moves:
    assert match.over
    return [
        [entry.action for entry in match.history if entry.seat == seat]
        for seat in range(match.players)
    ]


def in_the_arena(game: Game) -> Moves:
    match = dealt(game)
    clocks = play_match(match, [Entrant(bot, bot, BUDGET) for bot in seated(game)])
    assert not any(clock.failures for clock in clocks)
    return moves_of(match)


def in_the_terminal(game: Game, folder: Path) -> Moves:
    match = dealt(game)
    match.seats = [{"name": bot, "bot": bot, "budget": str(BUDGET)} for bot in seated(game)]
    screen = io.StringIO()
    table = Table(match, Console(file=screen), "en", folder / "save.json")
    assert table.play()
    return moves_of(table.match)


async def at_a_table(game: Game, folder: Path) -> Moves:
    store = await Store.open(folder)
    tables = Tables(store, await store.key(), Settings(pause=(0.0, 0.0), thinkers=3))
    workers = Workers(tables)
    seats = [{"kind": "bot", "bot": bot} for bot in seated(game)]
    try:
        live = await tables.create(
            acts.create(game.id, {"players": game.default_players}, seats, deal=DEAL)
        )
        workers.start()
        await tables.do(live.table.id, acts.start)
        while live.table.match is None or not live.table.match.over:
            await live.change()
        return moves_of(live.table.match)
    finally:
        await workers.close()
        await tables.close()
        await store.close()


@pytest.fixture
def bots_on_the_ladder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every bot as a creature with the same budget, since creatures are who sits at tables."""
    rungs = [Creature(bot, {"en": bot, "fr": bot}, {}, bot, BUDGET) for bot in BOTS]
    monkeypatch.setattr(ladder, "LADDER", tuple(rungs))


def test_a_bots_moves_are_the_same_everywhere(
    game: Game, tmp_path: Path, bots_on_the_ladder: None
) -> None:
    arena = in_the_arena(game)
    assert sum(map(len, arena)) > 10
    assert arena == in_the_terminal(game, tmp_path)
    assert arena == asyncio.run(at_a_table(game, tmp_path))

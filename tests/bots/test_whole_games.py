"""Compiled games by bots are those that the arena plays, move by move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from pelagos.arena.matches import play_match
from pelagos.arena.plan import Entrant
from pelagos.bots import Budget, whole_games
from pelagos.bots.whole_games import BotGames
from pelagos.engine.errors import PelagosError
from pelagos.engine.game import Game, find_game
from pelagos.engine.match import Match
from pelagos.engine.pack import default_pack
from pelagos.engine.stream import seed_of
from pelagos.engine.types import Array

BUDGET = Budget(simulations=1)


def bot_games(
    game: Game, options: dict[str, Any], bots: Sequence[str], count: int, **more: Any
) -> BotGames:
    pack = default_pack(game)
    return BotGames(game, bots, count, seed="whole", pack=pack, options=options, **more)


def in_the_arena(game: Game, options: dict[str, Any], bots: Sequence[str], number: int) -> Match:
    match = Match.new(game, seed=seed_of("whole", number), **options)
    clocks = play_match(match, [Entrant(bot, bot, BUDGET) for bot in bots])
    assert not any(clock.failures for clock in clocks)
    return match


def test_bots_play_the_games_that_the_arena_plays(
    game: Game, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[Array] = []
    make = whole_games.new_states
    monkeypatch.setattr(
        whole_games, "new_states", lambda *shape: played.append(make(*shape)) or played[-1]
    )
    players = options["players"]
    alike = ["greedy"] * players
    mixed = [("random", "greedy")[seat % 2] for seat in range(players)]
    for number, bots in enumerate((alike, mixed, mixed[::-1])):
        games = bot_games(game, options, bots, 1, first=number)
        games.play_out()
        match = in_the_arena(game, options, bots, number)
        assert match.position.states[0].tobytes() == played[-1][0].tobytes()
        assert match.scores == games.totals[0].tolist()
        assert match.winners == [seat for seat in range(players) if games.won[0] >> seat & 1]
        assert games.lengths[0] == sum(entry.seat >= 0 for entry in match.history)


def test_threads_and_chunks_change_nothing(game: Game) -> None:
    options = game.check_options({})
    bots = ["greedy"] * int(options["players"])
    at_once = bot_games(game, options, bots, 8, threads=3)
    apart = [bot_games(game, options, bots, 4, first=first) for first in (0, 4)]
    at_once.play_out()
    assert (at_once.totals == np.concatenate([games.play_out() for games in apart])).all()
    assert len(set(map(tuple, at_once.totals.tolist()))) > 1


def test_a_bot_that_has_no_rule_is_refused_by_name() -> None:
    game = find_game("minnows")
    with pytest.raises(PelagosError, match=r"flat.*random, greedy can"):
        bot_games(game, game.check_options({}), ["flat", "random"], 1)

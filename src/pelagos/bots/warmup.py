"""Warming up: everything that playing a game needs is compiled, or loaded, before anyone waits."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import nullcontext

from pelagos.bots.budget import ONE_SIMULATION
from pelagos.bots.player import STAND_IN
from pelagos.bots.question import Question
from pelagos.bots.registry import is_trusted
from pelagos.bots.thinking import ThinkingHere
from pelagos.engine.game import Game
from pelagos.engine.match import Match
from pelagos.engine.rule import watch_compiling

SEED = b"warm"

_ready: set[tuple[str, str]] = set()
"""Games whose rules and views this process has loaded, and (game, bot) that have thought in it."""


def warm_up(
    game: Game, bots: Iterable[str] = (), progress: Callable[[str], None] | None = None
) -> None:
    """Make a game's rules and views ready in this process, and bots with their stand-in.

    `progress` is told the name of every rule that must be compiled. What is ready already costs
    nothing. Bots of other packages think in processes of their own and get ready there.
    """
    with watch_compiling(progress) if progress else nullcontext():
        if (game.id, "") not in _ready:
            _play_through(game)
            _ready.add((game.id, ""))
        named = list(bots)
        for bot in dict.fromkeys([*named, STAND_IN] if named else []):
            if (game.id, bot) not in _ready and is_trusted(bot):
                _rehearse(game, bot)
                _ready.add((game.id, bot))


def _play_through(game: Game) -> None:
    """Play a match to its end, always the last choice, and look at it."""
    match = Match.new(game, seed=SEED)
    match.view(0)
    match.view()
    while not match.over:
        for seat in match.pending:
            match.play(seat, match.legal(seat)[-1])
    match.view(0)
    match.record()


def _rehearse(game: Game, bot: str) -> None:
    """Let a bot think, as shortly as it can, about a match's first decision."""
    match = Match.new(game, seed=SEED)
    ThinkingHere().think(bot, "", Question.ask(match, match.pending[0], ONE_SIMULATION))

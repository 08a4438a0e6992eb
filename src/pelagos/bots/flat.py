"""`flat`: Monte Carlo. Redeal, make a candidate move, let everyone play on leaning to what looks
good, and see what comes of it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from pelagos.bots.budget import Budget
from pelagos.bots.playing import playing
from pelagos.bots.race import Advance, Race, Racer, race_loop
from pelagos.engine.game import Game
from pelagos.engine.position import Position
from pelagos.engine.rule import rule
from pelagos.engine.types import Array


@cache
def flat_rules(game: Game) -> Advance:
    """The loop over simulations."""
    rules = playing(game)
    play, play_out, count_up = rules.play, rules.play_out, rules.count_up

    @rule
    def follow(
        game: Any,
        pack: Any,
        seat: int,
        candidate: int,
        action: int,
        stream: Array,
        actions: Array,
        totals: Array,
        tree: Any,
    ) -> Any:
        """Make the move, and let everyone play on."""
        play(game, pack, seat, action)
        play_out(game, pack, stream, actions)
        return count_up(game, pack, actions, totals)

    return race_loop(rules, follow)


class Flat(Racer):
    """The strong baseline for games of this kind: no tree, many games to the end."""

    name = "flat"

    def race(self, position: Position, seat: int, stream: Array, budget: Budget) -> Race:
        """A race of whole games."""
        race = Race(position, seat, stream, budget)
        race.run(flat_rules(position.game), (), budget)
        return race

    def keep(self, race: Race) -> None:
        """Nothing: every race starts anew."""

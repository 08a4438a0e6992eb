"""`random`: every legal action is equally likely."""

from __future__ import annotations

from pelagos.bots.budget import Budget
from pelagos.engine.game import Game
from pelagos.engine.position import Position
from pelagos.engine.stream import below
from pelagos.engine.turns import Chooser, random_chooser
from pelagos.engine.types import Array


class Random:
    """The weakest player there is, and the measure of all others."""

    name = "random"

    @staticmethod
    def chooser(game: Game) -> Chooser:
        """How it chooses in compiled games."""
        return random_chooser(game)

    def choose(self, position: Position, seat: int, stream: Array, budget: Budget) -> int:
        """Any legal action."""
        legal = position.legal(seat)
        return legal[below(stream, len(legal))]

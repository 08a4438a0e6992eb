"""`random`: every legal action is equally likely."""

from __future__ import annotations

from functools import cache
from typing import Any

from pelagos.bots.budget import Budget
from pelagos.engine.doors import doors
from pelagos.engine.game import Game
from pelagos.engine.position import Position
from pelagos.engine.rule import rule
from pelagos.engine.stream import below
from pelagos.engine.types import Array


@cache
def _any_legal(game: Game) -> Any:
    legal = doors(game).rules.legal

    @rule
    def choose(game: Any, pack: Any, seat: int, stream: Array, room: Array) -> int:
        return int(room[below(stream, legal(game, pack, seat, room))])

    return choose


class Random:
    """The weakest player there is, and the measure of all others."""

    name = "random"

    @staticmethod
    def chooser(game: Game) -> Any:
        """How it chooses in compiled games."""
        return _any_legal(game)

    def choose(
        self,
        position: Position,
        seat: int,
        stream: Array,
        budget: Budget,
    ) -> int:
        """Any legal action."""
        legal = position.legal(seat)
        return legal[below(stream, len(legal))]

"""What a bot is: the interface that the house's own and anybody's bots share."""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

from pelagos.bots.budget import Budget
from pelagos.engine.position import Position
from pelagos.engine.types import Array


class Thought(NamedTuple):
    """What a bot thinks of one legal action."""

    action: int
    value: float
    """The expected share of the win, from 0 to 1; for `greedy`, how good it looks."""
    visits: int
    """How many simulations say so."""
    points: float
    """The seat's expected final score."""


@runtime_checkable
class Bot(Protocol):
    """A player. One instance plays one seat of one match, and may remember what it thought."""

    name: str

    def choose(self, position: Position, seat: int, stream: Array, budget: Budget) -> int:
        """A legal action. The position is redealt for the seat, and the bot may change it."""
        ...


@runtime_checkable
class Thinker(Bot, Protocol):
    """A bot that can say what it thinks of every choice."""

    def explain(
        self, position: Position, seat: int, stream: Array, budget: Budget
    ) -> list[Thought]:
        """A thought on each legal action, the best first."""
        ...

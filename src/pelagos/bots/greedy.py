"""`greedy`: one step ahead, by the game's own evaluation of what the step may lead to."""

from __future__ import annotations

from pelagos.bots.bot import Thought
from pelagos.bots.budget import Budget
from pelagos.bots.playing import playing
from pelagos.engine.arrays import readable
from pelagos.engine.game import Game
from pelagos.engine.position import Position
from pelagos.engine.turns import Chooser
from pelagos.engine.types import Array


class Greedy:
    """The best-looking action; equal ones are drawn by lot. It needs no budget."""

    name = "greedy"

    @staticmethod
    def chooser(game: Game) -> Chooser:
        """How it chooses in compiled games. Its rating looks at nothing that a seat can't know."""
        best: Chooser = playing(game).best
        return best

    def choose(self, position: Position, seat: int, stream: Array, budget: Budget) -> int:
        """The best-looking action."""
        room = playing(position.game)
        return int(
            room.choose(position.states, readable(position.pack.data), seat, stream, room.actions)
        )

    def explain(
        self, position: Position, seat: int, stream: Array, budget: Budget
    ) -> list[Thought]:
        """Every legal action by how good it looks; nothing was simulated."""
        room = playing(position.game)
        packs = readable(position.pack.data)
        thoughts = [
            Thought(action, room.rate(position.states, packs, seat, action) / 100, 0, 0.0)
            for action in position.legal(seat)
        ]
        return sorted(thoughts, key=lambda thought: -thought.value)

"""`learned`: the action whose afterstate a trained network values most, in well under a
millisecond. It draws nothing by lot: the same position gives the same move.

Where no network was trained for the game, the pack or the number of players, `greedy` plays for it.
"""

from __future__ import annotations

import logging
from functools import cache

from pelagos.bots.bot import Thought
from pelagos.bots.budget import Budget
from pelagos.bots.greedy import Greedy
from pelagos.bots.networks import Trained, network_for, why_not
from pelagos.bots.outlook import Rated, thought_of
from pelagos.bots.valuing import Scratch, scratch, valuing
from pelagos.engine.arrays import readable
from pelagos.engine.errors import PelagosError
from pelagos.engine.game import Game
from pelagos.engine.position import Position
from pelagos.engine.types import Array

log = logging.getLogger(__name__)


class Learned:
    """The best afterstate. It needs no budget."""

    name = "learned"

    def __init__(self, trained: Trained | None = None) -> None:
        """By the game's own network, or by this one."""
        self._given = trained
        self._rooms: dict[int, Scratch] = {}

    def choose(self, position: Position, seat: int, stream: Array, budget: Budget) -> int:
        """The action that leads to the best afterstate."""
        trained = self.network(position)
        if trained is None:
            return Greedy().choose(position, seat, stream, budget)
        packs, room = readable(position.pack.data), self.room(position.game, trained)
        rules = valuing(position.game)
        return int(rules.decide(position.states, packs, seat, trained.network, room))

    def explain(
        self, position: Position, seat: int, stream: Array, budget: Budget
    ) -> list[Thought]:
        """Every legal action by what the network says of its afterstate."""
        trained = self.network(position)
        if trained is None:
            return Greedy().explain(position, seat, stream, budget)
        rated = sorted(self.rate(position, seat, trained), key=lambda entry: -entry.value)
        game = position.game
        return [thought_of(game, entry.action, entry.own, entry.other) for entry in rated]

    def network(self, position: Position) -> Trained | None:
        """The network that plays here; None, and a line in the log, where there is none."""
        if self._given is not None:
            return self._given
        game, pack, players = position.game, position.pack, position.players
        trained = network_for(game, pack, players)
        if trained is None:
            _tell(game, players, self.name, str(PelagosError(why_not(game, pack, players))))
        return trained

    def rate(self, position: Position, seat: int, trained: Trained) -> list[Rated]:
        """Every legal action, and what its afterstate is worth."""
        packs, room = readable(position.pack.data), self.room(position.game, trained)
        rules = valuing(position.game)
        count = int(rules.rate_all(position.states, packs, seat, trained.network, room))
        actions, values = room.actions[0, :count].tolist(), room.values[:count].tolist()
        points = room.points[:count].tolist()
        return [
            Rated(action, value, own, other)
            for action, value, (own, other) in zip(actions, values, points, strict=True)
        ]

    def room(self, game: Game, trained: Trained) -> Scratch:
        """Room to decide in, made once."""
        key = id(trained)
        if key not in self._rooms:
            self._rooms[key] = scratch(game, trained.network)
        return self._rooms[key]


@cache
def _tell(game: Game, players: int, name: str, reason: str) -> None:
    """Once a process."""
    log.warning("%s: %s", name, reason)

"""The bots that simulate, as a browser has them: the game's module does all of their thinking.

Here they are only asked, in slices, so that the clock is looked at in between.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import Any, ClassVar

from pelagos.bots.bot import Thought
from pelagos.bots.budget import Budget
from pelagos.engine.browser import GameMemory, module_of
from pelagos.engine.position import Position
from pelagos.engine.types import Array

SLICE = 8.0
"""Milliseconds between two looks at the clock."""
MOST_SIMULATIONS = 1 << 20
"""Of a slice, where nobody looks at the clock."""
MOST_TREES = 8
"""So many bots remember their trees at a time, for each game."""


class _Racer:
    """A bot that lets its candidates race."""

    name: str

    def choose(self, position: Position, seat: int, stream: Array, budget: Budget) -> int:
        """The candidate whose games went best."""
        memory, functions, race = self._race(position, seat, stream, budget)
        action = int(functions.race_choice(race))
        self._keep(memory, functions, race)
        return action

    def explain(
        self, position: Position, seat: int, stream: Array, budget: Budget
    ) -> list[Thought]:
        """How the games of each candidate went."""
        memory, functions, race = self._race(position, seat, stream, budget)
        size = 8 * 4 * len(position.legal(seat))
        out = memory.place("thoughts", size)
        rows = int(functions.race_thoughts(race, out))
        told = memoryview(bytearray(size))
        memory.fetch(out, told)
        numbers = told.cast("d").tolist()
        return [
            Thought(int(action), value, int(visits), points)
            for action, value, visits, points in zip(*[iter(numbers[: 4 * rows])] * 4, strict=True)
        ]

    def _race(
        self, position: Position, seat: int, stream: Array, budget: Budget
    ) -> tuple[GameMemory, Any, int]:
        """The module's memory and functions, and where the race lies in it that was run."""
        memory = module_of(position.game.id)
        if memory is None:
            raise LookupError(f"the module of {position.game.id} isn't loaded")
        start = time.perf_counter()
        functions: Any = memory.module.functions
        race = memory.place("race", memory.manifest["race"])
        room = memory.place("room", memory.least)
        trees = self._trees(memory)
        states: Any = position.states
        packs: Any = position.pack.data
        words: Any = stream
        pack = memory.pack(packs)
        asked = (memory.put("state", states.memory), pack, seat, memory.put("stream", words.memory))
        begin = getattr(functions, f"{self.name}_start")
        go = getattr(functions, f"{self.name}_go")
        begin(*asked, budget.simulations or 0, race, *trees, room)
        made, pace, part = 0, MOST_SIMULATIONS if budget.milliseconds is None else 1, 0.0
        while more := int(go(race, *trees, pack, pace, part, room)):
            made += more
            if budget.milliseconds is not None:
                used = max((time.perf_counter() - start) * 1000, 0.001)
                pace = max(1, int(SLICE * made / used))
                part = (used + used / made) / budget.milliseconds
            if part >= 1 or (budget.stop is not None and budget.stop()):
                break
        return memory, functions, race

    def _trees(self, memory: GameMemory) -> tuple[int, ...]:
        """Where its tree lies, if it has one."""
        return ()

    def _keep(self, memory: GameMemory, functions: Any, race: int) -> None:
        """Remember what may be of use for the next decision."""


class Flat(_Racer):
    """As `bots.flat`."""

    name = "flat"


class Search(_Racer):
    """As `bots.search`."""

    name = "search"
    _owners: ClassVar[OrderedDict[tuple[str, int], Search]] = OrderedDict()
    """Whose tree lies where, by game and place; the one used last comes last."""

    def _trees(self, memory: GameMemory) -> tuple[int, ...]:
        game, size = memory.manifest["game"], memory.manifest["tree"]
        owners = Search._owners
        place = next((place for place, owner in owners.items() if owner is self), None)
        if place is None:
            taken = [place for place in owners if place[0] == game]
            place = (game, len(taken)) if len(taken) < MOST_TREES else taken[0]
            memory.put(("tree", place), memoryview(bytes(size)))
            owners[place] = self
        owners.move_to_end(place)
        return (memory.place(("tree", place), size),)

    def _keep(self, memory: GameMemory, functions: Any, race: int) -> None:
        functions.search_keep(race, *self._trees(memory))

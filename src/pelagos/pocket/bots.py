"""The bots that simulate, as a browser has them: the game's module does all of their thinking.

Here they are only asked, in slices, so that the clock is looked at in between.
"""

from __future__ import annotations

import time
from array import array
from collections import OrderedDict
from collections.abc import Mapping
from importlib.resources import files
from io import BytesIO
from typing import Any, ClassVar
from zipfile import ZipFile

from pelagos.bots.bot import Thought
from pelagos.bots.budget import Budget
from pelagos.bots.greedy import Greedy
from pelagos.bots.outlook import NETWORK_FILE, RATED, TALLY, Candidate, Race, Rated, thought_of
from pelagos.engine.browser import GameMemory, module_of
from pelagos.engine.game import Game
from pelagos.engine.position import Position
from pelagos.engine.types import Array

SLICE = 8.0
"""Milliseconds between two looks at the clock."""
MOST_SIMULATIONS = 1 << 20
"""Of a slice, where nobody looks at the clock."""
MOST_TREES = 8
"""So many bots remember their trees at a time, for each game."""
NPY_HEAD = 10
"""Where an array's own header begins in its file (version 1); two bytes before say its length."""


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
        answer = memoryview(bytearray(size))
        memory.fetch(out, answer)
        numbers = answer.cast("d").tolist()
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


class Learned:
    """As `bots.learned`, by the network that travels with the game."""

    name = "learned"

    def choose(self, position: Position, seat: int, stream: Array, budget: Budget) -> int:
        """The action that leads to the best afterstate."""
        if network_of(position) is None:
            return Greedy().choose(position, seat, stream, budget)
        return max(self._rate(position, seat), key=lambda entry: entry.value).action

    def explain(
        self, position: Position, seat: int, stream: Array, budget: Budget
    ) -> list[Thought]:
        """Every legal action by what the network says of its afterstate."""
        if network_of(position) is None:
            return Greedy().explain(position, seat, stream, budget)
        rated = sorted(self._rate(position, seat), key=lambda entry: -entry.value)
        game = position.game
        return [thought_of(game, entry.action, entry.own, entry.other) for entry in rated]

    def _rate(self, position: Position, seat: int) -> list[Rated]:
        """Every legal action, and what its afterstate is worth."""
        memory, states = _memory(position), _any(position.states)
        size = 8 * RATED * len(position.legal(seat))
        out = memory.place("rated", size)
        asked = (memory.put("state", states.memory), memory.pack(_any(position.pack.data)), seat)
        functions: Any = memory.module.functions
        functions.network_rate(*asked, *_thinks(memory, position), out)
        answer = memoryview(bytearray(size))
        memory.fetch(out, answer)
        numbers = answer.cast("q").tolist()
        return [Rated(*row) for row in zip(*[iter(numbers)] * RATED, strict=True)]


class Planner(Learned):
    """As `bots.planner`."""

    name = "planner"

    def __init__(self) -> None:
        self._search = Search()

    def choose(self, position: Position, seat: int, stream: Array, budget: Budget) -> int:
        """The action whose looks ahead came out best."""
        if network_of(position) is None:
            return self._search.choose(position, seat, stream, budget)
        return self._race(position, seat, stream, budget).candidates[0].rated.action

    def explain(
        self, position: Position, seat: int, stream: Array, budget: Budget
    ) -> list[Thought]:
        """What the looks ahead came to."""
        if network_of(position) is None:
            return self._search.explain(position, seat, stream, budget)
        return self._race(position, seat, stream, budget).thoughts(position.game)

    def _race(self, position: Position, seat: int, stream: Array, budget: Budget) -> Race:
        race = Race(self._rate(position, seat), budget)
        memory, state = _memory(position), _any(position.states).memory
        memory.place("worlds", 3 * len(state))
        worlds = memory.put("worlds", state)
        words = memory.put("looks", _any(stream).memory)
        pack, thinks = memory.pack(_any(position.pack.data)), _thinks(memory, position)
        functions: Any = memory.module.functions

        def look(running: list[Candidate]) -> None:
            actions = array("q", (candidate.rated.action for candidate in running))
            tallies = array("q", (part for candidate in running for part in candidate.tally))
            tally_bytes = memoryview(tallies).cast("B")
            candidates = memory.put("candidates", memoryview(actions).cast("B"))
            sums = memory.put("tallies", tally_bytes)
            asked = (worlds, pack, seat, len(running), candidates, sums, words)
            functions.network_look(*asked, *thinks)
            memory.fetch(sums, tally_bytes)
            for place, candidate in enumerate(running):
                candidate.tally = tallies[TALLY * place : TALLY * (place + 1)].tolist()

        race.run(look)
        return race


def network_of(position: Position) -> int | None:
    """Which of the game's networks plays here; None: there is none for this."""
    memory = module_of(position.game.id)
    networks = memory.manifest.get("networks") if memory is not None else None
    if not networks or networks["pack"] != position.pack.sha256:
        return None
    players = position.players
    return next((number for number, of in enumerate(networks["players"]) if players in of), None)


def _memory(position: Position) -> GameMemory:
    memory = module_of(position.game.id)
    assert memory is not None
    return memory


def _any(value: Any) -> Any:
    """What only the browser's arrays have."""
    return value


def _thinks(memory: GameMemory, position: Position) -> tuple[int, int]:
    """The addresses of the network that plays here, which is written once, and of its scratch."""
    number, networks = network_of(position), memory.manifest["networks"]
    key = ("network", number)
    if not memory.has(key):
        record = network_record(position.game, int(number or 0), networks)
        memory.put(key, memoryview(record))
    return memory.place(key, networks["size"]), memory.place("scratch", networks["scratch"])


def network_record(game: Game, number: int, networks: Mapping[str, Any]) -> bytes:
    """One of the networks in the game's file, as the module takes it."""
    record = bytearray(networks["size"])
    with ZipFile(BytesIO((files(game.package) / NETWORK_FILE).read_bytes())) as arrays:
        for name, place in networks["fields"].items():
            entry = arrays.read(f"{number}.{name}.npy")
            start = NPY_HEAD + int.from_bytes(entry[NPY_HEAD - 2 : NPY_HEAD], "little")
            record[place : place + len(entry) - start] = entry[start:]
    return bytes(record)

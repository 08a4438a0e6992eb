"""The machine that rules run on in a browser: no NumPy and no compiler, but the game's own module
of WebAssembly, compiled from the same rules (see `rule`).

Named by PELAGOS_MACHINE=pelagos.engine.browser. What readers ask of single rules is answered by
plain Python; every door, and the bots' choosing, by the module. A game whose module isn't there is
played by plain Python alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import Any

from pelagos.engine.plain_arrays import Numbers, States, table_of

INTERPRETED = True
ARRAYS = "pelagos.engine.plain_arrays"
HOST = "pelagos_rules"
"""The browser's own module that holds the games' modules: `Rules` of `web/static/rules.js`."""
BOTS = {
    "flat": "pelagos.pocket.bots:Flat",
    "search": "pelagos.pocket.bots:Search",
    "learned": "pelagos.pocket.bots:Learned",
    "planner": "pelagos.pocket.bots:Planner",
}
"""Bots that are others than those of the house here, by their names."""
CHANGING = ("shuffle", "begin", "play", "attempt", "chance", "happen", "redeal", "preview")
"""The doors through which a state changes."""
DOORS = (*CHANGING, "pending", "legal", "sheet", "winners", "observe")


class Word(int):
    """An unsigned number whose arithmetic wraps around."""

    bits = 64

    def __mul__(self, other: int) -> Word:
        return self._wrapped(int(self) * int(other))

    def __add__(self, other: int) -> Word:
        return self._wrapped(int(self) + int(other))

    def __lshift__(self, other: int) -> Word:
        return self._wrapped(int(self) << int(other))

    def __rlshift__(self, other: int) -> Word:
        return self._wrapped(int(other) << int(self))

    __rmul__ = __mul__
    __radd__ = __add__

    @classmethod
    def _wrapped(cls, number: int) -> Word:
        return cls(number & ((1 << cls.bits) - 1))


class HalfWord(Word):
    """The same of 32 bits."""

    bits = 32


uint64 = Word
uint32 = HalfWord

compiled_now: list[str] = []
"""Nothing is compiled here."""


@contextmanager
def watch_compiling(listener: Callable[[str], None]) -> Iterator[None]:
    """There is nothing to tell of."""
    yield


def compile_rule(function: Callable[..., Any]) -> Any:
    """The rule as it is."""
    return function


compile_hot = compile_wrapping = compile_rule


def constants(values: Any, kind: str) -> Numbers:
    """A table of numbers that rules look things up in."""
    return table_of(values, kind)


def stream_words(digest: bytes) -> Numbers:
    """A stream's four words."""
    return Numbers(memoryview(bytearray(digest)).cast("Q"), (4,))


def scratch() -> tuple[Callable[[int], Numbers], Callable[[int], Numbers]]:
    """Room for whole and for real numbers."""
    return partial(_room, "q"), partial(_room, "d")


def _room(kind: Any, size: int) -> Numbers:
    return Numbers(memoryview(bytearray(8 * size)).cast(kind), (size,))


# --- doors ----------------------------------------------------------------------------------------


def open_doors(doors: Any) -> Any:
    """The doors into the game's module; those of plain Python where there is none."""
    module = module_of(doors.game.id)
    return doors if module is None else ModuleDoors(doors, module)


def door(doors: Any, name: str, function: Callable[..., Any]) -> Any:
    """What the module has of this name, in the place of `function(states, packs, …)`."""
    module = module_of(doors.game.id)
    if module is None or name not in module.manifest["exports"]:
        return function
    opened = _Door(module, name)
    return lambda states, packs, *rest: opened(states, packs, 0, *rest)


def module_of(game_id: str) -> GameMemory | None:
    """The game's module, if it is loaded."""
    if game_id not in _modules:
        try:
            rules: Any = import_module(HOST)
        except ImportError:
            return None
        module = rules.find(game_id)
        if module is None:
            return None
        _modules[game_id] = GameMemory(module)
    return _modules[game_id]


_modules: dict[str, GameMemory] = {}


class GameMemory:
    """A module's memory: what its functions are given is put there, and fetched again."""

    def __init__(self, module: Any) -> None:
        self.module = module
        self.manifest: dict[str, Any] = module.manifest.to_py()
        self.least = 8 * int(self.manifest["room"])
        """No array is given less room: what a function writes always fits."""
        self._places: dict[Any, tuple[int, int]] = {}
        self._views: dict[tuple[int, int], Any] = {}
        self._pack: States | None = None

    def place(self, name: Any, size: int) -> int:
        """The address of a piece of memory that has a name, at least so large."""
        address, room = self._places.get(name, (0, -1))
        if room < size:
            room = max(size, self.least)
            address = self.module.take(room)
            self._places[name] = (address, room)
            self._views.clear()
        return address

    def has(self, name: Any) -> bool:
        """Does anything lie there already?"""
        return name in self._places

    def view(self, address: int, size: int) -> Any:
        """A piece of memory as the browser knows it."""
        view = self._views.get((address, size))
        if view is None:
            view = self._views[address, size] = self.module.bytes(address, size)
        return view

    def put(self, name: Any, data: memoryview) -> int:
        """Write data to its place."""
        address = self.place(name, len(data))
        self.view(address, len(data)).assign(data)
        return address

    def fetch(self, address: int, data: memoryview) -> None:
        """Read data from its place."""
        self.view(address, len(data)).assign_to(data)

    def pack(self, packs: States) -> int:
        """The address of a pack, which is written once."""
        if self._pack is not packs:
            self.put("pack", packs.memory)
            self._pack = packs
        return self.place("pack", 0)


class ModuleDoors:
    """The same doors as `doors.Doors`, opened by the game's module."""

    def __init__(self, doors: Any, memory: GameMemory) -> None:
        self.rules, self.game = doors.rules, doors.game
        for name in DOORS:
            setattr(self, name, _Door(memory, name))
        self._previews, self._expand = _Door(memory, "previews"), _Door(memory, "expand")

    def previews(self, states: States, packs: States, index: int, seat: int, *arrays: Any) -> None:
        """A seat's sheet for each of several actions, as if it alone happened."""
        actions, scratch, out = arrays
        self._previews(states, packs, index, seat, actions, len(actions), scratch, out)

    def expand(self, packs: States, raw: Numbers, out: Numbers) -> None:
        """An observation as float32 columns."""
        self._expand(None, packs, 0, raw, out)


class _Door:
    def __init__(self, memory: GameMemory, name: str) -> None:
        self._memory = memory
        self._function = getattr(memory.module.functions, name)
        self._changes_state = name in CHANGING

    def __call__(self, states: States | None, packs: States, index: int, *rest: Any) -> Any:
        memory = self._memory
        given: list[Any] = [memory.pack(packs)]
        changed: list[tuple[int, memoryview]] = []
        if states is not None:
            state = memory.put("states", states.memory) + index * states.itemsize
            given.insert(0, state)
            if self._changes_state:
                changed.append((state, states[index].memory))
        for place, argument in enumerate(rest):
            if isinstance(argument, Numbers | States):
                address = memory.put(place, argument.memory)
                given.append(address)
                changed.append((address, argument.memory))
            else:
                given.append(argument)
        result = self._function(*given)
        for address, data in changed:
            memory.fetch(address, data)
        return result

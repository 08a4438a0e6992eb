"""The compiled doors into a game's rules, for callers in Python.

A door takes the whole array of states and an index: a compiled call with an array costs a
fraction of one with a record.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from types import SimpleNamespace
from typing import Any

import numpy as np

from pelagos.engine.game import Game
from pelagos.engine.rule import INTERPRETED, rule
from pelagos.engine.types import CHANCE, Array

Door = Callable[..., Any]


def new_states(game: Game, count: int) -> Array:
    """An array of empty states, of the kind that rules can read here."""
    return readable(np.zeros(count, game.part("state").STATE))


def readable(array: Array) -> Array:
    """The array as rules can read it: interpreted ones need records with attributes."""
    return array.view(np.recarray) if INTERPRETED else array


def copy_of(states: Array) -> Array:
    """An independent copy. States have no holes, and NumPy's own copying goes field by field."""
    return readable(np.frombuffer(bytearray(states.tobytes()), states.dtype))


def record_of(states: Array, index: int = 0) -> Any:
    """One state as a record whose fields are attributes, sharing the array's memory."""
    rows = _rows(states.dtype)
    if rows is np.recarray:
        return states.view(rows)[index]
    return np.frombuffer(states, rows)[index]


@cache
def _rows(kind: np.dtype[Any]) -> Any:
    """The record type with a descriptor for each field.

    NumPy's own look-up of a field takes many times as long, and a view reads hundreds of them.
    """
    found = dict(kind.fields or {})
    if any(field[0].base.names for field in found.values()):
        return np.recarray
    fields: dict[str, Any] = {
        name: (_Many if field[0].shape else _One)(name, field[0], field[1])
        for name, field in found.items()
    }
    return np.dtype((type("Row", (np.void,), {"__setattr__": _write, **fields}), kind))


def _write(row: Any, name: str, value: Any) -> None:
    """Write a field, an array's numbers where they lie."""
    if isinstance(type(row).__dict__.get(name), _Many):
        getattr(row, name)[...] = value
    else:
        np.void.__setattr__(row, name, value)


class _One:
    """A field that is a single number: where it lies is looked up once."""

    def __init__(self, name: str, kind: np.dtype[Any], offset: int) -> None:
        self._name, self._kind, self._offset = name, kind, offset
        self._single = np.dtype((kind, (1,)))

    def __get__(self, row: Any, _: type) -> Any:
        kept = row.__dict__
        if self._name not in kept:
            kept[self._name] = row.getfield(self._single, self._offset)
        return kept[self._name][0]

    def __set__(self, row: Any, value: Any) -> None:
        row.setfield(value, self._kind, self._offset)


class _Many:
    """A field that is an array: it shares the record's memory, so it is looked up once."""

    def __init__(self, name: str, kind: np.dtype[Any], offset: int) -> None:
        self._name, self._kind, self._offset = name, kind, offset

    def __get__(self, row: Any, _: type) -> Any:
        row.__dict__[self._name] = found = row.getfield(self._kind, self._offset)
        return found


@dataclass(frozen=True)
class Doors:
    """One compiled function for each rule of the contract."""

    game: Game

    @cached_property
    def rules(self) -> SimpleNamespace:
        """The contract's rules, gathered from the game's modules."""
        rules, scoring = self.game.part("rules"), self.game.part("scoring")
        knowledge, features = self.game.part("knowledge"), self.game.part("features")
        return SimpleNamespace(
            shuffle=rules.shuffle,
            begin=rules.begin,
            pending=rules.pending,
            legal=rules.legal,
            play=rules.play,
            chance=rules.chance,
            happen=rules.happen,
            sheet=scoring.sheet,
            winners=scoring.winners,
            redeal=knowledge.redeal,
            preview=knowledge.preview,
            observe=features.observe,
        )

    @cached_property
    def shuffle(self) -> Door:
        """Fill in the deal."""
        return _two(self.rules.shuffle)

    @cached_property
    def begin(self) -> Door:
        """Start play from the deal."""
        return _two(self.rules.begin)

    @cached_property
    def pending(self) -> Door:
        """Who owes a decision."""
        return _two(self.rules.pending)

    @cached_property
    def legal(self) -> Door:
        """What a seat may do."""
        return _four(self.rules.legal)

    @cached_property
    def play(self) -> Door:
        """Make a move."""
        return _four(self.rules.play)

    @cached_property
    def attempt(self) -> Door:
        """Make a move if it is legal: NOT_PENDING, NOT_LEGAL, or what `play` returns, with who
        owed a decision before it in the bits from BEFORE on, and CHANCE_DUE.
        """
        return _attempt(self.rules)

    @cached_property
    def chance(self) -> Door:
        """Draw what chance owes."""
        return _three(self.rules.chance)

    @cached_property
    def happen(self) -> Door:
        """Apply what chance brought."""
        return _four(self.rules.happen)

    @cached_property
    def sheet(self) -> Door:
        """A seat's score sheet."""
        return _four(self.rules.sheet)

    @cached_property
    def winners(self) -> Door:
        """Who wins, given the totals."""
        return _three(self.rules.winners)

    @cached_property
    def redeal(self) -> Door:
        """Another world that looks the same to a seat."""
        return _four(self.rules.redeal)

    @cached_property
    def preview(self) -> Door:
        """A seat's sheet if an action alone happened; the state is scratch."""
        return _five(self.rules.preview)

    @cached_property
    def observe(self) -> Door:
        """Numbers for a learner."""
        return _four(self.rules.observe)


@cache
def doors(game: Game) -> Doors:
    """The game's doors, opened once a process."""
    return Doors(game)


NOT_PENDING, NOT_LEGAL = -1, -2
BEFORE = 4
CHANCE_DUE = 8


def _attempt(rules: SimpleNamespace) -> Door:
    pending, legal, play = rules.pending, rules.legal, rules.play

    @rule
    def attempt(
        states: Array, packs: Array, index: int, seat: int, action: int, room: Array
    ) -> Any:
        game, pack = states[index], packs[0]
        who = pending(game, pack)
        if who == CHANCE or not (who >> seat) & 1:
            return NOT_PENDING
        count = legal(game, pack, seat, room)
        for place in range(count):
            if room[place] == action:
                found = play(game, pack, seat, action) | (who << BEFORE)
                if pending(game, pack) == CHANCE:
                    found |= CHANCE_DUE
                return found
        return NOT_LEGAL

    return attempt


def _two(inner: Door) -> Door:
    @rule
    def door(states: Array, packs: Array, index: int) -> Any:
        return inner(states[index], packs[0])

    return door


def _three(inner: Door) -> Door:
    @rule
    def door(states: Array, packs: Array, index: int, first: Any) -> Any:
        return inner(states[index], packs[0], first)

    return door


def _four(inner: Door) -> Door:
    @rule
    def door(states: Array, packs: Array, index: int, first: Any, second: Any) -> Any:
        return inner(states[index], packs[0], first, second)

    return door


def _five(inner: Door) -> Door:
    @rule
    def door(states: Array, packs: Array, index: int, first: Any, second: Any, third: Any) -> Any:
        return inner(states[index], packs[0], first, second, third)

    return door

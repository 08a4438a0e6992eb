"""States and packs as NumPy's arrays and records."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from pelagos.engine.fields import Fields
from pelagos.engine.game import Game
from pelagos.engine.rule import INTERPRETED
from pelagos.engine.types import Array


def dtype_of(fields: Fields) -> np.dtype[Any]:
    """NumPy's record type of these fields."""
    return np.dtype(
        {
            "names": [field.name for field in fields.fields],
            "formats": [(field.kind, field.shape) for field in fields.fields],
            "offsets": [field.offset for field in fields.fields],
            "itemsize": fields.size,
        },
        align=True,
    )


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
        name: (_Numbers if field[0].shape else _Number)(name, field[0], field[1])
        for name, field in found.items()
    }
    return np.dtype((type("Row", (np.void,), {"__setattr__": _write, **fields}), kind))


def _write(row: Any, name: str, value: Any) -> None:
    """Write a field, an array's numbers where they lie."""
    if isinstance(type(row).__dict__.get(name), _Numbers):
        getattr(row, name)[...] = value
    else:
        np.void.__setattr__(row, name, value)


class _Number:
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


class _Numbers:
    """A field that is an array: it shares the record's memory, so it is looked up once."""

    def __init__(self, name: str, kind: np.dtype[Any], offset: int) -> None:
        self._name, self._kind, self._offset = name, kind, offset

    def __get__(self, row: Any, _: type) -> Any:
        row.__dict__[self._name] = found = row.getfield(self._kind, self._offset)
        return found

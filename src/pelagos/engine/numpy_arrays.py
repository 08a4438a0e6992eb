"""States, packs and numbers as NumPy's arrays and records (see `arrays`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from struct import Struct
from typing import Any

import numpy as np

from pelagos.engine.compiled import INTERPRETED
from pelagos.engine.fields import Fields
from pelagos.engine.game import Game
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


def new_packs(fields: Fields) -> Array:
    """An array of one empty pack."""
    return np.zeros(1, fields)


def new_records(fields: Fields, count: int) -> Array:
    """An array of empty records of other fields."""
    return readable(np.zeros(count, fields))


def numbers(shape: int | tuple[int, ...], kind: Any = np.int64) -> Array:
    """An array of zeros."""
    return np.zeros(shape, kind)


def listed(values: Sequence[int], kind: Any = np.int64) -> Array:
    """An array of these whole numbers."""
    return np.array(values, kind)


def in_a_row(array: Array) -> Array:
    """An array's numbers in one row, in the same memory."""
    return array.reshape(-1)


def in_memory(states: Array, memory: bytearray) -> Array:
    """States of the same kind that lie in this memory."""
    return readable(np.frombuffer(memory, states.dtype))


def readable(array: Array) -> Array:
    """The array as rules can read it: interpreted ones need records with attributes."""
    return array.view(np.recarray) if INTERPRETED else array


def copy_of(states: Array) -> Array:
    """An independent copy. States have no holes, and NumPy's own copying goes field by field."""
    return readable(np.frombuffer(bytearray(states.tobytes()), states.dtype))


def record_of(states: Array, index: int = 0) -> Any:
    """One state as a record whose fields are attributes, sharing the array's memory."""
    kind = _record_type(states.dtype)
    if kind is np.recarray:
        return states.view(kind)[index]
    memory = states.base
    if isinstance(memory, memoryview):  # many times as fast as a view of the array
        record, data = np.frombuffer(memory, kind)[index], np.frombuffer(memory, np.uint8)
    else:
        record, data = states.view(kind)[index], states.view(np.uint8)
    size = states.itemsize
    record.__dict__["data"] = data[index * size : (index + 1) * size] if len(states) > 1 else data
    return record


@cache
def _record_type(kind: np.dtype[Any]) -> Any:
    """The record type with a descriptor for each field.

    NumPy's own look-up of a field takes many times as long, and a view reads hundreds of them.
    """
    fields = dict(kind.fields or {})
    if any(field[0].base.names for field in fields.values()):
        return np.recarray
    attributes: dict[str, Any] = {
        name: (_Numbers if field[0].shape else _Number)(name, field[0], field[1])
        for name, field in fields.items()
    }
    attributes |= {"data": property(_data), "copy": _copy, "__setattr__": _write}
    return np.dtype((type("Record", (np.void,), attributes), kind))


def _data(record: Any) -> Array:
    """The record's bytes. Compiled rules ask for them at each call; NumPy's own way of telling
    them describes every field anew.
    """
    data: Array = record.__dict__["data"]
    return data


def _copy(record: Any) -> Any:
    """An independent record."""
    return record_of(np.frombuffer(bytearray(record.data.tobytes()), record.dtype))


def _write(record: Any, name: str, value: Any) -> None:
    """Write a field, an array's numbers where they lie."""
    type(record).__dict__[name].array(record)[...] = value


class _Numbers:
    """A field that is an array: it shares the state's memory, and is looked up once.

    It is made from the state's bytes, not from the record, which would then never be freed.
    """

    def __init__(self, name: str, kind: np.dtype[Any], offset: int) -> None:
        self._name, self._base, self._shape, self._offset = name, kind.base, kind.shape, offset

    def array(self, record: Any) -> Array:
        """The field's numbers."""
        attributes = record.__dict__
        numbers: Array | None = attributes.get(self._name)
        if numbers is None:
            numbers = np.ndarray(self._shape, self._base, attributes["data"], self._offset)
            attributes[self._name] = numbers
        return numbers

    def __get__(self, record: Any, _: type) -> Any:
        return self.array(record)


class _Number(_Numbers):
    """A field that is a single number: a view reads dozens of them, each as a plain one."""

    def __init__(self, name: str, kind: np.dtype[Any], offset: int) -> None:
        super().__init__(name, kind, offset)
        self._unpack = Struct(f"@{kind.char}").unpack_from

    def __get__(self, record: Any, _: type) -> Any:
        return self._unpack(record.__dict__["data"], self._offset)[0]

    def __set__(self, record: Any, value: Any) -> None:
        self.array(record)[...] = value

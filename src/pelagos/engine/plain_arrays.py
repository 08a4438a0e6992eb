"""States, packs and numbers without NumPy: plain memory, read in place (see `arrays`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate, product
from math import prod
from typing import Any

from pelagos.engine.fields import Field, Fields
from pelagos.engine.game import Game

LETTERS: dict[str, Any] = {
    "int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I",
    "int64": "q", "uint64": "Q", "float32": "f", "float64": "d",
}  # fmt: skip
"""The types of numbers, as memory views name them."""
SIZES = {kind: memoryview(bytes(8)).cast(letter).itemsize for kind, letter in LETTERS.items()}


class Numbers:
    """An array of numbers of one type; a part of it shares its memory."""

    __slots__ = ("_flat", "_start", "_steps", "shape")

    def __init__(
        self,
        flat: memoryview,
        shape: tuple[int, ...],
        start: int = 0,
        steps: tuple[int, ...] | None = None,
    ) -> None:
        self._flat = flat
        self.shape = shape
        self._start = start
        self._steps = _steps_of(shape) if steps is None else steps

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(self.shape[0]))

    def __getitem__(self, index: Any) -> Any:
        if len(self.shape) == 1 and index.__class__ is int:
            if not 0 <= index < self.shape[0]:
                index = _inside(index, self.shape[0])
            return self._flat[self._start + index * self._steps[0]]
        start, shape, steps = self._part(index)
        return Numbers(self._flat, shape, start, steps) if shape else self._flat[start]

    def __setitem__(self, index: Any, value: Any) -> None:
        start, shape, steps = self._part(index)
        if not shape:
            self._flat[start] = value
            return
        values = _all_of(value, shape)
        for place, number in zip(_places(start, shape, steps), values, strict=True):
            self._flat[place] = number

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise TypeError("there is no NumPy here")

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return prod(self.shape)

    @property
    def letter(self) -> Any:
        """Of their type."""
        return self._flat.format

    @property
    def _is_in_one_piece(self) -> bool:
        return self._steps == _steps_of(self.shape)

    @property
    def memory(self) -> memoryview:
        """The bytes of an array that lies in one piece."""
        assert self._is_in_one_piece
        return self._flat[self._start : self._start + self.size].cast("B")

    def ravel(self) -> Numbers:
        """The numbers in one row, for themselves."""
        return Numbers(self.copy()._flat, (self.size,))

    def copy(self) -> Numbers:
        """An independent array."""
        if self._is_in_one_piece:
            memory = memoryview(bytearray(self.memory))
            return Numbers(memory.cast(self.letter), self.shape)
        return _array(self.letter, list(self._values()), self.shape)

    def sum(self) -> Any:
        """All of them together."""
        return sum(self._values())

    def tolist(self) -> list[Any]:
        """The numbers, as lists in lists."""
        if len(self.shape) == 1:
            first, step = self._start, self._steps[0]
            if step < 0:
                return list(self._values())
            return self._flat[first : first + self.shape[0] * step : step].tolist()
        return [row.tolist() for row in self]

    def tobytes(self) -> bytes:
        """The numbers' bytes."""
        return (self if self._is_in_one_piece else self.copy()).memory.tobytes()

    def _values(self) -> Iterator[Any]:
        flat = self._flat
        return (flat[place] for place in _places(self._start, self.shape, self._steps))

    def _part(self, index: Any) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
        """Where a part begins, how long it is along each axis that is left, and its steps."""
        if index is Ellipsis:
            index = ()
        elif not isinstance(index, tuple):
            index = (index,)
        start, shape, steps = self._start, [], []
        for axis, length in enumerate(self.shape):
            step, at = self._steps[axis], index[axis] if axis < len(index) else slice(None)
            if isinstance(at, slice):
                first, last, stride = at.indices(length)
                start += first * step
                shape.append(len(range(first, last, stride)))
                steps.append(stride * step)
            else:
                start += _inside(at, length) * step
        return start, tuple(shape), tuple(steps)


def _inside(index: int, length: int) -> int:
    place = index + length if index < 0 else index
    if not 0 <= place < length:
        raise IndexError(f"{index} isn't one of {length}")
    return place


def _steps_of(shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(accumulate(shape[:0:-1], int.__mul__, initial=1))[::-1]


def _places(start: int, shape: tuple[int, ...], steps: tuple[int, ...]) -> Iterator[int]:
    if len(shape) == 1:
        yield from (start + place * steps[0] for place in range(shape[0]))
    else:
        for places in product(*map(range, shape)):
            yield start + sum(map(int.__mul__, places, steps))


def _all_of(value: Any, shape: tuple[int, ...]) -> list[Any]:
    """The values that are written to an array of this shape: lists in lists, or one for all."""
    if isinstance(value, int | float):
        return [value] * prod(shape)
    if len(shape) == 1:
        return list(value)
    return [number for row in value for number in _all_of(row, shape[1:])]


def _array(letter: Any, values: Sequence[Any], shape: tuple[int, ...]) -> Numbers:
    flat = memoryview(bytearray(len(values) * memoryview(bytes(8)).cast(letter).itemsize))
    made = Numbers(flat.cast(letter), shape)
    made[...] = values if len(shape) == 1 else _rows(values, shape)
    return made


def _rows(values: Sequence[Any], shape: tuple[int, ...]) -> list[Any]:
    if len(shape) == 1:
        return list(values)
    size = prod(shape[1:])
    return [_rows(values[at : at + size], shape[1:]) for at in range(0, len(values), size)]


def table_of(values: Any, kind: str) -> Numbers:
    """Numbers in lists, as an array that can't be changed."""
    shape, inner = [], values
    while isinstance(inner, Sequence):
        shape.append(len(inner))
        inner = inner[0]
    made = numbers(tuple(shape), kind)
    made[...] = values
    return Numbers(made.memory.toreadonly().cast(LETTERS[kind]), made.shape)


# --- records --------------------------------------------------------------------------------------


class PlainRecord:
    """A state or a pack, a field an attribute; each game's has a class of its own."""

    __slots__ = ("_arrays", "_by_letter", "memory")

    fields: Fields

    def __init__(self, memory: memoryview) -> None:
        self.memory = memory
        self._by_letter: dict[str, memoryview] = {}
        self._arrays: dict[str, Numbers] = {}

    def numbers_of(self, letter: Any) -> memoryview:
        """The whole record as numbers of a type: all fields are aligned to their own."""
        view = self._by_letter.get(letter)
        if view is None:
            view = self._by_letter[letter] = self.memory.cast(letter)
        return view

    def array_of(self, name: str, letter: Any, first: int, shape: tuple[int, ...]) -> Numbers:
        """A field that is an array, made once."""
        array = self._arrays.get(name)
        if array is None:
            array = self._arrays[name] = Numbers(self.numbers_of(letter), shape, first)
        return array

    def copy(self) -> PlainRecord:
        """An independent record."""
        return type(self)(memoryview(bytearray(self.memory)))


@cache
def _record_class(fields: Fields) -> type[PlainRecord]:
    attributes: dict[str, Any] = {"__slots__": (), "fields": fields}
    attributes |= {field.name: _attribute(field) for field in fields.fields}
    return type("Record", (PlainRecord,), attributes)


def _attribute(field: Field) -> property:
    name, letter, shape = field.name, LETTERS[field.kind], field.shape
    first = field.offset // SIZES[field.kind]

    def read_number(record: PlainRecord) -> Any:
        return record.numbers_of(letter)[first]

    def write_number(record: PlainRecord, value: Any) -> None:
        record.numbers_of(letter)[first] = value

    def read_array(record: PlainRecord) -> Numbers:
        return record.array_of(name, letter, first, shape)

    def write_array(record: PlainRecord, value: Any) -> None:
        read_array(record)[...] = value

    return property(read_array, write_array) if shape else property(read_number, write_number)


class States:
    """States or packs in one piece of memory."""

    __slots__ = ("_record", "fields", "memory")

    def __init__(self, fields: Fields, memory: memoryview) -> None:
        self.fields = fields
        self.memory = memory
        self._record = _record_class(fields)

    @property
    def itemsize(self) -> int:
        """The bytes of a state."""
        return self.fields.size

    def __len__(self) -> int:
        return len(self.memory) // self.fields.size

    def __getitem__(self, index: int) -> PlainRecord:
        first = _inside(index, len(self)) * self.fields.size
        return self._record(self.memory[first : first + self.fields.size])

    def __setitem__(self, index: int, state: PlainRecord) -> None:
        self[index].memory[:] = state.memory

    def tobytes(self) -> bytes:
        """The states' bytes."""
        return self.memory.tobytes()

    def setflags(self, write: bool) -> None:
        """Let nobody write into them any more."""
        if not write:
            self.memory = self.memory.toreadonly()


# --- what `arrays` offers -------------------------------------------------------------------------


def new_states(game: Game, count: int) -> States:
    """An array of empty states."""
    fields: Fields = game.part("state").STATE
    return States(fields, memoryview(bytearray(count * fields.size)))


def new_packs(fields: Fields) -> States:
    """An array of one empty pack."""
    return States(fields, memoryview(bytearray(fields.size)))


def new_records(fields: Fields, count: int) -> States:
    """An array of empty records of other fields."""
    return States(fields, memoryview(bytearray(count * fields.size)))


def numbers(shape: int | tuple[int, ...], kind: str = "int64") -> Numbers:
    """An array of zeros."""
    whole = shape if isinstance(shape, tuple) else (shape,)
    memory = memoryview(bytearray(prod(whole) * SIZES[kind]))
    return Numbers(memory.cast(LETTERS[kind]), whole)


def listed(values: Sequence[int], kind: str = "int64") -> Numbers:
    """An array of these whole numbers."""
    return _array(LETTERS[kind], values, (len(values),))


def in_a_row(array: Numbers) -> Numbers:
    """An array's numbers in one row, in the same memory."""
    return Numbers(array.memory.cast(array.letter), (array.size,))


def readable(array: Any) -> Any:
    """The array as it is."""
    return array


def copy_of(states: States) -> States:
    """An independent copy."""
    return States(states.fields, memoryview(bytearray(states.memory)))


def in_memory(states: States, memory: bytearray) -> States:
    """States of the same kind that lie in this memory."""
    return States(states.fields, memoryview(memory))


def record_of(states: States, index: int = 0) -> PlainRecord:
    """One state as a record, sharing the array's memory."""
    return states[index]

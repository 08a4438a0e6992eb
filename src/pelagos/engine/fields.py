"""Fields of a game's state or pack: their names, types and places, declared without NumPy.

A record is one flat block of bytes. `numpy_arrays` derives NumPy's record type from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from math import prod
from typing import Any

SIZES = {
    "int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "int32": 4, "uint32": 4,
    "int64": 8, "uint64": 8, "float64": 8,
}  # fmt: skip
"""Bytes of each type of number."""
ALIGNED = 8
TAKEN = frozenset(
    """T all any argmax argmin argsort astype base byteswap choose clip compress conj conjugate
    copy cumprod cumsum data device diagonal dtype dump dumps fill flags flat flatten getfield imag
    item itemsize max mean min nbytes ndim nonzero pprint prod put ravel real repeat reshape resize
    round searchsorted setfield setflags shape size sort squeeze std strides sum swapaxes take
    to_device tobytes tofile tolist trace transpose var view""".split()  # noqa: SIM905
)
"""Names that NumPy's records use themselves."""


@dataclass(frozen=True)
class Field:
    """One field: a number, or an array of numbers."""

    name: str
    kind: str
    shape: tuple[int, ...]
    offset: int

    @property
    def size(self) -> int:
        """Its bytes."""
        return SIZES[self.kind] * prod(self.shape)

    @property
    def entry_size(self) -> int:
        """The bytes of one entry along the first axis."""
        return self.size // self.shape[0]


@dataclass(frozen=True, eq=False)
class Fields:
    """All fields of a record, without holes, its size a multiple of 8."""

    fields: tuple[Field, ...]
    size: int

    @cached_property
    def dtype(self) -> Any:
        """NumPy's record type: wherever NumPy wants a type, the fields will do."""
        return import_module("pelagos.engine.numpy_arrays").dtype_of(self)

    @cached_property
    def by_name(self) -> dict[str, Field]:
        """The fields by their names."""
        return {field.name: field for field in self.fields}


def state_type(declared: Sequence[tuple[Any, ...]]) -> Fields:
    """Lay fields out: `("owing", "int64")`, `("hands", "int64", 5)`, `("rows", "int8", (5, 3))`;
    from wide to narrow, so that all are aligned and there are no holes: NumPy doesn't copy the
    bytes of holes, and equal positions must be equal bytes.
    """
    laid, offset = [], 0
    for name, kind, *shape in sorted(declared, key=lambda field: -SIZES[field[1]]):
        if name in TAKEN:
            raise ValueError(f"a state can't have a field named {name}: NumPy's records use it")
        sizes = shape[0] if shape else ()
        field = Field(name, kind, sizes if isinstance(sizes, tuple) else (sizes,), offset)
        laid.append(field)
        offset += field.size
    rest = -offset % ALIGNED
    if rest:
        laid.append(Field("padding", "int8", (rest,), offset))
    return Fields(tuple(laid), offset + rest)

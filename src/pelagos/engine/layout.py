"""What each number of an observation is, declared once, as data.

`observe` writes int16 numbers. A layout names them field by field, with their lowest and highest
value. From it follow a space's bounds, the documentation's tables, where a rule writes what, and
one compiled rule that expands the numbers to float32 columns:

    flag      0 or 1, one column
    count     an amount, one column, scaled so that what is usual lies between 0 and 1
    category  one of several values, a column for each of them (one-hot)
    card      0, or a card's number; a column for each of the card's attributes, which come from
              the pack, and all of them 0 where there is no card

    LAYOUT = Layout(
        1,
        category("phase", "What is decided", ("bid", "rob", "over")),
        count("hands", "Cards in each hand", 10, seat=4, card=("low", "high")),
    )
    HANDS = LAYOUT.first("hands")  # a plain integer, for rules

A field's axes are written like a verb's parameters: how long each is, or the names of its places.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from itertools import accumulate, product
from math import prod
from typing import Any

from pelagos.engine.game import Game
from pelagos.engine.rule import constants, rule
from pelagos.engine.types import Array

KINDS = ("flag", "count", "category", "card")
FLAG, COUNT, CATEGORY, CARD = range(len(KINDS))
LEAST, MOST = -(1 << 15), (1 << 15) - 1
"""What an int16 can be."""

Axis = tuple[str, tuple[str, ...]]
"""A name, and the names of the places along it."""


@dataclass(frozen=True)
class Field:
    """Numbers of one kind, which share their bounds."""

    name: str
    shape: tuple[int, ...]
    low: int
    high: int
    kind: str
    about: str = ""
    axes: tuple[Axis, ...] = ()
    values: tuple[str, ...] = ()
    """A category's: what each value from `low` on stands for."""
    attributes: tuple[str, ...] = ()
    """A card's: which of the layout's attributes it expands to; none named means all."""
    summed: tuple[str, ...] = ()
    """A card's: attributes that are added up along the last axis instead, as a row has them."""
    scale: int = 0
    """A count's: the amount that is 1 when expanded; 0 means `high`."""

    def __post_init__(self) -> None:
        """Refuse what no number could be."""
        if self.kind not in KINDS:
            raise ValueError(f"{self.name}: a field is one of {', '.join(KINDS)}, not {self.kind}")
        if not LEAST <= self.low < self.high <= MOST:
            raise ValueError(f"{self.name}: no number lies between {self.low} and {self.high}")
        if self.kind == "flag" and (self.low, self.high) != (0, 1):
            raise ValueError(f"{self.name}: a flag is 0 or 1")
        if self.kind == "card" and self.low != 0:
            raise ValueError(f"{self.name}: 0 is no card")
        if self.values and len(self.values) != self.high - self.low + 1:
            raise ValueError(f"{self.name}: each value from low to high has a name")

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)

    @property
    def rows(self) -> int:
        """How many rows it has: all axes but the last."""
        return prod(self.shape[:-1])

    def places(self, axes: int | None = None) -> Iterator[str]:
        """What each of its numbers is called; or each of its rows, by so many axes."""
        lengths = [tuple(map(str, range(length))) for length in self.shape]
        along = [places for _, places in self.axes] or lengths
        for names in product(*along[:axes]):
            yield ".".join((self.name, *names))


def flag(name: str, about: str, **axes: int | Iterable[Any]) -> Field:
    """Something that is so (1) or not (0)."""
    return _field("flag", name, about, 0, 1, axes)


def count(
    name: str, about: str, high: int, low: int = 0, scale: int = 0, **axes: int | Iterable[Any]
) -> Field:
    """An amount, from `low` to `high`; `scale`: the amount that is 1 when expanded."""
    return _field("count", name, about, low, high, axes, scale=scale)


def category(name: str, about: str, values: Iterable[Any], **axes: int | Iterable[Any]) -> Field:
    """One of these values; of a range, the number itself, else its place in the list."""
    names = tuple(values)
    low = values.start if isinstance(values, range) else 0
    high = low + len(names) - 1
    return _field("category", name, about, low, high, axes, values=tuple(map(str, names)))


def card(
    name: str,
    about: str,
    high: int,
    attributes: Sequence[str] = (),
    summed: Sequence[str] = (),
    **axes: int | Iterable[Any],
) -> Field:
    """A card's number, from 1 to `high`, or 0 for none."""
    more = {"attributes": tuple(attributes), "summed": tuple(summed)}
    return _field("card", name, about, 0, high, axes, **more)


def _field(
    kind: str,
    name: str,
    about: str,
    low: int,
    high: int,
    axes: dict[str, int | Iterable[Any]],
    **more: Any,
) -> Field:
    named: tuple[Axis, ...] = tuple(
        (axis, tuple(map(str, range(places) if isinstance(places, int) else places)))
        for axis, places in axes.items()
    )
    shape = tuple(len(places) for _, places in named)
    return Field(name, shape, low, high, kind, about, named, **more)


class Layout:
    """All numbers of a game's observation, in their order."""

    def __init__(self, version: int, *fields: Field, attributes: Sequence[str] = ()) -> None:
        """The version is raised with every change; attributes are those of the game's cards."""
        self.version = version
        self.fields = fields
        self.attributes = tuple(attributes)
        self.by_name = {field.name: field for field in fields}
        if len(self.by_name) < len(fields):
            raise ValueError("each field is declared once")
        for field in fields:
            if not set(self.attributes) >= {*field.attributes, *field.summed}:
                raise ValueError(f"{field.name}: no such attribute of a card")
        sizes = [field.size for field in fields]
        self.size = sum(sizes)
        """How many numbers an observation has."""
        self._firsts = dict(zip(self.by_name, accumulate(sizes, initial=0), strict=False))

    def first(self, name: str) -> int:
        """Where a field's first number stands."""
        return self._firsts[name]

    def part(self, raw: Array, name: str) -> Array:
        """A field's numbers, in its shape, out of one observation or of an array of them."""
        first = self._firsts[name]
        field = self.by_name[name]
        return raw[..., first : first + field.size].reshape((*raw.shape[:-1], *field.shape))

    @cached_property
    def low(self) -> Array:
        """The lowest value of each number."""
        return _flat(self, lambda field: field.low)

    @cached_property
    def high(self) -> Array:
        """The highest value of each number."""
        return _flat(self, lambda field: field.high)

    @cached_property
    def fingerprint(self) -> str:
        """Changes with whatever decides what a number or a column is; words may change."""
        fields = [(*field.places(), field.low, field.high, field.kind) for field in self.fields]
        factors = [(field.scale, *field.summed) for field in self.fields]
        described = repr((fields, factors, self.columns()))
        return hashlib.sha256(described.encode()).hexdigest()[:12]

    def attributes_of(self, field: Field) -> tuple[str, ...]:
        """What a card of this field expands to."""
        return field.attributes or self.attributes

    def width(self, field: Field) -> int:
        """How many columns one number of this field expands to."""
        if field.kind == "category":
            return field.high - field.low + 1
        return len(self.attributes_of(field)) if field.kind == "card" else 1

    def columns_of(self, field: Field) -> int:
        """How many columns this field expands to."""
        return field.size * self.width(field) + field.rows * len(field.summed)

    @cached_property
    def expanded(self) -> int:
        """How many float32 columns an observation expands to."""
        return sum(map(self.columns_of, self.fields))

    def names(self) -> list[str]:
        """What each number is called: its field, and its place along each axis."""
        return [name for field in self.fields for name in field.places()]

    def columns(self) -> list[str]:
        """What each column is called once expanded: its number, and what it then stands for."""
        columns = []
        for field in self.fields:
            each = product(field.places(), self._values(field))
            rows = product(field.places(len(field.shape) - 1), field.summed)
            columns += [f"{name}={value}" if value else name for name, value in each]
            columns += [f"{name}={value}" for name, value in rows]
        return columns

    def _values(self, field: Field) -> tuple[str, ...]:
        """What the columns of one number stand for."""
        if field.kind == "category":
            return field.values or tuple(map(str, range(field.low, field.high + 1)))
        return self.attributes_of(field) if field.kind == "card" else ("",)


def _flat(layout: Layout, bound: Callable[[Field], int]) -> Array:
    numpy = import_module("numpy")
    bounds = [bound(field) for field in layout.fields for _ in range(field.size)]
    table: Array = numpy.array(bounds, numpy.int16)
    table.setflags(write=False)
    return table


# --- expanding ------------------------------------------------------------------------------------


@cache
def expander(game: Game) -> Callable[[Any, Array, Array], None]:
    """The rule `expand(pack, raw, out)`: one observation's numbers as float32 columns.

    A game whose layout has cards has a rule `features.attribute(pack, card, which)`.
    """
    features = game.part("features")
    layout: Layout = features.LAYOUT
    attribute = getattr(features, "attribute", _no_attribute)
    fields, columns = len(layout.fields), layout.expanded
    plan, factors, chosen = _plan(layout)

    @rule
    def expand(pack: Any, raw: Array, out: Array) -> None:
        for column in range(columns):
            out[column] = 0
        for field in range(fields):
            kind, first, size = int(plan[field, 0]), int(plan[field, 1]), int(plan[field, 2])
            column, width, low = int(plan[field, 3]), int(plan[field, 4]), int(plan[field, 5])
            row, added = int(plan[field, 6]), int(plan[field, 7])
            if kind == CATEGORY:
                for step in range(size):
                    out[column + step * width + int(raw[first + step]) - low] = 1
            elif kind == CARD:
                sums = column + size * width
                for step in range(size):
                    card = int(raw[first + step])
                    if card:
                        at = column + step * width
                        for place in range(width):
                            out[at + place] = attribute(pack, card, int(chosen[field, place]))
                        at = sums + step // row * added
                        for place in range(added):
                            which = int(chosen[field, width + place])
                            out[at + place] += attribute(pack, card, which)
            else:
                scale = factors[field]
                for step in range(size):
                    out[column + step] = int(raw[first + step]) * scale

    return expand


@rule
def _no_attribute(pack: Any, card: int, which: int) -> int:
    """Of a game without cards."""
    return 0


def _plan(layout: Layout) -> tuple[Array, Array, Array]:
    """For each field its kind, first number, how many; first column, columns of a number; lowest
    value; numbers in a row, columns of a row. What a count is multiplied by. Which attributes a
    card expands to, then those that are added up.
    """
    plan, factors, chosen, column = [], [], [], 0
    for field in layout.fields:
        width, row = layout.width(field), field.size // field.rows
        numbers = [KINDS.index(field.kind), layout.first(field.name), field.size, column, width]
        plan.append([*numbers, field.low, row, len(field.summed)])
        factors.append(1 / (field.scale or max(field.high, -field.low)))
        names = (*layout.attributes_of(field), *field.summed) if field.kind == "card" else ()
        chosen.append([layout.attributes.index(name) for name in names])
        column += layout.columns_of(field)
    most = max(map(len, chosen))
    square = [which + [0] * (most + 1 - len(which)) for which in chosen]
    return constants(plan), constants(factors, "float64"), constants(square)

"""The action space of a game, declared once, as data.

A verb may take parameters, each a list of values. Its actions are numbered one after the other, the
last parameter fastest; verbs follow each other in the order in which they are declared. Offsets,
decoding, the notation's verbs, the size and the documentation's table all follow from that.

    ACTIONS = Actions(Verb("pass"), Verb("take", card=("shell", "pearl")), Verb("place", cell=42))
    TAKES = ACTIONS.first("take")  # a plain integer, for rules
    ACTIONS.decode(2)  # Action(verb="take", values=("pearl",), place=1)
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple


class Action(NamedTuple):
    """What a number stands for."""

    verb: str
    values: tuple[Any, ...]
    """A value for each of the verb's parameters."""
    place: int
    """Its place among the verb's actions, from 0."""


class Verb:
    """Something that a player does, with the values of its parameters."""

    def __init__(
        self, name: str, *, skip: int = 0, **parameters: int | range | Iterable[Hashable]
    ) -> None:
        """A parameter's values: a range, a list, or how many there are, counted from 0.

        `skip` leaves so many numbers unused before the verb.
        """
        self.name = name
        self.skip = skip
        self.parameters: dict[str, Sequence[Any]] = {
            parameter: range(values) if isinstance(values, int) else tuple(values)
            for parameter, values in parameters.items()
        }
        self.places = [
            {value: place for place, value in enumerate(values)}
            for values in self.parameters.values()
        ]

    @property
    def count(self) -> int:
        """How many actions it has."""
        total = 1
        for values in self.parameters.values():
            total *= len(values)
        return total


class Actions:
    """All actions of a game, by number."""

    def __init__(self, *verbs: Verb) -> None:
        self.verbs = {verb.name: verb for verb in verbs}
        if len(self.verbs) < len(verbs):
            raise ValueError("each verb is declared once")
        self._firsts: dict[str, int] = {}
        self.size = 0
        for verb in verbs:
            self._firsts[verb.name] = self.size + verb.skip
            self.size += verb.skip + verb.count
        self.decode = cache(self._decode)

    def first(self, verb: str) -> int:
        """The number of the verb's first action."""
        return self._firsts[verb]

    def firsts(self, *verbs: str) -> tuple[int, ...]:
        """The numbers of several verbs' first actions."""
        return tuple(self._firsts[verb] for verb in verbs)

    def encode(self, verb: str, *values: Hashable) -> int:
        """The number of an action; -1 if there is none like this."""
        form = self.verbs.get(verb)
        if form is None or len(values) != len(form.parameters):
            return -1
        index = 0
        for places, value in zip(form.places, values, strict=True):
            if value not in places:
                return -1
            index = index * len(places) + places[value]
        return self._firsts[verb] + index

    def _decode(self, action: int) -> Action:
        """What a number stands for."""
        for name, first in self._firsts.items():
            verb = self.verbs[name]
            if first <= action < first + verb.count:
                rest, values = action - first, []
                for choices in reversed(verb.parameters.values()):
                    rest, place = divmod(rest, len(choices))
                    values.append(choices[place])
                return Action(name, tuple(reversed(values)), action - first)
        raise ValueError(f"no action has the number {action}")

    def table(self) -> list[tuple[int, int, str, tuple[str, ...]]]:
        """For the documentation: the first and last number, the verb, its parameters."""
        return [
            (self._firsts[name], self._firsts[name] + verb.count - 1, name, tuple(verb.parameters))
            for name, verb in self.verbs.items()
        ]

"""The story of a match for one viewer: events, told as soon as the viewer may know them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from pelagos.engine.types import HIDDEN, SPECTATOR, Record
from pelagos.engine.view import Event, Step

if TYPE_CHECKING:
    from pelagos.engine.match import Entry

Item = TypeVar("Item")
Teller: TypeAlias = Callable[[Step, int], Iterable[Event]]
"""Tells a viewer of a step: a game's `narrate` or `aftermath`."""
Note: TypeAlias = tuple[int, Event]
"""An event that isn't the game's own, and after how many entries of the history it came."""


class Log(Generic[Item]):
    """A list that only grows. Copies share what they have in common."""

    __slots__ = ("_items", "_length")

    def __init__(self) -> None:
        self._items: list[Item] = []
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def since(self, number: int = 0) -> list[Item]:
        """The items from this one on; the newest so many, if it is negative."""
        first = number if number >= 0 else max(0, self._length + number)
        return self._items[first : self._length]

    def append(self, item: Item) -> None:
        """Add an item, unseen by copies."""
        self.extend((item,))

    def extend(self, items: Iterable[Item]) -> None:
        """Add items, unseen by copies."""
        if len(self._items) != self._length:
            self._items = self.since()
        self._items += items
        self._length = len(self._items)

    def copy(self) -> Log[Item]:
        """An independent copy."""
        other: Log[Item] = object.__new__(Log)
        other._items, other._length = self._items, self._length
        return other


class Story:
    """Follows a match's history and narrates it.

    A viewer's own moves are told at once. Others' hidden moves are told when they are revealed,
    by seat and not in the order in which they came in, which nobody may know.
    """

    def __init__(self, teller: ModuleType, viewer: int) -> None:
        """`teller` is the game's module `story`."""
        self._teller = teller
        self._is_told_apart = getattr(teller, "is_told_apart", None)
        self._viewer = viewer
        self._notes_told = 0
        self._hidden: tuple[Step, ...] = ()
        self.entries_told = 0
        self.events: Log[Event] = Log()
        self.memory: dict[Any, Any] = {}
        self.lately = 0
        """The number of the first event since the viewer last decided."""
        self.own: Log[Event | None] = Log()
        """What was told first of each of the viewer's own entries."""

    def copy(self) -> Story:
        """An independent copy, as far as it has been told."""
        other = object.__new__(Story)
        other.__dict__.update(self.__dict__)
        other.events = self.events.copy()
        other.memory = dict(self.memory)
        other.own = self.own.copy()
        return other

    def open(self, game: Record, pack: Record, options: Mapping[str, Any]) -> None:
        """Tell what is to be said before the first move."""
        if hasattr(self._teller, "opening"):
            self.events.extend(self._teller.opening(game, pack, self._viewer, options))

    def tell(self, entry: Entry, step: Step) -> None:
        """Go on by one entry of the history."""
        if entry.news == HIDDEN and entry.seat != self._viewer:
            self._hidden = (*self._hidden, step)
        else:
            self._tell_openly(entry, step)
        self.entries_told += 1

    def _tell_openly(self, entry: Entry, step: Step) -> None:
        before = len(self.events)
        if entry.seat == self._viewer:
            self._narrate(step)
            self.own.append(next(iter(self.events.since(before)), None))
            before = len(self.events)
        if (entry.seat == self._viewer and entry.asked) or self._viewer < 0:
            self.lately = before
        if entry.news == HIDDEN:
            return
        revealed, self._hidden = self._hidden, ()
        if entry.seat != self._viewer:
            revealed = (*revealed, step)
        for hidden in sorted(revealed, key=lambda hidden: hidden.seat):
            self._narrate(hidden)
        self._add(self._teller.aftermath, step)

    def note(self, notes: Sequence[Note]) -> None:
        """Tell what was noted up to here."""
        while self._notes_told < len(notes) and notes[self._notes_told][0] <= self.entries_told:
            self.events.append(notes[self._notes_told][1])
            self._notes_told += 1

    def _narrate(self, step: Step) -> None:
        if hasattr(self._teller, "track"):
            self._teller.track(self.memory, step)
        self._add(self._teller.narrate, step)

    def _add(self, tell: Teller, step: Step) -> None:
        """Add what is told of a step. Whoever isn't told it otherwise hears what a spectator does,
        who knows least: that is made once for all of them.
        """
        if self._is_told_apart is None or self._is_told_apart(step, self._viewer):
            self.events.extend(tell(step, self._viewer))
            return
        events = step.public_events.get(tell)
        if events is None:
            events = step.public_events[tell] = tuple(tell(step, SPECTATOR))
        self.events.extend(events)

"""The story of a match for one viewer: events, told as soon as the viewer may know them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

from pelagos.engine.types import HIDDEN
from pelagos.engine.view import Event, Step

if TYPE_CHECKING:
    from pelagos.engine.match import Entry

Note: TypeAlias = tuple[int, Event]
"""An event that isn't the game's own, and after how many entries of the history it came."""


class Story:
    """Follows a match's history and narrates it.

    A viewer's own moves are told at once. Others' hidden moves are told when they are revealed,
    by seat and not in the order in which they came in, which nobody may know.
    """

    def __init__(self, teller: ModuleType, viewer: int) -> None:
        """`teller` is the game's module `story`."""
        self._teller = teller
        self._viewer = viewer
        self._notes_told = 0
        self._hidden: list[Step] = []
        self.entries_told = 0
        self.events: list[Event] = []
        self.memory: dict[Any, Any] = {}
        self.lately = 0
        """The number of the first event since the viewer last decided."""
        self.own: list[Event | None] = []
        """What was told first of each of the viewer's own entries."""

    def copy(self) -> Story:
        """An independent copy, as far as it has been told."""
        other = object.__new__(Story)
        other.__dict__.update(self.__dict__)
        other._hidden = list(self._hidden)
        other.events = list(self.events)
        other.memory = dict(self.memory)
        other.own = list(self.own)
        return other

    def tell(self, entry: Entry, step: Step) -> None:
        """Go on by one entry of the history."""
        if entry.news == HIDDEN and entry.seat != self._viewer:
            self._hidden.append(step)
        else:
            self._tell_openly(entry, step)
        self.entries_told += 1

    def _tell_openly(self, entry: Entry, step: Step) -> None:
        before = len(self.events)
        if entry.seat == self._viewer:
            self._narrate(step)
            self.own.append(self.events[before] if len(self.events) > before else None)
            before = len(self.events)
        if (entry.seat == self._viewer and entry.asked) or self._viewer < 0:
            self.lately = before
        if entry.news == HIDDEN:
            return
        revealed, self._hidden = self._hidden, []
        if entry.seat != self._viewer:
            revealed.append(step)
        for hidden in sorted(revealed, key=lambda hidden: hidden.seat):
            self._narrate(hidden)
        self.events.extend(self._teller.aftermath(step, self._viewer))

    def note(self, notes: Sequence[Note]) -> None:
        """Tell what was noted up to here."""
        while self._notes_told < len(notes) and notes[self._notes_told][0] <= self.entries_told:
            self.events.append(notes[self._notes_told][1])
            self._notes_told += 1

    def _narrate(self, step: Step) -> None:
        if hasattr(self._teller, "track"):
            self._teller.track(self.memory, step)
        events: Iterable[Event] = self._teller.narrate(step, self._viewer)
        self.events.extend(events)

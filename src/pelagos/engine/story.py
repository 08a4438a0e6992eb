"""The story of a match for one viewer: events, told as soon as the viewer may know them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from pelagos.engine.doors import record_of
from pelagos.engine.types import HIDDEN
from pelagos.engine.view import Event, Step

if TYPE_CHECKING:
    from pelagos.engine.match import Entry, Position
    from pelagos.engine.types import Array

Steps: TypeAlias = dict[int, tuple[Step, "Array"]]
"""The newest steps of a match by their number, each with the state after it."""
MOST_KEPT = 16
Note: TypeAlias = tuple[int, Event]
"""An event that isn't the game's own, and after how many entries of the history it came."""


class Story:
    """Follows a match's history and narrates it.

    A viewer's own moves are told at once. Others' hidden moves are told when they are revealed,
    by seat and not in the order in which they came in, which nobody may know.
    """

    def __init__(self, position: Position, start: Array, viewer: int, steps: Steps) -> None:
        self._position = position.copy()
        self._position.states[:] = start
        self._steps = steps
        self._knowledge = position.game.part("knowledge")
        self._viewer = viewer
        self._told = 0
        self._noted = 0
        self.memory: dict[Any, Any] = {}
        self._events: list[Event] = []
        self._secret: list[Step] = []

    def tell(self, history: Sequence[Entry], notes: Sequence[Note]) -> list[Event]:
        """All events up to the history's end, and what was noted on the way."""
        while True:
            while self._noted < len(notes) and notes[self._noted][0] <= self._told:
                self._events.append(notes[self._noted][1])
                self._noted += 1
            if self._told == len(history):
                return self._events
            self._follow(history[self._told])
            self._told += 1

    def _follow(self, entry: Entry) -> None:
        step, after = self._steps.get(self._told) or self._step(entry)
        self._position.states = after
        if entry.news == HIDDEN:
            if entry.seat == self._viewer:
                self._narrate(step)
            else:
                self._secret.append(step)
            return
        revealed = self._secret
        self._secret = []
        if entry.seat != self._viewer:
            revealed.append(step)
        else:
            self._narrate(step)
        for one in sorted(revealed, key=lambda one: one.seat):
            self._narrate(one)
        self._add(self._knowledge.aftermath(step, self._viewer))

    def _step(self, entry: Entry) -> tuple[Step, Array]:
        """Make the next step, and keep it for the other viewers' stories."""
        before, after = self._position, self._position.copy()
        if entry.seat < 0:
            after.happen(entry.outcome)
        else:
            after.play(entry.seat, entry.action)
        step = Step(
            record_of(before.states),
            record_of(after.states),
            before.pack_record,
            entry.seat,
            entry.action,
            entry.outcome,
        )
        self._steps.pop(self._told - MOST_KEPT, None)
        self._steps[self._told] = (step, after.states)
        return step, after.states

    def _narrate(self, step: Step) -> None:
        if hasattr(self._knowledge, "track"):
            self._knowledge.track(self.memory, step)
        self._add(self._knowledge.narrate(step, self._viewer))

    def _add(self, events: Any) -> None:
        self._events.extend(events)

"""The story of a match for one viewer: events, told as soon as the viewer may know them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pelagos.engine.doors import copy_of, record_of
from pelagos.engine.types import HIDDEN
from pelagos.engine.view import Event, Step

if TYPE_CHECKING:
    from pelagos.engine.match import Entry, Position
    from pelagos.engine.types import Array


class Story:
    """Follows a match's history and narrates it.

    A viewer's own moves are told at once. Others' hidden moves are told when they are revealed,
    by seat and not in the order in which they came in, which nobody may know.
    """

    def __init__(self, position: Position, start: Array, viewer: int) -> None:
        self._position = position.copy()
        self._position.states[:] = start
        self._knowledge = position.game.part("knowledge")
        self._viewer = viewer
        self._told = 0
        self.memory: dict[Any, Any] = {}
        self._events: list[Event] = []
        self._secret: list[Step] = []

    def tell(self, history: Sequence[Entry]) -> list[Event]:
        """All events up to the history's end."""
        while self._told < len(history):
            self._follow(history[self._told])
            self._told += 1
        return self._events

    def _follow(self, entry: Entry) -> None:
        before = copy_of(self._position.states)
        if entry.seat < 0:
            self._position.happen(entry.outcome)
        else:
            self._position.play(entry.seat, entry.action)
        step = Step(
            record_of(before),
            record_of(copy_of(self._position.states)),
            self._position.pack_record,
            entry.seat,
            entry.action,
            entry.outcome,
        )
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

    def _narrate(self, step: Step) -> None:
        if hasattr(self._knowledge, "track"):
            self._knowledge.track(self.memory, step)
        self._add(self._knowledge.narrate(step, self._viewer))

    def _add(self, events: Any) -> None:
        self._events.extend(events)

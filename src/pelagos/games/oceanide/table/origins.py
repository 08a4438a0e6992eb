"""Where cards came from just now, by the ids of the page before: that is where they fly from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pelagos.web.drawing import Drawing

RECENT = 16
"""Events that may have brought what is new."""


class Origins:
    """The ids from which pieces came, by the newest events."""

    def __init__(self, drawing: Drawing) -> None:
        self._drawing = drawing
        self._of: dict[str, list[str]] = {}
        self._newest: dict[int, str] = {}
        for event in drawing.view["events"][-RECENT:]:
            self._follow(event)

    def of(self, key: str, number: int = 0) -> str:
        """The id from which a piece came, the n-th of its copies; empty if nobody knows."""
        ids = self._of.get(key)
        return ids[number % len(ids)] if ids else ""

    def newest(self, seat: int) -> str:
        """The id from which a seat's newest cards came."""
        return self._newest.get(seat, self._drawing.lid("deck"))

    def _follow(self, event: Mapping[str, Any]) -> None:
        """Remember by which elements of the view before an event's cards came."""
        pid, lid = self._drawing.pid, self._drawing.lid
        verb = event["key"].partition(".")[2]
        card = event["params"].get("card", {}).get("noun")
        who = event["params"].get("who", {}).get("seat")
        source, goal = str(event.get("source")), f"{event.get('target')}.{card}"
        if verb.startswith("draw"):  # from the deck or from a hand, seen or not
            self._of[goal] = [lid(source)]
            self._newest[who] = lid(source)
        elif verb == "taken":
            self._of[goal] = [pid(f"{source}.{card}")]
            self._newest[who] = pid(f"{source}.{card}")
        elif verb == "comes_up":
            self._of[event["piece"]] = [self._held(who, card)]
        elif verb in ("complete", "trade"):
            own = [pid(f"showcase{who}.{card}"), self._held(who, card)]
            shown = pid(f"{source}.{card}")
            self._of[event["piece"]] = [shown, *own] if verb == "trade" else [*own, own[1]]
        elif verb == "pay":
            self._of[f"{event['target']}.thief"] = [pid("played")]

    def _held(self, seat: int, card: str) -> str:
        """The id of a card that was held: the viewer's own cards lie apart."""
        if seat == self._drawing.me:
            return f"{self._drawing.pid(f'hand{seat}.{card}')}-0"
        return str(self._drawing.lid(f"hand{seat}"))

"""What a viewer is sent: the table around the game, and the game's view, as JSON bytes.

A message is whole, never a difference, and numbered by the changes of this viewer's own view. The
game's part is made anew only when it changed for this viewer; others' hidden choices don't.
"""

from __future__ import annotations

from typing import Any

import orjson

from pelagos.engine.errors import PelagosError
from pelagos.engine.view import Sheet
from pelagos.tables import acts, fairness
from pelagos.tables.table import OVER, SPECTATOR, Table

MOST_EVENTS = 40
"""The newest lines of the log that come with a view; `events` has them all."""
MOST_SHEETS = 32


def encode(data: Any) -> bytes:
    """JSON as it is sent."""
    return orjson.dumps(data)


def about(table: Table) -> dict[str, Any]:
    """What everyone may know of a table."""
    found: dict[str, Any] = {
        "id": table.id,
        "game": table.game.id,
        "options": table.options,
        "pack": {
            "name": table.pack.name if table.pack else "",
            "sha256": table.pack.sha256 if table.pack else "",
        },
        "state": table.state,
        "games": len(table.finished),
        "seats": [
            {
                "name": seat.name,
                "kind": seat.kind,
                "bot": seat.bot or None,
                "taken": seat.taken,
                "ready": seat.ready,
                "away": seat.away,
            }
            for seat in table.seats
        ],
        "pace": table.pace,
        "waiting": list(table.waiting),
        "commitment": fairness.commitment(table.secret),
    }
    if table.closed:
        found["closed"] = True
    if table.until:
        found["until"] = table.until
    if table.deal:
        found["deal"] = table.deal
    if table.next_secret:
        found["next_commitment"] = fairness.commitment(table.next_secret)
    if table.match is not None:
        found["bytes"] = list(table.parts)
    if table.broken:
        found["broken"] = table.broken
    if table.state == OVER:
        found["secret"] = table.secret
    return found


def own(table: Table, seat: int) -> dict[str, Any]:
    """What a seat alone is told, beside its view."""
    found: dict[str, Any] = {
        "seat": seat,
        "decision": table.decisions[seat],
        "owes": seat in table.waiting,
        "ahead": list(table.ahead[seat]),
        "undo": acts.can_undo(table, seat),
    }
    known = acts.orders_of(table)
    if known:
        found["orders"] = {"given": table.seats[seat].order, "known": known}
    return found


def view(table: Table, viewer: int) -> dict[str, Any] | None:
    """The game's view, with the newest events; None before the first deal."""
    match = table.match
    if match is None:
        return None
    who = None if viewer == SPECTATOR else viewer
    since = max(0, len(match.events(who)) - MOST_EVENTS)
    return dict(match.view(who, since=since, previews=table.previews))


def record(table: Table, viewer: int, game: int | None = None) -> dict[str, Any]:
    """A game's record: the whole of a finished one, else what this viewer may know."""
    finished = table.finished
    if game is not None:
        if not 0 <= game < len(finished):
            raise PelagosError(f"There are {len(finished)} finished games at this table.")
        return finished[game].record()
    if table.match is None:
        raise PelagosError("The game hasn't begun yet.")
    return finished[-1].record() if table.match.over else table.match.record(viewer)


class Messages:
    """The newest message of each viewer of one table, made once and kept as bytes."""

    def __init__(self) -> None:
        self._views: dict[int, tuple[int, bytes]] = {}
        self._whole: dict[int, tuple[int, bytes]] = {}
        self._about: tuple[int, bytes] = (-1, b"")
        self._sheets: dict[int, tuple[Sheet, orjson.Fragment]] = {}

    def of(self, table: Table, viewer: int) -> tuple[int, bytes]:
        """The viewer's number and message."""
        number = table.views[viewer]
        kept = self._whole.get(viewer)
        if kept is None or kept[0] != number:
            kept = (number, self._make(table, viewer, number))
            self._whole[viewer] = kept
        return kept

    def _make(self, table: Table, viewer: int, number: int) -> bytes:
        mine = b"null" if viewer == SPECTATOR else encode(own(table, viewer))
        return b'{"number":%d,"table":%b,"own":%b,"view":%b}' % (
            number,
            self._table(table),
            mine,
            self._view(table, viewer),
        )

    def _table(self, table: Table) -> bytes:
        if self._about[0] != table.number:
            self._about = (table.number, encode(about(table)))
        return self._about[1]

    def _view(self, table: Table, viewer: int) -> bytes:
        look = table.looks[viewer]
        kept = self._views.get(viewer)
        if kept is None or kept[0] != look:
            made = view(table, viewer)
            for part in ("sheets", "standing"):
                if made is not None and part in made:
                    made[part] = [self._sheet(sheet) for sheet in made[part]]
            kept = (look, encode(made))
            self._views[viewer] = kept
        return kept[1]

    def _sheet(self, sheet: Sheet) -> orjson.Fragment:
        """A sheet's bytes; viewers share sheets, so they are made once."""
        kept = self._sheets.get(id(sheet))
        if kept is None or kept[0] is not sheet:
            if len(self._sheets) >= MOST_SHEETS:
                self._sheets.clear()
            kept = self._sheets[id(sheet)] = (sheet, orjson.Fragment(encode(sheet)))
        return kept[1]

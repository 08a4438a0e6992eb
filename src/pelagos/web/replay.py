"""A finished game again: any of its positions, through any seat's eyes or with all cards open."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pelagos.engine.view import View
from pelagos.tables import acts, fairness
from pelagos.tables import message as messages
from pelagos.tables.table import BOT, OPEN, SPECTATOR, Entry, Finished, Table

OPEN_EYES = "open"
"""Everyone's eyes at once."""


def length(finished: Finished) -> int:
    """How many moves the game has."""
    return len(finished.match.history)


def at(table: Table, finished: Finished, number: int) -> Table:
    """The table as it was before this move."""
    then = table.copy()
    then.match = finished.match.at(number)
    then.previews = False
    then.seats = [replace(seat, ready=False) for seat in then.seats]
    return then


def message_of(table: Table, eyes: str, number: int) -> dict[str, Any]:
    """What these eyes see; nothing can be chosen any more."""
    seat = int(eyes) if eyes.isdigit() and int(eyes) < table.players else SPECTATOR
    view = messages.view(table, seat)
    assert view is not None
    view["choices"] = []
    if eyes == OPEN_EYES:
        _open_up(table, view)
    own = {**messages.own(table, seat), "owes": False, "undo": False} if seat >= 0 else None
    return {"number": number, "table": messages.about(table), "own": own, "view": view}


def _open_up(table: Table, view: View) -> None:
    """Lay each seat's own places as that seat sees them."""
    places = {place["key"]: place for place in view["places"]}
    pieces = list(view["pieces"])
    for seat in range(table.players):
        seen = messages.view(table, seat)
        assert seen is not None
        own = {place["key"]: place for place in seen["places"] if place["seat"] == seat}
        places.update(own)
        pieces = [piece for piece in pieces if piece["place"] not in own]
        pieces += [piece for piece in seen["pieces"] if piece["place"] in own]
    view["places"], view["pieces"] = list(places.values()), pieces


def play_on(table: Table, finished: Finished, number: int, seat: int, bot: str) -> list[Entry]:
    """A new table that goes on from here: somebody at this seat, bots at the others."""
    record = finished.match.record()
    wishes = [
        {"kind": OPEN} if other == seat else {"kind": BOT, "bot": bot}
        for other in range(table.players)
    ]
    pack = record["pack"].get("files")
    created = acts.create(table.game.id, table.options, wishes, pack=pack, previews=table.previews)
    created[0]["secret"] = finished.secret
    created[0]["deal"] = f"played on from move {number} of {table.id}"
    started = {"do": "start", "bytes": list(finished.parts), "next": fairness.new_secret()}
    moves = [
        {"do": "move", "seat": mover, "actions": [words]}
        for mover, words in record["moves"][:number]
        if isinstance(mover, int)  # chance follows from the seed
    ]
    return [*created, started, *moves]

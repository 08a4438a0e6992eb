"""A finished game again: any of its positions, through any seat's eyes or with all cards open."""

from __future__ import annotations

from typing import Any

from pelagos.engine.view import Piece, View
from pelagos.tables import acts, fairness
from pelagos.tables import message as messages
from pelagos.tables.own_games import PLAYED_ON
from pelagos.tables.table import BOT, OPEN, PERSON, SPECTATOR, Entry, Finished, Seat, Table
from pelagos.web.pages import whole

OPEN_EYES = "open"
"""Everyone's eyes at once."""
HAND = "hand"
"""The kind of place that only its seat sees into."""


def length(finished: Finished) -> int:
    """How many moves the game has."""
    return len(finished.match.history)


def at(table: Table, game: int, number: int) -> Table:
    """The table as it was before a move of one of its games, with those who played it; nobody is
    away, and no clock runs.
    """
    finished = table.finished[game]
    then = table.copy()
    then.match = finished.match.at(number)
    then.past = table.finished[:game]
    then.previews = False
    then.until = 0.0
    then.seats = [
        Seat(BOT if "bot" in sat else PERSON, sat["name"], sat.get("bot", ""), taken=True)
        for sat in finished.match.seats
    ]
    return then


def message_of(table: Table, eyes: str, number: int) -> dict[str, Any]:
    """What these eyes see; nothing can be chosen any more, and nobody is waited for."""
    looked = whole(eyes)
    seat = looked if looked is not None and looked < table.players else SPECTATOR
    view = messages.view(table, seat)
    assert view is not None
    view["choices"] = []
    message: dict[str, Any] = {
        "number": number,
        "table": {**messages.about(table), "waiting": []},
        "own": None,
        "view": view,
        "replay": True,
    }
    if seat != SPECTATOR:
        own = messages.own(table, seat, acts.taken_back(table, seat))
        own.pop("orders", None)
        message["own"] = {**own, "owes": False, "undo": False}
    if eyes == OPEN_EYES and table.game.secrets:
        message["hands"] = _open_up(table, view)
    return message


def _open_up(table: Table, view: View) -> list[list[Piece]]:
    """Lay each seat's own places as that seat sees them; its hands are returned, by seat."""
    places = {place["key"]: place for place in view["places"]}
    pieces = list(view["pieces"])
    hands = []
    for seat in range(table.players):
        seen = messages.view(table, seat)
        assert seen is not None
        mine = {place["key"]: place for place in seen["places"] if place["seat"] == seat}
        held = {key for key, place in mine.items() if place["kind"] == HAND}
        laid = mine.keys() - held
        places.update((key, mine[key]) for key in mine if key in laid)
        pieces = [piece for piece in pieces if piece["place"] not in laid]
        pieces += [piece for piece in seen["pieces"] if piece["place"] in laid]
        hands.append([piece for piece in seen["pieces"] if piece["place"] in held])
        view["sheets"][seat] = seen["sheets"][seat]
    view["places"], view["pieces"] = list(places.values()), pieces
    return hands


def play_on(table: Table, finished: Finished, number: int, seat: int, bot: str) -> list[Entry]:
    """A new table that goes on from here: somebody at this seat, at the others the bots that sat
    there, and `bot` for people.
    """
    record = finished.match.record()
    wishes = [
        {"kind": OPEN} if other == seat else {"kind": BOT, "bot": sat.get("bot", bot)}
        for other, sat in enumerate(finished.match.seats)
    ]
    pack = record["pack"].get("files")
    created = acts.create(
        table.game.id,
        finished.match.options,
        wishes,
        pack=pack,
        previews=table.previews,
        table_options=table.shown_options,
    )
    created[0]["secret"] = finished.secret
    created[0]["deal"] = f"{PLAYED_ON} from move {number} of {table.id}"
    started: Entry = {
        "do": "start",
        "bytes": list(finished.parts),
        "next": fairness.new_secret(),
        "opening": finished.match.tells_opening,
        **({"beacon": finished.beacon} if finished.beacon else {}),
    }
    moves = [
        {"do": "move", "seat": mover, "actions": [words]}
        for mover, words in record["moves"][:number]
        if isinstance(mover, int)  # chance follows from the seed
    ]
    return [*created, started, *moves]

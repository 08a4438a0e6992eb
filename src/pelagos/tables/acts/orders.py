"""Standing orders, and how long a decision may take."""

from __future__ import annotations

from pelagos.engine.errors import short, text
from pelagos.engine.match import Match
from pelagos.tables.acts.checks import clean_client, seat_of
from pelagos.tables.errors import Malformed, Refused
from pelagos.tables.table import BOT, PACES, Entry, Table


def default_answer(match: Match, seat: int) -> int | None:
    """The action that counts as the seat's answer if it gives none, where it is asked something
    whose answer must tell nothing by its time; else None.
    """
    if not match.game.orders or seat not in match.pending:
        return None
    position = match.position
    action: int | None = match.game.part("orders").default(
        position.record, position.pack_record, seat
    )
    return action


def order_of(table: Table, seat: int) -> str:
    """The seat's standing order."""
    return table.seats[seat].order or (table.orders[0] if table.orders else "")


def give_order(table: Table, seat: int, order: str, client: str) -> list[Entry]:
    """Say once how to answer from now on."""
    seat_of(table, seat)
    if (seat, clean_client(client)) in table.clients or order_of(table, seat) == order:
        return []
    if not table.orders:
        raise Refused(text("tables/refuse.no_orders"))
    if order not in table.orders:
        raise Malformed(
            text("tables/refuse.no_order", order=short(order), known=", ".join(table.orders))
        )
    return [table.apply({"do": "order", "seat": seat, "order": order, "client": client})]


def by_order(table: Table, seat: int) -> int | None:
    """The action that the seat's standing order makes now, if it does."""
    match = table.match
    if match is None or not table.orders or seat not in match.pending:
        return None
    position = match.position
    action: int | None = table.game.part("orders").answer(
        position.record, position.pack_record, seat, order_of(table, seat)
    )
    return action


def may_be_ordered(table: Table) -> bool:
    """Is a person asked something that a standing order may answer?"""
    match = table.match
    return match is not None and any(
        default_answer(match, seat) is not None for seat in _people_asked(table)
    )


def seconds(table: Table) -> float | None:
    """How long the present decision may take; None: for ever. No clock runs behind a cover, which
    stands between people at one device.
    """
    people = _people_asked(table)
    covered = any(table.game.secrets and len(table.beside(seat)) > 1 for seat in people)
    return PACES[table.pace] if people and not covered else None


def _people_asked(table: Table) -> list[int]:
    return [seat for seat in table.waiting if table.seats[seat].kind != BOT]

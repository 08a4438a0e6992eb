"""Standing orders, and how long a decision may take."""

from __future__ import annotations

from pelagos.engine.errors import short
from pelagos.engine.match import Match
from pelagos.tables.acts.checks import clean_client, seat_of
from pelagos.tables.errors import Malformed, Refused
from pelagos.tables.table import ALLOW, ASK, BOT, PACES, Entry, Table


def asked(match: Match, seat: int) -> tuple[int, int] | None:
    """Is the seat asked something whose answer must tell nothing by its time? Then the action that
    counts as its answer if it gives none, and what is at stake.
    """
    knowledge = match.game.part("knowledge")
    if not hasattr(knowledge, "asked") or seat not in match.pending:
        return None
    question: tuple[int, int] | None = knowledge.asked(
        match.position.record, match.position.pack_record, seat
    )
    return question


def orders_of(table: Table) -> list[str]:
    """The standing orders that can be given here; none in a game that asks nobody."""
    if table.match is None or not hasattr(table.game.part("knowledge"), "stakes"):
        return []
    stakes = table.game.part("knowledge").stakes(table.match.position.pack_record)
    return [ASK, ALLOW, *(f"from-{value}" for value in stakes[1:])]


def give_order(table: Table, seat: int, order: str, client: str) -> list[Entry]:
    """Say once how to answer from now on."""
    chair = seat_of(table, seat)
    if (seat, clean_client(client)) in table.clients or chair.order == order:
        return []
    known = orders_of(table)
    if not known:
        raise Refused("There are no standing orders at this table.")
    if order not in known:
        raise Malformed(f"There is no order {short(order)}; there are: {', '.join(known)}.")
    return [table.apply({"do": "order", "seat": seat, "order": order, "client": client})]


def by_order(table: Table, seat: int) -> int | None:
    """The action that the seat's standing order makes now, if it does."""
    order = table.seats[seat].order
    if order == ASK or table.match is None:
        return None
    question = asked(table.match, seat)
    if question is None:
        return None
    action, value = question
    return action if order == ALLOW or value < int(order.removeprefix("from-")) else None


def seconds(table: Table, window: float) -> float | None:
    """How long the present decision may take; None: for ever. `window` is for who is asked."""
    match = table.match
    if match is None:
        return None
    people = [seat for seat in match.pending if table.seats[seat].kind != BOT]
    if not people:
        return None
    pace = PACES[table.pace]
    if any(asked(match, seat) for seat in people):
        return window if pace is None else min(window, pace)
    return pace

"""What a learner asks of a lesson: to read on, to look back, to try again."""

from __future__ import annotations

from pelagos.engine.errors import text
from pelagos.tables import lessons
from pelagos.tables.acts.checks import clean_client, match_of, seat_of
from pelagos.tables.errors import Malformed, Refused
from pelagos.tables.lessons import ALONG, END, LEARNER, Walk
from pelagos.tables.table import Entry, Table

MOST_STEPS = 100


def walk(table: Table) -> Walk | None:
    """Where the learner stands; None at a table that is no lesson."""
    if not table.lesson or table.match is None:
        return None
    lesson = lessons.lesson_of(table.game.id)
    return None if lesson is None else Walk(lesson, table.match, table.lesson_read)


def learn(
    table: Table, seat: int, client: str, *, read: int = 0, noted: int = -1, show: int | str = ALONG
) -> list[Entry]:
    """Say that so many steps are read, what is looked at now, and of which entry it is known that
    the lesson meant something else.
    """
    _check(table, seat)
    if (seat, clean_client(client)) in table.clients:
        return []
    if isinstance(show, str) and show not in (END, lessons.CLOSED):
        raise Malformed(text("tables/refuse.lesson_step"))
    if not 0 <= read <= MOST_STEPS or (isinstance(show, int) and not -1 <= show <= MOST_STEPS):
        raise Malformed(text("tables/refuse.lesson_step"))
    looks = {"read": read, "noted": noted, "show": show}
    return [table.apply({"do": "lesson", "seat": seat, **looks, "client": client})]


def try_again(table: Table, seat: int, client: str) -> list[Entry]:
    """Go back to the last decision at which the lesson meant something, whatever was seen since."""
    _check(table, seat)
    if (seat, clean_client(client)) in table.clients:
        return []
    match_of(table)
    taught = walk(table)
    place = None if taught is None else taught.way_back
    if place is None:
        raise Refused(text("tables/refuse.no_undo"))
    return [table.apply({"do": "lesson", "seat": seat, "to": place, "client": client})]


def _check(table: Table, seat: int) -> None:
    seat_of(table, seat)
    if not table.lesson or seat != LEARNER:
        raise Refused(text("tables/refuse.no_lesson"))

"""Names: what people typed goes beside the log, where it can be erased; the log has the seats.

In the log a name is empty. Read with its names an entry is as it was made; without them its seat
has a number, and everything else follows as before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pelagos.tables.table import Entry, Table

PERSONAL = ("name", "by")
"""Fields of an entry that hold somebody's name."""
IMPERSONAL = ("create", "bot")
"""Entries that name bots alone."""

Names = Mapping[str, str]


def is_named(entry: Entry) -> bool:
    """Can people's names belong to an entry?"""
    return ("name" in entry or "by" in entry) and entry.get("do") not in IMPERSONAL


def split(entry: Entry) -> tuple[Entry, Names]:
    """An entry without names, and the names that belong to it."""
    if not is_named(entry):
        return entry, {}
    names = {field: entry[field] for field in PERSONAL if entry.get(field)}
    return {**entry, **dict.fromkeys(names, "")}, names


def sat_down(table: str, entries: Sequence[Entry], held: set[tuple[int, int]]) -> set[int]:
    """The entries by which the holders of these seats, and issues of their secrets, sat down."""
    now, sitting, numbers = Table(table), dict[int, int](), set[int]()
    for number, entry in enumerate(entries):
        now.follow(entry)
        if entry["do"] == "sit":
            sitting[entry["seat"]] = number
        elif entry["do"] in ("leave", "bot"):
            sitting.pop(entry["seat"], None)
        elif entry["do"] == "arrange":
            order = enumerate(entry["order"])
            sitting = {new: sitting[old] for new, old in order if old in sitting}
        numbers |= {
            sat
            for seat, sat in sitting.items()
            if seat < now.players and (seat, now.seats[seat].issue) in held
        }
    return numbers

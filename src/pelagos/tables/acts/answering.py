"""What the server decides: bots' answers, answers for people, moves that follow by themselves."""

from __future__ import annotations

from pelagos.engine.errors import PelagosError
from pelagos.engine.match import Match
from pelagos.engine.types import HIDDEN
from pelagos.tables.table import BOT, Entry, Table


def bot_move(table: Table, seat: int, decision: int, action: int, due: float) -> list[Entry]:
    """What a bot has decided, if the question still stands."""
    if not _is_asked(table, seat, decision) or table.seats[seat].kind != BOT:
        return []
    return [table.apply({"do": "move", "seat": seat, "actions": [action], "due": due})]


def stand_in(table: Table, seat: int, decision: int, action: int, late: bool | str) -> list[Entry]:
    """What is decided for a person: by its standing order, or since time ran out (`late`, a key of
    `LATE`).
    """
    if not _is_asked(table, seat, decision) or table.seats[seat].kind == BOT:
        return []
    entry: Entry = {"do": "move", "seat": seat, "actions": [action], "forced": True}
    return [table.apply({**entry, "late": late} if late else entry)]


def _is_asked(table: Table, seat: int, decision: int) -> bool:
    """Is this the seat's present decision?"""
    return (
        table.match is not None
        and table.decisions[seat] == decision
        and seat in table.match.pending
    )


def goes_on(match: Match, seat: int, action: int) -> bool:
    """Does the seat go on choosing in secret after this action, so that nobody sees anything?"""
    tried = match.copy()
    tried.play(seat, action)
    return tried.history[-1].news == HIDDEN and seat in tried.pending


def settle(table: Table) -> list[Entry]:
    """What follows by itself: moves sent ahead, and moves made for a player where everyone knows
    that there is but one.
    """
    made: list[Entry] = []
    while (entry := _next_by_itself(table)) is not None:
        made.append(entry)
    return made


def _next_by_itself(table: Table) -> Entry | None:
    match = table.match
    if match is None:
        return None
    for seat in match.pending:
        if table.ahead[seat]:
            planned = [table.ahead[seat][0]]
            try:
                return table.apply({"do": "move", "seat": seat, "actions": planned, "ahead": True})
            except PelagosError:
                return table.apply({"do": "ahead", "seat": seat, "actions": []})
        if is_forced(match, seat):
            only = match.legal(seat)
            return table.apply({"do": "move", "seat": seat, "actions": only, "forced": True})
    return None


def is_open(match: Match, seat: int) -> bool:
    """Does everyone know what the seat may do now? Then how soon it answers tells nothing."""
    seen = match.redeal(seat, b"view")
    return bool(match.game.part("knowledge").forced(seen.record, seen.pack_record, seat))


def is_forced(match: Match, seat: int) -> bool:
    """May the table move for the player: one legal action, and everyone knows so?"""
    return len(match.legal(seat)) == 1 and is_open(match, seat)

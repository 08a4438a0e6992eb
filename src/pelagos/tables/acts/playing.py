"""Moves, what is sent ahead of them, and what is taken back."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator, Sequence

from pelagos.engine.errors import IllegalMove, PelagosError, Text, short, text
from pelagos.engine.match import Match
from pelagos.engine.types import HIDDEN, TURNED
from pelagos.tables.acts.checks import (
    check_decision,
    clean_actions,
    clean_client,
    match_of,
    seat_of,
)
from pelagos.tables.acts.orders import by_order
from pelagos.tables.errors import Malformed, Refused
from pelagos.tables.table import OVER, Entry, Table

MOST_ACTIONS = 16
MOST_AHEAD = 8
WORLDS = 6
"""Worlds in which what is sent ahead must be legal."""


def move(
    table: Table, seat: int, decision: int | None, actions: Sequence[int | str], client: str
) -> list[Entry]:
    """Several actions that belong together, all or none.

    Those that come after others have chosen, or after something has come to light, are sent ahead.
    A seat that has chosen already, in secret, so changes what it has sent ahead.
    """
    seat_of(table, seat)
    client, cleaned = clean_client(client), clean_actions(actions, MOST_ACTIONS)
    if (seat, client) in table.clients:
        return []
    match = match_of(table)
    if not cleaned:
        raise Malformed(text("tables/refuse.no_action"))
    check_decision(table, seat, decision)
    if _has_chosen(match, seat):
        return [table.apply(_plan(match, seat, [], cleaned, client))]
    left, before = deque(cleaned), match.copy() if len(cleaned) > 1 else match
    now = _until_seen(match, seat, left)
    made = table.apply({"do": "move", "seat": seat, "actions": now, "client": client})
    if not left:
        return [made]
    return [made, table.apply(_plan(before, seat, made["numbers"], left, None))]


def _until_seen(match: Match, seat: int, actions: deque[int | str]) -> Iterator[int | str]:
    """The actions that are made now, taken away from `actions`; each is played as it comes.

    What is left comes after others have chosen or something has come to light. Of that the true
    game must tell nothing, not even whether it is legal.
    """
    while actions:
        since = len(match.history)
        yield actions.popleft()
        turned = any(done.news == TURNED for done in match.history[since:])
        if turned or seat not in match.pending:
            return


def _has_chosen(match: Match, seat: int) -> bool:
    """Has the seat chosen in secret, and waits for the others?"""
    return seat not in match.pending and _chose_last(match, seat)


def is_choosing(match: Match, seat: int) -> bool:
    """Has the seat begun a hidden choice of several actions, and not ended it?"""
    return seat in match.pending and _chose_last(match, seat)


def _chose_last(match: Match, seat: int) -> bool:
    """Has the seat chosen something that nobody has seen yet?"""
    for done in reversed(match.history):
        if done.news != HIDDEN:
            return False
        if done.seat == seat:
            return True
    return False


# --- ahead ----------------------------------------------------------------------------------------


def send_ahead(table: Table, seat: int, actions: Sequence[int | str], client: str) -> list[Entry]:
    """Choose beforehand what stays legal whatever others do; nothing forgets it. It is played when
    it is due, or dropped if it isn't legal then after all.
    """
    seat_of(table, seat)
    client, cleaned = clean_client(client), clean_actions(actions, MOST_AHEAD)
    if (seat, client) in table.clients:
        return []
    match = match_of(table)
    if match.over:
        raise Refused(text("refuse.over"))
    return [table.apply(_plan(match, seat, [], cleaned, client))]


def _plan(
    match: Match,
    seat: int,
    now: Sequence[int],
    rest: Sequence[int | str],
    client: str | None,
) -> Entry:
    """The entry that sends actions ahead, if they are legal in every world that is tried.

    `match` stands before the actions that are made now.
    """
    if len(rest) > MOST_AHEAD:
        raise Malformed(text("tables/refuse.most_ahead", most=MOST_AHEAD))
    words: list[str] = []
    for world in range(WORLDS):
        words = _foresee(match, seat, now, rest, world)
    entry: Entry = {"do": "ahead", "seat": seat, "actions": words}
    return entry if client is None else {**entry, "client": client}


def _foresee(
    match: Match, seat: int, now: Sequence[int], rest: Sequence[int | str], world: int
) -> list[str]:
    """Play what comes in a world that looks the same to the seat, others choosing by lot."""
    tried = match.copy()
    tried.position = match.redeal(seat, f"ahead/{world}".encode())
    lots = random.Random(world)
    for action in now:
        tried.play(seat, action)
    words = []
    for later in rest:
        while not tried.over and seat not in tried.pending:
            other = lots.choice(tried.pending)
            tried.play(other, lots.choice(tried.legal(other)))
        try:
            words.append(tried.play(seat, later))
        except PelagosError:
            raise IllegalMove(text("tables/refuse.not_ahead", action=short(later))) from None
    return words


# --- hints ----------------------------------------------------------------------------------------


def ask_hint(table: Table, seat: int, decision: int, client: str) -> list[Entry]:
    """Note that the seat asks for a hint; once a decision, however often it asks.

    Nobody is refused it for having no choice: that would tell the others what the seat holds. The
    entry is a sign of presence with `hint`, the decision's number: who knows nothing of hints reads
    that somebody is here, which is true.
    """
    seat_of(table, seat)
    client = clean_client(client)
    match = match_of(table)
    if not table.allows_hints:
        raise Refused(text("tables/refuse.hint_off"))
    check_decision(table, seat, decision)
    if seat not in match.pending or by_order(table, seat) is not None:
        raise Refused(text("tables/refuse.hint_nothing"))
    if table.hinted[seat][1] == decision:
        return []
    entry: Entry = {"do": "presence", "seat": seat, "away": False, "hint": decision}
    return [table.apply({**entry, "client": client})]


# --- taking back ----------------------------------------------------------------------------------


def take_back(table: Table, seat: int, decision: int | None, client: str) -> list[Entry]:
    """Take back all that this seat has chosen and nobody has seen yet."""
    match = _undoable(table, seat, decision, client)
    if match is None:
        return []
    count = 0
    for done in reversed(match.history):
        if done.news != HIDDEN:
            break
        count += done.seat == seat
    own = _last_own(table, seat)
    if not own or count < own:
        raise Refused(text("tables/refuse.nothing_hidden"))
    return [table.apply({"do": "undo", "seat": seat, "count": count, "client": client})]


def undo(table: Table, seat: int, decision: int | None, client: str) -> list[Entry]:
    """Take back this seat's last move, all its actions, where nothing came to light by it."""
    if _undoable(table, seat, decision, client) is None:
        return []
    own = _last_own(table, seat)
    if not own:
        raise Refused(text("tables/refuse.no_undo"))
    entry = {"do": "undo", "seat": seat, "count": own, "client": client, "told": True}
    return [table.apply(entry)]


def taken_back(table: Table, seat: int) -> list[Text] | None:
    """What `undo` would take back, the oldest first; None if it would refuse."""
    own = _last_own(table, seat)
    if table.match is None or not own or table.state == OVER or table.other_rules:
        return None
    if table.match.why_no_undo(seat, own) is not None:
        return None
    return table.match.own_moves(seat, own)


def can_undo(table: Table, seat: int) -> bool:
    """Would `undo` take the seat's last move back?"""
    return taken_back(table, seat) is not None


def _last_own(table: Table, seat: int) -> int:
    """How many actions go back to the start of the last move that the player made."""
    actions = 0
    for count, forced in reversed(table.units[seat]):
        actions += count
        if not forced:
            return actions
    return 0


def _undoable(table: Table, seat: int, decision: int | None, client: str) -> Match | None:
    """The match, or None if this was done already."""
    seat_of(table, seat)
    if (seat, clean_client(client)) in table.clients:
        return None
    match = match_of(table)
    if match.over:
        raise Refused(text("tables/refuse.secret_out"))
    check_decision(table, seat, decision)
    return match

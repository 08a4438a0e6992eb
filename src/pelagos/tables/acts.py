"""What can be asked of a table: each checks, and returns the entries to append.

Whether a move is legal shows when its entry is tried on a copy of the table, before it is written.

Nothing here writes; a refusal is one sentence, and the table is untouched. `settle` adds what
follows by itself: moves sent ahead, and moves made for a player where everyone knows that there is
but one.
"""

from __future__ import annotations

import hashlib
import hmac
import random
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from pelagos.bots import LADDER, Creature
from pelagos.engine.errors import IllegalMove, PelagosError, short
from pelagos.engine.game import find_game
from pelagos.engine.match import Match
from pelagos.engine.pack import make_pack
from pelagos.engine.types import HIDDEN, TURNED
from pelagos.tables import fairness
from pelagos.tables.errors import Broken, Malformed, Refused, Stale
from pelagos.tables.table import (
    ALLOW,
    ASK,
    BOT,
    FREE,
    GATHERING,
    OPEN,
    OVER,
    PACES,
    PERSON,
    PLAYING,
    Entry,
    Table,
)

LONGEST_NAME = 40
MOST_ACTIONS = 16
LONGEST_ACTION = 120
MOST_AHEAD = 8
WORLDS = 6
"""Worlds in which what is sent ahead must be legal."""
LARGEST_PACK = 200_000
_CLIENT = re.compile(r"[A-Za-z0-9_-]{8,64}")
_BYTES = re.compile(r"([0-9a-f]{64})?")


# --- checking words from outside ------------------------------------------------------------------


def clean_name(name: str) -> str:
    """A person's name, on one line and bounded."""
    tidy = unicodedata.normalize("NFC", " ".join(name.split()))
    if not 1 <= len(tidy) <= LONGEST_NAME or not tidy.isprintable():
        raise Malformed(f"A name has 1 to {LONGEST_NAME} letters that can be printed.")
    return tidy


def clean_client(client: str) -> str:
    """A client id: what makes asking twice the same as asking once."""
    if not _CLIENT.fullmatch(client):
        raise Malformed("A client id has 8 to 64 letters, digits, - or _.")
    return client


def clean_bytes(digits: str) -> str:
    """A seat's part of the shuffle: 32 bytes as hexadecimal digits, or nothing."""
    if not _BYTES.fullmatch(digits):
        raise Malformed("A seat's bytes are 64 hexadecimal digits, in lower case, or nothing.")
    return digits


def clean_actions(actions: Sequence[int | str], most: int) -> list[int | str]:
    """Moves by number or in words, bounded."""
    if len(actions) > most:
        raise Malformed(f"At most {most} actions go together.")
    for action in actions:
        if isinstance(action, bool) or (isinstance(action, int) and not 0 <= action < 1 << 16):
            raise Malformed(f"{short(action)} is no action.")
        if isinstance(action, str) and not (
            0 < len(action) <= LONGEST_ACTION and action.isprintable()
        ):
            raise Malformed(f"An action in words has 1 to {LONGEST_ACTION} letters.")
    return list(actions)


def find_creature(name: str) -> Creature:
    """A rung of the ladder of bots."""
    for creature in LADDER:
        if creature.id == name:
            return creature
    known = ", ".join(creature.id for creature in LADDER)
    raise Malformed(f"There is no bot {short(name)}; there are: {known}.")


def hold(client: str) -> str:
    """What is kept of the client id that sat down."""
    return hashlib.sha256(client.encode()).hexdigest()


def is_holder(table: Table, seat: int, client: str) -> bool:
    """Did this client sit down here?"""
    return hmac.compare_digest(table.seats[seat].holder.encode(), hold(client).encode())


# --- gathering ------------------------------------------------------------------------------------


def create(
    game: str,
    options: Mapping[str, Any],
    seats: Sequence[Mapping[str, str]] | None,
    *,
    pack: Mapping[str, str] | None = None,
    listed: bool = False,
    previews: bool = True,
    closed: bool = False,
    pace: str = FREE,
    deal: str = "",
) -> list[Entry]:
    """Lay a new table. With `deal`, a public text, the first game's cards follow from it."""
    found = find_game(game)
    checked = found.check_options(options)
    players = int(checked["players"])
    if pace not in PACES:
        raise Malformed(f"There is no pace {short(pace)}; there are: {', '.join(PACES)}.")
    told = [{"kind": OPEN}] * players if seats is None else list(seats)
    if len(told) != players:
        raise Malformed(f"{players} players need as many seats, not {len(told)}.")
    if pack is not None:
        if sum(len(name) + len(text) for name, text in pack.items()) > LARGEST_PACK:
            raise Malformed(f"A pack has at most {LARGEST_PACK} letters.")
        make_pack(found, pack)
    return [
        {
            "do": "create",
            "game": found.id,
            "rules": found.rules,
            "options": checked,
            "pack": dict(pack) if pack else None,
            "listed": listed,
            "previews": previews,
            "closed": closed,
            "pace": pace,
            "deal": deal,
            "secret": fairness.public_secret(deal) if deal else fairness.new_secret(),
            "seats": _name_bots([_seat(one) for one in told]),
        }
    ]


def _seat(told: Mapping[str, str]) -> dict[str, str]:
    kind = told.get("kind", OPEN)
    if kind == BOT:
        creature = find_creature(told.get("bot", ""))
        return {"kind": BOT, "bot": creature.id, "name": creature.names["en"]}
    if kind not in (OPEN, PERSON):
        raise Malformed(f"A seat is open, person or bot, not {short(kind)}.")
    return {"kind": kind, "bot": "", "name": ""}


def _name_bots(seats: list[dict[str, str]]) -> list[dict[str, str]]:
    """Number bots of one kind."""
    for number, seat in enumerate(seats):
        before = [one for one in seats[:number] if seat["bot"] and one["bot"] == seat["bot"]]
        if before:
            seat["name"] = f"{seat['name']} {len(before) + 1}"
    return seats


def sit(table: Table, seat: int, name: str, digits: str, client: str, invited: bool) -> list[Entry]:
    """Take a seat. Asked again by the same client, it is theirs already."""
    chair = _chair(table, seat)
    name, digits, client = clean_name(name), clean_bytes(digits), clean_client(client)
    if chair.taken and is_holder(table, seat, client):
        return []
    if chair.taken:
        raise Refused("This seat is taken.")
    if chair.kind == PERSON and not invited:
        raise Refused("This seat is kept for someone; its link comes from the host.")
    entry = {"do": "sit", "seat": seat, "name": name, "bytes": digits, "holder": hold(client)}
    return _and_start(table, [entry])


def put_bot(table: Table, seat: int, bot: str) -> list[Entry]:
    """Let a bot have a seat that nobody sits in."""
    chair, creature = _chair(table, seat), find_creature(bot)
    if chair.taken:
        raise Refused("This seat is taken.")
    count = sum(one.bot == creature.id for one in table.seats)
    name = creature.names["en"] + (f" {count + 1}" if count else "")
    return _and_start(table, [{"do": "bot", "seat": seat, "bot": creature.id, "name": name}])


def _and_start(table: Table, entries: list[Entry]) -> list[Entry]:
    """Start when the last seat is taken, or has said that it plays again."""
    tried = table.copy()
    for entry in entries:
        tried.apply(entry)
    if tried.state != PLAYING and all(seat.ready for seat in tried.seats):
        public = bool(tried.deal) and tried.state == GATHERING
        parts = ["" if public else seat.bytes for seat in tried.seats]
        entries.append({"do": "start", "bytes": parts, "next": fairness.new_secret()})
    return entries


def start(table: Table) -> list[Entry]:
    """Begin now, if everyone is here (a table of bots alone)."""
    if table.state != GATHERING:
        return []
    found = _and_start(table, [])
    if not found:
        raise Refused("There are empty seats yet.")
    return found


def leave(table: Table, seat: int) -> list[Entry]:
    """Give a seat up; somebody else may have it, in the middle of a game too."""
    _chair(table, seat)
    return [{"do": "leave", "seat": seat}]


def issue(table: Table, seat: int) -> list[Entry]:
    """Make a new secret for a seat: the old one is good no more."""
    if _chair(table, seat).kind == BOT:
        raise Refused("A bot sits there.")
    return [{"do": "issue", "seat": seat}]


def again(table: Table, seat: int, digits: str, client: str) -> list[Entry]:
    """Say that this seat plays another game; it starts when all have."""
    chair = _chair(table, seat)
    client, digits = clean_client(client), clean_bytes(digits)
    if (seat, client) in table.clients or chair.ready:
        return []
    if table.state != OVER:
        raise Refused("The game isn't over yet.")
    return _and_start(table, [{"do": "again", "seat": seat, "bytes": digits, "client": client}])


def _chair(table: Table, seat: int) -> Any:
    if table.broken:
        raise Broken(table.broken)
    if not 0 <= seat < table.players:
        raise Malformed(f"There is no seat {short(seat)}; the seats are 0 to {table.players - 1}.")
    return table.seats[seat]


# --- playing --------------------------------------------------------------------------------------


def move(
    table: Table, seat: int, decision: int | None, actions: Sequence[int | str], client: str
) -> list[Entry]:
    """Several actions that belong together, all or none.

    Those that come after others have chosen, or after something has come to light, are sent ahead.
    A seat that has chosen already, in secret, so changes what it has sent ahead.
    """
    _chair(table, seat)
    client, cleaned = clean_client(client), clean_actions(actions, MOST_ACTIONS)
    if (seat, client) in table.clients:
        return []
    match = _playing(table)
    if not cleaned:
        raise Malformed("A move has at least one action.")
    _check_number(table, seat, decision)
    if _has_chosen(match, seat):
        return [_plan(match, seat, [], cleaned, client)]
    now, rest = _split(match, seat, cleaned)
    made = [{"do": "move", "seat": seat, "actions": now, "client": client}]
    if rest:
        made.append(_plan(match, seat, now, rest, None))
    return made


def _split(
    match: Match, seat: int, actions: Sequence[int | str]
) -> tuple[list[str], list[int | str]]:
    """In words, what is to be done now; and what only after others have chosen or something has
    come to light. Of that the true game must tell nothing, not even whether it is legal.
    """
    if len(actions) == 1 and isinstance(actions[0], str):
        return [actions[0]], []
    tried = match.copy()
    words: list[str] = []
    for place, action in enumerate(actions):
        known = not isinstance(action, str) and action in tried.legal(seat)
        words.append(tried.position.write(seat, int(action)) if known else str(action))
        since = len(tried.history)
        tried.play(seat, action)
        turned = any(done.news == TURNED for done in tried.history[since:])
        if turned or seat not in tried.pending:
            return words, list(actions[place + 1 :])
    return words, []


def _has_chosen(match: Match, seat: int) -> bool:
    """Has the seat chosen in secret, and waits for the others?"""
    if seat in match.pending:
        return False
    for done in reversed(match.history):
        if done.news != HIDDEN:
            return False
        if done.seat == seat:
            return True
    return False


def _plan(
    match: Match,
    seat: int,
    now: Sequence[str],
    rest: Sequence[int | str],
    client: str | None,
) -> Entry:
    """The entry that sends actions ahead, if they are legal in every world that is tried."""
    if len(rest) > MOST_AHEAD:
        raise Malformed(f"At most {MOST_AHEAD} actions are sent ahead.")
    words: list[str] = []
    for world in range(WORLDS):
        words = _foresee(match, seat, now, rest, world)
    entry: Entry = {"do": "ahead", "seat": seat, "actions": words}
    return entry if client is None else {**entry, "client": client}


def _foresee(
    match: Match, seat: int, now: Sequence[str], rest: Sequence[int | str], world: int
) -> list[str]:
    """Play what comes in a world that looks the same to the seat, others choosing by lot."""
    tried = match.copy()
    tried.position = match.redeal(seat, f"ahead/{world}".encode())
    lots = random.Random(world)
    for done in now:
        tried.play(seat, done)
    words = []
    for action in rest:
        while not tried.over and seat not in tried.pending:
            other = lots.choice(tried.pending)
            tried.play(other, lots.choice(tried.legal(other)))
        try:
            known = not isinstance(action, str) and action in tried.legal(seat)
            words.append(tried.position.write(seat, int(action)) if known else str(action))
            tried.play(seat, action)
        except PelagosError:
            raise IllegalMove(
                f"{short(action)} can't be sent ahead: it may not be legal when it is due."
            ) from None
    return words


def _playing(table: Table) -> Any:
    if table.match is None:
        raise Refused("The game hasn't begun yet.")
    return table.match


def _check_number(table: Table, seat: int, decision: int | None) -> None:
    if decision is not None and decision != table.decisions[seat]:
        raise Stale("You have answered that already; here is how things stand now.")


def take_back(table: Table, seat: int, decision: int | None, client: str) -> list[Entry]:
    """Take back all that this seat has chosen and nobody has seen yet."""
    count = 0
    match = _undoable(table, seat, decision, client)
    if match is None:
        return []
    for done in reversed(match.history):
        if done.news != HIDDEN:
            break
        count += done.seat == seat
    own = _last_own(table, seat)
    if not own or count < own:
        raise Refused("There is nothing hidden to take back.")
    return _undo(table, seat, count, client)


def undo(table: Table, seat: int, decision: int | None, client: str) -> list[Entry]:
    """Take back this seat's last move, all its actions, where nothing came to light by it."""
    if _undoable(table, seat, decision, client) is None:
        return []
    own = _last_own(table, seat)
    if not own:
        raise Refused("There is no move to take back.")
    return _undo(table, seat, own, client)


def can_undo(table: Table, seat: int) -> bool:
    """Would `undo` take the seat's last move back?"""
    match, own = table.match, _last_own(table, seat)
    return bool(match and own and not match.over and not match.why_no_undo(seat, own))


def _last_own(table: Table, seat: int) -> int:
    """How many actions go back to the start of the last move that the player made."""
    actions = 0
    for count, forced in reversed(table.units[seat]):
        actions += count
        if not forced:
            return actions
    return 0


def _undoable(table: Table, seat: int, decision: int | None, client: str) -> Any:
    """The match, or None if this was done already."""
    _chair(table, seat)
    if (seat, clean_client(client)) in table.clients:
        return None
    match = _playing(table)
    if match.over:
        raise Refused("The game is over; its secret is out.")
    _check_number(table, seat, decision)
    return match


def _undo(table: Table, seat: int, count: int, client: str) -> list[Entry]:
    entry = {"do": "undo", "seat": seat, "count": count, "client": client}
    tried = table.copy()
    tried.apply(entry)
    return [entry]


def send_ahead(table: Table, seat: int, actions: Sequence[int | str], client: str) -> list[Entry]:
    """Choose beforehand what stays legal whatever others do; nothing forgets it. It is played when
    it is due, or dropped if it isn't legal then after all.
    """
    _chair(table, seat)
    client, cleaned = clean_client(client), clean_actions(actions, MOST_AHEAD)
    if (seat, client) in table.clients:
        return []
    match = _playing(table)
    if match.over:
        raise Refused("The game is over.")
    return [_plan(match, seat, [], cleaned, client)]


# --- orders and clocks ----------------------------------------------------------------------------


def asked(match: Match, seat: int) -> tuple[int, int] | None:
    """Is the seat asked something whose answer must tell nothing by its time? Then the action that
    counts as its answer if it gives none, and what is at stake.
    """
    knowledge = match.game.part("knowledge")
    if not hasattr(knowledge, "asked") or seat not in match.pending:
        return None
    found: tuple[int, int] | None = knowledge.asked(
        match.position.record, match.position.pack_record, seat
    )
    return found


def orders_of(table: Table) -> list[str]:
    """The standing orders that can be given here; none in a game that asks nobody."""
    if table.match is None or not hasattr(table.game.part("knowledge"), "stakes"):
        return []
    stakes = table.game.part("knowledge").stakes(table.match.position.pack_record)
    return [ASK, ALLOW, *(f"from-{value}" for value in stakes[1:])]


def give_order(table: Table, seat: int, order: str, client: str) -> list[Entry]:
    """Say once how to answer from now on."""
    chair = _chair(table, seat)
    if (seat, clean_client(client)) in table.clients or chair.order == order:
        return []
    known = orders_of(table)
    if not known:
        raise Refused("There are no standing orders at this table.")
    if order not in known:
        raise Malformed(f"There is no order {short(order)}; there are: {', '.join(known)}.")
    return [{"do": "order", "seat": seat, "order": order, "client": client}]


def by_order(table: Table, seat: int) -> int | None:
    """The action that the seat's standing order makes now, if it does."""
    order = table.seats[seat].order
    if order == ASK or table.match is None:
        return None
    found = asked(table.match, seat)
    if found is None:
        return None
    action, value = found
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


def stand_in(table: Table, seat: int, decision: int, action: int, late: bool) -> list[Entry]:
    """What is decided for a person: by its standing order, or since time ran out."""
    match = table.match
    if (
        match is None
        or table.seats[seat].kind == BOT
        or table.decisions[seat] != decision
        or seat not in match.pending
    ):
        return []
    words = match.position.write(seat, action)
    entry: Entry = {"do": "move", "seat": seat, "actions": [words], "forced": True}
    return [{**entry, "late": True} if late else entry]


def presence(table: Table, seat: int, away: bool) -> list[Entry]:
    """A person comes, or has been gone for a while."""
    chair = table.seats[seat]
    if table.broken or not chair.taken or chair.kind == BOT or chair.away == away:
        return []
    return [{"do": "presence", "seat": seat, "away": away}]


# --- bots -----------------------------------------------------------------------------------------


def bot_move(table: Table, seat: int, decision: int, action: int, due: float) -> list[Entry]:
    """What a bot has decided, if the question still stands."""
    match = table.match
    if (
        match is None
        or table.seats[seat].kind != BOT
        or table.decisions[seat] != decision
        or seat not in match.pending
    ):
        return []
    words = match.position.write(seat, action)
    return [{"do": "move", "seat": seat, "actions": [words], "due": due}]


def is_choosing(match: Match, seat: int) -> bool:
    """Has the seat begun a hidden choice of several actions, and not ended it?"""
    for done in reversed(match.history):
        if done.news != HIDDEN:
            return False
        if done.seat == seat:
            return seat in match.pending
    return False


def goes_on(match: Match, seat: int, action: int) -> bool:
    """Does the seat go on choosing in secret after this action, so that nobody sees anything?"""
    tried = match.copy()
    tried.play(seat, action)
    return tried.history[-1].news == HIDDEN and seat in tried.pending


def settle(table: Table) -> list[Entry]:
    """What follows by itself; `table` is a copy, and is moved on."""
    found: list[Entry] = []
    while True:
        entry = _next_by_itself(table)
        if entry is None:
            return found
        table.apply(entry)
        found.append(entry)


def _next_by_itself(table: Table) -> Entry | None:
    match = table.match
    if match is None:
        return None
    for seat in match.pending:
        if table.ahead[seat]:
            planned = {"do": "move", "seat": seat, "actions": [table.ahead[seat][0]], "ahead": True}
            try:
                match.copy().play(seat, table.ahead[seat][0])
            except PelagosError:
                return {"do": "ahead", "seat": seat, "actions": []}
            return planned
        if is_forced(match, seat):
            only = match.position.write(seat, match.legal(seat)[0])
            return {"do": "move", "seat": seat, "actions": [only], "forced": True}
    return None


def is_open(match: Match, seat: int) -> bool:
    """Does everyone know what the seat may do now? Then how soon it answers tells nothing."""
    seen = match.redeal(seat, b"view")
    return bool(match.game.part("knowledge").forced(seen.record, seen.pack_record, seat))


def is_forced(match: Match, seat: int) -> bool:
    """May the table move for the player: one legal action, and everyone knows so?"""
    return len(match.legal(seat)) == 1 and is_open(match, seat)

"""Words from outside, checked and bounded before anything else sees them."""

from __future__ import annotations

import hashlib
import hmac
import re
import unicodedata
from collections.abc import Sequence

from pelagos import bots
from pelagos.bots import Creature, UnknownBot
from pelagos.engine.errors import short, text
from pelagos.engine.letters import fits
from pelagos.engine.match import Match
from pelagos.tables.errors import Malformed, Refused, Stale
from pelagos.tables.table import Seat, Table

LONGEST_NAME = 40
LONGEST_ACTION = 120
LONG_CLIENT = 16
"""Letters of a client id that nobody may guess."""
CLIENT = re.compile(r"[A-Za-z0-9_-]{8,64}")
_BYTES = re.compile(r"([0-9a-f]{64})?")


def clean_name(name: str) -> str:
    """A person's name, on one line and bounded."""
    tidy = unicodedata.normalize("NFC", " ".join(name.split()))
    if not fits(tidy, LONGEST_NAME):
        raise Malformed(text("tables/refuse.name", most=LONGEST_NAME))
    return tidy


def clean_client(client: str) -> str:
    """A client id: what makes asking twice the same as asking once."""
    if not CLIENT.fullmatch(client):
        raise Malformed(text("tables/refuse.client"))
    return client


def clean_long_client(client: str) -> str:
    """A client id that nobody may guess, since whoever names it again is given a secret."""
    if len(clean_client(client)) < LONG_CLIENT:
        raise Malformed(text("tables/refuse.client_short"))
    return client


def clean_bytes(digits: str) -> str:
    """A seat's part of the shuffle: 32 bytes as hexadecimal digits, or nothing."""
    if not _BYTES.fullmatch(digits):
        raise Malformed(text("tables/refuse.bytes"))
    return digits


def clean_actions(actions: Sequence[int | str], most: int) -> list[int | str]:
    """Moves by number or in words, bounded."""
    if len(actions) > most:
        raise Malformed(text("tables/refuse.most_actions", most=most))
    for action in actions:
        if isinstance(action, bool) or (isinstance(action, int) and not 0 <= action < 1 << 16):
            raise Malformed(text("tables/refuse.action", action=short(action)))
        if isinstance(action, str) and not (
            0 < len(action) <= LONGEST_ACTION and action.isprintable()
        ):
            raise Malformed(text("tables/refuse.action_words", most=LONGEST_ACTION))
    return list(actions)


def find_creature(name: str) -> Creature:
    """A rung of the ladder of bots."""
    try:
        return bots.find_creature(name)
    except UnknownBot as error:
        raise Malformed(error.text) from None


def hash_client(client: str) -> str:
    """What is kept of the client id that sat down."""
    return hashlib.sha256(client.encode()).hexdigest()


def is_holder(seat: Seat, client: str) -> bool:
    """Did this client sit down here?"""
    return hmac.compare_digest(seat.holder.encode(), hash_client(client).encode())


def seat_of(table: Table, number: int) -> Seat:
    """A seat of a table that can be played at."""
    table.check_open()
    if not 0 <= number < table.players:
        raise Malformed(text("refuse.no_seat", seat=short(number), last=table.players - 1))
    return table.seats[number]


def match_of(table: Table) -> Match:
    """The game that is played, or was played last."""
    if table.match is None:
        raise Refused(text("tables/refuse.not_begun"))
    return table.match


def check_decision(table: Table, seat: int, decision: int | None) -> None:
    """Refuse an answer to a question that has been answered already."""
    if decision is not None and decision != table.decisions[seat]:
        raise Stale(text("tables/refuse.stale"))

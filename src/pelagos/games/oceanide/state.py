"""Océanide's state: every field with a word on what it holds.

Of each object a seat owns some copies outside its collection: one is in its showcase, the others
are in its hand, always. So a seat is a count for each card, and a showcase is the mask of the
objects it has one of; nothing else says what is shown and what is held.
"""

from __future__ import annotations

from typing import Protocol

from pelagos.engine.fields import state_type
from pelagos.engine.types import Array

OBJECTS = 13
THIEF, KING = OBJECTS, OBJECTS + 1
KINDS = OBJECTS + 2
"""The objects in the pack's order, then the thief and the king."""
COPIES = 6
"""Cards of each object (OCD-1)."""
LEAST_VALUE, MOST_VALUE = 3, 7
"""What a set may be worth."""

SEATS = 5
VIEWERS = SEATS + 1
"""The spectator, then the seats: who may know what is in a hand. Seat s is viewer s + 1."""
DECK = 128
"""The most cards a pack may have: 78 objects, and up to 50 thieves and kings."""

WORD = 32
"""Bits of a number that masks of the deck's places are kept in."""
ID = 32
"""The longest id of an object, in bytes."""

SHOWCASE_POINTS, HAND_POINTS, THIEF_POINTS = 1, 1, 2
"""What a card scores in the showcase, in hand, and a thief in the collection."""

DEAL = 6
"""Cards dealt to each seat."""
DRAW = 3
"""Cards drawn at the start of a turn."""
SET = 3
"""Cards of a set."""
GIFT = 2
"""Cards given in a trade: with the copy in the showcase they are a set."""
TAKEN = 2
"""Cards taken in return."""
HAND_TO_DRAW_FROM = 3
"""The fewest cards in a hand that may be drawn from."""

ACT, TAKE, DRAWN, STEAL_ASKED, TAKE_ASKED, OVER = range(6)
"""The phases: actions, what to take in a trade, two cards of a hand (chance), the target is asked
for a king against a theft, or against a trade's choice, the end."""

STATE = state_type(
    [
        ("stream", "uint64", 4),
        ("landed", "int64", DECK // WORD),
        ("top", "int16"),
        ("last", "int16"),
        ("shown", "int16", SEATS),
        ("players", "int8"),
        ("start", "int8"),
        ("phase", "int8"),
        ("active", "int8"),
        ("target", "int8"),
        ("named", "int8", TAKEN),
        ("acted", "int8"),
        ("dry", "int8"),
        ("idle", "int8"),
        ("discards", "int8", 2),
        ("thieves", "int8", SEATS),
        ("sets", "int8", (SEATS, OBJECTS)),
        ("own", "int8", (SEATS, KINDS)),
        ("known", "int8", (SEATS, KINDS, VIEWERS)),
        ("deck", "int8", DECK),
    ]
)

PACK = state_type(
    [
        ("total", "int16"),
        ("copies", "int16", KINDS),
        ("values", "int16", OBJECTS),
        ("ids", "uint8", (OBJECTS, ID)),
    ]
)


class Pack(Protocol):
    """The material."""

    total: int
    copies: Array
    """How many cards there are of each kind."""
    values: Array
    """What a set of each object is worth."""
    ids: Array
    """Each object's id, as bytes; for the notation."""


class State(Protocol):
    """One game. In the deck and among the named, a card is its kind + 1, and 0 is no card."""

    stream: Array
    """The random stream."""
    landed: Array
    """Mask of the deck's places whose card went to a showcase when it was drawn: all saw it."""
    top: int
    """Place of the next card in the deck."""
    last: int
    """Place after the deck's last card."""
    shown: Array
    """Mask of the objects in each seat's showcase: those it owns a copy of."""
    players: int
    start: int
    """The seat that begins."""
    phase: int
    active: int
    """Whose turn it is."""
    target: int
    """Whom the trade or the theft under way is aimed at; 0 while there is none."""
    named: Array
    """The objects that the target is asked about."""
    acted: int
    """1: this turn has had an action."""
    dry: int
    """1: this turn began with an empty deck."""
    idle: int
    """Turns in a row, begun with an empty deck, without an action."""
    discards: Array
    """Thieves and kings in the discard."""
    thieves: Array
    """Thieves in each seat's collection."""
    sets: Array
    """Sets in each seat's collection, by object."""
    own: Array
    """Cards of each kind that each seat has outside its collection."""
    known: Array
    """How many cards of a kind in a seat's hand a viewer saw go there and can't have left since."""
    deck: Array
    """The deck in drawing order; what has been drawn is 0."""

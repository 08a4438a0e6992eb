"""Oceanos' state: every field with a word on what it holds.

The cards of a round are numbered from 1 in the pack's order, and 0 is no card. A *set* of cards is
a mask with a bit for each number.

A *lot* is a stretch of the deck whose order nobody knows: the deck as it was shuffled at first is
lot 0, and whatever is shuffled in or put under later is a lot of its own. What a seat remembers of
a card that is out of sight is the lot in which it last was.
"""

from __future__ import annotations

from typing import Protocol

from pelagos.engine.fields import state_type
from pelagos.engine.types import Array

SEATS = 5
ROUNDS = 3
TURNS = 5
DECKS = (40, 45, 50)
"""Cards for each round."""
CARDS = 50
"""Room for a round's cards."""
NUMBERS = CARDS + 1
"""Card numbers, and 0 for no card."""
SPECIES = ("seahorse", "clownfish", "jellyfish", "crab", "shark", "manta", "turtle", "whale")
"""Four small ones, then four big ones (OCN-7)."""

PROPELLER, MOTOR, COCKPIT, AQUARIUM, AIRLOCK = range(5)
PARTS = ("propeller", "motor", "cockpit", "aquarium", "airlock")
FUEL, DIVERS, NEW_DIVERS, GREEN, YELLOW = range(5, 10)
BOAT = 10
"""A submarine: the levels of its five parts, fuel, divers, divers that came this turn and can't
be placed before the next, pending crystals of both colours."""
LEVELS = 3

COLUMNS = 8
"""The longest row: five turns, and three cards more for fuel."""
TREASURES = 30
KRAKENS = 3
"""Kraken tokens of each size."""
LOTS = 11
"""The first deck, and at most two lots put under it each turn."""
PLACES = LOTS + 2 * SEATS
"""Where a card out of sight may come from: a lot of the deck, what a seat drew into its hand, what
a seat gave away into another's."""
KINDS = LOTS + 4
"""Kinds of cards out of sight: by the lot in which each was last known; and one for each card that
was laid just now, and may have been drawn or given."""
LARGEST_TOKEN = 99
"""What a token may be worth, or cost."""
NAME = 8
"""The longest card id."""

(
    KEEP,
    TAKE,
    LAY,
    UNDER_FIRST,
    CAPTAIN_KEEP,
    CAPTAIN_LAY,
    UNDER_LAST,
    UNDER,
    AID,
    RESHUFFLE_DEAL,
    RESHUFFLE_FILL,
    OVER,
) = range(12)
"""The phases."""

NOTHING, OWES_CARD, OWES_EXTRA, OWES_DIVE, OWES_UPGRADE, OWES_UNDER = range(6)
"""What a seat owes in its phase."""

HAS_TREASURE, HAS_BASE, HAS_GREEN, HAS_YELLOW = 1, 2, 4, 8
"""What stops a card from simply lying where it was laid."""

STATE = state_type(
    [
        ("stream", "uint64", 4),
        ("hands", "int64", SEATS),
        ("given", "int64", SEATS),
        ("seen", "int64", (SEATS, ROUNDS)),
        ("aside", "int64", ROUNDS),
        ("owing", "int64"),
        ("players", "int64"),
        ("troubled", "int64"),
        ("all_dives", "int64"),
        ("third_level_first", "int64"),
        ("depth", "int64"),
        ("turn", "int64"),
        ("phase", "int64"),
        ("captain", "int64"),
        ("top", "int64"),
        ("left", "int64"),
        ("lot", "int64"),
        ("dived", "int32", SEATS),
        ("dived_before", "int32", SEATS),
        ("sources", "int16", LOTS),
        ("drawn", "int16", SEATS),
        ("fuelled", "int16", SEATS),
        ("last_lot", "int8"),
        ("short", "int8"),
        ("dealing", "int8"),
        ("flipped", "int8"),
        ("stage", "int8", SEATS),
        ("kept", "int8", SEATS),
        ("laying", "int8", SEATS),
        ("laying_before", "int8", SEATS),
        ("under", "int8", SEATS),
        ("chests", "int8", SEATS),
        ("boat", "int8", (SEATS, BOAT)),
        ("boat_before", "int8", (SEATS, BOAT)),
        ("row_size", "int8", (SEATS, ROUNDS)),
        ("rows", "int8", (SEATS, ROUNDS, COLUMNS)),
        ("lines", "int8", (SEATS, 3 * ROUNDS)),
        ("kraken", "int8", (ROUNDS, KRAKENS)),
        ("bag", "int8", TREASURES),
        ("lots", "int8", LOTS),
        ("lot_of", "int8", (SEATS, NUMBERS)),
        ("deck", "int8", ROUNDS * CARDS),
        ("room", "int8", PLACES),
        ("crowd", "int8", KINDS),
        ("reach", "int32", KINDS),
    ]
)

PACK = state_type(
    [
        ("animals", "int16", (ROUNDS, NUMBERS)),
        ("coral", "int8", (ROUNDS, NUMBERS)),
        ("treasure", "int8", (ROUNDS, NUMBERS)),
        ("eyes", "int8", (ROUNDS, NUMBERS)),
        ("stops", "int8", (ROUNDS, NUMBERS)),
        ("kraken", "int8", (ROUNDS, KRAKENS)),
        ("bag", "int8", TREASURES),
        ("names", "uint8", (ROUNDS, NUMBERS, NAME)),
    ]
)


class Pack(Protocol):
    """The material, by round and card."""

    animals: Array
    """Mask of the species on a card."""
    coral: Array
    treasure: Array
    eyes: Array
    stops: Array
    """Treasure, base and crystals of a card, as a mask."""
    kraken: Array
    """The Kraken tokens: small, average, big."""
    bag: Array
    """The treasure tokens."""
    names: Array
    """The cards' ids, as bytes."""


class State(Protocol):
    """One game."""

    stream: Array
    """The random stream."""
    hands: Array
    """Each seat's hand, a set; the captain's pool is the captain's hand."""
    given: Array
    """What each seat knows to lie in another's hand: what it returned to the captain, what the
    captain took from it, or (two players) what it passed on. A set."""
    seen: Array
    """What each seat has held in its hand, by round. Sets."""
    aside: Array
    """The discards of each round, and all that was not laid once a round is over. Sets."""
    dived: Array
    """Mask of each seat's cards with a diver: round times 8 plus column."""
    dived_before: Array
    """The same before the seat's first hidden choice in this phase; 0 while it has none."""
    owing: int
    """Mask of the seats that owe a decision."""
    sources: Array
    """For each lot, mask of the lots in which its cards may have been last seen."""
    drawn: Array
    """For each seat, the same for the cards that it drew into its hand."""
    fuelled: Array
    """Mask of the columns of this round's row that carry a fuel token."""
    players: int
    troubled: int
    all_dives: int
    """Do animals score for all rows so far?"""
    third_level_first: int
    """Do both colours raise a part of level 2 while there is one?"""
    depth: int
    """The round, 0 to 2."""
    turn: int
    """Turns of this round that are finished."""
    phase: int
    captain: int
    """The captain of this turn; two players: 0, which means nothing."""
    top: int
    """Place of the deck's next card; places go round after the last one."""
    left: int
    """Cards in this round's deck."""
    lot: int
    """The lot on top of the deck."""
    last_lot: int
    """The lot at the deck's bottom."""
    short: int
    """Is this turn's deal a short one, one card at a time?"""
    dealing: int
    """Whose hand comes next, counted from the captain: in a deal, and when the captain takes."""
    flipped: int
    """Mask of the rounds whose Kraken token was turned up."""
    stage: Array
    """What each seat owes in this phase."""
    kept: Array
    """How many cards each seat keeps this turn: they lie face down after the last of its row."""
    laying: Array
    """How many cards at the end of each seat's row are not resolved yet."""
    laying_before: Array
    """The same before the seat's first hidden choice in this phase; 0 while it has none."""
    under: Array
    """Two players: the card that a seat puts under the deck."""
    chests: Array
    """Treasure tokens that each seat drew at the end."""
    boat: Array
    """Each seat's submarine."""
    boat_before: Array
    """The same before the seat's first hidden choice in this phase; 0 while it has none."""
    row_size: Array
    rows: Array
    """The cards each seat has laid, by round and column, and the kept ones after them."""
    lines: Array
    """The score sheet's lines of the rounds scored so far."""
    kraken: Array
    """Each round's Kraken token, then the two of its size that left the game."""
    bag: Array
    """The treasure tokens in drawing order."""
    lots: Array
    """How many cards of each lot are still in the deck."""
    lot_of: Array
    """The lot in which each seat last knew each card of this round. In the captain's game all
    know the same, and it stands in the first line."""
    deck: Array
    """The three decks in drawing order; what has been drawn is 0."""
    room: Array
    """How many cards each place still takes; used by a redeal alone."""
    crowd: Array
    """How many cards of each kind have no place yet; used by a redeal alone."""
    reach: Array
    """Mask of the places where cards of each kind may be; used by a redeal alone."""

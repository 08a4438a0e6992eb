"""The one invariant: of each object that a seat owns outside its collection, one copy is in its
showcase and the others are in its hand. Thieves and kings are always in hand.
"""

from __future__ import annotations

from pelagos.engine.rule import constants, rule
from pelagos.games.oceanide.state import KINDS, OBJECTS, State

ALL_OBJECTS = (1 << OBJECTS) - 1

DE_BRUIJN = 0x09AF
"""Times a single bit, four bits of the product differ for each bit's place."""
PLACES = constants(sorted(range(16), key=lambda place: (DE_BRUIJN << place >> 12) & 15), "int64")
"""A bit's place by those four bits."""


@rule
def receive(game: State, seat: int, card: int) -> None:
    """The seat owns one more card: a new object goes to the showcase at once, all else to hand.

    OCD-7.
    """
    game.own[seat, card] += 1
    game.shown[seat] |= (1 << card) & ALL_OBJECTS


@rule
def release(game: State, seat: int, card: int, count: int) -> None:
    """Cards leave the seat: the showcase copy stays as long as there is one to show."""
    left = int(game.own[seat, card]) - count
    game.own[seat, card] = left
    if left == 0:
        game.shown[seat] &= ~(1 << card)


@rule
def in_hand(game: State, seat: int, card: int) -> int:
    """How many cards of this kind the seat holds: an object's first copy is in the showcase."""
    owned = int(game.own[seat, card])
    return owned - 1 if card < OBJECTS and owned > 0 else owned


@rule
def hand_size(game: State, seat: int) -> int:
    """How many cards the seat holds."""
    count = 0
    for card in range(KINDS):
        count += in_hand(game, seat, card)
    return count


@rule
def is_shown(game: State, seat: int, card: int) -> int:
    """1 if the card is an object in the seat's showcase."""
    return (int(game.shown[seat]) >> card) & 1


@rule
def hides(game: State, seat: int, card: int) -> bool:
    """Would a card of this kind go to the seat's hand: a thief, a king, or an object it shows?"""
    return card >= OBJECTS or (int(game.shown[seat]) >> card) & 1 == 1


@rule
def first_object(mask: int) -> int:
    """The first object of a mask; of an empty one, any."""
    return int(PLACES[((mask & -mask) * DE_BRUIJN >> 12) & 15])


@rule
def count_objects(mask: int) -> int:
    """How many objects a mask holds."""
    count = 0
    for kind in range(OBJECTS):
        count += (mask >> kind) & 1
    return count

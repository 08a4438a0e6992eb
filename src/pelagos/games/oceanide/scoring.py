"""Océanide's score sheet: sets, showcase, hand, thieves received; and the tie-break."""

from __future__ import annotations

from pelagos.engine.rule import rule
from pelagos.engine.types import Array
from pelagos.games.oceanide.rules import count_objects, hand_size
from pelagos.games.oceanide.state import OBJECTS, Pack, State

SHOWCASE_POINTS = 1
HAND_POINTS = 1
THIEF_POINTS = 2

SETS, SHOWCASE, HAND, THIEVES = range(4)
"""The lines of the sheet."""

DIGIT = 5
"""Bits for the number of sets of one value: at most 26 sets."""
LEAST_VALUE = 3
MOST_VALUE = 7


@rule
def set_points(game: State, pack: Pack, seat: int) -> int:
    """Each set scores its object's value once."""
    points = 0
    for kind in range(OBJECTS):
        points += int(game.sets[seat, kind]) * int(pack.values[kind])
    return points


@rule
def sheet(game: State, pack: Pack, seat: int, out: Array) -> None:
    """Write the score sheet, the cards as they lie."""
    out[SETS] = set_points(game, pack, seat)
    out[SHOWCASE] = SHOWCASE_POINTS * count_objects(int(game.shown[seat]))
    out[HAND] = HAND_POINTS * hand_size(game, seat)
    out[THIEVES] = THIEF_POINTS * int(game.thieves[seat])


@rule
def splendour(game: State, pack: Pack, seat: int) -> int:
    """The sets by value, as one number: a greater one has the better set where two first differ,
    looking from the most precious down, and a missing set loses to any.
    """
    number = 0
    for kind in range(OBJECTS):
        sets = int(game.sets[seat, kind])
        number += sets << (DIGIT * (int(pack.values[kind]) - LEAST_VALUE))
    return number


@rule
def winners(game: State, pack: Pack, totals: Array) -> int:
    """Mask of the seats that win: the highest total, then the most precious sets; else shared."""
    best = -1
    mask = 0
    for seat in range(int(game.players)):
        rank = int(totals[seat]) << (DIGIT * (MOST_VALUE - LEAST_VALUE + 1))
        rank += splendour(game, pack, seat)
        if rank > best:
            best = rank
            mask = 0
        if rank == best:
            mask |= 1 << seat
    return mask

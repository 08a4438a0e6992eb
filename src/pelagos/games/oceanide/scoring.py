"""Océanide's score sheet: sets, showcase, hand, thieves received; and the tie-break."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pelagos.engine.rule import rule
from pelagos.engine.types import Array, Record
from pelagos.engine.view import Evidence, Reads, Text, text
from pelagos.engine.view import evidence as evidence_of
from pelagos.games.oceanide.cards import ids
from pelagos.games.oceanide.invariant import count_objects, hand_size
from pelagos.games.oceanide.state import (
    HAND_POINTS,
    KING,
    LEAST_VALUE,
    MOST_VALUE,
    OBJECTS,
    SET,
    SHOWCASE_POINTS,
    THIEF,
    THIEF_POINTS,
    Pack,
    State,
)

SETS, SHOWCASE, HAND, THIEVES = range(4)
"""The lines of the sheet."""

DIGIT = 5
"""Bits for the number of sets of one value: at most 26 sets."""


@rule
def set_points(game: State, pack: Pack, seat: int) -> int:
    """Each set scores its object's value once (OCD-2)."""
    points = 0
    for kind in range(OBJECTS):
        points += int(game.sets[seat, kind]) * int(pack.values[kind])
    return points


@rule
def sheet(game: State, pack: Pack, seat: int, out: Array) -> None:
    """Write the score sheet, the cards as they lie (OCD-32)."""
    out[SETS] = set_points(game, pack, seat)
    out[SHOWCASE] = SHOWCASE_POINTS * count_objects(int(game.shown[seat]))
    out[HAND] = HAND_POINTS * hand_size(game, seat)
    out[THIEVES] = THIEF_POINTS * int(game.thieves[seat])


@rule
def splendour(game: State, pack: Pack, seat: int) -> int:
    """The sets by value, as one number: a greater one has the better set where two first differ,
    looking from the most precious down, and a missing set loses to any (OCD-31).
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


def points_span(options: Mapping[str, Any], pack: Pack) -> tuple[int, int]:
    """Nothing costs points. At the most, one seat has all sets, every thief and every king."""
    sets = sum(int(pack.copies[kind]) // SET * int(pack.values[kind]) for kind in range(OBJECTS))
    return 0, sets + THIEF_POINTS * int(pack.copies[THIEF]) + HAND_POINTS * int(pack.copies[KING])


# --- for readers: what the points are made of -----------------------------------------------------


READS = Reads(seat=("sets", "thieves", "shown"), public=True)
"""What a seat's evidence reads; how many cards it holds is told by the points for them."""


def evidence(game: Record, pack: Record, seat: int, points: Sequence[int]) -> list[list[Evidence]]:
    """For each line of the sheet, the cards that make its points."""
    objects, values = ids(pack)[:OBJECTS], pack.values.tolist()
    in_showcase, sets = int(game.shown[seat]), game.sets[seat].tolist()
    shown = [
        f"showcase{seat}.{card}" for kind, card in enumerate(objects) if in_showcase >> kind & 1
    ]
    held, thieves = points[HAND] // HAND_POINTS, int(game.thieves[seat])
    return [
        [
            evidence_of(
                sets[kind] * values[kind],
                [f"collection{seat}.{card}"],
                "reason.set",
                count=sets[kind],
                card={"noun": card},
                value=values[kind],
            )
            for kind, card in enumerate(objects)
            if sets[kind]
        ],
        _per_card(SHOWCASE_POINTS, len(shown), shown, "reason.showcase"),
        _per_card(HAND_POINTS, held, [f"hand{seat}"], "reason.hand"),
        _per_card(THIEF_POINTS, thieves, [f"collection{seat}.thief"], "reason.thieves"),
    ]


def broken_tie(
    game: Record, pack: Record, totals: Sequence[int], best: Sequence[int]
) -> Text | None:
    """What told apart those with the most points, if something did: the most precious of their
    sets where two first differ (OCD-31).
    """
    tied = [seat for seat, total in enumerate(totals) if total == max(totals)]
    if len(tied) == len(best):
        return None
    objects, values = ids(pack)[:OBJECTS], pack.values.tolist()
    rest = [seat for seat in tied if seat not in best]
    for value in range(MOST_VALUE, LEAST_VALUE - 1, -1):
        kinds = [kind for kind in range(OBJECTS) if values[kind] == value]
        won = max(sum(int(game.sets[seat, kind]) for kind in kinds) for seat in best)
        others = max(sum(int(game.sets[seat, kind]) for kind in kinds) for seat in rest)
        if won > others:
            owned = next(kind for kind in kinds if int(game.sets[best[0], kind]))
            return text("tie.set", count=len(tied), card={"noun": objects[owned]}, value=value)
    return None


def _per_card(each: int, count: int, pieces: list[str], key: str) -> list[Evidence]:
    """Points for each of some cards; no evidence where there is none."""
    return [evidence_of(each * count, pieces, key, count=count)] if count else []

"""Minnows' score sheet: fish by worth, kinds, and at the end the reeds in the hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from minnows.state import CARDS, HAND, KINDS, OVER, REED, ROUNDS, Pack, State
from pelagos.engine.rule import rule
from pelagos.engine.types import Array
from pelagos.engine.view import Evidence, Reads
from pelagos.engine.view import evidence as evidence_of

KIND_POINTS = 2
REED_POINTS = 1
READS = Reads(seat=("catches",), public=True)
"""What a seat's evidence reads; its reeds are told by the points for them."""


@rule
def sheet(game: State, pack: Pack, seat: int, out: Array) -> None:
    """Write the score sheet. Hands are shown at the end; until then reeds don't count."""
    out[0] = 0
    out[1] = 0
    for kind in range(KINDS):
        count = int(game.catches[seat, kind])
        out[0] += count * int(pack.worth[kind])
        out[1] += KIND_POINTS * int(count > 0)
    out[2] = REED_POINTS * int(game.hands[seat, REED]) if int(game.phase) == OVER else 0


@rule
def winners(game: State, pack: Pack, totals: Array) -> int:
    """Mask of the seats with the most points (MIN-6)."""
    most, mask = -1, 0
    for seat in range(int(game.players)):
        if int(totals[seat]) > most:
            most, mask = int(totals[seat]), 0
        if int(totals[seat]) == most:
            mask |= 1 << seat
    return mask


def points_span(options: Mapping[str, Any], pack: Pack) -> tuple[int, int]:
    """Nothing costs points. The most: every round the best fish, all kinds, a hand of reeds."""
    fish = [int(pack.worth[kind]) for kind in range(KINDS) for _ in range(int(pack.counts[kind]))]
    best = sum(sorted(fish, reverse=True)[:ROUNDS])
    return 0, best + KIND_POINTS * KINDS + REED_POINTS * HAND


def evidence(game: State, pack: Pack, seat: int, points: Sequence[int]) -> list[list[Evidence]]:
    """For each line of the sheet, the cards that make its points."""
    caught = [kind for kind in range(KINDS) if game.catches[seat, kind]]
    keys = [f"catch{seat}.{CARDS[kind]}" for kind in caught]
    fish = [
        evidence_of(int(game.catches[seat, kind] * pack.worth[kind]), [key], "reason.fish")
        for kind, key in zip(caught, keys, strict=True)
    ]
    kinds = [evidence_of(KIND_POINTS, [key], "reason.kinds") for key in keys]
    reed = [evidence_of(points[2], [f"hand{seat}.reed"], "reason.reeds")]
    return [fish, kinds, reed if points[2] else []]

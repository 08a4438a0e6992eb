"""Minnows' packs: how many cards of each kind, and what each is worth."""

from __future__ import annotations

from collections.abc import Mapping

from minnows.state import CARDS, DECK, HAND, KINDS, PACK, ROUNDS, SEATS
from pelagos.engine.arrays import new_packs, record_of
from pelagos.engine.errors import BadPack, short
from pelagos.engine.pack import read_table
from pelagos.engine.types import Array
from pelagos.engine.view import text

FILES = ("cards.csv",)
FEWEST = SEATS * HAND + ROUNDS
"""Four hands and a fish for each round: the refill never runs dry."""


def load(files: Mapping[str, str]) -> Array:
    """The pack as one record."""
    packs = new_packs(PACK)
    pack = record_of(packs)
    seen: set[str] = set()
    for row in read_table(files, "cards.csv", ("id", "worth", "count")):
        card = row.text("id")
        if card not in CARDS:
            wrong = {"card": short(card), "cards": ", ".join(CARDS)}
            raise row.wrong(text("minnows/refuse.unknown", **wrong))
        if card in seen:
            raise row.wrong(text("minnows/refuse.twice", card=card))
        seen.add(card)
        pack.worth[CARDS.index(card)] = row.number("worth", 0, 9)
        pack.counts[CARDS.index(card)] = row.number("count", 0, DECK)
    if len(seen) < KINDS:
        missing = next(card for card in CARDS if card not in seen)
        raise BadPack(text("minnows/refuse.missing", card=missing))
    total = int(pack.counts.sum())
    if not FEWEST <= total <= DECK:
        raise BadPack(text("minnows/refuse.total", total=total, fewest=FEWEST, most=DECK))
    pack.total = total
    return packs

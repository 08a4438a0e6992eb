"""Océanide's packs: thirteen objects with ids, names and values, thieves and kings."""

from __future__ import annotations

from collections.abc import Mapping

from pelagos.engine.arrays import new_packs, record_of
from pelagos.engine.errors import BadPack, short
from pelagos.engine.pack import Row, read_table
from pelagos.engine.types import Array
from pelagos.engine.view import text
from pelagos.games.oceanide.cards import SPECIAL
from pelagos.games.oceanide.state import (
    COPIES,
    DECK,
    ID,
    KING,
    LEAST_VALUE,
    MOST_VALUE,
    OBJECTS,
    PACK,
    THIEF,
    THIEF_POINTS,
)

FILES = ("cards.csv",)
COLUMNS = ("id", "name_en", "name_fr", "value", "copies")
WORTH = dict(zip(SPECIAL, ((THIEF, THIEF_POINTS), (KING, 0)), strict=True))
"""The cards that every pack has, with their place and what they are worth."""
RESERVED = (*SPECIAL, "hand", "none")
"""Words of the notation that can't be an object's id."""
MOST_SPECIAL = DECK - OBJECTS * COPIES


def load(files: Mapping[str, str]) -> Array:
    """The pack as one record; the objects are in the file's order (OCD-3, OCD-4, OCD-6)."""
    packs = new_packs(PACK)
    pack = record_of(packs)
    seen: list[str] = []
    kind = 0
    for row in read_table(files, "cards.csv", COLUMNS):
        card = row.text("id")
        if card in seen:
            raise row.wrong(text("oceanide/refuse.pack.twice", card=card))
        seen.append(card)
        row.text("name_en")
        row.text("name_fr")
        if card in WORTH:
            place, value = WORTH[card]
            _must_be(row, "value", value)
            pack.copies[place] = row.number("copies", 0, MOST_SPECIAL)
            continue
        if kind == OBJECTS:
            raise row.wrong(text("oceanide/refuse.pack.many", card=card, objects=OBJECTS))
        pack.ids[kind] = _id_bytes(row, card)
        pack.values[kind] = row.number("value", LEAST_VALUE, MOST_VALUE)
        _must_be(row, "copies", COPIES)
        pack.copies[kind] = COPIES
        kind += 1
    if kind < OBJECTS:
        raise BadPack(text("oceanide/refuse.pack.few", kinds=kind, objects=OBJECTS))
    for card in SPECIAL:
        if card not in seen:
            raise BadPack(text("oceanide/refuse.pack.missing", card=card))
    total = int(pack.copies.sum())
    if total > DECK:
        special = total - OBJECTS * COPIES
        raise BadPack(text("oceanide/refuse.pack.special", special=special, most=MOST_SPECIAL))
    pack.total = total
    return packs


def _must_be(row: Row, column: str, number: int) -> None:
    """Refuse another number where the rules leave no choice."""
    value = row.text(column)
    if value != str(number):
        raise row.wrong(
            text("oceanide/refuse.pack.fixed", column=column, number=number, value=short(value))
        )


def _id_bytes(row: Row, card: str) -> list[int]:
    """An object's id as the record keeps it; one word that the notation can be read with."""
    if card in RESERVED:
        raise row.wrong(text("oceanide/refuse.pack.reserved", card=card))
    if not card.isprintable() or any(sign.isspace() or sign in ",<>?" for sign in card):
        raise row.wrong(text("oceanide/refuse.pack.word", card=short(card)))
    encoded = card.encode()
    if len(encoded) > ID:
        raise row.wrong(text("oceanide/refuse.pack.long", card=short(card), most=ID))
    return list(encoded.ljust(ID, b"\0"))

"""Océanide's packs: thirteen objects with ids, names and values, thieves and kings."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from pelagos.engine.errors import BadPack
from pelagos.engine.pack import Row, read_table
from pelagos.engine.types import Array, Record
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
SPECIAL = {"thief": (THIEF, THIEF_POINTS), "king": (KING, 0)}
"""The cards that every pack has, with their place and what they are worth."""
RESERVED = ("thief", "king", "hand", "none")
"""Words of the notation that can't be an object's id."""
MOST_SPECIAL = DECK - OBJECTS * COPIES


def load(files: Mapping[str, str]) -> Array:
    """The pack as one record; the objects are in the file's order (OCD-3, OCD-4, OCD-6)."""
    pack = np.zeros(1, PACK)
    seen: list[str] = []
    kind = 0
    for row in read_table(files, "cards.csv", COLUMNS):
        card = row.text("id")
        if card in seen:
            raise row.wrong(f"{card} stands here a second time.")
        seen.append(card)
        row.text("name_en")
        row.text("name_fr")
        if card in SPECIAL:
            place, value = SPECIAL[card]
            _must_be(row, "value", value)
            pack["copies"][0, place] = row.number("copies", 0, MOST_SPECIAL)
            continue
        if kind == OBJECTS:
            raise row.wrong(f"{card} is one object too many; a pack has {OBJECTS}.")
        pack["ids"][0, kind] = _id_bytes(row, card)
        pack["values"][0, kind] = row.number("value", LEAST_VALUE, MOST_VALUE)
        _must_be(row, "copies", COPIES)
        pack["copies"][0, kind] = COPIES
        kind += 1
    if kind < OBJECTS:
        raise BadPack(f"cards.csv: {kind} objects; a pack has {OBJECTS}.")
    for card in SPECIAL:
        if card not in seen:
            raise BadPack(f"cards.csv: {card} is missing.")
    total = int(pack["copies"].sum())
    if total > DECK:
        raise BadPack(
            f"cards.csv: {total - OBJECTS * COPIES} thieves and kings; at most {MOST_SPECIAL}."
        )
    pack["total"] = total
    return pack


def _must_be(row: Row, column: str, number: int) -> None:
    """Refuse another number where the rules leave no choice."""
    value = row.text(column)
    if value != str(number):
        raise row.wrong(f"{column} must be {number}, not {value!r}.")


def _id_bytes(row: Row, card: str) -> Array:
    """An object's id as the record keeps it; one word that the notation can be read with."""
    if card in RESERVED:
        raise row.wrong(f"an object can't have the id {card}.")
    if not card.isprintable() or any(sign.isspace() or sign in ",<>?" for sign in card):
        raise row.wrong(f"the id {card!r} must be one word without , < > or ?.")
    encoded = card.encode()
    if len(encoded) > ID:
        raise row.wrong(f"the id {card!r} is longer than {ID} bytes.")
    return np.frombuffer(encoded.ljust(ID, b"\0"), np.uint8)


def ids(pack: Record) -> tuple[str, ...]:
    """The id of every kind of card: the objects', then thief and king."""
    return _ids(pack.ids.tobytes())


@cache
def _ids(table: bytes) -> tuple[str, ...]:
    objects = (table[first : first + ID] for first in range(0, len(table), ID))
    return (*(one.rstrip(b"\0").decode() for one in objects), *SPECIAL)

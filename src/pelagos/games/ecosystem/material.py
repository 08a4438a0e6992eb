"""Ecosystem's packs: how many cards of each of the eleven species, and their names."""

from __future__ import annotations

from collections.abc import Mapping

from pelagos.engine.arrays import new_packs, record_of
from pelagos.engine.errors import BadPack, short
from pelagos.engine.pack import read_table
from pelagos.engine.types import Array
from pelagos.engine.view import text
from pelagos.games.ecosystem.state import DECK, GROUPS, HAND, KINDS, PACK, SEATS, SPECIES

FILES = ("cards.csv",)
FEWEST = SEATS * 2 * HAND
"""Six players use two hands of ten each."""
MOST_OF_A_KIND = 60


def load(files: Mapping[str, str]) -> Array:
    """The pack as one record."""
    packs = new_packs(PACK)
    pack = record_of(packs)
    seen: set[str] = set()
    for row in read_table(files, "cards.csv", ("id", "group", "name_en", "name_fr", "count")):
        species = row.text("id")
        if species not in SPECIES:
            known = ", ".join(SPECIES)
            raise row.wrong(text("ecosystem/refuse.species", word=short(species), species=known))
        if species in seen:
            raise row.wrong(text("ecosystem/refuse.twice", species=species))
        seen.add(species)
        kind = SPECIES.index(species)
        group = row.cells["group"].strip()
        if group != GROUPS[kind]:
            groups = {"group": repr(GROUPS[kind]), "other": short(group)}
            raise row.wrong(text("ecosystem/refuse.group", species=species, **groups))
        row.text("name_en")
        row.text("name_fr")
        pack.counts[kind] = row.number("count", 0, MOST_OF_A_KIND)
    if len(seen) < KINDS:
        missing = next(species for species in SPECIES if species not in seen)
        raise BadPack(text("ecosystem/refuse.missing", species=missing))
    total = int(pack.counts.sum())
    if not FEWEST <= total <= DECK:
        raise BadPack(text("ecosystem/refuse.total", count=total, least=FEWEST, most=DECK))
    pack.total = total
    return packs

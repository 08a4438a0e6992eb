"""Ecosystem's packs: how many cards of each of the eleven species, and their names."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pelagos.engine.errors import BadPack, short
from pelagos.engine.pack import read_table
from pelagos.engine.types import Array
from pelagos.games.ecosystem.state import DECK, HAND, KINDS, PACK, SEATS, SPECIES

FILES = ("cards.csv",)
GROUPS = ("producer",) * 3 + ("prey",) * 3 + ("predator",) * 3 + ("",) * 2
FEWEST = SEATS * 2 * HAND
"""Six players use two hands of ten each."""
MOST_OF_A_KIND = 60


def load(files: Mapping[str, str]) -> Array:
    """The pack as one record."""
    pack = np.zeros(1, PACK)
    seen: set[str] = set()
    for row in read_table(files, "cards.csv", ("id", "group", "name_en", "name_fr", "count")):
        species = row.text("id")
        if species not in SPECIES:
            raise row.wrong(
                f"there is no species {short(species)}; the eleven are {', '.join(SPECIES)}."
            )
        if species in seen:
            raise row.wrong(f"{species} stands here a second time.")
        seen.add(species)
        kind = SPECIES.index(species)
        group = row.cells["group"].strip()
        if group != GROUPS[kind]:
            raise row.wrong(f"{species} belongs to group {GROUPS[kind]!r}, not {short(group)}.")
        row.text("name_en")
        row.text("name_fr")
        pack["counts"][0, kind] = row.number("count", 0, MOST_OF_A_KIND)
    if len(seen) < KINDS:
        missing = next(species for species in SPECIES if species not in seen)
        raise BadPack(f"cards.csv: {missing} is missing; a pack has all eleven species.")
    total = int(pack["counts"].sum())
    if not FEWEST <= total <= DECK:
        raise BadPack(
            f"cards.csv: {total} cards in all; it takes {FEWEST} to {DECK} "
            "(six players use two hands of ten)."
        )
    pack["total"] = total
    return pack

"""What the cards of each species say: their part of the food chain, and their rule."""

from __future__ import annotations

from pelagos.games.ecosystem.points import (
    KRILL_POINTS,
    PLANKTON_POINTS,
    POINTS_EACH,
    SCORED_TOGETHER,
)
from pelagos.games.ecosystem.state import GROUPS, SPECIES

GROUP_OF = {species: group or "other" for species, group in zip(SPECIES, GROUPS, strict=True)}
TOGETHER = {SPECIES[kind] for kind in SCORED_TOGETHER}
EACH = {SPECIES[kind]: points for kind, points in POINTS_EACH.items()}

RULE_NUMBERS: dict[str, dict[str, int]] = {
    **{species: {"points": points} for species, points in EACH.items()},
    "krill": dict(zip(("one", "two", "three"), KRILL_POINTS[1:], strict=True)),
    "plankton": dict(zip(("first", "second", "third"), PLANKTON_POINTS, strict=True)),
}
"""The numbers in the words of a species' rule."""

FORMULAS: dict[str, tuple[str, ...]] = {
    "coral": (f"{EACH['coral']} ×", "i-bottom"),
    "krill": ("krill", " · ".join(map(str, KRILL_POINTS[1:]))),
    "plankton": (" · ".join(map(str, PLANKTON_POINTS)),),
    "grouper": (f"{EACH['grouper']} ×", "krill", "i-beside"),
    "clownfish": (f"{EACH['clownfish']} ×", "plankton", "coral", "i-beside"),
    "crab": (f"{EACH['crab']} ×", "plankton", "i-row"),
    "moray": (f"{EACH['moray']} ×", "prey", "i-beside", "coral"),
    "shark": (f"{EACH['shark']} ×", "prey", "i-cross"),
    "whale": (f"{EACH['whale']} ×", "krill", "act-whale"),
    "turtle": (f"{EACH['turtle']} ×", "i-row", "i-column"),
    "octopus": (f"{EACH['octopus']} +", "act-octopus"),
}
"""A species' rule in signs: words, and names of symbols."""

"""Gymnasium's spaces of a game, which PettingZoo uses too."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from pelagos.engine.errors import PelagosError, short, text
from pelagos.engine.types import Array
from pelagos.envs.table import Setup

MODES = ("human", "ansi")
"""How a game can be drawn: printed, or as a text."""


def check_mode(mode: str | None) -> str | None:
    """How a game is to be drawn; refused with a sentence if it can't be."""
    if mode is not None and mode not in MODES:
        known = ", ".join(MODES)
        raise PelagosError(text("envs/refuse.render", known=known, value=short(mode)))
    return mode


def seen_space(setup: Setup, rows: int | None = None) -> spaces.Box:
    """What a seat sees; with `rows`, so many seats together."""
    low, high = setup.bounds()
    if rows is not None:
        low, high = np.stack([low] * rows), np.stack([high] * rows)
    return spaces.Box(low, high, dtype=setup.kind)


def masked_space(setup: Setup, width: int) -> spaces.Dict:
    """What a seat sees, with the mask of what it may do."""
    mask = spaces.Box(0, 1, (width,), np.int8)
    return spaces.Dict({"observation": seen_space(setup), "action_mask": mask})


def masked(seen: Array, mask: Array) -> dict[str, Array]:
    """An observation of the masked space."""
    return {"observation": seen, "action_mask": mask}

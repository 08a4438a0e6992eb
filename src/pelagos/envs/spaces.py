"""Gymnasium's spaces of a game, which PettingZoo uses too."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from pelagos.engine.types import Array
from pelagos.envs.table import Setup


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

"""Types that rules are written with."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
Record: TypeAlias = Any
"""One game's state or a pack: a NumPy record, a field an attribute."""

CHANCE = 1 << 16
"""`pending`'s bit for chance."""

HIDDEN, SHOWN, TURNED = 0, 1, 2
"""What `play` returns. HIDDEN: the choice stays secret until others have chosen too. SHOWN: all
see it, and nothing else came to light. TURNED: hidden choices were revealed, or a card, tile or
token was drawn or turned, so that nothing up to here can be undone."""


def state_type(fields: list[tuple[Any, ...]]) -> np.dtype[Any]:
    """An aligned record type, its size a multiple of 8, free of names that records use up."""
    taken = set(dir(np.record))
    for field in fields:
        if field[0] in taken:
            raise ValueError(f"a state can't have a field named {field[0]}: NumPy's records use it")
    plain = np.dtype(fields, align=True)
    if plain.itemsize % 8:
        fields = [*fields, ("padding", np.int8, 8 - plain.itemsize % 8)]
    return np.dtype(fields, align=True)

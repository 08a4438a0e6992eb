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

MOST_SEATS = 8
"""No game here seats more."""

HIDDEN, SHOWN, TURNED = 0, 1, 2
"""What `play` returns. HIDDEN: the choice stays secret until others have chosen too. SHOWN: all
see it, and nothing else came to light. TURNED: hidden choices were revealed, or a card, tile or
token was drawn or turned, so that nothing up to here can be undone."""


def state_type(fields: list[tuple[Any, ...]]) -> np.dtype[Any]:
    """A record type without holes, its size a multiple of 8, free of names that records use up.

    Fields are laid out from wide to narrow, so that all are aligned; NumPy doesn't copy the bytes
    of holes, and equal positions must be equal bytes.
    """
    taken = set(dir(np.record))
    for field in fields:
        if field[0] in taken:
            raise ValueError(f"a state can't have a field named {field[0]}: NumPy's records use it")
    widest = sorted(fields, key=lambda field: -np.dtype(field[1]).itemsize)
    rest = -np.dtype(widest).itemsize % 8
    if rest:
        widest.append(("padding", np.int8, rest))
    return np.dtype(widest, align=True)

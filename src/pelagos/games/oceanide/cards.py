"""What the cards are called in records, views and texts: an id for each kind."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from pelagos.engine.types import Record
from pelagos.games.oceanide.state import ID

SPECIAL = ("thief", "king")
"""The ids of the cards that every pack has, after the objects'."""


def ids(pack: Record) -> tuple[str, ...]:
    """The id of every kind of card: the objects', then thief and king."""
    return _ids(pack.ids.tobytes())


@cache
def _ids(table: bytes) -> tuple[str, ...]:
    objects = (table[first : first + ID] for first in range(0, len(table), ID))
    return (*(name.rstrip(b"\0").decode() for name in objects), *SPECIAL)


def noun_params(pack: Record, kinds: Sequence[int]) -> dict[str, Any]:
    """One or two cards as a text's parameters `card` and `other`."""
    names = ids(pack)
    return {
        param: {"noun": names[kind]} for param, kind in zip(("card", "other"), kinds, strict=False)
    }

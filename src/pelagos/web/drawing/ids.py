"""What elements are called in a page, and how numbers are written."""

from __future__ import annotations

import re
from functools import cache

_NOT_IN_ID = re.compile(r"[^A-Za-z0-9_-]")


@cache
def in_id(key: str) -> str:
    """A key without what an id may not hold."""
    return _NOT_IN_ID.sub("_", key)


@cache
def piece_id(key: str) -> str:
    """The id of a piece's element."""
    return "p-" + in_id(key)


@cache
def place_id(key: str) -> str:
    """The id of a place's element; of `grid0:1,2` the place's."""
    return "at-" + in_id(key.partition(":")[0])


def signed(number: int) -> str:
    """A change: +3, −2, 0."""
    return f"{number:+d}".replace("-", "−") if number else "0"


def shown(number: int | None) -> str:
    """A number with a true minus sign; a question mark for what may not be known."""
    return "?" if number is None else str(number).replace("-", "−")

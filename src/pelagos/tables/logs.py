"""Structured logs: one JSON object a line. They never hold a seat's secret, bytes or a name."""

from __future__ import annotations

import json
import sys
import time
from typing import Any, TextIO

_out: list[TextIO | None] = [None]
SHOWN_OF_ID = 6
"""How much of a table's id is written: enough to find it, too little to sit down at it."""


def open_log(out: TextIO | None = None) -> None:
    """Write from now on, to standard error if not told otherwise."""
    _out[0] = sys.stderr if out is None else out


def close_log() -> None:
    """Write no more."""
    _out[0] = None


def tell(what: str, **more: Any) -> None:
    """One line: when, what, and plain values."""
    if _out[0] is None:
        return
    line = {"at": round(time.time(), 3), "what": what, **more}
    print(json.dumps(line, ensure_ascii=False, default=str), file=_out[0], flush=True)


def brief(table: str) -> str:
    """A table's id as logs show it."""
    return table[:SHOWN_OF_ID]

"""Structured logs: one JSON object a line. They never hold a seat's secret, bytes or a name."""

from __future__ import annotations

import sys
import time
from collections.abc import MutableMapping
from typing import Any, TextIO

SECRETS = frozenset({"token", "secret", "bytes", "client", "name", "holder", "key", "cookie"})
"""Fields that are never written, whoever passes them on."""
SHOWN_OF_ID = 6
"""How much of a table's id is written: enough to find it, too little to sit down at it."""

Line = MutableMapping[str, Any]
_logger: Any = None


def open_log(out: TextIO | None = None) -> None:
    """Write from now on, to standard error if not told otherwise."""
    global _logger
    import structlog

    _logger = structlog.wrap_logger(
        structlog.WriteLogger(out or sys.stderr),
        processors=[_arrange, structlog.processors.JSONRenderer(ensure_ascii=False, default=str)],
        wrapper_class=structlog.BoundLogger,
    )


def close_log() -> None:
    """Write no more."""
    global _logger
    _logger = None


def tell(what: str, **fields: Any) -> None:
    """One line: when, what, and plain values."""
    if _logger is not None:
        _logger.info(what, **fields)


def _arrange(_logger: Any, _level: str, line: Line) -> Line:
    """When and what first, and no secrets."""
    what = line.pop("event")
    fields = {name: value for name, value in line.items() if name not in SECRETS}
    return {"at": round(time.time(), 3), "what": what, **fields}


def brief(table: str) -> str:
    """A table's id as logs show it."""
    return table[:SHOWN_OF_ID]

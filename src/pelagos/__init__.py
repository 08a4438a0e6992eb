"""Pelagos: ocean board games, played to the letter, by people, by bots, and by the million."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["Batch", "Match"]

if TYPE_CHECKING:
    from pelagos.engine.batch import Batch
    from pelagos.engine.match import Match


def __getattr__(name: str) -> Any:
    """Load what is asked for, and no compiler before it is needed."""
    if name == "Match":
        from pelagos.engine.match import Match

        return Match
    if name == "Batch":
        from pelagos.engine.batch import Batch

        return Batch
    raise AttributeError(f"pelagos has no {name}")

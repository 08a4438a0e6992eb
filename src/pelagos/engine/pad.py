"""The score pad: what `pelagos score` gives for a finished tableau."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pelagos.engine.view import Sheet, Text


@dataclass(frozen=True)
class Pad:
    """Sheets with evidence, and notes; evidence names a card by its place."""

    names: Sequence[str]
    sheets: Sequence[Sheet]
    notes: Sequence[Text]

"""Babel's place in a browser: English and French alone, and of them what Pelagos uses."""

from __future__ import annotations


class Locale:
    """A language."""

    def __init__(self, language: str) -> None:
        self.language = language

    def plural_form(self, count: float) -> str:
        """The form of a noun after a number."""
        whole = int(abs(count))
        if self.language == "en":
            return "one" if whole == 1 and whole == abs(count) else "other"
        if whole and whole == abs(count) and whole % 1_000_000 == 0:
            return "many"
        return "one" if whole in (0, 1) else "other"

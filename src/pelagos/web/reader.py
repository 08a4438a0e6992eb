"""Who reads a page, and the pages' own words."""

from __future__ import annotations

from dataclasses import dataclass

from pelagos.engine.words import Words, package_words

THEMES = ("auto", "light", "dark")


@dataclass(frozen=True)
class Reader:
    """One reader of pages."""

    language: str = "en"
    theme: str = "auto"
    name: str = ""
    plain: bool = False
    """Every game on the plain table, none on its own."""


def own_words(language: str) -> Words:
    """The pages' own words."""
    return package_words("pelagos.web", language)

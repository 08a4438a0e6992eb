"""Who reads the screen: the language, the words, the players' names, the colours of things."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from pelagos.engine.pack import Pack
from pelagos.engine.view import Text
from pelagos.engine.words import Words, pack_words, package_words

QUIET = "dim"
PALETTE = (
    "#e05555",
    "#a970d6",
    "#3fa35a",
    "#d9822b",
    "#1fa3b8",
    "#a89a1e",
    "#4b8fe0",
    "#d9629a",
    "#6fa21f",
    "#a3795e",
    "#17957f",
    "#7d8fa0",
)
"""Told apart on a light and on a dark ground."""


def own_words(language: str) -> Words:
    """The terminal's own words."""
    return package_words("pelagos.terminal", language)


class Reader:
    """A game's views in the words of one language."""

    def __init__(self, pack: Pack, language: str, names: Sequence[str]) -> None:
        self.title = pack.game.titles.get(language, pack.game.titles["en"])
        self.words = pack_words(pack, language)
        """The game's."""
        self.own = own_words(language)
        self.names = names
        self.you: int | None = None
        """The seat of whoever reads, which is spoken to."""

    def say(self, text: Text) -> str:
        """A text of a view."""
        return self.words.say(text, self.names, self.you)

    def value(self, value: Any) -> str:
        """A parameter of a text, or a fact's value: a noun, a player, a text, a number."""
        return self.words.value(value, names=self.names, you=self.you)

    def called(self, seat: int) -> str:
        """A seat in a sentence that isn't about what it does: you, or its name."""
        return self.value({"seat": seat})

    def colour(self, face: str) -> str:
        """The style of a thing: all of one family look alike."""
        if len(face) == 1:  # a row's or column's name on a board
            return QUIET
        place = self._families.get(family_of(face))
        return "" if place is None else PALETTE[place % len(PALETTE)]

    @cached_property
    def _families(self) -> dict[str, int]:
        """Every family of faces that the game has a symbol or a noun for, in its words' order."""
        places: dict[str, int] = {}
        for table in ("noun", "symbol"):
            for face in self.words.table.get(table, {}):
                places.setdefault(family_of(face), len(places))
        return places


def family_of(face: str) -> str:
    """What a face is, without its turn or number: `hill-90` is a hill."""
    return face.split("-")[0]

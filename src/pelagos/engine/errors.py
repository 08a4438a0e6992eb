"""What a person is told when something can't be done: one sentence, and nothing is changed.

An error is a text: a key with parameters, put into the reader's language where it is shown.
"""

from __future__ import annotations

from typing import Any, TypedDict, cast

MOST_SHOWN = 40


class Text(TypedDict):
    """A sentence or label: a key of somebody's words, and what to put into it."""

    key: str
    params: dict[str, Any]


def text(key: str, **params: Any) -> Text:
    """A key with its parameters."""
    return {"key": key, "params": params}


def short(value: object) -> str:
    """Somebody's value as a sentence shows it: on one line, quoted if it is text, and cut."""
    words = value if isinstance(value, str) else repr(value)
    if len(words) > MOST_SHOWN:
        words = words[:MOST_SHOWN] + "…"
    return repr(words) if isinstance(value, str) else words


class PelagosError(ValueError):
    """Anything a user can cause; its text says what was wrong and what would be right."""

    def __init__(self, text: Text | str | None = "") -> None:
        """A text, or a sentence that has no translation."""
        super().__init__(text)
        self.text: Any = text

    @property
    def key(self) -> str:
        """The text's key: what a program may compare."""
        return self.text["key"] if isinstance(self.text, dict) else ""

    def say(self, language: str) -> str:
        """The sentence in the reader's language."""
        if not isinstance(self.text, dict):
            return str(self.text)
        from pelagos.engine.words import own_words

        return own_words(language).say(cast(Text, self.text))

    def __str__(self) -> str:
        return self.say("en")


class UnknownGame(PelagosError):
    """No installed game has this name."""


class BadOption(PelagosError):
    """An option that the game doesn't have, or a value it doesn't take."""


class IllegalMove(PelagosError):
    """A move that isn't legal now, or not this seat's to make."""


class BadRecord(PelagosError):
    """A game record that can't be read, or doesn't follow the rules."""


class BadPack(PelagosError):
    """A content pack with a mistake in it."""


class BadTableau(PelagosError):
    """A score file that can't be read."""

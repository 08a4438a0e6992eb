"""What a person is told when something can't be done: one sentence, and nothing is changed."""

from __future__ import annotations

MOST_SHOWN = 40


def short(value: object) -> str:
    """Somebody's value as a sentence shows it: on one line, quoted if it is text, and cut."""
    words = value if isinstance(value, str) else repr(value)
    if len(words) > MOST_SHOWN:
        words = words[:MOST_SHOWN] + "…"
    return repr(words) if isinstance(value, str) else words


class PelagosError(ValueError):
    """Anything a user can cause; its text says what was wrong and what would be right."""


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

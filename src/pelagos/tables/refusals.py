"""A refusal as it is answered: a code for programs, and a sentence in the reader's language."""

from __future__ import annotations

from typing import Any

from pelagos.engine.errors import IllegalMove, PelagosError
from pelagos.engine.words import LANGUAGES

MOST_WISHES = 20


def refusal(error: PelagosError, language: str) -> dict[str, Any]:
    """What an answer tells of a refusal.

    `code` says what kind it is and `reason` which text; `sentence` is English, `message` is for
    the reader.
    """
    code = "illegal" if isinstance(error, IllegalMove) else getattr(error, "code", "refused")
    body = {"code": code, "sentence": str(error), "message": error.say(language)}
    return {**body, "reason": error.key} if error.key else body


def wished_language(header: str) -> str:
    """The first language of an Accept-Language header that we speak; English if there is none."""
    wishes: list[tuple[float, str]] = []
    for part in header.split(",")[:MOST_WISHES]:
        tag, _, quality = part.strip().partition(";q=")
        try:
            weight = float(quality) if quality else 1.0
        except ValueError:
            weight = 0.0
        wishes.append((-weight, tag.strip().lower()[:2]))
    for _, tag in sorted(wishes, key=lambda wish: wish[0]):
        if tag in LANGUAGES:
            return tag
    return LANGUAGES[0]

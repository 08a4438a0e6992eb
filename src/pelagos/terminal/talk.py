"""Talk at one keyboard: a word for those who sit there later. It is kept in memory alone."""

from __future__ import annotations

from collections.abc import Sequence

from pelagos.engine.words import words_of
from pelagos.tables.talk import PHRASES, SIGNS, clean_text


class Notes:
    """What people have said, for each of the others until they have decided something."""

    def __init__(self, people: Sequence[int], language: str) -> None:
        words = words_of("tables", language)
        self.ready = {sign: words.text(f"talk.sign.{sign}") for sign in SIGNS}
        """Signs and short texts, by the word that is typed for them."""
        self.ready |= {phrase: words.text(f"talk.phrase.{phrase}") for phrase in PHRASES}
        self._unread: dict[int, list[tuple[int, str]]] = {seat: [] for seat in people}

    def say(self, seat: int, typed: str) -> None:
        """Leave a sign, a short text or a free one for the others."""
        said = self.ready.get(typed) or clean_text(typed)
        for other, lines in self._unread.items():
            if other != seat:
                lines.append((seat, said))

    def for_seat(self, seat: int | None) -> list[tuple[int, str]]:
        """Who said what to this seat, the oldest first."""
        return [] if seat is None else list(self._unread[seat])

    def forget(self, seat: int) -> None:
        """The seat has read them."""
        self._unread[seat].clear()

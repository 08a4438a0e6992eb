"""Talk at a table: reactions, short texts, free text. It is kept in memory and nowhere else.

Signs and phrases are keys, so that each reader reads their own language. Spectators hear everyone;
what they say while a game is played, its players hear when it is over.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pelagos.engine.errors import short, text
from pelagos.engine.letters import fits
from pelagos.tables.acts import clean_client, clean_name
from pelagos.tables.errors import Malformed, Refused
from pelagos.tables.table import OVER, PLAYING, SPECTATOR, Table

SIGNS = ("yes", "clap", "laugh", "wow", "think", "sad", "love", "wave")
PHRASES = ("hello", "luck", "well_played", "thanks", "oops", "your_turn", "moment", "bye")
LONGEST_TEXT = 200
MOST_BYTES = 4000
"""Of a text: as much as goes to other processes in one piece."""
MOST_LINES = 60
"""Lines that a table remembers."""


@dataclass(frozen=True)
class Line:
    """What somebody said."""

    id: str
    seat: int
    name: str
    kind: str
    """sign, phrase or text."""
    said: str
    game: int
    """The game that was being played, counted from 0; -1: none was."""

    def as_json(self) -> dict[str, Any]:
        """The line as listeners are sent it; a spectator's has no seat."""
        message: dict[str, Any] = {
            "id": self.id,
            "seat": None if self.seat == SPECTATOR else self.seat,
            "name": self.name,
            self.kind: self.said,
        }
        if self.kind != "text":
            message["say"] = text(f"tables/talk.{self.kind}.{self.said}")
        return message

    def pack(self) -> str:
        """The line for other processes."""
        return json.dumps(asdict(self), ensure_ascii=False)


def unpack(news: str) -> Line:
    """A line that another process has packed."""
    return Line(**json.loads(news))


def make_line(
    table: Table, seat: int, said: Mapping[str, str], client: str, name: str = ""
) -> Line:
    """A line of a seat's, or a spectator's with a name; `said` has a sign, a phrase or a text."""
    table.check_open()
    clean_client(client)
    kinds = [kind for kind in ("sign", "phrase", "text") if said.get(kind)]
    if len(kinds) != 1:
        raise Malformed(text("tables/refuse.talk_one"))
    kind = kinds[0]
    return Line(
        id=hashlib.sha256(f"{table.id}/{seat}/{client}".encode()).hexdigest()[:16],
        seat=seat,
        name=table.seats[seat].name if seat != SPECTATOR else clean_name(name) if name else "",
        kind=kind,
        said=_clean(table, kind, said[kind]),
        game=len(table.past) if table.state == PLAYING else -1,
    )


def _clean(table: Table, kind: str, said: str) -> str:
    if kind == "text":
        return _clean_text(table, said)
    known = SIGNS if kind == "sign" else PHRASES
    if said not in known:
        raise Malformed(text("tables/refuse.talk_known", said=short(said), known=", ".join(known)))
    return said


def _clean_text(table: Table, said: str) -> str:
    """Free text, where the table allows it."""
    if not table.free_talk:
        raise Refused(text("tables/refuse.talk_signs"))
    return clean_text(said)


def clean_text(said: str) -> str:
    """A text that anybody can read, or the reason why it isn't one."""
    tidy = unicodedata.normalize("NFC", said).strip()
    if not fits(tidy, LONGEST_TEXT) or len(tidy.encode()) > MOST_BYTES:
        raise Malformed(text("tables/refuse.talk_text", most=LONGEST_TEXT))
    return tidy


class Talk:
    """What was said at one table lately."""

    def __init__(self) -> None:
        self._lines: tuple[tuple[Line, dict[str, Any]], ...] = ()

    def add(self, line: Line) -> bool:
        """Hear a line; False if it was heard already."""
        if any(heard.id == line.id for heard, _ in self._lines):
            return False
        self._lines = (*self._lines, (line, line.as_json()))[-MOST_LINES:]
        return True

    def forget(self, seats: Sequence[int]) -> None:
        """Forget what was said from these seats."""
        self._lines = tuple(
            (line, message) for line, message in self._lines if line.seat not in seats
        )

    def heard_by(self, table: Table, viewer: int) -> tuple[dict[str, Any], ...]:
        """The lines that a viewer may hear."""
        if not self._lines:
            return ()
        over = len(table.past) + (table.state == OVER)
        return tuple(
            message
            for line, message in self._lines
            if viewer == SPECTATOR or line.seat != SPECTATOR or line.game < over
        )

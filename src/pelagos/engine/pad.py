"""The score pad: what a tableau from a real table comes to, and the page on which it is tapped in.

A game that has one brings two modules. `tableau` reads and writes a table as text and counts it:
`read`, `write`, `add`, `count`, and `score` for a whole text. `pad` is the page: `desk` says what
lies on it, `press` does what a tap asks for. Neither draws anything.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from pelagos.engine.view import Sheet, Text, text

LONGEST_NAME = 40
_UNFIT = re.compile(r"[#:/\s]+")


@dataclass(frozen=True)
class Group:
    """Lines of a sheet that belong together, and what they come to."""

    label: Text
    points: int
    art: str = ""
    note: str = ""
    """A word about it, as a group that counts twice has."""


@dataclass(frozen=True)
class Pad:
    """Sheets with evidence, and notes; evidence names a card by its place."""

    names: Sequence[str]
    sheets: Sequence[Sheet]
    notes: Sequence[Text]
    groups: Sequence[Sequence[Group]] = ()
    """Each player's totals by groups of lines."""
    winners: Sequence[int] = ()
    """Who has won; nobody while something is missing, or if a single tableau was given."""
    tie_break: Text | None = None
    """What told apart those who had the same total."""
    missing: Sequence[int] = ()
    """How much each player's tableau lacks."""


def leaders(sheets: Sequence[Sheet]) -> list[int]:
    """The seats with the most points."""
    most = max(sheet["total"] for sheet in sheets)
    return [seat for seat, sheet in enumerate(sheets) if sheet["total"] == most]


def winner_note(winners: Sequence[int]) -> Text:
    """Who has won, or that several have."""
    return text("score.shared" if len(winners) > 1 else "score.winner", who={"seat": winners[0]})


# --- the page -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Spot:
    """Something on the page that can be tapped: a cell, a card, an object."""

    key: str
    label: Text
    art: Sequence[str] = ()
    kind: str = ""
    """How it looks: words for the style sheet."""
    badge: str = ""
    pieces: str = ""
    """What the evidence calls it, if not by its key."""


@dataclass(frozen=True)
class Board:
    """Spots in rows."""

    label: Text
    columns: int
    spots: Sequence[Spot]
    kind: str = ""
    headed: bool = False
    """Does its label stand above it?"""


@dataclass(frozen=True)
class Counter:
    """A number that goes up and down."""

    key: str
    label: Text
    value: int
    least: int
    most: int
    art: str = ""


@dataclass(frozen=True)
class Desk:
    """All that lies on the page for one player."""

    prompt: Text
    boards: Sequence[Board]
    keys: Sequence[Spot] = ()
    """What can be put onto the chosen spot."""
    counters: Sequence[Counter] = field(default=())


def clean_name(name: str) -> str:
    """A name that can stand in a tableau's text."""
    letters = "".join(letter if letter.isprintable() else " " for letter in name)
    return _UNFIT.sub(" ", letters).strip()[:LONGEST_NAME].strip()

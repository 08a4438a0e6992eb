"""The score pad: finished collections typed in from a real table.

For each player a line with the name, then any of four lines; what is left out is none:

    Ada
    sets: rum, star, sun, star
    showcase: 5
    hand: 2
    thieves: 3

A set is its object, by id or by name in English or French or the start of one, or just its value.
A showcase is a number, or its objects.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce

from pelagos.engine.arrays import record_of
from pelagos.engine.errors import BadTableau
from pelagos.engine.pack import Pack, read_table
from pelagos.engine.pad import LONGEST_NAME, Group, Pad, winner_note
from pelagos.engine.position import Position, new_position
from pelagos.engine.types import Record
from pelagos.engine.view import Evidence, Text, make_sheet, text
from pelagos.engine.view import evidence as evidence_of
from pelagos.games.oceanide import GAME, material
from pelagos.games.oceanide.cards import ids
from pelagos.games.oceanide.scoring import (
    HAND,
    SETS,
    SHOWCASE,
    THIEVES,
    broken_tie,
    evidence,
)
from pelagos.games.oceanide.state import COPIES, OBJECTS, OVER, SEATS, SET, THIEF

LINES = {
    "sets": ("sets", "set", "series", "serie"),
    "showcase": ("showcase", "vitrine"),
    "hand": ("hand", "main"),
    "thieves": ("thieves", "thief", "voleuses", "voleuse"),
}
"""Each line's names in both languages, as `_plain` has them."""


@dataclass(frozen=True)
class TypedSet:
    """A set as it was typed in."""

    line: int
    """The line of the text that it stands on."""
    kind: int | None
    """Its object; None if only its value is given."""
    value: int
    id: str = ""

    @property
    def written(self) -> str:
        """The set as text."""
        return self.id or str(self.value)


@dataclass
class Cabinet:
    """One player's block."""

    name: str
    sets: list[TypedSet] = field(default_factory=list)
    shown: list[int] = field(default_factory=list)
    """The objects of the showcase, if they are named."""
    names: list[str] = field(default_factory=list)
    """Their ids."""
    counts: dict[str, int] = field(default_factory=dict)
    """How many cards each line tells of."""

    @property
    def is_empty(self) -> bool:
        """Is nothing told of it?"""
        return not (self.sets or self.shown or any(self.counts.values()))


@dataclass
class Table:
    """All collections."""

    players: list[Cabinet]


def score(source: str, pack: Pack) -> Pad:
    """Sheets with evidence for the collections in the text, and who wins."""
    return count(read(source, pack), pack)


def read(source: str, pack: Pack) -> Table:
    """The table that a text tells of."""
    return Table(_Reader(pack).read(source))


def count(table: Table, pack: Pack) -> Pad:
    """The sheets of a table that was read."""
    cabinets = table.players
    position = new_position(GAME, pack, {"players": max(len(cabinets), GAME.players[0])})
    _lay(cabinets, position.record, position.pack_record)
    points = [position.points(seat) for seat in range(len(cabinets))]
    sheets = [
        make_sheet(seat, GAME.lines, points[seat], _evidence(position, seat, cabinet))
        for seat, cabinet in enumerate(cabinets)
    ]
    notes: list[Text] = []
    best: list[int] = []
    tie_break = None
    if len(cabinets) > 1 and not all(cabinet.is_empty for cabinet in cabinets):
        best = list(position.winners)
        notes.append(winner_note(best))
        totals = [sheet["total"] for sheet in sheets]
        tie_break = broken_tie(position.record, position.pack_record, totals, best)
        notes += [tie_break] if tie_break else []
    return Pad(
        [cabinet.name for cabinet in cabinets],
        sheets,
        notes,
        groups=[_groups(lines) for lines in points],
        winners=best,
        tie_break=tie_break,
        missing=[int(cabinet.is_empty) for cabinet in cabinets],
    )


def _groups(points: Sequence[int]) -> list[Group]:
    """Objects in sets and on show, and all other cards."""
    objects, others = points[SETS] + points[SHOWCASE], points[HAND] + points[THIEVES]
    return [Group(text("pad.objects"), objects, "rum"), Group(text("pad.others"), others, "thief")]


def write(table: Table) -> str:
    """A table as text, which reads as the same table."""
    lines = []
    for cabinet in table.players:
        lines.append(cabinet.name)
        if cabinet.sets:
            lines.append("sets: " + ", ".join(typed.written for typed in cabinet.sets))
        for key, cards in cabinet.counts.items():
            if key == "showcase" and cabinet.shown:
                lines.append("showcase: " + ", ".join(cabinet.names))
            elif key != "sets" and cards:
                lines.append(f"{key}: {cards}")
    return "\n".join(lines)


def add(table: Table, name: str) -> None:
    """One player more, with nothing before it."""
    table.players.append(Cabinet(name))


def new_table(pack: Pack) -> Table:
    """A table without players."""
    return Table([])


def _lay(cabinets: list[Cabinet], game: Record, pack: Record) -> None:
    """A finished game with these sheets; sets known by value alone are of any object so worth."""
    game.phase = OVER
    values = [int(value) for value in pack.values]
    for seat, cabinet in enumerate(cabinets):
        for typed in cabinet.sets:
            kind = values.index(typed.value) if typed.kind is None else typed.kind
            game.sets[seat, kind] += 1
        for kind in cabinet.shown or range(cabinet.counts.get("showcase", 0)):
            game.own[seat, kind] = 1
            game.shown[seat] |= 1 << kind
        game.own[seat, THIEF] = cabinet.counts.get("hand", 0)
        game.thieves[seat] = cabinet.counts.get("thieves", 0)


def _evidence(position: Position, seat: int, cabinet: Cabinet) -> list[list[Evidence]]:
    """The sheet's evidence; it names the cards that the text names."""
    names = ids(position.pack_record)
    lines = evidence(position.record, position.pack_record, seat, position.points(seat))
    for line in (SHOWCASE, HAND, THIEVES):
        for proof in lines[line]:
            named = cabinet.shown if line == SHOWCASE else []
            proof["pieces"] = [names[kind] for kind in named]
    lines[SETS] = _set_evidence(cabinet, names)
    return lines


def _set_evidence(cabinet: Cabinet, names: tuple[str, ...]) -> list[Evidence]:
    """The sets as they were typed in: a value alone names no object."""
    by_value = Counter(typed.value for typed in cabinet.sets if typed.kind is None)
    by_kind = Counter((typed.kind, typed.value) for typed in cabinet.sets if typed.kind is not None)
    return [
        evidence_of(
            count * value, [], "reason.set", count=count, card={"noun": names[kind]}, value=value
        )
        for (kind, value), count in sorted(by_kind.items())
    ] + [
        evidence_of(count * value, [], "reason.set_value", count=count, value=value)
        for value, count in sorted(by_value.items())
    ]


# --- reading --------------------------------------------------------------------------------------


def _refuse(key: str, **params: object) -> BadTableau:
    """An error of the score pad."""
    return BadTableau(text(f"oceanide/refuse.pad.{key}", **params))


def _or(first: Text | str, second: Text | str) -> Text:
    """Two possibilities, or one more."""
    return text("oceanide/refuse.pad.or", first=first, second=second)


def _plain(name: str) -> str:
    """Lower case, without accents, hyphens or spaces."""
    decomposed = unicodedata.normalize("NFD", name.casefold().replace("œ", "oe"))
    return "".join(letter for letter in decomposed if letter.isalnum())


class _Reader:
    """Reads a text with the names of a pack."""

    def __init__(self, pack: Pack) -> None:
        self.data = record_of(pack.data)
        self.values = [int(value) for value in self.data.values]
        self.ids = ids(self.data)
        self.names: list[tuple[str, int]] = []
        self.words: list[tuple[str, int]] = []
        """The words of names: who says rum means the bottle of it."""
        for row in read_table(pack.files, "cards.csv", material.COLUMNS):
            kind = self.ids.index(row.text("id"))
            if kind < OBJECTS:
                columns = ("id", "name_en", "name_fr")
                self.names += [(_plain(row.text(column)), kind) for column in columns]
                self.words += [
                    (_plain(word), kind)
                    for column in columns
                    for word in re.split(r"[\s'’]+", row.text(column))
                ]

    def read(self, source: str) -> list[Cabinet]:
        """Every player's block, checked."""
        cabinets: list[Cabinet] = []
        for number, raw in enumerate(source.removeprefix("\ufeff").splitlines(), 1):
            line = raw.split("#")[0].strip()
            if not line:
                continue
            title, colon, rest = line.partition(":")
            key = next((key for key, names in LINES.items() if _plain(title) in names), None)
            if not colon or (key is None and not rest.strip()):
                cabinets.append(Cabinet(_name(line, number)))
            elif key is None:
                title = repr(title.strip()[:40])
                raise _refuse("no_line", line=number, title=title, lines=", ".join(LINES))
            elif not cabinets:
                raise _refuse("no_name", line=number)
            else:
                self._fill(cabinets[-1], key, rest.strip(), number)
        if not cabinets:
            raise _refuse("empty")
        if len(cabinets) > SEATS:
            raise _refuse("players", count=len(cabinets), most=SEATS)
        self._check_sets(cabinets)
        self._check_thieves(cabinets)
        return cabinets

    def _fill(self, cabinet: Cabinet, key: str, rest: str, number: int) -> None:
        """Read a line of a player's block."""
        if key in cabinet.counts:
            raise _refuse("twice", line=number, name=cabinet.name, title=key)
        if key == "sets":
            cabinet.sets = [self._set(word, number) for word in self._items(rest)]
            cabinet.counts[key] = len(cabinet.sets)
        elif key == "showcase" and not rest.isdigit():
            kinds = [self._object(word, number) for word in self._items(rest)]
            if len(set(kinds)) < len(kinds):
                raise _refuse("showcase", line=number)
            cabinet.shown = kinds
            cabinet.names = [self.ids[kind] for kind in kinds]
            cabinet.counts[key] = len(kinds)
        else:
            cabinet.counts[key] = _count(rest, number, self._most(key))

    def _most(self, key: str) -> int:
        """The most cards that a line may tell of."""
        if key == "showcase":
            return OBJECTS
        if key == "thieves":
            return int(self.data.copies[THIEF])
        return int(self.data.total) - OBJECTS

    def _items(self, rest: str) -> list[str]:
        """Parted by commas; without any, one name or words."""
        if re.search(r"[,;]", rest) is None and not self._kinds(rest):
            return rest.split()
        return [word for word in re.split(r"\s*[,;]\s*", rest) if word]

    def _kinds(self, word: str) -> set[int]:
        """The objects that are called so, or whose names start so."""
        plain = _plain(word)
        if not plain:
            return set()
        exact = {kind for name, kind in self.names if name == plain}
        begun = {kind for name, kind in self.names if name.startswith(plain)}
        return exact or begun or {kind for word, kind in self.words if word.startswith(plain)}

    def _object(self, word: str, number: int) -> int:
        """The one object that a word means."""
        kinds = self._kinds(word)
        if len(kinds) == 1:
            return kinds.pop()
        if kinds:
            choices: list[Text | str] = [self.ids[kind] for kind in sorted(kinds)]
            raise _refuse("ambiguous", line=number, word=repr(word), choices=reduce(_or, choices))
        objects = ", ".join(self.ids[:OBJECTS])
        raise _refuse("no_object", line=number, word=repr(word[:40]), objects=objects)

    def _set(self, word: str, number: int) -> TypedSet:
        """A set by its object or its value."""
        if word.isascii() and word.isdigit():
            value = int(word[:4])
            if value not in self.values:
                raise _refuse("no_value", line=number, value=word[:4])
            return TypedSet(number, None, value)
        kind = self._object(word, number)
        return TypedSet(number, kind, self.values[kind], self.ids[kind])

    def _check_sets(self, cabinets: list[Cabinet]) -> None:
        """There are only so many cards of each object."""
        most = COPIES // SET
        of_kind: Counter[int | None] = Counter()
        of_value: Counter[int] = Counter()
        for typed in (typed for cabinet in cabinets for typed in cabinet.sets):
            kind, value = typed.kind, typed.value
            of_kind[kind] += 1
            of_value[value] += 1
            if kind is not None and of_kind[kind] > most:
                card = self.ids[kind]
                raise _refuse("sets", line=typed.line, card=card, copies=COPIES, most=most)
            if of_value[value] > most * self.values.count(value):
                raise _refuse("value", line=typed.line, value=value)

    def _check_thieves(self, cabinets: list[Cabinet]) -> None:
        thieves = sum(cabinet.counts.get("thieves", 0) for cabinet in cabinets)
        most = int(self.data.copies[THIEF])
        if thieves > most:
            raise _refuse("thieves", thieves=thieves, most=most)


def _name(line: str, number: int) -> str:
    """A player's name."""
    name = line.rstrip(":").strip()
    if not name or len(name) > LONGEST_NAME:
        raise _refuse("name", line=number, most=LONGEST_NAME)
    return name


def _count(rest: str, number: int, most: int) -> int:
    """A number of cards."""
    if not (rest.isascii() and rest.isdigit() and len(rest) < 4 and int(rest) <= most):
        raise _refuse("count", line=number, most=most, words=repr(rest[:40]))
    return int(rest)

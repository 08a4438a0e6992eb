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
from dataclasses import dataclass, field

import numpy as np

from pelagos.engine.arrays import new_states, record_of
from pelagos.engine.errors import BadTableau
from pelagos.engine.pack import Pack, read_table
from pelagos.engine.pad import Pad
from pelagos.engine.types import Record
from pelagos.engine.view import Evidence, Text, make_sheet, text
from pelagos.engine.view import evidence as evidence_of
from pelagos.games.oceanide import GAME, material
from pelagos.games.oceanide.scoring import (
    HAND,
    SETS,
    SHOWCASE,
    THIEVES,
    evidence,
    lines_of,
    winners,
)
from pelagos.games.oceanide.state import COPIES, OBJECTS, OVER, SEATS, SET, THIEF

LONGEST_NAME = 40
LINES = {
    "sets": ("sets", "set", "series", "serie"),
    "showcase": ("showcase", "vitrine"),
    "hand": ("hand", "main"),
    "thieves": ("thieves", "thief", "voleuses", "voleuse"),
}
"""Each line's names in both languages, as `_plain` has them."""


@dataclass
class Cabinet:
    """One player's block."""

    name: str
    sets: list[tuple[int, int | None, int]] = field(default_factory=list)
    """The line that a set stands on, its object if it is named, and its value."""
    shown: list[int] = field(default_factory=list)
    """The objects of the showcase, if they are named."""
    counts: dict[str, int] = field(default_factory=dict)
    """How many cards each line tells of."""


def score(source: str, pack: Pack) -> Pad:
    """Sheets with evidence for the collections in the text, and who wins."""
    data = record_of(pack.data)
    cabinets = _Reader(pack).read(source)
    game = _lay(cabinets, data)
    seats = range(len(cabinets))
    points = [list(lines_of(game, data, seat).values()) for seat in seats]
    sheets = []
    for seat in seats:
        found = _evidence(game, data, seat, cabinets[seat])
        sheets.append(make_sheet(seat, GAME.lines, points[seat], found))
    return Pad([one.name for one in cabinets], sheets, _winners(game, data, points))


def _evidence(game: Record, pack: Record, seat: int, cabinet: Cabinet) -> list[list[Evidence]]:
    """The sheet's evidence; it names the cards that the text names."""
    ids = material.ids(pack)
    found = evidence(game, pack, seat)
    for told in [*found[SHOWCASE], *found[HAND], *found[THIEVES]]:
        told["pieces"] = []
    for told in found[SHOWCASE]:
        told["pieces"] = [ids[kind] for kind in cabinet.shown]
    found[SETS] = _sets(cabinet, ids)
    return found


def _sets(cabinet: Cabinet, ids: tuple[str, ...]) -> list[Evidence]:
    """The sets as they were typed in: a value alone names no object."""
    found = []
    typed = Counter((OBJECTS if kind is None else kind, value) for _, kind, value in cabinet.sets)
    for (kind, value), count in sorted(typed.items()):
        if kind == OBJECTS:
            told = evidence_of(count * value, [], "reason.set_value", count=count, value=value)
        else:
            card = {"noun": ids[kind]}
            told = evidence_of(count * value, [], "reason.set", count=count, card=card, value=value)
        found.append(told)
    return found


def _winners(game: Record, pack: Record, points: list[list[int]]) -> list[Text]:
    if len(points) == 1:
        return []
    totals = np.array([sum(one) for one in points], np.int64)
    mask = int(winners(game, pack, totals))
    best = [seat for seat in range(len(points)) if mask >> seat & 1]
    if len(best) == 1:
        return [text("score.winner", who={"seat": best[0]})]
    return [text("score.shared")]


# --- reading --------------------------------------------------------------------------------------


def _plain(name: str) -> str:
    """Lower case, without accents, hyphens or spaces."""
    decomposed = unicodedata.normalize("NFD", name.casefold().replace("œ", "oe"))
    return "".join(letter for letter in decomposed if letter.isalnum())


class _Reader:
    """Reads a text with the names of a pack."""

    def __init__(self, pack: Pack) -> None:
        self.data = record_of(pack.data)
        self.ids = material.ids(self.data)
        self.names: list[tuple[str, int]] = []
        for row in read_table(pack.files, "cards.csv", material.COLUMNS):
            kind = self.ids.index(row.text("id"))
            if kind < OBJECTS:
                columns = ("id", "name_en", "name_fr")
                self.names += [(_plain(row.text(column)), kind) for column in columns]

    def read(self, source: str) -> list[Cabinet]:
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
                raise BadTableau(
                    f"Line {number}: {title.strip()[:40]!r} should be {', '.join(LINES)}."
                )
            elif not cabinets:
                raise BadTableau(f"Line {number}: a player's name comes first.")
            else:
                self._fill(cabinets[-1], key, rest.strip(), number)
        if not cabinets:
            raise BadTableau("The file has no player; a player is a name and lines like `hand: 2`.")
        if len(cabinets) > SEATS:
            raise BadTableau(f"{len(cabinets)} players; there are at most {SEATS}.")
        self._check(cabinets)
        return cabinets

    def _fill(self, cabinet: Cabinet, key: str, rest: str, number: int) -> None:
        if key in cabinet.counts:
            raise BadTableau(f"Line {number}: {cabinet.name} has a line {key} already.")
        if key == "sets":
            for word in self._items(rest):
                kind, value = self._set(word, number)
                cabinet.sets.append((number, kind, value))
            cabinet.counts[key] = len(cabinet.sets)
        elif key == "showcase" and not rest.isdigit():
            kinds = [self._object(word, number) for word in self._items(rest)]
            if len(set(kinds)) < len(kinds):
                raise BadTableau(f"Line {number}: a showcase has one card of each object.")
            cabinet.shown = kinds
            cabinet.counts[key] = len(kinds)
        else:
            cabinet.counts[key] = _count(rest, number, self._most(key))

    def _most(self, key: str) -> int:
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
        plain = _plain(word)
        exact = {kind for name, kind in self.names if name == plain}
        return exact or {kind for name, kind in self.names if plain and name.startswith(plain)}

    def _object(self, word: str, number: int) -> int:
        found = self._kinds(word)
        if len(found) == 1:
            return found.pop()
        objects = ", ".join(self.ids[:OBJECTS])
        if found:
            choices = " or ".join(self.ids[kind] for kind in sorted(found))
            raise BadTableau(f"Line {number}: {word!r} could be {choices}; write a letter more.")
        raise BadTableau(f"Line {number}: {word[:40]!r} is no object; they are {objects}.")

    def _set(self, word: str, number: int) -> tuple[int | None, int]:
        """A set's object, if it is named, and its value."""
        if word.isascii() and word.isdigit():
            value = int(word[:4])
            if value not in self.data.values.tolist():
                raise BadTableau(f"Line {number}: no object is worth {word[:4]}.")
            return None, value
        kind = self._object(word, number)
        return kind, int(self.data.values[kind])

    def _check(self, cabinets: list[Cabinet]) -> None:
        """There are only six cards of each object."""
        most = COPIES // SET
        named: Counter[int | None] = Counter()
        worth: Counter[int] = Counter()
        values = self.data.values.tolist()
        for cabinet in cabinets:
            for number, kind, value in cabinet.sets:
                named[kind] += 1
                worth[value] += 1
                if kind is not None and named[kind] > most:
                    raise BadTableau(
                        f"Line {number}: a set of {self.ids[kind]} too many; "
                        f"its {COPIES} cards make {most}."
                    )
                if worth[value] > most * values.count(value):
                    raise BadTableau(f"Line {number}: a set of value {value} too many.")
        thieves = sum(cabinet.counts.get("thieves", 0) for cabinet in cabinets)
        if thieves > int(self.data.copies[THIEF]):
            raise BadTableau(f"{thieves} thieves; the pack has {self.data.copies[THIEF]}.")


def _name(line: str, number: int) -> str:
    name = line.rstrip(":").strip()
    if not name or len(name) > LONGEST_NAME:
        raise BadTableau(f"Line {number}: a player's name has 1 to {LONGEST_NAME} letters.")
    return name


def _count(rest: str, number: int, most: int) -> int:
    if not (rest.isascii() and rest.isdigit() and len(rest) < 4 and int(rest) <= most):
        raise BadTableau(f"Line {number}: a number from 0 to {most} is needed, not {rest[:40]!r}.")
    return int(rest)


def _lay(cabinets: list[Cabinet], pack: Record) -> Record:
    """A finished game with these sheets; sets known by value alone are of any object so worth."""
    game = record_of(new_states(GAME, 1))
    game.players = len(cabinets)
    game.phase = OVER
    values = pack.values.tolist()
    for seat, cabinet in enumerate(cabinets):
        for _, kind, value in cabinet.sets:
            game.sets[seat, values.index(value) if kind is None else kind] += 1
        for kind in cabinet.shown or range(cabinet.counts.get("showcase", 0)):
            game.own[seat, kind] = 1
            game.shown[seat] |= 1 << kind
        game.own[seat, THIEF] = cabinet.counts.get("hand", 0)
        game.thieves[seat] = cabinet.counts.get("thieves", 0)
    return game

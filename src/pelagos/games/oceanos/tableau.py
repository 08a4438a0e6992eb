"""The score pad: a finished expedition typed in from a real table.

For each player a line with the name, three lines of cards, one a round, and what else counts:

    Ada
    1-16 1-04 1-33 1-10 1-21
    2-09 2-18! 2-25 2-40 2-13 2-30
    3-01! 3-24 3-12 3-40 3-05
    aquarium: 1 2 2
    propeller: 1 1 3
    tokens: 3 4 2
    parts: 9

`!` is a diver on the card. Aquarium and propeller are their levels at the end of each round, 1 if
left out; tokens are the treasure tokens drawn; parts, the sum of all levels, break a tie. A line
`kraken: 0 -2 -3` holds the tokens of the three rounds.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pelagos.engine.arrays import new_states, record_of
from pelagos.engine.errors import BadTableau, short
from pelagos.engine.pack import Pack
from pelagos.engine.pad import Pad
from pelagos.engine.types import Record
from pelagos.engine.view import Evidence, Text, make_sheet, text
from pelagos.games.oceanos import GAME
from pelagos.games.oceanos.cards import name_of, names_of
from pelagos.games.oceanos.rules import (
    PROPELLER_STARS,
    chests_of,
    score_animals,
    score_kraken,
)
from pelagos.games.oceanos.scoring import PROPELLERS, evidence, lines_of, winners
from pelagos.games.oceanos.state import (
    AIRLOCK,
    AQUARIUM,
    COLUMNS,
    LEVELS,
    MOTOR,
    OVER,
    PARTS,
    PROPELLER,
    ROUNDS,
    SEATS,
    TREASURES,
    TURNS,
)

LONGEST_NAME = 40
DIVER = "!"
LINES = {
    "aquarium": ("aquarium",),
    "propeller": ("propeller", "propulseur"),
    "tokens": ("tokens", "jetons"),
    "parts": ("parts", "pieces"),
    "kraken": ("kraken",),
}
"""Each line's names in both languages, as `_plain` has them."""


@dataclass
class Expedition:
    """One player's block."""

    name: str
    line: int
    rows: list[list[tuple[int, bool]]] = field(default_factory=list)
    """Cards, and is there a diver on them?"""
    numbers: dict[str, list[int]] = field(default_factory=dict)
    """What its other lines say."""

    def wrong(self, key: str, **params: Any) -> BadTableau:
        """What can't be with this player."""
        return BadTableau(text(f"oceanos/refuse.{key}", name=self.name, line=self.line, **params))


def score(source: str, pack: Pack) -> Pad:
    """Sheets with evidence for the expeditions in the text, and who wins."""
    data = record_of(pack.data)
    expeditions, krakens = _Reader(data).read(source)
    game = _lay(expeditions, data, krakens)
    seats = range(len(expeditions))
    points = [list(lines_of(game, data, seat).values()) for seat in seats]
    sheets = [
        make_sheet(seat, GAME.lines, points[seat], _evidence(game, data, seat, points[seat]))
        for seat in seats
    ]
    notes = list(_tokens_to_draw(game, data, expeditions)) or _winners(game, data, points)
    return Pad([expedition.name for expedition in expeditions], sheets, notes)


def _tokens_to_draw(
    game: Record, pack: Record, expeditions: Sequence[Expedition]
) -> Iterator[Text]:
    for seat, expedition in enumerate(expeditions):
        count = int(chests_of(game, pack, seat))
        if count and "tokens" not in expedition.numbers:
            yield text("score.draw", who=expedition.name, count=count)


def _evidence(game: Record, pack: Record, seat: int, points: list[int]) -> list[list[Evidence]]:
    """The sheet's evidence; it names the cards by their ids."""
    names = {
        f"rows{seat}:{depth},{column}": name_of(pack, depth, card)
        for depth, row in enumerate(game.rows[seat].tolist())
        for column, card in enumerate(row)
    }
    lines = evidence(game, pack, seat, points)
    for proof in itertools.chain(*lines):
        proof["pieces"] = [names[piece] for piece in proof["pieces"] if piece in names]
    return lines


def _winners(game: Record, pack: Record, points: list[list[int]]) -> list[Text]:
    if len(points) == 1:
        return []
    totals = np.array([sum(lines) for lines in points], np.int64)
    mask = int(winners(game, pack, totals))
    best = [seat for seat in range(len(points)) if mask >> seat & 1]
    if len(best) == 1:
        return [text("score.winner", who={"seat": best[0]})]
    return [text("score.shared")]


# --- reading ----------------------------------------------------------------------------------


def _plain(name: str) -> str:
    """Lower case, without accents, hyphens or spaces."""
    decomposed = unicodedata.normalize("NFD", name.casefold())
    return "".join(letter for letter in decomposed if letter.isalnum())


def _wrong(key: str, line: int, **params: Any) -> BadTableau:
    """What can't be in this line."""
    return BadTableau(text(f"oceanos/refuse.{key}", line=line, **params))


class _Reader:
    """Reads a text with the card ids of a pack."""

    def __init__(self, pack: Record) -> None:
        self.pack = pack
        self.used: dict[str, int] = {}

    def read(self, source: str) -> tuple[list[Expedition], list[int]]:
        expeditions: list[Expedition] = []
        krakens: list[int] = []
        for number, raw in enumerate(source.removeprefix("\ufeff").splitlines(), 1):
            line = raw.split("#")[0].strip()
            if not line:
                continue
            title, colon, rest = line.partition(":")
            key = next((key for key, names in LINES.items() if _plain(title) in names), None)
            if colon and key == "kraken":
                if krakens:
                    raise _wrong("kraken_twice", number)
                krakens = _numbers(rest, number, ROUNDS, -99, 0)
            elif expeditions and len(expeditions[-1].rows) < ROUNDS:
                rows = expeditions[-1].rows
                rows.append(self._row(line, number, len(rows)))
            elif colon and key is not None:
                if not expeditions:
                    raise _wrong("name_first", number)
                _note(expeditions[-1], key, rest, number)
            elif colon and rest.strip():
                lines = ", ".join(LINES)
                raise _wrong("unknown_line", number, title=short(title.strip()), lines=lines)
            else:
                expeditions.append(Expedition(_name(line, number), number))
        _check(expeditions)
        return expeditions, krakens or [0] * ROUNDS

    def _row(self, line: str, number: int, depth: int) -> list[tuple[int, bool]]:
        cards = [
            self._card(word, number, depth) for word in re.split(r"[\s,;|]+", line.strip(" \t|,;"))
        ]
        if not TURNS <= len(cards) <= COLUMNS:
            raise _wrong("row_size", number, count=len(cards), turns=TURNS, most=COLUMNS)
        return cards

    def _card(self, word: str, number: int, depth: int) -> tuple[int, bool]:
        name, diver = word.rstrip(DIVER), word.endswith(DIVER)
        names = names_of(self.pack, depth)
        if not name or name not in names:
            raise _wrong("no_card", number, card=short(word), round=depth + 1)
        if name in self.used:
            raise _wrong("card_twice", number, card=name, other=self.used[name])
        self.used[name] = number
        card = names.index(name)
        if diver and not int(self.pack.treasure[depth, card]):
            raise _wrong("no_treasure", number, card=name)
        return card, diver


def _note(expedition: Expedition, key: str, rest: str, number: int) -> None:
    if key in expedition.numbers:
        raise _wrong("line_twice", number, name=expedition.name, title=key)
    if key == "tokens":
        expedition.numbers[key] = _numbers(rest, number, -1, 0, 99)
    elif key == "parts":
        least = len(PARTS)
        expedition.numbers[key] = _numbers(rest, number, 1, least, least * LEVELS)
    else:
        levels = _numbers(rest, number, ROUNDS, 1, LEVELS)
        if levels != sorted(levels):
            raise _wrong("level_falls", number)
        expedition.numbers[key] = levels


def _numbers(rest: str, number: int, count: int, lowest: int, highest: int) -> list[int]:
    """So many numbers (-1: any), each within its range."""
    values = []
    for word in rest.replace(",", " ").replace("\u2212", "-").split():
        digits = word.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) < 4):
            raise _wrong("no_number", number, word=short(word))
        value = int(word)
        if not lowest <= value <= highest:
            limits = {"lowest": str(lowest), "highest": str(highest)}
            raise _wrong("out_of_range", number, value=str(value), **limits)
        values.append(value)
    if len(values) != count and (count >= 0 or len(values) > TREASURES):
        due = count if count >= 0 else TREASURES
        raise _wrong("how_many", number, count=len(values), due=due)
    return values


def _name(line: str, number: int) -> str:
    name = line.rstrip(":").strip()
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
        raise _wrong("name", number, most=LONGEST_NAME)
    return name


def _check(expeditions: list[Expedition]) -> None:
    if not expeditions:
        raise BadTableau(text("oceanos/refuse.no_player"))
    if len(expeditions) > SEATS:
        raise BadTableau(text("oceanos/refuse.players", count=len(expeditions), most=SEATS))
    for expedition in expeditions:
        if len(expedition.rows) < ROUNDS:
            raise expedition.wrong("rows", count=len(expedition.rows), due=ROUNDS)
        divers = sum(diver for row in expedition.rows for _, diver in row)
        if divers > LEVELS:
            raise expedition.wrong("divers", count=divers, most=LEVELS)
    drawn = sum(len(expedition.numbers.get("tokens", [])) for expedition in expeditions)
    if drawn > TREASURES:
        raise BadTableau(text("oceanos/refuse.all_tokens", count=drawn, most=TREASURES))


# --- laying it out ----------------------------------------------------------------------------


def _lay(expeditions: list[Expedition], pack: Record, krakens: list[int]) -> Record:
    """A finished game with these rows; the bag gives what was drawn, in the order of seats."""
    game = record_of(new_states(GAME, 1))
    game.players = len(expeditions)
    bag: list[int] = []
    for seat, expedition in enumerate(expeditions):
        for depth, row in enumerate(expedition.rows):
            game.row_size[seat, depth] = len(row)
            for column, (card, diver) in enumerate(row):
                game.rows[seat, depth, column] = card
                if diver:
                    game.dived[seat] |= 1 << (depth * COLUMNS + column)
        tokens = expedition.numbers.get("tokens", [])
        due = int(chests_of(game, pack, seat))
        if (
            "tokens" in expedition.numbers
            and len(tokens) != due
            and sum(map(len, (bag, tokens))) < TREASURES
        ):
            raise expedition.wrong("tokens", count=len(tokens), due=due)
        game.chests[seat] = len(tokens)
        bag += tokens
    game.bag[: len(bag)] = bag
    for depth, value in enumerate(krakens):
        _score_round(game, pack, expeditions, depth, value)
    for seat, expedition in enumerate(expeditions):
        _fit_parts(game, seat, expedition)
    game.phase = OVER
    return game


def _score_round(
    game: Record, pack: Record, expeditions: list[Expedition], depth: int, value: int
) -> None:
    game.depth = depth
    game.kraken[depth, 0] = value
    for seat, expedition in enumerate(expeditions):
        game.boat[seat, AQUARIUM] = expedition.numbers.get("aquarium", [1] * ROUNDS)[depth]
        level = expedition.numbers.get("propeller", [1] * ROUNDS)[depth]
        game.boat[seat, PROPELLER] = level
        game.lines[seat, PROPELLERS + depth] = PROPELLER_STARS[level]
    score_animals(game, pack)
    if len(expeditions) > 1:
        score_kraken(game, pack)


def _fit_parts(game: Record, seat: int, expedition: Expedition) -> None:
    """Spread the sum of levels over the parts that score nothing by themselves."""
    levels = int(game.boat[seat, AQUARIUM]) + int(game.boat[seat, PROPELLER])
    rest = [part for part in range(MOTOR, AIRLOCK + 1) if part != AQUARIUM]
    total = expedition.numbers.get("parts", [levels + len(rest)])[0]
    spare = total - levels - len(rest)
    if not 0 <= spare <= len(rest) * (LEVELS - 1):
        raise expedition.wrong("parts", total=total)
    for part in rest:
        more = min(spare, LEVELS - 1)
        game.boat[seat, part] = 1 + more
        spare -= more

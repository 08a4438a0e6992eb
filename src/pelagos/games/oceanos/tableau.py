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
from dataclasses import dataclass, field

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
    told: dict[str, list[int]] = field(default_factory=dict)


def score(source: str, pack: Pack) -> Pad:
    """Sheets with evidence for the expeditions in the text, and who wins."""
    data = record_of(pack.data)
    expeditions, krakens = _Reader(data).read(source)
    game = _lay(expeditions, data, krakens)
    seats = range(len(expeditions))
    points = [list(lines_of(game, data, seat).values()) for seat in seats]
    sheets = [
        make_sheet(seat, GAME.lines, points[seat], _evidence(game, data, seat)) for seat in seats
    ]
    notes = [
        text("score.draw", who=one.name, count=int(chests_of(game, data, seat)))
        for seat, one in enumerate(expeditions)
        if "tokens" not in one.told and int(chests_of(game, data, seat))
    ]
    if not notes:
        notes = _winners(game, data, points)
    return Pad([one.name for one in expeditions], sheets, notes)


def _evidence(game: Record, pack: Record, seat: int) -> list[list[Evidence]]:
    """The sheet's evidence; it names the cards by their ids."""
    names = {
        f"rows{seat}:{depth},{column}": name_of(pack, depth, card)
        for depth, row in enumerate(game.rows[seat].tolist())
        for column, card in enumerate(row)
    }
    found = evidence(game, pack, seat)
    for proof in itertools.chain(*found):
        proof["pieces"] = [names[piece] for piece in proof["pieces"] if piece in names]
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


# --- reading ----------------------------------------------------------------------------------


def _plain(name: str) -> str:
    """Lower case, without accents, hyphens or spaces."""
    decomposed = unicodedata.normalize("NFD", name.casefold())
    return "".join(letter for letter in decomposed if letter.isalnum())


class _Reader:
    """Reads a text with the card ids of a pack."""

    def __init__(self, pack: Record) -> None:
        self.pack = pack
        self.used: dict[str, int] = {}

    def read(self, source: str) -> tuple[list[Expedition], list[int]]:
        found: list[Expedition] = []
        krakens: list[int] = []
        for number, raw in enumerate(source.removeprefix("\ufeff").splitlines(), 1):
            line = raw.split("#")[0].strip()
            if not line:
                continue
            title, colon, rest = line.partition(":")
            key = next((key for key, names in LINES.items() if _plain(title) in names), None)
            if colon and key == "kraken":
                if krakens:
                    raise BadTableau(f"Line {number}: there is a line kraken already.")
                krakens = _numbers(rest, number, ROUNDS, -99, 0)
            elif found and len(found[-1].rows) < ROUNDS:
                found[-1].rows.append(self._row(line, number, len(found[-1].rows)))
            elif colon and key is not None:
                if not found:
                    raise BadTableau(f"Line {number}: a player's name comes first.")
                _tell(found[-1], key, rest, number)
            elif colon and rest.strip():
                raise BadTableau(
                    f"Line {number}: {short(title.strip())} should be {', '.join(LINES)}."
                )
            else:
                found.append(Expedition(_name(line, number), number))
        _check(found)
        return found, krakens or [0] * ROUNDS

    def _row(self, line: str, number: int, depth: int) -> list[tuple[int, bool]]:
        cards = [
            self._card(word, number, depth) for word in re.split(r"[\s,;|]+", line.strip(" \t|,;"))
        ]
        if not TURNS <= len(cards) <= COLUMNS:
            raise BadTableau(
                f"Line {number}: {len(cards)} cards; a row has {TURNS}, "
                f"and one more for each fuel token, {COLUMNS} at most."
            )
        return cards

    def _card(self, word: str, number: int, depth: int) -> tuple[int, bool]:
        name, diver = word.rstrip(DIVER), word.endswith(DIVER)
        names = names_of(self.pack, depth)
        if not name or name not in names:
            raise BadTableau(f"Line {number}: {short(word)} is no card of round {depth + 1}.")
        if name in self.used:
            raise BadTableau(f"Line {number}: {name} lies in line {self.used[name]} already.")
        self.used[name] = number
        card = names.index(name)
        if diver and not int(self.pack.treasure[depth, card]):
            raise BadTableau(f"Line {number}: {name} has no treasure for a diver.")
        return card, diver


def _tell(expedition: Expedition, key: str, rest: str, number: int) -> None:
    if key in expedition.told:
        raise BadTableau(f"Line {number}: {expedition.name} has a line {key} already.")
    if key == "tokens":
        expedition.told[key] = _numbers(rest, number, -1, 0, 99)
    elif key == "parts":
        least = len(PARTS)
        expedition.told[key] = _numbers(rest, number, 1, least, least * LEVELS)
    else:
        levels = _numbers(rest, number, ROUNDS, 1, LEVELS)
        if levels != sorted(levels):
            raise BadTableau(f"Line {number}: a level never falls.")
        expedition.told[key] = levels


def _numbers(rest: str, number: int, count: int, lowest: int, highest: int) -> list[int]:
    """So many numbers (-1: any), each within its range."""
    found = []
    for word in rest.replace(",", " ").replace("\u2212", "-").split():
        digits = word.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) < 4):
            raise BadTableau(f"Line {number}: {short(word)} should be a number.")
        value = int(word)
        if not lowest <= value <= highest:
            raise BadTableau(f"Line {number}: {value} should be from {lowest} to {highest}.")
        found.append(value)
    if len(found) != count and (count >= 0 or len(found) > TREASURES):
        due = count if count >= 0 else TREASURES
        raise BadTableau(f"Line {number}: {len(found)} numbers where {due} belong.")
    return found


def _name(line: str, number: int) -> str:
    name = line.rstrip(":").strip()
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
        raise BadTableau(f"Line {number}: a player's name has 1 to {LONGEST_NAME} letters.")
    return name


def _check(found: list[Expedition]) -> None:
    if not found:
        raise BadTableau("The file has no player; a player is a name and three lines of cards.")
    if len(found) > SEATS:
        raise BadTableau(f"{len(found)} players; there are at most {SEATS}.")
    for one in found:
        if len(one.rows) < ROUNDS:
            raise BadTableau(
                f"{one.name} (line {one.line}) has {len(one.rows)} rows; there are {ROUNDS}."
            )
        divers = sum(diver for row in one.rows for _, diver in row)
        if divers > LEVELS:
            raise BadTableau(f"{one.name} (line {one.line}) has {divers} divers; {LEVELS} at most.")
    drawn = sum(len(one.told.get("tokens", [])) for one in found)
    if drawn > TREASURES:
        raise BadTableau(f"{drawn} treasure tokens; there are {TREASURES}.")


# --- laying it out ----------------------------------------------------------------------------


def _lay(expeditions: list[Expedition], pack: Record, krakens: list[int]) -> Record:
    """A finished game with these rows; the bag gives what was drawn, in the order of seats."""
    game = record_of(new_states(GAME, 1))
    game.players = len(expeditions)
    bag: list[int] = []
    for seat, one in enumerate(expeditions):
        for depth, row in enumerate(one.rows):
            game.row_size[seat, depth] = len(row)
            for column, (card, diver) in enumerate(row):
                game.rows[seat, depth, column] = card
                if diver:
                    game.dived[seat] |= 1 << (depth * COLUMNS + column)
        tokens = one.told.get("tokens", [])
        due = int(chests_of(game, pack, seat))
        if "tokens" in one.told and len(tokens) != due and sum(map(len, (bag, tokens))) < TREASURES:
            raise BadTableau(
                f"{one.name} (line {one.line}) has {len(tokens)} tokens; the divers bring up {due}."
            )
        game.chests[seat] = len(tokens)
        bag += tokens
    game.bag[: len(bag)] = bag
    for depth, value in enumerate(krakens):
        _score_round(game, pack, expeditions, depth, value)
    for seat, one in enumerate(expeditions):
        _fit_parts(game, seat, one)
    game.phase = OVER
    return game


def _score_round(
    game: Record, pack: Record, expeditions: list[Expedition], depth: int, value: int
) -> None:
    game.depth = depth
    game.kraken[depth, 0] = value
    for seat, one in enumerate(expeditions):
        game.boat[seat, AQUARIUM] = one.told.get("aquarium", [1] * ROUNDS)[depth]
        level = one.told.get("propeller", [1] * ROUNDS)[depth]
        game.boat[seat, PROPELLER] = level
        game.lines[seat, PROPELLERS + depth] = PROPELLER_STARS[level]
    score_animals(game, pack)
    if len(expeditions) > 1:
        score_kraken(game, pack)


def _fit_parts(game: Record, seat: int, one: Expedition) -> None:
    """Spread the sum of levels over the parts that score nothing by themselves."""
    levels = int(game.boat[seat, AQUARIUM]) + int(game.boat[seat, PROPELLER])
    rest = [part for part in range(MOTOR, AIRLOCK + 1) if part != AQUARIUM]
    total = one.told.get("parts", [levels + len(rest)])[0]
    spare = total - levels - len(rest)
    if not 0 <= spare <= len(rest) * (LEVELS - 1):
        raise BadTableau(f"{one.name} (line {one.line}): parts can't be {total} with these levels.")
    for part in rest:
        more = min(spare, LEVELS - 1)
        game.boat[seat, part] = 1 + more
        spare -= more

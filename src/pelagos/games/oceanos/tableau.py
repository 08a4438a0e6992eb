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

A card is its id in the pack, or what it shows: `turtle+coral+treasure`, `0` if it shows nothing.
`-` is a card that isn't told yet. `!` is a diver on the card. Aquarium and propeller are their
levels at the end of each round, 1 if left out; tokens are the treasure tokens drawn; parts, the sum
of all levels, break a tie. A line `kraken: 0 -2 -3` holds the tokens of the three rounds.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from pelagos.engine.arrays import listed, new_packs, new_states, record_of
from pelagos.engine.errors import BadTableau, short
from pelagos.engine.pack import Pack
from pelagos.engine.pad import LONGEST_NAME, Group, Pad, winner_note
from pelagos.engine.types import Record
from pelagos.engine.view import Evidence, Text, make_sheet, text
from pelagos.engine.words import LANGUAGES, words
from pelagos.games.oceanos import GAME
from pelagos.games.oceanos.cards import names_of, symbols_on
from pelagos.games.oceanos.material import MOST_ANIMALS, MOST_SYMBOLS
from pelagos.games.oceanos.rules import (
    PROPELLER_STARS,
    chests_of,
    score_animals,
    score_kraken,
)
from pelagos.games.oceanos.scoring import (
    PROPELLERS,
    broken_tie,
    evidence,
    lines_of,
    winners,
)
from pelagos.games.oceanos.state import (
    AIRLOCK,
    AQUARIUM,
    COLUMNS,
    HAS_BASE,
    HAS_GREEN,
    HAS_YELLOW,
    LEVELS,
    MOTOR,
    OVER,
    PACK,
    PARTS,
    PROPELLER,
    ROUNDS,
    SEATS,
    SPECIES,
    TREASURES,
    TURNS,
)

DIVER = "!"
BLANK = "-"
"""How what isn't told yet is written: a card, a token."""
UNKNOWN = -1
"""A token that isn't told yet."""
NOTHING = "0"
"""A card that shows nothing."""
FINDS = ("coral", "treasure", "base", "green", "yellow", "eye")
SYMBOLS = (*SPECIES, *FINDS)
SEVERAL = ("coral", "treasure", "eye")
"""What a card may show more than once."""
STOPS = {"base": HAS_BASE, "green": HAS_GREEN, "yellow": HAS_YELLOW}
LINES = {
    "aquarium": ("aquarium",),
    "propeller": ("propeller", "propulseur"),
    "tokens": ("tokens", "jetons"),
    "parts": ("parts", "pieces"),
    "kraken": ("kraken",),
}
"""Each line's names in both languages, as `_plain` has them."""


@dataclass
class Card:
    """A card of a row: what it shows, and is there a diver on it?"""

    symbols: dict[str, int] = field(default_factory=dict)
    diver: bool = False
    id: str = ""
    """Its id in the pack, if it was named so."""

    def written(self) -> str:
        """The card as text."""
        named = "+".join(symbol for symbol in SYMBOLS for _ in range(self.symbols.get(symbol, 0)))
        return (self.id or named or NOTHING) + DIVER * self.diver


@dataclass
class Expedition:
    """One player's block."""

    name: str
    line: int = 0
    rows: list[list[Card]] = field(default_factory=list)
    numbers: dict[str, list[int]] = field(default_factory=dict)
    """What its other lines say."""

    def wrong(self, key: str, **params: Any) -> BadTableau:
        """What can't be with this player."""
        return BadTableau(text(f"oceanos/refuse.{key}", name=self.name, line=self.line, **params))


@dataclass
class Table:
    """All expeditions, and the Kraken tokens of the three rounds."""

    players: list[Expedition]
    krakens: list[int] = field(default_factory=lambda: [0] * ROUNDS)


def score(source: str, pack: Pack) -> Pad:
    """Sheets with evidence for the expeditions in the text, and who wins."""
    return count(read(source, pack), pack)


def count(table: Table, pack: Pack) -> Pad:
    """The same for a table that was read."""
    expeditions = table.players
    game, data = _lay(expeditions, table.krakens)
    seats = range(len(expeditions))
    lines = [lines_of(game, data, seat) for seat in seats]
    points = [list(made.values()) for made in lines]
    sheets = [
        make_sheet(
            seat, GAME.lines, points[seat], _evidence(game, data, seat, points[seat], expedition)
        )
        for seat, expedition in enumerate(expeditions)
    ]
    notes = [*_unfinished(expeditions), *_tokens_to_draw(game, data, expeditions)]
    best: list[int] = []
    tie_break = None
    if not notes and len(expeditions) > 1:
        totals = listed([sum(made) for made in points])
        mask = int(winners(game, data, totals))
        best = [seat for seat in seats if mask >> seat & 1]
        notes.append(winner_note(best))
        tie_break = broken_tie(game, data, totals.tolist(), best)
        notes += [tie_break] if tie_break else []
    return Pad(
        [expedition.name for expedition in expeditions],
        sheets,
        notes,
        groups=[_groups(made) for made in lines],
        winners=best,
        tie_break=tie_break,
        missing=[len(list(_unfinished([expedition]))) for expedition in expeditions],
    )


def _groups(lines: dict[str, int]) -> list[Group]:
    """The rounds' lines added up, kind by kind."""
    kinds = {"animals": "clownfish", "propeller": "propeller", "kraken": "kraken"}
    rounds = [
        Group(
            text(f"pad.{kind}"),
            sum(lines[f"{kind}{depth}"] for depth in range(1, ROUNDS + 1)),
            art,
        )
        for kind, art in kinds.items()
    ]
    ends = {"reef": "coral", "treasure": "treasure"}
    return rounds + [Group(text(f"line.{line}"), lines[line], art) for line, art in ends.items()]


def _unfinished(expeditions: Sequence[Expedition]) -> Iterator[Text]:
    for expedition in expeditions:
        short_rows = [
            str(depth + 1) for depth, row in enumerate(expedition.rows) if len(row) < TURNS
        ]
        if short_rows:
            rounds = ", ".join(short_rows)
            yield text("score.unfinished", who=expedition.name, rounds=rounds, turns=TURNS)


def _tokens_to_draw(
    game: Record, pack: Record, expeditions: Sequence[Expedition]
) -> Iterator[Text]:
    for seat, expedition in enumerate(expeditions):
        known = [token for token in expedition.numbers.get("tokens", []) if token != UNKNOWN]
        due = int(chests_of(game, pack, seat)) - len(known)
        if due and ("tokens" not in expedition.numbers or UNKNOWN in expedition.numbers["tokens"]):
            yield text("score.draw", who=expedition.name, count=due)


def _evidence(
    game: Record, pack: Record, seat: int, points: list[int], expedition: Expedition
) -> list[list[Evidence]]:
    """The sheet's evidence; it names the cards by their ids, or by round and place."""
    names = {
        f"rows{seat}:{depth},{column}": card.id or f"{depth + 1}.{column + 1}"
        for depth, row in enumerate(expedition.rows)
        for column, card in enumerate(row)
    }
    lines = evidence(game, pack, seat, points)
    for proof in itertools.chain(*lines):
        proof["pieces"] = [names[piece] for piece in proof["pieces"] if piece in names]
    return lines


# --- reading ----------------------------------------------------------------------------------


def _plain(name: str) -> str:
    """Lower case, without accents, hyphens or spaces."""
    decomposed = unicodedata.normalize("NFD", name.casefold())
    return "".join(letter for letter in decomposed if letter.isalnum())


def _wrong(key: str, line: int, **params: Any) -> BadTableau:
    """What can't be in this line."""
    return BadTableau(text(f"oceanos/refuse.{key}", line=line, **params))


def read(source: str, pack: Pack) -> Table:
    """The table that a text tells of."""
    return _Reader(record_of(pack.data)).read(source)


def write(table: Table) -> str:
    """A table as text, which reads as the same table."""
    lines = []
    if any(table.krakens):
        lines.append("kraken: " + " ".join(map(str, table.krakens)))
    for expedition in table.players:
        lines.append(expedition.name)
        for row in expedition.rows:
            cards = [card.written() for card in row]
            lines.append(" ".join(cards + [BLANK] * (TURNS - len(cards))))
        for key, numbers in expedition.numbers.items():
            values = [BLANK if number == UNKNOWN else str(number) for number in numbers]
            lines.append(f"{key}: {' '.join(values)}")
    return "\n".join(lines)


def add(table: Table, name: str) -> None:
    """One player more, with three empty rows."""
    table.players.append(Expedition(name, 0, [[] for _ in range(ROUNDS)]))


def new_table(pack: Pack) -> Table:
    """A table without players."""
    return Table([])


@cache
def _symbol_names() -> list[tuple[str, str]]:
    """Every spelling of every symbol."""
    return [
        (_plain(spelling), symbol)
        for symbol in SYMBOLS
        for spelling in {
            symbol,
            *(words(GAME, language).text(f"mark.{symbol}") for language in LANGUAGES),
        }
    ]


class _Reader:
    """Reads a text with the card ids of a pack."""

    def __init__(self, pack: Record) -> None:
        self.pack = pack
        self.used: dict[str, int] = {}

    def read(self, source: str) -> Table:
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
        return Table(expeditions, krakens or [0] * ROUNDS)

    def _row(self, line: str, number: int, depth: int) -> list[Card]:
        row_words = re.split(r"[\s,;|]+", line.strip(" \t|,;"))
        if not TURNS <= len(row_words) <= COLUMNS:
            raise _wrong("row_size", number, count=len(row_words), turns=TURNS, most=COLUMNS)
        while row_words and row_words[-1] == BLANK:
            row_words.pop()
        return [self._card(word, number, depth) for word in row_words]

    def _card(self, word: str, number: int, depth: int) -> Card:
        name, diver = word.rstrip(DIVER), word.endswith(DIVER)
        names = names_of(self.pack, depth)
        if not name or name not in names:
            card = _shown(name, diver, number)
            if card is None:
                raise _wrong("no_card", number, card=short(word), round=depth + 1)
        elif name in self.used:
            raise _wrong("card_twice", number, card=name, other=self.used[name])
        else:
            self.used[name] = number
            card = Card(dict(symbols_on(self.pack, depth, names.index(name))), diver, name)
        if diver and not card.symbols.get("treasure"):
            raise _wrong("no_treasure", number, card=name)
        return card


def _shown(name: str, diver: bool, number: int) -> Card | None:
    """A card told by what it shows; None if these are no symbols."""
    card = Card({}, diver)
    for word in name.split("+") if name != NOTHING else []:
        plain = _plain(word)
        exact = {symbol for spelling, symbol in _symbol_names() if spelling == plain}
        begun = {symbol for spelling, symbol in _symbol_names() if spelling.startswith(plain)}
        symbols = exact or (begun if plain else set())
        if len(symbols) != 1:
            return None
        symbol = symbols.pop()
        card.symbols[symbol] = card.symbols.get(symbol, 0) + 1
    check_card(card, number)
    return card if name else None


def check_card(card: Card, number: int) -> None:
    """A card shows at most three animals, each once, and so many of the rest."""
    animals = sum(card.symbols.get(kind, 0) for kind in SPECIES)
    if animals > MOST_ANIMALS:
        reason = text("oceanos/refuse.animals", count=animals, most=MOST_ANIMALS)
        raise BadTableau(text("oceanos/refuse.at_line", line=number, reason=reason))
    for symbol, count in card.symbols.items():
        most = MOST_SYMBOLS if symbol in SEVERAL else 1
        if count > most:
            what = {"symbol": text(f"oceanos/mark.{symbol}"), "count": count, "most": most}
            raise BadTableau(text("oceanos/refuse.too_many", line=number, **what))


def _note(expedition: Expedition, key: str, rest: str, number: int) -> None:
    if key in expedition.numbers:
        raise _wrong("line_twice", number, name=expedition.name, title=key)
    if key == "tokens":
        words_told = rest.replace(",", " ").split()
        numbers = " ".join(word for word in words_told if word != BLANK)
        values = iter(_numbers(numbers, number, -1, 0, 99))
        expedition.numbers[key] = [
            UNKNOWN if word == BLANK else next(values) for word in words_told
        ]
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
        divers = sum(card.diver for row in expedition.rows for card in row)
        if divers > LEVELS:
            raise expedition.wrong("divers", count=divers, most=LEVELS)
    drawn = sum(len(expedition.numbers.get("tokens", [])) for expedition in expeditions)
    if drawn > TREASURES:
        raise BadTableau(text("oceanos/refuse.all_tokens", count=drawn, most=TREASURES))


# --- laying it out ----------------------------------------------------------------------------


def _lay(expeditions: list[Expedition], krakens: list[int]) -> tuple[Record, Record]:
    """A finished game with these rows, and a pack of the cards in them; the bag gives what was
    drawn, in the order of seats.
    """
    game, pack = record_of(new_states(GAME, 1)), record_of(new_packs(PACK))
    game.players = len(expeditions)
    cards = [0] * ROUNDS
    bag: list[int] = []
    for seat, expedition in enumerate(expeditions):
        for depth, row in enumerate(expedition.rows):
            game.row_size[seat, depth] = len(row)
            for column, card in enumerate(row):
                cards[depth] += 1
                _print(pack, depth, cards[depth], card.symbols)
                game.rows[seat, depth, column] = cards[depth]
                if card.diver:
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
        bag += [max(token, 0) for token in tokens]
    game.bag[: len(bag)] = bag
    for depth, value in enumerate(krakens):
        _score_round(game, pack, expeditions, depth, value)
    for seat, expedition in enumerate(expeditions):
        _fit_parts(game, seat, expedition)
    game.phase = OVER
    return game, pack


def _print(pack: Record, depth: int, card: int, symbols: Mapping[str, int]) -> None:
    """Put a card into a pack."""
    pack.animals[depth, card] = sum(
        1 << kind for kind, species in enumerate(SPECIES) if symbols.get(species)
    )
    pack.coral[depth, card] = symbols.get("coral", 0)
    pack.treasure[depth, card] = symbols.get("treasure", 0)
    pack.eyes[depth, card] = symbols.get("eye", 0)
    pack.stops[depth, card] = sum(bit for symbol, bit in STOPS.items() if symbols.get(symbol))


def chests_due(expedition: Expedition) -> int:
    """How many treasure tokens an expedition's divers bring up."""
    alone = Expedition(expedition.name, expedition.line, expedition.rows)
    game, pack = _lay([alone], [0] * ROUNDS)
    return int(chests_of(game, pack, 0))


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

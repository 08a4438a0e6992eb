"""Oceanos' packs: the exploration cards of each round, and the tokens.

`cards.csv` has a line a card: its round, its id, how many of each symbol it carries, and, for a
reader, the same symbols in words. `tokens.csv` has the Kraken tokens of each size and the treasure
tokens.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pelagos.engine.arrays import new_packs, record_of
from pelagos.engine.errors import BadPack, short
from pelagos.engine.pack import Row, read_table
from pelagos.engine.types import Array, Record
from pelagos.engine.view import text
from pelagos.games.oceanos.state import (
    DECKS,
    HAS_BASE,
    HAS_GREEN,
    HAS_TREASURE,
    HAS_YELLOW,
    KRAKENS,
    LARGEST_TOKEN,
    NAME,
    PACK,
    ROUNDS,
    SPECIES,
    TREASURES,
)

FILES = ("cards.csv", "tokens.csv")

ANIMALS = ("small_1", "small_2", "small_3", "small_4", "big_1", "big_2", "big_3", "big_4")
"""The columns of the eight species, in their order."""
COUNTED = {"coral": "coral", "treasure": "treasure", "kraken_eyes": "eye"}
"""Columns of symbols that a card may carry more than once, and their words."""
SINGLE = {"base": "base", "crystal_green": "green", "crystal_yellow": "yellow"}
MOST_ANIMALS = 3
MOST_SYMBOLS = 9
"""Of a card, and of one of its other symbols (OCN-10)."""
SIZES = ("small", "average", "big")

_ID = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._-]{{0,{NAME - 1}}}")


def load(files: Mapping[str, str]) -> Array:
    """The pack as one record (OCN-6, OCN-8, OCN-9)."""
    packs = new_packs(PACK)
    _load_cards(files, record_of(packs))
    _load_tokens(files, record_of(packs))
    return packs


def _load_cards(files: Mapping[str, str], pack: Record) -> None:
    columns = ("round", "card_id", *ANIMALS, *COUNTED, *SINGLE)
    places = [0] * ROUNDS
    lines: dict[str, int] = {}
    for row in read_table(files, "cards.csv", columns):
        depth = row.number("round", 1, ROUNDS) - 1
        name = row.text("card_id")
        if not _ID.fullmatch(name):
            raise row.wrong(text("oceanos/refuse.card_id", card=short(name), most=NAME))
        if name in lines:
            raise row.wrong(text("oceanos/refuse.card_there", card=name, line=lines[name]))
        lines[name] = row.line
        if places[depth] == DECKS[depth]:
            due = DECKS[depth]
            raise row.wrong(text("oceanos/refuse.one_more", round=depth + 1, due=due))
        places[depth] += 1
        card = places[depth]
        _load_card(row, pack, depth, card)
        pack.names[depth, card, : len(name)] = list(name.encode())
    for depth, count in enumerate(places):
        if count != DECKS[depth]:
            due = DECKS[depth]
            raise BadPack(text("oceanos/refuse.cards", round=depth + 1, count=count, due=due))


def _load_card(row: Row, pack: Record, depth: int, card: int) -> None:
    animals = [row.number(column, 0, 1) for column in ANIMALS]
    if sum(animals) > MOST_ANIMALS:
        count = sum(animals)
        raise row.wrong(text("oceanos/refuse.animals", count=count, most=MOST_ANIMALS))
    counts = {column: row.number(column, 0, MOST_SYMBOLS) for column in COUNTED}
    single = {column: row.number(column, 0, 1) for column in SINGLE}
    pack.animals[depth, card] = sum(there << kind for kind, there in enumerate(animals))
    pack.coral[depth, card] = counts["coral"]
    pack.treasure[depth, card] = counts["treasure"]
    pack.eyes[depth, card] = counts["kraken_eyes"]
    pack.stops[depth, card] = (
        HAS_TREASURE * (counts["treasure"] > 0)
        | HAS_BASE * single["base"]
        | HAS_GREEN * single["crystal_green"]
        | HAS_YELLOW * single["crystal_yellow"]
    )
    words = dict(zip(SPECIES, animals, strict=True))
    words |= {word: counts[column] for column, word in COUNTED.items()}
    words |= {word: single[column] for column, word in SINGLE.items()}
    _check_symbols(row, words)


def _check_symbols(row: Row, counts: Mapping[str, int]) -> None:
    """The symbols in words, where they are given, must say what the numbers say."""
    if "symbols" not in row.cells:
        return
    symbols = row.cells["symbols"].split()
    for word in symbols:
        if word not in counts:
            known = ", ".join(counts)
            raise row.wrong(text("oceanos/refuse.symbol", word=short(word), known=known))
    for word, count in counts.items():
        if symbols.count(word) != count:
            said = symbols.count(word)
            raise row.wrong(text("oceanos/refuse.symbols", word=word, said=said, count=count))


def _load_tokens(files: Mapping[str, str], pack: Record) -> None:
    tokens: dict[str, list[int]] = {kind: [] for kind in (*SIZES, "treasure")}
    for row in read_table(files, "tokens.csv", ("kind", "value", "count")):
        kind = row.text("kind")
        if kind not in tokens:
            known = ", ".join(tokens)
            raise row.wrong(text("oceanos/refuse.kind", word=short(kind), known=known))
        if kind == "treasure":
            value = row.number("value", 0, LARGEST_TOKEN)
        else:
            value = row.number("value", -LARGEST_TOKEN, 0)
        tokens[kind] += [value] * row.number("count", 0, TREASURES)
    for kind, values in tokens.items():
        due = TREASURES if kind == "treasure" else KRAKENS
        if len(values) != due:
            count = len(values)
            raise BadPack(text("oceanos/refuse.token_count", kind=kind, count=count, due=due))
    pack.kraken = [tokens[size] for size in SIZES]
    pack.bag = tokens["treasure"]

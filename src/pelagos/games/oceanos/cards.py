"""Cards for a reader: ids, symbols, a text that names both; where the next one lies."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple, TypeAlias

from pelagos.engine.types import Array, Record
from pelagos.engine.view import Text, text
from pelagos.games.oceanos.state import (
    DECKS,
    HAS_BASE,
    HAS_GREEN,
    HAS_YELLOW,
    NAME,
    NUMBERS,
    SPECIES,
)

CRYSTALS = ("green", "yellow")


def names_of(pack: Record, depth: int) -> tuple[str, ...]:
    """The ids of a round's cards, by number; number 0 has none."""
    return _names(pack.names.tobytes())[depth]


@cache
def _names(codes: bytes) -> tuple[tuple[str, ...], ...]:
    every = [
        codes[first : first + NAME].rstrip(b"\0").decode() for first in range(0, len(codes), NAME)
    ]
    return tuple(
        tuple(every[depth * NUMBERS : depth * NUMBERS + size + 1])
        for depth, size in enumerate(DECKS)
    )


def name_of(pack: Record, depth: int, card: int) -> str:
    """A card's id."""
    return names_of(pack, depth)[card]


def cards_in(cards: int) -> list[int]:
    """The cards of a set, ascending."""
    numbers, left = [], int(cards)
    while left:
        lowest = left & -left
        numbers.append(lowest.bit_length() - 1)
        left ^= lowest
    return numbers


def species_on(pack: Record, depth: int, card: int) -> tuple[int, ...]:
    """The animals on a card."""
    return _species(int(pack.animals[depth, card]))


@cache
def _species(mask: int) -> tuple[int, ...]:
    return tuple(kind for kind in range(len(SPECIES)) if mask >> kind & 1)


class Card(NamedTuple):
    """A card as readers are told of it."""

    name: str
    """Its id."""
    species: tuple[int, ...]
    symbols: Mapping[str, int]
    marks: tuple[str, ...]
    crystals: tuple[str, ...]
    text: Text


Cards: TypeAlias = dict[tuple[int, int], Card]
"""The cards of a pack by round and number, each read when it is first asked for."""
MOST_PACKS = 16
_packs: dict[tuple[bytes, ...], Cards] = {}
"""Of the packs that were read, by the fields that their cards are read from."""
_newest: tuple[Record, Cards] = (None, {})
"""The pack that was read last, and its cards: a view reads dozens of them."""


def card_of(pack: Record, depth: int, card: int) -> Card:
    """All that readers are told of a card."""
    read, cards = _newest
    if read is not pack:
        cards = _open(pack)
    known = cards.get((depth, card))
    if known is None:
        known = cards[depth, card] = _read(pack, depth, card)
    return known


def _open(pack: Record) -> Cards:
    """The cards of a pack: equal packs share them."""
    global _newest
    key = tuple(field.tobytes() for field in (pack.names, *_fields(pack)))
    if key not in _packs and len(_packs) >= MOST_PACKS:
        _packs.clear()
    _newest = (pack, _packs.setdefault(key, {}))
    return _newest[1]


def _fields(pack: Record) -> tuple[Array, ...]:
    return pack.animals, pack.coral, pack.treasure, pack.stops, pack.eyes


def _read(pack: Record, depth: int, card: int) -> Card:
    symbols = _symbols(*[int(field[depth, card]) for field in _fields(pack)])
    named = {
        f"symbol{place}": text(f"many.{symbol}", count=count)
        for place, (symbol, count) in enumerate(symbols.items(), 1)
    }
    return Card(
        name_of(pack, depth, card),
        species_on(pack, depth, card),
        symbols,
        tuple(symbol for symbol, count in symbols.items() for _ in range(count)),
        tuple(symbol for symbol in symbols if symbol in CRYSTALS),
        text(f"card.{len(symbols)}", id=name_of(pack, depth, card), **named),
    )


def symbols_on(pack: Record, depth: int, card: int) -> Mapping[str, int]:
    """What a card carries, in the order of the rulebook, and how many of each."""
    return card_of(pack, depth, card).symbols


@cache
def _symbols(animals: int, coral: int, treasure: int, stops: int, eyes: int) -> Mapping[str, int]:
    counts = {SPECIES[kind]: 1 for kind in _species(animals)}
    counts["coral"] = coral
    counts["treasure"] = treasure
    counts["base"] = int(stops & HAS_BASE != 0)
    counts["green"] = int(stops & HAS_GREEN != 0)
    counts["yellow"] = int(stops & HAS_YELLOW != 0)
    counts["eye"] = eyes
    return {symbol: count for symbol, count in counts.items() if count}


def marks_on(pack: Record, depth: int, card: int) -> tuple[str, ...]:
    """The same as a piece's marks."""
    return card_of(pack, depth, card).marks


def crystals_on(pack: Record, depth: int, card: int) -> tuple[str, ...]:
    """The colours of a card's crystals."""
    return card_of(pack, depth, card).crystals


def chests_on(pack: Record, depth: int, card: int) -> int:
    """How many treasures a card carries."""
    return card_of(pack, depth, card).symbols.get("treasure", 0)


def describe(pack: Record, depth: int, card: int) -> Text:
    """A card's id with its symbols."""
    return card_of(pack, depth, card).text


def being_laid(game: Record, seat: int) -> tuple[int, int]:
    """Row and column of the card that the seat is laying."""
    depth = int(game.depth)
    return depth, int(game.row_size[seat, depth]) - int(game.laying[seat])


def hand_of(seat: int, viewer: int) -> str:
    """The key of a seat's hand, as the viewer has it."""
    return "hand" if seat == viewer else f"hand{seat}"

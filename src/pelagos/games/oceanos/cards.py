"""Cards for a reader: ids, symbols, a text that names both; where the next one lies."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from pelagos.engine.types import Record
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
    return [card for card in range(NUMBERS) if cards >> card & 1]


def species_on(pack: Record, depth: int, card: int) -> tuple[int, ...]:
    """The animals on a card."""
    return _species(int(pack.animals[depth, card]))


@cache
def _species(mask: int) -> tuple[int, ...]:
    return tuple(kind for kind in range(len(SPECIES)) if mask >> kind & 1)


def symbols_on(pack: Record, depth: int, card: int) -> Mapping[str, int]:
    """What a card carries, in the order of the rulebook, and how many of each."""
    fields = pack.animals, pack.coral, pack.treasure, pack.stops, pack.eyes
    return _symbols(*[int(field[depth, card]) for field in fields])


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


def marks_on(pack: Record, depth: int, card: int) -> list[str]:
    """The same as a piece's marks."""
    return [symbol for symbol, count in symbols_on(pack, depth, card).items() for _ in range(count)]


def crystals_on(pack: Record, depth: int, card: int) -> list[str]:
    """The colours of a card's crystals."""
    return [symbol for symbol in symbols_on(pack, depth, card) if symbol in CRYSTALS]


def chests_on(pack: Record, depth: int, card: int) -> int:
    """How many treasures a card carries."""
    return symbols_on(pack, depth, card).get("treasure", 0)


def describe(pack: Record, depth: int, card: int) -> Text:
    """A card's id with its symbols."""
    symbols = symbols_on(pack, depth, card)
    parts = {
        f"symbol{place}": text(f"many.{symbol}", count=count)
        for place, (symbol, count) in enumerate(symbols.items(), 1)
    }
    return text(f"card.{len(symbols)}", id=name_of(pack, depth, card), **parts)


def being_laid(game: Record, seat: int) -> tuple[int, int]:
    """Row and column of the card that the seat is laying."""
    depth = int(game.depth)
    return depth, int(game.row_size[seat, depth]) - int(game.laying[seat])


def hand_of(seat: int, viewer: int) -> str:
    """The key of a seat's hand, as the viewer has it."""
    return "hand" if seat == viewer else f"hand{seat}"

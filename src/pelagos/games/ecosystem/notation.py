"""Ecosystem's notation: `take krill`, `place 0,-1`, `lift 1,2`, `drop 0,3`, `flip 2,3 1,3`, …"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from pelagos.engine.errors import BadRecord, short
from pelagos.engine.view import text as make_text
from pelagos.games.ecosystem.actions import ACTIONS
from pelagos.games.ecosystem.frame import cell_name
from pelagos.games.ecosystem.rules import hand_of, rings
from pelagos.games.ecosystem.state import HAND, NEUTRAL_SEAT, SPECIES, Pack, State

# --- moves -------------------------------------------------------------------------------------


@cache
def words_of(action: int) -> str:
    """An action in words; they mean the same in every state."""
    decoded = ACTIONS.decode(action)
    return " ".join([decoded.verb, *map(_word, decoded.values)])


def _word(value: str | int | tuple[int, int]) -> str:
    """A species, a cell, or a whale's cell and its neighbour's."""
    if isinstance(value, tuple):
        return " ".join(map(cell_name, value))
    return value if isinstance(value, str) else cell_name(value)


_ACTIONS = {words_of(action): action for action in range(ACTIONS.size)}


def write(game: State, pack: Pack, seat: int, action: int) -> str:
    """An action in words."""
    return words_of(action)


def read(game: State, pack: Pack, seat: int, text: str) -> int:
    """The action that the words mean; -1 if they mean none."""
    return _ACTIONS.get(text, -1)


# --- deals and chance -------------------------------------------------------------------------


def write_deal(game: State, pack: Pack) -> dict[str, Any]:
    """The deck in drawing order."""
    return {"deck": [SPECIES[int(card) - 1] for card in game.deck[: int(pack.total)]]}


def read_deal(game: State, pack: Pack, deal: Mapping[str, Any]) -> None:
    """Lay the deck as the record tells it."""
    deck = deal.get("deck")
    total = int(pack.total)
    if not isinstance(deck, list) or len(deck) != total:
        raise BadRecord(make_text("ecosystem/refuse.deck", count=total))
    for place, card in enumerate(deck):
        if card not in SPECIES:
            refusal = make_text("ecosystem/refuse.deck_card", place=place, card=short(card))
            raise BadRecord(refusal)
        game.deck[place] = SPECIES.index(card) + 1
    for kind, species in enumerate(SPECIES):
        count, wanted = deck.count(species), int(pack.counts[kind])
        if count != wanted:
            counts = {"count": count, "wanted": wanted, "species": species}
            raise BadRecord(make_text("ecosystem/refuse.deck_count", **counts))


def conceal_deal(deal: Mapping[str, Any], game: State, pack: Pack, seat: int) -> dict[str, Any]:
    """The deck as the seat may know it: hands it has held, each in the order of species."""
    deck: list[str] = deal["deck"]
    seen = ["?"] * len(deck)
    ring, turn = int(rings(game)), int(game.turn)
    if int(game.players) == 1:
        top = int(game.top)
        seen[:top] = deck[:top]
        return {"deck": seen}
    for first_turn in range(0, min(turn, 2 * HAND - 1) + 1, HAND):
        for hand in range(ring):
            passes = (seat - hand) % ring if first_turn == 0 else (hand - seat) % ring
            if seat >= 0 and passes <= min(turn - first_turn, HAND - 1):
                first = (first_turn // HAND * ring + hand) * HAND
                seen[first : first + HAND] = sorted(deck[first : first + HAND], key=SPECIES.index)
    return {"deck": seen}


def write_chance(game: State, pack: Pack, outcome: Sequence[int]) -> str:
    """The neutral seat's card."""
    return f"neutral {SPECIES[outcome[0]]}"


def read_chance(game: State, pack: Pack, text: str) -> list[int]:
    """The card that the neutral seat is said to play."""
    verb, _, species = text.partition(" ")
    if verb != "neutral" or species not in SPECIES:
        raise BadRecord(make_text("ecosystem/refuse.neutral_card", words=short(text)))
    kind = SPECIES.index(species)
    if not game.hands[hand_of(game, NEUTRAL_SEAT), kind]:
        raise BadRecord(make_text("ecosystem/refuse.neutral_hand", species=species))
    return [kind]

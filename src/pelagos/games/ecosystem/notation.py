"""Ecosystem's notation: `take krill`, `place 0,-1`, `lift 1,2`, `drop 0,3`, `flip 2,3 1,3`, …"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pelagos.engine.errors import BadRecord, short
from pelagos.games.ecosystem.rules import (
    BOX,
    DROPS,
    FLIPS,
    GIVES,
    LIFTS,
    NEIGHBOURS,
    PASS,
    PLACES,
    TAKES,
    TIM_FLIPS,
    hand_of,
    rings,
)
from pelagos.games.ecosystem.state import (
    FRAME_COLUMNS,
    HAND,
    NEUTRAL_SEAT,
    SPECIES,
    Pack,
    State,
)

# --- moves -------------------------------------------------------------------------------------


def cell_name(cell: int) -> str:
    """A frame cell as row and column of the box."""
    return f"{cell // FRAME_COLUMNS - 1},{cell % FRAME_COLUMNS - 1}"


def write(game: State, pack: Pack, seat: int, action: int) -> str:
    """An action in words."""
    if action == PASS:
        return "pass"
    if action < GIVES:
        return f"take {SPECIES[action - TAKES]}"
    if action < PLACES:
        return f"give {SPECIES[action - GIVES]}"
    if action < DROPS:
        return f"place {cell_name(action - PLACES)}"
    if action < LIFTS:
        return f"drop {cell_name(action - DROPS)}"
    if action < FLIPS:
        return f"lift {cell_name(int(BOX[action - LIFTS]))}"
    verb, pair = ("flip", action - FLIPS) if action < TIM_FLIPS else ("tim", action - TIM_FLIPS)
    whale, other = NEIGHBOURS[pair].tolist()
    return f"{verb} {cell_name(whale)} {cell_name(other)}"


def read(game: State, pack: Pack, seat: int, text: str) -> int:
    """The action that the words mean; -1 if they mean none."""
    return _ACTIONS.get(text, -1)


def _all_actions() -> dict[str, int]:
    """Every move's words; they mean the same in every state."""
    from pelagos.games.ecosystem import GAME

    nothing: Any = None
    return {write(nothing, nothing, 0, action): action for action in range(GAME.actions)}


_ACTIONS = _all_actions()


# --- deals and chance -------------------------------------------------------------------------


def write_deal(game: State, pack: Pack) -> dict[str, Any]:
    """The deck in drawing order."""
    return {"deck": [SPECIES[int(card) - 1] for card in game.deck[: int(pack.total)]]}


def read_deal(game: State, pack: Pack, deal: Mapping[str, Any]) -> None:
    """Lay the deck as the record tells it."""
    deck = deal.get("deck")
    total = int(pack.total)
    if not isinstance(deck, list) or len(deck) != total:
        raise BadRecord(f"deal.deck must be a list of {total} cards.")
    for place, card in enumerate(deck):
        if card not in SPECIES:
            raise BadRecord(f"deal.deck[{place}] is {short(card)}, which is no species.")
        game.deck[place] = SPECIES.index(card) + 1
    for kind, species in enumerate(SPECIES):
        if deck.count(species) != int(pack.counts[kind]):
            raise BadRecord(
                f"deal.deck has {deck.count(species)} {species}; the pack has {pack.counts[kind]}."
            )


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
        raise BadRecord(f"{short(text)} should be `neutral` and a species.")
    kind = SPECIES.index(species)
    if not game.hands[hand_of(game, NEUTRAL_SEAT), kind]:
        raise BadRecord(f"the neutral seat's hand has no {species}.")
    return [kind]

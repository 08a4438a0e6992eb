"""Minnows' notation: `bid pike`, `rob 2`, `pass`, `hide`, `allow`; `shuffle reed roach …`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from minnows.rules import BIDS, ROBS
from minnows.state import CARDS, SEATS, Pack, State
from pelagos.engine.errors import BadRecord, short

_WORDS = (
    ["pass", "hide", "allow"]
    + [f"bid {card}" for card in CARDS]
    + [f"rob {seat}" for seat in range(SEATS)]
)
assert _WORDS[BIDS] == "bid reed"
assert _WORDS[ROBS] == "rob 0"


def write(game: State, pack: Pack, seat: int, action: int) -> str:
    """An action in words."""
    return _WORDS[action]


def read(game: State, pack: Pack, seat: int, text: str) -> int:
    """The action that the words mean; -1 if they mean none."""
    return _WORDS.index(text) if text in _WORDS else -1


def write_deal(game: State, pack: Pack) -> dict[str, Any]:
    """The deck in drawing order."""
    return {"deck": _names(game.deck[: int(pack.total)].tolist())}


def read_deal(game: State, pack: Pack, deal: Mapping[str, Any]) -> None:
    """Lay the deck as the record tells it."""
    cards = _kinds(deal.get("deck"), pack.counts, "deal.deck")
    game.deck[: len(cards)] = cards


def conceal_deal(deal: Mapping[str, Any], game: State, pack: Pack, seat: int) -> dict[str, Any]:
    """The deck as the seat may know it: what it drew itself, and what was turned up."""
    seen = (seat + 1, int(game.players) + 1)
    drawers = game.drawer.tolist()
    return {
        "deck": [
            card if drawer in seen else "?"
            for card, drawer in zip(deal["deck"], drawers, strict=False)
        ]
    }


def write_chance(game: State, pack: Pack, outcome: Sequence[int]) -> str:
    """The new deck in drawing order."""
    return " ".join(["shuffle", *_names(outcome)])


def read_chance(game: State, pack: Pack, text: str) -> list[int]:
    """The new deck that the discards are said to make."""
    verb, *cards = text.split(" ")
    if verb != "shuffle":
        raise BadRecord(f"{short(text)} should be `shuffle` and the new deck.")
    return _kinds(cards, game.discards, "shuffle")


def conceal_chance(game: State, pack: Pack, outcome: Sequence[int], seat: int) -> str:
    """That the discards were shuffled; nobody saw their order."""
    return " ".join(["shuffle", *"?" * len(outcome)])


def _names(cards: Sequence[int]) -> list[str]:
    """Cards in drawing order, which is from the deck's end."""
    return [CARDS[card - 1] for card in reversed(cards)]


def _kinds(names: Any, counts: Any, where: str) -> list[int]:
    """The reverse of `_names`, checked: exactly these counts of each kind."""
    total = int(counts.sum())
    if not isinstance(names, list) or len(names) != total:
        raise BadRecord(f"{where} must be a list of {total} cards.")
    for place, name in enumerate(names):
        if name not in CARDS:
            raise BadRecord(f"{where}[{place}] is {short(name)}, which is no card.")
    for kind, card in enumerate(CARDS):
        if names.count(card) != int(counts[kind]):
            raise BadRecord(f"{where} has {names.count(card)} {card}, not {counts[kind]}.")
    return [CARDS.index(name) + 1 for name in reversed(names)]

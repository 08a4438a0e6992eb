"""Minnows' notation: `bid pike`, `rob 2`, `pass`, `hide`, `allow`; `shuffle reed roach …`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from minnows.actions import ACTIONS
from minnows.state import CARDS, Pack, State
from pelagos.engine.errors import BadRecord, short
from pelagos.engine.view import text as make_text

_ACTIONS = {
    " ".join(map(str, [decoded.verb, *decoded.values])): action
    for action, decoded in enumerate(map(ACTIONS.decode, range(ACTIONS.size)))
}
_WORDS = list(_ACTIONS)


def write(game: State, pack: Pack, seat: int, action: int) -> str:
    """An action in words."""
    return _WORDS[action]


def read(game: State, pack: Pack, seat: int, text: str) -> int:
    """The action that the words mean; -1 if they mean none."""
    return _ACTIONS.get(text, -1)


def write_deal(game: State, pack: Pack) -> dict[str, Any]:
    """The deck in drawing order."""
    return {"deck": _names(game.deck[: int(pack.total)].tolist())}


def read_deal(game: State, pack: Pack, deal: Mapping[str, Any]) -> None:
    """Lay the deck as the record tells it."""
    cards = _kinds(deal.get("deck"), pack.counts, "deal.deck")
    game.deck[: len(cards)] = cards


def conceal_deal(deal: Mapping[str, Any], game: State, pack: Pack, seat: int) -> dict[str, Any]:
    """The deck as the seat may know it: what it drew itself, and what was turned up."""
    seen = {int(game.players) + 1} | ({seat + 1} if seat >= 0 else set())
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
        raise BadRecord(make_text("minnows/refuse.shuffle", words=short(text)))
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
        raise BadRecord(make_text("minnows/refuse.length", where=where, total=total))
    for place, name in enumerate(names):
        if name not in CARDS:
            wrong = {"where": where, "place": place, "card": short(name)}
            raise BadRecord(make_text("minnows/refuse.no_card", **wrong))
    for kind, card in enumerate(CARDS):
        count, due = names.count(card), int(counts[kind])
        if count != due:
            wrong = {"where": where, "number": count, "card": card, "due": due}
            raise BadRecord(make_text("minnows/refuse.copies", **wrong))
    return [CARDS.index(name) + 1 for name in reversed(names)]

"""Océanide's notation: `complete rum`, `trade rum > 2`, `take star,rum`, `steal sun < 1`, …"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from pelagos.engine.errors import BadRecord, short
from pelagos.engine.game import check_first
from pelagos.engine.types import Record
from pelagos.engine.view import text
from pelagos.games.oceanide.actions import ACTIONS
from pelagos.games.oceanide.cards import ids
from pelagos.games.oceanide.invariant import hides, in_hand
from pelagos.games.oceanide.rules import drawer_of, has_landed, most_dealt, objects_dealt
from pelagos.games.oceanide.state import TAKEN

UNKNOWN = "?"


# --- moves ----------------------------------------------------------------------------------------


def write(game: Record, pack: Record, seat: int, action: int) -> str:
    """An action in words."""
    return _moves(ids(pack))[action]


def read(game: Record, pack: Record, seat: int, words: str) -> int:
    """The action that the words mean; -1 if they mean none."""
    return _actions(ids(pack)).get(words, -1)


@cache
def _moves(names: tuple[str, ...]) -> list[str]:
    """Every action's words; they mean the same in every state."""
    return [_words(names, action) for action in range(ACTIONS.size)]


@cache
def _actions(names: tuple[str, ...]) -> dict[str, int]:
    """Every action by its words."""
    return {words: action for action, words in enumerate(_moves(names))}


def _words(names: Sequence[str], action: int) -> str:
    verb, values, _ = ACTIONS.decode(action)
    if verb == "trade":
        target, kind = values
        return f"trade {names[kind]} > {target}"
    if verb == "steal":
        target, kind = values
        return f"steal {names[kind]} < {target}"
    if verb == "take_two":
        ((first, second),) = values
        return f"take {names[first]},{names[second]}"
    if verb in ("complete", "take_one"):
        return f"{verb.removesuffix('_one')} {names[values[0]]}"
    return verb.replace("_", " ")


# --- deals ----------------------------------------------------------------------------------------


def write_deal(game: Record, pack: Record) -> dict[str, Any]:
    """The deck in drawing order, and who begins."""
    names = ids(pack)
    return {
        "deck": [names[int(card) - 1] for card in game.deck[: int(pack.total)]],
        "start": int(game.start),
    }


def read_deal(game: Record, pack: Record, deal: Mapping[str, Any]) -> None:
    """Lay the deck as the record tells it; who begins must have the most objects to show."""
    names = ids(pack)
    deck, start = deal.get("deck"), deal.get("start")
    total = int(pack.total)
    if not isinstance(deck, list) or len(deck) != total:
        raise BadRecord(text("oceanide/refuse.deck_length", total=total))
    for place, card in enumerate(deck):
        if card not in names:
            raise BadRecord(text("oceanide/refuse.no_card", place=place, card=short(card)))
        game.deck[place] = names.index(card) + 1
    for kind, card in enumerate(names):
        listed, copies = deck.count(card), int(pack.copies[kind])
        if listed != copies:
            raise BadRecord(text("oceanide/refuse.copies", card=card, listed=listed, copies=copies))
    players = int(game.players)
    if type(start) is not int or not 0 <= start < players:
        raise BadRecord(text("oceanide/refuse.start", last=players - 1))
    shown, most = objects_dealt(game, start), most_dealt(game)
    if shown < most:
        raise BadRecord(text("oceanide/refuse.start_shows", start=start, shown=shown, most=most))
    chosen = int(game.start) - 1
    if chosen >= 0 and objects_dealt(game, chosen) == most:
        check_first("start", start, chosen)
    game.start = start


def conceal_deal(deal: Mapping[str, Any], game: Record, pack: Record, seat: int) -> dict[str, Any]:
    """The deck as the seat may know it: what it drew, and what all saw go to a showcase."""
    deck = [
        card
        if place < int(game.top) and (drawer_of(game, place) == seat or has_landed(game, place))
        else UNKNOWN
        for place, card in enumerate(deal["deck"])
    ]
    return {"deck": deck, "start": deal["start"]}


# --- chance ---------------------------------------------------------------------------------------


def write_chance(game: Record, pack: Record, outcome: Sequence[int]) -> str:
    """The two cards drawn from a hand, in the pack's order."""
    names = ids(pack)
    return f"drawn {names[outcome[0]]} {names[outcome[1]]}"


def read_chance(game: Record, pack: Record, words: str) -> list[int]:
    """The two cards that are said to be drawn."""
    names, quoted = ids(pack), repr(words[:40])
    verb, *cards = words.split(" ")
    if verb != "drawn" or len(cards) != TAKEN or not all(card in names for card in cards):
        raise BadRecord(text("oceanide/refuse.drawn", words=quoted))
    first, second = (names.index(card) for card in cards)
    if first > second:
        raise BadRecord(text("oceanide/refuse.drawn_order", words=quoted))
    target = int(game.target)
    for kind in (first, second):
        if in_hand(game, target, kind) < 1 + int(first == second):
            raise BadRecord(text("oceanide/refuse.not_held", words=quoted, seat=target))
    return [first, second]


def conceal_chance(game: Record, pack: Record, outcome: Sequence[int], seat: int) -> str:
    """The two cards as the seat saw them: third parties saw those that landed in a showcase.

    Unseen cards are written first: their place would tell something.
    """
    taker, target = int(game.active), int(game.target)
    if seat in (taker, target):
        return write_chance(game, pack, outcome)
    names = ids(pack)
    landed = [names[kind] for kind in landing(game, outcome)]
    return " ".join(["drawn", *[UNKNOWN] * (len(outcome) - len(landed)), *landed])


def landing(game: Record, outcome: Sequence[int]) -> list[int]:
    """Which of the cards drawn from a hand will land in the taker's showcase, for all to see."""
    return [kind for kind in sorted(set(outcome)) if not hides(game, int(game.active), kind)]

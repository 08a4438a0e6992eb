"""Océanide's notation: `complete rum`, `trade rum > 2`, `take star,rum`, `steal sun < 1`, …"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from pelagos.engine.errors import BadRecord
from pelagos.engine.types import Record
from pelagos.games.oceanide import material
from pelagos.games.oceanide.memory import hides
from pelagos.games.oceanide.rules import (
    ACTIONS,
    ALLOW,
    ANSWER_KING,
    COMPLETES,
    END,
    PAIRS,
    STEALS,
    TAKE_HAND,
    TAKE_NONE,
    TAKE_ONES,
    TAKE_PAIRS,
    TRADES,
    drawer_of,
    has_landed,
    in_hand,
    most_dealt,
    objects_dealt,
)
from pelagos.games.oceanide.state import OBJECTS

UNKNOWN = "?"


# --- moves ----------------------------------------------------------------------------------------


def write(game: Record, pack: Record, seat: int, action: int) -> str:
    """An action in words."""
    return _moves(material.ids(pack))[action]


def read(game: Record, pack: Record, seat: int, text: str) -> int:
    """The action that the words mean; -1 if they mean none."""
    return _actions(material.ids(pack)).get(text, -1)


@cache
def _moves(ids: tuple[str, ...]) -> list[str]:
    """Every action's words; they mean the same in every state."""
    return [_words(ids, action) for action in range(ACTIONS)]


@cache
def _actions(ids: tuple[str, ...]) -> dict[str, int]:
    """Every action by its words."""
    return {words: action for action, words in enumerate(_moves(ids))}


def _words(ids: Sequence[str], action: int) -> str:
    plain = {
        END: "end",
        ANSWER_KING: "king",
        ALLOW: "allow",
        TAKE_NONE: "take none",
        TAKE_HAND: "take hand",
    }
    if action in plain:
        return plain[action]
    if action >= TAKE_PAIRS:
        first, second = PAIRS[action - TAKE_PAIRS].tolist()
        return f"take {ids[first]},{ids[second]}"
    if action >= TAKE_ONES:
        return f"take {ids[action - TAKE_ONES]}"
    if action >= STEALS:
        target, kind = divmod(action - STEALS, OBJECTS)
        return f"steal {ids[kind]} < {target}"
    if action >= TRADES:
        target, kind = divmod(action - TRADES, OBJECTS)
        return f"trade {ids[kind]} > {target}"
    return f"complete {ids[action - COMPLETES]}"


# --- deals ----------------------------------------------------------------------------------------


def write_deal(game: Record, pack: Record) -> dict[str, Any]:
    """The deck in drawing order, and who begins."""
    ids = material.ids(pack)
    return {
        "deck": [ids[int(card) - 1] for card in game.deck[: int(pack.total)]],
        "start": int(game.start),
    }


def read_deal(game: Record, pack: Record, deal: Mapping[str, Any]) -> None:
    """Lay the deck as the record tells it; who begins must have the most objects to show."""
    ids = material.ids(pack)
    deck, start = deal.get("deck"), deal.get("start")
    total = int(pack.total)
    if not isinstance(deck, list) or len(deck) != total:
        raise BadRecord(f"deal.deck must be a list of {total} cards.")
    for place, card in enumerate(deck):
        if card not in ids:
            raise BadRecord(f"deal.deck[{place}] is {card!r}, which is no card of the pack.")
        game.deck[place] = ids.index(card) + 1
    for kind, card in enumerate(ids):
        if deck.count(card) != int(pack.copies[kind]):
            raise BadRecord(
                f"deal.deck has {deck.count(card)} {card}; the pack has {pack.copies[kind]}."
            )
    players = int(game.players)
    if type(start) is not int or not 0 <= start < players:
        raise BadRecord(f"deal.start must be a seat from 0 to {players - 1}.")
    shown, most = objects_dealt(game, start), most_dealt(game)
    if shown < most:
        raise BadRecord(
            f"deal.start is {start}, who shows {shown} objects, but another seat shows {most}."
        )
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
    ids = material.ids(pack)
    return f"drawn {ids[outcome[0]]} {ids[outcome[1]]}"


def read_chance(game: Record, pack: Record, text: str) -> list[int]:
    """The two cards that are said to be drawn."""
    ids = material.ids(pack)
    verb, *cards = text.split(" ")
    if verb != "drawn" or len(cards) != 2 or not all(card in ids for card in cards):
        raise BadRecord(f"{text[:40]!r} should be `drawn` and two cards.")
    first, second = (ids.index(card) for card in cards)
    if first > second:
        raise BadRecord(f"{text[:40]!r}: the two cards must be in the pack's order.")
    target = int(game.target)
    for kind in (first, second):
        if in_hand(game, target, kind) < 1 + int(first == second):
            raise BadRecord(f"{text[:40]!r}: seat {target} doesn't hold that.")
    return [first, second]


def conceal_chance(game: Record, pack: Record, outcome: Sequence[int], seat: int) -> str:
    """The two cards as the seat saw them: third parties saw those that landed in a showcase.

    Unseen cards are written first: their place would tell something.
    """
    taker, target = int(game.active), int(game.target)
    if seat in (taker, target):
        return write_chance(game, pack, outcome)
    ids = material.ids(pack)
    landed = [ids[kind] for kind in landing(game, outcome)]
    return " ".join(["drawn", *[UNKNOWN] * (len(outcome) - len(landed)), *landed])


def landing(game: Record, outcome: Sequence[int]) -> list[int]:
    """Which of the cards drawn from a hand will land in the taker's showcase, for all to see."""
    return [kind for kind in sorted(set(outcome)) if not hides(game, int(game.active), kind)]

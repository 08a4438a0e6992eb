"""Oceanos' notation: `keep 2-13`, `fuel 2-07`, `done`, `dive`, `upgrade cockpit`, `under 2-31` …"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pelagos.engine.errors import BadRecord, short
from pelagos.engine.game import check_first
from pelagos.engine.view import text
from pelagos.games.oceanos.actions import ACTIONS
from pelagos.games.oceanos.cards import cards_in, name_of, names_of
from pelagos.games.oceanos.rules import left_of_captain, to_shuffle
from pelagos.games.oceanos.state import (
    CARDS,
    DECKS,
    KRAKENS,
    RESHUFFLE_DEAL,
    RESHUFFLE_FILL,
    ROUNDS,
    TAKE,
    TREASURES,
    Pack,
    State,
)

UNKNOWN = "?"

# --- moves ------------------------------------------------------------------------------------


def write(game: State, pack: Pack, seat: int, action: int) -> str:
    """An action in words."""
    verb, values, _ = ACTIONS.decode(action)
    if not values:
        return verb
    what = values[0] if verb == "upgrade" else name_of(pack, int(game.depth), values[0])
    return f"{verb} {what}"


def read(game: State, pack: Pack, seat: int, words: str) -> int:
    """The action that the words mean; -1 if they mean none."""
    verb, _, what = words.partition(" ")
    if not what:
        return ACTIONS.encode(words)
    if verb == "upgrade":
        return ACTIONS.encode(verb, what)
    names = names_of(pack, int(game.depth))
    return ACTIONS.encode(verb, names.index(what)) if what in names else -1


def conceal_move(game: State, pack: Pack, mover: int, action: int, seat: int) -> str:
    """A card put under the deck is known to its owner, and to the one who passed it on."""
    verb, values, _ = ACTIONS.decode(action)
    if verb == "under":
        known = int(game.given[seat]) if seat >= 0 else 0
        if not known >> values[0] & 1:
            return f"under {UNKNOWN}"
    return write(game, pack, mover, action)


# --- deals ------------------------------------------------------------------------------------


def write_deal(game: State, pack: Pack) -> dict[str, Any]:
    """Decks and bag in drawing order, the three Kraken tokens, the first captain."""
    return {
        "decks": [
            [
                name_of(pack, depth, int(card))
                for card in game.deck[depth * CARDS : depth * CARDS + size]
            ]
            for depth, size in enumerate(DECKS)
        ],
        "kraken": [int(tokens[0]) for tokens in game.kraken],
        "bag": [int(token) for token in game.bag],
        "captain": int(game.captain),
    }


def read_deal(game: State, pack: Pack, deal: Mapping[str, Any]) -> None:
    """Lay everything out as the record tells it."""
    decks = deal.get("decks")
    if not isinstance(decks, list) or len(decks) != ROUNDS:
        raise BadRecord(text("oceanos/refuse.decks"))
    for depth, deck in enumerate(decks):
        _read_deck(game, names_of(pack, depth)[1:], depth, deck)
    _read_krakens(game, pack, deal.get("kraken"))
    _read_bag(game, pack, deal.get("bag"))
    players = int(game.players)
    last = players - 1 if players > 2 else 0
    captain = deal.get("captain")
    if type(captain) is not int or not 0 <= captain <= last:
        key = "captain" if last else "no_captain"
        raise BadRecord(text(f"oceanos/refuse.{key}", last=last))
    check_first("captain", captain, int(game.captain) - 1)
    game.captain = captain


def _read_deck(game: State, names: Sequence[str], depth: int, deck: Any) -> None:
    where = f"deal.decks[{depth}]"
    if not isinstance(deck, list) or len(deck) != len(names):
        raise BadRecord(text("oceanos/refuse.deck_size", where=where, count=len(names)))
    for place, card in enumerate(deck):
        if card not in names:
            raise _bad_card("deck_card", where, place, short(card))
        if card in deck[:place]:
            raise _bad_card("deck_twice", where, place, card)
        game.deck[depth * CARDS + place] = names.index(card) + 1


def _bad_card(key: str, where: str, place: int, card: str) -> BadRecord:
    return BadRecord(text(f"oceanos/refuse.{key}", where=f"{where}[{place}]", card=card))


def _read_krakens(game: State, pack: Pack, values: Any) -> None:
    if not _are_numbers(values, ROUNDS):
        raise BadRecord(text("oceanos/refuse.krakens"))
    for size, value in enumerate(values):
        tokens = [int(token) for token in pack.kraken[size]]
        if value not in tokens:
            there = ", ".join(str(token) for token in tokens)
            raise BadRecord(
                text("oceanos/refuse.kraken", size=size, value=short(value), tokens=there)
            )
        token = tokens.index(value)
        game.kraken[size] = [value, *(tokens[other] for other in range(KRAKENS) if other != token)]


def _read_bag(game: State, pack: Pack, bag: Any) -> None:
    if not _are_numbers(bag, TREASURES):
        raise BadRecord(text("oceanos/refuse.bag_size", count=TREASURES))
    tokens = [int(token) for token in pack.bag]
    for value in dict.fromkeys(tokens + bag):
        if bag.count(value) != tokens.count(value):
            there, due = bag.count(value), tokens.count(value)
            raise BadRecord(
                text("oceanos/refuse.bag_tokens", there=there, value=short(value), due=due)
            )
    game.bag[:] = bag


def _are_numbers(values: Any, count: int) -> bool:
    return (
        isinstance(values, list)
        and len(values) == count
        and all(type(value) is int for value in values)
    )


def conceal_deal(deal: Mapping[str, Any], game: State, pack: Pack, seat: int) -> dict[str, Any]:
    """The deal as the seat may know it: cards that it has held, Kraken tokens turned up."""
    decks = []
    for depth, deck in enumerate(deal["decks"]):
        names = names_of(pack, depth)
        held = cards_in(int(game.seen[seat, depth])) if seat >= 0 else []
        known = {names[card] for card in held}
        decks.append([card if card in known else UNKNOWN for card in deck])
    return {
        "decks": decks,
        "kraken": [
            value if int(game.flipped) >> depth & 1 else UNKNOWN
            for depth, value in enumerate(deal["kraken"])
        ],
        "bag": [UNKNOWN] * len(deal["bag"]),
        "captain": deal["captain"],
    }


# --- chance -----------------------------------------------------------------------------------


def _is_reshuffle(game: State) -> bool:
    return int(game.phase) in (RESHUFFLE_DEAL, RESHUFFLE_FILL)


def _say_chance(game: State, seat: int, cards: Sequence[str]) -> str:
    if int(game.phase) == TAKE:
        return f"captain takes {cards[0]} from {seat}"
    return " ".join(["reshuffle" if _is_reshuffle(game) else "under", *cards])


def write_chance(game: State, pack: Pack, outcome: Sequence[int]) -> str:
    """What chance brought: a card the captain took, a new deck, leftovers under the deck."""
    names = names_of(pack, int(game.depth))
    cards = outcome[1:] if int(game.phase) == TAKE else outcome
    return _say_chance(game, outcome[0], [names[card] for card in cards])


def conceal_chance(game: State, pack: Pack, outcome: Sequence[int], seat: int) -> str:
    """The same for a seat: a taken card is known to the two, a shuffled order to nobody."""
    names = names_of(pack, int(game.depth))
    if int(game.phase) == TAKE:
        known = seat in (outcome[0], int(game.captain))
        return _say_chance(game, outcome[0], [names[outcome[1]] if known else UNKNOWN])
    if len(outcome) == 1 and (_is_reshuffle(game) or _knows_leftover(game, seat)):
        return write_chance(game, pack, outcome)
    return _say_chance(game, -1, [UNKNOWN] * len(outcome))


def _knows_leftover(game: State, seat: int) -> bool:
    """Does the seat know the only card that goes under the deck?"""
    if seat < 0:
        return False
    return bool(int(to_shuffle(game)) & (int(game.hands[seat]) | int(game.given[seat])))


def read_chance(game: State, pack: Pack, words: str) -> list[int]:
    """What is said to have happened."""
    names = names_of(pack, int(game.depth))
    if int(game.phase) == TAKE:
        return _read_take(game, names, words)
    said, *cards = words.split(" ")
    verb = "reshuffle" if _is_reshuffle(game) else "under"
    if said != verb:
        raise BadRecord(text("oceanos/refuse.chance_verb", words=short(words), verb=verb))
    due = {names[card] for card in cards_in(int(to_shuffle(game)))}
    for card in cards:
        if card not in due:
            raise BadRecord(text("oceanos/refuse.chance_card", verb=verb, card=short(card)))
        due.remove(card)
    if due:
        left = ", ".join(sorted(due))
        raise BadRecord(text("oceanos/refuse.chance_left", verb=verb, cards=left))
    return [names.index(card) for card in cards]


def _read_take(game: State, names: Sequence[str], words: str) -> list[int]:
    seat = int(left_of_captain(game, int(game.dealing)))
    hand = cards_in(int(game.hands[seat]))
    for card in hand:
        if words == f"captain takes {names[card]} from {seat}":
            return [seat, card]
    cards = ", ".join(names[card] for card in hand)
    raise BadRecord(text("oceanos/refuse.chance_take", words=short(words), cards=cards, seat=seat))

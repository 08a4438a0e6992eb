"""Minnows' rules: deal, bid, rob, answer, refill."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from minnows.actions import ALLOW, BIDS, HIDE, PASS, ROBS
from minnows.state import (
    ANSWER,
    BID,
    DECK,
    HAND,
    KINDS,
    OVER,
    REED,
    RESHUFFLE,
    ROB,
    ROUNDS,
    Pack,
    State,
)
from pelagos.engine.rule import rule
from pelagos.engine.stream import shuffle as shuffle_cards
from pelagos.engine.types import CHANCE, HIDDEN, SHOWN, TURNED, Array


def configure(game: State, options: Mapping[str, Any]) -> None:
    """Write the options into an empty state."""
    game.players = options["players"]
    game.calm = int(options["calm"])


# --- dealing --------------------------------------------------------------------------------------


@rule
def lay_out(counts: Array, cards: Array) -> int:
    """Lay cards side by side, kind by kind; return how many."""
    place = 0
    for kind in range(KINDS):
        for _ in range(int(counts[kind])):
            cards[place] = kind + 1
            place += 1
    return place


@rule
def shuffle(game: State, pack: Pack) -> None:
    """Shuffle the whole deck."""
    shuffle_cards(game.stream, game.deck, 0, lay_out(pack.counts, game.deck))


@rule
def begin(game: State, pack: Pack) -> None:
    """Deal the hands and turn up a fish."""
    game.left = pack.total
    refill(game)


@rule
def hand_size(game: State, seat: int) -> int:
    """How many cards a seat holds."""
    count = 0
    for kind in range(KINDS):
        count += int(game.hands[seat, kind])
    return count


@rule
def draw(game: State) -> int:
    """Take the deck's next card."""
    game.left -= 1
    card = int(game.deck[int(game.left)])
    game.deck[int(game.left)] = 0
    return card


@rule
def lacks(game: State, seat: int) -> bool:
    """Does the seat, or the middle, get another card?"""
    if seat == int(game.players):
        return int(game.offer) == 0
    return hand_size(game, seat) < HAND


@rule
def refill(game: State) -> None:
    """Fill up the hands in order of seats, then the middle (MIN-2).

    An empty deck stops it, and it goes on from here after a reshuffle (MIN-1).
    """
    for seat in range(int(game.dealing), int(game.players) + 1):
        game.dealing = seat
        while lacks(game, seat):
            if int(game.left) == 0:
                game.phase = RESHUFFLE
                return
            card = draw(game)
            if seat == int(game.players):
                game.offer = card
            else:
                game.hands[seat, card - 1] += 1
            if int(game.drawn) < DECK:
                game.drawer[int(game.drawn)] = seat + 1
            game.drawn += 1
    game.dealing = 0
    game.phase = BID
    game.owing = everyone(game)


@rule
def everyone(game: State) -> int:
    """Mask of all seats."""
    return (1 << int(game.players)) - 1


# --- who owes a decision, and which are legal -----------------------------------------------------


@rule
def pending(game: State, pack: Pack) -> int:
    """Mask of the seats that owe a decision, or chance's bit; 0: the game is over."""
    return CHANCE if int(game.phase) == RESHUFFLE else int(game.owing)


@rule
def legal(game: State, pack: Pack, seat: int, out: Array) -> int:
    """Write the seat's legal actions, ascending; return how many."""
    phase, count = int(game.phase), 0
    if phase == BID:
        for kind in range(KINDS):
            out[count] = BIDS + kind
            count += int(game.hands[seat, kind] > 0)
    elif phase == ROB:
        out[0], count = PASS, 1
        for other in range(int(game.players)):
            out[count] = ROBS + other
            count += (victims(game, seat) >> other) & 1
    else:
        out[0] = HIDE
        count = int(game.hands[seat, REED] > 0)
        out[count] = ALLOW
        count += 1
    return count


@rule
def victims(game: State, seat: int) -> int:
    """Mask of the other seats that have caught something, a reed too (MIN-5)."""
    mask = 0
    for other in range(int(game.players)):
        for kind in range(KINDS):
            if other != seat and int(game.catches[other, kind]):
                mask |= 1 << other
    return mask


# --- moves ----------------------------------------------------------------------------------------


@rule
def play(game: State, pack: Pack, seat: int, action: int) -> int:
    """Make the seat's move; after the last bid, reveal and go on."""
    if action >= ROBS:
        game.phase = ANSWER
        game.victim = action - ROBS
        game.owing = 1 << (action - ROBS)
        return SHOWN
    if action >= BIDS:
        game.bids[seat] = action - BIDS + 1
        game.owing &= ~(1 << seat)
        if int(game.owing):
            return HIDDEN
        reveal(game, pack)
        return TURNED
    if action == HIDE:
        game.hands[seat, REED] -= 1
        game.discards[REED] += 1
    elif action == ALLOW:
        fish = best(game, pack, seat)
        game.catches[seat, fish] -= 1
        game.catches[int(game.robber), fish] += 1
    end_round(game)
    return TURNED


@rule
def highest(game: State, pack: Pack) -> int:
    """Who bids the most; -1 if several do."""
    winner, most = -1, -1
    for seat in range(int(game.players)):
        worth = int(pack.worth[int(game.bids[seat]) - 1])
        if worth > most:
            winner, most = seat, worth
        elif worth == most:
            winner = -1
    return winner


@rule
def best(game: State, pack: Pack, seat: int) -> int:
    """The kind worth the most in a seat's catch, the later one of equals (MIN-3)."""
    finest = -1
    for kind in range(KINDS):
        caught = int(game.catches[seat, kind]) > 0
        if caught and (finest < 0 or int(pack.worth[kind]) >= int(pack.worth[finest])):
            finest = kind
    return finest


@rule
def reveal(game: State, pack: Pack) -> None:
    """The highest bid takes the fish and may rob; a tie lets it go. Bids are discarded."""
    winner = highest(game, pack)
    for seat in range(int(game.players)):
        kind = int(game.bids[seat]) - 1
        game.bids[seat] = 0
        game.hands[seat, kind] -= 1
        game.discards[kind] += 1
    fish = int(game.offer) - 1
    game.offer = 0
    if winner < 0:
        game.discards[fish] += 1
        end_round(game)
        return
    game.catches[winner, fish] += 1
    if int(game.calm) or victims(game, winner) == 0:
        end_round(game)
        return
    game.phase = ROB
    game.robber = winner
    game.owing = 1 << winner


@rule
def end_round(game: State) -> None:
    """Fill up for the next round; after the last one the game is over."""
    game.robber = 0
    game.victim = 0
    game.owing = 0
    game.turn += 1
    if int(game.turn) == ROUNDS:
        game.phase = OVER
    else:
        refill(game)


def longest(options: Mapping[str, Any], pack: Pack) -> int:
    """In each round all bid; one may rob, and is answered."""
    return ROUNDS * (int(options["players"]) + (0 if options["calm"] else 2))


# --- chance: the discards are shuffled ------------------------------------------------------------


@rule
def chance(game: State, pack: Pack, out: Array) -> int:
    """Draw the new deck's order."""
    count = lay_out(game.discards, out)
    shuffle_cards(game.stream, out, 0, count)
    return count


@rule
def happen(game: State, pack: Pack, outcome: Array, count: int) -> None:
    """The discards are the new deck, and the refill goes on."""
    for place in range(count):
        game.deck[place] = outcome[place]
    for kind in range(KINDS):
        game.discards[kind] = 0
    game.left = count
    refill(game)

"""Océanide's rules, in the rulebook's order: deal, turn, the three actions, the King, the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pelagos.engine.game import BY_LOT
from pelagos.engine.rule import constants, rule
from pelagos.engine.stream import below
from pelagos.engine.stream import shuffle as shuffle_cards
from pelagos.engine.types import CHANCE, SHOWN, TURNED, Array, Record
from pelagos.games.oceanide.actions import (
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
)
from pelagos.games.oceanide.invariant import (
    ALL_OBJECTS,
    count_objects,
    first_object,
    hand_size,
    hides,
    in_hand,
    receive,
    release,
)
from pelagos.games.oceanide.memory import (
    all_see_coming,
    all_see_leaving,
    see_drawn,
    two_see_coming,
)
from pelagos.games.oceanide.state import (
    ACT,
    DEAL,
    DRAW,
    DRAWN,
    GIFT,
    HAND_TO_DRAW_FROM,
    KINDS,
    KING,
    OBJECTS,
    OVER,
    SET,
    STEAL_ASKED,
    TAKE,
    TAKE_ASKED,
    TAKEN,
    THIEF,
    WORD,
    Pack,
    State,
)

OBJECTS_OF_PAIRS = constants(PAIRS)
PAIRS_FROM = constants([first * (2 * OBJECTS - 3 - first) // 2 - 1 for first in range(OBJECTS)])
"""Plus the second object: the place of a pair with this first one."""
AT_ONCE = 3
"""Actions written in one go: most masks hold no more objects, and loops of one length are fast."""


# --- set-up ---------------------------------------------------------------------------------------


def configure(game: Record, options: dict[str, bool | int]) -> None:
    """Write the options into an empty state."""
    game.players = options["players"]
    game.start = options.get("start", BY_LOT) + 1  # until the deal


@rule
def shuffle(game: State, pack: Pack) -> None:
    """Shuffle all cards, and draw lots among the seats that would begin, unless one of them was
    chosen for that (OCD-8).
    """
    place = 0
    for card in range(KINDS):
        for _ in range(int(pack.copies[card])):
            game.deck[place] = card + 1
            place += 1
    shuffle_cards(game.stream, game.deck, 0, place)
    most = most_dealt(game)
    ties = 0
    for seat in range(int(game.players)):
        ties += int(objects_dealt(game, seat) == most)
    lot = below(game.stream, ties) if ties > 1 else 0
    chosen = int(game.start) - 1
    for seat in range(int(game.players)):
        if objects_dealt(game, seat) == most:
            if lot == 0:
                game.start = seat
            lot -= 1
    if chosen >= 0 and objects_dealt(game, chosen) == most:
        game.start = chosen


@rule
def objects_dealt(game: State, seat: int) -> int:
    """How many different objects there are in the six cards that the seat will be dealt."""
    mask = 0
    for place in range(seat * DEAL, seat * DEAL + DEAL):
        mask |= 1 << (int(game.deck[place]) - 1)
    return count_objects(mask)


@rule
def most_dealt(game: State) -> int:
    """The most objects that a seat will have in its showcase: who has as many may begin."""
    most = 0
    for seat in range(int(game.players)):
        most = max(most, objects_dealt(game, seat))
    return most


@rule
def begin(game: State, pack: Pack) -> None:
    """Deal six cards to each seat; the first turn begins."""
    game.last = pack.total
    for seat in range(int(game.players)):
        draw(game, seat, DEAL)
    begin_turn(game, int(game.start))


@rule
def draw(game: State, seat: int, count: int) -> None:
    """Draw from the top of the deck, as many as there are (OCD-10)."""
    top = int(game.top)
    end = min(top + count, int(game.last))
    for place in range(top, end):
        card = int(game.deck[place]) - 1
        new = ((ALL_OBJECTS & ~int(game.shown[seat])) >> card) & 1
        game.landed[place // WORD] |= new << (place % WORD)
        receive(game, seat, card)
        game.deck[place] = 0
    game.top = end


@rule
def has_landed(game: State, place: int) -> bool:
    """Did all see the card at a place of the deck go to a showcase as it was drawn?"""
    return (int(game.landed[place // WORD]) >> (place % WORD)) & 1 == 1


@rule
def drawer_of(game: State, place: int) -> int:
    """The seat that drew, or will draw, the card at a place of the deck."""
    players = int(game.players)
    if place < players * DEAL:
        return place // DEAL
    return (int(game.start) + (place - players * DEAL) // DRAW) % players


# --- a turn ---------------------------------------------------------------------------------------


@rule
def deck_is_empty(game: State) -> bool:
    """Is there nothing left to draw?"""
    return int(game.top) == int(game.last)


@rule
def begin_turn(game: State, seat: int) -> None:
    """Draw three cards; then the seat may act (OCD-9, OCD-10)."""
    game.active = seat
    game.acted = 0
    game.dry = int(deck_is_empty(game))
    draw(game, seat, DRAW)
    back_to_turn(game)


@rule
def back_to_turn(game: State) -> None:
    """Nothing is under way: the seat whose turn it is may act."""
    game.phase = ACT
    game.target = 0
    game.named[0] = 0
    game.named[1] = 0


@rule
def is_asked(game: State) -> bool:
    """Is the target asked for a king?"""
    phase = int(game.phase)
    return phase in (STEAL_ASKED, TAKE_ASKED)


@rule
def pending(game: State, pack: Pack) -> int:
    """Mask of the seat that owes a decision, or chance's bit; 0: the game is over."""
    phase = int(game.phase)
    if phase in (ACT, TAKE):
        return 1 << int(game.active)
    if phase == OVER:
        return 0
    if phase == DRAWN:
        return CHANCE
    return 1 << int(game.target)


@rule
def legal(game: State, pack: Pack, seat: int, out: Array) -> int:
    """Write the seat's legal actions, ascending; return how many."""
    phase = int(game.phase)
    if phase == ACT:
        return actions(game, seat, out)
    if phase == TAKE:
        return takings(game, int(game.target), out)
    return answers(game, seat, out)


@rule
def actions(game: State, seat: int, out: Array) -> int:
    """End the turn; complete three of a kind; trade two for a shown one; steal what is shown.

    Rulings OCD-11, OCD-12, OCD-13.
    """
    out[0] = END
    count = 1
    pairs = 0
    for kind in range(OBJECTS):
        owned = int(game.own[seat, kind])
        out[count] = COMPLETES + kind
        count += int(owned >= SET)
        pairs |= int(owned >= GIFT) << kind
    players = int(game.players)
    if pairs:
        for other in range(players):
            if other != seat:
                count = each(pairs & int(game.shown[other]), TRADES + other * OBJECTS, out, count)
    if int(game.own[seat, THIEF]) > 0:
        for other in range(players):
            if other != seat:
                count = each(int(game.shown[other]), STEALS + other * OBJECTS, out, count)
    return count


@rule
def each(mask: int, first: int, out: Array, count: int) -> int:
    """Write an action for each object of the mask."""
    while mask:
        for _ in range(AT_ONCE):
            out[count] = first + first_object(mask)
            count += int(mask != 0)
            mask &= mask - 1
    return count


@rule
def play(game: State, pack: Pack, seat: int, action: int) -> int:
    """Make the seat's move."""
    if action >= TAKE_ONES:
        return name_objects(game, action)
    if action >= TAKE_NONE:
        return take_no_object(game, action)
    if action >= STEALS:
        return steal(game, seat, (action - STEALS) // OBJECTS, (action - STEALS) % OBJECTS)
    if action >= TRADES:
        return trade(game, seat, (action - TRADES) // OBJECTS, (action - TRADES) % OBJECTS)
    if action >= COMPLETES:
        return complete(game, seat, action - COMPLETES)
    if action == ALLOW:
        return allow(game)
    if action == ANSWER_KING:
        return stop(game)
    return end_turn(game)


# --- complete a set -------------------------------------------------------------------------------


@rule
def complete(game: State, seat: int, kind: int) -> int:
    """Three of a kind go to the collection, safe for good (OCD-11)."""
    game.acted = 1
    release(game, seat, kind, SET)
    all_see_leaving(game, seat, kind, SET)
    game.sets[seat, kind] += 1
    return SHOWN


# --- forced trade ---------------------------------------------------------------------------------


@rule
def trade(game: State, seat: int, target: int, kind: int) -> int:
    """Give two of a kind: with the target's showcase copy they are a set of its collection.

    Whether another copy comes up in its showcase tells something of its hand, so that a trade
    can't be undone (OCD-13, OCD-19).
    """
    game.acted = 1
    release(game, seat, kind, GIFT)
    all_see_leaving(game, seat, kind, GIFT)
    release(game, target, kind, SET - GIFT)
    all_see_leaving(game, target, kind, SET - GIFT)
    game.sets[target, kind] += 1
    game.target = target
    game.phase = TAKE
    return TURNED


@rule
def takings(game: State, target: int, out: Array) -> int:
    """Take nothing; two cards of a hand of three or more; two different objects of the showcase as
    it stands, or its only one (OCD-14, OCD-15, OCD-16, OCD-17, OCD-18, OCD-19).
    """
    out[0] = TAKE_NONE
    out[1] = TAKE_HAND
    count = 2 if hand_size(game, target) >= HAND_TO_DRAW_FROM else 1
    shown = int(game.shown[target])
    if shown & (shown - 1) == 0:
        return each(shown, TAKE_ONES, out, count)
    while shown:
        first = first_object(shown)
        shown &= shown - 1
        count = each(shown, TAKE_PAIRS + int(PAIRS_FROM[first]), out, count)
    return count


@rule
def take_no_object(game: State, action: int) -> int:
    """Leave it at the gift, or draw from the hand."""
    if action == TAKE_HAND:
        game.phase = DRAWN
        return TURNED
    back_to_turn(game)
    return SHOWN


@rule
def name_objects(game: State, action: int) -> int:
    """Name what is to be taken; the target is asked for a king (OCD-23)."""
    if action >= TAKE_PAIRS:
        game.named[0] = int(OBJECTS_OF_PAIRS[action - TAKE_PAIRS, 0]) + 1
        game.named[1] = int(OBJECTS_OF_PAIRS[action - TAKE_PAIRS, 1]) + 1
    else:
        game.named[0] = action - TAKE_ONES + 1
    game.phase = TAKE_ASKED
    return SHOWN


@rule
def take_object(game: State, kind: int) -> None:
    """An object of the target's showcase goes to the seat whose turn it is (OCD-22)."""
    seat, target = int(game.active), int(game.target)
    release(game, target, kind, 1)
    all_see_leaving(game, target, kind, 1)
    if hides(game, seat, kind):
        all_see_coming(game, seat, kind)
    receive(game, seat, kind)


@rule
def chance(game: State, pack: Pack, out: Array) -> int:
    """Draw two cards of the target's hand: every pair of cards is equally likely (OCD-20)."""
    target = int(game.target)
    size = hand_size(game, target)
    first = below(game.stream, size)
    second = below(game.stream, size - 1)
    if second >= first:
        second += 1
    out[0] = card_at(game, target, min(first, second))
    out[1] = card_at(game, target, max(first, second))
    return 2


@rule
def card_at(game: State, seat: int, place: int) -> int:
    """The kind of the card at a place of the hand, sorted in the pack's order."""
    for card in range(KINDS):
        place -= in_hand(game, seat, card)
        if place < 0:
            return card
    return KINDS


@rule
def happen(game: State, pack: Pack, outcome: Array, count: int) -> None:
    """The two cards change hands; all see those that land in the taker's showcase.

    Rulings OCD-21, OCD-22.
    """
    seat, target = int(game.active), int(game.target)
    landed = 0
    unseen = 0
    for place in range(count):
        card = int(outcome[place])
        release(game, target, card, 1)
        if hides(game, seat, card):
            two_see_coming(game, seat, card, target)
            unseen += 1
        else:
            landed |= 1 << card
        receive(game, seat, card)
    see_drawn(game, target, seat, int(outcome[0]), int(outcome[1]), landed, unseen)
    back_to_turn(game)


# --- a thieving Oceanid ---------------------------------------------------------------------------


@rule
def steal(game: State, seat: int, target: int, kind: int) -> int:
    """Play a thief and name an object of the target's showcase; the target is asked for a king.

    Until it has answered the thief is in nobody's hand (OCD-28, OCD-30).
    """
    game.acted = 1
    release(game, seat, THIEF, 1)
    all_see_leaving(game, seat, THIEF, 1)
    game.target = target
    game.named[0] = kind + 1
    game.phase = STEAL_ASKED
    return SHOWN


# --- King Ocean -----------------------------------------------------------------------------------


def named_objects(game: Record) -> list[int]:
    """The objects that the target is asked about."""
    return [int(card) - 1 for card in game.named if int(card)]


@rule
def answers(game: State, seat: int, out: Array) -> int:
    """Play a king, if there is one in hand, or allow what was named (OCD-25, OCD-26)."""
    out[0] = ANSWER_KING
    count = int(game.own[seat, KING] != 0)
    out[count] = ALLOW
    return count + 1


@rule
def allow(game: State) -> int:
    """What was named is taken; a thief goes to the collection of its victim."""
    for place in range(TAKEN):
        kind = int(game.named[place]) - 1
        if kind >= 0:
            take_object(game, kind)
    if int(game.phase) == STEAL_ASKED:
        game.thieves[int(game.target)] += 1
    back_to_turn(game)
    return SHOWN


@rule
def stop(game: State) -> int:
    """The king stops the theft or the choice; he is discarded, and so is the thief.

    Rulings OCD-24, OCD-26, OCD-27.
    """
    target = int(game.target)
    release(game, target, KING, 1)
    all_see_leaving(game, target, KING, 1)
    game.discards[KING - THIEF] += 1
    if int(game.phase) == STEAL_ASKED:
        game.discards[0] += 1
    back_to_turn(game)
    return SHOWN


# --- the end --------------------------------------------------------------------------------------


@rule
def end_turn(game: State) -> int:
    """The next seat's turn; or the end, when all in a row had nothing to draw and did nothing.

    Rulings OCD-29, OCD-30.
    """
    if game.dry and not game.acted:
        game.idle += 1
    else:
        game.idle = 0
    players = int(game.players)
    if int(game.idle) == players:
        game.phase = OVER
        return SHOWN
    begin_turn(game, (int(game.active) + 1) % players)
    return SHOWN if game.dry else TURNED


def longest(options: Mapping[str, Any], pack: Pack) -> int:
    """A set is completed, or traded for, chosen and answered; a thief steals and is answered. Each
    turn is ended: turns that draw; then turns that act, at most as many as there are sets and
    thieves; and before, between and after these no more than all but one seat idle, or all of them
    at the end.
    """
    players = int(options["players"])
    sets = sum(int(pack.copies[kind]) // SET for kind in range(OBJECTS))
    thefts = int(pack.copies[THIEF])
    drawing = -(-(int(pack.total) - players * DEAL) // DRAW)
    acting = sets + thefts
    idle = (acting + 1) * (players - 1) + 1
    return 3 * sets + 2 * thefts + drawing + acting + idle

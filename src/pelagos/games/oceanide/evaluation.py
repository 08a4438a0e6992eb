"""How good an action looks in Océanide: what the copies of an object that a seat owns promise it,
and what it gives away or risks. Numbers are hundredths of a point.
"""

from __future__ import annotations

from pelagos.engine.rule import rule
from pelagos.engine.types import Array
from pelagos.games.oceanide.actions import (
    ANSWER_KING,
    COMPLETES,
    STEALS,
    TAKE_HAND,
    TAKE_NONE,
    TAKE_ONES,
    TAKE_PAIRS,
    TRADES,
)
from pelagos.games.oceanide.invariant import hand_size, is_shown
from pelagos.games.oceanide.rules import OBJECTS_OF_PAIRS
from pelagos.games.oceanide.state import (
    COPIES,
    GIFT,
    KING,
    OBJECTS,
    SET,
    STEAL_ASKED,
    TAKEN,
    THIEF_POINTS,
    Pack,
    State,
)

SPREAD = 900
"""How far apart finished games are: the margin that is as good as won."""

FULL_DECK = 60
"""So many cards in the deck are a whole game to come."""
PAIR_CHANCE = 62
"""How likely a pair becomes a set of one's own while the deck is full, in hundredths."""
SINGLE_CHANCE = 22
TRADE_CHANCE = 25
"""How much of a set comes back when the pair is traded instead."""
HAND_CARD = 210
"""What an unknown card of another's hand is worth."""
THIEF_WORTH = 260
KING_WORTH = 230
RIVALRY = 55
"""How much of another's gain is one's own loss with two players, in hundredths."""


@rule
def cards_left(game: State) -> int:
    """Cards in the deck."""
    return int(game.last) - int(game.top)


@rule
def promise(game: State, pack: Pack, kind: int, copies: int, gone: int) -> int:
    """What so many copies of an object promise their owner: a point each as they lie, and the set
    that they may become. `gone` copies are in collections.
    """
    if copies <= 0:
        return 0
    worth = 0
    while copies >= SET:
        worth += 100 * int(pack.values[kind])
        copies -= SET
        gone += SET
    worth += 100 * copies
    elsewhere = COPIES - gone - copies
    if copies == 0 or elsewhere < SET - copies:
        return worth
    gain = 100 * int(pack.values[kind]) - 100 * copies
    likely = PAIR_CHANCE if copies == 2 else SINGLE_CHANCE
    left = min(cards_left(game), FULL_DECK)
    likely = likely * (15 + 85 * left // FULL_DECK) // 100
    likely = likely * min(elsewhere, 4) // 4
    return worth + gain * likely // 100


@rule
def collected(game: State, kind: int) -> int:
    """How many cards of an object are in collections."""
    count = 0
    for seat in range(int(game.players)):
        count += SET * int(game.sets[seat, kind])
    return count


@rule
def change(game: State, pack: Pack, kind: int, before: int, after: int) -> int:
    """What it is worth to own so many copies instead of so many."""
    gone = collected(game, kind)
    return promise(game, pack, kind, after, gone) - promise(game, pack, kind, before, gone)


@rule
def copies_seen(game: State, seat: int, owner: int, kind: int) -> int:
    """How many copies the seat knows another to have: one shown, others seen going to its hand."""
    if not is_shown(game, owner, kind):
        return 0
    return 1 + int(game.known[owner, kind, seat + 1])


@rule
def rivalry(game: State) -> int:
    """How much of another's gain is one's own loss, in hundredths."""
    return RIVALRY * 2 // int(game.players)


@rule
def object_gain(game: State, pack: Pack, seat: int, target: int, kind: int) -> int:
    """What it brings to take an object from another's showcase."""
    own = int(game.own[seat, kind])
    theirs = copies_seen(game, seat, target, kind)
    lost = change(game, pack, kind, theirs, theirs - 1)
    return change(game, pack, kind, own, own + 1) - lost * rivalry(game) // 100


@rule
def king_risk(game: State, seat: int, target: int) -> int:
    """How likely the target holds a king, in hundredths."""
    hidden = hand_size(game, target)
    if hidden == 0:
        return 0
    if int(game.known[target, KING, seat + 1]) > 0:
        return 100
    return min(60, 6 * hidden)


@rule
def complete_gain(game: State, pack: Pack, seat: int, kind: int) -> int:
    """A set is safe from now on; it was as good as made before."""
    return 100 + 10 * int(pack.values[kind])


@rule
def steal_gain(game: State, pack: Pack, seat: int, target: int, kind: int) -> int:
    """The object, less the thief, which brings points to its victim."""
    risk = king_risk(game, seat, target)
    won = object_gain(game, pack, seat, target, kind)
    won -= 100 * THIEF_POINTS * rivalry(game) // 100
    thief = THIEF_WORTH * min(cards_left(game), FULL_DECK) // FULL_DECK
    stopped = KING_WORTH * rivalry(game) // 100
    return (won * (100 - risk) + stopped * risk) // 100 - max(thief, 100)


@rule
def best_two(game: State, pack: Pack, seat: int, target: int, given: int) -> int:
    """What the two best objects of another's showcase bring; `given` is the kind just given."""
    first, second = 0, 0
    for kind in range(OBJECTS):
        if kind != given and is_shown(game, target, kind):
            gain = object_gain(game, pack, seat, target, kind)
            if gain > first:
                second = first
                first = gain
            elif gain > second:
                second = gain
    return first + second


@rule
def trade_gain(game: State, pack: Pack, seat: int, target: int, kind: int) -> int:
    """Two cards go, the other gets a set, and two cards come."""
    own = int(game.own[seat, kind])
    theirs = copies_seen(game, seat, target, kind)
    lost = change(game, pack, kind, own, own - GIFT)
    given = 100 * int(pack.values[kind]) - change(game, pack, kind, theirs - 1, theirs)
    risk = king_risk(game, seat, target)
    taken = best_two(game, pack, seat, target, kind) * (100 - risk) // 100
    if hand_size(game, target) >= SET:
        taken = max(taken, 2 * HAND_CARD)
    return lost - given * rivalry(game) // 100 + taken


@rule
def take_gain(game: State, pack: Pack, seat: int, action: int) -> int:
    """What is taken in a trade."""
    target = int(game.target)
    if action == TAKE_NONE:
        return 0
    if action == TAKE_HAND:
        return 2 * HAND_CARD
    chance = 100 - king_risk(game, seat, target)
    if action < TAKE_PAIRS:
        return object_gain(game, pack, seat, target, action - TAKE_ONES) * chance // 100
    first = int(OBJECTS_OF_PAIRS[action - TAKE_PAIRS, 0])
    second = int(OBJECTS_OF_PAIRS[action - TAKE_PAIRS, 1])
    gain = object_gain(game, pack, seat, target, first)
    gain += object_gain(game, pack, seat, target, second)
    return gain * chance // 100


@rule
def king_gain(game: State, pack: Pack, seat: int) -> int:
    """What it saves to play a king, less the king."""
    active = int(game.active)
    saved = 0
    for place in range(TAKEN):
        kind = int(game.named[place]) - 1
        if kind >= 0:
            own = int(game.own[seat, kind])
            theirs = copies_seen(game, seat, active, kind)
            saved -= change(game, pack, kind, own, own - 1)
            saved += change(game, pack, kind, theirs, theirs + 1) * rivalry(game) // 100
    if int(game.phase) == STEAL_ASKED:
        saved -= 100 * THIEF_POINTS
    king = KING_WORTH * min(cards_left(game), FULL_DECK) // FULL_DECK
    return saved - max(king, 100)


@rule
def rate(game: State, pack: Pack, seat: int, action: int) -> int:
    """How good a legal action looks to the seat; ending the turn and allowing are 0."""
    if action >= TAKE_NONE:
        return take_gain(game, pack, seat, action)
    if action >= STEALS:
        target, kind = (action - STEALS) // OBJECTS, (action - STEALS) % OBJECTS
        return steal_gain(game, pack, seat, target, kind)
    if action >= TRADES:
        target, kind = (action - TRADES) // OBJECTS, (action - TRADES) % OBJECTS
        return trade_gain(game, pack, seat, target, kind)
    if action >= COMPLETES:
        return complete_gain(game, pack, seat, action - COMPLETES)
    if action == ANSWER_KING:
        return king_gain(game, pack, seat)
    return 0


@rule
def standing(game: State, pack: Pack, seat: int, totals: Array) -> int:
    """How far ahead of the best other the seat is."""
    best = -1_000_000
    for other in range(int(game.players)):
        if other != seat:
            best = max(best, int(totals[other]))
    return 100 * (int(totals[seat]) - best)

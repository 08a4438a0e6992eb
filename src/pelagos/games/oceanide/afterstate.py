"""What a network sees of Océanide once a seat has made its move: from what the seat knows alone.

What is named in a theft or a trade lies as if no king were played; features say that one may be.
What comes up in another's showcase, and what the next seat draws, isn't known yet.
"""

from __future__ import annotations

from pelagos.engine.layout import Layout, count, flag
from pelagos.engine.rule import rule
from pelagos.engine.types import ENDS, GOES_ON, RESTS, Array
from pelagos.games.oceanide.actions import (
    ALLOW,
    ANSWER_KING,
    COMPLETES,
    STEALS,
    TAKE_HAND,
    TAKE_NONE,
    TAKE_ONES,
    TRADES,
)
from pelagos.games.oceanide.invariant import count_objects, hand_size
from pelagos.games.oceanide.rules import (
    allow,
    back_to_turn,
    complete,
    name_objects,
    steal,
    stop,
    trade,
)
from pelagos.games.oceanide.scoring import set_points
from pelagos.games.oceanide.state import (
    COPIES,
    DRAW,
    DRAWN,
    GIFT,
    KING,
    LEAST_VALUE,
    MOST_VALUE,
    OBJECTS,
    OVER,
    SEATS,
    SET,
    STEAL_ASKED,
    TAKE_ASKED,
    TAKEN,
    THIEF,
    THIEF_POINTS,
    Pack,
    State,
)

NAMED_OBJECTS = tuple(f"object {kind + 1}" for kind in range(OBJECTS))
VALUES = range(LEAST_VALUE, MOST_VALUE + 1)
CLASSES = len(VALUES)
OWNED = 4
"""More copies than these are told as these."""
HELD = ("one", "two", "three")
OTHERS = tuple(f"seat {step} to the left" for step in range(1, SEATS))
ROUNDS = 10
"""More rounds to come than these are told as these."""
MOST = 60
"""More of anything are told as so many."""
MOST_POINTS = 127

LAYOUT = Layout(
    2,
    flag("players", "How many play", players=range(2, SEATS + 1)),
    flag("own_turn", "Is it the seat's turn, and does it go on?"),
    flag("ended", "Has it just ended its turn?"),
    flag("answered", "Is it another's turn?"),
    flag("theft_asked", "May a king still stop a theft of the seat's?"),
    flag("trade_asked", "May a king still stop what the seat takes in a trade?"),
    flag("draws", "Will the seat draw two cards of another's hand?"),
    flag("dry", "Did this turn begin with an empty deck?"),
    flag("acted", "Has this turn had an action?"),
    count("idle", "Turns in a row without a card to draw and without an action", SEATS),
    count("deck", "Cards left in the deck", MOST),
    flag("rounds", "Rounds until the deck is empty", rounds=ROUNDS),
    flag("copies", "Copies that the seat owns", object=NAMED_OBJECTS, copies=range(1, OWNED + 1)),
    count("held", "Objects that it owns so many copies of", OBJECTS, value=VALUES, copies=HELD),
    count("can_steal", "Of them, those that another shows", OBJECTS, value=VALUES, copies=HELD),
    count("can_come", "Of them, those unseen as well", OBJECTS, value=VALUES, copies=HELD),
    count("copies_shown", "Copies of them that others show", MOST, value=VALUES, copies=HELD),
    count("copies_unseen", "Copies of them unseen", MOST, value=VALUES, copies=HELD),
    count("copies_known", "Copies of them known in others' hands", MOST, value=VALUES, copies=HELD),
    count("within_reach", "Values of the sets that one more copy makes, which can come", MOST),
    count("gifts", "Values of own objects that another is known to have two of", MOST),
    count("thieves", "Thieves in the own hand", MOST),
    count("kings", "Kings in the own hand", MOST),
    count("hand", "Cards in the own hand", MOST),
    count("points", "Own points so far", MOST_POINTS),
    count("stake", "Named objects, by the copies they would make", TAKEN, copies=HELD),
    count("stake_value", "What sets of them are worth", 2 * MOST_VALUE),
    count("stake_hand", "Cards in the hand of who is asked or drawn from", MOST),
    count("stake_kings", "Kings known there", MOST),
    count("unseen", "Cards whose place the seat doesn't know", COPIES, object=NAMED_OBJECTS),
    count("unseen_thieves", "Thieves that it doesn't", MOST),
    count("unseen_kings", "Kings that it doesn't", MOST),
    count("collected", "Sets collected by anybody", COPIES // SET, object=NAMED_OBJECTS),
    count("best_points", "Points of the best other so far", MOST_POINTS),
    count("other_points", "Points of each other so far", MOST_POINTS, seat=OTHERS),
    count("other_hands", "Cards in its hand", MOST, seat=OTHERS),
    count("other_kings", "Kings that the seat knows there", MOST, seat=OTHERS),
    count("other_thieves", "Thieves that it knows there", MOST, seat=OTHERS),
    flag("shown", "Objects in its showcase", seat=OTHERS, object=NAMED_OBJECTS),
    count("known", "More copies of them known there", COPIES, seat=OTHERS, object=NAMED_OBJECTS),
    count("pairs", "Known pairs there", OBJECTS, seat=OTHERS, value=VALUES),
)
SIZE = LAYOUT.size
CONTEXT = LAYOUT.first("own_turn")
"""What stands before this place doesn't change with the seat's own action."""
LEVELS = 2
"""So many decisions of the seat are valued together: a trade, and what is taken in it."""

PLAYERS, OWN_TURN, ENDED, ANSWERED = map(LAYOUT.first, ("players", "own_turn", "ended", "answered"))
THEFT_ASKED, TRADE_ASKED, DRAWS = map(LAYOUT.first, ("theft_asked", "trade_asked", "draws"))
DRY, ACTED, IDLE, LEFT, ROUNDS_LEFT = map(LAYOUT.first, ("dry", "acted", "idle", "deck", "rounds"))
OWN_COPIES, HELD_BY_VALUE, CAN_STEAL, CAN_COME = map(
    LAYOUT.first, ("copies", "held", "can_steal", "can_come")
)
COPIES_SHOWN, COPIES_UNSEEN, COPIES_KNOWN, WITHIN_REACH, GIFTS = map(
    LAYOUT.first, ("copies_shown", "copies_unseen", "copies_known", "within_reach", "gifts")
)
THIEVES, KINGS, HAND, POINTS = map(LAYOUT.first, ("thieves", "kings", "hand", "points"))
STAKE, STAKE_VALUE, STAKE_HAND, STAKE_KINGS = map(
    LAYOUT.first, ("stake", "stake_value", "stake_hand", "stake_kings")
)
UNSEEN, UNSEEN_THIEVES, UNSEEN_KINGS, COLLECTED = map(
    LAYOUT.first, ("unseen", "unseen_thieves", "unseen_kings", "collected")
)
BEST_POINTS, OTHER_POINTS, OTHER_HANDS = map(
    LAYOUT.first, ("best_points", "other_points", "other_hands")
)
OTHER_KINGS, OTHER_THIEVES, SHOWN, KNOWN, PAIRS = map(
    LAYOUT.first, ("other_kings", "other_thieves", "shown", "known", "pairs")
)

# --- what an action does --------------------------------------------------------------------------


@rule
def act(game: State, pack: Pack, seat: int, action: int) -> int:
    """Let the action happen, as far as the seat can tell what comes of it."""
    if action >= TAKE_ONES:
        name_objects(game, action)
        take_named(game, seat)
    elif action == TAKE_HAND:
        game.phase = DRAWN
    elif action == TAKE_NONE:
        back_to_turn(game)
    elif action >= STEALS:
        steal(game, seat, (action - STEALS) // OBJECTS, (action - STEALS) % OBJECTS)
        take_named(game, seat)
    elif action >= TRADES:
        target, kind = (action - TRADES) // OBJECTS, (action - TRADES) % OBJECTS
        hide(game, seat, target, kind)
        trade(game, seat, target, kind)
        return GOES_ON
    elif action >= COMPLETES:
        complete(game, seat, action - COMPLETES)
    elif action == ALLOW:
        allow(game)
    elif action == ANSWER_KING:
        stop(game)
    else:
        return end_turn_unseen(game)
    return RESTS


@rule
def hide(game: State, seat: int, target: int, kind: int) -> None:
    """Of another's copies leave those that the seat knows of; the rest of its cards are any."""
    known = 1 + int(game.known[target, kind, seat + 1])
    unknown = int(game.own[target, kind]) - known
    game.own[target, kind] = known
    game.own[target, THIEF] += unknown


@rule
def take_named(game: State, seat: int) -> None:
    """The named objects are taken, and the target may still be asked."""
    phase, target = int(game.phase), int(game.target)
    first, second = int(game.named[0]), int(game.named[1])
    hide(game, seat, target, first - 1)
    if second:
        hide(game, seat, target, second - 1)
    allow(game)
    game.phase = phase
    game.target = target
    game.named[0] = first
    game.named[1] = second


@rule
def end_turn_unseen(game: State) -> int:
    """The turn is over, and nobody has drawn yet."""
    game.idle = int(game.idle) + 1 if game.dry and not game.acted else 0
    if int(game.idle) == int(game.players):
        return ENDS
    game.phase = OVER
    return RESTS


# --- features -------------------------------------------------------------------------------------


@rule
def context(game: State, pack: Pack, seat: int, out: Array) -> None:
    """Write what the seat's own action doesn't change."""
    for place in range(CONTEXT):
        out[place] = 0
    out[PLAYERS + int(game.players) - 2] = 1


@rule
def changing(game: State, pack: Pack, seat: int, out: Array) -> None:
    """Write what the seat's own action changes."""
    for place in range(CONTEXT, SIZE):
        out[place] = 0
    players = int(game.players)
    for kind in range(OBJECTS):
        sets = 0
        for other in range(players):
            sets += int(game.sets[other, kind])
        out[COLLECTED + kind] = sets
        out[UNSEEN + kind] = COPIES - SET * sets - int(game.own[seat, kind])
    thieves = int(pack.copies[THIEF]) - int(game.discards[0]) - int(game.own[seat, THIEF])
    kings = int(pack.copies[KING]) - int(game.discards[1]) - int(game.own[seat, KING])
    shown = 0
    for step in range(1, players):
        other = (seat + step) % players
        write_other(game, pack, seat, other, step - 1, out)
        shown |= int(game.shown[other])
    for step in range(players):
        thieves -= int(game.thieves[step])
    for step in range(players - 1):
        thieves -= int(out[OTHER_THIEVES + step])
        kings -= int(out[OTHER_KINGS + step])
    out[UNSEEN_THIEVES] = min(max(thieves, 0), MOST)
    out[UNSEEN_KINGS] = min(max(kings, 0), MOST)
    write_turn(game, seat, out)
    write_own(game, pack, seat, shown, out)
    if int(game.active) == seat and int(game.phase) in (STEAL_ASKED, TAKE_ASKED, DRAWN):
        write_stake(game, pack, seat, out)


@rule
def write_turn(game: State, seat: int, out: Array) -> None:
    """Whose turn it is, and how many there will be."""
    own = int(game.active) == seat
    over = int(game.phase) == OVER
    out[OWN_TURN] = int(own and not over)
    out[ENDED] = int(own and over)
    out[ANSWERED] = int(not own)
    out[DRY] = game.dry
    out[ACTED] = game.acted
    out[IDLE] = game.idle
    left = int(game.last) - int(game.top)
    out[LEFT] = min(left, MOST)
    turns = (left + DRAW - 1) // DRAW
    out[ROUNDS_LEFT + min((turns + int(game.players) - 1) // int(game.players), ROUNDS - 1)] = 1


@rule
def write_own(game: State, pack: Pack, seat: int, shown: int, out: Array) -> None:
    """What the seat owns, and what may become of it."""
    for kind in range(OBJECTS):
        copies = min(int(game.own[seat, kind]), OWNED)
        if copies:
            out[OWN_COPIES + kind * OWNED + copies - 1] = 1
            at = (int(pack.values[kind]) - LEAST_VALUE) * len(HELD) + min(copies, len(HELD)) - 1
            out[HELD_BY_VALUE + at] += 1
            out[CAN_STEAL + at] += (shown >> kind) & 1
            unseen = int(out[UNSEEN + kind])
            out[CAN_COME + at] += int(unseen > 0)
            out[COPIES_UNSEEN + at] += unseen
            paired = False
            for step in range(SEATS - 1):
                known = int(out[KNOWN + step * OBJECTS + kind])
                out[COPIES_SHOWN + at] += int(out[SHOWN + step * OBJECTS + kind])
                out[COPIES_KNOWN + at] += known
                paired = paired or known > 0
            if copies == SET - 1 and (unseen > 0 or (shown >> kind) & 1):
                out[WITHIN_REACH] += int(pack.values[kind])
            if paired:
                out[GIFTS] += int(pack.values[kind])
    out[THIEVES] = min(int(game.own[seat, THIEF]), MOST)
    out[KINGS] = min(int(game.own[seat, KING]), MOST)
    out[HAND] = min(hand_size(game, seat), MOST)
    out[POINTS] = points(game, pack, seat)


@rule
def points(game: State, pack: Pack, seat: int) -> int:
    """A seat's points so far: all of them are in public."""
    total = set_points(game, pack, seat) + THIEF_POINTS * int(game.thieves[seat])
    total += count_objects(int(game.shown[seat])) + hand_size(game, seat)
    return min(total, MOST_POINTS)


@rule
def write_other(game: State, pack: Pack, seat: int, other: int, step: int, out: Array) -> None:
    """Another seat as far as this one knows it."""
    so_far = points(game, pack, other)
    out[OTHER_POINTS + step] = so_far
    out[BEST_POINTS] = max(int(out[BEST_POINTS]), so_far)
    out[OTHER_HANDS + step] = min(hand_size(game, other), MOST)
    out[OTHER_KINGS + step] = game.known[other, KING, seat + 1]
    out[OTHER_THIEVES + step] = game.known[other, THIEF, seat + 1]
    shown = int(game.shown[other])
    for kind in range(OBJECTS):
        if (shown >> kind) & 1:
            known = int(game.known[other, kind, seat + 1])
            out[SHOWN + step * OBJECTS + kind] = 1
            out[KNOWN + step * OBJECTS + kind] = known
            out[UNSEEN + kind] -= 1 + known
            if known >= GIFT - 1:
                out[PAIRS + step * CLASSES + int(pack.values[kind]) - LEAST_VALUE] += 1


@rule
def write_stake(game: State, pack: Pack, seat: int, out: Array) -> None:
    """What a king may still stop, or whose hand is drawn from."""
    phase, target = int(game.phase), int(game.target)
    out[THEFT_ASKED] = int(phase == STEAL_ASKED)
    out[TRADE_ASKED] = int(phase == TAKE_ASKED)
    out[DRAWS] = int(phase == DRAWN)
    out[STAKE_HAND] = min(hand_size(game, target), MOST)
    out[STAKE_KINGS] = game.known[target, KING, seat + 1]
    for place in range(TAKEN):
        kind = int(game.named[place]) - 1
        if kind >= 0 and phase != DRAWN:
            copies = min(max(int(game.own[seat, kind]), 1), len(HELD))
            out[STAKE + copies - 1] += 1
            out[STAKE_VALUE] += int(pack.values[kind])

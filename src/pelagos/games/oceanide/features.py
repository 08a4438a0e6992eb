"""What a learner sees: numbers from what the seat knows, and nothing else."""

from __future__ import annotations

from pelagos.engine.bits import count_of
from pelagos.engine.layout import Layout, category, count, flag
from pelagos.engine.rule import rule
from pelagos.engine.types import Array
from pelagos.games.oceanide.cards import SPECIAL
from pelagos.games.oceanide.rules import pending
from pelagos.games.oceanide.state import (
    ACT,
    COPIES,
    DECK,
    KINDS,
    KING,
    MOST_VALUE,
    OBJECTS,
    OVER,
    SEATS,
    SET,
    STEAL_ASKED,
    TAKEN,
    THIEF,
    Pack,
    State,
)

NAMED_OBJECTS = tuple(f"object {kind + 1}" for kind in range(OBJECTS))
NAMED_CARDS = (*NAMED_OBJECTS, *SPECIAL)
MOST_SPECIAL = DECK - OBJECTS * COPIES
"""Thieves and kings that a pack may have."""
OTHERS = tuple(f"seat {step} to the left" for step in range(1, SEATS))
USUAL_HAND, USUAL_DECK = 10, 60

LAYOUT = Layout(
    1,
    category(
        "phase",
        "What is decided; cards of a hand are drawn by chance",
        ("act", "take", "drawn", "theft asked", "trade asked", "over"),
    ),
    category("players", "How many play", range(2, SEATS + 1)),
    flag("owes", "Does the seat owe a decision?"),
    category("active", "Whose turn it is", ("own", *OTHERS)),
    category("target", "Whom the trade or theft under way is aimed at", ("nobody", "own", *OTHERS)),
    category(
        "named", "Objects that the target is asked about", ("none", *NAMED_OBJECTS), place=TAKEN
    ),
    flag("acted", "Has this turn had an action?"),
    flag("dry", "Did this turn begin with an empty deck?"),
    count("idle", "Turns in a row without a card to draw and without an action", SEATS),
    count("deck", "Cards left in the deck", DECK, scale=USUAL_DECK),
    count("discards", "Thieves and kings discarded", MOST_SPECIAL, scale=COPIES, card=SPECIAL),
    category("start", "Who began", ("own", *OTHERS)),
    flag("showcases", "Objects shown, by seat, the own first", seat=SEATS, object=NAMED_OBJECTS),
    count("sets", "Sets collected", COPIES // SET, seat=SEATS, object=NAMED_OBJECTS),
    count("thieves", "Thieves received", MOST_SPECIAL, scale=COPIES, seat=SEATS),
    count("hand_sizes", "Cards in each hand", DECK, scale=USUAL_HAND, seat=SEATS),
    count(
        "hands",
        "Cards of each hand that the seat knows of",
        MOST_SPECIAL,
        scale=SET,
        seat=SEATS,
        card=NAMED_CARDS,
    ),
    count("values", "What a set of each object is worth", MOST_VALUE, object=NAMED_OBJECTS),
    count(
        "unseen",
        "Cards whose place the seat doesn't know",
        MOST_SPECIAL,
        scale=COPIES,
        card=NAMED_CARDS,
    ),
)
SIZE = LAYOUT.size
PHASE, PLAYERS, OWES, ACTIVE = map(LAYOUT.first, ("phase", "players", "owes", "active"))
TARGET, NAMED, ACTED, DRY = map(LAYOUT.first, ("target", "named", "acted", "dry"))
IDLE, LEFT, DISCARDS, START = map(LAYOUT.first, ("idle", "deck", "discards", "start"))
SHOWCASES, SETS, THIEVES = map(LAYOUT.first, ("showcases", "sets", "thieves"))
HAND_SIZES, HANDS = map(LAYOUT.first, ("hand_sizes", "hands"))
VALUES, UNSEEN = map(LAYOUT.first, ("values", "unseen"))


@rule
def observe(game: State, pack: Pack, seat: int, out: Array) -> None:
    """Write the seat's observation."""
    players = int(game.players)
    phase = int(game.phase)
    out[PHASE] = phase
    out[PLAYERS] = players
    out[OWES] = (pending(game, pack) >> seat) & 1
    out[ACTIVE] = steps_to(int(game.active), seat, players)
    out[TARGET] = 0
    if phase not in (ACT, OVER):
        out[TARGET] = 1 + steps_to(int(game.target), seat, players)
    out[NAMED] = game.named[0]
    out[NAMED + 1] = game.named[1]
    out[ACTED] = game.acted
    out[DRY] = game.dry
    out[IDLE] = game.idle
    out[LEFT] = int(game.last) - int(game.top)
    out[DISCARDS] = game.discards[0]
    out[DISCARDS + 1] = game.discards[1]
    out[START] = steps_to(int(game.start), seat, players)
    for place in range(SHOWCASES, VALUES):
        out[place] = 0
    for kind in range(OBJECTS):
        out[VALUES + kind] = pack.values[kind]
    other = seat
    for step in range(players):
        write_seat(game, seat, other, step, out)
        other = other + 1 if other + 1 < players else 0
    write_unseen(game, pack, out)


@rule
def steps_to(other: int, seat: int, players: int) -> int:
    """How many seats to the left the other one is."""
    return other - seat if other >= seat else other - seat + players


@rule
def write_seat(game: State, viewer: int, seat: int, step: int, out: Array) -> None:
    """A seat as the viewer knows it."""
    shown = int(game.shown[seat])
    at = step * OBJECTS
    for kind in range(OBJECTS):
        out[SHOWCASES + at + kind] = (shown >> kind) & 1
        out[SETS + at + kind] = game.sets[seat, kind]
    out[THIEVES + step] = game.thieves[seat]
    cards = 0
    for card in range(KINDS):
        cards += int(game.own[seat, card])
    out[HAND_SIZES + step] = cards - count_of(shown)
    at = HANDS + step * KINDS
    if step:
        for card in range(KINDS):
            out[at + card] = game.known[seat, card, viewer + 1]
    else:
        for card in range(KINDS):
            out[at + card] = int(game.own[seat, card]) - ((shown >> card) & 1)


@rule
def write_unseen(game: State, pack: Pack, out: Array) -> None:
    """The cards that are nowhere among those told so far."""
    for card in range(KINDS):
        out[UNSEEN + card] = pack.copies[card]
    for step in range(int(game.players)):
        at, hand = step * OBJECTS, HANDS + step * KINDS
        for kind in range(OBJECTS):
            shown, sets = int(out[SHOWCASES + at + kind]), int(out[SETS + at + kind])
            out[UNSEEN + kind] -= shown + SET * sets + int(out[hand + kind])
        out[UNSEEN + THIEF] -= int(out[hand + THIEF]) + int(out[THIEVES + step])
        out[UNSEEN + KING] -= out[hand + KING]
    out[UNSEEN + THIEF] -= int(game.discards[0]) + int(int(game.phase) == STEAL_ASKED)
    out[UNSEEN + KING] -= game.discards[1]

"""What a learner sees: numbers from what the seat knows, and nothing else."""

from __future__ import annotations

from minnows.rules import hand_size
from minnows.state import ANSWER, CARDS, DECK, HAND, KINDS, ROB, ROUNDS, SEATS, Pack, State
from pelagos.engine.layout import Layout, card, category, count, flag
from pelagos.engine.rule import rule
from pelagos.engine.types import Array

LAYOUT = Layout(
    1,
    category("phase", "What is decided", ("bid", "rob", "answer", "reshuffle", "over")),
    count("round", "Rounds finished", ROUNDS),
    category("players", "How many play", range(2, SEATS + 1)),
    flag("calm", "Option: nobody robs"),
    card("offer", "The fish in the middle", KINDS),
    count("deck", "Cards left in the deck", DECK),
    card("bid", "The seat's own bid", KINDS),
    flag("owes", "Does the seat owe a decision?"),
    category("robber", "Who may rob", ("nobody", "own", *range(1, SEATS))),
    count("hand", "The seat's own hand", HAND, card=CARDS),
    count("discards", "Cards discarded", DECK, scale=HAND, card=CARDS),
    count("hand_sizes", "Cards in each hand, the own first", HAND, seat=SEATS),
    count("catches", "What each seat has caught", DECK, scale=HAND, seat=SEATS, card=CARDS),
    attributes=(*CARDS, "worth"),
)
SIZE = LAYOUT.size
PHASE, ROUND, PLAYERS, CALM = map(LAYOUT.first, ("phase", "round", "players", "calm"))
OFFER, LEFT, BID, OWES = map(LAYOUT.first, ("offer", "deck", "bid", "owes"))
ROBBER, OWN_HAND, DISCARDS = map(LAYOUT.first, ("robber", "hand", "discards"))
HAND_SIZES, CATCHES = map(LAYOUT.first, ("hand_sizes", "catches"))


@rule
def observe(game: State, pack: Pack, seat: int, out: Array) -> None:
    """Write the seat's observation."""
    players, phase = int(game.players), int(game.phase)
    out[PHASE] = phase
    out[ROUND] = game.turn
    out[PLAYERS] = players
    out[CALM] = game.calm
    out[OFFER] = game.offer
    out[LEFT] = game.left
    out[BID] = game.bids[seat]
    out[OWES] = (int(game.owing) >> seat) & 1
    out[ROBBER] = 0
    if phase in (ROB, ANSWER):
        out[ROBBER] = 1 + (int(game.robber) - seat + players) % players
    for kind in range(KINDS):
        out[OWN_HAND + kind] = game.hands[seat, kind]
        out[DISCARDS + kind] = game.discards[kind]
    for step in range(SEATS):
        other = (seat + step) % players
        out[HAND_SIZES + step] = hand_size(game, other) if step < players else 0
        for kind in range(KINDS):
            caught = int(game.catches[other, kind]) if step < players else 0
            out[CATCHES + step * KINDS + kind] = caught


@rule
def attribute(pack: Pack, card: int, which: int) -> int:
    """A card's kind, and what it is worth."""
    return int(card == which + 1) if which < KINDS else int(pack.worth[card - 1])

"""Minnows' state: every field with a word on what it holds."""

from __future__ import annotations

from typing import Protocol

from pelagos.engine.fields import state_type
from pelagos.engine.types import Array

CARDS = ("reed", "minnow", "roach", "perch", "trout", "pike")
REED = 0
KINDS = 6

SEATS = 4
HAND = 3
ROUNDS = 8
DECK = 40
"""The most cards a pack may have."""

BID, ROB, ANSWER, RESHUFFLE, OVER = range(5)
"""The phases."""

STATE = state_type(
    [
        ("stream", "uint64", 4),
        ("owing", "int8"),
        ("players", "int8"),
        ("calm", "int8"),
        ("phase", "int8"),
        ("turn", "int8"),
        ("robber", "int8"),
        ("victim", "int8"),
        ("dealing", "int8"),
        ("left", "int8"),
        ("drawn", "int16"),
        ("offer", "int8"),
        ("bids", "int8", SEATS),
        ("hands", "int8", (SEATS, KINDS)),
        ("catches", "int8", (SEATS, KINDS)),
        ("discards", "int8", KINDS),
        ("deck", "int8", DECK),
        ("drawer", "int8", DECK),
    ]
)
PACK = state_type([("total", "int16"), ("counts", "int16", KINDS), ("worth", "int16", KINDS)])


class Pack(Protocol):
    """The material: how many cards of each kind, and what each is worth."""

    total: int
    counts: Array
    worth: Array


class State(Protocol):
    """One game. A card is its kind + 1, and 0 is no card."""

    stream: Array
    owing: int
    """Mask of the seats that owe a decision."""
    players: int
    calm: int
    """1: nobody robs."""
    phase: int
    turn: int
    """Rounds finished."""
    robber: int
    """Who took this round's fish, while it may rob; else 0."""
    victim: int
    """Who is robbed, until it has answered; else 0."""
    dealing: int
    """Where the refill stands: a seat, or the number of players for the fish in the middle."""
    left: int
    """How many cards the deck has; the next one is the last of them."""
    drawn: int
    """How many cards were drawn since the start."""
    offer: int
    """The fish in the middle."""
    bids: Array
    """Each seat's bid, still among its hand, until all are in."""
    hands: Array
    catches: Array
    discards: Array
    """Cards of each hand, of each catch, and discarded, by kind."""
    deck: Array
    drawer: Array
    """Who drew each card of the first deck, in drawing order: seat + 1, or the middle's."""

"""Ecosystem's state: every field with a word on what it holds."""

from __future__ import annotations

from typing import Protocol

from pelagos.engine.fields import state_type
from pelagos.engine.types import Array
from pelagos.games.ecosystem.frame import FRAME

CORAL, KRILL, PLANKTON, GROUPER, CLOWNFISH, CRAB, MORAY, SHARK, WHALE, TURTLE, OCTOPUS = range(11)
SPECIES = [
    "coral",
    "krill",
    "plankton",
    "grouper",
    "clownfish",
    "crab",
    "moray",
    "shark",
    "whale",
    "turtle",
    "octopus",
]
KINDS = len(SPECIES)
GROUPS = ("producer",) * 3 + ("prey",) * 3 + ("predator",) * 3 + ("",) * 2
"""The part of the food chain that each species belongs to."""

SEATS = 6
DECK = 192
"""The most cards a pack may have."""
HAND = 10
TURNS = 20

TAKE, NEUTRAL, PLACE, GIVE, FLIP, FLIP_TIM, OVER = range(7)
"""The phases."""

DONE, OWES, OWES_LIFT, OWES_DROP = range(4)
"""What a seat owes in its phase: nothing, its choice, an octopus' lift or pass, its drop."""

TIM = 1
"""Where Tim's grid lies, in the solo game."""
NEUTRAL_SEAT = 2
"""Where the neutral hand sits, with two players."""

EASY, NORMAL, HARD = 55, 70, 80
"""Margins over Tim."""

STATE = state_type(
    [
        ("stream", "uint64", 4),
        ("reef", "int64", SEATS),
        ("down", "int64", SEATS),
        ("acted", "int64", SEATS),
        ("top", "int16"),
        ("owing", "int16"),
        ("players", "int8"),
        ("turned_whales", "int8"),
        ("goal", "int8"),
        ("phase", "int8"),
        ("turn", "int8"),
        ("discard", "int8"),
        ("chosen", "int8", SEATS),
        ("stage", "int8", SEATS),
        ("lifted", "int8", SEATS),
        ("laid", "int8", SEATS),
        ("neutral", "int8", KINDS),
        ("hands", "int8", (SEATS, KINDS)),
        ("cells", "int8", (SEATS, FRAME)),
        ("shown", "int8", (SEATS, FRAME)),
        ("deck", "int8", DECK),
    ]
)

PACK = state_type([("total", "int16"), ("counts", "int16", KINDS)])


class Pack(Protocol):
    """The material: how many cards of each species."""

    total: int
    counts: Array


class State(Protocol):
    """One game. Cards are species + 1, and 0 is no card; masks have one bit for a frame cell."""

    stream: Array
    """The random stream."""
    reef: Array
    """Mask of each seat's occupied cells."""
    down: Array
    """Mask of each seat's cards turned face down by whales."""
    acted: Array
    """Mask of each seat's whales that have turned a card."""
    top: int
    """Place of the next card in the deck."""
    owing: int
    """Mask of the seats that owe a decision."""
    players: int
    turned_whales: int
    """Do whales act that lie face down?"""
    goal: int
    """Alone: the margin over Tim that wins."""
    phase: int
    turn: int
    """Turns finished, 0 to 20; the second round begins with turn 10."""
    discard: int
    """The solo game's last card, left over."""
    chosen: Array
    """The card each seat took this turn, until the hands move."""
    stage: Array
    """What each seat owes in this phase."""
    lifted: Array
    """The frame cell from which an octopus lifted a card, until the drop; 0 is none."""
    laid: Array
    """How many cards each grid holds."""
    neutral: Array
    """Cards in front of the neutral seat, by species."""
    hands: Array
    """Cards of each hand, by species. Hand h was dealt to seat h; see `hand_of`."""
    cells: Array
    """Each seat's frame."""
    shown: Array
    """Each seat's frame as the others see it: at the end of the last turn."""
    deck: Array
    """The deck in drawing order; what has been drawn is 0."""

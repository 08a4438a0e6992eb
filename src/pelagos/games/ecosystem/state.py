"""Ecosystem's state: every field with a word on what it holds.

A grid lies in a *frame* of 6 rows by 7 columns whose border stays sea: the box that the cards
occupy has its top left corner at row 1, column 1 of the frame, so that every cell where a card
may go next is in the frame, and neighbours are one step of 1 or 7 away.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from pelagos.engine.types import Array, state_type

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
KINDS = 11

SEATS = 6
DECK = 192
"""The most cards a pack may have."""
HAND = 10
TURNS = 20
ROWS, COLUMNS = 4, 5

FRAME_ROWS, FRAME_COLUMNS = ROWS + 2, COLUMNS + 2
FRAME = FRAME_ROWS * FRAME_COLUMNS
DOWN, RIGHT = FRAME_COLUMNS, 1
"""One step in the frame."""

TAKE, NEUTRAL, PLACE, GIVE, FLIP, FLIP_TIM, OVER = range(7)
"""The phases."""

DONE, OWES, OWES_LIFT, OWES_DROP = range(4)
"""What a seat owes in its phase: nothing, its choice, an octopus' lift or pass, its drop."""

TIM = 1
"""Where Tim's grid lies, in the solo game."""
NEUTRAL_SEAT = 2
"""Where the neutral hand sits, with two players."""

STATE = state_type(
    [
        ("stream", np.uint64, 4),
        ("reef", np.int64, SEATS),
        ("down", np.int64, SEATS),
        ("acted", np.int64, SEATS),
        ("top", np.int16),
        ("owing", np.int16),
        ("players", np.int8),
        ("phase", np.int8),
        ("turn", np.int8),
        ("discard", np.int8),
        ("chosen", np.int8, SEATS),
        ("stage", np.int8, SEATS),
        ("lifted", np.int8, SEATS),
        ("laid", np.int8, SEATS),
        ("neutral", np.int8, KINDS),
        ("hands", np.int8, (SEATS, KINDS)),
        ("cells", np.int8, (SEATS, FRAME)),
        ("shown", np.int8, (SEATS, FRAME)),
        ("deck", np.int8, DECK),
    ]
)

PACK = state_type([("total", np.int16), ("counts", np.int16, KINDS)])


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

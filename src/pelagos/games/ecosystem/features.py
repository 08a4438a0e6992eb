"""What a learner sees: numbers from what the seat knows, and nothing else."""

from __future__ import annotations

from pelagos.engine.layout import Layout, card, category, count, flag
from pelagos.engine.rule import constants, rule
from pelagos.engine.types import Array
from pelagos.games.ecosystem.frame import COLUMNS, DOWN, FIRST_CELL, FRAME, REEF_CELLS, ROWS
from pelagos.games.ecosystem.rules import hand_of, rings
from pelagos.games.ecosystem.state import (
    EASY,
    FLIP,
    HAND,
    HARD,
    KINDS,
    OVER,
    SEATS,
    SPECIES,
    TURNS,
    Pack,
    State,
)

CELLS = ROWS * COLUMNS
NAMED_CELLS = tuple(f"{row},{column}" for row in range(ROWS) for column in range(COLUMNS))
TURNABLE = 2
"""Grids whose face-down cards are told: the own one and the next, which alone is Tim's. With
others the next one's lie open at the end only."""

LAYOUT = Layout(
    1,
    category(
        "phase",
        "What is decided; the neutral seat's card is chance's",
        ("take", "neutral", "place", "give", "flip", "flip for Tim", "over"),
    ),
    count("turn", "Turns finished; round two begins with turn ten", TURNS),
    category("players", "How many play", range(1, SEATS + 1)),
    flag("turned_whales", "Option: do whales act that lie face down?"),
    count("goal", "Option: the margin over Tim that wins, alone", HARD, low=EASY),
    category(
        "stage",
        "What the seat owes in this phase",
        ("nothing", "a choice", "to lift a card or not", "to drop it"),
    ),
    card("chosen", "The card that the seat took this turn", KINDS),
    category("lifted", "Where an octopus lifted a card", ("nowhere", *NAMED_CELLS)),
    flag("owes", "Does the seat owe a decision?"),
    card("grids", "Cards of each reef, the own one first", KINDS, seat=SEATS, cell=NAMED_CELLS),
    flag(
        "face_down",
        "Cards turned by whales: on the own reef, and on the next (alone: Tim's)",
        seat=TURNABLE,
        cell=NAMED_CELLS,
    ),
    flag("known", "Has the seat held this hand? In the order in which they come to it", hand=SEATS),
    count("hands", "Cards of each hand that it has held", HAND, hand=SEATS, species=SPECIES),
    count("neutral", "Cards before the neutral seat", TURNS, scale=HAND, species=SPECIES),
    attributes=SPECIES,
)
SIZE = LAYOUT.size
PHASE, TURN, PLAYERS, STAGE = map(LAYOUT.first, ("phase", "turn", "players", "stage"))
TURNED_WHALES, GOAL = map(LAYOUT.first, ("turned_whales", "goal"))
CHOSEN, LIFTED, OWES = map(LAYOUT.first, ("chosen", "lifted", "owes"))
GRIDS, FACE_DOWN = map(LAYOUT.first, ("grids", "face_down"))
KNOWN, HANDS, NEUTRAL = map(LAYOUT.first, ("known", "hands", "neutral"))

PLACE_OF = constants(
    [REEF_CELLS.index(cell) + 1 if cell in REEF_CELLS else 0 for cell in range(FRAME)]
)
"""A frame cell's place in the full reef + 1; 0 for the frame's border, and for no cell."""


@rule
def observe(game: State, pack: Pack, seat: int, out: Array) -> None:
    """Write the seat's observation."""
    out[PHASE] = game.phase
    out[TURN] = game.turn
    out[PLAYERS] = game.players
    out[TURNED_WHALES] = game.turned_whales
    out[GOAL] = game.goal
    out[STAGE] = game.stage[seat]
    out[CHOSEN] = game.chosen[seat]
    out[LIFTED] = PLACE_OF[int(game.lifted[seat])]
    out[OWES] = (int(game.owing) >> seat) & 1
    grids = max(int(game.players), 2)
    for step in range(SEATS):
        if step < grids:
            write_grid(game, seat + step - (grids if seat + step >= grids else 0), step, out)
        else:
            for place in range(CELLS):
                out[GRIDS + step * CELLS + place] = 0
    write_hands(game, seat, out)
    for kind in range(KINDS):
        out[NEUTRAL + kind] = game.neutral[kind]


@rule
def write_grid(game: State, grid: int, step: int, out: Array) -> None:
    """A grid as the seat sees it: the own one, Tim's and, at the end, all as they lie."""
    revealed = step == 0 or int(game.players) == 1 or int(game.phase) == OVER
    at = GRIDS + step * CELLS
    for row in range(ROWS):
        first = FIRST_CELL + row * DOWN
        for column in range(COLUMNS):
            cell = first + column
            shown = game.cells[grid, cell] if revealed else game.shown[grid, cell]
            out[at + row * COLUMNS + column] = shown
    if step < TURNABLE:
        at = FACE_DOWN + step * CELLS
        down = int(game.down[grid]) if revealed and int(game.phase) >= FLIP else 0
        for row in range(ROWS):
            cells = down >> (FIRST_CELL + row * DOWN)
            for column in range(COLUMNS):
                out[at + row * COLUMNS + column] = (cells >> column) & 1


@rule
def write_hands(game: State, seat: int, out: Array) -> None:
    """The hands that the seat has held, in the order in which they come to it. Of a round's
    turns so many are over; after as many passes as there are hands, all have been held.
    """
    ring, turn = rings(game), int(game.turn)
    back = turn >= HAND
    passes = turn - HAND if back else turn
    hand, held = hand_of(game, seat), passes % ring
    for step in range(SEATS):
        known = int(step < ring and held <= passes)
        out[KNOWN + step] = known
        for kind in range(KINDS):
            out[HANDS + step * KINDS + kind] = known * int(game.hands[hand, kind])
        hand = next_of(hand, ring) if back else (hand if hand else ring) - 1
        held = next_of(held, ring)


@rule
def next_of(place: int, ring: int) -> int:
    """The next place of a ring."""
    return place + 1 if place + 1 < ring else 0


@rule
def attribute(pack: Pack, card: int, which: int) -> int:
    """A card is of one species."""
    return int(card == which + 1)

"""What a learner sees: numbers from what the seat knows, and nothing else."""

from __future__ import annotations

from pelagos.engine.rule import rule
from pelagos.engine.types import Array
from pelagos.games.oceanos.rules import count_of
from pelagos.games.oceanos.state import (
    BOAT,
    CARDS,
    COLUMNS,
    FUEL,
    OVER,
    PROPELLER,
    ROUNDS,
    SEATS,
    Pack,
    State,
)
from pelagos.games.oceanos.worlds import known_in_hand, last_lot_of

HEAD = 10
CELLS = ROUNDS * COLUMNS
SEAT = BOAT + 2 * CELLS + 2 + 3 * ROUNDS
SIZE = HEAD + ROUNDS + CARDS + SEATS * SEAT
"""Head; Kraken tokens; where each of the round's cards is; five seats, the own first: submarine,
cards and divers by cell, hand, fuelled columns, lines scored so far."""

UNSEEN, IN_HAND, KEPT, LAID, ASIDE, ELSEWHERE, SUNK = range(7)
"""Where a card is: in the own hand, kept, on the table, discarded, in another's hand (known),
last known under the deck."""
HIDDEN_TOKEN = 1
"""A Kraken token not turned up: its value is none of a token's, which are 0 or negative."""


@rule
def observe(game: State, pack: Pack, seat: int, out: Array) -> None:
    """Write the seat's observation."""
    for place in range(SIZE):
        out[place] = 0
    players = int(game.players)
    out[0] = game.phase
    out[1] = game.stage[seat]
    out[2] = (int(game.owing) >> seat) & 1
    out[3] = players
    out[4] = game.troubled
    out[5] = game.depth
    out[6] = game.turn
    out[7] = (int(game.captain) - seat + players) % players
    out[8] = game.left
    out[9] = game.laying[seat]
    at = HEAD
    for size in range(ROUNDS):
        flipped = (int(game.flipped) >> size) & 1
        out[at + size] = int(game.kraken[size, 0]) if flipped else HIDDEN_TOKEN
    at += ROUNDS
    if int(game.phase) != OVER:
        write_places(game, seat, out, at)
    at += CARDS
    for step in range(players):
        write_seat(game, (seat + step) % players, step == 0, out, at)
        at += SEAT


@rule
def write_places(game: State, seat: int, out: Array, at: int) -> None:
    """Where the seat knows each card of the round to be."""
    depth = int(game.depth)
    for card in range(1, CARDS + 1):
        place = SUNK if last_lot_of(game, seat, card) else UNSEEN
        if (int(game.aside[depth]) >> card) & 1:
            place = ASIDE
        if (int(game.hands[seat]) >> card) & 1:
            place = IN_HAND
        out[at + card - 1] = place
    for other in range(int(game.players)):
        known = known_in_hand(game, seat, other) if other != seat else 0
        for card in range(1, CARDS + 1):
            if (known >> card) & 1:
                out[at + card - 1] = ELSEWHERE
        size = int(game.row_size[other, depth])
        for column in range(size):
            out[at + int(game.rows[other, depth, column]) - 1] = LAID
        if other == seat:
            for column in range(size, size + int(game.kept[seat])):
                out[at + int(game.rows[seat, depth, column]) - 1] = KEPT


@rule
def write_seat(game: State, seat: int, own: bool, out: Array, at: int) -> None:
    """A seat's expedition as its owner or the others see it."""
    veiled = int(game.boat_before[seat, PROPELLER]) > 0 and not own
    for item in range(BOAT):
        shown = game.boat_before[seat, item] if veiled else game.boat[seat, item]
        out[at + item] = shown
    kept = 0 if own else int(game.kept[seat])
    if kept > 1:
        out[at + FUEL] += kept - 1
    at += BOAT
    dived = int(game.dived_before[seat]) if veiled else int(game.dived[seat])
    for depth in range(ROUNDS):
        for column in range(int(game.row_size[seat, depth])):
            cell = depth * COLUMNS + column
            out[at + cell] = game.rows[seat, depth, column]
            out[at + CELLS + cell] = (dived >> cell) & 1
    at += 2 * CELLS
    out[at] = count_of(int(game.hands[seat])) + kept
    out[at + 1] = game.fuelled[seat]
    for line in range(3 * ROUNDS):
        out[at + 2 + line] = game.lines[seat, line]

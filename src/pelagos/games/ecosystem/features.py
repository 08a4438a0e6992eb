"""What a learner sees: numbers from what the seat knows, and nothing else."""

from __future__ import annotations

from pelagos.engine.rule import rule
from pelagos.engine.types import Array
from pelagos.games.ecosystem.frame import COLUMNS, ROWS
from pelagos.games.ecosystem.knowledge import has_held
from pelagos.games.ecosystem.rules import BOX, hand_of, rings
from pelagos.games.ecosystem.state import FLIP, KINDS, OVER, SEATS, Pack, State

CELLS = ROWS * COLUMNS
HEAD = 7
SIZE = HEAD + SEATS * CELLS + SEATS * (KINDS + 1) + KINDS
"""Head; six grids, the own first; six hands in the order in which they will come, each with a
flag for known; the neutral seat's cards."""


@rule
def observe(game: State, pack: Pack, seat: int, out: Array) -> None:
    """Write the seat's observation."""
    out[0] = game.phase
    out[1] = game.turn
    out[2] = game.players
    out[3] = game.stage[seat]
    out[4] = game.chosen[seat]
    out[5] = game.lifted[seat]
    out[6] = (int(game.owing) >> seat) & 1
    at = HEAD
    grids = max(int(game.players), 2)
    for step in range(SEATS):
        for place in range(CELLS):
            out[at + place] = 0
        if step < grids:
            write_grid(game, (seat + step) % grids, step == 0, out, at)
        at += CELLS
    ring = rings(game)
    for step in range(SEATS):
        for place in range(KINDS + 1):
            out[at + place] = 0
        if step < ring:
            write_hand(game, seat, (seat + ring - step) % ring, out, at)
        at += KINDS + 1
    for kind in range(KINDS):
        out[at + kind] = game.neutral[kind]


@rule
def write_grid(game: State, grid: int, own: bool, out: Array, at: int) -> None:
    """A grid as the seat sees it; a card turned face down is negative."""
    revealed = own or int(game.players) == 1 or int(game.phase) == OVER
    for place in range(CELLS):
        cell = int(BOX[place])
        card = int(game.cells[grid, cell]) if revealed else int(game.shown[grid, cell])
        if revealed and int(game.phase) >= FLIP and (int(game.down[grid]) >> cell) & 1:
            card = -card
        out[at + place] = card


@rule
def write_hand(game: State, seat: int, holder: int, out: Array, at: int) -> None:
    """A hand, if the seat has held it."""
    hand = hand_of(game, holder)
    if has_held(game, seat, hand):
        out[at] = 1
        for kind in range(KINDS):
            out[at + 1 + kind] = game.hands[hand, kind]

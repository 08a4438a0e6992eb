"""What a learner sees: numbers from what the seat knows, and nothing else."""

from __future__ import annotations

from minnows.rules import hand_size
from minnows.state import KINDS, SEATS, Pack, State
from pelagos.engine.rule import rule
from pelagos.engine.types import Array

HEAD = 8
SIZE = HEAD + 2 * KINDS + SEATS * (KINDS + 1)
"""Head; own hand; discards; four catches with hand sizes, the own first."""


@rule
def observe(game: State, pack: Pack, seat: int, out: Array) -> None:
    """Write the seat's observation."""
    players = int(game.players)
    out[0] = game.phase
    out[1] = game.turn
    out[2] = players
    out[3] = game.offer
    out[4] = game.left
    out[5] = game.bids[seat]
    out[6] = (int(game.owing) >> seat) & 1
    out[7] = (int(game.robber) - seat + players) % players
    for kind in range(KINDS):
        out[HEAD + kind] = game.hands[seat, kind]
        out[HEAD + KINDS + kind] = game.discards[kind]
    at = HEAD + 2 * KINDS
    for step in range(SEATS):
        other = (seat + step) % players
        out[at] = hand_size(game, other) if step < players else 0
        for kind in range(KINDS):
            out[at + 1 + kind] = game.catches[other, kind] if step < players else 0
        at += KINDS + 1

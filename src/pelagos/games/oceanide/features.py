"""What a learner sees: numbers from what the seat knows, and nothing else."""

from __future__ import annotations

from pelagos.engine.rule import rule
from pelagos.engine.types import Array
from pelagos.games.oceanide.invariant import hand_size, is_shown
from pelagos.games.oceanide.memory import known_in_hand, unseen
from pelagos.games.oceanide.rules import pending
from pelagos.games.oceanide.state import ACT, KINDS, OBJECTS, OVER, SEATS, Pack, State

HEAD = 14
SEAT = 2 * OBJECTS + 2 + KINDS
SIZE = HEAD + SEATS * SEAT + OBJECTS + KINDS
"""Head; five seats, the own first, each with showcase, sets, thieves received, cards in hand, and
those of them that are known; the objects' values; cards of unknown place by kind."""


@rule
def observe(game: State, pack: Pack, seat: int, out: Array) -> None:
    """Write the seat's observation."""
    players = int(game.players)
    phase = int(game.phase)
    out[0] = phase
    out[1] = players
    out[2] = (pending(game, pack) >> seat) & 1
    out[3] = (int(game.active) - seat + players) % players
    out[4] = 0
    if phase not in (ACT, OVER):
        out[4] = 1 + (int(game.target) - seat + players) % players
    out[5] = game.named[0]
    out[6] = game.named[1]
    out[7] = game.acted
    out[8] = game.dry
    out[9] = game.idle
    out[10] = int(game.last) - int(game.top)
    out[11] = game.discards[0]
    out[12] = game.discards[1]
    out[13] = (int(game.start) - seat + players) % players
    at = HEAD
    for step in range(SEATS):
        for place in range(SEAT):
            out[at + place] = 0
        if step < players:
            write_seat(game, seat, (seat + step) % players, out, at)
        at += SEAT
    for kind in range(OBJECTS):
        out[at + kind] = pack.values[kind]
    at += OBJECTS
    for card in range(KINDS):
        out[at + card] = unseen(game, pack, seat, card)


@rule
def write_seat(game: State, viewer: int, seat: int, out: Array, at: int) -> None:
    """A seat as the viewer knows it."""
    for kind in range(OBJECTS):
        out[at + kind] = is_shown(game, seat, kind)
        out[at + OBJECTS + kind] = game.sets[seat, kind]
    at += 2 * OBJECTS
    out[at] = game.thieves[seat]
    out[at + 1] = hand_size(game, seat)
    for card in range(KINDS):
        out[at + 2 + card] = known_in_hand(game, seat, viewer, card)

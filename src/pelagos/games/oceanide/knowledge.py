"""What a seat can know: the worlds it may think possible, what a move would bring, what all see."""

from __future__ import annotations

from pelagos.engine.rule import rule
from pelagos.engine.stream import renew
from pelagos.engine.types import Array, Record
from pelagos.games.oceanide.actions import (
    ALLOW,
    ANSWER_KING,
    COMPLETES,
    STEALS,
    TAKE_NONE,
    TAKE_ONES,
    TRADES,
)
from pelagos.games.oceanide.invariant import hand_size
from pelagos.games.oceanide.memory import laid_aside
from pelagos.games.oceanide.rules import (
    allow,
    complete,
    name_objects,
    steal,
    stop,
    trade,
)
from pelagos.games.oceanide.scoring import sheet
from pelagos.games.oceanide.state import ACT, KINDS, OBJECTS, TAKE, Pack, State
from pelagos.games.oceanide.worlds import draw_world

# --- redeal ---------------------------------------------------------------------------------------


@rule
def redeal(game: State, pack: Pack, seat: int, stream: Array) -> None:
    """Draw one of the worlds that the seat may think possible."""
    draw_world(game, pack, seat, stream)
    forget_what_others_saw(game, seat)
    renew(game.stream, stream)


@rule
def forget_what_others_saw(game: State, seat: int) -> None:
    """Others know of each other's hands what all know: more the seat can't say.

    What they know of the seat's own hand, the seat knows too.
    """
    for owner in range(int(game.players)):
        if owner != seat:
            for other in range(int(game.players)):
                if other != seat:
                    for card in range(KINDS):
                        game.known[owner, card, other + 1] = game.known[owner, card, 0]


# --- previews -------------------------------------------------------------------------------------


@rule
def preview(game: State, pack: Pack, seat: int, action: int, out: Array) -> None:
    """The seat's sheet if this action alone happened: what is named is taken, as no king is played;
    what chance will bring doesn't count.
    """
    if action >= TAKE_ONES:
        name_objects(game, action)
        allow(game)
    elif TAKE_NONE > action >= STEALS:
        steal(game, seat, (action - STEALS) // OBJECTS, (action - STEALS) % OBJECTS)
        allow(game)
    elif STEALS > action >= TRADES:
        trade(game, seat, (action - TRADES) // OBJECTS, (action - TRADES) % OBJECTS)
    elif TRADES > action >= COMPLETES:
        complete(game, seat, action - COMPLETES)
    elif action == ALLOW:
        allow(game)
    elif action == ANSWER_KING:
        stop(game)
    sheet(game, pack, seat, out)


# --- for readers ----------------------------------------------------------------------------------


def forced(game: Record, pack: Record, seat: int) -> bool:
    """Everyone knows what may be taken in a trade, and that an empty hand can only end its turn.

    Never who is asked for a king: being asked must tell nothing.
    """
    phase = int(game.phase)
    return phase == TAKE or (phase == ACT and int(hand_size(game, seat)) == 0)


def census(game: Record, pack: Record) -> list[int]:
    """All cards by kind, wherever they are."""
    counts = [int(laid_aside(game, card)) + int(game.own[:, card].sum()) for card in range(KINDS)]
    for card in game.deck:
        if int(card):
            counts[int(card) - 1] += 1
    return counts

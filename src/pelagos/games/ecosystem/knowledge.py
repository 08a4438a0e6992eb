"""What a seat can know: redeal, previews, decisions that everyone foresees, all cards counted."""

from __future__ import annotations

from pelagos.engine.rule import rule
from pelagos.engine.stream import renew, shuffle
from pelagos.engine.types import Array
from pelagos.games.ecosystem.actions import DROPS, FLIPS, GIVES, LIFTS, PLACES, TIM_FLIPS
from pelagos.games.ecosystem.frame import FRAME
from pelagos.games.ecosystem.rules import (
    BOX,
    draw,
    drop,
    everyone,
    flip,
    hand_of,
    lay,
    owes_any_flip,
    rings,
)
from pelagos.games.ecosystem.scoring import sheet
from pelagos.games.ecosystem.state import (
    DONE,
    FLIP,
    HAND,
    KINDS,
    NEUTRAL,
    OVER,
    OWES,
    PLACE,
    TAKE,
    TIM,
    Pack,
    State,
)

# --- redeal ------------------------------------------------------------------------------------


@rule
def has_held(game: State, seat: int, hand: int) -> bool:
    """Has the seat held this hand in this round, so that it knows it to the last card?

    Every card taken from a hand is shown, so whoever has seen a hand once knows it for good.

    Ruling ECO-40.
    """
    if seat < 0:
        return False
    ring = rings(game)
    turn = int(game.turn)
    if turn < HAND:
        return (seat - hand + ring) % ring <= turn
    return (hand - seat + ring) % ring <= turn - HAND


@rule
def redeal(game: State, pack: Pack, seat: int, stream: Array) -> None:
    """Deal anew what the seat can't know: hands it has not held, and the deck.

    Those hands go back on top of the deck; it is sorted, so that nothing depends on how it lay,
    shuffled, and they are drawn from it again (ECO-41).
    """
    take_back(game, seat)
    first = int(game.top)
    for hand in range(rings(game)):
        if not has_held(game, seat, hand):
            first = put_back(game, hand, first)
    sort_cards(game, first, int(pack.total))
    shuffle(stream, game.deck, first, int(pack.total))
    game.top = first
    for hand in range(rings(game)):
        if not has_held(game, seat, hand):
            count = hand_size(game, hand)
            for kind in range(KINDS):
                game.hands[hand, kind] = 0
            draw(game, hand, count)
    renew(game.stream, stream)


@rule
def hand_size(game: State, hand: int) -> int:
    """How many cards a hand holds."""
    count = 0
    for kind in range(KINDS):
        count += int(game.hands[hand, kind])
    return count


@rule
def put_back(game: State, hand: int, top: int) -> int:
    """Lay a hand's cards on top of the deck; return the new top."""
    for kind in range(KINDS):
        for _ in range(int(game.hands[hand, kind])):
            top -= 1
            game.deck[top] = kind + 1
    return top


@rule
def sort_cards(game: State, first: int, last: int) -> None:
    """Sort part of the deck by species."""
    place = first
    for kind in range(KINDS):
        for other in range(place, last):
            if int(game.deck[other]) == kind + 1:
                game.deck[other] = game.deck[place]
                game.deck[place] = kind + 1
                place += 1


@rule
def is_in_hand(game: State, seat: int) -> bool:
    """Is the card that the seat took not laid yet?"""
    return int(game.laid[seat]) == int(game.turn)


@rule
def take_back(game: State, seat: int) -> None:
    """Take back the choices of all other seats that are not revealed yet."""
    phase = int(game.phase)
    if int(game.players) == 1 or phase == NEUTRAL or phase == OVER:
        return
    own = int(game.owing)
    for other in range(int(game.players)):
        if other != seat:
            if phase == TAKE:
                game.chosen[other] = 0
            if phase == PLACE:
                unplace(game, other)
            if phase == FLIP:
                game.acted[other] = 0
                game.down[other] = 0
    if phase == FLIP:
        owing = 0
        for other in range(int(game.players)):
            game.stage[other] = DONE
            if owes_any_flip(game, other):
                game.stage[other] = OWES
                owing |= 1 << other
        game.owing = owing
        return
    others = everyone(game)
    if seat >= 0:
        others &= ~(1 << seat)
    for other in range(int(game.players)):
        if other != seat:
            game.stage[other] = OWES
    game.owing = others | (own & ~others)


@rule
def unplace(game: State, seat: int) -> None:
    """Take a seat's grid back to what the others see."""
    reef = 0
    for cell in range(FRAME):
        game.cells[seat, cell] = game.shown[seat, cell]
        if int(game.shown[seat, cell]):
            reef |= 1 << cell
    game.reef[seat] = reef
    game.laid[seat] = game.turn
    game.lifted[seat] = 0


# --- previews ---------------------------------------------------------------------------------


@rule
def happen_alone(game: State, seat: int, action: int) -> None:
    """Let this action happen, and nothing that follows from it."""
    if action >= TIM_FLIPS:
        flip(game, TIM, action - TIM_FLIPS)
    elif action >= FLIPS:
        flip(game, seat, action - FLIPS)
    elif LIFTS > action >= DROPS:
        drop(game, seat, action - DROPS)
    elif DROPS > action >= PLACES:
        lay(game, seat, action - PLACES, int(game.chosen[seat]))
    elif PLACES > action >= GIVES:
        lay(game, TIM, int(BOX[int(game.laid[TIM])]), action - GIVES + 1)


@rule
def preview(game: State, pack: Pack, seat: int, action: int, out: Array) -> None:
    """The seat's sheet if this action alone happened."""
    happen_alone(game, seat, action)
    sheet(game, pack, seat, out)


# --- what everyone knows -----------------------------------------------------------------------


def forced(game: State, pack: Pack, seat: int) -> bool:
    """Everyone knows of a last card, a first cell, and a last gap."""
    if int(game.phase) == TAKE:
        return int(hand_size(game, hand_of(game, seat))) == 1
    return int(game.phase) == PLACE and int(game.stage[seat]) == OWES


def census(game: State, pack: Pack) -> list[int]:
    """All cards by species, wherever they are."""
    counts = [0] * KINDS
    cards = [int(card) for card in game.deck] + [int(game.discard)]
    cards += [int(card) for grid in game.cells for card in grid]
    if int(game.phase) in (NEUTRAL, PLACE):
        cards += [
            int(game.chosen[seat]) for seat in range(int(game.players)) if is_in_hand(game, seat)
        ]
    for card in cards:
        if card:
            counts[card - 1] += 1
    for kind in range(KINDS):
        counts[kind] += int(game.neutral[kind]) + int(sum(game.hands[:, kind].tolist()))
    return counts

"""What a seat can know: the redeal, what an action alone would bring, all cards by kind."""

from __future__ import annotations

from minnows.actions import ALLOW
from minnows.rules import best, draw, everyone, hand_size
from minnows.scoring import sheet
from minnows.state import BID, KINDS, OVER, Pack, State
from pelagos.engine.rule import rule
from pelagos.engine.stream import renew, shuffle
from pelagos.engine.types import Array


@rule
def sees(game: State, seat: int, other: int) -> bool:
    """Does the seat see the other's hand? At the end all are shown."""
    return seat == other or int(game.phase) == OVER


@rule
def known(game: State, seat: int, kind: int) -> int:
    """How many cards of a kind the seat knows the place of."""
    count = int(game.discards[kind]) + int(int(game.offer) == kind + 1)
    for other in range(int(game.players)):
        count += int(game.catches[other, kind])
        if sees(game, seat, other):
            count += int(game.hands[other, kind])
    return count


@rule
def redeal(game: State, pack: Pack, seat: int, stream: Array) -> None:
    """Take back the others' bids, and deal their hands and the deck anew."""
    if int(game.phase) == BID:
        for other in range(int(game.players)):
            if other != seat:
                game.bids[other] = 0
        own = 1 << seat if seat >= 0 else 0
        game.owing = (everyone(game) & ~own) | (int(game.owing) & own)
    count = 0
    for kind in range(KINDS):
        for _ in range(int(pack.counts[kind]) - known(game, seat, kind)):
            game.deck[count] = kind + 1
            count += 1
    shuffle(stream, game.deck, 0, count)
    game.left = count
    for other in range(int(game.players)):
        if not sees(game, seat, other):
            cards = hand_size(game, other)
            for kind in range(KINDS):
                game.hands[other, kind] = 0
            for _ in range(cards):
                game.hands[other, draw(game) - 1] += 1
    renew(game.stream, stream)


@rule
def preview(game: State, pack: Pack, seat: int, action: int, out: Array) -> None:
    """The seat's sheet if this action alone happened: only who allows a theft loses by it."""
    if action == ALLOW:
        game.catches[seat, best(game, pack, seat)] -= 1
    sheet(game, pack, seat, out)


def forced(game: State, pack: Pack, seat: int) -> bool:
    """Nobody knows that a hand is all of a kind, or holds no reed (MIN-4)."""
    return False


def census(game: State, pack: Pack) -> list[int]:
    """All cards by kind, wherever they are."""
    counts = game.discards + game.hands.sum(axis=0) + game.catches.sum(axis=0)
    cards = [*game.deck.tolist(), int(game.offer)]
    return [int(counts[kind]) + cards.count(kind + 1) for kind in range(KINDS)]

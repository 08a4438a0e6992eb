"""What a seat can know: another world that looks the same, a choice's sheet, what has been seen."""

from __future__ import annotations

from pelagos.engine.rule import rule
from pelagos.engine.types import Array, Record
from pelagos.games.oceanos.actions import DONE, FUELS, KEEPS, PASS, UPGRADES
from pelagos.games.oceanos.cards import cards_in
from pelagos.games.oceanos.rules import discards_are_open, dive, keep, upgrade, whole_deck
from pelagos.games.oceanos.scoring import outlook
from pelagos.games.oceanos.state import (
    CARDS,
    DECKS,
    OVER,
    OWES_CARD,
    OWES_DIVE,
    OWES_EXTRA,
    OWES_UPGRADE,
    Pack,
    State,
)
from pelagos.games.oceanos.worlds import known_in_hand, last_lot_of, redeal

__all__ = ["census", "forced", "preview", "redeal", "remembered", "unseen"]


@rule
def preview(game: State, pack: Pack, seat: int, action: int, out: Array) -> None:
    """The seat's sheet as it would stand with this action alone."""
    stage = int(game.stage[seat])
    if stage == OWES_CARD:
        keep(game, seat, action - KEEPS)
    elif stage == OWES_EXTRA and action != DONE:
        keep(game, seat, action - FUELS)
    elif stage == OWES_DIVE and action != PASS:
        dive(game, seat)
    elif stage == OWES_UPGRADE and action != PASS:
        upgrade(game, seat, action - UPGRADES)
    outlook(game, pack, seat, out)


def forced(game: Record, pack: Record, seat: int) -> bool:
    """Everyone knows of a last card in hand."""
    return int(game.stage[seat]) == OWES_CARD


def unseen(game: Record, seat: int, depth: int) -> int:
    """The round's cards that the seat has not seen yet (-1: that nobody need have seen)."""
    seen = int(game.aside[depth])
    if seat >= 0:
        seen |= int(game.seen[seat, depth])
    if depth <= int(game.depth):
        rows, sizes = game.rows[:, depth].tolist(), game.row_size[:, depth].tolist()
        for row, size in zip(rows, sizes, strict=True):
            for card in row[:size]:
                seen |= 1 << card
    return int(whole_deck(depth)) & ~seen


def remembered(game: Record, seat: int) -> list[int]:
    """The cards that the seat saw go under the deck this round, and has not seen since."""
    if discards_are_open(game) or seat < 0:
        return []
    out_of_sight = 0
    for place in range(int(game.depth) * CARDS, (int(game.depth) + 1) * CARDS):
        out_of_sight |= 1 << int(game.deck[place])
    for other in range(int(game.players)):
        if other != seat:
            hidden = int(game.hands[other]) & ~int(known_in_hand(game, seat, other))
            out_of_sight |= hidden
    return [card for card in cards_in(out_of_sight & ~1) if int(last_lot_of(game, seat, card))]


def census(game: Record, pack: Record) -> list[int]:
    """All cards by round and number, then the Kraken tokens and the bag's tokens by value."""
    counts = []
    for depth, size in enumerate(DECKS):
        numbers = game.deck[depth * CARDS : (depth + 1) * CARDS].tolist()
        numbers += game.rows[:, depth].ravel().tolist()
        numbers += cards_in(int(game.aside[depth]))
        if depth == int(game.depth) and int(game.phase) != OVER:
            for hand in game.hands.tolist():
                numbers += cards_in(hand)
        counts += [numbers.count(card) for card in range(1, size + 1)]
    for tokens in (*game.kraken.tolist(), game.bag.tolist()):
        counts += [tokens.count(value) for value in sorted(set(tokens))]
    return counts

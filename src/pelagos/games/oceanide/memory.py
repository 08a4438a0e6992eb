"""What every viewer knows of every hand: the cards that it saw go there and that can't have left.

A known card of an object is one beyond the copy in the showcase. When a copy leaves in public, the
showcase is refilled from the hand, so that one known copy fewer is in the hand; when one comes in
public to a seat that shows the object already, it goes to the hand, and all know it there.
"""

from __future__ import annotations

from pelagos.engine.rule import rule
from pelagos.games.oceanide.invariant import hand_size, hides, in_hand, is_shown
from pelagos.games.oceanide.state import KINDS, OBJECTS, SET, STEAL_ASKED, THIEF, Pack, State

# --- what is seen ---------------------------------------------------------------------------------


@rule
def all_see_leaving(game: State, owner: int, card: int, count: int) -> None:
    """Everyone saw cards of a kind leave the owner's showcase or hand (OCD-33)."""
    for viewer in range(int(game.players) + 1):
        game.known[owner, card, viewer] = max(0, int(game.known[owner, card, viewer]) - count)


@rule
def all_see_coming(game: State, owner: int, card: int) -> None:
    """Everyone saw an object go to the owner, who shows it already: it is in the hand."""
    for viewer in range(int(game.players) + 1):
        game.known[owner, card, viewer] += 1


@rule
def two_see_coming(game: State, owner: int, card: int, giver: int) -> None:
    """The owner and the giver, whose hand it was drawn from, saw a card go to the owner's hand."""
    game.known[owner, card, owner + 1] += 1
    game.known[owner, card, giver + 1] += 1


@rule
def see_drawn(
    game: State, owner: int, taker: int, first: int, second: int, landed: int, unseen: int
) -> None:
    """Two cards were drawn from the owner's hand. The owner and the taker saw which; the others saw
    those that landed in the taker's showcase (a mask), and no longer count on any card that the
    unseen ones could be: what the taker would have had to show isn't among them.

    Rulings OCD-21, OCD-34, OCD-35.
    """
    for viewer in range(int(game.players) + 1):
        took_part = viewer in (owner + 1, taker + 1)
        for card in range(KINDS):
            if took_part:
                gone = int(card == first) + int(card == second)
            else:
                gone = (landed >> card) & 1
                if hides(game, taker, card):
                    gone += unseen
            known = int(game.known[owner, card, viewer])
            game.known[owner, card, viewer] = max(0, known - gone)


# --- what is known --------------------------------------------------------------------------------


@rule
def known_in_hand(game: State, seat: int, viewer: int, card: int) -> int:
    """How many cards of a kind in a seat's hand the viewer (-1: a spectator) knows of."""
    if seat == viewer:
        return in_hand(game, seat, card)
    return int(game.known[seat, card, viewer + 1])


@rule
def unknown_in_hand(game: State, seat: int, viewer: int) -> int:
    """How many cards of a seat's hand the viewer doesn't know."""
    count = hand_size(game, seat)
    for card in range(KINDS):
        count -= known_in_hand(game, seat, viewer, card)
    return count


@rule
def laid_aside(game: State, card: int) -> int:
    """How many cards of a kind are in collections, in the discard, or played and not answered."""
    count = 0
    for seat in range(int(game.players)):
        if card < OBJECTS:
            count += SET * int(game.sets[seat, card])
        elif card == THIEF:
            count += int(game.thieves[seat])
    if card >= OBJECTS:
        count += int(game.discards[card - OBJECTS])
    if card == THIEF and int(game.phase) == STEAL_ASKED:
        count += 1
    return count


@rule
def unseen(game: State, pack: Pack, viewer: int, card: int) -> int:
    """How many cards of a kind the viewer doesn't know the place of."""
    count = int(pack.copies[card]) - laid_aside(game, card)
    for seat in range(int(game.players)):
        count -= is_shown(game, seat, card) + known_in_hand(game, seat, viewer, card)
    return count

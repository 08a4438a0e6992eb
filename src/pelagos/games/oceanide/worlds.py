"""The worlds that a seat may think possible, and how one of them is drawn.

What the seat knows lies fixed. Every other card lies in the deck or in a hand that could hold it: a
thief or a king in any, an object in that of a seat that shows it. All ways to deal those cards,
each card told from its twins, are equally likely, as long as every hand gets its number of cards.

Cards that fit the same hands are a *group*. How many ways there are to fill the hands up to given
numbers from the first groups is counted group after group; then the groups are dealt from the
last to the first, each time in one of all ways that can be completed, weighed by their numbers.
So no draw is ever thrown away. The numbers are far beyond 64 bits, so they are floating: a world's
weight is true to about 15 digits.

The numbers of all groups are kept as long as there is room for them; of fuller hands they are
counted anew for each group. Hands fuller than that, which no game with the box's cards has ever
seen, are mixed by exchanging cards.
"""

from __future__ import annotations

from itertools import accumulate
from operator import mul

from pelagos.engine.rule import constants, rule, uint64
from pelagos.engine.scratch import real_numbers, whole_numbers
from pelagos.engine.stream import below, shuffle, word
from pelagos.engine.types import Array
from pelagos.games.oceanide.invariant import hides, in_hand, is_shown
from pelagos.games.oceanide.memory import known_in_hand, unknown_in_hand, unseen
from pelagos.games.oceanide.state import DECK, KINDS, SEATS, Pack, State

GROUPS = 1 << SEATS
"""A group is a mask of hands."""
FACTORIALS = constants(list(accumulate(range(1, DECK + 1), mul, initial=1.0)), "float64")
FRACTION = uint64(11)
"""Bits of a random word that a floating number has no room for."""
UNIT = 2.0**-53
MOST_WAYS = 1 << 16
"""Of how many numbers of ways there is room."""
EXCHANGES = 64
"""For each hidden card, where hands are mixed."""


@rule
def draw_world(game: State, pack: Pack, viewer: int, stream: Array) -> None:
    """Deal all cards of unknown place anew (OCD-36)."""
    left = whole_numbers(KINDS)
    room = whole_numbers(SEATS)
    fits = whole_numbers(KINDS)
    for card in range(KINDS):
        left[card] = unseen(game, pack, viewer, card)
    fillings = 1
    for seat in range(SEATS):
        room[seat] = 0
        if seat < int(game.players) and seat != viewer:
            room[seat] = unknown_in_hand(game, seat, viewer)
        fillings *= room[seat] + 1
    if 2 * fillings > MOST_WAYS:
        mix_hands(game, left, room, viewer, stream)
    else:
        for seat in range(int(game.players)):
            if seat != viewer:
                for card in range(KINDS):
                    known = known_in_hand(game, seat, viewer, card)
                    game.own[seat, card] = is_shown(game, seat, card) + known
        for card in range(KINDS):
            fits[card] = hands_for(game, card, room)
        fill_hands(game, left, room, fits, stream)
    fill_deck(game, left, stream)


@rule
def hands_for(game: State, card: int, room: Array) -> int:
    """Mask of the hands that could hold a card and have room."""
    mask = 0
    for seat in range(SEATS):
        if room[seat] > 0 and hides(game, seat, card):
            mask |= 1 << seat
    return mask


@rule
def fill_deck(game: State, left: Array, stream: Array) -> None:
    """The cards that are left are the deck, in any order."""
    place = int(game.top)
    for card in range(KINDS):
        for _ in range(left[card]):
            game.deck[place] = card + 1
            place += 1
    shuffle(stream, game.deck, int(game.top), place)


@rule
def fill_hands(game: State, left: Array, room: Array, fits: Array, stream: Array) -> None:
    """Fill every hand's room, group by group, the group that fits the most hands first."""
    sizes = whole_numbers(GROUPS)
    for group in range(GROUPS):
        sizes[group] = 0
    for card in range(KINDS):
        sizes[fits[card]] += left[card]
    last, count = 0, 0
    for group in range(1, GROUPS):
        if sizes[group]:
            last = group
            count += 1
    if count == 0:
        return
    steps = whole_numbers(SEATS)
    whole = whole_numbers(SEATS)
    fillings = 1
    for seat in range(SEATS):
        steps[seat] = fillings
        whole[seat] = room[seat]
        fillings *= room[seat] + 1
    ways = real_numbers(MOST_WAYS)
    are_kept = (count + 1) * fillings <= MOST_WAYS
    if are_kept:
        count_ways(ways, fillings, sizes, whole, steps, last, fillings)
    share = whole_numbers(SEATS)
    most = whole_numbers(SEATS)
    for group in range(last, 0, -1):
        if sizes[group]:
            count -= 1
            for seat in range(SEATS):
                most[seat] = room[seat] * ((group >> seat) & 1)
            first = count * fillings
            if not are_kept:
                first = 0
                count_ways(ways, fillings, sizes, whole, steps, group, 0)
            now = ways[first : first + fillings]
            draw_shares(now, sizes[group], room, steps, most, share, stream)
            for seat in range(SEATS):
                room[seat] -= share[seat]
                for _ in range(share[seat]):
                    sizes[group] -= 1
                    deal_one(game, seat, left, fits, group, below(stream, sizes[group] + 1))


@rule
def deal_one(game: State, seat: int, left: Array, fits: Array, group: int, place: int) -> None:
    """The card at a place of what is left of a group goes to the seat's hand."""
    for card in range(KINDS):
        if fits[card] == group:
            place -= left[card]
            if place < 0:
                left[card] -= 1
                game.own[seat, card] += 1
                return


@rule
def count_ways(
    ways: Array, fillings: int, sizes: Array, room: Array, steps: Array, last: int, apart: int
) -> None:
    """In how many ways the groups before the last fill the hands as far as each filling says, for
    no group, the first, the first two, …, each `apart` from the one before; 0: in its place.

    A filling is a number with one digit a hand, `steps` apart. One card more goes to no hand, as
    before, or to one of those it fits, which then had one card less.
    """
    for filling in range(fillings):
        ways[filling] = 0.0
    ways[0] = 1.0
    without = ways[ways.shape[0] - fillings :]
    place = 0
    for group in range(1, last):
        if sizes[group]:
            if apart:
                for filling in range(place, place + fillings):
                    ways[filling + apart] = ways[filling]
                place += apart
            now = ways[place : place + fillings]
            for _ in range(sizes[group]):
                for filling in range(fillings):
                    without[filling] = now[filling]
                for seat in range(SEATS):
                    if (group >> seat) & 1:
                        add_one_more(now, without, steps[seat], steps[seat] * (room[seat] + 1))


@rule
def add_one_more(now: Array, without: Array, step: int, turn: int) -> None:
    """Add the ways in which the card goes to the hand whose digit counts by `step`."""
    for first in range(0, now.shape[0], turn):
        for filling in range(first + step, first + turn):
            now[filling] += without[filling - step]


@rule
def draw_shares(
    ways: Array, size: int, room: Array, steps: Array, most: Array, share: Array, stream: Array
) -> None:
    """Draw how many of a group's cards each hand gets, up to its most: weighed by the ways in which
    the groups before can fill the rest of the room.
    """
    full = 0
    for seat in range(SEATS):
        full += room[seat] * steps[seat]
        share[seat] = 0
    total = 0.0
    choices, last = 0, 0
    while True:
        number = ways_to_share(ways, size, full, steps, share)
        total += number
        choices += 1
        if number > 0.0:
            last = choices
        if not next_share(share, most):
            break
    lot = float(word(stream) >> FRACTION) * UNIT * total
    for _ in range(last - 1):
        lot -= ways_to_share(ways, size, full, steps, share)
        if lot < 0.0:
            break
        next_share(share, most)


@rule
def next_share(share: Array, most: Array) -> bool:
    """Count on to the next shares; false, and all shares are 0, after the last."""
    for seat in range(SEATS):
        if share[seat] < most[seat]:
            share[seat] += 1
            return True
        share[seat] = 0
    return False


@rule
def ways_to_share(ways: Array, size: int, full: int, steps: Array, share: Array) -> float:
    """In how many ways a group's cards are shared out so, and the groups before fill the rest."""
    left = size
    filling = full
    number = 1.0
    for seat in range(SEATS):
        left -= share[seat]
        filling -= share[seat] * steps[seat]
        number *= FACTORIALS[share[seat]]
    if left < 0:
        return 0.0
    return float(ways[filling] * (FACTORIALS[size] / (FACTORIALS[left] * number)))


# --- hands too full to be counted -----------------------------------------------------------------


@rule
def mix_hands(game: State, left: Array, room: Array, viewer: int, stream: Array) -> None:
    """Exchange hidden cards that fit each other's places, many times for each card."""
    hidden = 0
    for card in range(KINDS):
        hidden += left[card]
    for seat in range(SEATS):
        if room[seat]:
            for card in range(KINDS):
                left[card] -= hidden_in_hand(game, seat, viewer, card)
    for _ in range(EXCHANGES * hidden):
        first = hidden_card(game, left, room, viewer, below(stream, hidden))
        second = hidden_card(game, left, room, viewer, below(stream, hidden))
        seat, card = first // KINDS, first % KINDS
        other, instead = second // KINDS, second % KINDS
        if may_hold(game, seat, instead) and may_hold(game, other, card):
            put(game, left, seat, card, -1)
            put(game, left, other, instead, -1)
            put(game, left, seat, instead, 1)
            put(game, left, other, card, 1)


@rule
def hidden_in_hand(game: State, seat: int, viewer: int, card: int) -> int:
    """How many cards of a kind a seat holds that the viewer doesn't know of."""
    return in_hand(game, seat, card) - known_in_hand(game, seat, viewer, card)


@rule
def hidden_card(game: State, left: Array, room: Array, viewer: int, place: int) -> int:
    """The hidden card at a place: its kind, and KINDS times its seat (SEATS: the deck)."""
    for seat in range(SEATS):
        if room[seat]:
            if place < room[seat]:
                for card in range(KINDS):
                    place -= hidden_in_hand(game, seat, viewer, card)
                    if place < 0:
                        return seat * KINDS + card
            place -= room[seat]
    card = 0
    while place >= left[card]:
        place -= left[card]
        card += 1
    return SEATS * KINDS + card


@rule
def may_hold(game: State, seat: int, card: int) -> bool:
    """May a hidden card lie in this hand (SEATS: in the deck)?"""
    return seat == SEATS or hides(game, seat, card)


@rule
def put(game: State, left: Array, seat: int, card: int, count: int) -> None:
    """Put a card into a hand, or the deck, or take it away."""
    if seat == SEATS:
        left[card] += count
    else:
        game.own[seat, card] += count

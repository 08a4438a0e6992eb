"""Redeal: another world that looks the same to a seat.

What a seat has in sight stays: laid cards, open discards, its own hand, what it knows to lie in
another's. A card out of sight has been in some lot when the seat last knew it (lot 0 if never),
and can only be there, or where cards drawn from there went. The cards out of sight are dealt
anew to the places they may be in: the lots left in the deck, and the hidden parts of hands.

Which of a hand's cards came from which lot is not remembered where a hand spans two of them.
"""

from __future__ import annotations

from pelagos.engine.rule import rule
from pelagos.engine.stream import below, renew, shuffle
from pelagos.engine.types import Array
from pelagos.games.oceanos.rules import (
    choose_kraken,
    count_of,
    discards_are_open,
    first_of,
    has_captain,
    is_chance,
    is_laying_now,
    lay,
)
from pelagos.games.oceanos.state import (
    AID,
    BOAT,
    CAPTAIN_KEEP,
    CAPTAIN_LAY,
    CARDS,
    DECKS,
    FUEL,
    HAS_TREASURE,
    KEEP,
    KRAKENS,
    LAY,
    LOTS,
    NUMBERS,
    OVER,
    OWES_CARD,
    OWES_UNDER,
    OWES_UPGRADE,
    PLACES,
    PROPELLER,
    ROUNDS,
    TREASURES,
    UNDER,
    Pack,
    State,
)


@rule
def redeal(game: State, pack: Pack, seat: int, stream: Array) -> None:
    """Deal anew what the seat can't know."""
    take_back(game, pack, seat)
    if int(game.phase) != OVER:
        redeal_round(game, seat, stream)
        for depth in range(int(game.depth) + 1, ROUNDS):
            for place in range(DECKS[depth]):
                game.deck[depth * CARDS + place] = place + 1
            shuffle(stream, game.deck, depth * CARDS, depth * CARDS + DECKS[depth])
    for size in range(ROUNDS):
        if not (int(game.flipped) >> size) & 1:
            choose_kraken(game, pack, size, below(stream, KRAKENS))
    refill_bag(game, stream)
    forget_others(game, seat)
    renew(game.stream, stream)


# --- unrevealed choices -----------------------------------------------------------------------------


@rule
def take_back(game: State, pack: Pack, seat: int) -> None:
    """Take back the choices of all other seats that are not revealed yet."""
    phase = int(game.phase)
    if is_chance(phase) or phase == OVER:
        return
    for other in range(int(game.players)):
        if other != seat:
            if phase == KEEP and is_laying_now(game, other):
                unkeep(game, other)
            elif phase == CAPTAIN_KEEP and other == int(game.captain):
                unkeep(game, other)
            elif phase == LAY or phase == CAPTAIN_LAY or phase == AID:
                unlay(game, pack, other)
            elif phase == UNDER and int(game.hands[other]):
                game.under[other] = 0
                owe(game, other, OWES_UNDER)


@rule
def owe(game: State, seat: int, stage: int) -> None:
    """The seat owes this again."""
    game.stage[seat] = stage
    game.owing |= 1 << seat


@rule
def unkeep(game: State, seat: int) -> None:
    """Put kept cards back into the hand, and their fuel back on board."""
    depth = int(game.depth)
    first = int(game.row_size[seat, depth])
    kept = int(game.kept[seat])
    for column in range(first, first + kept):
        game.hands[seat] |= 1 << int(game.rows[seat, depth, column])
        game.rows[seat, depth, column] = 0
    if kept > 1:
        game.boat[seat, FUEL] += kept - 1
    game.kept[seat] = 0
    owe(game, seat, OWES_CARD)


@rule
def unlay(game: State, pack: Pack, seat: int) -> None:
    """Go back to before the seat's first choice of divers and parts."""
    if int(game.boat_before[seat, PROPELLER]) == 0:
        return
    for item in range(BOAT):
        game.boat[seat, item] = game.boat_before[seat, item]
        game.boat_before[seat, item] = 0
    game.dived[seat] = game.dived_before[seat]
    game.dived_before[seat] = 0
    game.laying[seat] = game.laying_before[seat]
    game.laying_before[seat] = 0
    if int(game.phase) == AID:
        owe(game, seat, OWES_UPGRADE)
    else:
        lay(game, pack, seat, HAS_TREASURE)


# --- cards out of sight -----------------------------------------------------------------------------


@rule
def known_in_hand(game: State, seat: int, other: int) -> int:
    """The cards that the seat knows to lie in another's hand."""
    if seat < 0 or (has_captain(game) and other != int(game.captain)):
        return 0
    return int(game.given[seat]) & int(game.hands[other])


@rule
def last_lot_of(game: State, seat: int, card: int) -> int:
    """The lot in which the seat last knew the card."""
    if discards_are_open(game):
        return int(game.lot_of[0, card])
    return int(game.lot_of[seat, card]) if seat >= 0 else 0


@rule
def redeal_round(game: State, seat: int, stream: Array) -> None:
    """Deal this round's cards that are out of the seat's sight."""
    first = int(game.depth) * CARDS
    unknown = 0
    for place in range(first, first + CARDS):
        unknown |= 1 << int(game.deck[place])
        game.deck[place] = 0
    for other in range(int(game.players)):
        if other != seat:
            hidden = int(game.hands[other]) & ~known_in_hand(game, seat, other)
            game.hands[other] &= ~hidden
            game.room[LOTS + other] = count_of(hidden)
            unknown |= hidden
    unknown &= ~1
    game.top = 0
    if are_alike(game, seat, unknown):
        deal_freely(game, unknown, stream)
    else:
        deal_by_lots(game, seat, unknown, stream)
    for place in range(PLACES):
        game.room[place] = 0


@rule
def are_alike(game: State, seat: int, cards: int) -> bool:
    """Were all these cards last known in one lot, so that each may be wherever another may?"""
    lot = last_lot_of(game, seat, first_of(cards)) if cards else 0
    while cards:
        if last_lot_of(game, seat, first_of(cards)) != lot:
            return False
        cards &= cards - 1
    return True


@rule
def deal_freely(game: State, cards: int, stream: Array) -> None:
    """Shuffle all cards; the deck takes the first of them, hands the rest."""
    first = int(game.depth) * CARDS
    end = first
    while cards:
        game.deck[end] = first_of(cards)
        cards &= cards - 1
        end += 1
    shuffle(stream, game.deck, first, end)
    place = first + int(game.left)
    for other in range(int(game.players)):
        for _ in range(int(game.room[LOTS + other])):
            game.hands[other] |= 1 << int(game.deck[place])
            game.deck[place] = 0
            place += 1


@rule
def deal_by_lots(game: State, seat: int, cards: int, stream: Array) -> None:
    """Give each card a place where it may be, cards seen last first; then shuffle each lot."""
    for lot in range(LOTS):
        game.room[lot] = game.lots[lot]
    rest = cards
    while rest:
        game.crowd[last_lot_of(game, seat, first_of(rest))] += 1
        rest &= rest - 1
    for lot in range(LOTS):
        game.reach[lot] = places_reached(game, lot)
    for step in range(LOTS):
        lot = LOTS - 1 - step
        rest = cards if int(game.crowd[lot]) else 0
        while rest:
            card = first_of(rest)
            rest &= rest - 1
            if last_lot_of(game, seat, card) == lot:
                put(game, card, choose_place(game, lot, stream))
    shuffle_lots(game, stream)


@rule
def places_reached(game: State, lot: int) -> int:
    """Mask of the places with room where a card last known in this lot may be."""
    places = 0
    for other in range(LOTS):
        if int(game.room[other]) and (int(game.sources[other]) >> lot) & 1:
            places |= 1 << other
    for other in range(int(game.players)):
        if int(game.room[LOTS + other]) and (int(game.drawn[other]) >> lot) & 1:
            places |= 1 << (LOTS + other)
    return places


@rule
def room_in(game: State, places: int) -> int:
    """How many cards these places still take."""
    room = 0
    for place in range(PLACES):
        room += int(game.room[place]) * ((places >> place) & 1)
    return room


@rule
def choose_place(game: State, lot: int, stream: Array) -> int:
    """A random free place for a card last known in this lot, such that all others find theirs."""
    places = int(game.reach[lot])
    game.crowd[lot] -= 1
    while True:
        number = below(stream, room_in(game, places))
        place = 0
        while True:
            number -= int(game.room[place]) * ((places >> place) & 1)
            if number < 0:
                break
            place += 1
        game.room[place] -= 1
        if all_fit(game):
            return place
        game.room[place] += 1
        places &= ~(1 << place)


@rule
def all_fit(game: State) -> bool:
    """Can all cards without a place still find one? By Hall's theorem they can if any group of
    lots has no more of them than there is room within its reach."""
    waiting = 0
    for lot in range(LOTS):
        if int(game.crowd[lot]):
            waiting |= 1 << lot
    group = waiting
    while group:
        cards = 0
        places = 0
        for lot in range(LOTS):
            if (group >> lot) & 1:
                cards += int(game.crowd[lot])
                places |= int(game.reach[lot])
        if cards > room_in(game, places):
            return False
        group = (group - 1) & waiting
    return True


@rule
def put(game: State, card: int, place: int) -> None:
    """Put a card into a hand, or into the next free place of its lot."""
    if place >= LOTS:
        game.hands[place - LOTS] |= 1 << card
        return
    at = int(game.depth) * CARDS - 1 - int(game.room[place])
    for lot in range(place + 1):
        at += int(game.lots[lot])
    game.deck[at] = card


@rule
def shuffle_lots(game: State, stream: Array) -> None:
    """Nobody knows the order within a lot."""
    first = int(game.depth) * CARDS
    for lot in range(LOTS):
        size = int(game.lots[lot])
        shuffle(stream, game.deck, first, first + size)
        first += size
        game.crowd[lot] = 0
        game.reach[lot] = 0


# --- tokens, and what others remember ---------------------------------------------------------------


@rule
def refill_bag(game: State, stream: Array) -> None:
    """Shuffle the tokens that nobody has drawn."""
    first = 0
    for seat in range(int(game.players)):
        first += int(game.chests[seat])
    for place in range(first + 1, TREASURES):
        token = int(game.bag[place])
        other = place
        while other > first and int(game.bag[other - 1]) > token:
            game.bag[other] = game.bag[other - 1]
            other -= 1
        game.bag[other] = token
    shuffle(stream, game.bag, first, TREASURES)


@rule
def forget_others(game: State, seat: int) -> None:
    """What others remember of cards out of the seat's sight isn't known to it either."""
    depth = int(game.depth)
    if has_captain(game):
        shares = seat == int(game.captain)
    else:
        shares = seat >= 0
    for other in range(int(game.players)):
        if other != seat:
            for past in range(ROUNDS):
                game.seen[other, past] = 0
            game.seen[other, depth] = game.hands[other]
            if not shares:
                game.given[other] = 0
            if not discards_are_open(game):
                for card in range(NUMBERS):
                    game.lot_of[other, card] = 0

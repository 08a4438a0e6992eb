"""Redeal: another world that looks the same to a seat.

What a seat has in sight stays: laid cards, open discards, its own hand, what it knows to lie in
another's. A card out of sight has been in some lot when the seat last knew it (lot 0 if never),
and can only be there, or where cards drawn from there went. The cards out of sight are dealt
anew to the places they may be in: the lots left in the deck, and the hidden parts of hands.

Which of a hand's cards came from which lot is not remembered where a hand spans two of them.
"""

from __future__ import annotations

from pelagos.engine.bits import count_of, first_of
from pelagos.engine.rule import rule
from pelagos.engine.stream import below, renew, shuffle
from pelagos.engine.types import Array
from pelagos.games.oceanos.rules import (
    choose_kraken,
    discards_are_open,
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
    KINDS,
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
    SEATS,
    TREASURES,
    UNDER,
    UNDER_LAST,
    Pack,
    State,
)


@rule
def redeal(game: State, pack: Pack, seat: int, stream: Array) -> None:
    """Deal anew what the seat can't know (OCN-65, OCN-66)."""
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


# --- unrevealed choices -----------------------------------------------------------------------


@rule
def take_back(game: State, pack: Pack, seat: int) -> None:
    """Take back the choices of all other seats that are not revealed yet."""
    phase = int(game.phase)
    if is_chance(phase) or phase == OVER:
        return
    for other in range(int(game.players)):
        if other != seat:
            if keeps_now(game, other):
                unkeep(game, other)
            elif phase == LAY or phase == CAPTAIN_LAY or phase == AID:
                unlay(game, pack, other)
            elif phase == UNDER and int(game.hands[other]):
                game.under[other] = 0
                owe(game, other, OWES_UNDER)


@rule
def keeps_now(game: State, seat: int) -> bool:
    """Is this the phase in which the seat keeps cards?"""
    phase = int(game.phase)
    if phase == CAPTAIN_KEEP:
        return seat == int(game.captain)
    return phase == KEEP and is_laying_now(game, seat)


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


# --- cards out of sight -----------------------------------------------------------------------


@rule
def receiver(game: State, giver: int) -> int:
    """Whom a seat gives cards to: the captain; with two players, the other."""
    return int(game.captain) if has_captain(game) else 1 - giver


@rule
def kept_cards(game: State, seat: int) -> int:
    """The cards that the seat keeps face down."""
    depth = int(game.depth)
    first = int(game.row_size[seat, depth])
    cards = 0
    for column in range(first, first + int(game.kept[seat])):
        cards |= 1 << int(game.rows[seat, depth, column])
    return cards


@rule
def known_in_hand(game: State, seat: int, other: int) -> int:
    """The cards that the seat knows to lie in another's hand, as long as nothing is revealed."""
    if seat < 0 or seat == other or receiver(game, seat) != other:
        return 0
    return int(game.given[seat]) & (int(game.hands[other]) | kept_cards(game, other))


@rule
def knows_giving(game: State, seat: int, giver: int) -> bool:
    """Does the seat know what this one gave away?"""
    return seat >= 0 and (seat == giver or seat == receiver(game, giver))


@rule
def just_laid(game: State, seat: int) -> int:
    """The cards that the seat has laid this turn, if it has: one without fuel, and all after it."""
    phase = int(game.phase)
    if has_captain(game):
        has_laid = phase == CAPTAIN_LAY or phase == UNDER_LAST
    else:
        has_laid = phase == LAY or phase == UNDER
    if not has_laid:
        return 0
    depth = int(game.depth)
    column = int(game.row_size[seat, depth]) - 1
    cards = 1 << int(game.rows[seat, depth, column])
    while (int(game.fuelled[seat]) >> column) & 1:
        column -= 1
        cards |= 1 << int(game.rows[seat, depth, column])
    return cards


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
    game.top = 0
    for lot in range(LOTS):
        game.room[lot] = game.lots[lot]
    for other in range(int(game.players)):
        if other != seat:
            hidden = int(game.hands[other]) & ~known_in_hand(game, seat, other)
            game.hands[other] &= ~hidden
            game.room[LOTS + other] = count_of(hidden)
            unknown |= hidden
    laid = open_gifts(game, seat)
    if are_alike(game, seat, (unknown | laid) & ~1):
        deal_freely(game, unknown & ~1, laid, stream)
    else:
        deal_by_lots(game, seat, unknown & ~1, laid, stream)
    for place in range(PLACES):
        game.room[place] = 0


@rule
def open_gifts(game: State, seat: int) -> int:
    """Make room for what others gave away, which is part of another's hand; return the cards laid
    from such a hand, which may have been given too.
    """
    laid = 0
    for giver in range(int(game.players)):
        other = receiver(game, giver)
        if other != giver and int(game.given[giver]) and not knows_giving(game, seat, giver):
            count = count_of(int(game.given[giver]))
            game.room[LOTS + SEATS + giver] = count
            game.room[LOTS + other] -= count
            game.given[giver] = 0
            laid |= just_laid(game, other)
    if seat >= 0:
        laid &= ~int(game.given[seat])
    for other in range(int(game.players)):
        game.room[LOTS + other] += count_of(laid & just_laid(game, other))
    return laid


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
def deal_freely(game: State, cards: int, laid: int, stream: Array) -> None:
    """Shuffle all cards; the deck takes the first of them, hands and gifts the rest."""
    first = int(game.depth) * CARDS
    end = first
    while cards:
        game.deck[end] = first_of(cards)
        cards &= cards - 1
        end += 1
    shuffle(stream, game.deck, first, end)
    while laid:
        card = first_of(laid)
        laid &= laid - 1
        place = random_place(game, origins(game, card), stream)
        game.room[place] -= 1
        note_gift(game, card, place)
    at = first + int(game.left)
    for place in range(LOTS, PLACES):
        for _ in range(int(game.room[place])):
            put(game, int(game.deck[at]), place)
            game.deck[at] = 0
            at += 1


@rule
def deal_by_lots(game: State, seat: int, cards: int, laid: int, stream: Array) -> None:
    """Give each card a place where it may be, cards seen last first; then shuffle each lot."""
    rest = cards
    while rest:
        game.crowd[last_lot_of(game, seat, first_of(rest))] += 1
        rest &= rest - 1
    for lot in range(LOTS):
        game.reach[lot] = places_reached(game, lot)
    kind = LOTS
    rest = laid
    while rest:
        card = first_of(rest)
        rest &= rest - 1
        game.crowd[kind] = 1
        game.reach[kind] = places_reached(game, last_lot_of(game, seat, card)) & origins(game, card)
        kind += 1
    kind = LOTS
    while laid:
        card = first_of(laid)
        laid &= laid - 1
        note_gift(game, card, choose_place(game, kind, stream))
        kind += 1
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
def origins(game: State, card: int) -> int:
    """Mask of the places that a card just laid may have come from: its seat's hand, or a gift."""
    places = 0
    for other in range(int(game.players)):
        if (just_laid(game, other) >> card) & 1:
            places |= 1 << (LOTS + other)
            for giver in range(int(game.players)):
                if giver != other and receiver(game, giver) == other:
                    places |= 1 << (LOTS + SEATS + giver)
    return places


@rule
def places_reached(game: State, lot: int) -> int:
    """Mask of the places with room where a card last known in this lot may be."""
    places = 0
    for other in range(LOTS):
        if int(game.room[other]) and (int(game.sources[other]) >> lot) & 1:
            places |= 1 << other
    for other in range(int(game.players)):
        if (int(game.drawn[other]) >> lot) & 1:
            if int(game.room[LOTS + other]):
                places |= 1 << (LOTS + other)
            if int(game.room[LOTS + SEATS + other]):
                places |= 1 << (LOTS + SEATS + other)
    return places


@rule
def room_in(game: State, places: int) -> int:
    """How many cards these places still take."""
    room = 0
    for place in range(PLACES):
        room += int(game.room[place]) * ((places >> place) & 1)
    return room


@rule
def random_place(game: State, places: int, stream: Array) -> int:
    """One of these places, each as likely as it has room."""
    number = below(stream, room_in(game, places))
    place = 0
    while True:
        number -= int(game.room[place]) * ((places >> place) & 1)
        if number < 0:
            return place
        place += 1


@rule
def choose_place(game: State, kind: int, stream: Array) -> int:
    """A random free place for a card of this kind, such that all others can find theirs."""
    places = int(game.reach[kind])
    game.crowd[kind] -= 1
    while True:
        place = random_place(game, places, stream)
        game.room[place] -= 1
        if all_fit(game):
            return place
        game.room[place] += 1
        places &= ~(1 << place)


@rule
def all_fit(game: State) -> bool:
    """Can all cards without a place still find one? By Hall's theorem they can if no group of
    kinds has more of them than there is room within its reach.
    """
    waiting = 0
    for kind in range(KINDS):
        if int(game.crowd[kind]):
            waiting |= 1 << kind
    group = waiting
    while group:
        cards = 0
        places = 0
        for kind in range(KINDS):
            if (group >> kind) & 1:
                cards += int(game.crowd[kind])
                places |= int(game.reach[kind])
        if cards > room_in(game, places):
            return False
        group = (group - 1) & waiting
    return True


@rule
def note_gift(game: State, card: int, place: int) -> None:
    """If the card comes from a gift, the giver knows that it gave it."""
    if place >= LOTS + SEATS:
        game.given[place - LOTS - SEATS] |= 1 << card


@rule
def put(game: State, card: int, place: int) -> None:
    """Put a card into a hand, drawn or given, or into the next free place of its lot."""
    if place >= LOTS:
        holder = place - LOTS
        if place >= LOTS + SEATS:
            holder = receiver(game, place - LOTS - SEATS)
        game.hands[holder] |= 1 << card
        note_gift(game, card, place)
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
    for kind in range(KINDS):
        game.crowd[kind] = 0
        game.reach[kind] = 0


# --- tokens, and what others remember ---------------------------------------------------------


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
    """What others remember of lots, and have held earlier, isn't known to the seat."""
    depth = int(game.depth)
    for other in range(int(game.players)):
        if other != seat:
            for past in range(ROUNDS):
                game.seen[other, past] = 0
            game.seen[other, depth] = int(game.hands[other]) | int(game.given[other])
            if not discards_are_open(game):
                for card in range(NUMBERS):
                    game.lot_of[other, card] = 0

"""Oceanos' rules, in the rulebook's order: set-up, deal, keep, lay, captain, round's end; two
players; Troubled Waters.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pelagos.engine.bits import count_of, first_of
from pelagos.engine.errors import BadOption
from pelagos.engine.game import BY_LOT
from pelagos.engine.rule import rule
from pelagos.engine.stream import below
from pelagos.engine.stream import shuffle as shuffle_cards
from pelagos.engine.types import CHANCE, HIDDEN, SHOWN, TURNED, Array
from pelagos.engine.view import text
from pelagos.games.oceanos.actions import DIVE, DONE, FUELS, KEEPS, PASS, UNDERS, UPGRADES
from pelagos.games.oceanos.state import (
    AID,
    AIRLOCK,
    AQUARIUM,
    BOAT,
    CAPTAIN_KEEP,
    CAPTAIN_LAY,
    CARDS,
    COCKPIT,
    COLUMNS,
    DECKS,
    DIVERS,
    FUEL,
    GREEN,
    HAS_BASE,
    HAS_GREEN,
    HAS_TREASURE,
    HAS_YELLOW,
    KEEP,
    KRAKENS,
    LAY,
    LEVELS,
    LOTS,
    MOTOR,
    NEW_DIVERS,
    NOTHING,
    NUMBERS,
    OVER,
    OWES_CARD,
    OWES_DIVE,
    OWES_EXTRA,
    OWES_UNDER,
    OWES_UPGRADE,
    PROPELLER,
    RESHUFFLE_DEAL,
    RESHUFFLE_FILL,
    ROUNDS,
    SEATS,
    TAKE,
    TREASURES,
    TURNS,
    UNDER,
    UNDER_FIRST,
    UNDER_LAST,
    YELLOW,
    Pack,
    State,
)

PROPELLER_STARS = (0, 0, 2, 5)
AQUARIUM_ROOM = (0, 3, 5, 8)
ANIMAL_STARS = 2
"""By level, which starts at 1. Of the other parts the level itself is the number: of fuel tokens
a round, of periscopes, of divers."""

# --- options ----------------------------------------------------------------------------------


def check(options: Mapping[str, Any]) -> None:
    """Refuse options that don't go together (OCN-56)."""
    if options["troubled"] and options["players"] == 2:
        raise BadOption(text("oceanos/refuse.troubled_two"))


def configure(game: State, options: Mapping[str, Any]) -> None:
    """Write the options into an empty state."""
    game.players = options["players"]
    game.troubled = int(options["troubled"])
    game.all_dives = int(options["all_dives"])
    game.third_level_first = int(options["third_level_first"])
    game.captain = options.get("captain", BY_LOT) + 1  # until the deal


# --- sets of cards ----------------------------------------------------------------------------


@rule
def whole_deck(depth: int) -> int:
    """All cards of a round."""
    return (2 << DECKS[depth]) - 2


# --- set-up -----------------------------------------------------------------------------------


@rule
def shuffle(game: State, pack: Pack) -> None:
    """Shuffle the three decks, draw a Kraken token of each size, fill the bag, name a captain,
    unless the host has chosen one.

    Rulings OCN-3, OCN-11.
    """
    for depth in range(ROUNDS):
        first = depth * CARDS
        for place in range(DECKS[depth]):
            game.deck[first + place] = place + 1
        shuffle_cards(game.stream, game.deck, first, first + DECKS[depth])
    for size in range(ROUNDS):
        choose_kraken(game, pack, size, below(game.stream, KRAKENS))
    for token in range(TREASURES):
        game.bag[token] = pack.bag[token]
    shuffle_cards(game.stream, game.bag, 0, TREASURES)
    if int(game.players) > 2:
        lot = below(game.stream, int(game.players))
        game.captain = int(game.captain) - 1 if int(game.captain) else lot


@rule
def choose_kraken(game: State, pack: Pack, size: int, token: int) -> None:
    """One token of a size is its round's; the other two leave the game (OCN-12)."""
    game.kraken[size, 0] = pack.kraken[size, token]
    place = 1
    for other in range(KRAKENS):
        if other != token:
            game.kraken[size, place] = pack.kraken[size, other]
            place += 1


@rule
def begin(game: State, pack: Pack) -> None:
    """All parts at level 1, one fuel, one diver; the first turn (OCN-1, OCN-2)."""
    for seat in range(int(game.players)):
        for part in range(LEVELS + 2):
            game.boat[seat, part] = 1
        game.boat[seat, FUEL] = 1
        game.boat[seat, DIVERS] = 1
    open_deck(game, 0)
    begin_turn(game)


@rule
def open_deck(game: State, depth: int) -> None:
    """A round's deck is one lot, from top to bottom."""
    game.depth = depth
    game.turn = 0
    game.top = 0
    game.left = DECKS[depth]
    game.lots[0] = DECKS[depth]
    game.sources[0] = 1


@rule
def has_captain(game: State) -> bool:
    """Three players and more have a captain."""
    return int(game.players) > 2


@rule
def discards_are_open(game: State) -> bool:
    """In the captain's game all that isn't laid is discarded face up: nobody knows more of the
    deck than the others (OCN-64).
    """
    return int(game.players) > 2 and not int(game.troubled)


@rule
def left_of_captain(game: State, steps: int) -> int:
    """The seat so many places to the captain's left."""
    seat = int(game.captain) + steps
    players = int(game.players)
    return seat - players if seat >= players else seat


@rule
def hand_due(game: State, seat: int) -> int:
    """Periscopes and one (OCN-33)."""
    return int(game.boat[seat, COCKPIT]) + 1


# --- the deck ---------------------------------------------------------------------------------


@rule
def draw(game: State, seat: int, count: int) -> None:
    """Move cards from the top of the deck to a hand."""
    depth = int(game.depth)
    first = depth * CARDS
    top = int(game.top)
    cards = 0
    for _ in range(count):
        cards |= 1 << int(game.deck[first + top])
        game.deck[first + top] = 0
        top += 1
        if top == CARDS:
            top = 0
    game.top = top
    game.left -= count
    game.hands[seat] |= cards
    game.seen[seat, depth] |= cards
    use_lots(game, seat, count)


@rule
def use_lots(game: State, seat: int, count: int) -> None:
    """Take drawn cards off the lots, and note where they may come from."""
    lot = int(game.lot)
    while count > 0:
        here = min(count, int(game.lots[lot]))
        if here > 0:
            game.lots[lot] -= here
            game.drawn[seat] |= game.sources[lot]
            count -= here
        if count > 0:
            lot += 1
    game.lot = lot


@rule
def add_lot(game: State, count: int, sources: int) -> int:
    """So many cards form a new lot at the deck's bottom."""
    lot = int(game.last_lot) + 1
    game.last_lot = lot
    game.lots[lot] = count
    game.sources[lot] = sources | (1 << lot)
    return lot


@rule
def put_below(game: State, card: int) -> None:
    """Put one card under the deck."""
    place = int(game.top) + int(game.left)
    if place >= CARDS:
        place -= CARDS
    game.deck[int(game.depth) * CARDS + place] = card
    game.left += 1


@rule
def remember(game: State, seat: int, cards: int, lot: int) -> None:
    """The seat knows that these cards are in this lot (OCN-65)."""
    while cards:
        game.lot_of[seat, first_of(cards)] = lot
        cards &= cards - 1


@rule
def fill_up(game: State, seat: int) -> bool:
    """Fill a hand from the deck to periscopes + 1. Can that be done without a reshuffle?

    Rulings OCN-23, OCN-50.
    """
    due = hand_due(game, seat) - count_of(int(game.hands[seat]))
    if due <= 0:
        return True
    count = min(due, int(game.left))
    draw(game, seat, count)
    return count == due or int(game.aside[int(game.depth)]) == 0


# --- a turn: deal -----------------------------------------------------------------------------


@rule
def begin_turn(game: State) -> None:
    """Deal; with two players both fill their hands (OCN-51)."""
    if not has_captain(game):
        fill_up(game, 0)
        fill_up(game, 1)
        begin_keeping(game)
        return
    due = 0
    for steps in range(1, int(game.players)):
        due += hand_due(game, left_of_captain(game, steps))
    there = int(game.left)
    if due > there:
        there += count_of(int(game.aside[int(game.depth)]))
    game.short = int(due > there)
    game.dealing = 1
    deal(game)


@rule
def deal(game: State) -> None:
    """Go on with the deal, from the captain's left, until a reshuffle is due or all is dealt."""
    dealt = deal_singly(game) if int(game.short) else deal_hands(game)
    if dealt:
        game.short = 0
        game.dealing = 0
        begin_keeping(game)
    else:
        game.phase = RESHUFFLE_DEAL


@rule
def deal_hands(game: State) -> bool:
    """Each seat its whole hand in turn. False: the discards must be shuffled first (OCN-25)."""
    for steps in range(int(game.dealing), int(game.players)):
        if not fill_up(game, left_of_captain(game, steps)):
            game.dealing = steps
            return False
    return True


@rule
def deal_singly(game: State) -> bool:
    """Too few cards for all hands: one at a time, passing over full hands, until none is left.

    Rulings OCN-24, OCN-62.
    """
    steps = int(game.dealing)
    while int(game.left) > 0:
        seat = left_of_captain(game, steps)
        if count_of(int(game.hands[seat])) < hand_due(game, seat):
            draw(game, seat, 1)
        steps += 1
        if steps == int(game.players):
            steps = 1
    game.dealing = steps
    return int(game.aside[int(game.depth)]) == 0


# --- a turn: keep -----------------------------------------------------------------------------


@rule
def is_laying_now(game: State, seat: int) -> bool:
    """Does the seat keep and lay with all the others? The captain does so after them."""
    return not has_captain(game) or seat != int(game.captain)


@rule
def begin_keeping(game: State) -> None:
    """Everyone but the captain owes a card."""
    game.phase = KEEP
    owing = 0
    for seat in range(int(game.players)):
        if is_laying_now(game, seat):
            game.stage[seat] = OWES_CARD
            owing |= 1 << seat
    game.owing = owing


@rule
def keep(game: State, seat: int, card: int) -> None:
    """Keep a card of the hand; a fuel token and a card left in hand allow for another.

    Rulings OCN-14, OCN-15, OCN-21.
    """
    depth = int(game.depth)
    kept = int(game.kept[seat])
    game.hands[seat] &= ~(1 << card)
    game.rows[seat, depth, int(game.row_size[seat, depth]) + kept] = card
    game.kept[seat] = kept + 1
    game.boat[seat, FUEL] -= int(kept > 0)
    if int(game.boat[seat, FUEL]) > 0 and int(game.hands[seat]) != 0:
        game.stage[seat] = OWES_EXTRA
    else:
        finish(game, seat)


@rule
def finish(game: State, seat: int) -> None:
    """The seat owes nothing more in this phase."""
    game.stage[seat] = NOTHING
    game.owing &= ~(1 << seat)


@rule
def end_keeping(game: State, pack: Pack) -> None:
    """Reveal what was kept; the rest goes to the captain (OCN-57)."""
    for seat in range(int(game.players)):
        if is_laying_now(game, seat):
            reveal(game, seat)
            if discards_are_open(game):
                hand_over(game, seat, int(game.hands[seat]))
    if int(game.troubled):
        game.dealing = 1
        begin_taking(game, pack)
    else:
        begin_laying(game, pack)


@rule
def hand_over(game: State, seat: int, cards: int) -> None:
    """Cards go from the seat to the captain; both know which (OCN-59)."""
    captain = int(game.captain)
    game.hands[seat] &= ~cards
    game.given[seat] = cards
    game.hands[captain] |= cards
    game.seen[captain, int(game.depth)] |= cards


@rule
def reveal(game: State, seat: int) -> None:
    """Turn up the kept cards at the right end of the round's row; extra ones carry their fuel.

    Ruling OCN-22.
    """
    depth = int(game.depth)
    column = int(game.row_size[seat, depth])
    kept = int(game.kept[seat])
    game.fuelled[seat] |= ((1 << kept) - 2) << column
    game.row_size[seat, depth] = column + kept
    game.laying[seat] = kept
    game.kept[seat] = 0


# --- a turn: lay ------------------------------------------------------------------------------


@rule
def begin_laying(game: State, pack: Pack) -> None:
    """Everyone but the captain lays."""
    game.phase = LAY
    game.owing = 0
    for seat in range(int(game.players)):
        if is_laying_now(game, seat):
            lay(game, pack, seat, HAS_TREASURE)
    if int(game.owing) == 0:
        end_laying(game, pack)


@rule
def may_dive(game: State, seat: int) -> bool:
    """Is a diver available? One that came with an airlock this turn isn't (OCN-32)."""
    return int(game.boat[seat, DIVERS]) > int(game.boat[seat, NEW_DIVERS])


@rule
def upgrade_limit(game: State, seat: int) -> int:
    """The highest level that an upgrade can reach now: 2 with one colour, 3 with both (OCN-26)."""
    colours = int(game.boat[seat, GREEN] > 0) + int(game.boat[seat, YELLOW] > 0)
    return colours + 1


@rule
def least_upgraded(game: State, seat: int, limit: int) -> int:
    """The lowest level that an upgrade up to this limit may start from: 1, but for a house reading
    that lets both colours raise a part of level 2 while there is one (OCN-26).
    """
    if int(game.third_level_first) and limit == LEVELS:
        for part in range(PROPELLER, AIRLOCK + 1):
            if int(game.boat[seat, part]) == LEVELS - 1:
                return LEVELS - 1
    return 1


@rule
def lowest_level(game: State, seat: int) -> int:
    """The level of the part that is least improved."""
    lowest = LEVELS
    for part in range(PROPELLER, AIRLOCK + 1):
        lowest = min(lowest, int(game.boat[seat, part]))
    return lowest


@rule
def may_upgrade(game: State, seat: int) -> bool:
    """Is there a part that the pending crystals can improve?"""
    return lowest_level(game, seat) < upgrade_limit(game, seat)


@rule
def lay(game: State, pack: Pack, seat: int, step: int) -> None:
    """Resolve the revealed cards from this step of the first one on, each whole before the next:
    diver, base, crystals. Stop where the seat owes a decision (OCN-16, OCN-17, OCN-63).
    """
    depth = int(game.depth)
    size = int(game.row_size[seat, depth])
    laying = int(game.laying[seat])
    while laying > 0:
        card = int(game.rows[seat, depth, size - laying])
        stops = int(pack.stops[depth, card])
        asks_diver = (step == HAS_TREASURE) & ((stops & HAS_TREASURE) != 0) & may_dive(game, seat)
        asks_base = (step != HAS_GREEN) & ((stops & HAS_BASE) != 0) & may_upgrade(game, seat)
        if asks_diver | asks_base:
            game.stage[seat] = OWES_DIVE if asks_diver else OWES_UPGRADE
            game.owing |= 1 << seat
            game.laying[seat] = laying
            return
        game.boat[seat, GREEN] += int((stops & HAS_GREEN) != 0)
        game.boat[seat, YELLOW] += int((stops & HAS_YELLOW) != 0)
        laying -= 1
        step = HAS_TREASURE
    game.laying[seat] = 0
    finish(game, seat)


@rule
def dive(game: State, seat: int) -> None:
    """Put a diver on the card that is being laid."""
    depth = int(game.depth)
    column = int(game.row_size[seat, depth]) - int(game.laying[seat])
    game.dived[seat] |= 1 << (depth * COLUMNS + column)
    game.boat[seat, DIVERS] -= 1


@rule
def upgrade(game: State, seat: int, part: int) -> None:
    """Improve a part by one level; all pending crystals are used up (OCN-28, OCN-30, OCN-31)."""
    game.boat[seat, part] += 1
    game.boat[seat, GREEN] = 0
    game.boat[seat, YELLOW] = 0
    if part == MOTOR:
        game.boat[seat, FUEL] += 1
    if part == AIRLOCK:
        game.boat[seat, DIVERS] += 1
        game.boat[seat, NEW_DIVERS] += 1


@rule
def hide_choices(game: State, seat: int) -> None:
    """Note how things were before the seat's first choice: the others see no more for now.

    Rulings OCN-18, OCN-35.
    """
    if int(game.boat_before[seat, PROPELLER]) == 0:
        for item in range(BOAT):
            game.boat_before[seat, item] = game.boat[seat, item]
        game.dived_before[seat] = game.dived[seat]
        game.laying_before[seat] = game.laying[seat]


@rule
def show_choices(game: State, seat: int) -> None:
    """The seat's choices are seen by all."""
    if int(game.boat_before[seat, PROPELLER]):
        for item in range(BOAT):
            game.boat_before[seat, item] = 0
        game.dived_before[seat] = 0
        game.laying_before[seat] = 0


@rule
def laid(game: State, seat: int) -> None:
    """The seat's laying is over, and seen by all."""
    game.boat[seat, NEW_DIVERS] = 0
    show_choices(game, seat)


@rule
def end_laying(game: State, pack: Pack) -> None:
    """All have laid; the captain's part follows."""
    for seat in range(int(game.players)):
        if is_laying_now(game, seat):
            laid(game, seat)
    if has_captain(game):
        fill_captain(game)
    else:
        begin_under(game, pack)


# --- a turn: captain --------------------------------------------------------------------------


@rule
def fill_captain(game: State) -> None:
    """Fewer cards than periscopes + 1: the captain draws; then the captain keeps.

    Rulings OCN-19, OCN-20, OCN-61.
    """
    captain = int(game.captain)
    if int(game.troubled):
        due = hand_due(game, captain) - count_of(int(game.hands[captain]))
        if due > int(game.left) and leftovers(game) & ~int(game.hands[captain]):
            game.phase = UNDER_FIRST
            return
    if not fill_up(game, captain):
        game.phase = RESHUFFLE_FILL
        return
    game.phase = CAPTAIN_KEEP
    game.stage[captain] = OWES_CARD
    game.owing = 1 << captain


@rule
def captain_lays(game: State, pack: Pack) -> None:
    """The captain reveals and lays (OCN-21)."""
    captain = int(game.captain)
    reveal(game, captain)
    game.phase = CAPTAIN_LAY
    lay(game, pack, captain, HAS_TREASURE)
    if int(game.owing) == 0:
        end_captain(game, pack)


@rule
def end_captain(game: State, pack: Pack) -> None:
    """What is left is discarded face up; in Troubled Waters it goes under the deck."""
    captain = int(game.captain)
    laid(game, captain)
    if int(game.troubled):
        if leftovers(game):
            game.phase = UNDER_LAST
            return
    else:
        game.aside[int(game.depth)] |= game.hands[captain]
    end_turn(game, pack)


@rule
def end_turn(game: State, pack: Pack) -> None:
    """Captaincy passes to the left; after turn 5 the round ends."""
    if has_captain(game):
        for seat in range(int(game.players)):
            game.hands[seat] = 0
            game.given[seat] = 0
            game.drawn[seat] = 0
    game.turn += 1
    if int(game.turn) == TURNS:
        begin_aid(game, pack)
    else:
        pass_captaincy(game)
        begin_turn(game)


@rule
def pass_captaincy(game: State) -> None:
    """The next captain sits on the left (OCN-13)."""
    if has_captain(game):
        game.captain = left_of_captain(game, 1)


# --- round's end ------------------------------------------------------------------------------


@rule
def begin_aid(game: State, pack: Pack) -> None:
    """The player aid is a base for everyone (OCN-5, OCN-35, OCN-36)."""
    game.phase = AID
    owing = 0
    for seat in range(int(game.players)):
        if may_upgrade(game, seat):
            game.stage[seat] = OWES_UPGRADE
            owing |= 1 << seat
    game.owing = owing
    if owing == 0:
        end_round(game, pack)


@rule
def end_round(game: State, pack: Pack) -> None:
    """Score the round, refuel; then the next one, or the end (OCN-29, OCN-34, OCN-41)."""
    depth = int(game.depth)
    score_animals(game, pack)
    score_kraken(game, pack)
    for seat in range(int(game.players)):
        game.lines[seat, ROUNDS + depth] = PROPELLER_STARS[int(game.boat[seat, PROPELLER])]
        game.boat[seat, NEW_DIVERS] = 0
        game.boat[seat, FUEL] = game.boat[seat, MOTOR]
        game.fuelled[seat] = 0
        show_choices(game, seat)
    close_deck(game)
    if depth + 1 == ROUNDS:
        end_game(game, pack)
        return
    open_deck(game, depth + 1)
    pass_captaincy(game)
    begin_turn(game)


@rule
def score_animals(game: State, pack: Pack) -> None:
    """Two stars for each different species on this round's row, as many as the aquarium holds.

    Ruling OCN-38.
    """
    depth = int(game.depth)
    for seat in range(int(game.players)):
        game.lines[seat, depth] = animal_stars(game, pack, seat, depth)


@rule
def first_scored_row(game: State, depth: int) -> int:
    """The first row whose animals score at a round's end: its own, or in a house reading that of
    round one (OCN-37).
    """
    return 0 if int(game.all_dives) else depth


@rule
def species_of(game: State, pack: Pack, seat: int, depth: int) -> int:
    """Mask of the species that score at the end of a round."""
    species = 0
    for row in range(first_scored_row(game, depth), depth + 1):
        for column in range(COLUMNS):
            species |= int(pack.animals[row, int(game.rows[seat, row, column])])
    return species


@rule
def animal_stars(game: State, pack: Pack, seat: int, depth: int) -> int:
    """The stars for the species that have room in the aquarium."""
    species = species_of(game, pack, seat, depth)
    room = AQUARIUM_ROOM[int(game.boat[seat, AQUARIUM])]
    return ANIMAL_STARS * min(count_of(species), room)


@rule
def eyes_of(game: State, pack: Pack, seat: int, depth: int) -> int:
    """The Kraken's eyes on a row."""
    eyes = 0
    for column in range(COLUMNS):
        eyes += int(pack.eyes[depth, int(game.rows[seat, depth, column])])
    return eyes


@rule
def score_kraken(game: State, pack: Pack) -> None:
    """Whoever has the most eyes, all who tie included, loses the round's token in full.

    Rulings OCN-39, OCN-40, OCN-67.
    """
    depth = int(game.depth)
    most = 0
    looked_at = 0
    for seat in range(int(game.players)):
        eyes = eyes_of(game, pack, seat, depth)
        if eyes > most:
            most = eyes
            looked_at = 0
        if eyes == most:
            looked_at |= 1 << seat
    if most == 0:
        return
    game.flipped |= 1 << depth
    for seat in range(int(game.players)):
        if (looked_at >> seat) & 1:
            game.lines[seat, 2 * ROUNDS + depth] = game.kraken[depth, 0]


@rule
def close_deck(game: State) -> None:
    """All that was not laid is out of the game, and what was known of it no longer matters."""
    depth = int(game.depth)
    out = whole_deck(depth)
    for seat in range(int(game.players)):
        for column in range(COLUMNS):
            out &= ~(1 << int(game.rows[seat, depth, column]))
    game.aside[depth] = out
    for place in range(depth * CARDS, (depth + 1) * CARDS):
        game.deck[place] = 0
    for seat in range(SEATS):
        game.hands[seat] = 0
        game.given[seat] = 0
        game.drawn[seat] = 0
    if int(game.last_lot) > 0:
        forget_lots(game)
    game.lots[0] = 0
    game.top = 0
    game.left = 0
    game.lot = 0
    game.last_lot = 0


@rule
def forget_lots(game: State) -> None:
    """All lots but the first are gone."""
    for lot in range(1, LOTS):
        game.lots[lot] = 0
        game.sources[lot] = 0
    for seat in range(SEATS):
        for card in range(NUMBERS):
            game.lot_of[seat, card] = 0


# --- game's end -------------------------------------------------------------------------------


@rule
def end_game(game: State, pack: Pack) -> None:
    """Divers come up: from the last turn's captain on, each seat draws a token for each chest.

    Rulings OCN-47, OCN-48, OCN-55.
    """
    game.phase = OVER
    game.owing = 0
    tokens = TREASURES
    for steps in range(int(game.players)):
        seat = left_of_captain(game, steps)
        drawn = min(chests_of(game, pack, seat), tokens)
        game.chests[seat] = drawn
        tokens -= drawn


@rule
def chests_of(game: State, pack: Pack, seat: int) -> int:
    """Treasures under the divers and above them in their columns, each once.

    Rulings OCN-44, OCN-45, OCN-46.
    """
    count = 0
    for column in range(COLUMNS):
        for depth in range(deepest_diver(game, seat, column) + 1):
            count += int(pack.treasure[depth, int(game.rows[seat, depth, column])])
    return count


@rule
def deepest_diver(game: State, seat: int, column: int) -> int:
    """The lowest row with a diver in this column; -1: none."""
    divers = int(game.dived[seat]) >> column
    for depth in range(ROUNDS - 1, -1, -1):
        if (divers >> (depth * COLUMNS)) & 1:
            return depth
    return -1


# --- who owes a decision, and which are legal -------------------------------------------------


@rule
def pending(game: State, pack: Pack) -> int:
    """Mask of the seats that owe a decision, or chance's bit; 0: the game is over."""
    if is_chance(int(game.phase)):
        return CHANCE
    return int(game.owing)


@rule
def is_chance(phase: int) -> bool:
    """Does something random come next?"""
    return (CHANCES >> phase) & 1 == 1


CHANCES = 1 << TAKE | 1 << UNDER_FIRST | 1 << UNDER_LAST | 1 << RESHUFFLE_DEAL | 1 << RESHUFFLE_FILL


FIRST_ACTION = (0, KEEPS, FUELS, 0, 0, UNDERS)
"""By what a seat owes: where the actions on cards of its hand begin."""


@rule
def legal(game: State, pack: Pack, seat: int, out: Array) -> int:
    """Write the seat's legal actions, ascending; return how many (OCN-26, OCN-27)."""
    stage = int(game.stage[seat])
    if stage == OWES_DIVE:
        out[0] = PASS
        out[1] = DIVE
        return 2
    if stage == OWES_UPGRADE:
        best = upgrade_limit(game, seat)
        least = least_upgraded(game, seat, best)
        out[0] = PASS
        count = 1
        for part in range(PROPELLER, AIRLOCK + 1):
            out[count] = UPGRADES + part
            count += int(least <= int(game.boat[seat, part]) < best)
        return count
    out[0] = DONE if stage == OWES_EXTRA else PASS
    count = int(stage != OWES_CARD)
    first = FIRST_ACTION[stage]
    cards = int(game.hands[seat])
    while cards:
        out[count] = first + first_of(cards)
        cards &= cards - 1
        count += 1
    return count


# --- moves ------------------------------------------------------------------------------------


@rule
def decide(game: State, pack: Pack, seat: int, action: int) -> None:
    """Do to the seat's own things what it chose; nothing is revealed, dealt or scored."""
    stage = int(game.stage[seat])
    if stage == OWES_CARD:
        keep(game, seat, action - KEEPS)
    elif stage == OWES_EXTRA:
        if action == DONE:
            finish(game, seat)
        else:
            keep(game, seat, action - FUELS)
    elif stage == OWES_DIVE:
        if action == DIVE:
            dive(game, seat)
        lay(game, pack, seat, HAS_BASE)
    elif stage == OWES_UPGRADE:
        if action != PASS:
            upgrade(game, seat, action - UPGRADES)
        if int(game.phase) == AID:
            finish(game, seat)
        else:
            lay(game, pack, seat, HAS_GREEN)
    else:
        if action != PASS:
            game.under[seat] = action - UNDERS
        finish(game, seat)


@rule
def play(game: State, pack: Pack, seat: int, action: int) -> int:
    """Make the seat's move; after the last one, reveal and go on."""
    stage = int(game.stage[seat])
    if stage == OWES_DIVE or stage == OWES_UPGRADE:
        hide_choices(game, seat)
    decide(game, pack, seat, action)
    if int(game.owing):
        return HIDDEN
    return go_on(game, pack)


@rule
def go_on(game: State, pack: Pack) -> int:
    """The phase's last choice is in. The captain's own choices show nobody else's, unless a card
    is drawn after them.
    """
    phase = int(game.phase)
    if phase == KEEP:
        end_keeping(game, pack)
    elif phase == LAY:
        end_laying(game, pack)
    elif phase == CAPTAIN_KEEP:
        captain_lays(game, pack)
    elif phase == CAPTAIN_LAY:
        end_captain(game, pack)
    elif phase == UNDER:
        end_under(game, pack)
    else:
        end_round(game, pack)
    if phase == CAPTAIN_KEEP or phase == CAPTAIN_LAY:
        after = int(game.phase)
        if after == CAPTAIN_LAY or after == UNDER_LAST or after == AID:
            return SHOWN
    return TURNED


# --- chance -----------------------------------------------------------------------------------


@rule
def chance(game: State, pack: Pack, out: Array) -> int:
    """Draw what is due: a card that the captain takes, or a shuffle."""
    phase = int(game.phase)
    if phase == TAKE:
        seat = left_of_captain(game, int(game.dealing))
        cards = int(game.hands[seat])
        for _ in range(below(game.stream, count_of(cards))):
            cards &= cards - 1
        out[0] = seat
        out[1] = first_of(cards)
        return 2
    cards = to_shuffle(game)
    count = 0
    while cards:
        out[count] = first_of(cards)
        cards &= cards - 1
        count += 1
    shuffle_cards(game.stream, out, 0, count)
    return count


@rule
def to_shuffle(game: State) -> int:
    """The cards that chance must shuffle now: the discards, or what goes under the deck."""
    phase = int(game.phase)
    if phase == UNDER_FIRST:
        return leftovers(game) & ~int(game.hands[int(game.captain)])
    if phase == UNDER_LAST:
        return leftovers(game)
    return int(game.aside[int(game.depth)])


@rule
def happen(game: State, pack: Pack, outcome: Array, count: int) -> None:
    """Apply what chance brought, and go on."""
    phase = int(game.phase)
    if phase == TAKE:
        hand_over(game, int(outcome[0]), 1 << int(outcome[1]))
        game.dealing += 1
        begin_taking(game, pack)
        return
    if phase == RESHUFFLE_DEAL or phase == RESHUFFLE_FILL:
        new_deck(game)
    else:
        sink_leftovers(game)
    for place in range(count):
        put_below(game, int(outcome[place]))
    if phase == RESHUFFLE_DEAL:
        deal(game)
    elif phase == UNDER_LAST:
        end_turn(game, pack)
    else:
        fill_captain(game)


@rule
def new_deck(game: State) -> None:
    """The discards become the deck, and everyone knows which cards they are."""
    cards = int(game.aside[int(game.depth)])
    game.aside[int(game.depth)] = 0
    game.top = 0
    remember(game, 0, cards, add_lot(game, count_of(cards), 0))


# --- two players ------------------------------------------------------------------------------


@rule
def begin_under(game: State, pack: Pack) -> None:
    """Each may put a card under the deck; after turn 5 what remains is discarded (OCN-54)."""
    if int(game.turn) + 1 == TURNS:
        for seat in range(2):
            game.aside[int(game.depth)] |= game.hands[seat]
            game.hands[seat] = 0
            game.given[seat] = 0
        end_turn(game, pack)
        return
    game.phase = UNDER
    owing = 0
    for seat in range(2):
        if int(game.hands[seat]):
            game.stage[seat] = OWES_UNDER
            owing |= 1 << seat
    game.owing = owing
    if owing == 0:
        end_under(game, pack)


@rule
def end_under(game: State, pack: Pack) -> None:
    """Both cards go under, seat 0's first; the rest of each hand goes to the other.

    Rulings OCN-52, OCN-53.
    """
    for seat in range(2):
        card = int(game.under[seat])
        if card:
            other = 1 - seat
            game.under[seat] = 0
            game.hands[seat] &= ~(1 << card)
            lot = add_lot(game, 1, int(game.drawn[seat]))
            put_below(game, card)
            remember(game, seat, 1 << card, lot)
            # The other passed this card on and misses it now: it can only be here.
            remember(game, other, int(game.given[other]) & (1 << card), lot)
    hand = int(game.hands[0])
    game.hands[0] = game.hands[1]
    game.hands[1] = hand
    for seat in range(2):
        game.given[seat] = game.hands[1 - seat]
        game.seen[seat, int(game.depth)] |= game.hands[seat]
    end_turn(game, pack)


# --- Troubled Waters --------------------------------------------------------------------------


@rule
def begin_taking(game: State, pack: Pack) -> None:
    """The captain takes a card at random from the next seat that has cards left; then all lay.

    Ruling OCN-58.
    """
    for steps in range(int(game.dealing), int(game.players)):
        if int(game.hands[left_of_captain(game, steps)]):
            game.dealing = steps
            game.phase = TAKE
            return
    game.dealing = 0
    begin_laying(game, pack)


@rule
def leftovers(game: State) -> int:
    """Everything that was not kept, theirs and the captain's (OCN-60, OCN-62)."""
    cards = 0
    for seat in range(int(game.players)):
        cards |= int(game.hands[seat])
    return cards


@rule
def sink_leftovers(game: State) -> None:
    """The leftovers leave the hands for a new lot under the deck: all of them, or the others'
    alone. Each seat knows its own, and the card that the captain took from it.
    """
    captain = int(game.captain)
    others_only = int(game.phase) == UNDER_FIRST
    sources = 0
    for seat in range(int(game.players)):
        if seat != captain or not others_only:
            sources |= int(game.drawn[seat])
    lot = add_lot(game, count_of(to_shuffle(game)), sources)
    for seat in range(int(game.players)):
        if not others_only:
            remember(game, seat, int(game.given[seat]) & int(game.hands[captain]), lot)
        if seat != captain:
            remember(game, seat, int(game.hands[seat]), lot)
            game.hands[seat] = 0
    if not others_only:
        remember(game, captain, int(game.hands[captain]), lot)
        game.hands[captain] = 0


# --- how long a game can be -------------------------------------------------------------------


def longest(options: Mapping[str, Any], pack: Pack) -> int:
    """In each round each seat keeps five cards; it is asked for more in every turn while it has
    fuel, and once more for each token but the last; two players put cards under after all turns but
    one; then comes the player aid. Cards that are laid ask for a diver if they have treasure, and
    for an upgrade if they have a base.
    """
    players = int(options["players"])
    unders = TURNS - 1 if players == 2 else 0
    each = TURNS + (TURNS + LEVELS - 1) + unders + 1
    asks = 0
    for depth in range(ROUNDS):
        stops = [int(pack.stops[depth, card]) for card in range(1, DECKS[depth] + 1)]
        counts = [int(mask & HAS_TREASURE != 0) + int(mask & HAS_BASE != 0) for mask in stops]
        asks += sum(sorted(counts, reverse=True)[: players * COLUMNS])
    return ROUNDS * players * each + asks

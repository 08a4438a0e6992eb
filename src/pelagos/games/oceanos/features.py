"""What a learner sees: numbers from what the seat knows, and nothing else.

A card is told by its number in the pack: cards of round two follow those of round one, after
`CARDS` numbers.
"""

from __future__ import annotations

from pelagos.engine.bits import count_of, first_of
from pelagos.engine.layout import Layout, card, category, count, flag
from pelagos.engine.rule import rule
from pelagos.engine.types import Array
from pelagos.games.oceanos.rules import (
    ANIMAL_STARS,
    AQUARIUM_ROOM,
    PROPELLER_STARS,
    discards_are_open,
    has_captain,
)
from pelagos.games.oceanos.state import (
    CARDS,
    COLUMNS,
    DIVERS,
    FUEL,
    GREEN,
    HAS_BASE,
    HAS_GREEN,
    HAS_YELLOW,
    LARGEST_TOKEN,
    LEVELS,
    NEW_DIVERS,
    OVER,
    PARTS,
    PROPELLER,
    ROUNDS,
    SEATS,
    SPECIES,
    TURNS,
    YELLOW,
    Pack,
    State,
)
from pelagos.games.oceanos.worlds import known_in_hand, receiver

HAND = LEVELS * (SEATS - 1)
"""The most cards in a hand: the captain's, with what four others leave of four cards each."""
KEPT = 1 + LEVELS
"""The most cards kept at once: one, and one more for each fuel token."""
CRYSTALS = ROUNDS * COLUMNS
ALL_CARDS = ROUNDS * CARDS
CELLS = ROUNDS * COLUMNS
OTHERS = tuple(f"seat {step} to the left" for step in range(1, SEATS))
ATTRIBUTES = ("coral", "treasure", "eyes", *SPECIES, "base", "green", "yellow")
CORAL_MARK, TREASURE_MARK, EYES_MARK, FIRST_SPECIES = range(4)
STOPS = FIRST_SPECIES + len(SPECIES)
UNSEEN, IN_HAND, LAID, ASIDE, ELSEWHERE, SUNK = range(6)
"""Where a card of the round is."""

LAYOUT = Layout(
    1,
    category(
        "phase",
        "What is decided; takes, cards put under and reshuffles are chance's",
        (
            "keep",
            "captain takes",
            "lay",
            "others' cards go under",
            "captain keeps",
            "captain lays",
            "captain's cards go under",
            "put one under",
            "player aid",
            "reshuffle to deal",
            "reshuffle to fill up",
            "over",
        ),
    ),
    category(
        "stage",
        "What the seat owes in this phase",
        ("nothing", "a card", "another for fuel", "a diver or none", "an upgrade", "a card under"),
    ),
    flag("owes", "Does the seat owe a decision?"),
    category("players", "How many play", range(2, SEATS + 1)),
    flag("troubled", "Option: Troubled Waters"),
    flag("all_dives", "Option: animals of all dives score"),
    flag("third_level_first", "Option: both crystals raise a part of level 2 first"),
    category("round", "The round, from 0", range(ROUNDS)),
    category("turn", "Turns of this round finished", range(TURNS + 1)),
    category("captain", "Who is captain; two players have none", ("nobody", "own", *OTHERS)),
    count("deck", "Cards left in the deck", CARDS),
    count("kept", "Cards that the seat keeps face down, after the last of its row", KEPT),
    count("laying", "Cards of its row that are laid and not resolved yet", KEPT),
    card("unresolved", "These cards, or the kept ones", ALL_CARDS, place=KEPT),
    count("new_divers", "Own divers that can't be placed before the next turn", LEVELS - 1),
    flag("kraken_shown", "Was a round's Kraken token turned up?", round=ROUNDS),
    count("kraken", "What it then costs", LARGEST_TOKEN, scale=ANIMAL_STARS * LEVELS, round=ROUNDS),
    category(
        "places",
        "Where the seat knows each card of the round to be",
        (
            "out of sight",
            "in the own hand",
            "on the table",
            "discarded",
            "in another's hand",
            "last known under the deck",
        ),
        card=range(1, CARDS + 1),
    ),
    card("hand", "The seat's own hand, by number", ALL_CARDS, place=HAND),
    count("hand_sizes", "Cards in each hand, the own first", HAND, seat=SEATS),
    category(
        "levels",
        "Levels of each submarine's parts; 0 where there is no seat",
        range(LEVELS + 1),
        seat=SEATS,
        part=PARTS,
    ),
    count("fuel", "Fuel tokens", LEVELS, seat=SEATS),
    count("divers", "Divers on board", LEVELS, seat=SEATS),
    count("green", "Green crystals pending", CRYSTALS, scale=LEVELS, seat=SEATS),
    count("yellow", "Yellow crystals pending", CRYSTALS, scale=LEVELS, seat=SEATS),
    card(
        "rows",
        "Cards laid by each seat; the own kept ones after them",
        ALL_CARDS,
        attributes=("coral", "treasure"),
        summed=("eyes", *SPECIES),
        seat=SEATS,
        round=ROUNDS,
        column=COLUMNS,
    ),
    flag("dived", "Divers on cards", seat=SEATS, round=ROUNDS, column=COLUMNS),
    count(
        "animals",
        "Stars for animals so far",
        ANIMAL_STARS * AQUARIUM_ROOM[LEVELS],
        seat=SEATS,
        round=ROUNDS,
    ),
    count(
        "propeller",
        "Stars for the propeller so far",
        PROPELLER_STARS[LEVELS],
        seat=SEATS,
        round=ROUNDS,
    ),
    count(
        "losses",
        "Stars lost to the Kraken so far",
        LARGEST_TOKEN,
        scale=ANIMAL_STARS * LEVELS,
        seat=SEATS,
        round=ROUNDS,
    ),
    attributes=ATTRIBUTES,
)
SIZE = LAYOUT.size
PHASE, STAGE, OWES, PLAYERS = map(LAYOUT.first, ("phase", "stage", "owes", "players"))
OPTIONS, ROUND, TURN = map(LAYOUT.first, ("troubled", "round", "turn"))
CAPTAIN, DECK_LEFT, OWN_KEPT = map(LAYOUT.first, ("captain", "deck", "kept"))
LAYING, UNRESOLVED = map(LAYOUT.first, ("laying", "unresolved"))
KRAKEN_SHOWN, KRAKEN = map(LAYOUT.first, ("kraken_shown", "kraken"))
PLACES, OWN_HAND, HAND_SIZES = map(LAYOUT.first, ("places", "hand", "hand_sizes"))
PART_LEVELS, FUELS, ALL_DIVERS = map(LAYOUT.first, ("levels", "fuel", "divers"))
OWN_NEW_DIVERS, GREENS, YELLOWS = map(LAYOUT.first, ("new_divers", "green", "yellow"))
ROWS, DIVED = map(LAYOUT.first, ("rows", "dived"))
ANIMALS, PROPELLERS, LOSSES = map(LAYOUT.first, ("animals", "propeller", "losses"))


@rule
def observe(game: State, pack: Pack, seat: int, out: Array) -> None:
    """Write the seat's observation."""
    for place in range(SIZE):
        out[place] = 0
    players = int(game.players)
    depth = int(game.depth)
    out[PHASE] = game.phase
    out[STAGE] = game.stage[seat]
    out[OWES] = (int(game.owing) >> seat) & 1
    out[PLAYERS] = players
    out[OPTIONS] = game.troubled
    out[OPTIONS + 1] = game.all_dives
    out[OPTIONS + 2] = game.third_level_first
    out[ROUND] = depth
    out[TURN] = game.turn
    if has_captain(game):
        steps = int(game.captain) - seat
        out[CAPTAIN] = 1 + (steps if steps >= 0 else steps + players)
    out[DECK_LEFT] = game.left
    out[OWN_NEW_DIVERS] = game.boat[seat, NEW_DIVERS]
    for size in range(ROUNDS):
        if (int(game.flipped) >> size) & 1:
            out[KRAKEN_SHOWN + size] = 1
            out[KRAKEN + size] = -int(game.kraken[size, 0])
    if int(game.phase) != OVER:
        write_places(game, seat, out)
        write_hand(game, seat, out)
        write_unresolved(game, seat, out)
    other = seat
    for step in range(players):
        write_seat(game, other, step, out)
        other = other + 1 if other + 1 < players else 0


@rule
def write_places(game: State, seat: int, out: Array) -> None:
    """Where the seat knows each card of the round to be, but for those on the table."""
    memory = 0 if discards_are_open(game) else seat
    for number in range(1, CARDS + 1):
        out[PLACES + number - 1] = SUNK if int(game.lot_of[memory, number]) else UNSEEN
    mark_places(int(game.aside[int(game.depth)]), ASIDE, out)
    mark_places(int(game.hands[seat]), IN_HAND, out)
    mark_places(known_in_hand(game, seat, receiver(game, seat)), ELSEWHERE, out)


@rule
def mark_places(cards: int, place: int, out: Array) -> None:
    """All cards of a set are in one place."""
    while cards:
        out[PLACES + first_of(cards) - 1] = place
        cards &= cards - 1


@rule
def write_hand(game: State, seat: int, out: Array) -> None:
    """The cards that the seat holds."""
    first = int(game.depth) * CARDS
    at = OWN_HAND
    cards = int(game.hands[seat])
    while cards:
        out[at] = first + first_of(cards)
        cards &= cards - 1
        at += 1


@rule
def write_unresolved(game: State, seat: int, out: Array) -> None:
    """The last cards of the seat's row: those being laid, or kept ones."""
    depth = int(game.depth)
    kept, laying = int(game.kept[seat]), int(game.laying[seat])
    out[OWN_KEPT] = kept
    out[LAYING] = laying
    first = int(game.row_size[seat, depth]) - laying
    for place in range(kept + laying):
        number = int(game.rows[seat, depth, first + place])
        out[UNRESOLVED + place] = depth * CARDS + number


@rule
def write_seat(game: State, seat: int, step: int, out: Array) -> None:
    """A seat's expedition as its owner, or the others, see it; and that its cards of this round
    are on the table.
    """
    own = step == 0
    is_hiding = int(game.boat_before[seat, PROPELLER]) > 0 and not own
    boat = game.boat_before[seat] if is_hiding else game.boat[seat]
    hidden = 0 if own else int(game.kept[seat])
    for part in range(len(PARTS)):
        out[PART_LEVELS + step * len(PARTS) + part] = boat[part]
    out[FUELS + step] = int(boat[FUEL]) + max(hidden - 1, 0)
    out[ALL_DIVERS + step] = boat[DIVERS]
    out[GREENS + step] = boat[GREEN]
    out[YELLOWS + step] = boat[YELLOW]
    out[HAND_SIZES + step] = count_of(int(game.hands[seat])) + hidden
    dived = int(game.dived_before[seat]) if is_hiding else int(game.dived[seat])
    is_on = int(game.phase) != OVER
    for depth in range(ROUNDS):
        size = int(game.row_size[seat, depth])
        is_now = depth == int(game.depth)
        if own and is_now:
            size += int(game.kept[seat])
        at = step * CELLS + depth * COLUMNS
        for column in range(size):
            number = int(game.rows[seat, depth, column])
            out[ROWS + at + column] = depth * CARDS + number
            out[DIVED + at + column] = (dived >> (depth * COLUMNS + column)) & 1
            if is_now and is_on:
                out[PLACES + number - 1] = LAID
    at = step * ROUNDS
    for depth in range(ROUNDS):
        out[ANIMALS + at + depth] = game.lines[seat, depth]
        out[PROPELLERS + at + depth] = game.lines[seat, ROUNDS + depth]
        out[LOSSES + at + depth] = -int(game.lines[seat, 2 * ROUNDS + depth])


@rule
def attribute(pack: Pack, card: int, which: int) -> int:
    """How many of a symbol a card carries."""
    depth, number = (card - 1) // CARDS, (card - 1) % CARDS + 1
    if which == CORAL_MARK:
        return int(pack.coral[depth, number])
    if which == TREASURE_MARK:
        return int(pack.treasure[depth, number])
    if which == EYES_MARK:
        return int(pack.eyes[depth, number])
    if which < STOPS:
        return (int(pack.animals[depth, number]) >> (which - FIRST_SPECIES)) & 1
    if which == STOPS:
        return int(int(pack.stops[depth, number]) & HAS_BASE != 0)
    crystal = HAS_GREEN if which == STOPS + 1 else HAS_YELLOW
    return int(int(pack.stops[depth, number]) & crystal != 0)

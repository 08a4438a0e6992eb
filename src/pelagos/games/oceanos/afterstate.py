"""What a network sees of Oceanos once a seat has made its move: its submarine, its rows with the
cards it keeps, the reef, its divers' columns, eyes, and what it leaves to the captain.
"""

from __future__ import annotations

from pelagos.engine.bits import count_of, first_of
from pelagos.engine.layout import Layout, count, flag
from pelagos.engine.rule import rule
from pelagos.engine.types import GOES_ON, RESTS, Array
from pelagos.games.oceanos.rules import (
    AQUARIUM_ROOM,
    PROPELLER_STARS,
    animal_stars,
    chests_of,
    decide,
    deepest_diver,
    eyes_of,
    has_captain,
    lowest_level,
    species_of,
)
from pelagos.games.oceanos.scoring import (
    beside,
    coral_cells,
    coral_of,
    group_of,
    reef_of,
)
from pelagos.games.oceanos.state import (
    AIRLOCK,
    AQUARIUM,
    COCKPIT,
    COLUMNS,
    DIVERS,
    FUEL,
    GREEN,
    HAS_BASE,
    HAS_GREEN,
    HAS_TREASURE,
    HAS_YELLOW,
    MOTOR,
    NEW_DIVERS,
    NOTHING,
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
from pelagos.games.oceanos.state import LEVELS as MOST_LEVELS

CELLS = ROUNDS * COLUMNS
KINDS = len(SPECIES)
SYMBOLS = (*SPECIES, "coral", "treasure", "eyes", "base", "green", "yellow")
CORAL, TREASURE, EYES, BASE, GREENS, YELLOWS = range(KINDS, KINDS + 6)
STAGES = ("nothing", "a card", "another for fuel", "a diver or none", "an upgrade", "a card under")
SEATED = ("own", *(f"seat {step} to the left" for step in range(1, SEATS)))
EYE_LEADS = ("2 or more behind", "1 behind", "level", "1 ahead", "2 or more ahead", "no eyes")
MOST = 60
"""More of anything are told as so many."""
MOST_STARS = 127

LAYOUT = Layout(
    2,
    flag("players", "How many play", players=range(2, SEATS + 1)),
    flag("troubled", "Option: Troubled Waters"),
    flag("all_dives", "Option: animals of all dives score"),
    flag("third_level_first", "Option: both crystals raise a part of level 2 first"),
    flag("turn", "Which turn of the game it is", round=ROUNDS, turn=range(TURNS + 1)),
    flag("captain", "Who is captain; two players have none", seat=SEATED),
    count("other_eyes", "The most eyes of another's row", MOST),
    count("other_stars", "Stars so far: the most of another", MOST_STARS),
    count("other_level", "Levels of all parts: the most of another", MOST),
    count("other_species", "Species of this round: the most of another", KINDS),
    count("turns_left", "Turns after this one", ROUNDS * TURNS),
    count("taker_missing", "Species that the next to hold the own cards lacks", 1, species=SPECIES),
    flag("stage", "What the seat still owes", stage=STAGES),
    flag("levels", "Levels of its parts", part=PARTS, level=range(1, MOST_LEVELS + 1)),
    count("fuel", "Fuel tokens", MOST_LEVELS),
    count("divers", "Divers on board", MOST_LEVELS),
    flag("colours", "Colours of pending crystals", colours=range(MOST_LEVELS)),
    count("crystals", "Pending crystals", MOST),
    count("propeller", "Stars that the propeller brings until the end", MOST),
    count("refuels", "Fuel tokens until the end", MOST),
    count("views", "Cards to look at until the end, beyond two a turn", MOST),
    count("berths", "Species until the end that the aquarium has room for", MOST),
    count("upgrades", "Upgrades that the cards being laid will offer", 4, limit=("2", "3")),
    count("dives", "Dives that they will offer", 4),
    count("stars", "Stars so far, as things stand", MOST_STARS),
    flag("species", "Species of this round", species=SPECIES),
    count("room", "Species that the aquarium has room for", KINDS),
    count("wasted", "Species that it has no room for", KINDS),
    count("eyes", "Eyes of the own row", MOST),
    flag("eye_lead", "Against the most of another", lead=EYE_LEADS, round=ROUNDS),
    count("sizes", "Cards in each row", COLUMNS, round=ROUNDS),
    flag("coral", "Cards with coral", round=ROUNDS, column=COLUMNS),
    count("reef", "Coral of the largest group", MOST),
    count("second_reef", "Coral of the next one", MOST),
    count("corals", "All coral", MOST),
    count("reef_edges", "Free places beside the reef, in rounds to come or this one", CELLS),
    flag("reef_next", "Will the next card lie beside the reef, or beside other coral?", at=2),
    count("chests", "Treasure that divers have reached", MOST),
    count("loose", "Treasure in each column that no diver has", 9, column=COLUMNS),
    count("loose_next", "That above the next card", 9),
    count("loose_most", "The most of a column that is still to be filled", 9),
    count("left", "What the cards carry that stay in hand, by symbol", MOST, symbol=SYMBOLS),
    count("left_new", "Of their species, those that who holds them next lacks", MOST),
    count("left_reef", "Of their coral, what continues coral there", MOST),
    count("left_base", "Bases among them while crystals wait there", MOST),
    count("left_cards", "How many these are", MOST),
    flag("under", "Does a card go under the deck?"),
)
SIZE = LAYOUT.size
CONTEXT = LAYOUT.first("stage")
"""What stands before this place doesn't change with the seat's own action."""
LEVELS = 2
"""So many decisions of the seat are valued together: a card, and another for fuel."""

PLAYERS, OPTIONS, TURN, CAPTAIN = map(LAYOUT.first, ("players", "troubled", "turn", "captain"))
OTHER_EYES, OTHER_STARS, OTHER_LEVEL, OTHER_SPECIES, TAKER_MISSING = map(
    LAYOUT.first, ("other_eyes", "other_stars", "other_level", "other_species", "taker_missing")
)
TURNS_LEFT = LAYOUT.first("turns_left")
STAGE, PART_LEVELS, FUEL_LEFT, DIVERS_LEFT = map(
    LAYOUT.first, ("stage", "levels", "fuel", "divers")
)
COLOURS, CRYSTALS, UPGRADES_DUE, DIVES_DUE = map(
    LAYOUT.first, ("colours", "crystals", "upgrades", "dives")
)
PROPELLER_TO_COME, REFUELS, VIEWS, BERTHS = map(
    LAYOUT.first, ("propeller", "refuels", "views", "berths")
)
STARS, OWN_SPECIES, AQUARIUM_LEFT, WASTED = map(
    LAYOUT.first, ("stars", "species", "room", "wasted")
)
OWN_EYES, EYE_LEAD, ROW_SIZES = map(LAYOUT.first, ("eyes", "eye_lead", "sizes"))
CORALS_AT, REEF, SECOND_REEF, CORALS = map(LAYOUT.first, ("coral", "reef", "second_reef", "corals"))
REEF_EDGES, REEF_NEXT = map(LAYOUT.first, ("reef_edges", "reef_next"))
CHESTS, LOOSE, LOOSE_NEXT, LOOSE_MOST = map(
    LAYOUT.first, ("chests", "loose", "loose_next", "loose_most")
)
LEFT, LEFT_NEW, LEFT_REEF, LEFT_BASE, LEFT_CARDS, UNDER = map(
    LAYOUT.first, ("left", "left_new", "left_reef", "left_base", "left_cards", "under")
)

# --- what an action does --------------------------------------------------------------------------


@rule
def act(game: State, pack: Pack, seat: int, action: int) -> int:
    """Make the seat's move; nothing is revealed, dealt or scored after it."""
    decide(game, pack, seat, action)
    return RESTS if int(game.stage[seat]) == NOTHING else GOES_ON


# --- others ---------------------------------------------------------------------------------------


@rule
def context(game: State, pack: Pack, seat: int, out: Array) -> None:
    """Write what the seat's own action doesn't change."""
    for place in range(CONTEXT):
        out[place] = 0
    players, depth = int(game.players), int(game.depth)
    out[PLAYERS + players - 2] = 1
    out[OPTIONS] = game.troubled
    out[OPTIONS + 1] = game.all_dives
    out[OPTIONS + 2] = game.third_level_first
    out[TURN + depth * (TURNS + 1) + int(game.turn)] = 1
    out[TURNS_LEFT] = turns_left(game)
    if has_captain(game):
        out[CAPTAIN + (int(game.captain) - seat + players) % players] = 1
    taker = taker_of(game, seat)
    for step in range(1, players):
        write_other(game, pack, (seat + step) % players, out)
    if taker != seat:
        missing = ~seen_species(game, pack, taker)
        for kind in range(KINDS):
            out[TAKER_MISSING + kind] = (missing >> kind) & 1


@rule
def turns_left(game: State) -> int:
    """Turns of the game after this one; when the round ends, those of later rounds."""
    return max(0, TURNS * (ROUNDS - int(game.depth)) - min(int(game.turn) + 1, TURNS))


@rule
def taker_of(game: State, seat: int) -> int:
    """Who holds next what the seat doesn't keep: the captain, or the other."""
    return int(game.captain) if has_captain(game) else (seat + 1) % int(game.players)


@rule
def seen_species(game: State, pack: Pack, other: int) -> int:
    """The species of this round's cards that another has laid."""
    depth = int(game.depth)
    species = 0
    for column in range(int(game.row_size[other, depth])):
        species |= int(pack.animals[depth, int(game.rows[other, depth, column])])
    return species


@rule
def write_other(game: State, pack: Pack, other: int, out: Array) -> None:
    """Another as all see it: the most of each."""
    depth = int(game.depth)
    is_hiding = int(game.boat_before[other, PROPELLER]) > 0
    eyes = 0
    for column in range(int(game.row_size[other, depth])):
        eyes += int(pack.eyes[depth, int(game.rows[other, depth, column])])
    levels = 0
    for part in range(PROPELLER, AIRLOCK + 1):
        levels += int(game.boat_before[other, part] if is_hiding else game.boat[other, part])
    species = count_of(seen_species(game, pack, other))
    stars = 2 * species
    for line in range(3 * ROUNDS):
        stars += int(game.lines[other, line])
    for row in range(depth + 1):
        for column in range(int(game.row_size[other, row])):
            stars += int(pack.coral[row, int(game.rows[other, row, column])])
    out[OTHER_EYES] = max(int(out[OTHER_EYES]), min(eyes, MOST))
    out[OTHER_LEVEL] = max(int(out[OTHER_LEVEL]), levels)
    out[OTHER_SPECIES] = max(int(out[OTHER_SPECIES]), species)
    out[OTHER_STARS] = max(int(out[OTHER_STARS]), min(stars, MOST_STARS))


# --- the seat itself ------------------------------------------------------------------------------


@rule
def changing(game: State, pack: Pack, seat: int, out: Array) -> None:
    """Write what the seat's own action changes: kept cards count as laid."""
    for place in range(CONTEXT, SIZE):
        out[place] = 0
    out[STAGE + int(game.stage[seat])] = 1
    write_boat(game, seat, out)
    write_unresolved(game, pack, seat, out)
    write_row(game, pack, seat, out)
    write_reef(game, pack, seat, out)
    write_chests(game, pack, seat, out)
    write_left(game, pack, seat, out)


@rule
def write_boat(game: State, seat: int, out: Array) -> None:
    """The submarine."""
    for part in range(PROPELLER, AIRLOCK + 1):
        out[PART_LEVELS + part * MOST_LEVELS + int(game.boat[seat, part]) - 1] = 1
    out[FUEL_LEFT] = game.boat[seat, FUEL]
    out[DIVERS_LEFT] = game.boat[seat, DIVERS]
    rounds = ROUNDS - int(game.depth)
    out[PROPELLER_TO_COME] = rounds * PROPELLER_STARS[int(game.boat[seat, PROPELLER])]
    out[REFUELS] = int(game.boat[seat, FUEL]) + (rounds - 1) * int(game.boat[seat, MOTOR])
    out[VIEWS] = turns_left(game) * (int(game.boat[seat, COCKPIT]) - 1)
    out[BERTHS] = rounds * AQUARIUM_ROOM[int(game.boat[seat, AQUARIUM])]


@rule
def write_unresolved(game: State, pack: Pack, seat: int, out: Array) -> None:
    """What the cards being laid, or kept, will offer; and the crystals after them, if every
    upgrade is made.
    """
    depth = int(game.depth)
    green, yellow = int(game.boat[seat, GREEN]), int(game.boat[seat, YELLOW])
    divers = int(game.boat[seat, DIVERS]) - int(game.boat[seat, NEW_DIVERS])
    size, laying = int(game.row_size[seat, depth]), int(game.laying[seat])
    for column in range(size - laying, size + int(game.kept[seat])):
        stops = int(pack.stops[depth, int(game.rows[seat, depth, column])])
        if stops & HAS_TREASURE and divers > 0:
            out[DIVES_DUE] += 1
        limit = 1 + int(green > 0) + int(yellow > 0)
        if stops & HAS_BASE and lowest_level(game, seat) < limit:
            out[UPGRADES_DUE + limit - 2] += 1
            green, yellow = 0, 0
        green += int(stops & HAS_GREEN != 0)
        yellow += int(stops & HAS_YELLOW != 0)
    out[COLOURS + int(green > 0) + int(yellow > 0)] = 1
    out[CRYSTALS] = min(green + yellow, MOST)


@rule
def write_row(game: State, pack: Pack, seat: int, out: Array) -> None:
    """Animals and eyes of the round, and all stars as they stand."""
    depth = int(game.depth)
    species = species_of(game, pack, seat, depth)
    for kind in range(KINDS):
        out[OWN_SPECIES + kind] = (species >> kind) & 1
    spare = AQUARIUM_ROOM[int(game.boat[seat, AQUARIUM])] - count_of(species)
    out[AQUARIUM_LEFT] = max(spare, 0)
    out[WASTED] = max(-spare, 0)
    eyes = eyes_of(game, pack, seat, depth)
    out[OWN_EYES] = min(eyes, MOST)
    lead = max(-2, min(2, eyes - int(out[OTHER_EYES]))) + 2
    if eyes == 0:
        lead = len(EYE_LEADS) - 1
    out[EYE_LEAD + lead * ROUNDS + depth] = 1
    stars = animal_stars(game, pack, seat, depth)
    stars += PROPELLER_STARS[int(game.boat[seat, PROPELLER])]
    for line in range(3 * ROUNDS):
        if line % ROUNDS != depth:
            stars += int(game.lines[seat, line])
    stars += coral_of(game, pack, seat, reef_of(game, pack, seat))
    out[STARS] = max(0, min(stars + 3 * chests_of(game, pack, seat), MOST_STARS))
    for row in range(ROUNDS):
        out[ROW_SIZES + row] = game.row_size[seat, row]
    out[ROW_SIZES + depth] += game.kept[seat]


@rule
def write_reef(game: State, pack: Pack, seat: int, out: Array) -> None:
    """Coral by where it lies, its groups, and where the reef can grow."""
    depth = int(game.depth)
    cells = coral_cells(game, pack, seat)
    reef = reef_of(game, pack, seat)
    for cell in range(CELLS):
        out[CORALS_AT + cell] = (cells >> cell) & 1
    out[REEF] = min(coral_of(game, pack, seat, reef), MOST)
    out[CORALS] = min(coral_of(game, pack, seat, cells), MOST)
    rest = cells & ~reef
    while rest:
        group = group_of(rest)
        rest &= ~group
        coral = min(coral_of(game, pack, seat, group), MOST)
        out[SECOND_REEF] = max(int(out[SECOND_REEF]), coral)
    to_come = 0
    for row in range(depth, ROUNDS):
        for column in range(int(out[ROW_SIZES + row]), COLUMNS):
            to_come |= 1 << (row * COLUMNS + column)
    out[REEF_EDGES] = count_of(beside(reef) & to_come)
    following = int(out[ROW_SIZES + depth])
    if following < COLUMNS:
        here = 1 << (depth * COLUMNS + following)
        out[REEF_NEXT] = int(beside(reef) & here != 0)
        out[REEF_NEXT + 1] = int(beside(cells & ~reef) & here != 0)


@rule
def write_chests(game: State, pack: Pack, seat: int, out: Array) -> None:
    """Treasure that divers have, and what is left in each column."""
    depth = int(game.depth)
    out[CHESTS] = min(chests_of(game, pack, seat), MOST)
    following = int(out[ROW_SIZES + depth])
    for column in range(COLUMNS):
        loose = 0
        for row in range(deepest_diver(game, seat, column) + 1, depth + 1):
            loose += int(pack.treasure[row, int(game.rows[seat, row, column])])
        loose = min(loose, 9)
        out[LOOSE + column] = loose
        if column == following:
            out[LOOSE_NEXT] = loose
        if column >= following or depth < ROUNDS - 1:
            out[LOOSE_MOST] = max(int(out[LOOSE_MOST]), loose)


@rule
def write_left(game: State, pack: Pack, seat: int, out: Array) -> None:
    """What the cards carry that stay in hand, for the captain or the other."""
    depth = int(game.depth)
    cards = int(game.hands[seat])
    under = int(game.under[seat])
    out[UNDER] = int(under > 0)
    if under:
        cards &= ~(1 << under)
    out[LEFT_CARDS] = min(count_of(cards), MOST)
    taker = taker_of(game, seat)
    missing, waiting, touching = 0, False, False
    if taker != seat:
        missing = ~seen_species(game, pack, taker)
        is_hiding = int(game.boat_before[taker, PROPELLER]) > 0
        boat = game.boat_before[taker] if is_hiding else game.boat[taker]
        waiting = int(boat[GREEN]) + int(boat[YELLOW]) > 0
        touching = coral_goes_on(game, pack, taker)
    while cards:
        card = first_of(cards)
        cards &= cards - 1
        animals, stops = int(pack.animals[depth, card]), int(pack.stops[depth, card])
        for kind in range(KINDS):
            out[LEFT + kind] += (animals >> kind) & 1
        out[LEFT_NEW] += count_of(animals & missing)
        out[LEFT_REEF] += int(pack.coral[depth, card]) * int(touching)
        out[LEFT_BASE] += int(waiting and stops & HAS_BASE != 0)
        out[LEFT + CORAL] += int(pack.coral[depth, card])
        out[LEFT + TREASURE] += int(pack.treasure[depth, card])
        out[LEFT + EYES] += int(pack.eyes[depth, card])
        out[LEFT + BASE] += int(stops & HAS_BASE != 0)
        out[LEFT + GREENS] += int(stops & HAS_GREEN != 0)
        out[LEFT + YELLOWS] += int(stops & HAS_YELLOW != 0)


@rule
def coral_goes_on(game: State, pack: Pack, other: int) -> bool:
    """Would coral on the next card of another touch coral that all see there?"""
    depth = int(game.depth)
    column = int(game.row_size[other, depth])
    if column > 0 and int(pack.coral[depth, int(game.rows[other, depth, column - 1])]):
        return True
    if depth == 0 or column >= COLUMNS:
        return False
    return int(pack.coral[depth - 1, int(game.rows[other, depth - 1, column])]) > 0

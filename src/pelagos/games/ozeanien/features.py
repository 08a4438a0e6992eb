"""What a learner sees of Ozeanien: the board layer by layer, then all that lies beside it.

A layer has a number for each of 35 cells, row by row from the bottom left. The seat's own things
come first, then the other seat's.
"""

from __future__ import annotations

from pelagos.engine.bits import count_of, first_of
from pelagos.engine.layout import Layout, category, count, flag
from pelagos.engine.rule import rule
from pelagos.engine.types import Array
from pelagos.games.ozeanien.knowledge import unseen, unseen_of
from pelagos.games.ozeanien.rules import goals, pending
from pelagos.games.ozeanien.scoring import far_parts
from pelagos.games.ozeanien.state import (
    CELLS,
    CLASSES,
    COASTS,
    EDGES,
    KINDS,
    LONGEST,
    MOST_EXPLORERS,
    PILE,
    SEATS,
    SIDES,
    TILES,
    VALUES,
    Pack,
    State,
)

LAYER = {"cell": CELLS}
OWNERS = ("own", "other")
SHORES = ("near", "far")
"""The parts of a strait's land; other tiles have a near part alone."""
MOST_EDGES = SIDES * CELLS
USUAL_EDGES, USUAL_SIZE, USUAL_COUNT = 8, 10, 5
STARTS = (
    *(f"{coast} {index}" for coast in COASTS for index in range(LONGEST)),
    *(f"cell {cell}" for cell in range(CELLS)),
)

LAYOUT = Layout(
    1,
    flag("board", "Cells of the board", **LAYER),
    flag("explored", "Cells with a tile", **LAYER),
    flag("filled", "Cells that were filled", **LAYER),
    flag("land", "Is the tile land on this side?", side=EDGES, **LAYER),
    flag("reach", "Cells that the ship can explore", **LAYER),
    flag("laid", "The tile just laid", **LAYER),
    count(
        "explorers",
        "The value of each explorer, by the part it stands on",
        VALUES,
        owner=OWNERS,
        part=SHORES,
        **LAYER,
    ),
    count(
        "island_size",
        "Of the island that a part belongs to: its tiles",
        CELLS,
        scale=USUAL_SIZE,
        part=SHORES,
        **LAYER,
    ),
    count(
        "island_open",
        "Its land edges towards unexplored cells",
        MOST_EDGES,
        scale=USUAL_EDGES,
        part=SHORES,
        **LAYER,
    ),
    count(
        "island_own",
        "The seat's explorers on it",
        VALUES * CELLS,
        scale=USUAL_COUNT,
        part=SHORES,
        **LAYER,
    ),
    count(
        "island_other",
        "The other seat's explorers on it",
        VALUES * CELLS,
        scale=USUAL_COUNT,
        part=SHORES,
        **LAYER,
    ),
    category("phase", "What is decided", ("ship", "draw", "lay", "explorer", "over")),
    flag("owes", "Does the seat owe a decision?"),
    category("players", "How many play", range(1, SEATS + 1)),
    flag("play_on", "Option: play on with discards"),
    count("resting", "After the last draw: seats in a row that laid nothing", SEATS),
    category("ship", "Where the ship is: at a circle of a coast, or at a tile", ("none", *STARTS)),
    category("tile", "The tile to be laid", ("none", *CLASSES)),
    count("unseen", "Tiles that nobody has seen", TILES, scale=USUAL_SIZE, tile=CLASSES),
    count("discards", "Discarded tiles", TILES, scale=USUAL_COUNT, owner=OWNERS, tile=CLASSES),
    count(
        "supply",
        "Explorers left",
        MOST_EXPLORERS,
        scale=USUAL_COUNT,
        owner=OWNERS,
        value=range(1, VALUES + 1),
    ),
    count("pile", "Tiles left in the pile", PILE),
)
SIZE = LAYOUT.size
BOARD, EXPLORED, FILLED, LAND = map(LAYOUT.first, ("board", "explored", "filled", "land"))
REACH, LAID, EXPLORER_LAYERS = map(LAYOUT.first, ("reach", "laid", "explorers"))
ISLANDS = LAYOUT.first("island_size")
PHASE, OWES, PLAYERS, PLAYS_ON = map(LAYOUT.first, ("phase", "owes", "players", "play_on"))
RESTING, SHIP_AT, TILE = map(LAYOUT.first, ("resting", "ship", "tile"))
UNSEEN, DISCARDS, SUPPLY = map(LAYOUT.first, ("unseen", "discards", "supply"))
PILE_LEFT = LAYOUT.first("pile")


@rule
def observe(game: State, pack: Pack, seat: int, out: Array) -> None:
    """Write what the seat knows as numbers."""
    observe_board(game, pack, out)
    observe_explorers(game, seat, out)
    for place in range(ISLANDS, PHASE):
        out[place] = 0
    observe_islands(game, pack, seat, out)
    observe_beside(game, pack, seat, out)


@rule
def observe_board(game: State, pack: Pack, out: Array) -> None:
    """The tiles and what the ship can reach; in one loop, which is many times as fast as nine."""
    board, explored, filled = int(pack.board), int(game.explored), int(game.filled)
    north, east = int(game.land[0]), int(game.land[1])
    south, west = int(game.land[2]), int(game.land[3])
    reach = goals(game, pack) if int(game.ship) else 0
    laid = (1 << int(game.laid)) >> 1
    for cell in range(CELLS):
        out[BOARD + cell] = (board >> cell) & 1
        out[EXPLORED + cell] = (explored >> cell) & 1
        out[FILLED + cell] = (filled >> cell) & 1
        out[LAND + cell] = (north >> cell) & 1
        out[LAND + CELLS + cell] = (east >> cell) & 1
        out[LAND + 2 * CELLS + cell] = (south >> cell) & 1
        out[LAND + 3 * CELLS + cell] = (west >> cell) & 1
        out[REACH + cell] = (reach >> cell) & 1
        out[LAID + cell] = (laid >> cell) & 1


@rule
def observe_explorers(game: State, seat: int, out: Array) -> None:
    """Each seat's explorers, by the part they stand on."""
    away = int(game.far)
    for turn in range(SEATS):
        odd, twos = values_of(game, seat ^ turn)
        place = EXPLORER_LAYERS + turn * 2 * CELLS
        for cell in range(CELLS):
            value = ((odd >> cell) & 1) + 2 * ((twos >> cell) & 1)
            is_far = (away >> cell) & 1
            out[place + cell] = value * (1 - is_far)
            out[place + CELLS + cell] = value * is_far


@rule
def values_of(game: State, seat: int) -> tuple[int, int]:
    """The tiles with an explorer of value 1 or 3, and those with one of value 2 or 3: the two
    binary digits of their values.
    """
    threes = int(game.explorers[seat, 2])
    return int(game.explorers[seat, 0]) | threes, int(game.explorers[seat, 1]) | threes


# --- islands --------------------------------------------------------------------------------------
#
# As `scoring` has them, but all of them in one go. Land edges of two tiles that touch join their
# parts. Each part of a strait has one edge, so that it is a leaf: what is flooded is all other
# land, along its joints, and straits are added at the end.


@rule
def observe_islands(game: State, pack: Pack, seat: int, out: Array) -> None:
    """For each part the island it belongs to."""
    up = int(pack.columns)
    north, east = int(game.land[0]), int(game.land[1])
    south, west = int(game.land[2]), int(game.land[3])
    upright, across = north & (south >> up), east & (west >> 1)
    straits = far_parts(game)
    bodies = (north | east | south | west) & ~straits
    inner_upright, inner_across = upright & bodies & (bodies >> up), across & bodies & (bodies >> 1)
    open_north, open_east = north & ~upright, east & ~across
    open_south, open_west = south & ~(upright << up), west & ~(across << 1)
    away = int(game.far)
    own_odd, own_twos = values_of(game, seat)
    other_odd, other_twos = values_of(game, 1 - seat)
    near_left, far_left = straits, straits
    while bodies | near_left | far_left:
        near, far = 0, 0
        if bodies:
            near = bodies & -bodies
            before = 0
            while near != before:
                before = near
                near |= ((near & inner_upright) << up) | ((near >> up) & inner_upright)
                near |= ((near & inner_across) << 1) | ((near >> 1) & inner_across)
            bodies &= ~near
            far = straits & (((near & upright) << up) | ((near & across) << 1))
            near |= straits & (((near >> up) & upright) | ((near >> 1) & across))
        elif near_left:
            near = near_left & -near_left
            far = straits & (((near & upright) << up) | ((near & across) << 1))
        else:
            far = far_left & -far_left
        near_left &= ~near
        far_left &= ~far
        coast = (near & ~straits) | far
        edges = count_of(near & open_north) + count_of(near & open_east)
        edges += count_of(coast & open_south) + count_of(coast & open_west)
        held = (near & ~away) | (far & away)
        own = count_of(own_odd & held) + 2 * count_of(own_twos & held)
        other = count_of(other_odd & held) + 2 * count_of(other_twos & held)
        size = count_of(near | far)
        while near:
            write_island(size, edges, own, other, out, ISLANDS + first_of(near))
            near &= near - 1
        while far:
            write_island(size, edges, own, other, out, ISLANDS + CELLS + first_of(far))
            far &= far - 1


@rule
def write_island(size: int, edges: int, own: int, other: int, out: Array, place: int) -> None:
    """An island's numbers, at one of its parts."""
    out[place] = size
    out[place + 2 * CELLS] = edges
    out[place + 4 * CELLS] = own
    out[place + 6 * CELLS] = other


# --- beside the board -----------------------------------------------------------------------------


@rule
def observe_beside(game: State, pack: Pack, seat: int, out: Array) -> None:
    """Phase, ship, tile, unseen tiles, discards, explorers, pile."""
    out[PHASE] = game.phase
    out[OWES] = (pending(game, pack) >> seat) & 1
    out[PLAYERS] = game.players
    out[PLAYS_ON] = game.play_on
    out[RESTING] = game.resting
    out[SHIP_AT] = game.ship
    out[TILE] = game.tile
    counts = unseen(game)
    for kind in range(KINDS):
        out[UNSEEN + kind] = unseen_of(counts, kind)
    for turn in range(SEATS):
        owner = seat ^ turn
        for kind in range(KINDS):
            out[DISCARDS + turn * KINDS + kind] = game.discards[owner, kind]
        for value in range(VALUES):
            out[SUPPLY + turn * VALUES + value] = game.supply[owner, value]
    out[PILE_LEFT] = PILE - int(game.top)

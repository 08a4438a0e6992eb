"""What a learner sees of Ozeanien: the board layer by layer, then all that lies beside it.

A layer has a number for each of 35 cells, row by row from the bottom left. The seat's own things
come first, then the other seat's.
"""

from __future__ import annotations

from pelagos.engine.layout import Layout, category, count, flag
from pelagos.engine.rule import rule
from pelagos.engine.types import Array
from pelagos.games.ozeanien.knowledge import unseen, unseen_of
from pelagos.games.ozeanien.rules import goals, pending
from pelagos.games.ozeanien.scoring import (
    count_cells,
    explorer_sum,
    far_parts,
    first_island,
    near_parts,
    open_edges,
)
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
EXPLORER_LAYERS, ISLANDS = map(LAYOUT.first, ("explorers", "island_size"))
PHASE, OWES, PLAYERS, PLAYS_ON = map(LAYOUT.first, ("phase", "owes", "players", "play_on"))
RESTING, SHIP_AT, TILE = map(LAYOUT.first, ("resting", "ship", "tile"))
UNSEEN, DISCARDS, SUPPLY = map(LAYOUT.first, ("unseen", "discards", "supply"))
PILE_LEFT = LAYOUT.first("pile")


@rule
def observe(game: State, pack: Pack, seat: int, out: Array) -> None:
    """Write what the seat knows as numbers."""
    for index in range(SIZE):
        out[index] = 0
    observe_board(game, pack, out)
    observe_explorers(game, seat, out, EXPLORER_LAYERS)
    observe_islands(game, pack, seat, out, ISLANDS)
    observe_beside(game, pack, seat, out)


@rule
def layer(cells: int, number: int, out: Array, place: int) -> int:
    """Add a number to a layer at each cell of the mask; return where the next layer begins."""
    for cell in range(CELLS):
        out[place + cell] += number * ((cells >> cell) & 1)
    return place + CELLS


@rule
def observe_board(game: State, pack: Pack, out: Array) -> int:
    """The tiles and what the ship can reach."""
    place = layer(int(pack.board), 1, out, 0)
    place = layer(int(game.explored), 1, out, place)
    place = layer(int(game.filled), 1, out, place)
    for side in range(SIDES):
        place = layer(int(game.land[side]), 1, out, place)
    place = layer(goals(game, pack) if int(game.ship) else 0, 1, out, place)
    return layer((1 << int(game.laid)) >> 1, 1, out, place)


@rule
def observe_explorers(game: State, seat: int, out: Array, place: int) -> int:
    """Each seat's explorers, by the part they stand on."""
    away = int(game.far)
    for turn in range(SEATS):
        owner = seat ^ turn
        for value in range(VALUES):
            tiles = int(game.explorers[owner, value])
            layer(tiles & ~away, value + 1, out, place)
            layer(tiles & away, value + 1, out, place + CELLS)
        place += 2 * CELLS
    return place


@rule
def observe_islands(game: State, pack: Pack, seat: int, out: Array, place: int) -> int:
    """For each part the island it belongs to."""
    straits = far_parts(game)
    near_left, far_left = near_parts(game), straits
    while near_left | far_left:
        near, far = first_island(game, pack, straits, near_left, far_left)
        near_left &= ~near
        far_left &= ~far
        observe_island(near, far, count_cells(near | far), out, place)
        edges = open_edges(game, pack, straits, near, far)
        observe_island(near, far, edges, out, place + 2 * CELLS)
        own = explorer_sum(game, near, far, seat)
        observe_island(near, far, own, out, place + 4 * CELLS)
        other = explorer_sum(game, near, far, 1 - seat)
        observe_island(near, far, other, out, place + 6 * CELLS)
    return place


@rule
def observe_island(near: int, far: int, number: int, out: Array, place: int) -> None:
    """A number of an island, at its near parts and at its far parts."""
    layer(far, number, out, layer(near, number, out, place))


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

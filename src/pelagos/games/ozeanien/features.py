"""What a learner sees of Ozeanien: the board layer by layer, then all that lies beside it.

A layer has a number for each of 35 cells, row by row from the bottom left. The seat's own things
come first, then the other seat's.
"""

from __future__ import annotations

from pelagos.engine.rule import rule
from pelagos.engine.types import Array
from pelagos.games.ozeanien.knowledge import unseen, unseen_of
from pelagos.games.ozeanien.rules import goals
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
    CIRCLES,
    KINDS,
    OVER,
    PILE,
    SEATS,
    SIDES,
    VALUES,
    Pack,
    State,
)

ISLAND_LAYERS = 4
"""Of the island a part belongs to: its size, open edges, both seats' explorers."""
LAYERS = 3 + SIDES + 2 + 2 * SEATS + 2 * ISLAND_LAYERS
"""On the board, explored, filled; land at each side; in reach of the ship, just laid; each seat's
explorer on the near and far part; the island of the near and of the far part."""
PHASES = OVER + 1
STARTS = CIRCLES + CELLS
SIZE = LAYERS * CELLS + PHASES + STARTS + KINDS + KINDS + SEATS * (KINDS + VALUES) + 1
"""Then: the phase; the ship's start; the tile to lay; unseen tiles by class; each seat's discards
by class and explorers by value; tiles left in the pile."""


@rule
def observe(game: State, pack: Pack, seat: int, out: Array) -> None:
    """Write what the seat knows as numbers."""
    for index in range(SIZE):
        out[index] = 0
    place = observe_board(game, pack, out)
    place = observe_explorers(game, seat, out, place)
    place = observe_islands(game, pack, seat, out, place)
    observe_beside(game, seat, out, place)


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
    return place + 2 * ISLAND_LAYERS * CELLS


@rule
def observe_island(near: int, far: int, number: int, out: Array, place: int) -> None:
    """A number of an island, at its near parts and at its far parts."""
    layer(far, number, out, layer(near, number, out, place))


@rule
def observe_beside(game: State, seat: int, out: Array, place: int) -> None:
    """Phase, ship, tile, unseen tiles, discards, explorers, pile."""
    out[place + int(game.phase)] = 1
    place += PHASES
    if int(game.ship):
        out[place + int(game.ship) - 1] = 1
    place += STARTS
    if int(game.tile):
        out[place + int(game.tile) - 1] = 1
    place += KINDS
    counts = unseen(game)
    for kind in range(KINDS):
        out[place + kind] = unseen_of(counts, kind)
    place += KINDS
    for turn in range(SEATS):
        owner = seat ^ turn
        for kind in range(KINDS):
            out[place + kind] = game.discards[owner, kind]
        place += KINDS
        for value in range(VALUES):
            out[place + value] = game.supply[owner, value]
        place += VALUES
    out[place] = PILE - int(game.top)

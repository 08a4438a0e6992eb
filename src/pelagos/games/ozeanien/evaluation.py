"""How good an action looks in Ozeanien: what an island is worth with the coast that is still open,
and how well the cells around a tile can still be explored. Numbers are hundredths of a point.
"""

from __future__ import annotations

import numpy as np

from pelagos.engine.rule import rule
from pelagos.engine.types import Array
from pelagos.games.ozeanien.rules import (
    EDGES,
    EXPLORERS,
    FORMS,
    LAYS,
    LOOKS,
    PARTS,
    REUSES,
    SHIPS,
    beyond,
    fill,
    fits,
    goals,
    is_strait,
    opposite,
    surroundings,
    turned,
)
from pelagos.games.ozeanien.scoring import (
    DISCARD_POINTS,
    UNEXPLORED_POINTS,
    count_cells,
    explorer_sum,
    far_parts,
    open_edges,
    whole_island,
)
from pelagos.games.ozeanien.state import (
    CELLS,
    EAST,
    KINDS,
    PILE,
    SIDES,
    TILES,
    TURNS,
    VALUES,
    Pack,
    State,
)

SPREAD = 1000
"""How far apart finished games are: the margin that is as good as won."""
MISFIT = 300
"""What a tile costs that is drawn and fits nowhere: a discard, and a turn."""
SAMPLE = 16
"""In a play-out, the best of so many actions drawn by lot is made."""
SOLO_PAR = 150
SOLO_SPREAD = 6
"""Alone: a usual score, and how many times wider scores lie apart."""

RISK = 14
RISK_LATE = 20
"""How much less likely an island is completed for each open edge, in hundredths: at first, and
added by the end."""
NEEDED = 4
"""Tiles that are drawn, on average, before one closes an open edge."""
GROWTH = 60
"""Tiles that an open edge may still bring, in hundredths of one, at the beginning."""
HOLD, HOLD_MORE = 70, 10
"""How sure an open island is with a lead of 1, and how much surer with more, in hundredths."""
DEAD_CELL = 1200
"""Alone: what it costs that a cell can't be explored any more, short of all tiles that fit."""
DEAD_CELL_TWO = 50
WASTE = 1500
"""Alone: what a tile is worth that was drawn in vain."""
EXPLORER_COST = (90, 170, 260)
"""What an explorer of each value is worth in the supply, at the beginning."""


def _fitting() -> np.ndarray:
    """For everything that may lie around a cell, the mask of the classes that fit."""
    table = np.zeros(256, np.int64)
    for around in range(256):
        for kind, form in enumerate(FORMS):
            edges = {turned(form, turn) for turn in range(TURNS)}
            if any(edge & around & 15 == around >> SIDES for edge in edges):
                table[around] |= 1 << kind
    return table


FITTING = _fitting()


@rule
def unseen(game: State) -> int:
    """How many tiles of each class are unseen: eight bits for a class."""
    counts = 0
    for place in range(int(game.top), TILES):
        counts += 1 << (8 * (int(game.pile[place]) - 1))
    return counts


@rule
def chance_to_fit(counts: int, kinds: int) -> int:
    """How likely the next tile is of one of these classes, in hundredths."""
    total, fitting = 0, 0
    for kind in range(KINDS):
        count = (counts >> (8 * kind)) & 255
        total += count
        fitting += count * ((kinds >> kind) & 1)
    return 100 * fitting // max(total, 1)


@rule
def island_worth(
    game: State, pack: Pack, straits: int, near: int, far: int, seat: int, laying: int
) -> int:
    """What an island promises the seat. `laying` is 1 if the seat may put an explorer there."""
    size = 100 * count_cells(near | far)
    edges = open_edges(game, pack, straits, near, far)
    top = int(game.top)
    likely = 100
    if edges:
        likely = max(5, 100 - edges * (RISK + RISK_LATE * top // PILE))
        likely = likely * min(100, 100 * (PILE - top) // (NEEDED * edges)) // 100
        size += edges * GROWTH * (PILE - top) // PILE
    if int(game.players) == 1:
        return size * size // 100 * likely // 100
    worth = size * likely // 100
    own = explorer_sum(game, near, far, seat)
    other = explorer_sum(game, near, far, 1 - seat)
    best = hold_worth(game, worth, edges, own - other, seat)
    if laying:
        for value in range(VALUES):
            if game.supply[seat, value]:
                lead = own + value + 1 - other
                claimed = hold_worth(game, worth, edges, lead, seat)
                best = max(best, claimed - explorer_cost(game, value))
    return best


@rule
def supply_sum(game: State, seat: int) -> int:
    """The values of the explorers that the seat has left."""
    total = 0
    for value in range(VALUES):
        total += (value + 1) * int(game.supply[seat, value])
    return total


@rule
def hold_worth(game: State, worth: int, edges: int, lead: int, seat: int) -> int:
    """What is left of an island's worth with this lead in explorers: the other may catch up as
    long as the coast is open and explorers are left.
    """
    if lead == 0:
        return 0
    behind = 1 - seat if lead > 0 else seat
    sure = 100
    if edges and supply_sum(game, behind) >= abs(lead):
        sure = min(100, HOLD + HOLD_MORE * (abs(lead) - 1))
    return worth * sure // 100 if lead > 0 else -worth * sure // 100


@rule
def lay_gain(game: State, pack: Pack, seat: int, cell: int, edges: int, counts: int) -> int:
    """What a tile with these edges on the cell brings."""
    here = 1 << cell
    straits = far_parts(game)
    gain = 0
    seen_near, seen_far = 0, 0
    for side in range(SIDES):
        if (edges >> side) & 1:
            there = beyond(pack, here, side) & int(game.explored)
            is_far = opposite(side) > EAST and there & straits != 0
            if there and not (seen_far if is_far else seen_near) & there:
                if is_far:
                    near, far = whole_island(game, pack, straits, 0, there)
                else:
                    near, far = whole_island(game, pack, straits, there, 0)
                seen_near |= near
                seen_far |= far
                gain -= island_worth(game, pack, straits, near, far, seat, 0)
    explored, filled = int(game.explored), int(game.filled)
    north, east = int(game.land[0]), int(game.land[1])
    south, west = int(game.land[2]), int(game.land[3])
    game.explored = explored | here
    for side in range(SIDES):
        game.land[side] = int(game.land[side]) | (((edges >> side) & 1) << cell)
    fill(game, pack)
    straits = far_parts(game)
    near, far = 0, 0
    if edges:
        near, far = whole_island(game, pack, straits, here, 0)
        gain += island_worth(game, pack, straits, near, far, seat, 1)
    if is_strait(edges) and not far & here:
        near, far = whole_island(game, pack, straits, 0, here)
        gain += island_worth(game, pack, straits, near, far, seat, 1) * 3 // 4
    solo = int(game.players) == 1
    gain -= cramped(game, pack, cell, counts) * (DEAD_CELL if solo else DEAD_CELL_TWO) // 100
    if solo:
        gain -= 100 * UNEXPLORED_POINTS * count_cells(int(game.explored) & ~explored)
    game.explored, game.filled = explored, filled
    game.land[0], game.land[1], game.land[2], game.land[3] = north, east, south, west
    return gain


@rule
def cramped(game: State, pack: Pack, cell: int, counts: int) -> int:
    """How hard the cells around this one are to explore, in hundredths of a lost cell."""
    sum_of_misfits = 0
    for side in range(SIDES):
        there = beyond(pack, 1 << cell, side) & ~int(game.explored)
        if there:
            other = cell
            if side == 0:
                other += int(pack.columns)
            elif side == 1:
                other += 1
            elif side == 2:
                other -= int(pack.columns)
            else:
                other -= 1
            fit = chance_to_fit(counts, int(FITTING[surroundings(game, pack, other)]))
            misfit = 100 - fit
            sum_of_misfits += misfit * misfit // 100
            if fit == 0:
                sum_of_misfits += 60
    return sum_of_misfits


@rule
def best_lay(game: State, pack: Pack, seat: int, kind: int, counts: int) -> int:
    """What a tile of this class brings where it fits best from the ship."""
    cells = goals(game, pack)
    best = -1_000_000
    for cell in range(CELLS):
        if (cells >> cell) & 1:
            around = surroundings(game, pack, cell)
            for turn in range(int(LOOKS[kind])):
                if fits(kind, turn, around):
                    edges = int(EDGES[kind, turn])
                    best = max(best, lay_gain(game, pack, seat, cell, edges, counts))
    return best


@rule
def misfit_cost(game: State) -> int:
    """What a tile costs that is drawn and fits nowhere."""
    return WASTE if int(game.players) == 1 else MISFIT


@rule
def ship_gain(game: State, pack: Pack, seat: int, start: int) -> int:
    """What drawing a tile with the ship there brings, on average."""
    before = game.ship
    game.ship = start + 1
    cells = goals(game, pack)
    kinds = 0
    for cell in range(CELLS):
        if (cells >> cell) & 1:
            kinds |= int(FITTING[surroundings(game, pack, cell)])
    counts = unseen(game)
    total, sum_of_gains = 0, 0
    for kind in range(KINDS):
        count = (counts >> (8 * kind)) & 255
        if count:
            total += count
            if (kinds >> kind) & 1:
                sum_of_gains += count * best_lay(game, pack, seat, kind, counts)
            else:
                sum_of_gains -= count * misfit_cost(game)
    game.ship = before
    return sum_of_gains // max(total, 1)


@rule
def quick_ship_gain(game: State, pack: Pack, start: int) -> int:
    """How likely a tile fits with the ship there, and how much known land it would meet."""
    before = game.ship
    game.ship = start + 1
    cells = goals(game, pack)
    kinds, coast = 0, 0
    for cell in range(CELLS):
        if (cells >> cell) & 1:
            around = surroundings(game, pack, cell)
            kinds |= int(FITTING[around])
            coast = max(coast, count_cells(around >> SIDES))
    game.ship = before
    return 20 * chance_to_fit(unseen(game), kinds) + 150 * coast


@rule
def explorer_cost(game: State, value: int) -> int:
    """What an explorer is still worth in the supply."""
    return EXPLORER_COST[value] * (PILE - int(game.top)) // PILE


@rule
def explorer_gain(game: State, pack: Pack, seat: int, value: int, part: int) -> int:
    """What an explorer brings on a part of the tile just laid."""
    here = 1 << (int(game.laid) - 1)
    straits = far_parts(game)
    if part > 1 + EAST:
        near, far = whole_island(game, pack, straits, 0, here)
    else:
        near, far = whole_island(game, pack, straits, here, 0)
    before = island_worth(game, pack, straits, near, far, seat, 0)
    away = game.far
    explorers = game.explorers[seat, value]
    game.explorers[seat, value] |= here
    if part > 1 + EAST:
        game.far |= here
    after = island_worth(game, pack, straits, near, far, seat, 0)
    game.explorers[seat, value] = explorers
    game.far = away
    return after - before - explorer_cost(game, value)


@rule
def reuse_gain(game: State, pack: Pack, seat: int, kind: int, value: int) -> int:
    """What a discard brings where it fits best, against the tile that would be drawn."""
    counts = unseen(game)
    laid = best_lay(game, pack, seat, kind, counts) - 100 * DISCARD_POINTS
    drawn = ship_gain(game, pack, seat, int(game.ship) - 1)
    return laid - drawn - explorer_cost(game, value) - 50


@rule
def rate(game: State, pack: Pack, seat: int, action: int) -> int:
    """How good a legal action looks to the seat."""
    if action >= EXPLORERS:
        value, part = (action - EXPLORERS) // PARTS, (action - EXPLORERS) % PARTS
        return explorer_gain(game, pack, seat, value, part)
    if action >= LAYS:
        cell, turn = (action - LAYS) // TURNS, (action - LAYS) % TURNS
        edges = int(EDGES[int(game.tile) - 1, turn])
        return lay_gain(game, pack, seat, cell, edges, unseen(game))
    if action >= REUSES:
        kind, value = (action - REUSES) // VALUES, (action - REUSES) % VALUES
        return reuse_gain(game, pack, seat, kind, value)
    if action >= SHIPS:
        return ship_gain(game, pack, seat, action - SHIPS)
    return 0


@rule
def lean(game: State, pack: Pack, seat: int, action: int) -> int:
    """The same for play-outs: the ship is placed by a quick look, and discards are left."""
    if REUSES <= action < LAYS:
        return -1
    if SHIPS <= action < REUSES:
        return quick_ship_gain(game, pack, action - SHIPS)
    return rate(game, pack, seat, action)


@rule
def standing(game: State, pack: Pack, seat: int, totals: Array) -> int:
    """How far ahead the seat is; alone, of a usual score."""
    if int(game.players) == 1:
        return 100 * (int(totals[0]) - SOLO_PAR) // SOLO_SPREAD
    return 100 * (int(totals[seat]) - int(totals[1 - seat]))

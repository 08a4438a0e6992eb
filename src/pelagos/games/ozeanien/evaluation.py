"""How good an action looks in Ozeanien: what an island is worth with the coast that is still open,
and how well the cells around a tile can still be explored. Numbers are hundredths of a point.
"""

from __future__ import annotations

from pelagos.engine.rule import constants, rule
from pelagos.engine.types import Array
from pelagos.games.ozeanien.actions import EXPLORERS, LAYS, PARTS, REUSES, SHIPS
from pelagos.games.ozeanien.rules import (
    FORMS,
    LOOKS,
    TILE_EDGES,
    beyond,
    fill,
    fits,
    fits_from_ship,
    goals,
    opposite,
    pile_is_empty,
    surroundings,
    turned,
    unexplored,
)
from pelagos.games.ozeanien.scoring import (
    DISCARD_POINTS,
    UNEXPLORED_POINTS,
    coast,
    count_cells,
    explorer_sum,
    far_parts,
    first_island,
    near_parts,
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
MISFIT = 400
"""What a tile costs that is drawn and fits nowhere: a discard, and a turn."""
SAMPLE = 16
"""In a play-out, the best of so many actions drawn by lot is made."""
SOLO_PAR = 150
SOLO_SPREAD = 6
"""Alone: a usual score, and how many times wider scores lie apart."""

LIKELY, LIKELY_HALF = 85, 4
"""Two players: how likely an island with one open cell is completed, in hundredths, if no end were
near; with how many tiles left it is half of that. Counted in games: how many unseen tiles fit the
cell made hardly a difference.
"""
LIKELY_MORE, LIKELY_MORE_HALF = 90, 2
"""The same for each further open cell, by which the likelihood is multiplied."""
GROWTH, GROWTH_MORE = 100, 60
"""Tiles that an open island still gains, and that each open cell adds, in hundredths of one."""
HOLD, HOLD_MORE = 70, 7
"""How sure the seat's open island is with a lead of 1, and how much surer with more, in
hundredths.
"""
LOSE, LOSE_MORE = 104, 16
"""The same for an island that the other leads."""
LOSE_MOST = 130
"""An island that can't be won back weighs more than one of the seat's own: a large one decides."""
OPTION = 20
"""What an open island that nobody leads is worth to a seat with explorers, in hundredths."""
CLAIM = 130
"""How much an explorer that could follow counts when a tile is laid, in hundredths."""
EXPLORER_COST = (68, 102, 130)
"""What an explorer of each value is worth in the supply, as hundredths of a point."""
COST_BY_TIME, COST_BY_TURNS = 50, 45
"""How that depends on the tiles left, and on the turns left for each explorer, in hundredths."""
MOST_TURNS = 4
"""More turns for each explorer make it no dearer."""
REUSE = 60
"""What a discard must bring beyond the tile that would be drawn."""
DEAD_CELL_TWO = 80
"""What it costs that a cell can't be explored any more, short of all tiles that fit."""

RISK = 14
RISK_LATE = 20
"""Alone: how much less likely an island is completed for each open edge, in hundredths: at first,
and added by the end."""
NEEDED = 4
"""Alone: tiles that are drawn, on average, before one closes an open edge."""
SOLO_GROWTH = 60
"""Alone: tiles that an open edge may still bring, in hundredths of one, at the beginning."""
DEAD_CELL = 1200
"""Alone: what it costs that a cell can't be explored any more, short of all tiles that fit."""
WASTE = 1500
"""Alone: what a tile is worth that was drawn in vain."""


def _fitting() -> list[int]:
    """For everything that may lie around a cell, the mask of the classes that fit."""
    table = [0] * 256
    for around in range(256):
        for kind, form in enumerate(FORMS):
            edges = {turned(form, turn) for turn in range(TURNS)}
            if any(edge & around & 15 == around >> SIDES for edge in edges):
                table[around] |= 1 << kind
    return table


FITTING = constants(_fitting())


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
def open_cells(game: State, pack: Pack, straits: int, near: int, far: int) -> int:
    """The unexplored cells that an island's land edges face."""
    cells = 0
    for side in range(SIDES):
        cells |= beyond(pack, coast(game, straits, near, far, side), side)
    return cells & unexplored(game, pack)


@rule
def prospect(game: State, size: int, cells: int) -> int:
    """The points that an island with so many open cells will likely bring, whoever gets them."""
    if cells == 0:
        return 100 * size
    left = PILE - int(game.top)
    likely = 100 * LIKELY * left // (left + LIKELY_HALF)
    for _ in range(cells - 1):
        likely = likely * LIKELY_MORE * left // (100 * (left + LIKELY_MORE_HALF))
    return (100 * size + GROWTH + GROWTH_MORE * cells) * likely // 10_000


@rule
def supply_sum(game: State, seat: int) -> int:
    """The values of the explorers that the seat has left."""
    total = 0
    for value in range(VALUES):
        total += (value + 1) * int(game.supply[seat, value])
    return total


@rule
def supply_count(game: State, seat: int) -> int:
    """How many explorers the seat has left."""
    total = 0
    for value in range(VALUES):
        total += int(game.supply[seat, value])
    return total


@rule
def hold_worth(game: State, worth: int, is_open: bool, lead: int, seat: int) -> int:
    """What is left of an island's worth with this lead in explorers: who is behind may catch up
    as long as the coast is open and explorers are left.
    """
    if lead == 0:
        return worth * OPTION // 100 if is_open and supply_sum(game, seat) else 0
    if lead > 0:
        sure = 100
        if is_open and supply_sum(game, 1 - seat) >= lead:
            sure = min(sure, HOLD + HOLD_MORE * (lead - 1))
        return worth * sure // 100
    lost = LOSE_MOST
    if is_open and supply_sum(game, seat) >= -lead:
        lost = min(lost, LOSE + LOSE_MORE * (-lead - 1))
    return -worth * lost // 100


@rule
def explorer_cost(game: State, seat: int, value: int) -> int:
    """What an explorer is still worth in the supply: less towards the end, and if there are many
    for the turns left.
    """
    left = PILE - int(game.top)
    count = max(supply_count(game, seat), 1)
    share = COST_BY_TIME * left // PILE
    share += COST_BY_TURNS * min(MOST_TURNS * count, left // 2) // count
    return EXPLORER_COST[value] * share // 100


@rule
def claim_gain(game: State, worth: int, is_open: bool, lead: int, seat: int, value: int) -> int:
    """What an explorer of this value adds on an island."""
    before = hold_worth(game, worth, is_open, lead, seat)
    after = hold_worth(game, worth, is_open, lead + value + 1, seat)
    return after - before - explorer_cost(game, seat, value)


@rule
def best_claim(game: State, worth: int, is_open: bool, lead: int, seat: int) -> int:
    """What the best explorer of the supply adds on an island; 0 if none pays."""
    best = 0
    for value in range(VALUES):
        if game.supply[seat, value]:
            best = max(best, claim_gain(game, worth, is_open, lead, seat, value))
    return best


@rule
def solo_worth(game: State, pack: Pack, straits: int, near: int, far: int) -> int:
    """Alone: what an island promises."""
    size = 100 * count_cells(near | far)
    edges = open_edges(game, pack, straits, near, far)
    top = int(game.top)
    likely = 100
    if edges:
        likely = max(5, 100 - edges * (RISK + RISK_LATE * top // PILE))
        likely = likely * min(100, 100 * (PILE - top) // (NEEDED * edges)) // 100
        size += edges * SOLO_GROWTH * (PILE - top) // PILE
    return size * size // 100 * likely // 100


@rule
def lead_of(game: State, near: int, far: int, seat: int) -> int:
    """By how much the seat's explorers on an island outweigh the other's."""
    return explorer_sum(game, near, far, seat) - explorer_sum(game, near, far, 1 - seat)


@rule
def islands_worth(
    game: State, pack: Pack, seat: int, near_left: int, far_left: int, here: int
) -> int:
    """What the islands of these parts promise the seat; it may put an explorer on `here`."""
    straits = far_parts(game)
    sum_of_worths, option = 0, 0
    while near_left | far_left:
        near, far = first_island(game, pack, straits, near_left, far_left)
        near_left &= ~near
        far_left &= ~far
        if int(game.players) == 1:
            sum_of_worths += solo_worth(game, pack, straits, near, far)
            continue
        cells = count_cells(open_cells(game, pack, straits, near, far))
        worth = prospect(game, count_cells(near | far), cells)
        lead = lead_of(game, near, far, seat)
        sum_of_worths += hold_worth(game, worth, cells > 0, lead, seat)
        if (near | far) & here:
            option = max(option, best_claim(game, worth, cells > 0, lead, seat))
    return sum_of_worths + option * CLAIM // 100


@rule
def lay_gain(game: State, pack: Pack, seat: int, cell: int, edges: int, counts: int) -> int:
    """What a tile with these edges on the cell brings."""
    here = 1 << cell
    solo = int(game.players) == 1
    explored, filled = int(game.explored), int(game.filled)
    north, east = int(game.land[0]), int(game.land[1])
    south, west = int(game.land[2]), int(game.land[3])
    game.explored = explored | here
    for side in range(SIDES):
        game.land[side] = int(game.land[side]) | (((edges >> side) & 1) << cell)
    fill(game, pack)
    fresh = int(game.explored) & ~explored
    gain = islands_worth(game, pack, seat, near_parts(game) & fresh, far_parts(game) & fresh, here)
    gain -= cramped(game, pack, cell, counts) * (DEAD_CELL if solo else DEAD_CELL_TWO) // 100
    if solo:
        gain -= 100 * UNEXPLORED_POINTS * count_cells(fresh)
    game.explored, game.filled = explored, filled
    game.land[0], game.land[1], game.land[2], game.land[3] = north, east, south, west
    straits = far_parts(game)
    near, far = 0, 0
    for side in range(SIDES):
        there = beyond(pack, fresh, side) & int(game.land[opposite(side)])
        if opposite(side) > EAST:
            far |= there & straits
            there &= ~straits
        near |= there
    return gain - islands_worth(game, pack, seat, near, far, 0)


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
                    edges = int(TILE_EDGES[kind, turn])
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
    kinds, shore = 0, 0
    for cell in range(CELLS):
        if (cells >> cell) & 1:
            around = surroundings(game, pack, cell)
            kinds |= int(FITTING[around])
            shore = max(shore, count_cells(around >> SIDES))
    game.ship = before
    return 20 * chance_to_fit(unseen(game), kinds) + 150 * shore


@rule
def explorer_gain(game: State, pack: Pack, seat: int, value: int, part: int) -> int:
    """What an explorer brings on a part of the tile just laid."""
    here = 1 << (int(game.laid) - 1)
    straits = far_parts(game)
    if part > 1 + EAST:
        near, far = whole_island(game, pack, straits, 0, here)
    else:
        near, far = whole_island(game, pack, straits, here, 0)
    cells = count_cells(open_cells(game, pack, straits, near, far))
    worth = prospect(game, count_cells(near | far), cells)
    return claim_gain(game, worth, cells > 0, lead_of(game, near, far, seat), seat, value)


@rule
def last_ship_gain(game: State, pack: Pack, seat: int, start: int) -> int:
    """What the best discard brings with the ship there, when no tile is left to draw."""
    before = game.ship
    game.ship = start + 1
    best = -1_000_000
    for kind in range(KINDS):
        if game.discards[seat, kind] and fits_from_ship(game, pack, kind):
            best = max(best, best_lay(game, pack, seat, kind, unseen(game)))
    game.ship = before
    return best - 100 * DISCARD_POINTS


@rule
def reuse_gain(game: State, pack: Pack, seat: int, kind: int, value: int) -> int:
    """What a discard brings where it fits best, against the tile that would be drawn."""
    laid = best_lay(game, pack, seat, kind, unseen(game)) - 100 * DISCARD_POINTS
    if pile_is_empty(game):
        return laid - EXPLORER_COST[value]
    drawn = ship_gain(game, pack, seat, int(game.ship) - 1)
    return laid - drawn - explorer_cost(game, seat, value) - REUSE


@rule
def rate(game: State, pack: Pack, seat: int, action: int) -> int:
    """How good a legal action looks to the seat."""
    if action >= EXPLORERS:
        value, part = (action - EXPLORERS) // PARTS, (action - EXPLORERS) % PARTS
        return explorer_gain(game, pack, seat, value, part)
    if action >= LAYS:
        cell, turn = (action - LAYS) // TURNS, (action - LAYS) % TURNS
        edges = int(TILE_EDGES[int(game.tile) - 1, turn])
        return lay_gain(game, pack, seat, cell, edges, unseen(game))
    if action >= REUSES:
        kind, value = (action - REUSES) // VALUES, (action - REUSES) % VALUES
        return reuse_gain(game, pack, seat, kind, value)
    if action >= SHIPS and pile_is_empty(game):
        return last_ship_gain(game, pack, seat, action - SHIPS)
    if action >= SHIPS:
        return ship_gain(game, pack, seat, action - SHIPS)
    return 0


@rule
def lean(game: State, pack: Pack, seat: int, action: int) -> int:
    """The same for play-outs: the ship is placed by a quick look, and discards are left."""
    if REUSES <= action < LAYS:
        return -1
    if SHIPS <= action < REUSES and not pile_is_empty(game):
        return quick_ship_gain(game, pack, action - SHIPS)
    return rate(game, pack, seat, action)


@rule
def standing(game: State, pack: Pack, seat: int, totals: Array) -> int:
    """How far ahead the seat is; alone, of a usual score."""
    if int(game.players) == 1:
        return 100 * (int(totals[0]) - SOLO_PAR) // SOLO_SPREAD
    return 100 * (int(totals[seat]) - int(totals[1 - seat]))

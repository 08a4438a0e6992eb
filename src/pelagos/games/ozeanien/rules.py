"""Ozeanien's rules, in the rulebook's order: ship, explore, explorers, the end; fills, reuse."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pelagos.engine.errors import BadOption, text
from pelagos.engine.game import BY_LOT
from pelagos.engine.rule import constants, rule
from pelagos.engine.stream import below
from pelagos.engine.stream import shuffle as shuffle_tiles
from pelagos.engine.types import SHOWN, TURNED, Array
from pelagos.games.ozeanien.actions import (
    DRAWS,
    EXPLORERS,
    LAYS,
    PARTS,
    PASS,
    REUSES,
    SHIPS,
)
from pelagos.games.ozeanien.state import (
    CELLS,
    CIRCLES,
    DRAW,
    EAST,
    EXPLORER,
    KINDS,
    LAY,
    NORTH,
    OVER,
    PILE,
    SHIP,
    SIDES,
    SOUTH,
    TILES,
    TURNS,
    VALUES,
    Pack,
    State,
)

# --- tiles ----------------------------------------------------------------------------------------

FORMS = ("SSSS", "LSSS", "LLSS", "LSLS", "LLLS", "LLLL")
"""Each class as it lies before it is turned: its north, east, south and west edge."""


def turned(form: str, turn: int) -> int:
    """The edges of a form after quarter turns clockwise (OZE-2)."""
    return sum(1 << ((side + turn) % SIDES) for side in range(SIDES) if form[side] == "L")


TILE_EDGES = constants([[turned(form, turn) for turn in range(TURNS)] for form in FORMS])
"""The edges of each class at each turn."""
KIND_AND_TURN = {
    turned(form, turn): (kind, turn)
    for kind, form in enumerate(FORMS)
    for turn in reversed(range(TURNS))
}
"""The class and the smallest turn of a tile with these edges."""

LOOKS = constants([len({turned(form, turn) for turn in range(TURNS)}) for form in FORMS])
"""How many turns of each class look different: the smallest ones."""

STRAITS = (turned("LSLS", 0), turned("LSLS", 1))
"""The edges that belong to two separate island parts."""
ALL_LAND = turned("LLLL", 0)

# --- the board ------------------------------------------------------------------------------------


@rule
def opposite(side: int) -> int:
    """The side across."""
    return (side + 2) % SIDES


@rule
def beyond(pack: Pack, cells: int, side: int) -> int:
    """The cells one step to that side; there are none across the border."""
    inner = cells & ~int(pack.border[side])
    columns = int(pack.columns)
    if side == NORTH:
        return inner << columns
    if side == EAST:
        return inner << 1
    if side == SOUTH:
        return inner >> columns
    return inner >> 1


@rule
def unexplored(game: State, pack: Pack) -> int:
    """Mask of the cells without a tile."""
    return int(pack.board) & ~int(game.explored)


@rule
def edges_at(game: State, cell: int) -> int:
    """The edges of the tile on the cell."""
    edges = 0
    for side in range(SIDES):
        edges |= ((int(game.land[side]) >> cell) & 1) << side
    return edges


@rule
def surroundings(game: State, pack: Pack, cell: int) -> int:
    """What a tile on the cell must match: four bits for the sides that are known, and above them
    four for those of them that are land. The border is sea.
    """
    here = 1 << cell
    known, land = 0, 0
    for side in range(SIDES):
        there = beyond(pack, here, side)
        if there == 0 or there & int(game.explored):
            known |= 1 << side
        if there & int(game.land[opposite(side)]):
            land |= 1 << side
    return known | (land << SIDES)


@rule
def fits(kind: int, turn: int, around: int) -> bool:
    """Does every known edge match: land to land, sea to sea?"""
    return int(TILE_EDGES[kind, turn]) & around & ALL_LAND == around >> SIDES


# --- set-up ---------------------------------------------------------------------------------------


def check(options: Mapping[str, Any]) -> None:
    """Refuse options that don't go together: alone no discard is laid again (OZE-40)."""
    if options["play_on"] and options["players"] == 1:
        raise BadOption(text("ozeanien/refuse.play_on_alone"))


def configure(game: State, options: Mapping[str, Any]) -> None:
    """Write the options into an empty state."""
    game.players = options["players"]
    game.play_on = int(options["play_on"])
    game.start = options.get("start", BY_LOT) + 1  # until the deal


@rule
def shuffle(game: State, pack: Pack) -> None:
    """Shuffle the sea tiles, of which the last three are out of the game; draw who starts,
    unless it was chosen.

    Ruling OZE-35.
    """
    place = 0
    for kind in range(KINDS):
        for _ in range(int(pack.tiles[kind])):
            game.pile[place] = kind + 1
            place += 1
    shuffle_tiles(game.stream, game.pile, 0, TILES)
    lot = below(game.stream, int(game.players))
    game.start = int(game.start) - 1 if int(game.start) else lot


@rule
def begin(game: State, pack: Pack) -> None:
    """With two players each gets its explorers; the starting seat places the ship."""
    if int(game.players) > 1:
        for seat in range(int(game.players)):
            for value in range(VALUES):
                game.supply[seat, value] = pack.explorers[value]
    game.seat = game.start
    game.phase = SHIP


# --- who owes a decision, and which are legal -----------------------------------------------------


@rule
def pending(game: State, pack: Pack) -> int:
    """Mask of the seat whose turn it is; 0: the game is over."""
    if int(game.phase) == OVER:
        return 0
    return 1 << int(game.seat)


@rule
def legal(game: State, pack: Pack, seat: int, out: Array) -> int:
    """Write the seat's legal actions, ascending; return how many."""
    phase = int(game.phase)
    if phase == SHIP:
        return starts(game, pack, out)
    if phase == DRAW:
        return draw_or_reuse(game, pack, seat, out)
    if phase == LAY:
        return lays(game, pack, out)
    return explorers(game, seat, out)


@rule
def start_tiles(game: State, pack: Pack) -> int:
    """The tiles with a sea edge towards an unexplored cell (OZE-5)."""
    unknown = unexplored(game, pack)
    tiles = 0
    for side in range(SIDES):
        tiles |= beyond(pack, unknown, opposite(side)) & ~int(game.land[side])
    return tiles & int(game.explored)


@rule
def starts(game: State, pack: Pack, out: Array) -> int:
    """Write every start: a circle whose cell is unexplored, a tile with a route to the unknown.

    Rulings OZE-6, OZE-10.
    """
    if pile_is_empty(game):
        return last_starts(game, pack, out)
    unknown = unexplored(game, pack) << 1
    count = 0
    for circle in range(CIRCLES):
        out[count] = SHIPS + circle
        count += (unknown >> int(pack.circles[circle])) & 1
    tiles = start_tiles(game, pack)
    for cell in range(CELLS):
        out[count] = SHIPS + CIRCLES + cell
        count += (tiles >> cell) & 1
    return count


@rule
def is_any_start(game: State, pack: Pack) -> bool:
    """Is there a legal start?"""
    circles = unexplored(game, pack) & int(pack.circled)
    return circles | start_tiles(game, pack) != 0


@rule
def goals(game: State, pack: Pack) -> int:
    """The cells that the ship can explore."""
    return goals_from(game, pack, int(game.ship) - 1)


@rule
def goals_from(game: State, pack: Pack, start: int) -> int:
    """The cells in reach of a start: a circle's own, or across a tile's sea edges (OZE-7)."""
    if start < CIRCLES:
        return 1 << (int(pack.circles[start]) - 1)
    here = 1 << (start - CIRCLES)
    cells = 0
    for side in range(SIDES):
        cells |= beyond(pack, here & ~int(game.land[side]), side)
    return cells & unexplored(game, pack)


@rule
def fits_from_ship(game: State, pack: Pack, kind: int) -> bool:
    """Can a tile of this class be laid from where the ship is?"""
    return fits_on_any(game, pack, kind, goals(game, pack))


@rule
def fits_on_any(game: State, pack: Pack, kind: int, cells: int) -> bool:
    """Can a tile of this class be laid on one of these cells?"""
    for cell in range(CELLS):
        if (cells >> cell) & 1:
            around = surroundings(game, pack, cell)
            for turn in range(int(LOOKS[kind])):
                if fits(kind, turn, around):
                    return True
    return False


@rule
def draw_or_reuse(game: State, pack: Pack, seat: int, out: Array) -> int:
    """Draw, or lay one of the seat's own discards that fits, for one explorer of its supply.

    Rulings OZE-24, OZE-26, OZE-40.
    """
    out[0] = DRAWS
    count = int(not pile_is_empty(game))
    if not has_explorers(game, seat):
        return count
    for kind in range(KINDS):
        if game.discards[seat, kind] and fits_from_ship(game, pack, kind):
            for value in range(VALUES):
                out[count] = REUSES + kind * VALUES + value
                count += int(game.supply[seat, value] != 0)
    return count


@rule
def lays(game: State, pack: Pack, out: Array) -> int:
    """Write every cell and turn where the tile fits from the ship (OZE-8)."""
    kind = int(game.tile) - 1
    cells = goals(game, pack)
    count = 0
    for cell in range(CELLS):
        if (cells >> cell) & 1:
            around = surroundings(game, pack, cell)
            for turn in range(int(LOOKS[kind])):
                out[count] = LAYS + cell * TURNS + turn
                count += int(fits(kind, turn, around))
    return count


@rule
def has_explorers(game: State, seat: int) -> bool:
    """Has the seat an explorer left?"""
    left = 0
    for value in range(VALUES):
        left += int(game.supply[seat, value])
    return left > 0


@rule
def is_strait(edges: int) -> bool:
    """Are there two island parts on the tile? (OZE-11)"""
    return edges == STRAITS[0] or edges == STRAITS[1]


@rule
def explorers(game: State, seat: int, out: Array) -> int:
    """Write pass, and every explorer of the supply on every part of the tile just laid.

    Rulings OZE-16, OZE-20, OZE-21.
    """
    out[0] = PASS
    count = 1
    edges = edges_at(game, int(game.laid) - 1)
    parts = edges << 1 if is_strait(edges) else 1
    for value in range(VALUES):
        if game.supply[seat, value]:
            for part in range(PARTS):
                out[count] = EXPLORERS + value * PARTS + part
                count += (parts >> part) & 1
    return count


# --- moves ----------------------------------------------------------------------------------------


@rule
def play(game: State, pack: Pack, seat: int, action: int) -> int:
    """Make the seat's move."""
    if action >= EXPLORERS:
        put_explorer(game, seat, (action - EXPLORERS) // PARTS, (action - EXPLORERS) % PARTS)
        end_turn(game, pack)
    elif action >= LAYS:
        lay(game, pack, seat, (action - LAYS) // TURNS, (action - LAYS) % TURNS)
    elif action >= REUSES:
        reuse(game, seat, (action - REUSES) // VALUES, (action - REUSES) % VALUES)
    elif action >= SHIPS:
        game.ship = action - SHIPS + 1
        game.phase = DRAW
    elif action == DRAWS:
        draw(game, pack, seat)
        return TURNED
    else:
        game.resting += int(int(game.phase) == SHIP)
        end_turn(game, pack)
    return SHOWN


@rule
def draw(game: State, pack: Pack, seat: int) -> None:
    """Draw a tile; one that fits nowhere from the ship is discarded, and the turn ends (OZE-9)."""
    top = int(game.top)
    kind = int(game.pile[top]) - 1
    game.pile[top] = 0
    game.top = top + 1
    if fits_from_ship(game, pack, kind):
        game.tile = kind + 1
        game.phase = LAY
    else:
        game.discards[seat, kind] += 1
        end_turn(game, pack)


@rule
def lay(game: State, pack: Pack, seat: int, cell: int, turn: int) -> None:
    """Lay the tile, fill what got enclosed; on land, an explorer may follow (OZE-15)."""
    edges = int(TILE_EDGES[int(game.tile) - 1, turn])
    game.tile = 0
    game.explored |= 1 << cell
    for side in range(SIDES):
        game.land[side] |= ((edges >> side) & 1) << cell
    fill(game, pack)
    if edges and has_explorers(game, seat):
        game.laid = cell + 1
        game.phase = EXPLORER
    else:
        end_turn(game, pack)


@rule
def put_explorer(game: State, seat: int, value: int, part: int) -> None:
    """Put an explorer of the supply on a part of the tile just laid (OZE-23)."""
    here = 1 << (int(game.laid) - 1)
    game.supply[seat, value] -= 1
    game.explorers[seat, value] |= here
    if part > 1 + EAST:
        game.far |= here


# --- the end --------------------------------------------------------------------------------------


@rule
def end_turn(game: State, pack: Pack) -> None:
    """The game ends when all is explored, the last tile drawn, or no start left; else it is the
    next seat's turn (OZE-27, OZE-28, OZE-29).
    """
    game.ship = 0
    game.laid = 0
    if not is_any_start(game, pack):
        game.phase = OVER
    elif not pile_is_empty(game):
        pass_turn(game)
        game.phase = SHIP
    elif int(game.play_on):
        play_on(game, pack)
    else:
        game.phase = OVER


@rule
def pass_turn(game: State) -> None:
    """The next seat is the one to move."""
    game.seat = (int(game.seat) + 1) % int(game.players)


@rule
def pile_is_empty(game: State) -> bool:
    """Has the last tile been drawn?"""
    return int(game.top) == PILE


# --- a house reading: play on with discards (OZE-29) ----------------------------------------------


@rule
def play_on(game: State, pack: Pack) -> None:
    """It is the turn of the next seat that can lay a discard, until all in a row lay none."""
    game.phase = OVER
    while int(game.phase) == OVER and int(game.resting) < int(game.players):
        pass_turn(game)
        if can_lay_discard(game, pack, int(game.seat)):
            game.phase = SHIP
        else:
            game.resting += 1


@rule
def can_lay_discard(game: State, pack: Pack, seat: int) -> bool:
    """Is there a start from which the seat can lay one of its discards?"""
    for start in range(CIRCLES + CELLS):
        if is_last_start(game, pack, seat, start):
            return True
    return False


@rule
def is_last_start(game: State, pack: Pack, seat: int, start: int) -> bool:
    """Is this a start from which one of the seat's discards fits, and can it be paid?"""
    if start < CIRCLES:
        unknown = unexplored(game, pack) << 1
        if not (unknown >> int(pack.circles[start])) & 1:
            return False
    elif not (start_tiles(game, pack) >> (start - CIRCLES)) & 1:
        return False
    if not has_explorers(game, seat):
        return False
    cells = goals_from(game, pack, start)
    for kind in range(KINDS):
        if game.discards[seat, kind] and fits_on_any(game, pack, kind, cells):
            return True
    return False


@rule
def last_starts(game: State, pack: Pack, out: Array) -> int:
    """Rest, or any start from which a discard of the seat fits."""
    out[0] = PASS
    count = 1
    for start in range(CIRCLES + CELLS):
        out[count] = SHIPS + start
        count += int(is_last_start(game, pack, int(game.seat), start))
    return count


# --- fills ----------------------------------------------------------------------------------------


@rule
def gaps(game: State, pack: Pack) -> int:
    """The single unexplored cells: all four sides are known (OZE-12)."""
    unknown = unexplored(game, pack)
    beside = 0
    for side in range(SIDES):
        beside |= beyond(pack, unknown, side)
    return unknown & ~beside


@rule
def land_locked(game: State, pack: Pack) -> int:
    """The unexplored cells of regions around which every edge is a tile's land edge.

    Rulings OZE-13, OZE-14.
    """
    unknown = unexplored(game, pack)
    free = 0
    for side in range(SIDES):
        sea = int(game.explored) & ~int(game.land[side])
        free |= int(pack.border[side]) | beyond(pack, sea, side)
    free &= unknown
    before = 0
    while free != before:
        before = free
        for side in range(SIDES):
            free |= beyond(pack, free, side) & unknown
    return unknown & ~free


@rule
def fill(game: State, pack: Pack) -> None:
    """Fill single cells with the tile that fits, land-locked regions with inland tiles. That a
    stack of the reserve has run out changes nothing (OZE-17, OZE-18, OZE-19).
    """
    single = gaps(game, pack)
    locked = land_locked(game, pack)
    if single | locked == 0:
        return
    for side in range(SIDES):
        back = opposite(side)
        game.land[side] |= (beyond(pack, int(game.land[back]), back) & single) | locked
    game.explored |= single | locked
    game.filled |= single | locked


# --- reuse ----------------------------------------------------------------------------------------


@rule
def reuse(game: State, seat: int, kind: int, value: int) -> None:
    """Pay an explorer, which leaves the game, and take a discard to lay it (OZE-25)."""
    game.discards[seat, kind] -= 1
    game.supply[seat, value] -= 1
    game.resting = 0
    game.tile = kind + 1
    game.phase = LAY


# --- chance ---------------------------------------------------------------------------------------


@rule
def chance(game: State, pack: Pack, out: Array) -> int:
    """Nothing is random after set-up: the pile's order is the deal."""
    return 0


@rule
def happen(game: State, pack: Pack, outcome: Array, count: int) -> None:
    """Nothing is random after set-up."""


# --- how long a game can be -----------------------------------------------------------------------


def longest(options: Mapping[str, Any], pack: Pack) -> int:
    """A turn is the ship and a draw, or a discard that an explorer is paid for; each tile drawn is
    laid once at the most, and with two players an explorer may follow. Who plays on rests at most
    once for each seat before, between and after the last discards.
    """
    players = int(options["players"])
    lays = min(PILE, int(pack.columns) * int(pack.rows))
    if players == 1:
        return 2 * PILE + lays
    reuses = min(players * sum(map(int, pack.explorers)), PILE)
    rests = players * (reuses + 1) if options["play_on"] else 0
    return 2 * (PILE + reuses) + 2 * lays + rests

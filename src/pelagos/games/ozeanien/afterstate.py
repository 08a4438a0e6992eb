"""What a network sees of Ozeanien once a seat's turn is over: islands by who leads them, how large
they are and how open, and the tiles that can still come. A ship is worth what the tiles that may be
drawn from there come to, on average.
"""

from __future__ import annotations

from pelagos.engine.layout import Layout, count, flag
from pelagos.engine.rule import rule
from pelagos.engine.types import ENDS, GOES_ON, RESTS, TURNS_UP, Array
from pelagos.games.ozeanien.actions import DRAWS, EXPLORERS, LAYS, REUSES
from pelagos.games.ozeanien.evaluation import (
    FITTING,
    chance_to_fit,
    hold_worth,
    lead_of,
    open_cells,
    prospect,
    ship_gain,
    solo_worth,
    supply_sum,
    unseen,
)
from pelagos.games.ozeanien.rules import draw, goals, play, surroundings, unexplored
from pelagos.games.ozeanien.scoring import (
    DISCARD_POINTS,
    count_cells,
    explorer_sum,
    far_parts,
    first_island,
    island_points,
    near_parts,
    open_edges,
)
from pelagos.games.ozeanien.state import (
    CELLS,
    CLASSES,
    DRAW,
    EXPLORER,
    KINDS,
    LAY,
    MOST_EXPLORERS,
    OVER,
    PILE,
    SEATS,
    SHIP,
    TILES,
    VALUES,
    Pack,
    State,
)

OWNERS = ("own", "other")
LEADS = (
    "other by 3 or more", "other by 2", "other by 1", "tied", "nobody", "by 1", "by 2",
    "by 3 or more",
)  # fmt: skip
TIED, NOBODY = 3, 4
SIZES = ("1-2", "3-4", "5-6", "7 or more")
SIDES_OPEN = ("1", "2", "3 or more")
LED = ("other", "nobody", "own")
CHANCES = ("none", "under 15 %", "under 35 %", "under 60 %", "likely")
SOLO_SIZES = 16
"""Alone: larger islands are told as so large."""
QUARTERS = 8
"""Parts of the pile."""
MOST = 127
SOLO_UNIT = 8
"""Alone: points are told by eights."""
GAIN_UNIT = 20
"""What evaluations say is told by a fifth of a point; alone by two points."""
SOLO_GAIN_UNIT = 200

LAYOUT = Layout(
    2,
    flag("players", "How many play", players=range(1, SEATS + 1)),
    flag("play_on", "Option: play on with discards"),
    count("unseen", "Tiles that nobody has seen", TILES, tile=CLASSES),
    count("pile", "Tiles left in the pile", PILE),
    flag("pile_part", "The same in eighths", eighths=QUARTERS + 1),
    flag("ship", "Is the ship placed, and will the seat draw?"),
    flag("rests", "Is its turn over?"),
    flag("explores", "May it still put an explorer?"),
    flag("tile", "The tile that it will lay", tile=CLASSES),
    count("supply", "Explorers left", MOST_EXPLORERS, owner=OWNERS, value=range(1, VALUES + 1)),
    count("discards", "Discarded tiles", TILES, owner=OWNERS, tile=CLASSES),
    count("points", "Points of complete islands and discards", MOST, low=-MOST, owner=OWNERS),
    count("squares", "Alone: squares of complete islands, by eights", MOST),
    count("unexplored", "Cells without a tile", CELLS),
    count("cells", "Of them, by how likely the next tile fits", CELLS, chance=CHANCES),
    count("islands", "Open islands", CELLS, lead=LEADS, size=SIZES, open=SIDES_OPEN),
    count("tiles", "Tiles of open islands, by who leads", MOST, led=LED),
    count("open", "Their land edges towards unexplored cells", MOST, led=LED),
    count("fits", "Their open cells, by how likely a tile fits", CELLS, led=LED, chance=CHANCES),
    count("solo", "Alone: open islands", CELLS, size=range(1, SOLO_SIZES + 1), open=SIDES_OPEN),
    count("promise", "What all islands promise, by fifths of a point", MOST, low=-MOST),
    count("worth", "What open islands will likely bring, by fifths, by who leads", MOST, led=LED),
    count("largest", "The same of the one that brings most", MOST, led=LED),
    count("strength", "Values of the explorers left", MOST, owner=OWNERS),
    count("turns", "Tiles that each will still draw, about", PILE),
    count("ship_gain", "What a tile from the ship promises, by the same", MOST, low=-MOST),
    count("ship_fits", "How likely one fits from the ship, in hundredths", 100),
    count("ship_cells", "Cells in reach of the ship", CELLS),
)
SIZE = LAYOUT.size
CONTEXT = LAYOUT.first("unseen")
"""What stands before this place doesn't change with the seat's own turn."""
LEVELS = 4
"""So many decisions of the seat are valued together: the ship, draw or reuse, the tile, an
explorer."""

PLAYERS, PLAYS_ON, UNSEEN, PILE_LEFT, PILE_PART = map(
    LAYOUT.first, ("players", "play_on", "unseen", "pile", "pile_part")
)
DRAWS_NEXT, REST, EXPLORES, TILE = map(LAYOUT.first, ("ship", "rests", "explores", "tile"))
SUPPLY, DISCARDS, POINTS, SQUARES = map(LAYOUT.first, ("supply", "discards", "points", "squares"))
UNEXPLORED, BY_CHANCE, ISLANDS = map(LAYOUT.first, ("unexplored", "cells", "islands"))
TILES_LED, OPEN_LED, FITS, SOLO, PROMISE = map(
    LAYOUT.first, ("tiles", "open", "fits", "solo", "promise")
)
WORTH, LARGEST, STRENGTH, TURNS_LEFT = map(LAYOUT.first, ("worth", "largest", "strength", "turns"))
SHIP_GAIN, SHIP_FITS, SHIP_CELLS = map(LAYOUT.first, ("ship_gain", "ship_fits", "ship_cells"))

# --- what an action does --------------------------------------------------------------------------


@rule
def act(game: State, pack: Pack, seat: int, action: int) -> int:
    """Let the action happen; a tile that is to be drawn isn't known yet."""
    if action == DRAWS:
        return TURNS_UP
    play(game, pack, seat, action)
    return comes_to(game, seat)


@rule
def comes_to(game: State, seat: int) -> int:
    """Is it the seat's choice, another turn, or the end?"""
    if int(game.phase) == OVER:
        return ENDS
    if int(game.seat) != seat or int(game.phase) == SHIP:
        return RESTS
    return GOES_ON


OUTCOMES = KINDS
"""What may be drawn."""
BRANCHES = KINDS + KINDS * VALUES
"""A tile that is drawn, a discard that is reused for an explorer."""
BRANCHING = (LAYS, EXPLORERS)
"""Where a tile is laid: this leads to the same wherever the ship was."""


@rule
def likely(game: State, pack: Pack, out: Array) -> None:
    """How likely each class is drawn next: as many as are unseen."""
    counts = unseen(game)
    for kind in range(KINDS):
        out[kind] = (counts >> (8 * kind)) & 255


@rule
def turn_up(game: State, pack: Pack, seat: int, outcome: int) -> int:
    """Draw a tile of this class."""
    top = int(game.top)
    place = top
    while int(game.pile[place]) != outcome + 1:
        place += 1
    game.pile[place] = game.pile[top]
    game.pile[top] = outcome + 1
    draw(game, pack, seat)
    return comes_to(game, seat)


@rule
def coming(game: State, pack: Pack) -> int:
    """What will be drawn, which nobody knows."""
    return int(game.pile[int(game.top)]) - 1


@rule
def branch(action: int, outcome: int) -> int:
    """The number of what follows a draw, or a reuse; -1: anything else."""
    if outcome >= 0:
        return outcome
    return KINDS + action - REUSES if REUSES <= action < LAYS else -1


# --- features -------------------------------------------------------------------------------------


@rule
def context(game: State, pack: Pack, seat: int, out: Array) -> None:
    """Write what the seat's own action doesn't change."""
    for place in range(CONTEXT):
        out[place] = 0
    out[PLAYERS + int(game.players) - 1] = 1
    out[PLAYS_ON] = game.play_on


@rule
def changing(game: State, pack: Pack, seat: int, out: Array) -> None:
    """Write what the seat's own action changes."""
    for place in range(CONTEXT, SIZE):
        out[place] = 0
    own_turn = int(game.seat) == seat
    phase = int(game.phase)
    out[DRAWS_NEXT] = int(own_turn and phase == DRAW)
    out[REST] = int(not own_turn or phase == SHIP)
    out[EXPLORES] = int(own_turn and phase == EXPLORER)
    if phase == LAY:
        out[TILE + int(game.tile) - 1] = 1
    counts = unseen(game)
    for kind in range(KINDS):
        out[UNSEEN + kind] = (counts >> (8 * kind)) & 255
    left = PILE - int(game.top)
    out[PILE_LEFT] = left
    out[PILE_PART + (left * QUARTERS + PILE - 1) // PILE] = 1
    write_beside(game, seat, out)
    unknown = unexplored(game, pack)
    out[UNEXPLORED] = count_cells(unknown)
    for cell in range(CELLS):
        if (unknown >> cell) & 1:
            out[BY_CHANCE + chance_class(game, pack, cell, counts)] += 1
    write_islands(game, pack, seat, counts, out)
    if own_turn and phase == DRAW:
        write_ship(game, pack, seat, counts, out)


@rule
def write_beside(game: State, seat: int, out: Array) -> None:
    """Explorers and discards of both; each discard costs."""
    out[TURNS_LEFT] = (PILE - int(game.top)) // int(game.players)
    for turn in range(int(game.players)):
        owner = seat ^ turn
        for value in range(VALUES):
            out[SUPPLY + turn * VALUES + value] = game.supply[owner, value]
        out[STRENGTH + turn] = min(supply_sum(game, owner), MOST)
        discards = 0
        for kind in range(KINDS):
            discards += int(game.discards[owner, kind])
            out[DISCARDS + turn * KINDS + kind] = game.discards[owner, kind]
        if int(game.players) > 1:
            out[POINTS + turn] = DISCARD_POINTS * discards


@rule
def chance_class(game: State, pack: Pack, cell: int, counts: int) -> int:
    """How likely the next tile fits a cell: none, seldom, now and then, often, likely."""
    chance = chance_to_fit(counts, int(FITTING[surroundings(game, pack, cell)]))
    if chance == 0:
        return 0
    return 1 + int(chance >= 15) + int(chance >= 35) + int(chance >= 60)


@rule
def lead_class(lead: int, held: bool) -> int:
    """Who leads an island, and by how much."""
    if lead == 0:
        return TIED if held else NOBODY
    if lead > 0:
        return NOBODY + min(lead, 3)
    return TIED - min(-lead, 3)


@rule
def write_islands(game: State, pack: Pack, seat: int, counts: int, out: Array) -> None:
    """Every island: complete ones by their points, open ones by what may become of them."""
    straits = far_parts(game)
    near_left, far_left = near_parts(game), straits
    solo = int(game.players) == 1
    squares, promise = 0, 0
    while near_left | far_left:
        near, far = first_island(game, pack, straits, near_left, far_left)
        near_left &= ~near
        far_left &= ~far
        size = count_cells(near | far)
        cells = open_cells(game, pack, straits, near, far)
        is_open = cells != 0
        if solo:
            promise += solo_worth(game, pack, straits, near, far)
            if not is_open:
                squares += size * size
                continue
            at = (min(size, SOLO_SIZES) - 1) * len(SIDES_OPEN) + min(count_cells(cells), 3) - 1
            out[SOLO + at] += 1
            write_open(game, pack, straits, near, far, cells, 1, counts, out)
            continue
        lead = lead_of(game, near, far, seat)
        worth = prospect(game, size, count_cells(cells))
        promise += hold_worth(game, worth, is_open, lead, seat)
        if not is_open:
            out[POINTS] += island_points(game, near, far, seat)
            out[POINTS + 1] += island_points(game, near, far, 1 - seat)
            continue
        held = explorer_sum(game, near, far, seat) > 0
        at = lead_class(lead, held) * len(SIZES) + min((size - 1) // 2, len(SIZES) - 1)
        out[ISLANDS + at * len(SIDES_OPEN) + min(count_cells(cells), 3) - 1] += 1
        led = 1 + int(lead > 0) - int(lead < 0)
        units = worth // GAIN_UNIT
        out[WORTH + led] = min(int(out[WORTH + led]) + units, MOST)
        out[LARGEST + led] = max(int(out[LARGEST + led]), min(units, MOST))
        write_open(game, pack, straits, near, far, cells, led, counts, out)
    out[SQUARES] = min(squares // SOLO_UNIT, MOST)
    out[PROMISE] = clipped(promise // (SOLO_GAIN_UNIT if solo else GAIN_UNIT))


@rule
def clipped(number: int) -> int:
    """No more, and no less, than a feature can be."""
    return max(-MOST, min(MOST, number))


@rule
def write_open(
    game: State,
    pack: Pack,
    straits: int,
    near: int,
    far: int,
    cells: int,
    led: int,
    counts: int,
    out: Array,
) -> None:
    """An open island: its tiles, its coast, and what fits there."""
    out[TILES_LED + led] = min(int(out[TILES_LED + led]) + count_cells(near | far), MOST)
    edges = int(out[OPEN_LED + led]) + open_edges(game, pack, straits, near, far)
    out[OPEN_LED + led] = min(edges, MOST)
    for cell in range(CELLS):
        if (cells >> cell) & 1:
            at = FITS + led * len(CHANCES) + chance_class(game, pack, cell, counts)
            out[at] = min(int(out[at]) + 1, CELLS)


@rule
def write_ship(game: State, pack: Pack, seat: int, counts: int, out: Array) -> None:
    """What the next tile may bring from where the ship is."""
    cells = goals(game, pack)
    kinds = 0
    for cell in range(CELLS):
        if (cells >> cell) & 1:
            kinds |= int(FITTING[surroundings(game, pack, cell)])
    out[SHIP_CELLS] = count_cells(cells)
    out[SHIP_FITS] = chance_to_fit(counts, kinds)
    gain = ship_gain(game, pack, seat, int(game.ship) - 1)
    out[SHIP_GAIN] = clipped(gain // (SOLO_GAIN_UNIT if int(game.players) == 1 else GAIN_UNIT))

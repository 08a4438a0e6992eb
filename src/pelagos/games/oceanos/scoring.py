"""Oceanos' score sheet: three lines a round, then reef and treasure."""

from __future__ import annotations

from pelagos.engine.rule import rule
from pelagos.engine.types import Array
from pelagos.games.oceanos.rules import first_of, left_of_captain
from pelagos.games.oceanos.state import (
    AIRLOCK,
    COLUMNS,
    OVER,
    PROPELLER,
    ROUNDS,
    Pack,
    State,
)

REEF, TREASURE = 3 * ROUNDS, 3 * ROUNDS + 1
LINES = 3 * ROUNDS + 2

CELLS = (1 << (ROUNDS * COLUMNS)) - 1
FIRST_COLUMN = 0x010101
LAST_COLUMN = FIRST_COLUMN << (COLUMNS - 1)
"""Masks of cells: round times 8 plus column."""

# --- reef -------------------------------------------------------------------------------------------


@rule
def coral_cells(game: State, pack: Pack, seat: int) -> int:
    """Mask of the cards with coral."""
    cells = 0
    for depth in range(ROUNDS):
        for column in range(COLUMNS):
            coral = int(pack.coral[depth, int(game.rows[seat, depth, column])])
            cells |= int(coral > 0) << (depth * COLUMNS + column)
    return cells


@rule
def beside(cells: int) -> int:
    """The cells next to these: in the row, or in the column one row up or down."""
    right = (cells & ~LAST_COLUMN) << 1
    left = (cells & ~FIRST_COLUMN) >> 1
    return (right | left | (cells << COLUMNS) | (cells >> COLUMNS)) & CELLS


@rule
def group_of(cells: int) -> int:
    """The connected group, among these cells, that holds the first of them."""
    group = cells & -cells
    before = 0
    while group != before:
        before = group
        group |= beside(group) & cells
    return group


@rule
def coral_of(game: State, pack: Pack, seat: int, cells: int) -> int:
    """How many coral symbols the cards on these cells carry."""
    count = 0
    while cells:
        cell = first_of(cells)
        depth = cell // COLUMNS
        count += int(pack.coral[depth, int(game.rows[seat, depth, cell % COLUMNS])])
        cells &= cells - 1
    return count


@rule
def reef_of(game: State, pack: Pack, seat: int) -> int:
    """The connected group of cards with the most coral; the first of equal ones."""
    cells = coral_cells(game, pack, seat)
    best = 0
    most = 0
    while cells:
        group = group_of(cells)
        cells &= ~group
        count = coral_of(game, pack, seat, group)
        if count > most:
            most = count
            best = group
    return best


# --- treasure ---------------------------------------------------------------------------------------


@rule
def first_token(game: State, seat: int) -> int:
    """Place in the bag of the first token that the seat drew."""
    place = 0
    for steps in range(int(game.players)):
        other = left_of_captain(game, steps)
        if other == seat:
            break
        place += int(game.chests[other])
    return place


@rule
def treasure_stars(game: State, seat: int) -> int:
    """The tokens that the seat drew."""
    first = first_token(game, seat)
    stars = 0
    for place in range(first, first + int(game.chests[seat])):
        stars += int(game.bag[place])
    return stars


# --- the sheet --------------------------------------------------------------------------------------


@rule
def sheet(game: State, pack: Pack, seat: int, out: Array) -> None:
    """Write the score sheet: rounds scored so far; reef and treasure once the game is over."""
    for line in range(REEF):
        out[line] = int(game.lines[seat, line])
    out[REEF] = 0
    out[TREASURE] = 0
    if int(game.phase) == OVER:
        out[REEF] = coral_of(game, pack, seat, reef_of(game, pack, seat))
        out[TREASURE] = treasure_stars(game, seat)


@rule
def parts_sum(game: State, seat: int) -> int:
    """The levels of all parts, which break a tie."""
    levels = 0
    for part in range(PROPELLER, AIRLOCK + 1):
        levels += int(game.boat[seat, part])
    return levels


@rule
def winners(game: State, pack: Pack, totals: Array) -> int:
    """Mask of the seats with the most stars; of these, those with the best submarine."""
    mask = 0
    best = 0
    for seat in range(int(game.players)):
        value = int(totals[seat]) * 16 + parts_sum(game, seat)
        if seat == 0 or value > best:
            best = value
            mask = 0
        if value == best:
            mask |= 1 << seat
    return mask

"""What cards are worth, species by species."""

from __future__ import annotations

from pelagos.engine.rule import rule
from pelagos.games.ecosystem.frame import (
    COLUMNS,
    DOWN,
    FIRST_COLUMN,
    FRAME_COLUMNS,
    FRAME_ROWS,
    RIGHT,
    ROWS,
    TOP_ROW,
)
from pelagos.games.ecosystem.rules import BOX, beside
from pelagos.games.ecosystem.state import (
    CLOWNFISH,
    CORAL,
    CRAB,
    GROUPER,
    KRILL,
    MORAY,
    NEUTRAL_SEAT,
    OCTOPUS,
    PLANKTON,
    SHARK,
    TURTLE,
    WHALE,
    State,
)

CORAL_POINTS = 3
KRILL_POINTS = (0, 1, 4, 9)
PLANKTON_POINTS = (12, 8, 4)
GROUPER_POINTS = 3
CLOWNFISH_POINTS = 2
CRAB_POINTS = 2
MORAY_POINTS = 4
SHARK_POINTS = 2
WHALE_POINTS = 2
TURTLE_POINTS = 2
OCTOPUS_POINTS = 3

POINTS_EACH = {
    CORAL: CORAL_POINTS,
    GROUPER: GROUPER_POINTS,
    CLOWNFISH: CLOWNFISH_POINTS,
    CRAB: CRAB_POINTS,
    MORAY: MORAY_POINTS,
    SHARK: SHARK_POINTS,
    WHALE: WHALE_POINTS,
    TURTLE: TURTLE_POINTS,
    OCTOPUS: OCTOPUS_POINTS,
}
"""The same by species, for readers: points for each thing that counts."""
SCORED_TOGETHER = (KRILL, PLANKTON, TURTLE)
"""Species that score as a whole, not card by card."""


@rule
def species(game: State, seat: int, cell: int) -> int:
    """What lies face up on the cell; -1: nothing, or a card turned down, which has no species.

    Ruling ECO-24.
    """
    if (int(game.down[seat]) >> cell) & 1:
        return -1
    return int(game.cells[seat, cell]) - 1


@rule
def is_prey(kind: int) -> bool:
    """Is it a grouper, a clownfish or a crab?"""
    return GROUPER <= kind <= CRAB


@rule
def is_bottom_row(game: State, seat: int, cell: int) -> bool:
    """Does no card lie in a lower row? (ECO-25, ECO-29)"""
    return int(game.reef[seat]) >> (cell // FRAME_COLUMNS * FRAME_COLUMNS + FRAME_COLUMNS) == 0


@rule
def neighbours(game: State, seat: int, cell: int, kind: int) -> int:
    """How many neighbours are of this species (ECO-1)."""
    count = 0
    for step in (-DOWN, -RIGHT, RIGHT, DOWN):
        if species(game, seat, cell + step) == kind:
            count += 1
    return count


@rule
def prey_around(game: State, seat: int, cell: int) -> int:
    """How many neighbours are prey."""
    count = 0
    for step in (-DOWN, -RIGHT, RIGHT, DOWN):
        if is_prey(species(game, seat, cell + step)):
            count += 1
    return count


@rule
def plankton_in_row(game: State, seat: int, cell: int) -> int:
    """How much plankton the cell's row holds."""
    first = cell // FRAME_COLUMNS * FRAME_COLUMNS + 1
    count = 0
    for other in range(first, first + COLUMNS):
        if species(game, seat, other) == PLANKTON:
            count += 1
    return count


@rule
def prey_in_lines(game: State, seat: int, cell: int) -> int:
    """How many prey the cell's row and column hold."""
    row = cell // FRAME_COLUMNS
    column = cell % FRAME_COLUMNS
    count = 0
    for other in range(row * FRAME_COLUMNS + 1, row * FRAME_COLUMNS + 1 + COLUMNS):
        if is_prey(species(game, seat, other)):
            count += 1
    for other in range(column + DOWN, column + DOWN * (ROWS + 1), DOWN):
        if is_prey(species(game, seat, other)):
            count += 1
    return count


@rule
def amount(game: State, seat: int, kind: int) -> int:
    """How many cards of a species lie face up in the grid."""
    count = 0
    for place in range(ROWS * COLUMNS):
        if species(game, seat, int(BOX[place])) == kind:
            count += 1
    return count


@rule
def worth(game: State, seat: int, cell: int) -> int:
    """What the card on the cell scores by itself (ECO-22, ECO-27)."""
    kind = species(game, seat, cell)
    if kind == CORAL:
        return CORAL_POINTS if is_bottom_row(game, seat, cell) else 0
    if kind == GROUPER:
        return GROUPER_POINTS * neighbours(game, seat, cell, KRILL)
    if kind == CLOWNFISH:
        near = neighbours(game, seat, cell, PLANKTON) + neighbours(game, seat, cell, CORAL)
        return CLOWNFISH_POINTS * near
    if kind == CRAB:
        return CRAB_POINTS * plankton_in_row(game, seat, cell)
    if kind == MORAY and neighbours(game, seat, cell, CORAL) > 0:
        return MORAY_POINTS * prey_around(game, seat, cell)
    if kind == SHARK:
        return SHARK_POINTS * prey_in_lines(game, seat, cell)
    if kind == WHALE:
        return WHALE_POINTS * amount(game, seat, KRILL)
    if kind == OCTOPUS:
        return OCTOPUS_POINTS
    return 0


@rule
def mask_of(game: State, seat: int, kind: int) -> int:
    """Mask of the cells where the species lies face up."""
    mask = 0
    for place in range(ROWS * COLUMNS):
        cell = int(BOX[place])
        if species(game, seat, cell) == kind:
            mask |= 1 << cell
    return mask


@rule
def group_of(cells: int) -> int:
    """The orthogonal group, among these cells, that holds the first of them."""
    group = cells & -cells
    before = 0
    while group != before:
        before = group
        group |= beside(group) & cells
    return group


@rule
def count_cells(mask: int) -> int:
    """How many cells a mask holds."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@rule
def krill_points(game: State, seat: int) -> int:
    """Each group of krill scores by its size."""
    krill = mask_of(game, seat, KRILL)
    points = 0
    while krill:
        group = group_of(krill)
        points += KRILL_POINTS[min(count_cells(group), 3)]
        krill &= ~group
    return points


@rule
def plankton_of(game: State, participant: int) -> int:
    """How much plankton a participant has: a seat, Tim, or the neutral seat."""
    if int(game.players) == 2 and participant == NEUTRAL_SEAT:
        return int(game.neutral[PLANKTON])
    return amount(game, participant, PLANKTON)


@rule
def participants(game: State) -> int:
    """How many compare their plankton: alone with Tim, two with the neutral seat.

    Rulings ECO-33, ECO-37.
    """
    players = int(game.players)
    return players + 1 if players <= 2 else players


@rule
def plankton_rank(game: State, participant: int) -> int:
    """How many participants have more plankton (ECO-26, ECO-37)."""
    own = plankton_of(game, participant)
    rank = 0
    for other in range(participants(game)):
        if plankton_of(game, other) > own:
            rank += 1
    return rank


@rule
def plankton_points(game: State, participant: int) -> int:
    """Most, second and third; tied participants share the better rank (ECO-26)."""
    if plankton_of(game, participant) == 0:
        return 0
    rank = plankton_rank(game, participant)
    return PLANKTON_POINTS[rank] if rank < 3 else 0


@rule
def turtle_points(game: State, seat: int) -> int:
    """Each row and each column with a turtle."""
    turtles = mask_of(game, seat, TURTLE)
    lines = 0
    for row in range(1, FRAME_ROWS - 1):
        if turtles & (TOP_ROW << (row * DOWN)):
            lines += 1
    for column in range(1, FRAME_COLUMNS - 1):
        if turtles & (FIRST_COLUMN << column):
            lines += 1
    return TURTLE_POINTS * lines

"""Ecosystem's score sheet, card by card and line by line."""

from __future__ import annotations

from typing import Any

import numpy as np

from pelagos.engine.rule import rule
from pelagos.engine.types import Array
from pelagos.engine.view import Evidence
from pelagos.engine.view import evidence as evidence_of
from pelagos.games.ecosystem import GAME
from pelagos.games.ecosystem.rules import BOX, FIRST_COLUMN, TOP_ROW, beside
from pelagos.games.ecosystem.state import (
    CLOWNFISH,
    COLUMNS,
    CORAL,
    CRAB,
    DOWN,
    FRAME,
    FRAME_COLUMNS,
    FRAME_ROWS,
    GROUPER,
    KRILL,
    MORAY,
    NEUTRAL_SEAT,
    OCTOPUS,
    PLANKTON,
    RIGHT,
    ROWS,
    SHARK,
    SPECIES,
    TIM,
    TURTLE,
    WHALE,
    Pack,
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

LINES = 12
BONUS, TURTLE_LINE, OCTOPUS_LINE = 9, 10, 11
"""A species' line is its number, but for these: the bonus stands before the turtles."""
EASY, NORMAL, HARD = 55, 70, 80
"""Margins over Tim."""


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
def plankton_points(game: State, participant: int) -> int:
    """Most, second and third; tied participants share the better rank (ECO-26, ECO-37)."""
    own = plankton_of(game, participant)
    if own == 0:
        return 0
    rank = 0
    for other in range(participants(game)):
        if plankton_of(game, other) > own:
            rank += 1
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


@rule
def line_of(kind: int) -> int:
    """The sheet's line of a species."""
    return kind if kind < TURTLE else kind + 1


@rule
def sheet(game: State, pack: Pack, seat: int, out: Array) -> None:
    """Write the score sheet: a line for each species, and the food chain's bonus.

    Rulings ECO-28, ECO-29.
    """
    for line in range(LINES):
        out[line] = 0
    for place in range(ROWS * COLUMNS):
        cell = int(BOX[place])
        kind = species(game, seat, cell)
        if kind >= 0:
            out[line_of(kind)] += worth(game, seat, cell)
    out[KRILL] = krill_points(game, seat)
    out[PLANKTON] = plankton_points(game, seat)
    out[TURTLE_LINE] = turtle_points(game, seat)
    producers = out[CORAL] + out[KRILL] + out[PLANKTON]
    prey = out[GROUPER] + out[CLOWNFISH] + out[CRAB]
    predators = out[MORAY] + out[SHARK] + out[WHALE]
    out[BONUS] = min(producers, prey, predators)


@rule
def score(game: State, seat: int) -> int:
    """A participant's points: three groups, the smallest once more, turtles and octopuses."""
    producers = krill_points(game, seat) + plankton_points(game, seat)
    prey = 0
    predators = 0
    others = turtle_points(game, seat)
    for place in range(ROWS * COLUMNS):
        cell = int(BOX[place])
        kind = species(game, seat, cell)
        if kind >= 0:
            points = worth(game, seat, cell)
            if kind <= PLANKTON:
                producers += points
            elif kind <= CRAB:
                prey += points
            elif kind <= WHALE:
                predators += points
            else:
                others += points
    return producers + prey + predators + min(producers, prey, predators) + others


@rule
def winners(game: State, pack: Pack, totals: Array) -> int:
    """Mask of the seats with the most points; alone, a margin of 55 over Tim is needed (ECO-39)."""
    if int(game.players) == 1:
        return 1 if int(totals[0]) - score(game, TIM) >= EASY else 0
    best = int(totals[0])
    for seat in range(1, int(game.players)):
        best = max(best, int(totals[seat]))
    mask = 0
    for seat in range(int(game.players)):
        if int(totals[seat]) == best:
            mask |= 1 << seat
    return mask


# --- for readers: what the points are made of -------------------------------------------------


def counted(game: State, seat: int) -> tuple[Any, ...]:
    """All that a sheet's evidence hangs on, beside its points."""
    return game.cells[seat], game.down[seat]


def lines_of(game: State, pack: Pack, seat: int) -> dict[str, int]:
    """A participant's sheet by the names of its lines."""
    out = np.zeros(LINES, np.int64)
    sheet(game, pack, seat, out)
    return dict(zip(GAME.lines, out.tolist(), strict=True))


def result(game: State, pack: Pack) -> dict[str, Any]:
    """Alone: Tim's sheet, the margin and the level reached."""
    if int(game.players) > 1:
        return {}
    tim = lines_of(game, pack, TIM)
    margin = sum(lines_of(game, pack, 0).values()) - sum(tim.values())
    reached = (margin >= EASY) + (margin >= NORMAL) + (margin >= HARD)
    return {
        "tim": {"score": sum(tim.values()), "sheet": tim},
        "margin": margin,
        "level": ("loss", "easy", "normal", "hard")[reached],
    }


def evidence(game: State, pack: Pack, seat: int) -> list[list[Evidence]]:
    """For each line of the sheet, the cards that make its points."""
    points = list(lines_of(game, pack, seat).values())
    found: list[list[Evidence]] = [[] for _ in range(LINES)]
    kinds = _kinds(game, seat)
    for cell in BOX.tolist():
        kind = kinds[cell]
        single = worth(game, seat, cell) if kind >= 0 else 0
        if single:
            helpers = [cell, *_helpers(kinds, cell, kind)]
            reason = f"reason.{SPECIES[kind]}"
            found[line_of(kind)].append(evidence_of(single, _keys(seat, helpers), reason))
    found[KRILL] = _krill_evidence(game, seat)
    if points[PLANKTON]:
        plankton = _keys(seat, _cells(mask_of(game, seat, PLANKTON)))
        count = plankton_of(game, seat)
        found[PLANKTON] = [evidence_of(points[PLANKTON], plankton, "reason.plankton", count=count)]
    if points[TURTLE_LINE]:
        turtles = _keys(seat, _cells(mask_of(game, seat, TURTLE)))
        lines = points[TURTLE_LINE] // TURTLE_POINTS
        found[TURTLE_LINE] = [
            evidence_of(points[TURTLE_LINE], turtles, "reason.turtle", count=lines)
        ]
    if points[BONUS]:
        groups = [sum(points[first : first + 3]) for first in (CORAL, GROUPER, MORAY)]
        smallest = ("producers", "prey", "predators")[groups.index(min(groups))]
        found[BONUS] = [evidence_of(points[BONUS], [], "reason.bonus", group={"noun": smallest})]
    return found


def _krill_evidence(game: State, seat: int) -> list[Evidence]:
    found = []
    krill = mask_of(game, seat, KRILL)
    while krill:
        group = group_of(krill)
        krill &= ~group
        size = count_cells(group)
        points = KRILL_POINTS[min(size, 3)]
        found.append(evidence_of(points, _keys(seat, _cells(group)), "reason.krill", count=size))
    return found


def _kinds(game: State, seat: int) -> list[int]:
    """What lies face up on every cell, as `species` tells of one."""
    down = int(game.down[seat])
    cards: list[int] = game.cells[seat].tolist()
    return [-1 if down >> cell & 1 else card - 1 for cell, card in enumerate(cards)]


def _helpers(kinds: list[int], cell: int, kind: int) -> list[int]:
    """The other cards that a card's points hang on."""
    around = [cell + step for step in (-DOWN, -RIGHT, RIGHT, DOWN)]
    row, column = divmod(cell, FRAME_COLUMNS)
    in_row = [row * FRAME_COLUMNS + other for other in range(1, COLUMNS + 1)]
    in_lines = in_row + [column + DOWN * other for other in range(1, ROWS + 1)]
    wanted, near = {
        GROUPER: ((KRILL,), around),
        CLOWNFISH: ((PLANKTON, CORAL), around),
        CRAB: ((PLANKTON,), in_row),
        MORAY: ((CORAL, GROUPER, CLOWNFISH, CRAB), around),
        SHARK: ((GROUPER, CLOWNFISH, CRAB), in_lines),
        WHALE: ((KRILL,), BOX.tolist()),
    }.get(kind, ((), []))
    return [other for other in near if kinds[other] in wanted]


def _cells(mask: int) -> list[int]:
    return [cell for cell in range(FRAME) if mask >> cell & 1]


def _keys(seat: int, cells: list[int]) -> list[str]:
    return [f"grid{seat}:{cell // FRAME_COLUMNS - 1},{cell % FRAME_COLUMNS - 1}" for cell in cells]

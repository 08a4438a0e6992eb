"""Ecosystem's score sheet: its lines, the winner, and the cards that make the points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from pelagos.engine.rule import rule
from pelagos.engine.types import Array
from pelagos.engine.view import Evidence, Reads
from pelagos.engine.view import evidence as evidence_of
from pelagos.games.ecosystem import GAME
from pelagos.games.ecosystem.frame import (
    COLUMNS,
    DOWN,
    FRAME_COLUMNS,
    REEF_CELLS,
    RIGHT,
    ROWS,
    cell_name,
    cells_of,
)
from pelagos.games.ecosystem.points import (
    CLOWNFISH_POINTS,
    CORAL_POINTS,
    CRAB_POINTS,
    GROUPER_POINTS,
    KRILL_POINTS,
    MORAY_POINTS,
    OCTOPUS_POINTS,
    PLANKTON_POINTS,
    POINTS_EACH,
    SHARK_POINTS,
    TURTLE_POINTS,
    WHALE_POINTS,
    group_of,
    krill_points,
    mask_of,
    participants,
    plankton_points,
    species,
    turtle_points,
    worth,
)
from pelagos.games.ecosystem.rules import BOX
from pelagos.games.ecosystem.state import (
    CLOWNFISH,
    CORAL,
    CRAB,
    EASY,
    GROUPER,
    HARD,
    KRILL,
    MORAY,
    NORMAL,
    OCTOPUS,
    PLANKTON,
    SHARK,
    SPECIES,
    TIM,
    TURTLE,
    WHALE,
    Pack,
    State,
)

LINES = 12
CELLS = ROWS * COLUMNS
BONUS, TURTLE_LINE, OCTOPUS_LINE = 9, 10, 11
"""A species' line is its number, but for these: the bonus stands before the turtles."""


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
    """Mask of the seats with the most points; alone, the margin over Tim that was chosen as goal
    is needed, 55 at least (ECO-39).
    """
    if int(game.players) == 1:
        return 1 if int(totals[0]) - score(game, TIM) >= max(int(game.goal), EASY) else 0
    best = int(totals[0])
    for seat in range(1, int(game.players)):
        best = max(best, int(totals[seat]))
    mask = 0
    for seat in range(int(game.players)):
        if int(totals[seat]) == best:
            mask |= 1 << seat
    return mask


def points_span(options: Mapping[str, Any], pack: Pack) -> tuple[int, int]:
    """Nothing costs points. At the most: so many producers, prey and predators as if each card had
    all that it counts in its place, and their bonus. Turtles and octopuses, which bring less, are
    taken for prey.
    """
    around, in_lines = 4, ROWS + COLUMNS - 2
    prey = {
        GROUPER: GROUPER_POINTS * around,
        CLOWNFISH: CLOWNFISH_POINTS * around,
        CRAB: CRAB_POINTS * (COLUMNS - 1),
        TURTLE: 2 * TURTLE_POINTS,
        OCTOPUS: OCTOPUS_POINTS,
    }
    hunters = {MORAY: MORAY_POINTS * (around - 1), SHARK: SHARK_POINTS * in_lines}
    most = 0
    for growing in range(CELLS + 1):
        for eaten in range(CELLS + 1 - growing):
            groups = (
                PLANKTON_POINTS[0] + max(CORAL_POINTS, KRILL_POINTS[-1] // 3) * growing,
                _best(pack, prey, eaten),
                _best(pack, hunters | {WHALE: WHALE_POINTS * growing}, CELLS - growing - eaten),
            )
            most = max(most, sum(groups) + min(groups))
    return 0, most


def _best(pack: Pack, each: Mapping[int, int], count: int) -> int:
    """What so many of the best cards come to."""
    cards = [points for kind, points in each.items() for _ in range(int(pack.counts[kind]))]
    return sum(sorted(cards, reverse=True)[:count])


# --- for readers: what the points are made of -------------------------------------------------

READS = Reads("players", seat=("cells", "down", "reef"), public=True, but_own=True, compares=True)
"""What a seat's evidence reads; of others' plankton it knows by the points for the own."""


def lines_of(game: State, pack: Pack, seat: int) -> dict[str, int]:
    """A participant's sheet by the names of its lines."""
    proofs = _proofs(game, seat, int(plankton_points(game, seat)))
    return {line: _total(made_of) for line, made_of in zip(GAME.lines, proofs, strict=True)}


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


def evidence(game: State, pack: Pack, seat: int, points: Sequence[int]) -> list[list[Evidence]]:
    """For each line of the sheet, the cards that make its points."""
    return _proofs(game, seat, points[PLANKTON])


def _proofs(game: State, seat: int, plankton: int) -> list[list[Evidence]]:
    """The same, by the points for the plankton."""
    proofs: list[list[Evidence]] = [[] for _ in range(LINES)]
    kinds = _kinds(game, seat)
    for cell in REEF_CELLS:
        kind = kinds[cell]
        points = int(worth(game, seat, cell)) if kind >= 0 else 0
        if points:
            cards = [cell, *_helpers(kinds, cell, kind)]
            proofs[line_of(kind)].append(_proof(seat, kind, points, cards))
    proofs[KRILL] = _krill_evidence(game, seat)
    proofs[PLANKTON] = _plankton_evidence(game, seat, plankton)
    turtles = int(turtle_points(game, seat))
    if turtles:
        cards = cells_of(mask_of(game, seat, TURTLE))
        proofs[TURTLE_LINE] = [_proof(seat, TURTLE, turtles, cards)]
    proofs[BONUS] = _bonus_evidence(proofs)
    return proofs


def _proof(seat: int, kind: int, points: int, cards: list[int]) -> Evidence:
    """Points that a species scores for each of the things that count for it."""
    each = POINTS_EACH[kind]
    reason = f"reason.{SPECIES[kind]}"
    return evidence_of(points, _keys(seat, cards), reason, each=each, count=points // each)


def _krill_evidence(game: State, seat: int) -> list[Evidence]:
    proofs = []
    krill = mask_of(game, seat, KRILL)
    while krill:
        group = group_of(krill)
        krill &= ~group
        cards = cells_of(group)
        points = KRILL_POINTS[min(len(cards), 3)]
        proofs.append(evidence_of(points, _keys(seat, cards), "reason.krill", count=len(cards)))
    return proofs


def _plankton_evidence(game: State, seat: int, points: int) -> list[Evidence]:
    if not points:
        return []
    cards = cells_of(mask_of(game, seat, PLANKTON))
    rank, of = PLANKTON_POINTS.index(points) + 1, int(participants(game))
    keys = _keys(seat, cards)
    return [evidence_of(points, keys, "reason.plankton", count=len(cards), rank=rank, of=of)]


GROUP_LINES = {"producers": CORAL, "prey": GROUPER, "predators": MORAY}
"""The first of the three lines of each group."""


def group_totals(lines: Mapping[str, int]) -> dict[str, int]:
    """What each of the three groups comes to, of a sheet by the names of its lines."""
    points = list(lines.values())
    return {name: sum(points[line : line + 3]) for name, line in GROUP_LINES.items()}


def _bonus_evidence(proofs: list[list[Evidence]]) -> list[Evidence]:
    """The smallest of the three groups' totals."""
    groups = {name: sum(map(_total, proofs[line : line + 3])) for name, line in GROUP_LINES.items()}
    smallest = min(groups, key=groups.__getitem__)
    points = groups[smallest]
    return [evidence_of(points, [], "reason.bonus", group={"noun": smallest})] if points else []


def _total(proofs: list[Evidence]) -> int:
    """What a line's evidence comes to."""
    return sum(proof["points"] for proof in proofs)


def _kinds(game: State, seat: int) -> list[int]:
    """What lies face up on every cell, as `species` tells of one."""
    down = int(game.down[seat])
    cards: list[int] = game.cells[seat].tolist()
    return [-1 if down >> cell & 1 else card - 1 for cell, card in enumerate(cards)]


def _helpers(kinds: list[int], cell: int, kind: int) -> list[int]:
    """The other cards that a card's points depend on."""
    wanted, near = _wanted(cell, kind)
    return [other for other in near if kinds[other] in wanted]


@cache
def _wanted(cell: int, kind: int) -> tuple[tuple[int, ...], Sequence[int]]:
    """The species that a card's points depend on, and the cells where they count."""
    around = [cell + step for step in (-DOWN, -RIGHT, RIGHT, DOWN)]
    row, column = divmod(cell, FRAME_COLUMNS)
    in_row = [row * FRAME_COLUMNS + other for other in range(1, COLUMNS + 1)]
    in_lines = in_row + [column + DOWN * other for other in range(1, ROWS + 1)]
    return {
        GROUPER: ((KRILL,), around),
        CLOWNFISH: ((PLANKTON, CORAL), around),
        CRAB: ((PLANKTON,), in_row),
        MORAY: ((CORAL, GROUPER, CLOWNFISH, CRAB), around),
        SHARK: ((GROUPER, CLOWNFISH, CRAB), in_lines),
        WHALE: ((KRILL,), REEF_CELLS),
    }.get(kind, ((), ()))


def _keys(seat: int, cells: list[int]) -> list[str]:
    """Cells as evidence names them; the view puts the keys of their cards in place of these."""
    return [f"grid{seat}:{cell_name(cell)}" for cell in cells]

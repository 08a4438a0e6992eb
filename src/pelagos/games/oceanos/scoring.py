"""Oceanos' score sheet: three lines a round, then reef and treasure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pelagos.engine.bits import first_of
from pelagos.engine.rule import rule
from pelagos.engine.types import Array, Record
from pelagos.engine.view import Evidence, Reads, Sheet, Text, make_sheet, text
from pelagos.engine.view import evidence as evidence_of
from pelagos.games.oceanos import GAME
from pelagos.games.oceanos.cards import card_of
from pelagos.games.oceanos.rules import (
    ANIMAL_STARS,
    AQUARIUM_ROOM,
    PROPELLER_STARS,
    animal_stars,
    chests_of,
    deepest_diver,
    eyes_of,
    first_scored_row,
    left_of_captain,
)
from pelagos.games.oceanos.state import (
    AIRLOCK,
    COLUMNS,
    LEVELS,
    OVER,
    PROPELLER,
    ROUNDS,
    SPECIES,
    TREASURES,
    Pack,
    State,
)

ANIMALS, PROPELLERS, KRAKENS, REEF, TREASURE = 0, ROUNDS, 2 * ROUNDS, 3 * ROUNDS, 3 * ROUNDS + 1
"""Where the lines begin: three of animals, three of the propeller, three of the Kraken."""
LINES = 3 * ROUNDS + 2

CELLS = (1 << (ROUNDS * COLUMNS)) - 1
FIRST_COLUMN = 0x010101
LAST_COLUMN = FIRST_COLUMN << (COLUMNS - 1)
"""Masks of cells: round times 8 plus column."""

# --- reef -------------------------------------------------------------------------------------


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
    """The cells next to these: in the row, or in the column one row up or down (OCN-43)."""
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
    """The connected group of cards with the most coral; the first of equal ones (OCN-42)."""
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


@rule
def reef_stars(game: State, pack: Pack, seat: int) -> int:
    """A star for each coral of the reef."""
    return coral_of(game, pack, seat, reef_of(game, pack, seat))


# --- treasure ---------------------------------------------------------------------------------


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


# --- the sheet --------------------------------------------------------------------------------


@rule
def sheet(game: State, pack: Pack, seat: int, out: Array) -> None:
    """Write the score sheet: rounds scored so far; reef and treasure once the game is over.

    Ruling OCN-49.
    """
    for line in range(REEF):
        out[line] = int(game.lines[seat, line])
    out[REEF] = 0
    out[TREASURE] = 0
    if int(game.phase) == OVER:
        out[REEF] = reef_stars(game, pack, seat)
        out[TREASURE] = treasure_stars(game, seat)


@rule
def parts_sum(game: State, seat: int) -> int:
    """The levels of all parts, which break a tie (OCN-4)."""
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


def points_span(options: Mapping[str, Any], pack: Pack) -> tuple[int, int]:
    """At the least the worst Kraken token of each round. At the most all species and the best
    propeller in every round, the most coral that rows can hold, and the best tokens for all chests
    of the columns that divers can be in.
    """
    least = sum(int(min(pack.kraken[depth])) for depth in range(ROUNDS))
    room = min(AQUARIUM_ROOM[LEVELS], len(SPECIES))
    rounds = ANIMAL_STARS * room + PROPELLER_STARS[LEVELS]
    coral = sum(_most(pack.coral[depth], COLUMNS) for depth in range(ROUNDS))
    chests = sum(_most(pack.treasure[depth], LEVELS) for depth in range(ROUNDS))
    return least, ROUNDS * rounds + coral + _most(pack.bag, chests)


def _most(numbers: Array, count: int) -> int:
    """The sum of so many of the highest numbers."""
    return sum(sorted(map(int, numbers), reverse=True)[:count])


# --- as things stand --------------------------------------------------------------------------


@rule
def outlook(game: State, pack: Pack, seat: int, out: Array) -> None:
    """The sheet as it would be if the game ended with the cards as they lie, and nobody minded
    the Kraken. A chest counts as an average token.
    """
    sheet(game, pack, seat, out)
    if int(game.phase) == OVER:
        return
    depth = int(game.depth)
    out[ANIMALS + depth] = animal_stars(game, pack, seat, depth)
    out[PROPELLERS + depth] = PROPELLER_STARS[int(game.boat[seat, PROPELLER])]
    out[REEF] = reef_stars(game, pack, seat)
    out[TREASURE] = average_stars(pack, chests_of(game, pack, seat))


@rule
def average_stars(pack: Pack, chests: int) -> int:
    """What so many chests bring if their tokens are neither good nor bad."""
    stars = 0
    for token in range(TREASURES):
        stars += int(pack.bag[token])
    return (chests * stars + TREASURES // 2) // TREASURES


# --- for readers: what the points are made of -------------------------------------------------


OVER_READS = ("phase", "players", "captain", "chests", "bag", "dived")
READS = Reads("depth", "all_dives", seat=("rows",), over=OVER_READS, public=True, but_own=True)
"""What a seat's evidence depends on, beside the points; treasures come at the end, with tokens that
are drawn then. Until then no field needs to tell that the game isn't over.
"""
STANDING = Reads(
    "depth", "all_dives", seat=("rows", "dived", "boat", "lines"), public=True, but_own=True
)


def broken_tie(
    game: Record, pack: Record, totals: Sequence[int], best: Sequence[int]
) -> Text | None:
    """What told apart those with the most stars, if something did: the levels of all their parts
    (OCN-4).
    """
    tied = [seat for seat, total in enumerate(totals) if total == max(totals)]
    if len(tied) == len(best):
        return None
    levels = sorted((int(parts_sum(game, seat)) for seat in tied), reverse=True)
    return text("tie.levels", count=len(tied), levels=" : ".join(map(str, levels)))


def lines_of(game: State, pack: Pack, seat: int) -> dict[str, int]:
    """A seat's sheet by the names of its lines."""
    return dict(zip(GAME.lines, _points(game, pack, seat), strict=True))


def _points(game: State, pack: Pack, seat: int) -> list[int]:
    """What `sheet` writes."""
    points: list[int] = game.lines[seat].tolist()
    if int(game.phase) != OVER:
        return [*points, 0, 0]
    return [*points, int(reef_stars(game, pack, seat)), int(treasure_stars(game, seat))]


def evidence(game: Record, pack: Record, seat: int, points: Sequence[int]) -> list[list[Evidence]]:
    """For each line of the sheet, the cards and tokens that make its points."""
    lines: list[list[Evidence]] = [[] for _ in range(LINES)]
    scored = ROUNDS if int(game.phase) == OVER else int(game.depth)
    for depth in range(scored):
        lines[ANIMALS + depth] = _animals(game, pack, seat, depth, points[ANIMALS + depth])
        lines[PROPELLERS + depth] = _propeller(seat, points[PROPELLERS + depth])
        loss = points[KRAKENS + depth]
        if loss:
            lines[KRAKENS + depth] = [_eyes(game, pack, seat, depth, loss)]
    if int(game.phase) == OVER:
        lines[REEF] = _reef(game, pack, seat, points[REEF])
        lines[TREASURE] = _treasures(game, pack, seat)
    return lines


def standing(game: Record, pack: Record, seat: int) -> Sheet:
    """The sheet of a running game as `outlook` writes it, with the cards that make it."""
    depth = int(game.depth)
    points = _points(game, pack, seat)
    lines = evidence(game, pack, seat, points)
    animals, propeller = ANIMALS + depth, PROPELLERS + depth
    points[animals] = int(animal_stars(game, pack, seat, depth))
    points[propeller] = PROPELLER_STARS[int(game.boat[seat, PROPELLER])]
    points[REEF] = int(reef_stars(game, pack, seat))
    points[TREASURE] = int(average_stars(pack, int(chests_of(game, pack, seat))))
    lines[animals] = _animals(game, pack, seat, depth, points[animals])
    lines[propeller] = _propeller(seat, points[propeller])
    lines[REEF] = _reef(game, pack, seat, points[REEF])
    lines[TREASURE] = _chests(game, pack, seat)
    return make_sheet(seat, GAME.lines, points, lines)


def chests_within_reach(
    game: Record, pack: Record, seat: int, depth: int, column: int
) -> dict[int, int]:
    """The treasures that a diver in this cell would bring up and no other diver does: how many,
    by row.
    """
    rows = range(int(deepest_diver(game, seat, column)) + 1, depth + 1)
    chests = {row: int(pack.treasure[row, int(game.rows[seat, row, column])]) for row in rows}
    return {row: count for row, count in chests.items() if count}


def _key(seat: int, depth: int, column: int) -> str:
    return f"rows{seat}:{depth},{column}"


def _cells(mask: int) -> list[tuple[int, int]]:
    return [divmod(cell, COLUMNS) for cell in range(ROUNDS * COLUMNS) if mask >> cell & 1]


def _animals(game: Record, pack: Record, seat: int, depth: int, points: int) -> list[Evidence]:
    """One piece of evidence for each species in the tank, in the order in which they came."""
    shown: dict[int, list[str]] = {}
    for row in range(first_scored_row(game, depth), depth + 1):
        for column, card in enumerate(game.rows[seat, row].tolist()):
            for kind in card_of(pack, row, card).species:
                shown.setdefault(kind, []).append(_key(seat, row, column))
    room = points // ANIMAL_STARS
    return [
        evidence_of(ANIMAL_STARS, cards, "reason.animal", animal={"noun": SPECIES[kind]})
        if place < room
        else evidence_of(0, cards, "reason.no_room", animal={"noun": SPECIES[kind]})
        for place, (kind, cards) in enumerate(shown.items())
    ]


def _propeller(seat: int, stars: int) -> list[Evidence]:
    if not stars:
        return []
    level = PROPELLER_STARS.index(stars, 1)
    return [evidence_of(stars, [f"boat{seat}.propeller"], "reason.propeller", level=level)]


def _eyes(game: Record, pack: Record, seat: int, depth: int, loss: int) -> Evidence:
    cards = [
        _key(seat, depth, column)
        for column, card in enumerate(game.rows[seat, depth].tolist())
        if int(pack.eyes[depth, card])
    ]
    count = int(eyes_of(game, pack, seat, depth))
    return evidence_of(loss, cards, "reason.kraken", count=count)


def _reef(game: Record, pack: Record, seat: int, points: int) -> list[Evidence]:
    if not points:
        return []
    cells = _cells(int(reef_of(game, pack, seat)))
    cards = [_key(seat, depth, column) for depth, column in cells]
    return [evidence_of(points, cards, "reason.reef", count=points)]


def _dives(game: Record, pack: Record, seat: int) -> Iterator[tuple[int, list[str]]]:
    """How many chests each diver brings up, and from which cards: from its own to the surface,
    or to a diver above it.
    """
    dived = int(game.dived[seat])
    for column in range(COLUMNS):
        top = 0
        for depth in range(ROUNDS):
            if not dived >> (depth * COLUMNS + column) & 1:
                continue
            chests = [
                (above, int(pack.treasure[above, int(game.rows[seat, above, column])]))
                for above in range(top, depth + 1)
            ]
            cards = [_key(seat, above, column) for above, count in chests if count]
            yield sum(count for _, count in chests), cards
            top = depth + 1


def _treasures(game: Record, pack: Record, seat: int) -> list[Evidence]:
    """What each diver brings up, in tokens."""
    first = int(first_token(game, seat))
    tokens = [int(token) for token in game.bag[first : first + int(game.chests[seat])]]
    dives = []
    for count, cards in _dives(game, pack, seat):
        drawn, tokens = tokens[:count], tokens[count:]
        values = " + ".join(str(token) for token in drawn) or "0"
        dives.append(evidence_of(sum(drawn), cards, "reason.diver", count=count, tokens=values))
    return dives


def _chests(game: Record, pack: Record, seat: int) -> list[Evidence]:
    """What each diver will bring up, as average tokens."""
    return [
        evidence_of(int(average_stars(pack, count)), cards, "reason.chests", count=count)
        for count, cards in _dives(game, pack, seat)
    ]

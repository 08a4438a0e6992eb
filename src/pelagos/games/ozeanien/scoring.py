"""Ozeanien's score sheet: islands and discards with two players, squares and unexplored solo.

An island is two masks, `near` and `far`: the tiles whose near part belongs to it, and the straits
whose far part does. A strait's near part is the north or east one; any other tile's land is one
part, its near one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pelagos.engine.rule import rule
from pelagos.engine.types import Array
from pelagos.engine.view import Evidence, Reads, text
from pelagos.engine.view import evidence as evidence_of
from pelagos.games.ozeanien.notation import cell_name
from pelagos.games.ozeanien.rules import beyond, edges_at, is_strait, opposite, unexplored
from pelagos.games.ozeanien.state import (
    CELLS,
    CLASSES,
    EAST,
    EDGES,
    KINDS,
    PILE,
    SIDES,
    VALUES,
    Pack,
    State,
)

DISCARD_POINTS = -2
UNEXPLORED_POINTS = -20
"""Solo."""

LINES = 2


def lines(options: Mapping[str, Any]) -> tuple[str, str]:
    """The lines of the score sheet."""
    if options["players"] == 1:
        return ("squares", "unexplored")
    return ("islands", "discards")


# --- islands --------------------------------------------------------------------------------------


@rule
def near_parts(game: State) -> int:
    """The tiles that have land."""
    tiles = 0
    for side in range(SIDES):
        tiles |= int(game.land[side])
    return tiles


@rule
def far_parts(game: State) -> int:
    """The straits: their far parts are island parts of their own."""
    north, east = int(game.land[0]), int(game.land[1])
    south, west = int(game.land[2]), int(game.land[3])
    return (north & south & ~east & ~west) | (east & west & ~north & ~south)


@rule
def coast(game: State, straits: int, near: int, far: int, side: int) -> int:
    """The tiles of an island whose land edge on this side belongs to it."""
    own = near if side <= EAST else (near & ~straits) | far
    return own & int(game.land[side])


@rule
def whole_island(game: State, pack: Pack, straits: int, near: int, far: int) -> tuple[int, int]:
    """The island that these parts are of."""
    before_near, before_far = 0, 0
    while near != before_near or far != before_far:
        before_near, before_far = near, far
        for side in range(SIDES):
            across = beyond(pack, coast(game, straits, near, far, side), side)
            across &= int(game.explored)
            if opposite(side) <= EAST:
                near |= across
            else:
                near |= across & ~straits
                far |= across & straits
    return near, far


@rule
def first_island(game: State, pack: Pack, straits: int, near: int, far: int) -> tuple[int, int]:
    """Of the island parts given, the island that the first of them is of."""
    first = (near | far) & -(near | far)
    if near & first:
        return whole_island(game, pack, straits, first, 0)
    return whole_island(game, pack, straits, 0, first)


@rule
def count_cells(mask: int) -> int:
    """How many cells a mask holds."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@rule
def open_edges(game: State, pack: Pack, straits: int, near: int, far: int) -> int:
    """How many land edges of an island face an unexplored cell (OZE-30)."""
    unknown = unexplored(game, pack)
    count = 0
    for side in range(SIDES):
        count += count_cells(beyond(pack, coast(game, straits, near, far, side), side) & unknown)
    return count


@rule
def explorer_sum(game: State, near: int, far: int, seat: int) -> int:
    """The sum of the seat's explorers on an island (OZE-22)."""
    away = int(game.far)
    here = (near & ~away) | (far & away)
    points = 0
    for value in range(VALUES):
        points += (value + 1) * count_cells(int(game.explorers[seat, value]) & here)
    return points


# --- the sheet ------------------------------------------------------------------------------------


@rule
def island_points(game: State, near: int, far: int, seat: int) -> int:
    """What a complete island brings the seat: solo its size squared; else its size, to the larger
    sum of explorers (OZE-31, OZE-32).
    """
    size = count_cells(near | far)
    if int(game.players) == 1:
        return size * size
    own = explorer_sum(game, near, far, seat)
    other = explorer_sum(game, near, far, 1 - seat)
    return size if own > other else 0


@rule
def islands_points(game: State, pack: Pack, seat: int) -> int:
    """The points of all complete islands."""
    straits = far_parts(game)
    near_left, far_left = near_parts(game), straits
    points = 0
    while near_left | far_left:
        near, far = first_island(game, pack, straits, near_left, far_left)
        near_left &= ~near
        far_left &= ~far
        if open_edges(game, pack, straits, near, far) == 0:
            points += island_points(game, near, far, seat)
    return points


@rule
def sheet(game: State, pack: Pack, seat: int, out: Array) -> None:
    """Write the score sheet: complete islands, then discards, or solo unexplored cells.

    Rulings OZE-34, OZE-41, OZE-42.
    """
    out[0] = islands_points(game, pack, seat)
    if int(game.players) == 1:
        out[1] = UNEXPLORED_POINTS * count_cells(unexplored(game, pack))
        return
    discards = 0
    for kind in range(KINDS):
        discards += int(game.discards[seat, kind])
    out[1] = DISCARD_POINTS * discards


@rule
def winners(game: State, pack: Pack, totals: Array) -> int:
    """Mask of the seats with the most points; both in a draw; alone, one always wins (OZE-33)."""
    if int(game.players) == 1 or totals[0] > totals[1]:
        return 1
    return 2 if totals[1] > totals[0] else 3


def points_span(options: Mapping[str, Any], pack: Pack) -> tuple[int, int]:
    """At the most every tile is in two islands, as a strait can be; alone all of them in islands
    as large as the board. At the least alone nothing is explored; of two seats, one draws every
    other tile, and some more while the other lays discards, and discards all.
    """
    cells = int(pack.columns) * int(pack.rows)
    if int(options["players"]) == 1:
        return UNEXPLORED_POINTS * cells, 2 * cells * cells
    drawn = min(PILE, (PILE + sum(map(int, pack.explorers)) + 1) // 2)
    return DISCARD_POINTS * drawn, 2 * cells


# --- for readers: what the points are made of ----------------------------------------------------


READS = Reads(
    "explored", "filled", "land", "explorers", "far", "players", seat=("discards",), public=True
)
"""What a seat's sheet reads."""


class Island(NamedTuple):
    """One island as it stands."""

    near: int
    far: int
    size: int
    """Different tiles in it."""
    coasts: int
    """Land edges that face an unexplored cell; a complete island has none."""
    sums: tuple[int, ...]
    """Each seat's explorers on it."""

    shore: str
    """The side of its first tile that it is of, if that is a strait between two islands."""

    def params(self, pack: Pack) -> dict[str, Any]:
        """What a text can say of it. It is called by its first cell; on a strait with the shore,
        for the other shore has that cell too.
        """
        cell = cell_name(pack, cells_of(self.near | self.far)[0])
        return {
            "cell": cell,
            "island": text(f"shore.{self.shore}", cell=cell) if self.shore else cell,
            "tiles": text("amount.tiles", count=self.size),
            "coasts": text("amount.coasts", count=self.coasts),
            "sums": " : ".join(str(points) for points in self.sums),
        }


def cells_of(mask: int) -> list[int]:
    """The cells of a mask, ascending."""
    return [cell for cell in range(CELLS) if mask >> cell & 1]


def islands(game: State, pack: Pack) -> Iterator[Island]:
    """Every island, by its first cell."""
    straits = far_parts(game)
    near_left, far_left = near_parts(game), straits
    while near_left | far_left:
        near, far = first_island(game, pack, straits, near_left, far_left)
        near_left &= ~near
        far_left &= ~far
        yield Island(
            near,
            far,
            count_cells(near | far),
            open_edges(game, pack, straits, near, far),
            tuple(explorer_sum(game, near, far, seat) for seat in range(int(game.players))),
            shore_at(game, near, far, cells_of(near | far)[0]),
        )


def shore_at(game: State, near: int, far: int, cell: int) -> str:
    """The shore of a strait that an island has there; empty if it has both, or all the land."""
    edges = int(edges_at(game, cell))
    if not is_strait(edges) or (near & far) >> cell & 1:
        return ""
    return EDGES[(0 if edges & 1 else 1) + 2 * (far >> cell & 1)]


def tile_key(pack: Pack, cell: int) -> str:
    """The key of the tile on a cell."""
    return f"tile:{cell_name(pack, cell)}"


def evidence(game: State, pack: Pack, seat: int, points: Sequence[int]) -> list[list[Evidence]]:
    """Every island with its points or why it has none; then discards, or unexplored cells."""
    held = [_island_evidence(game, pack, island, seat) for island in islands(game, pack)]
    if int(game.players) == 1:
        return [held, _unexplored_evidence(game, pack)]
    return [held, _discards_evidence(game, seat)]


def _island_evidence(game: State, pack: Pack, island: Island, seat: int) -> Evidence:
    points = 0 if island.coasts else island_points(game, island.near, island.far, seat)
    tiles = [tile_key(pack, cell) for cell in cells_of(island.near | island.far)]
    return evidence_of(points, tiles, f"reason.{_reason(island, seat)}", **island.params(pack))


def _reason(island: Island, seat: int) -> str:
    """Why an island brings the seat its points, or none."""
    if len(island.sums) == 1:
        return "incomplete_alone" if island.coasts else "square"
    if island.coasts:
        return "incomplete"
    if island.sums[0] == island.sums[1]:
        return "equal" if island.sums[0] else "nobody"
    return "held" if island.sums[seat] == max(island.sums) else "lost"


def _discards_evidence(game: State, seat: int) -> list[Evidence]:
    proofs = []
    for kind, name in enumerate(CLASSES):
        count = int(game.discards[seat, kind])
        if count:
            points, pieces = DISCARD_POINTS * count, [f"discards{seat}.{name}"]
            tile = {"noun": name}
            proofs.append(evidence_of(points, pieces, "reason.discard", count=count, tile=tile))
    return proofs


def _unexplored_evidence(game: State, pack: Pack) -> list[Evidence]:
    cells = cells_of(unexplored(game, pack))
    if not cells:
        return []
    names = [cell_name(pack, cell) for cell in cells]
    pieces = [f"cell:{name}" for name in names]
    points = UNEXPLORED_POINTS * len(cells)
    listed = ", ".join(names)
    return [evidence_of(points, pieces, "reason.unexplored", count=len(cells), cells=listed)]

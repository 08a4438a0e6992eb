"""What a seat may know: everything but the pile's order and the removed tiles."""

from __future__ import annotations

from pelagos.engine.rule import rule
from pelagos.engine.stream import renew
from pelagos.engine.stream import shuffle as shuffle_tiles
from pelagos.engine.types import Array
from pelagos.games.ozeanien.actions import DRAWS
from pelagos.games.ozeanien.rules import KIND_AND_TURN, edges_at, play
from pelagos.games.ozeanien.scoring import cells_of, sheet
from pelagos.games.ozeanien.state import KINDS, TILES, Pack, State

# --- redeal ---------------------------------------------------------------------------------------

COUNT_BITS = 8
"""Room for the count of one class, when the counts of all are one number."""
ONE_COUNT = (1 << COUNT_BITS) - 1


@rule
def unseen(game: State) -> int:
    """How many tiles of each class nobody has seen, in the pile or removed, as one number.

    Ruling OZE-44.
    """
    counts = 0
    for place in range(int(game.top), TILES):
        counts += 1 << (COUNT_BITS * (int(game.pile[place]) - 1))
    return counts


@rule
def unseen_of(counts: int, kind: int) -> int:
    """How many of the unseen tiles are of this class."""
    return (counts >> (COUNT_BITS * kind)) & ONE_COUNT


@rule
def redeal(game: State, pack: Pack, seat: int, stream: Array) -> None:
    """Shuffle the unseen tiles, the pile's and the removed ones together; all seats know alike.

    Ruling OZE-43.
    """
    counts = unseen(game)
    place = int(game.top)
    for kind in range(KINDS):
        for _ in range(unseen_of(counts, kind)):
            game.pile[place] = kind + 1
            place += 1
    shuffle_tiles(stream, game.pile, int(game.top), TILES)
    renew(game.stream, stream)


# --- previews -------------------------------------------------------------------------------------


@rule
def preview(game: State, pack: Pack, seat: int, action: int, out: Array) -> None:
    """The seat's sheet after the action; what a draw would bring is hidden."""
    if action != DRAWS:
        play(game, pack, seat, action)
    sheet(game, pack, seat, out)


# --- what all know --------------------------------------------------------------------------------


def forced(game: State, pack: Pack, seat: int) -> bool:
    """Everyone sees what the seat to move may do."""
    return True


def census(game: State, pack: Pack) -> list[int]:
    """All sea tiles by class: in the pile, removed, in hand, discarded, laid."""
    tiles = [int(tile) - 1 for tile in [*game.pile, game.tile] if int(tile)]
    laid = cells_of(int(game.explored) & ~int(game.filled))
    tiles += [KIND_AND_TURN[int(edges_at(game, cell))][0] for cell in laid]
    discards = [sum(game.discards[:, kind].tolist()) for kind in range(KINDS)]
    return [tiles.count(kind) + discards[kind] for kind in range(KINDS)]

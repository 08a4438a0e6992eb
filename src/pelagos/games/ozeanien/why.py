"""Why a cell, circle or tile can't be chosen: which condition of the rules fails there."""

from __future__ import annotations

from pelagos.engine.view import Text, text
from pelagos.games.ozeanien.rules import goals, pile_is_empty, start_tiles, unexplored
from pelagos.games.ozeanien.state import (
    CLASSES,
    COASTS,
    DRAW,
    EXPLORER,
    LAY,
    LONGEST,
    SHIP,
    Pack,
    State,
)


def why_no_start(game: State, pack: Pack, key: str) -> Text:
    """Why the ship can't start from a circle, a tile or an unexplored cell."""
    sort, _, name = key.partition(":")
    if sort == "cell":
        return text("why.start_first")
    if sort == "tile":
        if not int(start_tiles(game, pack)) >> cell_called(pack, name) & 1:
            return text("why.no_route")
        return text("why.no_discard_fits")
    _, coast, number = key.split(".")
    cell = int(pack.circles[COASTS.index(coast) * LONGEST + int(number) - 1]) - 1
    if cell < 0:
        return text("why.no_circle")
    known = not int(unexplored(game, pack)) >> cell & 1
    return text("why.circle_used" if known else "why.no_discard_fits")


def why_not_laid(game: State, pack: Pack, key: str) -> Text:
    """Why the tile can't be laid there."""
    sort, _, name = key.partition(":")
    if sort != "cell":
        return text("why.explored" if sort == "tile" else "why.lay_first")
    tile = {"noun": CLASSES[int(game.tile) - 1]}
    if not int(goals(game, pack)) >> cell_called(pack, name) & 1:
        return text("why.out_of_reach")
    return text("why.does_not_fit", tile=tile)


def cell_called(pack: Pack, name: str) -> int:
    """The cell of a name such as `b4`."""
    return (int(name[1:]) - 1) * int(pack.columns) + "abcdefg".index(name[0])


def why_not(game: State, pack: Pack, seat: int, place: str, key: str) -> Text:
    """Why the seat, which owes a decision, can't choose a piece of a place."""
    phase = int(game.phase)
    if place == "board":
        if not key:
            return text("why.off_chart")
        if phase == SHIP:
            return why_no_start(game, pack, key)
        if phase == LAY:
            return why_not_laid(game, pack, key)
        return text("why.explorer_first" if phase == EXPLORER else "why.draw_first")
    if place == "pile":
        if pile_is_empty(game):
            return text("why.pile_empty")
        return text("why.ship_first" if phase == SHIP else "why.drawn")
    if place.startswith("supply"):
        if place != f"supply{seat}":
            return text("why.not_yours")
        return text("why.supply" if phase == EXPLORER else "why.supply_later")
    if place.startswith("discards"):
        if place != f"discards{seat}":
            return text("why.not_yours")
        if int(game.players) == 1:
            return text("why.no_reuse_alone")
        return text("why.reuse_later" if phase != DRAW else "why.ship_first")
    return text(f"why.{place}")

"""What a viewer sees: the chart, what lies beside it, what may be chosen and why not."""

from __future__ import annotations

from typing import Any

from pelagos.engine.view import Choice, Look, Part, Reads, Text, text
from pelagos.engine.view import choice as make_choice
from pelagos.games.ozeanien.actions import ACTIONS
from pelagos.games.ozeanien.knowledge import unseen, unseen_of
from pelagos.games.ozeanien.notation import cell_name
from pelagos.games.ozeanien.rules import (
    KIND_AND_TURN,
    edges_at,
    fits_from_ship,
    goals,
    has_explorers,
    is_strait,
    pile_is_empty,
    play,
    unexplored,
)
from pelagos.games.ozeanien.scoring import (
    Island,
    cells_of,
    islands,
    islands_points,
    shore_at,
    tile_key,
)
from pelagos.games.ozeanien.state import (
    CIRCLES,
    CLASSES,
    COASTS,
    DEGREES,
    DRAW,
    EAST,
    EDGES,
    EXPLORER,
    KINDS,
    LAY,
    LONGEST,
    NORTH,
    PILE,
    REMOVED,
    SEATS,
    SHIP,
    SOUTH,
    VALUES,
    Pack,
    State,
)

CHART = Reads("explored", "filled", "land", "explorers", "far", "ship", public=True)
ISLANDS = Reads("explored", "filled", "land", "explorers", "far", "players", public=True)
RESERVE = Reads("filled", "land", public=True)
BESIDE = Reads("players", seat=("supply", "discards"), public=True)

# --- places and pieces ----------------------------------------------------------------------------


def view(look: Look) -> None:
    """The chart, what lies beside it, and what the viewer is asked."""
    game, pack = look.game, look.pack
    look.phase = [] if look.over else [int(game.seat)]
    _prompt(look, game)
    look.part(_chart, reads=CHART.of())
    look.place("tile", "stack", text("place.tile"))
    if int(game.tile):
        look.piece("tile", "tile", CLASSES[int(game.tile) - 1])
    for seat in look.seats:
        look.part(_beside_seat, seat, reads=BESIDE.of(seat))
    look.part(_reserve, reads=RESERVE.of())
    look.place("pile", "stack", text("place.pile"))
    if int(game.top) < PILE:
        look.piece("pile", "pile", None, count=PILE - int(game.top))
    look.place("removed", "stack", text("place.removed"))
    look.piece("removed", "removed", None, count=REMOVED)
    _facts(look, game)
    _reasons(look, game, pack)


def _prompt(look: Look, game: State) -> None:
    if look.over or look.viewer != int(game.seat):
        return
    phase = int(game.phase)
    last = "_last" if pile_is_empty(game) else ""
    if phase == SHIP:
        look.ask(f"prompt.ship{last}")
    elif phase == DRAW:
        look.ask(f"prompt.reuse{last}" if _can_reuse(game, look.pack) else "prompt.draw")
    elif phase == LAY:
        look.ask("prompt.lay", tile={"noun": CLASSES[int(game.tile) - 1]})
    elif phase == EXPLORER:
        look.ask("prompt.explorer")


def _can_reuse(game: State, pack: Pack) -> bool:
    """Has the seat to move a discard that fits from the ship, and an explorer to pay for it?"""
    seat = int(game.seat)
    discards = [kind for kind in range(KINDS) if int(game.discards[seat, kind])]
    return has_explorers(game, seat) and any(fits_from_ship(game, pack, kind) for kind in discards)


def position_of(pack: Pack, cell: int) -> tuple[int, int]:
    """A cell's row and column on the chart, whose outermost rows and columns are the margin."""
    row, column = divmod(cell, int(pack.columns))
    return int(pack.rows) - row, column + 1


def _on_margin(pack: Pack, side: int, index: int) -> tuple[int, int]:
    """Row and column of a circle on the chart."""
    columns, rows = int(pack.columns), int(pack.rows)
    if side in (NORTH, SOUTH):
        return (0 if side == NORTH else rows + 1), index + 1
    return rows - index, (columns + 1 if side == EAST else 0)


def _chart(part: Part, game: State) -> None:
    pack: Pack = part.pack
    columns, rows = int(pack.columns), int(pack.rows)
    part.place("board", "board", text("place.board"), rows=rows + 2, columns=columns + 2)
    ship, unknown = int(game.ship) - 1, int(unexplored(game, pack))
    for side, coast in enumerate(COASTS):
        for index in range(columns if side in (NORTH, SOUTH) else rows):
            circle = side * LONGEST + index
            cell = int(pack.circles[circle]) - 1
            marks = ["circle"] if cell >= 0 and unknown >> cell & 1 else []
            marks += ["ship"] if ship == circle else []
            name = "abcdefg"[index] if side == NORTH else str(index + 1)
            at = _on_margin(pack, side, index)
            part.piece(f"circle.{coast}.{index + 1}", "board", name, at=at, marks=marks)
    for cell in range(columns * rows):
        at, name = position_of(pack, cell), cell_name(pack, cell)
        if unknown >> cell & 1:
            part.piece(f"cell:{name}", "board", "unexplored", at=at)
        else:
            marks = _marks(game, cell) + (["ship"] if ship == CIRCLES + cell else [])
            part.piece(tile_key(pack, cell), "board", _face(game, cell), at=at, marks=marks)


def kind_at(game: State, cell: int) -> int:
    """The class of the tile on a cell."""
    return KIND_AND_TURN[int(edges_at(game, cell))][0]


def _face(game: State, cell: int) -> str:
    """A laid tile's face: its class and turn."""
    kind, turn = KIND_AND_TURN[int(edges_at(game, cell))]
    return f"{CLASSES[kind]}-{DEGREES[turn]}"


def _marks(game: State, cell: int) -> list[str]:
    """Whether a tile was filled in, and the explorer on it, on a strait with its part."""
    if int(game.filled) >> cell & 1:
        return ["filled"]
    for seat in range(SEATS):
        for value in range(VALUES):
            if int(game.explorers[seat, value]) >> cell & 1:
                explorer = f"explorer-{seat}-{value + 1}"
                edges = edges_at(game, cell)
                if not is_strait(edges):
                    return [explorer]
                away = int(game.far) >> cell & 1
                return [explorer, EDGES[(0 if edges & 1 else 1) + 2 * away]]
    return []


def _beside_seat(part: Part, game: State, seat: int) -> None:
    who = {"seat": seat}
    if part.players > 1:
        part.place(f"supply{seat}", "row", text("place.supply", player=who), seat=seat)
        for value in range(VALUES):
            count = int(game.supply[seat, value])
            if count:
                face = f"explorer-{seat}-{value + 1}"
                part.piece(f"supply{seat}.{value + 1}", f"supply{seat}", face, count=count)
    part.place(f"discards{seat}", "row", text("place.discards", player=who), seat=seat)
    _stacks(part, f"discards{seat}", [int(count) for count in game.discards[seat]])


def _stacks(part: Part, place: str, counts: list[int]) -> None:
    for kind, name in enumerate(CLASSES):
        if counts[kind]:
            part.piece(f"{place}.{name}", place, name, count=counts[kind])


def _reserve(part: Part, game: State) -> None:
    part.place("reserve", "row", text("place.reserve"))
    _stacks(part, "reserve", reserve_left(game, part.pack))


def reserve_left(game: State, pack: Pack) -> list[int]:
    """Reserve tiles by class. A fill for which the stack had no tile took none."""
    left = [int(count) for count in pack.reserve]
    for cell in cells_of(int(game.filled)):
        kind = kind_at(game, cell)
        left[kind] = max(left[kind] - 1, 0)
    return left


# --- facts and reasons ----------------------------------------------------------------------------


def _facts(look: Look, game: State) -> None:
    look.facts["islands"] = look.compute(_told_islands, look.players, reads=ISLANDS.of())
    look.facts["unseen"] = {
        name: unseen_of(unseen(game), kind) for kind, name in enumerate(CLASSES)
    }


def _told_islands(game: State, pack: Pack, players: int) -> list[Text]:
    key = "fact.island_alone" if players == 1 else "fact.island"
    return [text(key, **island.params(pack)) for island in islands(game, pack)]


def _reasons(look: Look, game: State, pack: Pack) -> None:
    """Why a discard can't be laid again, or nothing lies where a tile or explorer may go."""
    if look.over or look.viewer != int(game.seat):
        return
    seat, phase = look.viewer, int(game.phase)
    if phase == DRAW and look.players > 1:
        for kind, name in enumerate(CLASSES):
            if not int(game.discards[seat, kind]):
                continue
            if not has_explorers(game, seat):
                look.why(f"discards{seat}.{name}", "why.no_explorer")
            elif not fits_from_ship(game, pack, kind):
                look.why(f"discards{seat}.{name}", "why.fits_not", tile={"noun": name})
    elif phase == SHIP:
        look.why("pile", "why.ship_first")
    elif phase == LAY:
        reached = int(goals(game, pack))
        for cell in cells_of(int(unexplored(game, pack)) & ~reached):
            look.why(f"cell:{cell_name(pack, cell)}", "why.out_of_reach")
    elif phase == EXPLORER:
        laid = int(game.laid) - 1
        for cell in cells_of(int(game.explored) & ~(1 << laid)):
            look.why(tile_key(pack, cell), "why.newest_tile")


# --- choices --------------------------------------------------------------------------------------


def choice(game: State, pack: Pack, seat: int, action: int) -> Choice:
    """What a player points at to take an action."""
    verb, values, _ = ACTIONS.decode(action)
    if verb == "pass" and int(game.phase) == SHIP:
        return make_choice(text("label.rest"), group="ship")
    if verb == "pass":
        return make_choice(text("label.pass"), group="explorer")
    if verb == "draw":
        return make_choice(text("label.draw"), group="ship", piece="pile", place="pile")
    if verb == "ship":
        return _ship_choice(game, pack, seat, *values)
    if verb == "reuse":
        kind, value = values
        label = text("label.reuse", tile={"noun": CLASSES[kind]}, value=value)
        place = f"discards{seat}"
        piece, variant = f"{place}.{CLASSES[kind]}", str(value)
        return make_choice(label, group="ship", piece=piece, place=place, variant=variant)
    if verb == "lay":
        return _lay_choice(game, pack, seat, action, *values)
    return _explorer_choice(game, pack, *values)


def asks(game: State, pack: Pack, seat: int, action: int) -> list[Text]:
    """What comes after an action: a draw after the ship, an explorer after the tile."""
    verb = ACTIONS.decode(action).verb
    if verb == "ship":
        return [text("ask.reuse" if pile_is_empty(game) else "ask.draw")]
    has_land = CLASSES[int(game.tile) - 1] != "open"
    if verb == "lay" and has_land and has_explorers(game, seat):
        return [text("ask.explorer")]
    return []


def start_name(pack: Pack, start: int) -> Text | str:
    """A start's name: a circle or a cell."""
    if start < CIRCLES:
        return text(f"start.{COASTS[start // LONGEST]}", number=start % LONGEST + 1)
    return cell_name(pack, start - CIRCLES)


def _start_piece(pack: Pack, start: int) -> str:
    if start < CIRCLES:
        return f"circle.{COASTS[start // LONGEST]}.{start % LONGEST + 1}"
    return tile_key(pack, start - CIRCLES)


def _ship_choice(game: Any, pack: Pack, seat: int, start: int) -> Choice:
    """A start, with how many of the unseen tiles would fit from there; after the last draw, how
    many of the own discards.
    """
    there = game.copy()
    there.ship = start + 1
    if pile_is_empty(game):
        key, counts = "label.ship_last", [int(count) for count in game.discards[seat]]
    else:
        key, counts = "label.ship", [unseen_of(unseen(game), kind) for kind in range(KINDS)]
    fitting = [count for kind, count in enumerate(counts) if fits_from_ship(there, pack, kind)]
    label = text(
        key,
        start=start_name(pack, start),
        fitting=sum(fitting),
        unseen=sum(counts),
        goals=[cell_name(pack, cell) for cell in cells_of(goals(there, pack))],
    )
    if start < CIRCLES:
        at = _on_margin(pack, start // LONGEST, start % LONGEST)
    else:
        at = position_of(pack, start - CIRCLES)
    piece = _start_piece(pack, start)
    return make_choice(label, group="ship", piece=piece, place="board", at=at)


def _lay_choice(game: Any, pack: Pack, seat: int, action: int, cell: int, turn: int) -> Choice:
    """A cell and a turn, with the cells that would be filled."""
    name = cell_name(pack, cell)
    after = game.copy()
    play(after, pack, seat, action)
    filled = cells_of(int(after.filled) & ~int(game.filled))
    params: dict[str, Any] = {"tile": {"noun": CLASSES[int(game.tile) - 1]}, "cell": name}
    params["islands"] = [
        _becomes(game, pack, island) | {"shore": shore_at(after, island.near, island.far, cell)}
        for island in _islands_at(after, pack, cell)
    ]
    if int(game.players) > 1:
        params["gains"] = [
            int(islands_points(after, pack, player)) - int(islands_points(game, pack, player))
            for player in range(SEATS)
        ]
    key = "label.lay"
    if filled:
        key = "label.lay_and_fill"
        params["filled"] = ", ".join(cell_name(pack, other) for other in filled)
        params["fills"] = [[cell_name(pack, other), _face(after, other)] for other in filled]
    return make_choice(
        text(key, **params),
        group="lay",
        piece=f"cell:{name}",
        place="board",
        at=position_of(pack, cell),
        variant=str(DEGREES[turn]),
    )


def _islands_at(game: State, pack: Pack, cell: int) -> list[Island]:
    """The islands that a tile is of: none, one, or a strait's two."""
    return [island for island in islands(game, pack) if (island.near | island.far) >> cell & 1]


def _becomes(game: State, pack: Pack, island: Island) -> dict[str, Any]:
    """An island as a tile would make it, and those that it grows out of."""
    grown = [
        before
        for before in islands(game, pack)
        if before.near & island.near == before.near and before.far & island.far == before.far
    ]
    return {
        "cells": [cell_name(pack, cell) for cell in cells_of(island.near | island.far)],
        "size": island.size,
        "coasts": island.coasts,
        "sums": list(island.sums),
        "was": [[before.size, before.coasts] for before in grown],
    }


def _explorer_choice(game: State, pack: Pack, value: int, part: str) -> Choice:
    """An explorer on a part, with the island that it would hold."""
    cell = int(game.laid) - 1
    on_far_part = part != "" and EDGES.index(part) > EAST
    island = next(
        island
        for island in islands(game, pack)
        if (island.far if on_far_part else island.near) >> cell & 1
    )
    params = island.params(pack) | {"value": value}
    params["cells"] = [cell_name(pack, other) for other in cells_of(island.near | island.far)]
    key, variant = "label.explorer", str(value)
    if part:
        key = "label.explorer_part"
        params["part"] = {"noun": part}
        variant += f" {part}"
    return make_choice(
        text(key, **params),
        group="explorer",
        piece=tile_key(pack, cell),
        place="board",
        at=position_of(pack, cell),
        variant=variant,
    )

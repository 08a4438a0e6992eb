"""What a seat may know: everything but the pile's order and the removed tiles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pelagos.engine.rule import rule
from pelagos.engine.stream import renew
from pelagos.engine.stream import shuffle as shuffle_tiles
from pelagos.engine.types import Array
from pelagos.engine.view import Choice, Event, Look, Step, Text, event, text
from pelagos.engine.view import choice as make_choice
from pelagos.games.ozeanien.notation import CLASSES, COASTS, DEGREES, EDGES, cell_name
from pelagos.games.ozeanien.rules import (
    DRAWS,
    EXPLORERS,
    LAYS,
    PARTS,
    PASS,
    REUSES,
    SHIPS,
    edges_at,
    fits_from_ship,
    goals,
    has_explorers,
    is_strait,
    play,
    unexplored,
)
from pelagos.games.ozeanien.rules import EDGES as TILE_EDGES
from pelagos.games.ozeanien.scoring import Island, cells_of, islands, sheet, tile_key
from pelagos.games.ozeanien.state import (
    CIRCLES,
    DRAW,
    EAST,
    EXPLORER,
    KINDS,
    LAY,
    LONGEST,
    NORTH,
    OVER,
    PILE,
    REMOVED,
    SEATS,
    SHIP,
    SOUTH,
    TILES,
    TURNS,
    VALUES,
    Pack,
    State,
)

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


# --- the view -------------------------------------------------------------------------------------


def view(look: Look) -> None:
    """The chart, what lies beside it, and what the viewer is asked."""
    game, pack = look.game, look.pack
    look.phase = [] if look.over else [int(game.seat)]
    _prompt(look, game)
    _chart(look, game, pack)
    look.place("tile", "stack", text("place.tile"))
    if int(game.tile):
        look.piece("tile", "tile", CLASSES[int(game.tile) - 1])
    for seat in look.seats:
        _beside_seat(look, game, seat)
    look.place("reserve", "row", text("place.reserve"))
    _stacks(look, "reserve", _reserve_left(game, pack))
    look.place("pile", "stack", text("place.pile"))
    if int(game.top) < PILE:
        look.piece("pile", "pile", None, count=PILE - int(game.top))
    look.place("removed", "stack", text("place.removed"))
    look.piece("removed", "removed", None, count=REMOVED)
    _facts(look, game, pack)


def _prompt(look: Look, game: State) -> None:
    if look.over or look.viewer != int(game.seat):
        return
    phase = int(game.phase)
    if phase == SHIP:
        look.ask("prompt.ship")
    elif phase == DRAW:
        look.ask("prompt.reuse" if _can_reuse(game, look.pack) else "prompt.draw")
    elif phase == LAY:
        look.ask("prompt.lay", tile={"noun": CLASSES[int(game.tile) - 1]})
    elif phase == EXPLORER:
        look.ask("prompt.explorer")


def _can_reuse(game: State, pack: Pack) -> bool:
    """Has the seat to move a discard that fits from the ship, and an explorer to pay for it?"""
    seat = int(game.seat)
    discards = [kind for kind in range(KINDS) if int(game.discards[seat, kind])]
    return has_explorers(game, seat) and any(fits_from_ship(game, pack, kind) for kind in discards)


def _at(pack: Pack, cell: int) -> tuple[int, int]:
    """A cell's row and column on the chart, whose outermost rows and columns are the margin."""
    row, column = divmod(cell, int(pack.columns))
    return int(pack.rows) - row, column + 1


def _on_margin(pack: Pack, side: int, index: int) -> tuple[int, int]:
    """Row and column of a circle on the chart."""
    columns, rows = int(pack.columns), int(pack.rows)
    if side in (NORTH, SOUTH):
        return (0 if side == NORTH else rows + 1), index + 1
    return rows - index, (columns + 1 if side == EAST else 0)


def _chart(look: Look, game: State, pack: Pack) -> None:
    columns, rows = int(pack.columns), int(pack.rows)
    look.place("board", "board", text("place.board"), rows=rows + 2, columns=columns + 2)
    ship = int(game.ship) - 1
    for side, coast in enumerate(COASTS):
        for index in range(columns if side in (NORTH, SOUTH) else rows):
            circle = side * LONGEST + index
            cell = int(pack.circles[circle]) - 1
            marks = ["circle"] if cell >= 0 and unexplored(game, pack) >> cell & 1 else []
            marks += ["ship"] if ship == circle else []
            name = "abcdefg"[index] if side == NORTH else str(index + 1)
            at = _on_margin(pack, side, index)
            look.piece(f"circle.{coast}.{index + 1}", "board", name, at=at, marks=marks)
    for cell in range(columns * rows):
        at, name = _at(pack, cell), cell_name(pack, cell)
        if unexplored(game, pack) >> cell & 1:
            look.piece(f"cell:{name}", "board", "unexplored", at=at)
        else:
            marks = _marks(game, cell) + (["ship"] if ship == CIRCLES + cell else [])
            face = _face(edges_at(game, cell))
            look.piece(tile_key(pack, cell), "board", face, at=at, marks=marks)


def _kind_and_turn(edges: int) -> tuple[int, int]:
    """The class and the smallest turn of a tile with these edges."""
    kind, turn = divmod(TILE_EDGES.ravel().tolist().index(edges), TURNS)
    return kind, turn


def _face(edges: int) -> str:
    """A laid tile's face: its class and turn."""
    kind, turn = _kind_and_turn(edges)
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


def _beside_seat(look: Look, game: State, seat: int) -> None:
    who = {"seat": seat}
    if look.players > 1:
        look.place(f"supply{seat}", "row", text("place.supply", player=who), seat=seat)
        for value in range(VALUES):
            count = int(game.supply[seat, value])
            if count:
                face = f"explorer-{seat}-{value + 1}"
                look.piece(f"supply{seat}.{value + 1}", f"supply{seat}", face, count=count)
    look.place(f"discards{seat}", "row", text("place.discards", player=who), seat=seat)
    _stacks(look, f"discards{seat}", [int(count) for count in game.discards[seat]])


def _stacks(look: Look, place: str, counts: list[int]) -> None:
    for kind, name in enumerate(CLASSES):
        if counts[kind]:
            look.piece(f"{place}.{name}", place, name, count=counts[kind])


def _reserve_left(game: State, pack: Pack) -> list[int]:
    """Reserve tiles by class. A fill for which the stack had no tile took none."""
    left = [int(count) for count in pack.reserve]
    for cell in cells_of(int(game.filled)):
        kind, _ = _kind_and_turn(edges_at(game, cell))
        left[kind] = max(left[kind] - 1, 0)
    return left


def _facts(look: Look, game: State, pack: Pack) -> None:
    key = "fact.island_alone" if look.players == 1 else "fact.island"
    look.facts["islands"] = [text(key, **one.params(pack)) for one in islands(game, pack)]
    look.facts["unseen"] = {
        name: unseen_of(unseen(game), kind) for kind, name in enumerate(CLASSES)
    }


# --- choices --------------------------------------------------------------------------------------


def choice(game: State, pack: Pack, seat: int, action: int) -> Choice:
    """What a player points at to take an action."""
    if action == PASS:
        return make_choice(text("label.pass"), group="explorer")
    if action == DRAWS:
        return make_choice(text("label.draw"), group="ship", piece="pile", place="pile")
    if action < REUSES:
        return _ship_choice(game, pack, action - SHIPS)
    if action < LAYS:
        kind, value = divmod(action - REUSES, VALUES)
        label = text("label.reuse", tile={"noun": CLASSES[kind]}, value=value + 1)
        place = f"discards{seat}"
        piece, variant = f"{place}.{CLASSES[kind]}", str(value + 1)
        return make_choice(label, group="ship", piece=piece, place=place, variant=variant)
    if action < EXPLORERS:
        return _lay_choice(game, pack, seat, action)
    return _explorer_choice(game, pack, (action - EXPLORERS) // PARTS, (action - EXPLORERS) % PARTS)


def _start(pack: Pack, start: int) -> Text | str:
    """A start's name: a circle or a cell."""
    if start < CIRCLES:
        return text(f"start.{COASTS[start // LONGEST]}", number=start % LONGEST + 1)
    return cell_name(pack, start - CIRCLES)


def _start_piece(pack: Pack, start: int) -> str:
    if start < CIRCLES:
        return f"circle.{COASTS[start // LONGEST]}.{start % LONGEST + 1}"
    return tile_key(pack, start - CIRCLES)


def _ship_choice(game: Any, pack: Pack, start: int) -> Choice:
    """A start, with how many of the unseen tiles would fit from there."""
    there = game.copy()
    there.ship = start + 1
    counts = [unseen_of(unseen(game), kind) for kind in range(KINDS)]
    fitting = [count for kind, count in enumerate(counts) if fits_from_ship(there, pack, kind)]
    reached = [cell_name(pack, cell) for cell in cells_of(goals(there, pack))]
    label = text(
        "label.ship",
        start=_start(pack, start),
        fitting=sum(fitting),
        unseen=sum(counts),
        goals=reached,
    )
    if start < CIRCLES:
        at = _on_margin(pack, start // LONGEST, start % LONGEST)
    else:
        at = _at(pack, start - CIRCLES)
    piece = _start_piece(pack, start)
    return make_choice(label, group="ship", piece=piece, place="board", at=at)


def _lay_choice(game: Any, pack: Pack, seat: int, action: int) -> Choice:
    """A cell and a turn, with the cells that would be filled."""
    cell, turn = divmod(action - LAYS, TURNS)
    name = cell_name(pack, cell)
    after = game.copy()
    play(after, pack, seat, action)
    filled = cells_of(int(after.filled) & ~int(game.filled))
    params: dict[str, Any] = {"tile": {"noun": CLASSES[int(game.tile) - 1]}, "cell": name}
    params["islands"] = [_becomes(game, pack, one) for one in _islands_at(after, pack, cell)]
    key = "label.lay"
    if filled:
        key = "label.lay_and_fill"
        params["filled"] = ", ".join(cell_name(pack, other) for other in filled)
        params["fills"] = [
            [cell_name(pack, other), _face(edges_at(after, other))] for other in filled
        ]
    piece, variant = f"cell:{name}", str(DEGREES[turn])
    label = text(key, **params)
    return make_choice(
        label, group="lay", piece=piece, place="board", at=_at(pack, cell), variant=variant
    )


def _islands_at(game: State, pack: Pack, cell: int) -> list[Island]:
    """The islands that a tile is of: none, one, or a strait's two."""
    return [one for one in islands(game, pack) if (one.near | one.far) >> cell & 1]


def _becomes(game: State, pack: Pack, island: Island) -> dict[str, Any]:
    """An island as a tile would make it, and those that it grows out of."""
    grown = [
        one
        for one in islands(game, pack)
        if one.near & island.near == one.near and one.far & island.far == one.far
    ]
    return {
        "cells": [cell_name(pack, cell) for cell in cells_of(island.near | island.far)],
        "size": island.size,
        "coasts": island.coasts,
        "sums": list(island.sums),
        "was": [[one.size, one.coasts] for one in grown],
    }


def _explorer_choice(game: State, pack: Pack, value: int, part: int) -> Choice:
    """An explorer on a part, with the island that it would hold."""
    cell = int(game.laid) - 1
    island = _island_with(game, pack, cell, part > 1 + EAST)
    params = island.params(pack) | {"value": value + 1}
    params["cells"] = [cell_name(pack, one) for one in cells_of(island.near | island.far)]
    key, variant = "label.explorer", str(value + 1)
    if part:
        key = "label.explorer_part"
        params["part"] = {"noun": EDGES[part - 1]}
        variant += f" {EDGES[part - 1]}"
    piece = tile_key(pack, cell)
    return make_choice(
        text(key, **params),
        group="explorer",
        piece=piece,
        place="board",
        at=_at(pack, cell),
        variant=variant,
    )


def _island_with(game: State, pack: Pack, cell: int, far: bool) -> Island:
    """The island that a tile's near or far part is of."""
    return next(one for one in islands(game, pack) if (one.far if far else one.near) >> cell & 1)


def forced(game: State, pack: Pack, seat: int) -> bool:
    """Everyone sees what the seat to move may do."""
    return True


# --- the story ------------------------------------------------------------------------------------


def narrate(step: Step, viewer: int) -> Iterator[Event]:
    """What a move was."""
    action, who = step.action, {"seat": step.seat}
    if action == PASS:
        yield event("event.pass", who=who)
    elif action == DRAWS:
        yield _draw_event(step)
    elif action < REUSES:
        yield event("event.ship", who=who, start=_start(step.pack, action - SHIPS), piece="ship")
    elif action < LAYS:
        kind, value = divmod(action - REUSES, VALUES)
        tile, source = {"noun": CLASSES[kind]}, f"discards{step.seat}"
        yield event(
            "event.reuse", who=who, tile=tile, value=value + 1, source=source, target="tile"
        )
    elif action < EXPLORERS:
        tile = {"noun": CLASSES[int(step.before.tile) - 1]}
        yield _tile_event("event.lay", step, (action - LAYS) // TURNS, "tile", who=who, tile=tile)
    else:
        value, source = (action - EXPLORERS) // PARTS + 1, f"supply{step.seat}"
        cell = int(step.before.laid) - 1
        yield _tile_event("event.explorer", step, cell, source, who=who, value=value)


def _draw_event(step: Step) -> Event:
    """The tile that was drawn, and whether it fits from the ship."""
    game, fits = step.before, int(step.after.tile) > 0
    return event(
        "event.draw" if fits else "event.discard",
        who={"seat": step.seat},
        tile={"noun": CLASSES[int(game.pile[int(game.top)]) - 1]},
        start=_start(step.pack, int(game.ship) - 1),
        source="pile",
        target="tile" if fits else f"discards{step.seat}",
    )


def _tile_event(key: str, step: Step, cell: int, source: str, **params: Any) -> Event:
    """Something that came to lie on a cell."""
    row, column = _at(step.pack, cell)
    return event(
        key,
        piece=tile_key(step.pack, cell),
        source=source,
        target=f"board:{row},{column}",
        cell=cell_name(step.pack, cell),
        **params,
    )


def aftermath(step: Step, viewer: int) -> Iterator[Event]:
    """What a move filled and completed, and why the game is over."""
    before, after, pack = step.before, step.after, step.pack
    for cell in cells_of(int(after.filled) & ~int(before.filled)):
        kind, _ = _kind_and_turn(edges_at(after, cell))
        yield _tile_event("event.fill", step, cell, "reserve", tile={"noun": CLASSES[kind]})
    if int(after.explored) != int(before.explored):
        done = {(one.near, one.far) for one in islands(before, pack) if not one.coasts}
        for one in islands(after, pack):
            if not one.coasts and (one.near, one.far) not in done:
                yield event("event.complete", **one.params(pack))
    if int(after.phase) == OVER and int(before.phase) != OVER:
        yield event(f"event.over_{_end(after, pack)}")


def _end(game: State, pack: Pack) -> str:
    """Why the game is over."""
    if not unexplored(game, pack):
        return "explored"
    return "pile" if int(game.top) == PILE else "starts"


# --- census ---------------------------------------------------------------------------------------


def census(game: State, pack: Pack) -> list[int]:
    """All sea tiles by class: in the pile, removed, in hand, discarded, laid."""
    tiles = [int(tile) - 1 for tile in [*game.pile, game.tile] if int(tile)]
    laid = cells_of(int(game.explored) & ~int(game.filled))
    tiles += [_kind_and_turn(edges_at(game, cell))[0] for cell in laid]
    discards = [sum(game.discards[:, kind].tolist()) for kind in range(KINDS)]
    return [tiles.count(kind) + discards[kind] for kind in range(KINDS)]

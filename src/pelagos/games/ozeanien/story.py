"""What happened, in events; all see alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pelagos.engine.game import BY_LOT
from pelagos.engine.view import Event, Step, event, text
from pelagos.games.ozeanien.actions import ACTIONS
from pelagos.games.ozeanien.notation import cell_name
from pelagos.games.ozeanien.rules import is_any_start, pile_is_empty, unexplored
from pelagos.games.ozeanien.scoring import cells_of, islands, tile_key
from pelagos.games.ozeanien.state import CLASSES, OVER, SHIP, Pack, State
from pelagos.games.ozeanien.view import kind_at, position_of, start_name


def opening(game: State, pack: Pack, viewer: int, options: Mapping[str, Any]) -> Iterator[Event]:
    """Who begins, and why; alone there is nothing to tell (OZE-35, OZE-36)."""
    if int(game.players) > 1:
        chosen = options.get("start", BY_LOT) != BY_LOT
        key = "event.begins_chosen" if chosen else "event.begins"
        yield event(key, who={"seat": int(game.start)})


def narrate(step: Step, viewer: int) -> Iterator[Event]:
    """What a move was."""
    verb, values, _ = ACTIONS.decode(step.action)
    who = {"seat": step.seat}
    if verb == "pass":
        yield event("event.rest" if int(step.before.phase) == SHIP else "event.pass", who=who)
    elif verb == "draw":
        yield _draw_event(step)
    elif verb == "ship":
        yield event("event.ship", who=who, start=start_name(step.pack, *values), piece="ship")
    elif verb == "reuse":
        kind, value = values
        tile, source = {"noun": CLASSES[kind]}, f"discards{step.seat}"
        yield event("event.reuse", who=who, tile=tile, value=value, source=source, target="tile")
    elif verb == "lay":
        tile = {"noun": CLASSES[int(step.before.tile) - 1]}
        yield _tile_event("event.lay", step, values[0], "tile", who=who, tile=tile)
    else:
        value, shore = values
        cell, source = int(step.before.laid) - 1, f"supply{step.seat}"
        name = cell_name(step.pack, cell)
        where = text("spot.shore", cell=name, part={"noun": shore}) if shore else name
        params = {"who": who, "value": value, "where": where}
        yield _tile_event("event.explorer", step, cell, source, **params)


def _draw_event(step: Step) -> Event:
    """The tile that was drawn, and whether it fits from the ship."""
    game, fits = step.before, int(step.after.tile) > 0
    return event(
        "event.draw" if fits else "event.discard",
        who={"seat": step.seat},
        tile={"noun": CLASSES[int(game.pile[int(game.top)]) - 1]},
        start=start_name(step.pack, int(game.ship) - 1),
        source="pile",
        target="tile" if fits else f"discards{step.seat}",
    )


def _tile_event(key: str, step: Step, cell: int, source: str, **params: Any) -> Event:
    """Something that came to lie on a cell."""
    row, column = position_of(step.pack, cell)
    return event(
        key,
        piece=tile_key(step.pack, cell),
        source=source,
        target=f"board:{row},{column}",
        cell=cell_name(step.pack, cell),
        **params,
    )


def is_told_apart(step: Step, viewer: int) -> bool:
    """Nobody is: what happens, all see."""
    return False


def aftermath(step: Step, viewer: int) -> Iterator[Event]:
    """What a move filled and completed, and why the game is over."""
    before, after, pack = step.before, step.after, step.pack
    for cell in cells_of(int(after.filled) & ~int(before.filled)):
        tile = {"noun": CLASSES[kind_at(after, cell)]}
        yield _tile_event("event.fill", step, cell, "reserve", tile=tile)
    if int(after.explored) != int(before.explored):
        done = {(island.near, island.far) for island in islands(before, pack) if not island.coasts}
        for island in islands(after, pack):
            if not island.coasts and (island.near, island.far) not in done:
                yield event("event.complete", **island.params(pack))
    if int(after.play_on) and pile_is_empty(after) and not pile_is_empty(before):
        yield event("event.play_on")
    if int(after.phase) == OVER and int(before.phase) != OVER:
        yield event(f"event.over_{_end(after, pack)}")


def _end(game: State, pack: Pack) -> str:
    """Why the game is over."""
    if not unexplored(game, pack):
        return "explored"
    if int(game.play_on) and pile_is_empty(game):
        return "discards" if is_any_start(game, pack) else "starts"
    return "pile" if pile_is_empty(game) else "starts"

"""What happened: the order in which cards were laid, and the events of the log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pelagos.engine.view import Event, Step, event
from pelagos.games.ecosystem.actions import ACTIONS
from pelagos.games.ecosystem.frame import (
    FRAME,
    FRAME_COLUMNS,
    REEF_CELLS,
    cell_name,
    row_and_column,
)
from pelagos.games.ecosystem.scoring import BONUS
from pelagos.games.ecosystem.state import FLIP, HAND, OVER, PLANKTON, SPECIES, TIM

OWN_LINES = sorted({*range(len(SPECIES) + 1)} - {PLANKTON, BONUS})

LAYING = ("give", "place", "drop")
"""What puts a card on a cell."""


def track(memory: dict[Any, Any], step: Step) -> None:
    """Remember in which order each grid's cards were laid, wherever they wander."""
    if step.seat < 0:
        return
    decoded = ACTIONS.decode(step.action)
    if decoded.verb not in LAYING:
        return
    before, grid = step.before, TIM if decoded.verb == "give" else step.seat
    order = list(memory.get(grid, [0] * FRAME))
    match decoded:
        case ("give", _, _):
            order[REEF_CELLS[int(before.laid[grid])]] = int(before.laid[grid]) + 1
        case ("place", (cell,), _):
            order[cell] = int(before.laid[grid]) + 1
        case ("drop", (cell,), _):
            lifted = int(before.lifted[grid])
            order[lifted], order[cell] = order[cell], order[lifted]
    memory[grid] = _settled(order)


def _settled(order: list[int]) -> tuple[int, ...]:
    """The order's frame with its box back at the corner."""
    cells = [cell for cell, number in enumerate(order) if number]
    up = row_and_column(cells[0])[0]
    left = min(row_and_column(cell)[1] for cell in cells)
    if not up and not left:
        return tuple(order)
    settled = [0] * FRAME
    for cell in cells:
        settled[cell - up * FRAME_COLUMNS - left] = order[cell]
    return tuple(settled)


def narrate(step: Step, viewer: int) -> Iterator[Event]:
    """What a move was, once the viewer may know it."""
    if step.seat < 0:
        card = {"noun": SPECIES[step.outcome[0]]}
        yield event("event.neutral", card=card, target="neutral")
        return
    game, seat = step.before, step.seat
    who, grid = {"seat": seat}, f"grid{seat}"
    match ACTIONS.decode(step.action):
        case ("pass", _, _):
            yield event("event.pass", who=who)
        case ("take", (species,), _):
            source = "hand" if seat == viewer else None
            card = {"noun": species}
            yield event("event.take", who=who, card=card, source=source, target=f"chosen{seat}")
        case ("give", (species,), _):
            yield event("event.give", card={"noun": species}, source="hand", target=f"grid{TIM}")
        case ("place", (cell,), _):
            card = {"noun": SPECIES[int(game.chosen[seat]) - 1]}
            piece, target = f"card{seat}.{int(game.laid[seat]) + 1}", f"{grid}:{cell_name(cell)}"
            moved = {"piece": piece, "target": target}
            yield event("event.place", who=who, card=card, gain=_gain(step), **moved)
        case ("drop", (cell,), _):
            yield _drop(step, cell)
        case ("flip", ((_, cell),), _):
            card, target = _card_at(step, seat, cell), f"{grid}:{cell_name(cell)}"
            yield event("event.flip", who=who, card=card, target=target)
        case ("tim", ((_, cell),), _):
            card, target = _card_at(step, TIM, cell), f"grid{TIM}:{cell_name(cell)}"
            yield event("event.flip_tim", who=who, card=card, target=target)


def is_told_apart(step: Step, viewer: int) -> bool:
    """The mover alone: what it takes comes from its own hand."""
    return viewer == step.seat


def _drop(step: Step, cell: int) -> Event:
    """An octopus moves a card to an empty cell, or swaps two."""
    who, grid, lifted = {"seat": step.seat}, f"grid{step.seat}", int(step.before.lifted[step.seat])
    source, target = f"{grid}:{cell_name(lifted)}", f"{grid}:{cell_name(cell)}"
    params: dict[str, Any] = {"who": who, "card": _card_at(step, step.seat, lifted)}
    params |= {"source": source, "target": target, "gain": _gain(step)}
    if not int(step.before.cells[step.seat, cell]):
        return event("event.move", **params)
    other = _card_at(step, step.seat, cell)
    return event("event.swap", **params, other=other)


def _gain(step: Step) -> int:
    """What a move changed of the reef's own lines; those of the plankton and the bonus depend on
    other reefs, where something may still be hidden.
    """
    after, before = step.position_after.points(step.seat), step.position.points(step.seat)
    return sum(after[line] - before[line] for line in OWN_LINES)


def _card_at(step: Step, grid: int, cell: int) -> dict[str, str]:
    """The card that lay there, as a text names it."""
    return {"noun": SPECIES[int(step.before.cells[grid, cell]) - 1]}


def aftermath(step: Step, viewer: int) -> Iterator[Event]:
    """What came of a phase's last move."""
    before, after = step.before, step.after
    if int(after.turn) != int(before.turn) and int(after.turn) == HAND and int(after.players) > 1:
        yield event("event.round")
    if int(after.phase) == FLIP and int(before.phase) != FLIP:
        yield event("event.whales")
    if int(after.phase) == OVER and int(before.phase) != OVER:
        yield event("event.over")

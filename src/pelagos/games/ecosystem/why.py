"""Why a cell or a card can't be chosen: which condition of the rules fails there."""

from __future__ import annotations

from pelagos.engine.view import Text, text
from pelagos.games.ecosystem.frame import (
    COLUMNS,
    FRAME_COLUMNS,
    FRAME_ROWS,
    ROWS,
    cell_at,
    cells_of,
    row_and_column,
)
from pelagos.games.ecosystem.rules import beside, drop_cells, open_cells
from pelagos.games.ecosystem.state import (
    FLIP,
    FLIP_TIM,
    GIVE,
    OWES,
    OWES_DROP,
    PLACE,
    TAKE,
    TIM,
    WHALE,
    State,
)


def why_not_there(reef: int, row: int, column: int) -> Text | None:
    """Why no card can be laid on a cell of the box, or beside the box; None if one can."""
    inside = -1 <= row < FRAME_ROWS - 1 and -1 <= column < FRAME_COLUMNS - 1
    cell = cell_at(row, column) if inside else -1
    if inside and int(open_cells(reef)) >> cell & 1:
        return None
    if not reef:
        return text("why.first_card")
    if inside and reef >> cell & 1:
        return text("why.occupied")
    size = _too_large(reef, row, column)
    if size is not None:
        return size
    return text("why.corner" if _at_corner(reef, row, column) else "why.not_beside")


def why_not_moved_there(reef: int, lifted: int, row: int, column: int) -> Text | None:
    """Why the octopus can't put the lifted card on a cell; None if it can."""
    inside = -1 <= row < FRAME_ROWS - 1 and -1 <= column < FRAME_COLUMNS - 1
    cell = cell_at(row, column) if inside else -1
    if inside and int(drop_cells(reef, lifted)) >> cell & 1:
        return None
    if cell == lifted:
        return text("why.lifted_here")
    rest = reef & ~(1 << lifted)
    size = _too_large(rest, row, column)
    if size is not None:
        return size
    if inside and int(beside(rest)) >> cell & 1:
        return text("why.apart")
    return text("why.corner" if _at_corner(rest, row, column) else "why.not_beside")


def _too_large(cards: int, row: int, column: int) -> Text | None:
    """Would a card there make the reef too high or too wide?"""
    where = [row_and_column(cell) for cell in cells_of(cards)]
    rows = [row, *(cell[0] for cell in where)]
    columns = [column, *(cell[1] for cell in where)]
    if max(rows) - min(rows) >= ROWS:
        return text("why.too_high", size=ROWS)
    if max(columns) - min(columns) >= COLUMNS:
        return text("why.too_wide", size=COLUMNS)
    return None


def _at_corner(cards: int, row: int, column: int) -> bool:
    """Does it touch a card by a corner only?"""
    where = {row_and_column(cell) for cell in cells_of(cards)}
    return any((row + down, column + right) in where for down in (-1, 1) for right in (-1, 1))


def why_not_turned(game: State, grid: int, cell: int) -> Text | None:
    """Why no whale turns this card face down; None if one may."""
    reef, down, acted = int(game.reef[grid]), int(game.down[grid]), int(game.acted[grid])
    if not reef >> cell & 1:
        return text("why.no_card")
    if down >> cell & 1:
        return text("why.face_down")
    if int(game.cells[grid, cell]) == WHALE + 1:
        if acted >> cell & 1:
            return text("why.acted")
        if not int(beside(1 << cell)) & reef & ~down:
            return text("why.no_neighbour")
    return text("why.no_whale")


def why_not_in_reef(game: State, seat: int, grid: int, row: int, column: int) -> Text | None:
    """Why a cell of a reef can't be chosen now by the seat, which owes a decision."""
    phase = int(game.phase)
    if phase in (FLIP, FLIP_TIM):
        if grid != (TIM if phase == FLIP_TIM else seat):
            return text("why.other_reef")
        inside = 0 <= row < ROWS and 0 <= column < COLUMNS
        return why_not_turned(game, grid, cell_at(row, column)) if inside else text("why.no_card")
    if grid != seat:
        return text("why.other_reef")
    if phase == TAKE:
        return why_not_there(int(game.reef[seat]), row, column) or text("why.take_first")
    if phase == GIVE:
        return text("why.give_first")
    if phase == PLACE:
        stage = int(game.stage[seat])
        if stage == OWES:
            return why_not_there(int(game.reef[seat]), row, column)
        if stage == OWES_DROP:
            lifted = int(game.lifted[seat])
            return why_not_moved_there(int(game.reef[seat]), lifted, row, column)
        return text("why.lift_first")
    return None

"""Moments of the chart as pictures, for the examples of the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pelagos.engine.scene import Figure, Scene, art, box, disc, label, pane
from pelagos.games.ozeanien.coasts import STEP
from pelagos.games.ozeanien.state import CLASSES
from pelagos.games.ozeanien.table.table import Cell, Chart, symbol

if TYPE_CHECKING:
    from pelagos.web.drawing import Drawing

ACROSS, LEFT, TOP, BELOW, SIDE = 360, 38, 10, 34, 80
"""The picture's width, and the room around the chart: at its right lie drawn tiles."""
LARGEST = 62

Point = tuple[float, float]


def scenes(drawings: Sequence[Drawing], shows: str) -> list[Scene]:
    """A part of the chart, between the two cells that `shows` names, from the lower left."""
    first, last = shows.split()
    stage = _Stage(first, last, Chart(drawings[0]).rows)
    return [stage.scene(drawing) for drawing in drawings]


class _Stage:
    def __init__(self, first: str, last: str, rows: int) -> None:
        self.columns = range(ord(first[0]) - 97, ord(last[0]) - 96)
        self.rows = range(rows - int(last[1:]), rows - int(first[1:]) + 1)
        self.cell = min(LARGEST, (ACROSS - LEFT - SIDE) / len(self.columns))
        self.height = TOP + len(self.rows) * self.cell + BELOW

    def at(self, row: float, column: float) -> Point:
        """Where a cell's upper left is drawn; rows and columns count from 0."""
        x = LEFT + (column - self.columns.start) * self.cell
        return x, TOP + (row - self.rows.start) * self.cell

    def scene(self, drawing: Drawing) -> Scene:
        chart = Chart(drawing)
        cells = [cell for line in chart.cells for cell in line if self._is_seen(cell)]
        figures = [
            *(self._slot(cell) for cell in cells),
            *self._circles(chart),
            *(self._tile(cell) for cell in cells if cell.land is not None),
            *(figure for cell in cells for figure in self._explorer(cell)),
            *self._badges(chart),
            *self._ship(chart),
            *self._beside(drawing),
        ]
        sums = {
            f"{name}_{seat}": value
            for name, values in self._largest(chart)
            for seat, value in enumerate(values)
        }
        return Scene((ACROSS, self.height), tuple(figures), sums)

    def _is_seen(self, cell: Cell) -> bool:
        return cell.row in self.rows and cell.column in self.columns

    def _largest(self, chart: Chart) -> Iterator[tuple[str, list[int]]]:
        """The explorers' sums on the largest island."""
        islands = sorted(chart.islands, key=lambda island: island.size)
        if islands:
            yield "sum", islands[-1].sums
            yield "size", [islands[-1].size]

    # --- the chart ----------------------------------------------------------------------------

    def _slot(self, cell: Cell) -> Figure:
        size = self.cell
        fog = box("ex-fog", 0.5, 0.5, size - 1, size - 1, 4)
        return Figure(f"slot:{cell.name}", self.at(cell.row, cell.column), (0, 0), fog, layer=-2)

    def _circles(self, chart: Chart) -> Iterator[Figure]:
        """The starts at the border."""
        for piece in chart.rim:
            row, column = piece["at"][0] - 1, piece["at"][1] - 1
            is_near = row in self.rows and column == -1
            is_near |= column in self.columns and row == chart.rows
            if is_near and "circle" in piece["marks"]:
                x, y = self._on_border(row, column)
                ring = disc("ex-start", 0, 0, 8)
                yield Figure(piece["key"], (x, y), (0, 0), ring, shows=("none",), layer=-1)

    def _on_border(self, row: int, column: int) -> Point:
        """The middle of a start beside the chart."""
        x, y = self.at(row, column)
        if column < 0:
            return LEFT / 2, y + self.cell / 2
        return x + self.cell / 2, self.height - BELOW / 2 - 2

    def _picture(self, names: Sequence[str], size: float) -> str:
        drawn = "".join(art(name, -1, -1, 102) for name in names)
        return pane((size, size), (100, 100), drawn)

    def _tile(self, cell: Cell) -> Figure:
        filled = "filled" in cell.piece["marks"]
        return Figure(
            key=cell.piece["key"],
            at=self.at(cell.row, cell.column),
            size=(self.cell, self.cell),
            drawn=self._picture(cell.pictures()[0], self.cell),
            comes_from=None if filled else self._hand(),
            radius=3,
        )

    def _explorer(self, cell: Cell) -> Iterator[Figure]:
        figure = cell.figure
        if figure is None:
            return
        size = self.cell * 0.58
        x, y = self.at(cell.row, cell.column)
        across, down = STEP.get(figure.part, (0, 0)) if len(figure.part) == 1 else (0, 0)
        at = (
            x + (self.cell - size) / 2 + across * self.cell * 0.2,
            y + (self.cell - size) / 2 + down * self.cell * 0.2,
        )
        drawn = art(f"explorer-{figure.seat}-{figure.value}", 0, 0, size)
        yield Figure(
            key=f"explorer:{cell.name}",
            at=at,
            size=(size, size),
            drawn=drawn,
            shows=("none",),
            comes_from=(ACROSS - SIDE / 2, self.height),
            layer=3,
        )

    def _badges(self, chart: Chart) -> Iterator[Figure]:
        """The size of each island that somebody holds, or that is complete."""
        for island in chart.islands:
            if island.coasts and not any(island.sums):
                continue
            cells = [chart.by_name[key.partition(":")[2]] for key in island.keys]
            free = [cell for cell in cells if cell.figure is None and self._is_seen(cell)]
            if not free:
                continue
            x, y = self.at(free[0].row, free[0].column)
            kind = "ex-size" if island.holder is None else f"ex-size ex-holder-{island.holder}"
            middle = (x + self.cell / 2, y + self.cell / 2)
            drawn = disc(f"{kind} ex-open" if island.coasts else kind, 0, 0, 12)
            drawn += label("ex-size-text", 0, 5.5, str(island.size))
            key = f"size:{free[0].name}"
            yield Figure(key, middle, (0, 0), "", drawn, shows=("none",), layer=2)

    def _ship(self, chart: Chart) -> Iterator[Figure]:
        ship = chart.ship
        if ship is None:
            return
        size = self.cell * 0.62
        row, column = ship.row - 1, ship.column - 1
        x, y = self.at(row, column)
        middle = (x + self.cell / 2, y + self.cell / 2)
        if not ship.on_tile:
            middle = self._on_border(row, column)
        else:
            for side in ship.sides:
                across, down = STEP[side]
                middle = (
                    middle[0] + across * self.cell * 0.26,
                    middle[1] + down * self.cell * 0.26,
                )
        if not (0 <= middle[0] <= ACROSS - SIDE and 0 <= middle[1] <= self.height):
            return
        at = (middle[0] - size / 2, middle[1] - size / 2)
        yield Figure("ship", at, (size, size), art("ship", 0, 0, size), shows=("none",), layer=4)

    # --- beside it ----------------------------------------------------------------------------

    def _hand(self) -> Point:
        """Where a drawn tile lies."""
        return ACROSS - SIDE + 14, TOP + 8

    def _beside(self, drawing: Drawing) -> Iterator[Figure]:
        """The tile that is drawn, and the own discards."""
        size = self.cell * 0.9
        tile = drawing.pieces.get("tile")
        if tile is not None:
            x, y = self._hand()
            picture = self._picture([symbol(tile["face"]) or ""], size)
            yield Figure("tile", (x, y), (size, size), picture, comes_from=(x, -size), radius=3)
        pieces = {piece["face"]: piece for piece in drawing.pieces_in(f"discards{drawing.me}")}
        for place, name in enumerate(kind for kind in CLASSES if kind in pieces):
            x, y = self._hand()[0], self.height - BELOW - size - place * 14
            face = self._picture([symbol(name) or ""], size)
            yield Figure(
                key=pieces[name]["key"],
                at=(x, y),
                size=(size, size),
                drawn=face + box("ex-lost", 0, 0, size, size, 3),
                comes_from=(x, -size),
                radius=3,
            )

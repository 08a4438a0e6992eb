"""Moments of a reef as pictures, for the examples of the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pelagos.engine.scene import Figure, Scene, art, box, label
from pelagos.games.ecosystem.table.cards import GROUP_OF
from pelagos.games.ecosystem.table.reef import Reefs

if TYPE_CHECKING:
    from pelagos.web.drawing import Drawing

WIDTH, TALLEST, EDGE, GAP = 360, 232, 16, 4
LARGEST = 72


def scenes(drawings: Sequence[Drawing], shows: str) -> list[Scene]:
    """The seat's own reef at each moment."""
    grid = f"grid{drawings[0].me}"
    rows = max(drawing.places[grid]["rows"] for drawing in drawings)
    columns = max(drawing.places[grid]["columns"] for drawing in drawings)
    cell = min(LARGEST, (WIDTH - 2 * EDGE) / columns - GAP, (TALLEST - 2 * EDGE) / rows - GAP)
    reef = _Reef(cell, rows, columns)
    return [reef.scene(drawing, grid) for drawing in drawings]


class _Reef:
    def __init__(self, cell: float, rows: int, columns: int) -> None:
        self.cell, self.rows, self.columns = cell, rows, columns
        self.left = (WIDTH - columns * (cell + GAP) + GAP) / 2
        self.height = rows * (cell + GAP) - GAP + 2 * EDGE

    def scene(self, drawing: Drawing, grid: str) -> Scene:
        reefs = Reefs(drawing, grid, "", None)
        cards = [self._card(card, reefs) for card in drawing.pieces_in(grid)]
        return Scene((WIDTH, self.height), (self._mat(), *cards))

    def _at(self, row: int, column: int) -> tuple[float, float]:
        step = self.cell + GAP
        return self.left + column * step, EDGE + row * step

    def _mat(self) -> Figure:
        """Where cards may come to lie."""
        step, size = self.cell + GAP, self.cell
        slots = "".join(
            box("ex-slot", column * step, row * step, size, size, 8)
            for row in range(self.rows)
            for column in range(self.columns)
        )
        return Figure("mat", self._at(0, 0), (0, 0), slots, layer=-1)

    def _card(self, card: Any, reefs: Reefs) -> Figure:
        x, y = self._at(*card["at"])
        points = reefs.points(card)
        return Figure(
            key=card["key"],
            at=(x, y),
            size=(self.cell, self.cell),
            drawn=self._face(card),
            over="" if points is None or "down" in card["marks"] else self._pill(points),
            comes_from=(x, self.height + 20),
        )

    def _face(self, card: Any) -> str:
        size = self.cell
        under = box("ex-under", 0, 3, size, size, 8)
        if "down" in card["marks"]:
            return under + art("card-back", 0, 0, size)
        group = GROUP_OF[card["face"]]
        return (
            under
            + art(f"scene-{group}", 2.5, 2.5, size - 5)
            + art(card["face"], size * 0.1, size * 0.08, size * 0.8)
            + box("ex-dim", 2.5, 2.5, size - 5, size - 5, 6)
            + box("ex-rim", 1.75, 1.75, size - 3.5, size - 3.5, 6.5)
        )

    def _pill(self, points: int) -> str:
        size = self.cell
        wide = 21 if points < 10 else 29
        kind = "ex-pill" if points else "ex-pill ex-nil"
        return box(kind, size - wide - 3, size - 22, wide, 19, 9.5) + label(
            "ex-pill-text", size - wide / 2 - 3, size - 7.5, str(points)
        )

"""A moment of any game as the plain table has it: the seat's own places, and those of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pelagos.engine.scene import Figure, Scene, art, box, label
from pelagos.web.drawing import Drawing

CELL, GAP, LEFT, TOP = 46, 6, 14, 14
WIDTH = 360
PER_ROW = (WIDTH - 2 * LEFT + GAP) // (CELL + GAP)


def scenes(drawings: Sequence[Drawing], shows: str) -> list[Scene]:
    """One scene for each moment; `shows` names places, all of the seat's and of everyone's else."""
    named = shows.split()
    rows = [_figures(drawing, named) for drawing in drawings]
    height = max(figure.at[1] + CELL for figures in rows for figure in figures) + TOP
    return [Scene((WIDTH, height), tuple(figures)) for figures in rows]


def _figures(drawing: Drawing, named: Sequence[str]) -> list[Figure]:
    figures: list[Figure] = []
    y = TOP
    for place in drawing.view["places"]:
        if place["key"] not in named and (named or place["seat"] not in (drawing.me, None)):
            continue
        pieces = drawing.pieces_in(place["key"])
        for number, piece in enumerate(pieces):
            row, column = piece["at"] or divmod(number, PER_ROW)
            at = (LEFT + column * (CELL + GAP), y + row * (CELL + GAP))
            figures.append(Figure(piece["key"], at, (CELL, CELL), _face(drawing, piece)))
        rows = max((figure.at[1] for figure in figures), default=0)
        y = int(max(y, rows + CELL)) + 2 * GAP
    return figures


def _face(drawing: Drawing, piece: Mapping[str, Any]) -> str:
    paper = box("ex-card", 0, 0, CELL, CELL, 8)
    symbol = drawing.symbol(piece["face"])
    if symbol:
        paper += art(symbol, 5, 5, CELL - 10)
    elif piece["face"]:
        paper += label("ex-middle", CELL / 2, CELL / 2 + 5, drawing.noun(piece["face"])[:5])
    if piece["count"] > 1:
        paper += label("ex-count", CELL - 4, CELL - 5, f"×{piece['count']}")
    return paper

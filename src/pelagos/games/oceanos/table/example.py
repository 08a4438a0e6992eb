"""Moments of an expedition as pictures, for the examples of the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pelagos.engine.scene import Figure, Scene, art, box, disc, group, label, pane
from pelagos.games.oceanos.state import PARTS
from pelagos.games.oceanos.table.pictures import (
    FLAT,
    HEIGHT,
    PART_HEIGHT,
    PART_WIDTHS,
    WIDTH,
    backdrops,
    card_symbols,
    flat_symbols,
)

if TYPE_CHECKING:
    from pelagos.web.drawing import Drawing

ACROSS, EDGE, GAP, LEFT = 360, 14, 5, 30
BOAT = 0.6
"""How large the submarine is drawn."""
BOAT_LEFT = 20
STOCK_LEFT, STOCK, TOKEN = BOAT_LEFT + sum(PART_WIDTHS.values()) * BOAT + 12, 36, 30
NUMERALS = ("I", "II", "III")
ABOARD = ("fuel", "diver", "green", "yellow")

Piece = Mapping[str, Any]


def scenes(drawings: Sequence[Drawing], shows: str) -> list[Scene]:
    """The seat's rows, and what else `shows` names: `boat`; `rivals`, their newest rows; `upright`,
    cards as they are dealt.
    """
    stage = _Stage(drawings, shows.split())
    return [stage.scene(drawing) for drawing in drawings]


class _Stage:
    def __init__(self, drawings: Sequence[Drawing], shows: Sequence[str]) -> None:
        self.seat = drawings[0].me or 0
        self.rivals = "rivals" in shows
        self.boat = "boat" in shows
        self.newest = drawings[0].view["facts"]["round"] - 1
        self.upright = "upright" in shows
        laid = [p["at"] for d in drawings for p in d.pieces_in(f"rows{self.seat}")]
        self.rows = 1 + max((row for row, _ in laid), default=0)
        self.columns = max(5, 1 + max((column for _, column in laid), default=0))
        self.scale = (ACROSS - LEFT - EDGE + GAP) / self.columns / WIDTH - GAP / WIDTH
        self.card = (WIDTH * self.scale, (HEIGHT if self.upright else FLAT) * self.scale)
        lines = 2 if self.rivals else self.rows
        self.water = EDGE + lines * (self.card[1] + GAP) + 4
        self.height = self.water + (PART_HEIGHT * BOAT + 10 if self.boat else 4)

    def scene(self, drawing: Drawing) -> Scene:
        figures = [*self._lines(drawing), *self._cards(drawing)]
        if self.boat:
            figures += [*self._submarine(drawing), *self._aboard(drawing)]
        facts = drawing.view["facts"]
        eyes = {f"eyes_{seat}": count for seat, count in facts.get("eyes", {}).items()}
        return Scene((ACROSS, self.height), tuple(figures), eyes)

    # --- the sea ------------------------------------------------------------------------------

    def _at(self, row: int, column: int) -> tuple[float, float]:
        wide, high = self.card
        return LEFT + column * (wide + GAP), EDGE + row * (high + GAP)

    def _lines(self, drawing: Drawing) -> Iterator[Figure]:
        """The name of each row: its round, or whose it is."""
        names = (
            [drawing.names[seat][:1] for seat in self._seats(drawing)]
            if self.rivals
            else NUMERALS[: self.rows]
        )
        for row, name in enumerate(names):
            x, y = self._at(row, 0)
            sign = disc("ex-sign", 0, 0, 11) + label("ex-sign-text", 0, 5, name)
            at = (x - 15, y + self.card[1] / 2)
            yield Figure(f"line{row}", at, (0, 0), sign, layer=-1)

    def _seats(self, drawing: Drawing) -> list[int]:
        return [self.seat, *(s for s in range(drawing.view["players"]) if s != self.seat)][:2]

    def _cards(self, drawing: Drawing) -> Iterator[Figure]:
        for line, seat in enumerate(self._seats(drawing) if self.rivals else [self.seat]):
            for piece in drawing.pieces_in(f"rows{seat}"):
                row, column = piece["at"]
                if self.rivals:
                    if row != self.newest:
                        continue
                    row = line
                yield from self._laid(piece, self._at(row, column))

    def _laid(self, piece: Piece, at: tuple[float, float]) -> Iterator[Figure]:
        x, y = at
        marks = [mark for mark in piece["marks"] if mark != "diver"]
        yield Figure(
            key=piece["key"],
            at=at,
            size=self.card,
            drawn=self._face(piece["face"], marks),
            comes_from=(x, self.height + 20),
            radius=6,
        )
        if "diver" in piece["marks"]:
            size = self.card[1] * 0.8
            yield Figure(
                key=f"diver.{piece['key']}",
                at=(x + (self.card[0] - size) / 2, y + self.card[1] * 0.2),
                size=(size, size),
                drawn=art("diver", 0, 0, size),
                comes_from=(STOCK_LEFT, self.water) if self.boat else None,
                shows=("nothing",),
                layer=2,
            )

    def _face(self, face: str, marks: Sequence[str]) -> str:
        background = "abc"[sum(map(ord, face)) % 3]
        wide, high = self.card
        deep = HEIGHT if self.upright else FLAT
        top = deep - HEIGHT
        if self.upright:
            symbols = card_symbols(face, marks)
            behind = [art(name, 0, 0, WIDTH, HEIGHT) for name in backdrops(marks, background)]
        else:
            symbols = flat_symbols(marks)
            behind = [art(f"scene-{background}", 0, top, WIDTH, HEIGHT)]
            if eyes := min(marks.count("eye"), 2):
                behind.append(art(f"ink-{eyes}", 0, 0, WIDTH, HEIGHT * 0.7))
        front = [art(name, x, y, size) for name, x, y, size in symbols]
        floor = art(f"floor-{background}", 0, top, WIDTH, HEIGHT)
        drawn = pane(self.card, (WIDTH, deep), "".join([*behind, *front, floor]))
        return (
            box("ex-under", 0, 3, wide, high, 6)
            + group(f"ex-r{face[0]}", drawn)
            + box("ex-dim", 2, 2, wide - 4, high - 4, 5)
            + box("ex-rim", 1.5, 1.5, wide - 3, high - 3, 5)
        )

    # --- the submarine ------------------------------------------------------------------------

    def _submarine(self, drawing: Drawing) -> Iterator[Figure]:
        x = float(BOAT_LEFT)
        levels = {p["face"]: p["marks"] for p in drawing.pieces_in(f"boat{self.seat}")}
        for part in PARTS:
            wide, high = PART_WIDTHS[part] * BOAT, PART_HEIGHT * BOAT
            level = levels[part][0].removeprefix("level")
            drawn = art(f"sub-{part}-{level}", 0, 0, wide, high)
            key = f"boat{self.seat}.{part}"
            yield Figure(key, (x, self.water), (wide, high), drawn, layer=1, radius=4)
            x += wide

    def _aboard(self, drawing: Drawing) -> Iterator[Figure]:
        """Fuel, divers and waiting crystals, each at its place."""
        pieces = {p["face"]: p for p in drawing.pieces_in(f"boat{self.seat}")}
        for place, name in enumerate(ABOARD):
            if name not in pieces:
                continue
            at = (STOCK_LEFT + place * STOCK, self.water + 18)
            drawn = disc("ex-token", TOKEN / 2, TOKEN / 2, TOKEN / 2 + 2)
            drawn += art(name, 2, 2, TOKEN - 4)
            count = pieces[name]["count"]
            over = label("ex-many", TOKEN / 2, TOKEN + 17, f"×{count}") if count > 1 else ""
            key = f"boat{self.seat}.{name}"
            yield Figure(key, at, (TOKEN, TOKEN), drawn, over, layer=1, radius=TOKEN / 2)

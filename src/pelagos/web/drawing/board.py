"""The plain table: places by where they go, and their cells."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from pelagos.web.drawing.message import Piece, Place, SortedMessage

WIDEST = 16
"""Columns that the style sheet knows."""


class Board(SortedMessage):
    """What lies where."""

    def grid(self, place: Place) -> dict[str, Any]:
        """A place's cells, row by row, as far as pieces and choices reach."""
        pieces: dict[tuple[int, int], list[Piece]] = defaultdict(list)
        for piece in self._in_place[place["key"]]:
            if piece["at"] is not None:
                pieces[piece["at"][0], piece["at"][1]].append(piece)
        chosen = {(key[1], key[2]) for key in self._on_cell if key[0] == place["key"]}
        ends = [(0, 0), (max(place["rows"] - 1, 0), max(place["columns"] - 1, 0))]
        cells = [*pieces, *chosen, *ends]
        rows = range(min(row for row, _ in cells), max(row for row, _ in cells) + 1)
        columns = range(min(cell for _, cell in cells), max(cell for _, cell in cells) + 1)
        return {
            "columns": min(len(columns), WIDEST),
            "rows": [
                [
                    {
                        "at": [row, column],
                        "pieces": pieces.get((row, column), []),
                        "choices": self._on_cell.get((place["key"], row, column), []),
                    }
                    for column in columns
                ]
                for row in rows
            ],
        }

    def arranged(self) -> dict[str, Any]:
        """Places by where they go: mine, everyone's board, everyone's stacks, others'."""
        mine, board, stacks = [], [], []
        others: dict[int, list[Place]] = {}
        for place in self.view["places"]:
            seat = place["seat"]
            if seat is not None and seat == self.me:
                mine.append(place)
            elif seat is not None and seat < len(self.names) and self.me is not None:
                others.setdefault(seat, []).append(place)
            elif self.has_cells(place) or self._lit(place):
                board.append(place)
            elif seat is not None:
                others.setdefault(seat, []).append(place)
            else:
                stacks.append(place)
        mine.sort(key=lambda place: (not self.has_cells(place), place["kind"] == "stack"))
        lit = any(self._lit(place) for places in others.values() for place in places)
        return {"mine": mine, "board": board, "stacks": stacks, "others": others, "reach": lit}

    def _lit(self, place: Place) -> bool:
        """May something be chosen there?"""
        key = place["key"]
        return (
            key in self._on_place
            or any(cell[0] == key for cell in self._on_cell)
            or any(piece["key"] in self._on_piece for piece in self._in_place[key])
        )

    def facts(self) -> list[tuple[str, list[str]]]:
        """The game's counters: a name and what it says."""
        return [
            (self.said.text(f"fact.{key}"), self._fact(value))
            for key, value in self.view["facts"].items()
        ]

    def _fact(self, value: Any) -> list[str]:
        if isinstance(value, list):
            return [" ".join(self._fact(part)) for part in value]
        if isinstance(value, Mapping) and not {"noun", "seat", "key"} & value.keys():
            named = {
                key: self.called(int(key)) if key.isdigit() else self.noun(key) for key in value
            }
            return [f"{named[key]} {' '.join(self._fact(part))}" for key, part in value.items()]
        return [self.said.value(value, names=self.names, you=self.you)]

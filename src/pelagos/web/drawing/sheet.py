"""The score sheet: rows and columns, the usual ones and a game's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pelagos.web.drawing.message import SortedMessage


class Sheet(SortedMessage):
    """The seats' sheets."""

    def sheet(self, seat: int) -> Mapping[str, Any]:
        """A seat's score sheet."""
        sheet: Mapping[str, Any] = self.view["sheets"][seat]
        return sheet

    def standing(self, seat: int) -> Mapping[str, Any]:
        """A seat's sheet as things stand: what a preview is compared with."""
        sheet: Mapping[str, Any] = self.view.get("standing", self.view["sheets"])[seat]
        return sheet

    def columns(self, order: Sequence[int] | None = None) -> list[dict[str, Any]]:
        """The sheet's columns, one a seat."""
        seats = range(len(self.names)) if order is None else order
        return [self.column(seat, self.called(seat), self.total_of(seat)) for seat in seats]

    def total_of(self, seat: int) -> int | None:
        """A seat's points as things stand; None if the viewer may not know them all."""
        sheet = self.standing(seat)
        return None if sheet.get("covered") else int(sheet["total"])

    def column(
        self, seat: int | str, name: str, total: int | None, mark: int | None = None
    ) -> dict[str, Any]:
        """A column of the sheet; a total of None is covered, `mark` is another seat's colour."""
        if mark is None:
            mark = seat if isinstance(seat, int) else 0
        mine = self.me is not None and seat == self.me
        return {"seat": seat, "name": name, "total": total, "mark": mark, "mine": mine}

    def rows(self, order: Sequence[int] | None = None) -> list[dict[str, Any]]:
        """The sheet's rows, one a line, with a cell for each column."""
        seats = range(len(self.names)) if order is None else order
        sheets = [self.standing(seat)["lines"] for seat in seats]
        return [
            self.row(
                lines[0]["key"],
                [None if line.get("covered") else self.cell([line]) for line in lines],
            )
            for lines in zip(*sheets, strict=True)
        ]

    def row(
        self,
        key: str,
        cells: Sequence[Mapping[str, Any] | None],
        *,
        label: str = "",
        art: str = "",
        note: str = "",
        of: str = "",
        lines: str = "",
        kind: str = "",
        aid: str = "",
    ) -> dict[str, Any]:
        """A row of the sheet: `art` is a symbol, `of` the ids that its name lights up, `lines` the
        lines of the view's sheet that it sums up, `aid` those that explain it, if others. A cell
        of None is covered.
        """
        return {
            "key": key,
            "cells": cells,
            "label": label or self.words(f"line.{key}"),
            "art": art,
            "note": note,
            "of": of,
            "lines": lines or key,
            "kind": kind,
            "aid": (aid or lines or key).replace(" ", "+"),
        }

    def cell(self, lines: Sequence[Mapping[str, Any]], text: str = "") -> dict[str, Any]:
        """A cell of the sheet: the points of some lines and the ids of what makes them; `text`
        stands for the number.
        """
        keys = [key for line in lines for proof in line["evidence"] for key in proof["pieces"]]
        points = sum(line["points"] for line in lines)
        return {"points": points, "of": self.ids(keys), "text": text}

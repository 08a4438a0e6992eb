"""Points on the page: the three groups, the sheet's lines, the last count, the race of plankton."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pelagos.games.ecosystem.table.cards import GROUP_OF

if TYPE_CHECKING:
    from pelagos.web.drawing import Drawing

CHAIN = {"producers": "producer", "prey": "prey", "predators": "predator"}
"""The three groups: the noun for all, and the sign of one."""
FULL_JAR = 12
"""Points that fill a group's jar, until a group has more."""
OTHER_COLOUR = 5
"""The colour of the seat that isn't one: Tim's, or the neutral hand's."""


class Score:
    """The points that one message tells."""

    def __init__(self, drawing: Drawing, own: int) -> None:
        self._drawing = drawing
        self._own = own
        self._facts = drawing.view["facts"]

    def jars(self, seat: int) -> list[dict[str, Any]]:
        """The three groups of a seat's sheet: their points, how full they are, which is least."""
        lines = self._drawing.sheet(seat)["lines"]
        sums = {
            sign: sum(line["points"] for line in lines if GROUP_OF.get(line["key"]) == sign)
            for sign in CHAIN.values()
        }
        least = min(sums, key=sums.__getitem__) if any(sums.values()) else ""
        full = max(FULL_JAR, *sums.values())
        return [
            {
                "noun": noun,
                "sign": sign,
                "points": sums[sign],
                "level": round(10 * sums[sign] / full),
                "least": sign == least,
                "lines": [species for species, group in GROUP_OF.items() if group == sign],
            }
            for noun, sign in CHAIN.items()
        ]

    @cached_property
    def lines(self) -> dict[str, dict[str, Any]]:
        """The own sheet's lines: points, where they come from, the cards that make them."""
        return {
            line["key"]: {
                "art": _art(line["key"]),
                "points": line["points"],
                "how": self._how(line),
                "of": self._drawing.cell([line])["of"],
            }
            for line in sorted(self._drawing.sheet(self._own)["lines"], key=_is_bonus)
        }

    def _how(self, line: Mapping[str, Any]) -> str:
        """Where a line's points come from, in a few words."""
        key, reasons = line["key"], [proof["reason"]["params"] for proof in line["evidence"]]
        words = self._drawing.words
        if not reasons:
            return ""
        if key == "bonus":
            return self._drawing.noun(reasons[0]["group"]["noun"])
        if key == "krill":
            sizes = sorted((reason["count"] for reason in reasons), reverse=True)
            return words("table.how.krill", sizes=" + ".join(map(str, sizes)))
        if key == "plankton":
            return words("table.how.plankton", **reasons[0])
        return words(f"table.how.{key}", count=sum(reason["count"] for reason in reasons))

    # --- the last count ---------------------------------------------------------------------------

    @property
    def columns(self) -> list[dict[str, Any]]:
        """All seats, and Tim."""
        drawing = self._drawing
        columns = drawing.columns(drawing.own_first)
        if "tim" in self._facts:
            total = self._facts["tim"]["score"]
            columns.append(drawing.column("tim", drawing.noun("tim"), total, OTHER_COLOUR))
        return columns

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The lines, with the symbols of the species."""
        rows = self._drawing.rows(self._drawing.own_first)
        for row in rows:
            row["art"] = _art(row["key"])
            if "tim" in self._facts:
                points = self._facts["tim"]["sheet"][row["key"]]
                row["cells"] = [*row["cells"], {"points": points, "of": "", "text": ""}]
        return rows

    # --- plankton ---------------------------------------------------------------------------------

    @property
    def race(self) -> list[dict[str, Any]]:
        """Who has how much plankton and scores what for it, the most first."""
        drawing = self._drawing
        order = sorted(self._facts["plankton"].items(), key=lambda entry: -entry[1])
        return [
            {
                "seat": int(who) if who.isdigit() else OTHER_COLOUR,
                "name": drawing.called(int(who)) if who.isdigit() else drawing.noun(who),
                "count": count,
                "points": self._facts["plankton_points"][who],
            }
            for who, count in order
        ]


def _is_bonus(line: Mapping[str, Any]) -> bool:
    """Is it the line that sums up others? It stands last."""
    return str(line["key"]) == "bonus"


def _art(key: str) -> str:
    """The symbol of a line of the sheet."""
    return "i-chain" if key == "bonus" else key

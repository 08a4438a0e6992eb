"""The numbers of choices: on the table where they apply, and before the choices themselves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from rich.text import Text

from pelagos.engine.view import View

NUMBER = "bold black on yellow"
"""How a choice's number looks, wherever it stands."""
SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


class ChoiceNumbers:
    """Where the numbers of a view's choices stand on the table."""

    def __init__(self, view: View) -> None:
        self._cells: dict[str, dict[tuple[int, int], list[int]]] = defaultdict(dict)
        self._pieces: dict[str, list[int]] = defaultdict(list)
        for number, choice in enumerate(view["choices"], 1):
            if choice["place"] is not None and choice["at"] is not None:
                at = (choice["at"][0], choice["at"][1])
                self._cells[choice["place"]].setdefault(at, []).append(number)
            elif choice["piece"] is not None:
                self._pieces[choice["piece"]].append(number)

    def on_cells(self, place: str) -> dict[tuple[int, int], list[int]]:
        """The numbers on a grid's cells."""
        return self._cells.get(place, {})

    def on_piece(self, piece: str) -> Text:
        """A piece's number, if it has one."""
        numbers = self._pieces.get(piece)
        return Text().append_text(badge(numbers)).append(" ") if numbers else Text()


def badge(numbers: Sequence[int]) -> Text:
    """A choice's number; the first of several."""
    return Text(f"{numbers[0]}{_more(numbers)}", style=NUMBER)


def subscript(numbers: Sequence[int]) -> Text:
    """The same, small, beside what lies there already."""
    shown = str(numbers[0]).translate(SUBSCRIPT)
    return Text(shown + _more(numbers), style="bold yellow")


def _more(numbers: Sequence[int]) -> str:
    return "…" if len(numbers) > 1 else ""

"""What lies on the table: grids side by side, everything else in a line for each place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.text import Text

from pelagos.engine.view import Piece, Place, View
from pelagos.terminal.layout import Block
from pelagos.terminal.numbers import ChoiceNumbers, badge, subscript
from pelagos.terminal.reader import QUIET, Reader

BACK = "▒▒"
EMPTY = "·"

Cell = tuple[int, int]


class Places:
    """Draws the places of one view."""

    def __init__(self, view: View, reader: Reader) -> None:
        self._view = view
        self._reader = reader
        self._numbers = ChoiceNumbers(view)
        self._ordered = sorted(view["places"], key=lambda place: _nearness(place, view))

    def grids(self) -> list[Block]:
        """The grids, the viewer's own first."""
        return [self._grid(place) for place in self._ordered if _is_grid(place)]

    def rows(self) -> Iterator[Text]:
        """A line for each other place where something lies."""
        for place in self._ordered:
            pieces = self._pieces_at(place)
            if pieces and not _is_grid(place):
                yield self._row(place, pieces)

    def _pieces_at(self, place: Place) -> list[Piece]:
        return [piece for piece in self._view["pieces"] if piece["place"] == place["key"]]

    def _heading(self, place: Place) -> Text:
        own = place["seat"] is not None and place["seat"] == self._view["viewer"]
        return Text().append(self._reader.say(place["label"]), style="bold cyan" if own else "cyan")

    # --- a line ------------------------------------------------------------------------------

    def _row(self, place: Place, pieces: Sequence[Piece]) -> Text:
        line = self._heading(place)
        line.append(self._reader.own.text("table.colon"))
        for index, piece in enumerate(pieces):
            if index:
                line.append("  ")
            line.append_text(self._numbers.on_piece(piece["key"]))
            line.append_text(self._name_of(piece))
        return line

    def _name_of(self, piece: Piece) -> Text:
        reader = self._reader
        if piece["face"] is None:
            line = Text().append(reader.own.text("table.hidden"), style=QUIET)
        else:
            name = reader.words.noun(piece["face"])
            line = Text().append(name, style=reader.colour(piece["face"]))
        if piece["count"] != 1:
            line.append(f" ×{piece['count']}", style="bold")
        if piece["marks"]:
            marks = ", ".join(reader.words.text(f"mark.{mark}") for mark in piece["marks"])
            line.append(f" ({marks})", style=QUIET)
        return line

    # --- a grid ------------------------------------------------------------------------------

    def _grid(self, place: Place) -> Block:
        pieces = {
            (piece["at"][0], piece["at"][1]): piece
            for piece in self._pieces_at(place)
            if piece["at"] is not None
        }
        numbers = self._numbers.on_cells(place["key"])
        cells = [*pieces, *numbers, (0, 0), (place["rows"] - 1, place["columns"] - 1)]
        rows = range(min(row for row, _ in cells), max(row for row, _ in cells) + 1)
        columns = range(min(cell for _, cell in cells), max(cell for _, cell in cells) + 1)
        drawn = {
            (row, column): self._cell(pieces.get((row, column)), numbers.get((row, column)))
            for row in rows
            for column in columns
        }
        return [self._heading(place), *_grid_lines(drawn, rows, columns, place["kind"] == "grid")]

    def _cell(self, piece: Piece | None, numbers: Sequence[int] | None) -> Text:
        reader = self._reader
        if piece is None:
            return badge(numbers) if numbers else Text(EMPTY, style=QUIET)
        if piece["face"] is None:
            cell = Text().append(BACK, style=QUIET)
        else:
            symbol = reader.words.symbol(piece["face"])
            cell = Text().append(symbol, style=reader.colour(piece["face"]))
        for mark in piece["marks"]:
            cell.append(reader.words.symbol(mark), style=f"bold {reader.colour(mark)}")
        if numbers:
            cell.append_text(subscript(numbers))
        return cell


def _grid_lines(
    drawn: dict[Cell, Text], rows: range, columns: range, numbered: bool
) -> Iterator[Text]:
    """A grid's rows, with the numbers of rows and columns around it if they have any."""
    width = max([cell.cell_len for cell in drawn.values()] + [3])
    margin = max(cell_len(str(row)) for row in rows) + 1 if numbered else 0
    if numbered:
        head = " ".join(str(column).center(width) for column in columns)
        yield Text(" " * margin + head, style=QUIET)
    for row in rows:
        line = Text().append(str(row).rjust(margin - 1) + " " if numbered else "", style=QUIET)
        for column in columns:
            cell = drawn[row, column]
            left = (width - cell.cell_len) // 2
            line.append(" " * left)
            line.append_text(cell)
            line.append(" " * (width - cell.cell_len - left + 1))
        yield line


def _is_grid(place: Place) -> bool:
    return bool(place["rows"] and place["columns"])


def _nearness(place: Place, view: View) -> tuple[int, int]:
    """Grids: the own first. The rest: nobody's, others' by seat, the own, the hand last."""
    viewer, seat = view["viewer"], place["seat"]
    own = seat is not None and seat == viewer
    turn = 0 if seat is None else (seat - (viewer or 0)) % view["players"]
    if place["rows"]:
        return (0 if own or seat is None else 1), turn
    if seat is None:
        return 0, 0
    return (3 if place["kind"] == "hand" else 2) if own else 1, turn

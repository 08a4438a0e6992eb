"""Score sheets: the totals in a line, all sheets side by side, one with what makes its points."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from pelagos.engine.text import covered_or
from pelagos.engine.view import Sheet, View
from pelagos.terminal.layout import Block, signed
from pelagos.terminal.reader import QUIET, Reader


def draw_totals(view: View, reader: Reader) -> Text:
    """Everyone's points, in one line."""
    line = Text().append(reader.own.text("table.points") + "  ", style=QUIET)
    open_sheets = [sheet for sheet in view["sheets"] if not sheet.get("covered")]
    is_known = len(open_sheets) == len(view["sheets"])
    best = max((sheet["total"] for sheet in open_sheets if is_known), default=None)
    for index, sheet in enumerate(view["sheets"]):
        if index:
            line.append(" · ", style=QUIET)
        line.append(f"{reader.names[sheet['seat']]} ")
        points = covered_or(sheet, sheet["total"])
        line.append(points, style="bold" if sheet["total"] == best else "")
    return line


def draw_sheets(sheets: Sequence[Sheet], reader: Reader, width: int) -> Block:
    """All score sheets side by side."""
    labels = [reader.words.text(f"line.{line['key']}") for line in sheets[0]["lines"]]
    labels.append(reader.words.text("table.total"))
    first = max(cell_len(label) for label in labels)
    heads = [reader.names[sheet["seat"]] for sheet in sheets]
    if first + sum(cell_len(head) + 2 for head in heads) > width:
        heads = [head[:6] for head in heads]
    widths = [max(cell_len(head), 4) for head in heads]
    block = [Text(" " * first)]
    for head, wide in zip(heads, widths, strict=True):
        block[0].append("  " + head.rjust(wide), style="bold")
    for index, label in enumerate(labels):
        last = index == len(labels) - 1
        line = Text().append(label.ljust(first), style="bold" if last else QUIET)
        for sheet, wide in zip(sheets, widths, strict=True):
            counted = sheet if last else sheet["lines"][index]
            points = sheet["total"] if last else sheet["lines"][index]["points"]
            style = QUIET if not points else "bold" if last else ""
            line.append("  " + covered_or(counted, points).rjust(wide), style=style)
        block.append(line)
    return block


def draw_evidence(view: View, seat: int, reader: Reader) -> Table:
    """One score sheet, each line with what makes it."""
    cells = _named_cells(view)
    table = Table.grid(padding=(0, 1))
    table.add_column()
    table.add_column(justify="right", no_wrap=True)
    table.add_column(justify="right", no_wrap=True, style="green")
    table.add_column()
    for line in view["sheets"][seat]["lines"]:
        label = Text("  " + reader.words.text(f"line.{line['key']}"))
        points = Text(covered_or(line, line["points"]), style="bold")
        if not line["points"] and not line["evidence"]:
            table.add_row(label, points, style=QUIET)
        for index, proof in enumerate(line["evidence"]):
            reason = Text(reader.say(proof["reason"]))
            where = " ".join(cells[key] for key in proof["pieces"] if key in cells)
            if where:
                reason.append(f"  ({where})", style=QUIET)
            worth = Text(signed(proof["points"], plus=True))
            first = (label, points) if index == 0 else (Text(), Text())
            table.add_row(*first, worth, reason)
    return table


def _named_cells(view: View) -> dict[str, str]:
    """Row and column of each piece that lies on a grid with numbered rows and columns."""
    grids = {place["key"] for place in view["places"] if place["kind"] == "grid"}
    return {
        piece["key"]: f"{piece['at'][0]},{piece['at'][1]}"
        for piece in view["pieces"]
        if piece["at"] is not None and piece["place"] in grids
    }

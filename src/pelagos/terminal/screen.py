"""A view as coloured text: grids side by side, what lies beside them, the choices by number."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pelagos.engine.pack import Pack
from pelagos.engine.view import Choice, Event, Piece, Place, Sheet, View
from pelagos.engine.words import LANGUAGES, Words, pack_words

BACK = "▒▒"
EMPTY = "·"
GAP = "   "
NUMBER = "bold black on yellow"
"""How a choice's number looks, wherever it stands."""
QUIET = "dim"
PALETTE = (
    "#e05555",
    "#a970d6",
    "#3fa35a",
    "#d9822b",
    "#1fa3b8",
    "#a89a1e",
    "#4b8fe0",
    "#d9629a",
    "#6fa21f",
    "#a3795e",
    "#17957f",
    "#7d8fa0",
)
"""Told apart on a light and on a dark ground."""
BELOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")

Block = list[Text]
"""Lines that belong together."""


@cache
def own_words(language: str) -> Words:
    """The terminal's own words."""
    language = language if language in LANGUAGES else "en"
    file = files("pelagos.terminal") / "words" / f"{language}.toml"
    return Words(language, tomllib.loads(file.read_text(encoding="utf-8")))


class Screen:
    """Draws one game's views for readers of one language."""

    def __init__(self, console: Console, pack: Pack, language: str, names: Sequence[str]) -> None:
        self.console = console
        self.game = pack.game
        self.said = pack_words(pack, language)
        self.own = own_words(language)
        self.names = names
        self._families = _families(self.said)

    # --- the whole table ---------------------------------------------------------------------

    def draw(self, view: View, number_of: Mapping[int, int]) -> None:
        """The table: places, facts, points, news, choices, and what is asked.

        What doesn't fit on the screen scrolls away at its top: then blank lines are left out, and
        tallies after them.
        """
        airy = tallies = True
        if self.console.is_terminal:
            for airy, tallies in ((True, True), (False, True), (False, False)):
                with self.console.capture() as whole:
                    self._draw(view, number_of, airy, tallies)
                if whole.get().count("\n") < self.console.height - 1:
                    break
        self._draw(view, number_of, airy, tallies)

    def _draw(self, view: View, number_of: Mapping[int, int], airy: bool, tallies: bool) -> None:
        between = "\n" if airy else ""
        numbers = _Numbers(view, number_of)
        self.console.print(self._title(view))
        self._places(view, numbers)
        self.console.print(between, end="")
        for line in self.facts(view, tallies):
            self.console.print(line)
        if not self.roomy:
            self.console.print(self._totals(view))
        if view["events"]:
            self.console.print(between, end="")
            self._news(view["events"])
        self.console.print(between, end="")
        if view["choices"]:
            self._choices(view, number_of)
        self.console.print(Text("▸ " + self.said.say(view["prompt"], self.names), style="bold"))

    def say(self, key: str, style: str = "", **params: Any) -> None:
        """One of the terminal's own sentences."""
        self.console.print(Text(self.own.text(key, params), style=style))

    def clear(self) -> None:
        """Empty the screen and what can be scrolled back to."""
        if self.console.is_terminal and not self.console.is_dumb_terminal:
            self.console.file.write("\x1b[H\x1b[2J\x1b[3J")
            self.console.file.flush()

    def label(self, choice: Choice) -> str:
        """A choice in the reader's language."""
        return self.said.say(choice["label"], self.names)

    def _title(self, view: View) -> Text:
        title = self.game.titles.get(self.own.language, self.game.titles["en"])
        line = Text().append(f" {title} ", style="bold white on blue")
        if view["viewer"] is not None:
            line.append(f" {self.names[view['viewer']]} ", style="bold")
        return line

    # --- news --------------------------------------------------------------------------------

    def _news(self, events: Sequence[Event]) -> None:
        room = max(4, self.console.height - 18)
        earlier = len(events) - room
        if earlier > 0:
            self.say("table.earlier", QUIET, count=earlier)
        self.log(events[-room:])

    def log(self, events: Sequence[Event]) -> None:
        """Events, a line each."""
        if not events:
            self.say("table.nothing", QUIET)
        for event in events:
            text = self.said.text(event["key"], event["params"], self.names)
            self.console.print(Text("  " + text))

    # --- places ------------------------------------------------------------------------------

    def _places(self, view: View, numbers: _Numbers) -> None:
        ordered = sorted(view["places"], key=lambda place: _nearness(place, view))
        grids = [place for place in ordered if place["rows"] and place["columns"]]
        loose = [place for place in ordered if place not in grids]
        blocks = [self._grid(place, view, numbers) for place in grids]
        if self.roomy:
            blocks.append(self.sheets(view["sheets"]))
        for line in flow(blocks, self.console.width):
            self.console.print(line, no_wrap=True, overflow="crop")
        for place in loose:
            pieces = [piece for piece in view["pieces"] if piece["place"] == place["key"]]
            if pieces:
                self.console.print(self._row(place, pieces, view, numbers))

    @property
    def roomy(self) -> bool:
        """Is there room for the whole score sheets beside the places?"""
        return self.console.height >= 34 and self.console.width >= 100

    def _heading(self, place: Place, view: View) -> Text:
        own = place["seat"] is not None and place["seat"] == view["viewer"]
        style = "bold cyan" if own else "cyan"
        return Text().append(self.said.say(place["label"], self.names), style=style)

    def _row(self, place: Place, pieces: Sequence[Piece], view: View, numbers: _Numbers) -> Text:
        line = self._heading(place, view)
        line.append(self.own.text("table.colon"))
        for index, piece in enumerate(pieces):
            if index:
                line.append("  ")
            line.append_text(numbers.on_piece(piece["key"]))
            line.append_text(self._named(piece))
        return line

    def _named(self, piece: Piece) -> Text:
        if piece["face"] is None:
            line = Text().append(self.own.text("table.hidden"), style=QUIET)
        else:
            line = Text().append(self.said.noun(piece["face"]), style=self._style(piece["face"]))
        if piece["count"] != 1:
            line.append(f" ×{piece['count']}", style="bold")
        if piece["marks"]:
            marks = ", ".join(self.said.text(f"mark.{mark}") for mark in piece["marks"])
            line.append(f" ({marks})", style=QUIET)
        return line

    def _grid(self, place: Place, view: View, numbers: _Numbers) -> Block:
        pieces = {
            (piece["at"][0], piece["at"][1]): piece
            for piece in view["pieces"]
            if piece["place"] == place["key"] and piece["at"] is not None
        }
        chosen = numbers.on_cells(place["key"])
        cells = [*pieces, *chosen, (0, 0), (place["rows"] - 1, place["columns"] - 1)]
        rows = range(min(row for row, _ in cells), max(row for row, _ in cells) + 1)
        columns = range(min(cell for _, cell in cells), max(cell for _, cell in cells) + 1)
        drawn = {
            (row, column): self._cell(pieces.get((row, column)), chosen.get((row, column)))
            for row in rows
            for column in columns
        }
        width = max([cell.cell_len for cell in drawn.values()] + [3])
        numbered = place["kind"] == "grid"
        margin = max(cell_len(str(row)) for row in rows) + 1 if numbered else 0
        block = [self._heading(place, view)]
        if numbered:
            head = " ".join(str(column).center(width) for column in columns)
            block.append(Text(" " * margin + head, style=QUIET))
        for row in rows:
            line = Text().append(str(row).rjust(margin - 1) + " " if numbered else "", style=QUIET)
            for column in columns:
                cell = drawn[row, column]
                left = (width - cell.cell_len) // 2
                line.append(" " * left)
                line.append_text(cell)
                line.append(" " * (width - cell.cell_len - left + 1))
            block.append(line)
        return block

    def _cell(self, piece: Piece | None, chosen: Sequence[int] | None) -> Text:
        if piece is None:
            return _badge(chosen) if chosen else Text(EMPTY, style=QUIET)
        if piece["face"] is None:
            cell = Text().append(BACK, style=QUIET)
        else:
            style = self._style(piece["face"])
            cell = Text().append(self.said.symbol(piece["face"]), style=style)
        for mark in piece["marks"]:
            cell.append(self.said.symbol(mark), style=f"bold {self._style(mark)}")
        if chosen:
            cell.append_text(_badge(chosen, below=True))
        return cell

    def _style(self, face: str) -> str:
        family = _family(face)
        if len(face) == 1:  # a row's or column's name on a board
            return QUIET
        if family not in self._families:
            return ""
        return PALETTE[self._families[family] % len(PALETTE)]

    # --- facts and points --------------------------------------------------------------------

    def facts(self, view: View, whole: bool = True) -> Iterator[Text]:
        """Single facts in one line; a number for each of many things in columns."""
        single, tallies = [], {}
        for key, value in view["facts"].items():
            label = self.said.text(f"fact.{key}")
            tally = self._tally(value)
            if tally:
                tallies[label] = tally
                continue
            shown = self._fact(value, view)
            heading = (label + self.own.text("table.colon"), QUIET)
            if isinstance(value, list) and len(shown) > 30:
                yield Text.assemble(heading)
                items = [Text("  " + self._fact(one, view)) for one in value]
                yield from columns(items, self.console.width)
            elif shown:
                single.append(Text.assemble(heading, shown))
        if tallies and whole:
            yield from self._tallies(tallies)
        elif tallies:
            yield Text("f" + self.own.text("table.colon") + " / ".join(tallies), style=QUIET)
        if single:
            yield Text().append(" · ", style=QUIET).join(single)

    def _tally(self, value: Any) -> dict[str, int]:
        """A fact as numbers by noun, if it is that."""
        if isinstance(value, dict):
            things = list(value.items())
        elif isinstance(value, list) and all(
            isinstance(one, dict) and "key" in one for one in value
        ):
            things = [_noun_and_number(one["params"]) for one in value]
        else:
            return {}
        known = all(self.said.has(f"noun.{thing}") for thing, _ in things)
        numbers = all(isinstance(number, int) for _, number in things)
        return dict(things) if known and numbers and len(things) > 3 else {}

    def _tallies(self, tallies: Mapping[str, Mapping[str, int]]) -> Iterator[Text]:
        things = dict.fromkeys(thing for tally in tallies.values() for thing in tally)
        yield Text(" / ".join(tallies), style=QUIET)
        items = []
        for thing in things:
            item = Text().append("  " + self.said.noun(thing), style=self._style(thing))
            numbers = [str(tally.get(thing, "–")) for tally in tallies.values()]
            items.append(item.append(" " + "/".join(numbers), style="bold"))
        yield from columns(items, self.console.width)

    def _fact(self, value: Any, view: View) -> str:
        if isinstance(value, list):
            return " | ".join(self._fact(one, view) for one in value)
        if isinstance(value, dict) and not {"noun", "seat", "key"} & value.keys():
            return ", ".join(
                f"{self._who(key, view)} {self._fact(one, view)}" for key, one in value.items()
            )
        if isinstance(value, bool):
            return self.said.text(f"fact.{str(value).lower()}")
        return "" if value is None else self.said._value(value, "name", self.names)

    def _who(self, key: str, view: View) -> str:
        """A seat by its player's name, anything else by its noun."""
        if key.isdigit() and int(key) < view["players"]:
            return self.names[int(key)]
        return self.said.noun(key)

    def _totals(self, view: View) -> Text:
        line = Text().append(self.own.text("table.points") + "  ", style=QUIET)
        best = max(sheet["total"] for sheet in view["sheets"])
        for index, sheet in enumerate(view["sheets"]):
            if index:
                line.append(" · ", style=QUIET)
            line.append(f"{self.names[sheet['seat']]} ")
            line.append(_signed(sheet["total"]), style="bold" if sheet["total"] == best else "")
        return line

    def sheets(self, sheets: Sequence[Sheet]) -> Block:
        """All score sheets side by side."""
        labels = [self.said.text(f"line.{line['key']}") for line in sheets[0]["lines"]]
        labels.append(self.said.text("table.total"))
        first = max(cell_len(label) for label in labels)
        heads = [self.names[sheet["seat"]] for sheet in sheets]
        if first + sum(cell_len(head) + 2 for head in heads) > self.console.width:
            heads = [head[:6] for head in heads]
        widths = [max(cell_len(head), 4) for head in heads]
        block = [Text(" " * first)]
        for head, width in zip(heads, widths, strict=True):
            block[0].append("  " + head.rjust(width), style="bold")
        for index, label in enumerate(labels):
            last = index == len(labels) - 1
            line = Text().append(label.ljust(first), style="bold" if last else QUIET)
            for sheet, width in zip(sheets, widths, strict=True):
                points = sheet["total"] if last else sheet["lines"][index]["points"]
                quiet = QUIET if not points else "bold" if last else ""
                line.append("  " + _signed(points).rjust(width), style=quiet)
            block.append(line)
        return block

    def evidence(self, view: View, seat: int) -> None:
        """One score sheet, each line with what makes it."""
        sheet = view["sheets"][seat]
        self.say("sheet.title", "bold", name=self.names[seat], points=sheet["total"])
        cells = _named_cells(view)
        table = Table.grid(padding=(0, 1))
        table.add_column()
        table.add_column(justify="right", no_wrap=True)
        table.add_column(justify="right", no_wrap=True, style="green")
        table.add_column()
        for line in sheet["lines"]:
            label = Text("  " + self.said.text(f"line.{line['key']}"))
            points = Text(_signed(line["points"]), style="bold")
            if not line["points"] and not line["evidence"]:
                table.add_row(label, points, style=QUIET)
            for index, proof in enumerate(line["evidence"]):
                reason = Text(self.said.say(proof["reason"], self.names))
                where = " ".join(cells[key] for key in proof["pieces"] if key in cells)
                if where:
                    reason.append(f"  ({where})", style=QUIET)
                worth = Text(_signed(proof["points"], plus=True))
                first = (label, points) if index == 0 else (Text(), Text())
                table.add_row(*first, worth, reason)
        self.console.print(table)

    def legend(self, view: View) -> None:
        """What the signs on the grids stand for."""
        grids = {place["key"] for place in view["places"] if place["rows"]}
        signs: dict[str, str] = {}
        for piece in view["pieces"]:
            if piece["place"] in grids and piece["face"]:
                signs[self.said.symbol(piece["face"])] = self.said.noun(piece["face"])
                for mark in piece["marks"]:
                    signs[self.said.symbol(mark)] = self.said.text(f"mark.{mark}")
        items = [
            Text().append(f"  {sign.strip()} ", style="bold").append(name)
            for sign, name in signs.items()
            if sign.strip() and sign != name
        ]
        if items:
            self.say("help.signs", "bold")
            for line in columns(items, self.console.width):
                self.console.print(line)

    def pairs(self, lines: Sequence[tuple[str, str]]) -> None:
        """What to type, and what it does."""
        table = Table.grid(padding=(0, 2))
        for keys, about in lines:
            table.add_row(Text("  " + keys, style="bold yellow"), Text(about))
        self.console.print(table)

    # --- choices -----------------------------------------------------------------------------

    def _choices(self, view: View, number_of: Mapping[int, int]) -> None:
        total = view["sheets"][view["viewer"] or 0]["total"]
        gains = [sum(choice["preview"].values()) - total for choice in view["choices"]]
        labels = [self.label(choice) for choice in view["choices"]]
        alike = len(set(labels)) < len(labels)
        items = []
        for choice, label, gain in zip(view["choices"], labels, gains, strict=True):
            item = _badge([number_of[choice["action"]]])
            item = Text(" " * (2 - min(2, item.cell_len))) + item
            item.append(f" {label}")
            if alike or self.console.width >= 120:
                item.append(f"  {choice['notation']}", style=QUIET)
            if any(gains) and gain:
                item.append(f"  {_signed(gain, plus=True)}", style="green" if gain > 0 else "red")
            items.append(item)
        for line in columns(items, self.console.width):
            self.console.print(line, no_wrap=True, overflow="crop")


# --- laying out -----------------------------------------------------------------------------


def flow(blocks: Sequence[Block], width: int) -> Iterator[Text]:
    """Blocks side by side as far as the width goes, then the next ones below."""
    row: list[Block] = []
    used = 0
    for block in blocks:
        wide = max(line.cell_len for line in block)
        if row and used + len(GAP) + wide > width:
            yield from _beside(row)
            row, used = [], 0
        used += wide + (len(GAP) if row else 0)
        row.append(block)
    yield from _beside(row)


def _beside(blocks: Sequence[Block]) -> Iterator[Text]:
    widths = [max(line.cell_len for line in block) for block in blocks]
    for index in range(max((len(block) for block in blocks), default=0)):
        whole = Text()
        for block, width in zip(blocks, widths, strict=True):
            line = block[index] if index < len(block) else Text()
            whole.append_text(line)
            whole.append(" " * (width - line.cell_len) + GAP)
        whole.rstrip()
        yield whole


def columns(items: Sequence[Text], width: int) -> Iterator[Text]:
    """Items in as many columns as fit, read downwards."""
    wide = max(item.cell_len for item in items) + len(GAP)
    count = max(1, min(width // wide, len(items)))
    height = -(-len(items) // count)
    for row in range(height):
        line = Text()
        for item in items[row::height]:
            line.append_text(item)
            line.append(" " * (wide - item.cell_len))
        line.rstrip()
        yield line


def _named_cells(view: View) -> dict[str, str]:
    """Row and column of each piece that lies on a grid with numbered rows and columns."""
    grids = {place["key"] for place in view["places"] if place["kind"] == "grid"}
    return {
        piece["key"]: f"{piece['at'][0]},{piece['at'][1]}"
        for piece in view["pieces"]
        if piece["at"] is not None and piece["place"] in grids
    }


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


def _noun_and_number(params: Mapping[str, Any]) -> tuple[str, Any]:
    """The thing and the number of a text that has just these two."""
    nouns = [one["noun"] for one in params.values() if isinstance(one, dict) and "noun" in one]
    numbers = [one for one in params.values() if isinstance(one, int)]
    if len(params) == 2 and len(nouns) == len(numbers) == 1:
        return nouns[0], numbers[0]
    return "", None


# --- numbers and colours --------------------------------------------------------------------


class _Numbers:
    """Where the numbers of the choices stand on the table."""

    def __init__(self, view: View, number_of: Mapping[int, int]) -> None:
        self._cells: dict[str, dict[tuple[int, int], list[int]]] = defaultdict(dict)
        self._pieces: dict[str, list[int]] = defaultdict(list)
        for choice in view["choices"]:
            number = number_of[choice["action"]]
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
        found = self._pieces.get(piece)
        return Text().append_text(_badge(found)).append(" ") if found else Text()


def _badge(numbers: Sequence[int], below: bool = False) -> Text:
    """A choice's number; the first of several."""
    shown = str(numbers[0])
    more = "…" if len(numbers) > 1 else ""
    if below:
        return Text(shown.translate(BELOW) + more, style="bold yellow")
    return Text(shown + more, style=NUMBER)


def _signed(number: int, plus: bool = False) -> str:
    return (f"{number:+d}" if plus else str(number)).replace("-", "−")


def _family(face: str) -> str:
    """What a face is, without its turn or number: `hill-90` is a hill."""
    return face.split("-")[0]


def _families(said: Words) -> dict[str, int]:
    """Every family of faces that the game has a symbol or a noun for, in its words' order."""
    found: dict[str, int] = {}
    for table in ("noun", "symbol"):
        for face in said.table.get(table, {}):
            found.setdefault(_family(face), len(found))
    return found

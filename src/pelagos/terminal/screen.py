"""A view as coloured text: grids side by side, what lies beside them, the choices by number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from pelagos.engine.view import Choice, Event, View
from pelagos.terminal.facts import draw_facts
from pelagos.terminal.layout import columns, flow, signed
from pelagos.terminal.numbers import badge
from pelagos.terminal.places import Places
from pelagos.terminal.reader import QUIET, Reader
from pelagos.terminal.sheets import draw_evidence, draw_sheets, draw_totals

ROOMY_HEIGHT, ROOMY_WIDTH = 34, 100
"""A screen that is as large has room for the whole score sheets."""
WIDE = 120
"""A screen that is as wide has room for choices in notation."""


class Screen:
    """Draws one game's views for one reader, and nothing that isn't in them."""

    def __init__(self, console: Console, reader: Reader) -> None:
        self.console = console
        self.reader = reader

    # --- the whole table ---------------------------------------------------------------------

    def draw(self, view: View) -> None:
        """The table: places, facts, points, news, choices, and what is asked.

        What doesn't fit on the screen scrolls away at its top: then blank lines are left out, and
        tallies after them.
        """
        airy = tallies = True
        if self.console.is_terminal:
            for airy, tallies in ((True, True), (False, True), (False, False)):
                with self.console.capture() as whole:
                    self._draw(view, airy, tallies)
                if whole.get().count("\n") < self.console.height - 1:
                    break
        self._draw(view, airy, tallies)

    def _draw(self, view: View, airy: bool, tallies: bool) -> None:
        between = "\n" if airy else ""
        self.console.print(self._title(view))
        self._places(view)
        self.console.print(between, end="")
        self.facts(view, tallies)
        if not self.is_roomy:
            self.console.print(draw_totals(view, self.reader))
        if view["events"]:
            self.console.print(between, end="")
            self._news(view["events"])
        self.console.print(between, end="")
        if view["choices"]:
            self._choices(view)
        self.console.print(Text("▸ " + self.reader.say(view["prompt"]), style="bold"))

    def _title(self, view: View) -> Text:
        line = Text().append(f" {self.reader.title} ", style="bold white on blue")
        if view["viewer"] is not None:
            line.append(f" {self.reader.names[view['viewer']]} ", style="bold")
        return line

    def _places(self, view: View) -> None:
        places = Places(view, self.reader)
        blocks = places.grids()
        if self.is_roomy:
            blocks.append(draw_sheets(view["sheets"], self.reader, self.console.width))
        for line in flow(blocks, self.console.width):
            self.console.print(line, no_wrap=True, overflow="crop")
        for line in places.rows():
            self.console.print(line)

    @property
    def is_roomy(self) -> bool:
        """Is there room for the whole score sheets beside the places?"""
        return self.console.height >= ROOMY_HEIGHT and self.console.width >= ROOMY_WIDTH

    def _news(self, events: Sequence[Event]) -> None:
        room = max(4, self.console.height - 18)
        earlier = len(events) - room
        if earlier > 0:
            self.say("table.earlier", QUIET, count=earlier)
        self.log(events[-room:])

    def _choices(self, view: View) -> None:
        labels = [self.label(choice) for choice in view["choices"]]
        alike = len(set(labels)) < len(labels)
        items = []
        for number, (choice, label) in enumerate(zip(view["choices"], labels, strict=True), 1):
            item = badge([number])
            item = Text(" " * (2 - min(2, item.cell_len))) + item
            item.append(f" {label}")
            if alike or self.console.width >= WIDE:
                item.append(f"  {choice['notation']}", style=QUIET)
            gain = choice["gain"]
            if gain:
                item.append(f"  {signed(gain, plus=True)}", style="green" if gain > 0 else "red")
            if choice.get("elsewhere"):
                effects = ", ".join(self.reader.say(text) for text in choice["elsewhere"])
                item.append(f"  {effects}", style=QUIET)
            items.append(item)
        for line in columns(items, self.console.width):
            self.console.print(line, no_wrap=True, overflow="crop")

    # --- parts of it, on demand ----------------------------------------------------------------

    def say(self, key: str, style: str = "", **params: Any) -> None:
        """One of the terminal's own sentences."""
        said = self.reader.own.text(key, params, self.reader.names, self.reader.you)
        self.console.print(Text(said, style=style))

    def clear(self) -> None:
        """Empty the screen and what can be scrolled back to."""
        if self.console.is_terminal and not self.console.is_dumb_terminal:
            self.console.file.write("\x1b[H\x1b[2J\x1b[3J")
            self.console.file.flush()

    def label(self, choice: Choice) -> str:
        """A choice in the reader's language."""
        return self.reader.say(choice["label"])

    def log(self, events: Sequence[Event]) -> None:
        """Events, a line each."""
        if not events:
            self.say("table.nothing", QUIET)
        for event in events:
            text = self.reader.words.text(
                event["key"], event["params"], self.reader.names, self.reader.you
            )
            self.console.print(Text("  " + text))

    def facts(self, view: View, tallies: bool = True) -> None:
        """What is counted, what is still unseen."""
        for line in draw_facts(view, self.reader, self.console.width, tallies):
            self.console.print(line)

    def sheets(self, view: View) -> None:
        """All score sheets side by side."""
        for line in draw_sheets(view["sheets"], self.reader, self.console.width):
            self.console.print(line)

    def evidence(self, view: View, seat: int) -> None:
        """One score sheet, each line with what makes it."""
        total = view["sheets"][seat]["total"]
        self.say("sheet.title", "bold", name=self.reader.names[seat], points=total)
        self.console.print(draw_evidence(view, seat, self.reader))

    def legend(self, view: View) -> None:
        """What the signs on the grids stand for."""
        words = self.reader.words
        grids = {place["key"] for place in view["places"] if place["rows"]}
        names: dict[str, str] = {}
        for piece in view["pieces"]:
            if piece["place"] in grids and piece["face"]:
                names[words.symbol(piece["face"])] = words.noun(piece["face"])
                for mark in piece["marks"]:
                    names[words.symbol(mark)] = words.text(f"mark.{mark}")
        items = [
            Text().append(f"  {sign.strip()} ", style="bold").append(name)
            for sign, name in names.items()
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

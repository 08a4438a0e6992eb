"""Fill in the tables of docs/observations.md, from the games' layouts and facts.

Run it after changing a layout: python tools/observations.py
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from pelagos.engine.game import Game, find_game
from pelagos.engine.layout import Field, Layout

PAGE = Path(__file__).parents[1] / "docs" / "observations.md"
TABLE = re.compile(r"<!-- table: (\w+) -->\n.*?<!-- end -->", re.DOTALL)
GAMES = ("ecosystem", "oceanide", "oceanos", "ozeanien")
FIELD_HEADS = ("from", "field", "axes", "kind", "values", "columns", "tells")
FACT_HEADS = ("game", "players", "at once", "decisions at most", "points")
MOST_VALUES = 12
"""Of longer lists, the first and the last are named."""


def build(page: str) -> str:
    """The page with its tables as they must be."""
    return TABLE.sub(
        lambda mark: f"<!-- table: {mark[1]} -->\n\n{_table(mark[1])}\n\n<!-- end -->", page
    )


def _table(name: str) -> str:
    if name == "facts":
        return _rows(FACT_HEADS, (row for game in GAMES for row in _facts(find_game(game))))
    layout: Layout = find_game(name).part("features").LAYOUT
    size = f"Version {layout.version}: {layout.size} numbers, {layout.expanded} columns."
    return f"{size}\n\n" + _rows(FIELD_HEADS, (_field(layout, field) for field in layout.fields))


def _rows(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    table = [heads, ("---",) * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in table)


def _facts(game: Game) -> Iterable[tuple[str, ...]]:
    """A line for each number of players, with the usual options."""
    for players in game.players:
        options = {"players": players}
        at_once = "yes" if game.simultaneous and players > 1 else "no"
        least, most = game.points(options)
        length = str(game.longest(options))
        yield game.titles["en"], str(players), at_once, length, f"{least} to {most}"


def _field(layout: Layout, field: Field) -> tuple[str, ...]:
    return (
        str(layout.first(field.name)),
        f"`{field.name}`",
        " × ".join(f"{name} {len(places)}" for name, places in field.axes),
        field.kind,
        _values(field),
        _columns(layout, field),
        field.about,
    )


def _values(field: Field) -> str:
    if field.kind != "category":
        return f"{field.low} to {field.high}"
    values = field.values
    if len(values) > MOST_VALUES:
        values = (*values[:2], "…", values[-1])
    return ", ".join(values)


def _columns(layout: Layout, field: Field) -> str:
    columns = str(layout.columns_of(field))
    if field.kind == "count":
        return f"{columns}, {field.scale or field.high} is 1"
    if field.kind == "card":
        each, row = ", ".join(layout.attributes_of(field)), ", ".join(field.summed)
        return f"{columns}: {each}" + (f"; by row: {row}" if row else "")
    return columns


if __name__ == "__main__":
    PAGE.write_text(build(PAGE.read_text("utf-8")), "utf-8")

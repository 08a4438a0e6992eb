"""The table as text, drawn from the view alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pelagos.engine.view import Piece, Place, View
from pelagos.engine.words import Words

BACK = "▒▒"
EMPTY = "·"
COVERED = "?"


def draw(view: View, said: Words, names: Sequence[str]) -> str:
    """The whole table: prompt, facts, places with their pieces, score sheets."""
    blocks = [said.say(view["prompt"], names)]
    if view["facts"]:
        blocks.append("\n".join(_facts(view, said, names)))
    blocks += ["\n".join(_place(place, view, said, names)) for place in view["places"]]
    blocks.append("\n".join(_sheets(view, said, names)))
    return "\n\n".join(block for block in blocks if block) + "\n"


def _facts(view: View, said: Words, names: Sequence[str]) -> Iterator[str]:
    for key, value in view["facts"].items():
        yield f"{said.text(f'fact.{key}')}: {_fact(value, said, names)}"


def _fact(value: Any, said: Words, names: Sequence[str]) -> str:
    if isinstance(value, list):
        return ", ".join(_fact(inner, said, names) for inner in value)
    if isinstance(value, dict) and not {"noun", "seat", "key"} & value.keys():
        named = {key: names[int(key)] if key.isdigit() else said.noun(key) for key in value}
        return ", ".join(
            f"{named[key]} {_fact(inner, said, names)}" for key, inner in value.items()
        )
    return said.value(value, names=names)


def _place(place: Place, view: View, said: Words, names: Sequence[str]) -> Iterator[str]:
    yield said.say(place["label"], names)
    pieces = [piece for piece in view["pieces"] if piece["place"] == place["key"]]
    if place["rows"] and place["columns"]:
        yield from _grid(place, pieces, said)
    else:
        shown = [_named(piece, said) for piece in pieces]
        yield "  " + (", ".join(shown) or EMPTY)


def _grid(place: Place, pieces: Sequence[Piece], said: Words) -> Iterator[str]:
    cells = {tuple(piece["at"]): _symbol(piece, said) for piece in pieces if piece["at"]}
    rows, columns = place["rows"], place["columns"]
    width = max([len(cell) for cell in cells.values()] + [3])
    for row in range(rows):
        line = [cells.get((row, column), EMPTY).center(width) for column in range(columns)]
        yield "  " + " ".join(line).rstrip()


def _symbol(piece: Piece, said: Words) -> str:
    face = BACK if piece["face"] is None else said.symbol(piece["face"])
    return face + "".join(said.symbol(mark) for mark in piece["marks"])


def _named(piece: Piece, said: Words) -> str:
    face = said.text("table.hidden") if piece["face"] is None else said.noun(piece["face"])
    marks = "".join(f" ({said.text('mark.' + mark)})" for mark in piece["marks"])
    return (f"{piece['count']} × {face}" if piece["count"] != 1 else face) + marks


def covered_or(sheet_or_line: Mapping[str, Any], points: int) -> str:
    """The points of a sheet or line; of what is covered, a question mark."""
    return COVERED if sheet_or_line.get("covered") else str(points).replace("-", "\u2212")


def _sheets(view: View, said: Words, names: Sequence[str]) -> Iterator[str]:
    sheets = view["sheets"]
    heads = [names[sheet["seat"]] for sheet in sheets]
    keys = [line["key"] for line in sheets[0]["lines"]]
    labels = [said.text(f"line.{key}") for key in keys] + [said.text("table.total")]
    first = max(len(label) for label in labels)
    widths = [max(len(head), 4) for head in heads]
    yield " " * first + "".join(f"  {head:>{w}}" for head, w in zip(heads, widths, strict=True))
    for index, label in enumerate(labels):
        shown = [
            covered_or(sheet, sheet["total"])
            if index == len(keys)
            else covered_or(sheet["lines"][index], sheet["lines"][index]["points"])
            for sheet in sheets
        ]
        yield f"{label:<{first}}" + "".join(
            f"  {number:>{w}}" for number, w in zip(shown, widths, strict=True)
        )

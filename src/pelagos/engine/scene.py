"""A picture of a part of a table, in figures that can be followed from one moment to the next.

A game's `table/example.py` makes scenes; pages set them in motion. What is drawn is SVG without
ids and styles, in classes and presentation attributes; `#name` is a symbol of the game's art.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

Point = tuple[float, float]


@dataclass(frozen=True)
class Figure:
    """Something on the stage: a card, a tile, a token. It is drawn from its own point 0, 0."""

    key: str
    at: Point
    size: Point
    drawn: str
    over: str = ""
    """What lies on it and may change: a number, a token."""
    shows: tuple[str, ...] = ()
    """The pieces of the view that it is lit with, where evidence names them; else its own key."""
    comes_from: Point | None = None
    """Where it comes from when it is new; else it grows where it is."""
    goes_to: Point | None = None
    """Where it goes to when it leaves; else it fades where it is."""
    layer: int = 0
    """Higher ones lie over lower ones."""
    radius: float = 8
    """Of the ring that is drawn around it when it is lit."""

    @property
    def pieces(self) -> tuple[str, ...]:
        """The pieces that it stands for."""
        return self.shows or (self.key,)


@dataclass(frozen=True)
class Scene:
    """One moment of an example."""

    size: Point
    figures: tuple[Figure, ...]
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Parameters for the example's texts, beside the lines of the sheets."""


def art(name: str, x: float, y: float, width: float, height: float | None = None) -> str:
    """A symbol of the game's art."""
    high = width if height is None else height
    return (
        f'<use href="#{escape(name)}" x="{_short(x)}" y="{_short(y)}"'
        f' width="{_short(width)}" height="{_short(high)}"/>'
    )


def box(kind: str, x: float, y: float, width: float, height: float, radius: float = 0) -> str:
    """A rectangle, painted by its class."""
    return (
        f'<rect class="{kind}" x="{_short(x)}" y="{_short(y)}" width="{_short(width)}"'
        f' height="{_short(height)}" rx="{_short(radius)}"/>'
    )


def disc(kind: str, x: float, y: float, radius: float) -> str:
    """A circle, painted by its class."""
    return f'<circle class="{kind}" cx="{_short(x)}" cy="{_short(y)}" r="{_short(radius)}"/>'


def label(kind: str, x: float, y: float, words: str) -> str:
    """A few words; the class says how they are set."""
    return f'<text class="{kind}" x="{_short(x)}" y="{_short(y)}">{escape(words)}</text>'


def path(kind: str, data: str) -> str:
    """A line or an area, painted by its class."""
    return f'<path class="{kind}" d="{data}"/>'


def group(kind: str, drawn: str) -> str:
    """Something that a class paints as a whole."""
    return f'<g class="{kind}">{drawn}</g>'


def pane(size: Point, inner: Point, drawn: str) -> str:
    """Something drawn in another measure, as through a window of this size."""
    (width, height), (across, down) = size, inner
    return (
        f'<svg width="{_short(width)}" height="{_short(height)}"'
        f' viewBox="0 0 {_short(across)} {_short(down)}">{drawn}</svg>'
    )


def _short(number: float) -> str:
    return f"{number:.1f}".rstrip("0").rstrip(".")

"""Small things that pages show many times, made once: a symbol, an icon, a seat's mark."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from markupsafe import Markup, escape

from pelagos.web.art import sprite_address

SEATS = 6
"""Colours of seats; with more they come again."""


@cache
def art(game: str, name: str, kind: str = "") -> Markup:
    """A symbol of a game's art."""
    return Markup(
        '<svg class="{}" viewBox="0 0 64 64" aria-hidden="true" focusable="false">'
        '<use href="{}#{}"></use></svg>'
    ).format(kind, sprite_address(game), name)


@cache
def icon(name: str) -> Markup:
    """One of the pages' own icons."""
    return Markup(
        '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">'
        '<use href="/static/app/icons.svg#{}"></use></svg>'
    ).format(name)


@cache
def seat_mark(seat: int) -> Markup:
    """A seat's colour and pattern."""
    return Markup('<span class="seat-mark s{}" aria-hidden="true"></span>').format(seat % SEATS)


def tints(colours: Iterable[int]) -> str:
    """The page's classes where seats have chosen colours; empty where they have the usual ones."""
    return "".join(
        f" seat-{seat}-is-{colour}" for seat, colour in enumerate(colours) if seat != colour
    )


def attributes(values: Iterable[tuple[str, object]]) -> Markup:
    """Attributes of a tag, each with a space before it; one that is None is left out."""
    return Markup(
        "".join(f' {name}="{escape(value)}"' for name, value in values if value is not None)
    )

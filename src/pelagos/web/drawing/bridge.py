"""What tables ask that haven't moved into their folder `table/` yet."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING

from markupsafe import Markup

from pelagos.web.drawing.message import Choice
from pelagos.web.marks import art, attributes, icon, seat_mark

if TYPE_CHECKING:
    from pelagos.web.drawing import Drawing


def parts(drawing: Drawing) -> SimpleNamespace:
    """The macros of old."""
    game = drawing.game.id
    return SimpleNamespace(
        art=lambda name, kind="art": art(game, name, kind),
        icon=icon,
        seat_mark=seat_mark,
        choice_attrs=partial(_attributes, drawing),
    )


def _attributes(drawing: Drawing, choices: Sequence[Choice]) -> Markup:
    first = choices[0]
    more = " ".join(str(other["action"]) for other in choices[1:])
    return attributes(
        (
            ("name", "action"),
            ("value", first["action"]),
            *drawing._points_at(first),
            ("data-say", drawing.told_apart(first)),
            ("data-gain", drawing.gain(first)),
            ("data-receipt", drawing._receipt(first)),
            ("data-more", more or None),
        )
    )

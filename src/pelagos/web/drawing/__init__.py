"""A viewer's message as HTML: what stands between the view, which is data, and the templates.

A drawing is made of the message and the reader, and of nothing else: what isn't in the message
can't be drawn.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from functools import partial
from typing import Any

from markupsafe import Markup

from pelagos.web.drawing.around import Around
from pelagos.web.drawing.board import Board
from pelagos.web.drawing.choices import Choices
from pelagos.web.drawing.ids import piece_id, place_id, shown, signed
from pelagos.web.drawing.message import names_of
from pelagos.web.drawing.templates import environment, kept
from pelagos.web.marks import art, tints

__all__ = ["Drawing", "environment", "names_of", "piece_id", "place_id", "shown", "signed"]


class Drawing(Choices, Board, Around):
    """One message for one reader: what the templates ask."""

    def page(self) -> dict[str, Any]:
        """What the page around `#view` may ask."""
        return {
            "drawing": self,
            "view": self.view,
            "table": self.about,
            "me": self.me,
            "names": self.names,
            "game": self.game,
            "title": self.title,
            "tints": tints(self.about.get("colours", ())),
        }

    def context(self) -> dict[str, Any]:
        """All that a template may ask."""
        own = self.own_table
        return {
            "drawing": self,
            "view": self.view,
            "made": None if own is None else own.make(self),
            "table": {
                **self.about,
                "number": self.message["number"],
                "decision": self.own.get("decision", 0),
                "owes": bool(self.own.get("owes")),
                "undo": bool(self.own.get("undo")),
                "ahead": self.own.get("ahead", []),
            },
            "me": self.me,
            "names": self.names,
            "say": self.say,
            "noun": self.noun,
            "words": self.words,
            "ui": self.tell,
            "art": partial(art, self.game.id),
            "kept": kept,
            "last": self.last,
            "choice": self.choice,
            "has_art": self.has_art,
            "choices_at": self.choices_at,
            "pieces_in": self.pieces_in,
            "piece_by": self.pieces.get,
            "place_by": self.places.get,
            "total": self.total,
            "receipt": self.receipt,
            "game": self.game,
            "game_id": self.game.id,
            "title": self.title,
            "language": self.reader.language,
            "reader": self.reader,
            "draws": frozenset() if own is None else own.draws,
            "own_table": own,
            "drawer": Markup(" popover") if own is not None and own.fits else "",
            "client": secrets.token_urlsafe(18),
        }

    def inside(self, around: Mapping[str, Any] | None = None) -> str:
        """What stands inside `#view`; `around` is what the page knows beside the message."""
        return environment().get_template("view.html").render({**self.context(), **(around or {})})

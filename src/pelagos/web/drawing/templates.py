"""Where templates come from: the pages' own, and those of games' tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any

from jinja2 import ChoiceLoader, Environment, FunctionLoader, PackageLoader, StrictUndefined
from jinja2.runtime import Context
from markupsafe import Markup

from pelagos.web.art import sprite_address
from pelagos.web.drawing.ids import piece_id, place_id, shown, signed
from pelagos.web.marks import icon, seat_mark
from pelagos.web.own_table import template, template_names
from pelagos.web.rules import argued_of

MOST_KEPT = 8192
"""Drawn pieces that are kept for all tables."""


class PlainCalls(Context):
    """Calls what a template calls, without asking first if it wants to be given the context:
    nothing here does, and that question is most of what a call costs.
    """

    def call(self, called: Any, /, *arguments: Any, **named: Any) -> Any:
        """Call it; what compiled templates add for the context is left out."""
        named.pop("_block_vars", None)
        named.pop("_loop_vars", None)
        return called(*arguments, **named)


class DataFirst(Environment):
    """Looks into dicts, of which a message is made, before it asks for attributes."""

    context_class = PlainCalls

    def make_globals(self, d: Mapping[str, Any] | None) -> dict[str, Any]:
        """What every template knows, in one dict: each part that is drawn copies it, and a chain of
        mappings would be walked through.
        """
        return {**self.globals, **(d or {})}

    def getattr(self, obj: Any, attribute: str) -> Any:
        """`piece.face` of a template."""
        if type(obj) is dict and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)


@cache
def environment() -> Environment:
    """All templates, compiled once."""
    made = DataFirst(
        loader=ChoiceLoader([PackageLoader("pelagos.web"), FunctionLoader(template)]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
    )
    made.globals.update(
        icon=icon,
        lid=place_id,
        pid=piece_id,
        seat_mark=seat_mark,
        shown=shown,
        signed=signed,
        sprite_of=sprite_address,
        argued_of=argued_of,
    )
    return made


def names(chosen: Iterable[str]) -> list[str]:
    """Every template that pages and the tables of these games have."""
    return [*PackageLoader("pelagos.web").list_templates(), *template_names(chosen)]


@lru_cache(MOST_KEPT)
def kept(template: str, macro: str, *about: Any) -> Markup:
    """What a macro of a game's part draws, which depends on what it is given alone: drawn once."""
    module = environment().get_template(template).module
    return Markup(getattr(module, macro)(*about))

"""The pages' addresses, beside the JSON API in the same process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException

from pelagos.web.afterwards import Afterwards
from pelagos.web.aids import Aids
from pelagos.web.coach import CoachPages
from pelagos.web.front import Front
from pelagos.web.hinting import HintPages
from pelagos.web.laying import Laying
from pelagos.web.mine import Mine
from pelagos.web.packs import Packs
from pelagos.web.pads import Pads
from pelagos.web.pages import Pages
from pelagos.web.playing import Playing
from pelagos.web.preparing import Preparing
from pelagos.web.seating import Seating
from pelagos.web.talking import Talking
from pelagos.web.thinking import ThinkingPages

if TYPE_CHECKING:
    from fastapi import FastAPI

    from pelagos.tables.compiling import Compiling
    from pelagos.tables.settings import Settings


def make_site(
    where: Any,
    settings: Settings | None = None,
    public: str = "",
    compiling: Compiling | None = None,
) -> FastAPI:
    """The whole server: the API with the pages beside it; `where` and `compiling` are `make_app`'s.

    `public` is how others reach it: links that are made at this machine name it.
    """
    from pelagos.tables.api import make_app

    app = make_app(where, settings, compiling)
    app.mount("/", pages_of(Pages(app.state.server, public)))
    return app


def pages_of(pages: Pages) -> Starlette:
    """All pages of one server."""
    laying, playing = Laying(pages), Playing(pages)
    parts = (
        Front(pages, laying),
        Preparing(pages),
        Pads(pages),
        Packs(pages),
        laying,
        playing,
        HintPages(pages, playing),
        ThinkingPages(pages),
        Seating(pages, laying, playing),
        Talking(pages),
        Aids(pages),
        Afterwards(pages),
        CoachPages(pages),
        Mine(pages),
    )
    app = Starlette(
        routes=[route for part in parts for route in part.routes()],
        exception_handlers={HTTPException: pages.lost},
    )
    app.router.redirect_slashes = False
    return app

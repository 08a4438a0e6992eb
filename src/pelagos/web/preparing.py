"""At the first start: how far the games are compiled, for pages and for those who wait."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from pelagos.web.cookies import reader_of
from pelagos.web.pages import Pages


class Preparing:
    """What is shown meanwhile."""

    def __init__(self, pages: Pages) -> None:
        self.pages = pages

    def routes(self) -> list[Route]:
        """Where it is."""
        page = self.pages.page
        return [
            Route("/preparing", page(self.progress)),
            Route("/preparing/{key}", page(self.go_on)),
        ]

    async def progress(self, request: Request) -> Response:
        """How far it is, for our script: and is the game there that somebody waits for?"""
        game = request.query_params.get("game", "")
        compiling = self.pages.server.compiling
        there = compiling is None or compiling.has(game) or bool(compiling.why_not(game))
        asked = request.query_params.get("table", "")
        table = (await self.pages.server.find(asked)).table if asked else None
        progress = self.pages.waiting.progress(reader_of(request).language, table)
        return JSONResponse(
            {"there": there, **(progress or {})}, headers={"Cache-Control": "no-store"}
        )

    async def go_on(self, request: Request) -> Response:
        """Answer what was sent, as soon as that is possible."""
        key = request.path_params["key"]
        kept = self.pages.waiting.kept(key)
        if kept is None:
            return RedirectResponse("/", 303)
        compiling = self.pages.server.compiling
        if compiling is None or compiling.has(kept.game) or compiling.why_not(kept.game):
            self.pages.waiting.forget(key)
            return await kept.answer(kept.request)
        return await self.pages.show_waiting(request, self.go_on, kept.game)

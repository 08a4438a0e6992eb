"""What a browser needs to think by itself: the games' modules, at addresses that never change."""

from __future__ import annotations

import json
from functools import cache

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pelagos.web.assets import FOREVER
from pelagos.web.pages import Pages
from pelagos.web.squeeze import squeezed, way_for

KINDS = {"wasm": "application/wasm", "json": "application/json"}


class ThinkingPages:
    """The modules' files."""

    def __init__(self, pages: Pages) -> None:
        self.pages = pages
        self._squeezed = cache(squeezed)

    def routes(self) -> list[Route]:
        """Where they are."""
        return [Route("/module/{tag}/{game}.{kind}", self.module)]

    async def module(self, request: Request) -> Response:
        """A game's module, or its manifest."""
        tag, game, kind = (request.path_params[name] for name in ("tag", "game", "kind"))
        served = self.pages.server.known_module(game)
        if served is None or served.tag != tag or kind not in KINDS:
            return Response("There is no such module.", 404, media_type="text/plain")
        way, module = way_for(request), served.module
        content = module.wasm if kind == "wasm" else json.dumps(module.manifest).encode()
        headers = {"Cache-Control": FOREVER, "Vary": "Accept-Encoding"}
        if way:
            headers["Content-Encoding"] = way
        return Response(self._squeezed(content, way, well=True), 200, headers, KINDS[kind])

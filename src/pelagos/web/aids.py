"""The aid at a table: whatever lies there explains itself, and the sheet of all."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from pelagos.engine.aid import all_things
from pelagos.engine.errors import text
from pelagos.tables.aid import LONGEST_QUESTION, aid_of, explained_things
from pelagos.tables.errors import NotFound
from pelagos.tables.table import SPECTATOR, Table
from pelagos.web import replay
from pelagos.web.cookies import reader_of
from pelagos.web.drawing import Drawing, environment
from pelagos.web.drawing.aid import AidCard, word_of
from pelagos.web.marks import art
from pelagos.web.pages import Pages


class Aids:
    """Where the aid is asked for."""

    def __init__(self, pages: Pages) -> None:
        self.pages = pages

    def routes(self) -> list[Route]:
        """Where it is."""
        return [Route("/t/{table}/aid", self.pages.page(self.aid))]

    async def aid(self, request: Request) -> Response:
        """What the viewer may know of a thing (`of`), or the sheet of all."""
        live = await self.pages.server.find(request.path_params["table"])
        query = request.query_params
        table, message, viewer = live.table, None, self.pages.viewer_of(request, live)
        if "game" in query:
            table, message, viewer = self._replayed(table, query)
        if table.match is None:
            raise NotFound(text("tables/refuse.not_begun"))
        drawing = Drawing(message or live.message(viewer, drawn=True).data, reader_of(request))
        context: dict[str, Any] = {
            "ui": drawing.tell,
            "game_id": drawing.game.id,
            "tag": self.pages.assets.tag(),
            "art": lambda name, kind="": art(drawing.game.id, name, kind),
        }
        asked = query.get("of", "")[:LONGEST_QUESTION]
        if not asked:
            sheet = {**context, "groups": self._groups(table, drawing, viewer)}
            return HTMLResponse(environment().get_template("aid_all.html").render(sheet))
        about = aid_of(table, viewer, word_of(drawing, asked))
        if about is None:
            return Response(status_code=204)
        card = {**context, "card": AidCard(drawing, about), "brief": query.get("why") == "1"}
        return HTMLResponse(environment().get_template("aid.html").render(card))

    def _replayed(self, table: Table, query: Any) -> tuple[Table, dict[str, Any], int]:
        """A finished game's table as it was, with what the eyes see that look at it."""
        number, at, eyes = (query.get(name, "") for name in ("game", "at", "eyes"))
        game = int(number) if number.isdecimal() and len(number) < 7 else -1
        if not 0 <= game < len(table.finished):
            raise NotFound(text("tables/refuse.finished", count=len(table.finished)))
        length = replay.length(table.finished[game])
        then = replay.at(table, game, min(int(at), length) if at.isdecimal() else 0)
        viewer = int(eyes) if eyes.isdecimal() and int(eyes) < table.players else SPECTATOR
        return then, replay.message_of(then, eyes, 0), viewer

    def _groups(self, table: Table, drawing: Drawing, viewer: int) -> list[dict[str, Any]]:
        assert table.match is not None
        return [
            {
                "name": drawing.say(group["name"]),
                "cards": [
                    AidCard(drawing, aid)
                    for aid in explained_things(table, viewer, group["things"])
                ],
            }
            for group in all_things(table.match)
        ]

"""The table itself: its page, its stream, and what is done there."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from functools import partial
from typing import Any
from urllib.parse import quote

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from pelagos.engine.errors import PelagosError
from pelagos.tables import acts, tokens
from pelagos.tables.api import given, status_of
from pelagos.tables.message import Message, encode
from pelagos.tables.service import OpenTable
from pelagos.tables.streams import wire
from pelagos.tables.table import OVER, PERSON, PLAYING, SPECTATOR
from pelagos.web import art, daily
from pelagos.web.drawing import Drawing, environment
from pelagos.web.pages import BY_SCRIPT, Pages, first, form_of, is_local, number_in
from pelagos.web.reader import Reader, reader_of, refusal


class Playing:
    """The pages at a table."""

    def __init__(self, pages: Pages) -> None:
        self.pages = pages

    def routes(self) -> list[Route]:
        """Where they are."""
        page = self.pages.page
        return [
            Route("/t/{table}", page(self.table)),
            Route("/t/{table}/stream", page(self.stream)),
            Route("/t/{table}/act", page(self.act), methods=["POST"]),
            Route("/t/{table}/undo", page(self.undo), methods=["POST"]),
            Route("/t/{table}/orders", page(self.orders), methods=["POST"]),
            Route("/t/{table}/again", page(self.again), methods=["POST"]),
        ]

    def more(self, request: Request, live: OpenTable) -> dict[str, Any]:
        """What a table's part of the page may ask beside the message."""
        host = self.pages.server.tables.hosts(
            live.table, given(request, live.table.id, tokens.HOST)
        )
        return {
            "host": host,
            "address": f"{self.pages.origin(request)}/t/{live.table.id}",
            "why": "",
            "lonely": is_local(request) and not self.pages.public,
            "held": self.pages.seats_of(request, live),
            "stay": request.query_params.get("stay", ""),
            "hide": request.query_params.get("hide", ""),
            "link_to": lambda seat: self.pages.seat_link(request, live, seat),
        }

    def inside(self, live: OpenTable, drawing: Drawing, more: Mapping[str, Any]) -> str:
        """The inside of `#view`: the table, or a cover between two people at one device."""
        table = live.table
        following = _next_here(live, drawing.me, more)
        if following is not None:
            whole = {**drawing.context(), **more, "following": following}
            return environment().get_template("cover.html").render(whole)
        links = {
            seat: more["link_to"](seat)
            for seat, chair in enumerate(table.seats)
            if more["host"] and chair.kind == PERSON and not chair.taken
        }
        result = daily.result(live, drawing.reader) if len(table.finished) == 1 else None
        line = "" if result is None else result["line"]
        picture = art.title_picture(table.game.id)
        return drawing.inside({**more, "daily_line": line, "links": links, "picture": picture})

    async def table(self, request: Request) -> Response:
        """A table, as the viewer may see it. Looking takes no seat."""
        live = await self.pages.server.find(request.path_params["table"])
        viewer = self.pages.viewer_of(request, live)
        hide = "seat" not in request.query_params and len(self.pages.seats_of(request, live)) > 1
        return self.show(request, live, viewer, hide=hide)

    def show(
        self,
        request: Request,
        live: OpenTable,
        viewer: int,
        why: str = "",
        status: int = 200,
        hide: bool = False,
    ) -> Response:
        """The whole page; with `hide` a cover first, until the viewer says that they look."""
        live.table.check_open()
        drawing = self.drawing(request, live, viewer)
        more = {**self.more(request, live), "why": why}
        more["hide"] = more["hide"] or hide
        whole = {
            **drawing.context(),
            **more,
            "inside": Markup(self.inside(live, drawing, more)),
            "my_seats": more["held"],
            "here": f"/t/{live.table.id}",
        }
        return self.pages.render(request, "table.html", whole, status)

    def drawing(self, request: Request, live: OpenTable, viewer: int) -> Drawing:
        """The viewer's newest message, ready to be drawn."""
        message = live.message(viewer, drawn=True).data
        return Drawing(live.table, message, reader_of(request))

    def part(
        self, request: Request, live: OpenTable, viewer: int, why: str = "", status: int = 200
    ) -> Response:
        """The inside of `#view`, for our script."""
        drawing = self.drawing(request, live, viewer)
        text = self.inside(live, drawing, self.more(request, live))
        headers = {"X-Pelagos-Number": str(drawing.message["number"])}
        if why:
            headers["X-Pelagos-Why"] = quote(why)
        return HTMLResponse(text, status, headers)

    async def stream(self, request: Request) -> Response:
        """The viewer's event stream: the whole inside of `#view` whenever it changed."""
        live = await self.pages.server.find(request.path_params["table"])
        asked = request.query_params.get("seat", "-1")
        viewer = int(asked) if asked.isdigit() else SPECTATOR
        table, server = live.table.id, self.pages.server
        if viewer != SPECTATOR:
            server.tables.check(live.table, viewer, given(request, table, asked))
        secret = given(request, table, str(viewer))
        reader, more = reader_of(request), self.more(request, live)

        def may_see() -> bool:
            return viewer == SPECTATOR or server.tables.holds(live.table, viewer, secret)

        async def drawn() -> AsyncIterator[bytes]:
            async for sent in server.followed(live, viewer, may_see, drawn=True):
                if isinstance(sent, Message):
                    yield wire(sent.number, self._drawn(sent, live, reader, more))
                else:
                    yield sent.value
                await asyncio.sleep(0)

        return server.streaming(request, drawn())

    def _drawn(
        self, message: Message, live: OpenTable, reader: Reader, more: Mapping[str, Any]
    ) -> bytes:
        """A message as the page's script gets it: its number, and the inside of `#view`."""
        text = self.inside(live, Drawing(live.table, message.data, reader), more)
        return encode({"number": message.number, "html": text})

    async def _do(self, request: Request, make: Callable[..., Any]) -> Response:
        """Something that a seat does: answered with how things stand, done or refused."""
        form = await form_of(request)
        seat = number_in(form, "seat")
        table = request.path_params["table"]
        live = await self.pages.server.seated(request, table, seat)
        self.pages.server.by_seat.spend(f"{table}/{seat}")
        why, status = "", 200
        try:
            await self.pages.server.tables.do(table, lambda now: make(now, seat, form))
        except PelagosError as error:
            if status_of(error) != 409:
                raise
            why, status = refusal(str(error), reader_of(request).language), 409
        if request.headers.get(BY_SCRIPT):
            return self.part(request, live, seat, why, status)
        if why:
            return self.show(request, live, seat, why, status)
        return RedirectResponse(f"/t/{table}?seat={seat}", 303)

    async def act(self, request: Request) -> Response:
        """Make one or more actions that belong together."""

        def make(now: Any, seat: int, form: Mapping[str, list[str]]) -> list[Any]:
            told = form.get("action", [])
            actions: list[int | str] = [
                int(one) if re.fullmatch(r"\d{1,5}", one) else one for one in told
            ]
            decision = number_in(form, "decision")
            return acts.move(now, seat, decision, actions, first(form, "client"))

        return await self._do(request, make)

    async def undo(self, request: Request) -> Response:
        """Take the seat's last move back."""

        def make(now: Any, seat: int, form: Mapping[str, list[str]]) -> list[Any]:
            return acts.undo(now, seat, number_in(form, "decision"), first(form, "client"))

        return await self._do(request, make)

    async def orders(self, request: Request) -> Response:
        """Give a standing order."""

        def make(now: Any, seat: int, form: Mapping[str, list[str]]) -> list[Any]:
            return acts.give_order(now, seat, first(form, "order"), first(form, "client"))

        return await self._do(request, make)

    async def again(self, request: Request) -> Response:
        """One more game."""

        def make(now: Any, seat: int, form: Mapping[str, list[str]]) -> list[Any]:
            return acts.again(now, seat, first(form, "bytes"), first(form, "client"))

        answer = await self._do(request, make)
        live = await self.pages.server.find(request.path_params["table"])
        for seat in self.pages.seats_of(request, live):  # everyone at this device, at one click
            if live.table.state == OVER:
                client = secrets.token_urlsafe(18)
                await self.pages.server.tables.do(
                    live.table.id, partial(acts.again, seat=seat, digits="", client=client)
                )
        return answer


def _next_here(live: OpenTable, me: int | None, more: Mapping[str, Any]) -> int | None:
    """Of several people at one device, whose turn it is to look, if not the viewer's."""
    held: list[int] = more["held"]
    table = live.table
    if len(held) < 2 or table.state != PLAYING:
        return None
    owing = [seat for seat in held if seat in table.waiting]
    if more["hide"] and me in held:
        return me
    if me is None or me in owing or not owing or more["stay"] == str(table.decisions[me]):
        return None
    return next((seat for seat in owing if seat > me), owing[0])

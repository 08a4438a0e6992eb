"""The table itself: its page, its stream, and what is done there."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import quote
from weakref import WeakKeyDictionary

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from pelagos.bots import LADDER
from pelagos.engine.errors import PelagosError
from pelagos.tables import acts, tokens
from pelagos.tables.errors import NotYours
from pelagos.tables.lessons import ALONG
from pelagos.tables.message import Message, encode
from pelagos.tables.server import given, status_of
from pelagos.tables.service import OpenTable
from pelagos.tables.streams import Sign, wire
from pelagos.tables.table import GATHERING, OVER, PERSON, SPECTATOR, Entry, Lost, Table
from pelagos.web import art, daily, other_rules
from pelagos.web.cookies import opponent_of, reader_of
from pelagos.web.drawing import Drawing, environment
from pelagos.web.drawing.around import seconds_left
from pelagos.web.marks import tints
from pelagos.web.pages import BY_SCRIPT, Pages, first, form_of, is_local, number_in, whole
from pelagos.web.reader import Reader
from pelagos.web.talking import lines_of, talk_of

Form = Mapping[str, list[str]]
Make = Callable[[Table, int, Form], list[Entry]]
"""What a seat does, by what a form says."""
Eyes = tuple[int, int, str, bool]
"""A viewer, whose board is near, a language, and whether the plain table is liked."""


@dataclass(frozen=True)
class Visitor:
    """Who looks at a table: what a page needs to know beside the message."""

    reader: Reader
    viewer: int
    host: bool
    seats: tuple[int, ...]
    """The seats that this browser holds."""
    address: str
    """Where friends find the table."""
    alone: bool
    """Can nobody but this machine open that address?"""
    look: int = -1
    """The table's number when the viewer last said that it is they who look; -1: never."""
    near: int = 0
    """Whose board is near, for who watches."""
    asked: int = -1
    """The seat that was asked for, and refused."""
    opponent: str = ""
    """The bot that is offered for an empty seat."""


class Playing:
    """The pages at a table."""

    def __init__(self, pages: Pages) -> None:
        self.pages = pages
        self._drawn: WeakKeyDictionary[OpenTable, dict[Eyes, tuple[Any, str]]]
        self._drawn = WeakKeyDictionary()
        self._newest: WeakKeyDictionary[OpenTable, dict[Eyes, tuple[str, int, bytes]]]
        self._newest = WeakKeyDictionary()

    def routes(self) -> list[Route]:
        """Where they are."""
        page = self.pages.page
        return [
            Route("/t/{table}", page(self.table)),
            Route("/t/{table}/stream", page(self.stream)),
            Route("/t/{table}/act", page(self.act), methods=["POST"]),
            Route("/t/{table}/undo", page(self.undo), methods=["POST"]),
            Route("/t/{table}/lesson", page(self.lesson), methods=["POST"]),
            Route("/t/{table}/orders", page(self.orders), methods=["POST"]),
            Route("/t/{table}/again", page(self.again), methods=["POST"]),
        ]

    def visitor(
        self, request: Request, live: OpenTable, viewer: int, look: int | None = None
    ) -> Visitor:
        """Whoever asks, looking through these eyes, since `look` or since the address says."""
        secrets_given = given(request, live.table.id, tokens.HOST)
        asked = request.query_params.get("look", "")
        near = whole(request.query_params.get("near", "")) or 0
        if look is None:
            look = int(asked) if re.fullmatch(r"[0-9]{1,9}", asked) else -1
        return Visitor(
            reader_of(request),
            viewer,
            self.pages.server.tables.hosts(live.table, secrets_given),
            tuple(self.pages.seats_of(request, live)),
            self.pages.address(request, live),
            is_local(request) and not self.pages.public,
            look,
            near if near < live.table.players else 0,
            opponent=opponent_of(request, live.table.game.id),
        )

    # --- drawing ----------------------------------------------------------------------------------

    def look(self, live: OpenTable, visitor: Visitor) -> tuple[Message, int]:
        """What the visitor sees, and its number: of all that is seen at a device, if its table
        turns from one to the next by itself.
        """
        table, viewer = live.table, visitor.viewer
        turns = len(visitor.seats) > 1 and viewer in visitor.seats and not table.game.secrets
        message = live.message(_next_here(table, visitor) if turns else viewer, drawn=True)
        number = sum(table.views[seat] for seat in visitor.seats) if turns else message.number
        return message, number

    def inside(self, live: OpenTable, visitor: Visitor, why: str = "") -> str:
        """The inside of `#view`: the table, or a cover between two people at one device.

        A table is drawn once a viewer and change: whoever posted a move, their stream, and all
        spectators of one language are handed the same text.
        """
        reader, table = visitor.reader, live.table
        message, number = self.look(live, visitor)
        data = {**message.data, "number": number, "near": visitor.near}
        drawing = partial(Drawing, data, reader)
        if is_covered(table, visitor):
            following = _next_here(table, visitor)
            context = {**drawing().context(), "following": following, "look": table.number}
            return environment().get_template("cover.html").render(context)
        if message.view.data is None:
            return drawing().inside(self._gathering(live, visitor, why))
        around = {"why": why, "daily_line": self._daily_line(live, reader)}
        if why:
            return drawing().inside(around)
        drawn = self._drawn.setdefault(live, {})
        viewer = SPECTATOR if message.own.data is None else message.own.data["seat"]
        eyes = (viewer, visitor.near, reader.language, reader.plain)
        # A clock runs on while nothing changes.
        of = (message, number, seconds_left(message.table.data))
        if eyes not in drawn or drawn[eyes][0] != of:
            drawn[eyes] = (of, drawing().inside(around))
        return drawn[eyes][1]

    def _sent(self, live: OpenTable, visitor: Visitor) -> bytes:
        """The table as it goes over the stream; the same bytes for all who see the same."""
        html, number = self.inside(live, visitor), self.look(live, visitor)[1]
        newest = self._newest.setdefault(live, {})
        eyes = (visitor.viewer, visitor.near, visitor.reader.language, visitor.reader.plain)
        latest = newest.get(eyes)
        if latest is None or latest[0] is not html or latest[1] != number:
            sent = wire(number, encode({"number": number, "html": html}))
            latest = newest[eyes] = (html, number, sent)
        return latest[2]

    def _gathering(self, live: OpenTable, visitor: Visitor, why: str) -> dict[str, Any]:
        """What a page shows until all sit."""
        links = {
            seat: self.pages.seat_link(visitor.address, live, seat)
            for seat, chair in enumerate(live.table.seats)
            if visitor.host and chair.kind == PERSON and not chair.taken
        }
        return {
            "why": why,
            "host": visitor.host,
            "address": visitor.address,
            "alone": visitor.alone,
            "links": links,
            "picture": art.title_picture(live.table.game.id),
            "ladder": LADDER,
            "opponent": visitor.opponent,
            "asked": visitor.asked,
        }

    def _daily_line(self, live: OpenTable, reader: Reader) -> str:
        """The day's result, to be shared."""
        result = daily.result(live, reader) if len(live.table.finished) == 1 else None
        return "" if result is None else result["line"]

    async def table(self, request: Request) -> Response:
        """A table, as the viewer may see it. Looking takes no seat."""
        live = await self.pages.server.find(request.path_params["table"])
        if moved := self.pages.moved_seats(request, live):
            return self.pages.follow_seats(request, live, moved)
        if (lost := self.pages.lost_seat(request, live)) is not None:
            return self.show_loss(request, live, *lost)
        viewer = self.pages.viewer_of(request, live)
        if live.table.other_rules:
            return self.show_other_rules(request, live, viewer)
        shown = self.show(request, live, self.visitor(request, live, viewer))
        return self.pages.renew(request, shown, live)

    def show_other_rules(self, request: Request, live: OpenTable, viewer: int) -> Response:
        """What can be told of a table that was laid under another version of the rules."""
        seats = tuple(self.pages.seats_of(request, live))
        page = other_rules.page_of(live.table, live.message(viewer), reader_of(request), seats)
        return self.pages.render(request, "other_rules.html", page)

    def show_loss(self, request: Request, live: OpenTable, seat: int, lost: Lost) -> Response:
        """Who took the visitor's seat away, and why; told once."""
        reader = reader_of(request)
        more = {
            "id": live.table.id,
            "title": live.table.game.titles[reader.language],
            "tints": tints(live.table.colours),
            "seat": seat,
            "lost": lost,
        }
        answer = self.pages.render(request, "lost.html", more)
        answer.delete_cookie(tokens.cookie_name(live.table.id, str(seat)))
        return answer

    def show(
        self,
        request: Request,
        live: OpenTable,
        visitor: Visitor,
        why: str = "",
        status: int = 200,
        hint: Markup | None = None,
    ) -> Response:
        """The whole page; `hint` is what its card tells."""
        live.table.check_open()
        message, _ = self.look(live, visitor)
        if live.table.allows_hints and visitor.seats:
            self.pages.server.known_module(live.table.game.id)  # soon somebody may think with it
        page = {
            **Drawing(message.data, visitor.reader).page(),
            "inside": Markup(self.inside(live, visitor, why)),
            "my_seats": visitor.seats,
            "talk": talk_of(message, visitor.reader, visitor.seats),
            "hint": hint,
            "look": visitor.look,
            "near": visitor.near,
            "here": f"/t/{live.table.id}",
        }
        return self.pages.render(request, "table.html", page, status)

    async def stream(self, request: Request) -> Response:
        """The viewer's event stream: the whole inside of `#view` whenever it changed."""
        live = await self.pages.server.find(request.path_params["table"])
        seat = whole(request.query_params.get("seat", "-1"))
        viewer = SPECTATOR if seat is None else seat
        table, server = live.table.id, self.pages.server
        secret = given(request, table, str(viewer))

        def may_see() -> bool:
            return viewer == SPECTATOR or server.tables.holds(live.table, viewer, secret)

        if viewer != SPECTATOR:
            try:
                server.tables.check(live.table, viewer, secret)
            except NotYours:  # the seat was lost since the page came, which loads itself again now
                return server.streaming(request, _gone())
        if live.table.other_rules:  # a page of before the change: it loads itself again
            return server.streaming(request, _gone())
        visitor = self.visitor(request, live, viewer)

        async def drawn() -> AsyncIterator[bytes]:
            shown: Message | None = None
            async for sent in server.followed(live, viewer, may_see, drawn=True):
                if isinstance(sent, Message):
                    if shown is None or not sent.shows_the_same(shown):
                        yield self._sent(live, visitor)
                    if sent.talk != (() if shown is None else shown.talk):
                        lines = lines_of(sent, visitor.reader, visitor.seats)
                        yield b"event: talk\ndata: %b\n\n" % encode(lines)
                    shown = sent
                else:
                    yield sent.value
                await asyncio.sleep(0)

        return server.streaming(request, drawn(), alike=viewer == SPECTATOR)

    # --- doing ------------------------------------------------------------------------------------

    async def _do(self, request: Request, make: Make) -> Response:
        """Something that a seat does: answered with how things stand, done or refused."""
        form = await form_of(request)
        seat = number_in(form, "seat")
        table = request.path_params["table"]
        live = await self.pages.server.seated(request, table, seat)
        self.pages.server.by_seat.spend(f"{table}/{seat}")
        visitor = self.visitor(request, live, seat, look=live.table.number)
        why, status = "", 200
        try:
            await self.pages.server.tables.do(table, lambda now: make(now, seat, form))
        except PelagosError as error:
            if status_of(error) != 409:
                raise
            why, status = error.say(reader_of(request).language), 409
        if request.headers.get(BY_SCRIPT):
            headers = {"X-Pelagos-Number": str(self.look(live, visitor)[1])}
            if why:
                headers["X-Pelagos-Why"] = quote(why)
            return HTMLResponse(self.inside(live, visitor), status, headers)
        if why:
            return self.show(request, live, visitor, why, status)
        look = f"&look={visitor.look}" if len(visitor.seats) > 1 else ""
        return RedirectResponse(f"/t/{table}?seat={seat}{look}", 303)

    async def act(self, request: Request) -> Response:
        """Make one or more actions that belong together."""

        def make(now: Table, seat: int, form: Form) -> list[Entry]:
            actions: list[int | str] = [
                int(action) if re.fullmatch(r"[0-9]{1,5}", action) else action
                for action in form.get("action", [])
            ]
            decision = number_in(form, "decision")
            return acts.move(now, seat, decision, actions, first(form, "client"))

        return await self._do(request, make)

    async def undo(self, request: Request) -> Response:
        """Take the seat's last move back."""

        def make(now: Table, seat: int, form: Form) -> list[Entry]:
            return acts.undo(now, seat, number_in(form, "decision"), first(form, "client"))

        return await self._do(request, make)

    async def lesson(self, request: Request) -> Response:
        """Read on in a lesson, look back, end it, or try the last step again."""

        def make(now: Table, seat: int, form: Form) -> list[Entry]:
            client, show = first(form, "client"), first(form, "show", str(ALONG))
            if "again" in form:
                return acts.try_again(now, seat, client)
            return acts.learn(
                now,
                seat,
                client,
                read=number_in(form, "read") if "read" in form else 0,
                noted=number_in(form, "noted") if "noted" in form else -1,
                show=int(show) if re.fullmatch(r"-?\d{1,3}", show) else show,
            )

        return await self._do(request, make)

    async def orders(self, request: Request) -> Response:
        """Give a standing order."""

        def make(now: Table, seat: int, form: Form) -> list[Entry]:
            return acts.give_order(now, seat, first(form, "order"), first(form, "client"))

        return await self._do(request, make)

    async def again(self, request: Request) -> Response:
        """One more game."""

        def make(now: Table, seat: int, form: Form) -> list[Entry]:
            return acts.again(now, seat, first(form, "bytes"), first(form, "client"))

        live = await self.pages.server.find(request.path_params["table"])
        await self.pages.server.spend_bot_game(request, live.table)
        answer = await self._do(request, make)
        for seat in self.pages.seats_of(request, live):  # everyone at this device, at one click
            if live.table.state == OVER:
                client = secrets.token_urlsafe(18)
                await self.pages.server.tables.do(
                    live.table.id, partial(acts.again, seat=seat, digits="", client=client)
                )
        return answer


async def _gone() -> AsyncIterator[bytes]:
    yield Sign.GONE.value


def is_covered(table: Table, visitor: Visitor) -> bool:
    """Does a cover stand before the table? It comes when it is another's turn to look, and stays
    until somebody says that it is they who look.
    """
    here, viewer = visitor.seats, visitor.viewer
    if len(here) < 2 or viewer not in here or not table.game.secrets or table.state == GATHERING:
        return False
    if table.state == OVER and visitor.look < 0:
        return False
    handed = max(table.handed.get((viewer, other), 0) for other in here if other != viewer)
    return visitor.look < handed


def _next_here(table: Table, visitor: Visitor) -> int:
    """Of several people at one device, whose turn it is to look."""
    viewer = visitor.viewer
    waiting = [seat for seat in visitor.seats if seat in table.waiting]
    if viewer in waiting or not waiting:
        return viewer
    return next((seat for seat in waiting if seat > viewer), waiting[0])

"""Who sits where: sitting down, private links, seats made anew, bots for empty chairs."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pelagos.bots import USUAL
from pelagos.engine.errors import PelagosError, text
from pelagos.tables import acts, tokens
from pelagos.tables.acts.checks import seat_of
from pelagos.tables.errors import Malformed, NotYours
from pelagos.tables.limits import BOT_GAMES, address_of
from pelagos.tables.server import given, status_of
from pelagos.tables.service import OpenTable
from pelagos.tables.table import BOT, GATHERING, OVER, SPECTATOR
from pelagos.web import art
from pelagos.web.cookies import NAME, opponent_of, reader_of, remember, remember_opponent
from pelagos.web.laying import Laying
from pelagos.web.marks import tints
from pelagos.web.pages import Pages, first, form_of, number_in
from pelagos.web.playing import Playing
from pelagos.web.reader import own_words

REASONS = {"leave": ("away", "asked", "wrong"), "issue": ("lost", "moves", "safety")}
"""Why somebody is thrown out, as keys: each reads them in their own language."""


class Seating:
    """The pages around a table's chairs."""

    def __init__(self, pages: Pages, laying: Laying, playing: Playing) -> None:
        self.pages = pages
        self.laying = laying
        self.playing = playing

    def routes(self) -> list[Route]:
        """Where they are."""
        page = self.pages.page
        return [
            Route("/t/{table}/sit", page(self.sit), methods=["POST"]),
            Route("/t/{table}/arrange", page(self.arrange), methods=["POST"]),
            Route("/t/{table}/bot", page(self.put_bot), methods=["POST"]),
            Route("/t/{table}/seats", page(self.seats)),
            Route("/t/{table}/seat/{seat:int}", page(self.own_link)),
            Route("/t/{table}/seat/{seat:int}", page(self.take_own), methods=["POST"]),
            Route("/t/{table}/issue", page(self.ask)),
            Route("/t/{table}/issue", page(self.issue), methods=["POST"]),
            Route("/t/{table}/leave", page(self.ask)),
            Route("/t/{table}/leave", page(self.leave), methods=["POST"]),
            Route("/t/{table}/qr.svg", page(self.code)),
        ]

    async def sit(self, request: Request) -> Response:
        """Take a free seat."""
        form = await form_of(request)
        live = await self.pages.server.find(request.path_params["table"])
        seat = number_in(form, "seat")
        answer = RedirectResponse(f"/t/{live.table.id}?seat={seat}", 303)
        name = first(form, "name")
        try:
            await self.laying.take(
                request, answer, live, seat, name, first(form, "bytes"), first(form, "client")
            )
        except PelagosError as error:
            return self._refuse_seat(request, live, seat, name, error)
        remember(request, answer, NAME, acts.clean_name(name))
        return answer

    def _refuse_seat(
        self, request: Request, live: OpenTable, seat: int, name: str, error: PelagosError
    ) -> Response:
        """The form again, with all that was typed, and why not."""
        typed = replace(reader_of(request), name=name)
        why, status = error.say(typed.language), status_of(error)
        if live.table.state != GATHERING:
            return self.show_seats(
                request, live, {}, {"reader": typed, "asked": seat, "why": why}, status
            )
        visitor = self.playing.visitor(request, live, SPECTATOR)
        visitor = replace(visitor, reader=typed, asked=seat)
        return self.playing.show(request, live, visitor, why, status)

    async def put_bot(self, request: Request) -> Response:
        """The host lets a bot have a seat."""
        form = await form_of(request)
        live = await self.pages.server.hosted(request, request.path_params["table"])
        seat, bot = number_in(form, "seat"), first(form, "bot")
        begun = live.table.state != GATHERING
        await self.pages.server.quotas.spend(BOT_GAMES, address_of(request.scope))
        await self.pages.server.tables.do(live.table.id, lambda now: acts.put_bot(now, seat, bot))
        back = "/seats" if first(form, "back") == "seats" else ""
        answer = RedirectResponse(f"/t/{live.table.id}{back}", 303)
        if not begun:
            remember_opponent(request, answer, live.table.game.id, [bot])
        return answer

    async def arrange(self, request: Request) -> Response:
        """The host lets two neighbours change places, before the first deal."""
        form = await form_of(request)
        live = await self.pages.server.hosted(request, request.path_params["table"])
        seat = number_in(form, "seat")
        order = list(range(live.table.players))
        if not 0 <= seat < len(order) - 1:
            raise Malformed(text("refuse.no_seat", seat=seat, last=len(order) - 1))
        order[seat : seat + 2] = [seat + 1, seat]
        await self.pages.server.tables.do(live.table.id, lambda now: acts.arrange(now, order))
        return RedirectResponse(f"/t/{live.table.id}", 303)

    async def own_link(self, request: Request) -> Response:
        """A seat's private address, opened. Looking takes no seat."""
        live, seat, key = await self._invited(request, request.query_params.get("key", ""))
        return self._show_own(request, live, seat, key, {})

    def _show_own(
        self,
        request: Request,
        live: OpenTable,
        seat: int,
        key: str,
        refused: Mapping[str, Any],
        status: int = 200,
    ) -> Response:
        reader, chair = reader_of(request), live.table.seats[seat]
        more = {
            "id": live.table.id,
            "seat": seat,
            "key": key,
            "title": live.table.game.titles[reader.language],
            "picture": art.title_picture(live.table.game.id),
            "tints": tints(live.table.colours),
            "taken": chair.name if chair.taken else "",
            "others": [
                name
                for number, name in enumerate(self.pages.names(live, reader))
                if number != seat and live.table.seats[number].taken
            ],
            **refused,
        }
        return self.pages.render(request, "seat.html", more, status)

    async def take_own(self, request: Request) -> Response:
        """Sit down at the seat of a private address, or come back to it."""
        form = await form_of(request)
        live, seat, key = await self._invited(request, first(form, "key"))
        table = live.table.id
        answer = RedirectResponse(f"/t/{table}?seat={seat}", 303)
        if live.table.seats[seat].taken:
            device, held = self.pages.device_of(request, live), live.table.seats[seat].issue
            await self.pages.server.tables.do(
                table, lambda now: acts.issue(now, seat, device, held=held)
            )
            await self.pages.keep_seat(request, answer, live, seat)
            return answer
        name, digits = first(form, "name"), first(form, "bytes")
        try:
            await self.laying.take(
                request, answer, live, seat, name, digits, first(form, "client"), invited=True
            )
        except Malformed as error:
            reader = replace(reader_of(request), name=name)
            refused = {"why": error.say(reader.language), "reader": reader}
            return self._show_own(request, live, seat, key, refused, 422)
        remember(request, answer, NAME, acts.clean_name(name))
        return answer

    async def _invited(self, request: Request, key: str) -> tuple[OpenTable, int, str]:
        """The table, seat and key of a private address whose key is good, or was when the host
        moved the seat.
        """
        live = await self.pages.server.find(request.path_params["table"])
        seat, tables = int(request.path_params["seat"]), self.pages.server.tables
        if (moved := tables.moved_to(live.table, seat, [key])) is not None:
            seat, key = moved, tables.token(live.table, moved)
        good = seat < live.table.players and live.table.seats[seat].kind != BOT
        if not good or not tables.holds(live.table, seat, [key]):
            ui = own_words(reader_of(request).language)
            raise NotYours(ui.text("links.used"))
        return live, seat, key

    async def seats(self, request: Request) -> Response:
        """Who sits where; the host hands out links and seats here."""
        live = await self.pages.server.find(request.path_params["table"])
        return self.show_seats(request, live, {})

    def show_seats(
        self,
        request: Request,
        live: OpenTable,
        fresh: Mapping[int, str],
        refused: Mapping[str, Any] | None = None,
        status: int = 200,
    ) -> Response:
        """The page of the seats; `fresh` are links that were made just now."""
        reader, table = reader_of(request), live.table
        host = self.pages.server.tables.hosts(table, given(request, table.id, tokens.HOST))
        held, address = self.pages.seats_of(request, live), self.pages.address(request, live)
        rows = []
        for seat, name in enumerate(self.pages.names(live, reader)):
            chair = table.seats[seat]
            link = fresh.get(seat, "")
            if host and not chair.taken and chair.kind != BOT:
                link = self.pages.seat_link(address, live, seat)
            rows.append(
                {
                    "number": seat,
                    "name": name,
                    "bot": chair.kind == BOT,
                    "taken": chair.taken,
                    "away": chair.away and seat not in held,
                    "mine": seat in held,
                    "link": link,
                    "code": qr_code(link).svg_data_uri(scale=4) if link else "",
                }
            )
        more = {
            "id": table.id,
            "table": {"id": table.id, "seats": table.seats},
            "title": table.game.titles[reader.language],
            "tints": tints(table.colours),
            "rows": rows,
            "chosen": [
                option.about[reader.language]
                for option in table.game.options
                if table.options.get(option.name) is True
            ],
            "host": host,
            "address": address,
            "over": table.state == OVER,
            "stand_in": opponent_of(request, table.game.id)
            if table.state == GATHERING
            else USUAL.id,
        }
        return self.pages.render(request, "seats.html", {**more, **(refused or {})}, status)

    async def ask(self, request: Request) -> Response:
        """Ask first what throws somebody out."""
        query = {"seat": [request.query_params.get("seat", "")]}
        live, seat = await self._may_unseat(request, number_in(query, "seat"))
        return self.show_question(request, live, seat)

    def show_question(self, request: Request, live: OpenTable, seat: int) -> Response:
        """The page that asks, and for what reason."""
        do = request.url.path.rpartition("/")[2]
        reader, mine = reader_of(request), seat in self.pages.seats_of(request, live)
        more = {
            "id": live.table.id,
            "title": live.table.game.titles[reader.language],
            "seat": seat,
            "tints": tints(live.table.colours),
            "name": self.pages.names(live, reader)[seat],
            "do": do,
            "what": f"{do}_own" if mine else do,
            "reasons": () if mine else REASONS[do],
        }
        return self.pages.render(request, "sure.html", more)

    async def _may_unseat(self, request: Request, seat: int) -> tuple[OpenTable, int]:
        """A table at which the asker is the host, or leaves this seat of their own."""
        table = request.path_params["table"]
        live = await self.pages.server.find(table)
        hosts = self.pages.server.tables.hosts(live.table, given(request, table, tokens.HOST))
        if not hosts:
            live = await self.pages.server.seated(request, table, seat)
        seat_of(live.table, seat)
        return live, seat

    def _dismissal(self, request: Request, live: OpenTable, why: str) -> dict[str, str]:
        """What is told to whoever is thrown out: by whom, and why."""
        own = [live.table.seats[seat].name for seat in self.pages.seats_of(request, live)]
        known = {reason for reasons in REASONS.values() for reason in reasons}
        return {"by": own[0] if own else "", "why": why if why in known else ""}

    async def issue(self, request: Request) -> Response:
        """The host makes a seat's link anew: for who lost theirs."""
        form = await form_of(request)
        live, seat = await self._may_unseat(request, number_in(form, "seat"))
        if not first(form, "sure"):
            return self.show_question(request, live, seat)
        mine = seat in self.pages.seats_of(request, live)
        device = self.pages.device_of(request, live) if mine else ""
        dismissal = None if mine else self._dismissal(request, live, first(form, "why"))
        await self.pages.server.tables.pass_on(live.table.id, seat, device, dismissal)
        link = self.pages.seat_link(self.pages.address(request, live), live, seat)
        answer = self.show_seats(request, live, {seat: link})
        if mine:
            await self.pages.keep_seat(request, answer, live, seat)
        return answer

    async def leave(self, request: Request) -> Response:
        """Give up a seat of one's own; the host frees any."""
        form = await form_of(request)
        live, seat = await self._may_unseat(request, number_in(form, "seat"))
        if not first(form, "sure"):
            return self.show_question(request, live, seat)
        table = live.table.id
        mine = seat in self.pages.seats_of(request, live)
        dismissal = None if mine else self._dismissal(request, live, first(form, "why"))
        await self.pages.server.tables.do(table, lambda now: acts.leave(now, seat, dismissal))
        answer = RedirectResponse(f"/t/{table}/seats", 303)
        answer.delete_cookie(tokens.cookie_name(table, str(seat)))
        return answer

    async def code(self, request: Request) -> Response:
        """The table's address as a QR code."""
        live = await self.pages.server.find(request.path_params["table"])
        out = io.BytesIO()
        address = self.pages.address(request, live)
        qr_code(address).save(out, kind="svg", scale=4, dark="#0b2239", light="#fff")
        return Response(out.getvalue(), media_type="image/svg+xml")


def qr_code(address: str) -> Any:
    """An address for phones to scan."""
    import segno

    return segno.make(address, error="m")

"""The pages' addresses, beside the JSON API in the same process."""

from __future__ import annotations

import asyncio
import io
import json
import re
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, quote

import segno
from fastapi import FastAPI
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route

from pelagos.bots import LADDER
from pelagos.engine.errors import PelagosError
from pelagos.engine.game import Game, find_game, games
from pelagos.engine.record import SUFFIX
from pelagos.engine.words import LANGUAGES, words
from pelagos.tables import acts, fairness, tokens
from pelagos.tables.api import Desk, given, keep, make_app, status_of
from pelagos.tables.errors import Malformed, NotFound, NotYours, TooMuch
from pelagos.tables.message import record as table_record
from pelagos.tables.service import Live
from pelagos.tables.settings import Settings
from pelagos.tables.streams import compressed, follow
from pelagos.tables.table import (
    BOT,
    FREE,
    GATHERING,
    OPEN,
    OVER,
    PERSON,
    PLAYING,
    SPECTATOR,
    Finished,
)
from pelagos.web import assets, daily, replay
from pelagos.web.drawing import Drawing, environment, names_of
from pelagos.web.reader import (
    LANGUAGE,
    NAME,
    PLAIN,
    THEME,
    THEMES,
    Reader,
    own_words,
    reader_of,
    refusal,
    remember,
)
from pelagos.web.rules import rules_of

POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; media-src 'self'; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
USUAL = "turtle"
"""The bot that sits down when nobody says which."""
MOST_OWN = 40
"""Tables that the front page lists."""
_COOKIE = re.compile(r"pelagos-([A-Za-z0-9_-]{22})-(\d)")
_BY_SCRIPT = "x-pelagos"
"""A header that our own script sends: it wants a part of a page, not a page."""

Answer = Callable[[Request], Awaitable[Response]]


def make_site(where: Any, settings: Settings | None = None, public: str = "") -> FastAPI:
    """The whole server: the API with the pages beside it; `where` as for `make_app`.

    `public` is how others reach it: links that are made at this machine name it.
    """
    app = make_app(where, settings)
    app.mount("/", Site(app.state.desk, public).app)
    return app


async def form_of(request: Request) -> dict[str, list[str]]:
    """What a form sent."""
    body = (await request.body()).decode("utf-8", "replace")
    return parse_qs(body, keep_blank_values=True, max_num_fields=100)


def first(form: Mapping[str, list[str]], name: str, default: str = "") -> str:
    """A field's first value."""
    found = form.get(name)
    return found[0] if found else default


def number_in(form: Mapping[str, list[str]], name: str) -> int:
    """A field that must be a whole number."""
    text = first(form, name)
    if not re.fullmatch(r"-?\d{1,7}", text):
        raise Malformed(f"{name} must be a number.")
    return int(text)


class Site:
    """The pages of one server."""

    def __init__(self, desk: Desk, public: str = "") -> None:
        self.desk = desk
        self.public = public
        self.assets = assets.Assets()
        page, act = self._page, self._page
        self.app = Starlette(
            routes=[
                Route("/", page(self.front)),
                Route("/static/{owner}/{name:path}", self.static),
                Route("/settings", act(self.settle), methods=["POST"]),
                Route("/rules/{game}", page(self.rules)),
                Route("/art", page(self.art)),
                Route("/daily", act(self.play_daily), methods=["POST"]),
                Route("/play/{game}", act(self.play), methods=["POST"]),
                Route("/invite/{game}", act(self.invite), methods=["POST"]),
                Route("/new/{game}", page(self.new)),
                Route("/new/{game}", act(self.create), methods=["POST"]),
                Route("/t/{table}", page(self.table)),
                Route("/t/{table}/stream", page(self.stream)),
                Route("/t/{table}/sit", act(self.sit), methods=["POST"]),
                Route("/t/{table}/bot", act(self.put_bot), methods=["POST"]),
                Route("/t/{table}/seats", page(self.seats)),
                Route("/t/{table}/seat/{seat:int}", page(self.own_link)),
                Route("/t/{table}/seat/{seat:int}", act(self.take_own), methods=["POST"]),
                Route("/t/{table}/issue", act(self.issue), methods=["POST"]),
                Route("/t/{table}/leave", act(self.leave), methods=["POST"]),
                Route("/t/{table}/act", act(self.act), methods=["POST"]),
                Route("/t/{table}/undo", act(self.undo), methods=["POST"]),
                Route("/t/{table}/orders", act(self.orders), methods=["POST"]),
                Route("/t/{table}/again", act(self.again), methods=["POST"]),
                Route("/t/{table}/fair", page(self.fair)),
                Route("/t/{table}/replay", page(self.replay)),
                Route("/t/{table}/replay", act(self.play_on), methods=["POST"]),
                Route("/t/{table}/record", page(self.record)),
                Route("/t/{table}/qr.svg", page(self.code)),
            ],
            exception_handlers={HTTPException: self._lost},
        )
        self.app.router.redirect_slashes = False

    # --- what all pages have in common ----------------------------------------------------------

    def _page(self, answer: Answer) -> Answer:
        """An answer with the policy on it, and a sentence where something is refused."""

        async def answered(request: Request) -> Response:
            try:
                found = await answer(request)
            except PelagosError as error:
                found = self.sorry(request, str(error), status_of(error))
            found.headers["Content-Security-Policy"] = POLICY
            return found

        return answered

    async def _lost(self, request: Request, error: Exception) -> Response:
        ui = own_words(reader_of(request).language)
        status = error.status_code if isinstance(error, HTTPException) else 500
        answer = self.sorry(request, ui.text("error.not_found"), status)
        answer.headers["Content-Security-Policy"] = POLICY
        return answer

    def sorry(self, request: Request, why: str, status: int) -> Response:
        """A page, or a sentence for our script, that tells why not."""
        why = refusal(why, reader_of(request).language)
        if request.headers.get(_BY_SCRIPT):
            return Response(why, status, {"X-Pelagos-Why": quote(why)}, "text/plain")
        return self.render(request, "error.html", {"why": why, "status": status}, status)

    def common(self, request: Request) -> dict[str, Any]:
        """What every page's template may ask."""
        reader = reader_of(request)
        ui = own_words(reader.language)
        query = f"?{request.url.query}" if request.url.query else ""
        here = request.url.path + query if request.method == "GET" else "/"

        def tell(key: str, **params: Any) -> str:
            return ui.text(key, params)

        return {
            "ui": tell,
            "reader": reader,
            "language": reader.language,
            "here": here,
            "tag": self.assets.tag(),
            "why": "",
            "ladder": LADDER,
            "client": secrets.token_urlsafe(18),
        }

    def render(
        self, request: Request, template: str, more: Mapping[str, Any], status: int = 200
    ) -> Response:
        """A page."""
        found = environment().get_template(template)
        return HTMLResponse(found.render({**self.common(request), **more}), status)

    async def static(self, request: Request) -> Response:
        """A file."""
        return self.assets.answer(
            request, request.path_params["owner"], request.path_params["name"]
        )

    # --- the front page -------------------------------------------------------------------------

    async def front(self, request: Request) -> Response:
        """The games, and the reader's own tables: those that wait for them first."""
        reader = reader_of(request)
        shown = [
            {
                "game": game,
                "title": game.titles[reader.language],
                "about": game.about[reader.language],
                "players": players_of(game, reader),
                "picture": assets.title_picture(game.id),
                "client": secrets.token_urlsafe(18),
            }
            for game in games().values()
            if game.package.startswith("pelagos.")
        ]
        tables = await self.own_tables(request, reader)
        more = {"games": shown, "tables": tables, "daily": await self.daily_of(request)}
        return self.render(request, "front.html", more)

    async def daily_of(self, request: Request) -> dict[str, Any]:
        """The deal of the day, and how this browser stands with it."""
        reader = reader_of(request)
        ui = own_words(reader.language)
        deal = daily.of(daily.today())
        bot = next(one for one in LADDER if one.id == daily.OPPONENT)
        live = await self.daily_table(request, deal)
        return {
            "date": daily.written(deal.day, reader.language),
            "game": deal.game,
            "title": deal.game.titles[reader.language],
            "picture": assets.title_picture(deal.game.id),
            "against": ui.text(
                "daily.against", {"count": deal.players - 1, "bot": bot.names[reader.language]}
            ),
            "table": "" if live is None else live.table.id,
            "result": None if live is None else self.daily_result(live, reader),
        }

    async def daily_table(self, request: Request, deal: daily.Daily) -> Live | None:
        """The table at which this browser plays the day's deal."""
        day, _, table = request.cookies.get(daily.COOKIE, "").partition(".")
        if day != deal.day.isoformat():
            return None
        try:
            live = await self.desk.find(table)
        except PelagosError:
            return None
        return live if live.table.deal == deal.text and not live.table.broken else None

    def daily_result(self, live: Live, reader: Reader) -> dict[str, Any] | None:
        """What the player's first game here came to."""
        day = daily.day_of(live.table.deal)
        if day is None or not live.table.finished:
            return None
        ui = own_words(reader.language)
        match = live.table.finished[0].match
        scores = list(match.scores)
        ranks = [(seat in match.winners, score) for seat, score in enumerate(scores)]
        place = 1 + sum(rank > ranks[0] for rank in ranks)
        params = {
            "date": daily.written(day, reader.language),
            "game": live.table.game.titles[reader.language],
            "points": scores[0],
            "place": ui.text(f"daily.place{min(place, 4)}", {"place": place}),
            "count": len(scores),
        }
        return {**params, "line": ui.text("daily.line", params)}

    async def play_daily(self, request: Request) -> Response:
        """The deal of the day; asked again, the table that is begun."""
        deal = daily.of(daily.today())
        live = await self.daily_table(request, deal)
        if live is not None:
            return RedirectResponse(f"/t/{live.table.id}", 303)
        wishes = ["me"] + [daily.OPPONENT] * (deal.players - 1)
        options = {"players": deal.players}
        form = await form_of(request)
        answer = await self.lay(request, deal.game, options, wishes, form, deal.text)
        table = answer.headers["location"].removeprefix("/t/")
        remember(request, answer, daily.COOKIE, f"{deal.day.isoformat()}.{table}")
        return answer

    async def own_tables(self, request: Request, reader: Reader) -> list[dict[str, Any]]:
        """The tables at which this browser sits."""
        ui = own_words(reader.language)
        found: dict[str, dict[str, Any]] = {}
        for cookie in request.cookies:
            told = _COOKIE.fullmatch(cookie)
            if told is None or len(found) >= MOST_OWN:
                continue
            table, seat = told[1], int(told[2])
            try:
                live = await self.desk.find(table)
                self.desk.tables.check(live.table, seat, given(request, table, str(seat)))
            except PelagosError:
                continue
            if live.table.broken:
                continue
            state = _state(live, seat)
            if table in found and _ORDER.index(found[table]["state"]) <= _ORDER.index(state):
                continue
            seats = {"seats": _about_seats(live)}
            others = [
                name
                for number, name in enumerate(names_of(seats, reader.language, ui))
                if number != seat and live.table.seats[number].taken
            ]
            found[table] = {
                "id": table,
                "title": live.table.game.titles[reader.language],
                "picture": assets.title_picture(live.table.game.id),
                "with": ", ".join(others),
                "state": state,
                "used": live.used,
            }
        return sorted(found.values(), key=lambda one: (_ORDER.index(one["state"]), -one["used"]))

    async def settle(self, request: Request) -> Response:
        """Keep the reader's language, theme or name."""
        form = await form_of(request)
        back = first(form, "back", "/")
        answer = RedirectResponse(back if _is_here(back) else "/", 303)
        if first(form, "language") in LANGUAGES:
            remember(request, answer, LANGUAGE, first(form, "language"))
        if first(form, "theme") in THEMES:
            remember(request, answer, THEME, first(form, "theme"))
        if first(form, "plain") in ("0", "1"):
            remember(request, answer, PLAIN, first(form, "plain"))
        return answer

    async def rules(self, request: Request) -> Response:
        """A game's rules."""
        game = find_game(request.path_params["game"])
        reader = reader_of(request)
        found = rules_of(game.id, reader.language)
        if found is None:
            raise HTTPException(404)
        more = {
            "rules": found,
            "title": game.titles[reader.language],
            "game": game,
            "players": players_of(game, reader),
            "picture": assets.title_picture(game.id),
        }
        return self.render(request, "rules.html", more)

    async def art(self, request: Request) -> Response:
        """Every symbol, in three sizes, by day and by night."""
        reader = reader_of(request)
        ui = own_words(reader.language)
        sets: list[dict[str, Any]] = [
            {
                "id": game.id,
                "title": game.titles[reader.language],
                "picture": assets.title_picture(game.id),
                "sprite": f"/static/{game.id}/sprite.svg",
                "symbols": [
                    (name, _called(game, name, reader.language))
                    for name in sorted(assets.art_names(game.id), key=_things_first(game))
                ],
            }
            for game in games().values()
            if game.package.startswith("pelagos.")
        ]
        icons = assets.symbol_names((assets.STATIC / "icons.svg").read_text(encoding="utf-8"))
        own = [(name, name) for name in sorted(icons)]
        sets.append(
            {
                "id": "icons",
                "title": ui.text("art.icons"),
                "picture": "",
                "sprite": "/static/app/icons.svg",
                "symbols": own,
            }
        )
        return self.render(request, "art.html", {"sets": sets})

    # --- laying a table -------------------------------------------------------------------------

    async def play(self, request: Request) -> Response:
        """Against bots, at once."""
        game = find_game(request.path_params["game"])
        players = game.default_players
        wishes = ["me"] + [USUAL] * (players - 1)
        return await self.lay(request, game, {"players": players}, wishes, await form_of(request))

    async def invite(self, request: Request) -> Response:
        """A table with one friend, and a link."""
        game = find_game(request.path_params["game"])
        players = 2 if 2 in game.players else game.players[-1]
        wishes = ["me"] + ["open"] * (players - 1)
        return await self.lay(request, game, {"players": players}, wishes, await form_of(request))

    async def new(self, request: Request, why: str = "") -> Response:
        """Choose seats and options."""
        game = find_game(request.path_params["game"])
        told = request.query_params
        asked = (told.getlist("players") or [""])[-1]  # the button's, after the form's own
        players = int(asked) if asked.isdigit() and int(asked) in game.players else 0
        players = players or game.default_players
        reader = reader_of(request)
        usual = ["me"] + [USUAL] * (players - 1)
        more = {
            "game": game,
            "game_id": game.id,
            "title": game.titles[reader.language],
            "players": players,
            "wishes": [told.get(f"seat{seat}", usual[seat]) for seat in range(players)],
            "names_told": [told.get(f"name{seat}", "") for seat in range(players)],
            "my_name": told.get("name", reader.name),
            "picture": assets.title_picture(game.id),
            "paces": (),
            "why": why,
        }
        return self.render(request, "new.html", more, 422 if why else 200)

    async def create(self, request: Request) -> Response:
        """Lay the table that was asked for."""
        game = find_game(request.path_params["game"])
        form = await form_of(request)
        players = number_in(form, "players")
        options: dict[str, Any] = {"players": players}
        for option in game.options:
            told = first(form, f"option-{option.name}")
            if isinstance(option.default, bool):
                options[option.name] = bool(told)
            elif told:
                options[option.name] = int(told) if told.isdigit() else told
        wishes = [first(form, f"seat{seat}", USUAL) for seat in range(max(0, min(players, 8)))]
        return await self.lay(request, game, options, wishes, form)

    async def lay(
        self,
        request: Request,
        game: Game,
        options: Mapping[str, Any],
        wishes: list[str],
        form: Mapping[str, list[str]],
        deal: str = "",
    ) -> Response:
        """A new table, with the asker at it."""
        reader = reader_of(request)
        ui = own_words(reader.language)
        self.desk.new_tables.spend(request.client.host if request.client else "")
        await self.desk.tables.ready(game.id)
        seats = [
            {"kind": _KINDS[wish]} if wish in _KINDS else {"kind": BOT, "bot": wish}
            for wish in wishes
        ]
        previews = "players" not in form or "previews" in form
        pace = first(form, "pace", FREE)
        entries = acts.create(game.id, options, seats, previews=previews, deal=deal, pace=pace)
        live = await self.desk.tables.create(entries)
        table = live.table.id
        answer = RedirectResponse(f"/t/{table}", 303)
        keep(request, answer, table, tokens.HOST, self.desk.tables.host_token(live.table))
        name = first(form, "name").strip() or reader.name or ui.text("site.sailor")
        sitting = [seat for seat, wish in enumerate(wishes) if wish == "me"]
        sitting += [seat for seat, wish in enumerate(wishes) if wish == "here"]
        for order, seat in enumerate(sitting):
            called = first(form, f"name{seat}").strip() if order else name
            called = called or ui.text("seat.empty", {"number": seat + 1})
            digits = first(form, "bytes") if order == 0 else secrets.token_hex(32)
            client = secrets.token_urlsafe(18)
            await self._take(request, answer, live, seat, called, digits, client)
        if not sitting and all(one.kind == BOT for one in live.table.seats):
            await self.desk.tables.do(table, acts.start)
        if first(form, "name").strip():
            remember(request, answer, NAME, name[:40])
        return answer

    async def _take(
        self,
        request: Request,
        answer: Response,
        live: Live,
        seat: int,
        name: str,
        digits: str,
        client: str,
        invited: bool = False,
    ) -> None:
        """Sit somebody down, and let the browser keep the seat's secret."""
        table = live.table.id
        await self.desk.tables.do(
            table, lambda now: acts.sit(now, seat, name, digits, client, invited)
        )
        keep(request, answer, table, str(seat), self.desk.tables.token(live.table, seat))

    async def sit(self, request: Request) -> Response:
        """Take a free seat."""
        form = await form_of(request)
        live = await self.desk.find(request.path_params["table"])
        seat = number_in(form, "seat")
        answer = RedirectResponse(f"/t/{live.table.id}?seat={seat}", 303)
        name = first(form, "name")
        try:
            await self._take(
                request, answer, live, seat, name, first(form, "bytes"), first(form, "client")
            )
        except PelagosError as error:
            return self.show(
                request,
                live,
                SPECTATOR,
                refusal(str(error), reader_of(request).language),
                status_of(error),
            )
        remember(request, answer, NAME, acts.clean_name(name))
        return answer

    async def put_bot(self, request: Request) -> Response:
        """The host lets a bot have a seat."""
        form = await form_of(request)
        live = await self.desk.hosted(request, request.path_params["table"])
        seat, bot = number_in(form, "seat"), first(form, "bot")
        await self.desk.tables.do(live.table.id, lambda now: acts.put_bot(now, seat, bot))
        back = "/seats" if first(form, "back") == "seats" else ""
        return RedirectResponse(f"/t/{live.table.id}{back}", 303)

    def origin(self, request: Request) -> str:
        """The beginning of a link that others can open, as far as we know."""
        here = f"{request.url.scheme}://{request.headers.get('host', '')}"
        return self.public if self.public and _is_local(request) else here

    # --- who sits where -------------------------------------------------------------------------

    def seat_link(self, request: Request, live: Live, seat: int) -> str:
        """The private address of a seat: whoever opens it may sit down there, once."""
        key = self.desk.tables.token(live.table, seat)
        return f"{self.origin(request)}/t/{live.table.id}/seat/{seat}?key={quote(key)}"

    async def own_link(self, request: Request) -> Response:
        """A seat's private address, opened. Looking takes no seat."""
        live, seat = await self._invited(request, [request.query_params.get("key", "")])
        reader, chair = reader_of(request), live.table.seats[seat]
        more = {
            "id": live.table.id,
            "seat": seat,
            "key": request.query_params["key"],
            "title": live.table.game.titles[reader.language],
            "picture": assets.title_picture(live.table.game.id),
            "taken": chair.name if chair.taken else "",
            "others": [
                name
                for number, name in enumerate(self.names(live, reader))
                if number != seat and live.table.seats[number].taken
            ],
        }
        return self.render(request, "seat.html", more)

    async def take_own(self, request: Request) -> Response:
        """Sit down at the seat of a private address, or come back to it."""
        form = await form_of(request)
        live, seat = await self._invited(request, [first(form, "key")])
        table = live.table.id
        answer = RedirectResponse(f"/t/{table}?seat={seat}", 303)
        if live.table.seats[seat].taken:
            await self.desk.tables.do(table, lambda now: acts.issue(now, seat))
            keep(request, answer, table, str(seat), self.desk.tables.token(live.table, seat))
            return answer
        name, digits = first(form, "name"), first(form, "bytes")
        await self._take(
            request, answer, live, seat, name, digits, first(form, "client"), invited=True
        )
        remember(request, answer, NAME, acts.clean_name(name))
        return answer

    async def _invited(self, request: Request, keys: list[str]) -> tuple[Live, int]:
        """The table and seat of a private address whose key is good."""
        live = await self.desk.find(request.path_params["table"])
        seat = int(request.path_params["seat"])
        good = seat < live.table.players and live.table.seats[seat].kind != BOT
        if not good or not self.desk.tables.holds(live.table, seat, keys):
            ui = own_words(reader_of(request).language)
            raise NotYours(ui.text("links.used"))
        return live, seat

    def names(self, live: Live, reader: Reader) -> list[str]:
        """The seats' names for this reader."""
        return names_of({"seats": _about_seats(live)}, reader.language, own_words(reader.language))

    async def seats(self, request: Request) -> Response:
        """Who sits where; the host hands out links and seats here."""
        live = await self.desk.find(request.path_params["table"])
        return self.show_seats(request, live, {})

    def show_seats(self, request: Request, live: Live, fresh: Mapping[int, str]) -> Response:
        """The page of the seats; `fresh` are links that were made just now."""
        reader, table = reader_of(request), live.table
        host = self.desk.tables.hosts(table, given(request, table.id, tokens.HOST))
        held = self.seats_of(request, live)
        rows = []
        for seat, name in enumerate(self.names(live, reader)):
            chair = table.seats[seat]
            link = fresh.get(seat, "")
            if host and not chair.taken and chair.kind != BOT:
                link = self.seat_link(request, live, seat)
            rows.append(
                {
                    "number": seat,
                    "name": name,
                    "bot": chair.kind == BOT,
                    "taken": chair.taken,
                    "mine": seat in held,
                    "link": link,
                    "code": segno.make(link, error="m").svg_data_uri(scale=4) if link else "",
                }
            )
        more = {
            "id": table.id,
            "title": table.game.titles[reader.language],
            "rows": rows,
            "host": host,
            "address": f"{self.origin(request)}/t/{table.id}",
            "over": table.state == OVER,
        }
        return self.render(request, "seats.html", more)

    async def issue(self, request: Request) -> Response:
        """The host makes a seat's link anew: for who lost theirs."""
        form = await form_of(request)
        live = await self.desk.hosted(request, request.path_params["table"])
        seat = number_in(form, "seat")
        await self.desk.tables.do(live.table.id, lambda now: acts.issue(now, seat))
        answer = self.show_seats(request, live, {seat: self.seat_link(request, live, seat)})
        if seat in self.seats_of(request, live):
            keep(
                request, answer, live.table.id, str(seat), self.desk.tables.token(live.table, seat)
            )
        return answer

    async def leave(self, request: Request) -> Response:
        """Give up a seat of one's own; the host frees any."""
        form = await form_of(request)
        table = request.path_params["table"]
        seat = number_in(form, "seat")
        live = await self.desk.find(table)
        if not self.desk.tables.hosts(live.table, given(request, table, tokens.HOST)):
            await self.desk.seated(request, table, seat)
        await self.desk.tables.do(table, lambda now: acts.leave(now, seat))
        answer = RedirectResponse(f"/t/{table}/seats", 303)
        answer.delete_cookie(tokens.cookie_name(table, str(seat)))
        return answer

    # --- the table ------------------------------------------------------------------------------

    def seats_of(self, request: Request, live: Live) -> list[int]:
        """The seats that this browser holds."""
        table = live.table
        return [
            seat
            for seat in range(table.players)
            if table.seats[seat].kind != BOT
            and table.seats[seat].taken
            and self.desk.tables.holds(table, seat, given(request, table.id, str(seat)))
        ]

    def viewer_of(self, request: Request, live: Live) -> int:
        """Through whose eyes the page is: the seat asked for, if this browser holds it."""
        held = self.seats_of(request, live)
        asked = request.query_params.get("seat", "")
        if asked.isdigit() and int(asked) in held:
            return int(asked)
        owing = [seat for seat in held if seat in live.table.waiting]
        return (owing or held or [SPECTATOR])[0] if asked != "-1" else SPECTATOR

    def more(self, request: Request, live: Live) -> dict[str, Any]:
        """What a table's part of the page may ask beside the message."""
        host = self.desk.tables.hosts(live.table, given(request, live.table.id, tokens.HOST))
        return {
            "host": host,
            "address": f"{self.origin(request)}/t/{live.table.id}",
            "why": "",
            "lonely": _is_local(request) and not self.public,
            "held": self.seats_of(request, live),
            "stay": request.query_params.get("stay", ""),
            "hide": request.query_params.get("hide", ""),
            "link_to": lambda seat: self.seat_link(request, live, seat),
        }

    def inside(self, live: Live, drawing: Drawing, more: Mapping[str, Any]) -> str:
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
        result = self.daily_result(live, drawing.reader) if len(table.finished) == 1 else None
        line = "" if result is None else result["line"]
        picture = assets.title_picture(table.game.id)
        return drawing.inside({**more, "daily_line": line, "links": links, "picture": picture})

    async def table(self, request: Request) -> Response:
        """A table, as the viewer may see it. Looking takes no seat."""
        live = await self.desk.find(request.path_params["table"])
        viewer = self.viewer_of(request, live)
        hide = "seat" not in request.query_params and len(self.seats_of(request, live)) > 1
        return self.show(request, live, viewer, hide=hide)

    def show(
        self,
        request: Request,
        live: Live,
        viewer: int,
        why: str = "",
        status: int = 200,
        hide: bool = False,
    ) -> Response:
        """The whole page; with `hide` a cover first, until the viewer says that they look."""
        if live.table.broken:
            return self.sorry(request, live.table.broken, 410)
        drawing = self.drawing(request, live, viewer)
        more = {**self.more(request, live), "why": why}
        more["hide"] = more["hide"] or hide
        game, plain = live.table.game.id, reader_of(request).plain
        whole = {
            **drawing.context(),
            **more,
            "inside": Markup(self.inside(live, drawing, more)),
            "own_css": not plain and assets.table_file(game, "table.css"),
            "own_js": not plain and assets.table_file(game, "table.js"),
            "my_seats": more["held"],
            "here": f"/t/{live.table.id}",
        }
        return self.render(request, "table.html", whole, status)

    def drawing(self, request: Request, live: Live, viewer: int) -> Drawing:
        """The viewer's newest message, ready to be drawn."""
        message = json.loads(live.message(viewer)[1])
        return Drawing(live.table, message, reader_of(request))

    def part(
        self, request: Request, live: Live, viewer: int, why: str = "", status: int = 200
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
        live = await self.desk.find(request.path_params["table"])
        asked = request.query_params.get("seat", "-1")
        viewer = int(asked) if asked.isdigit() else SPECTATOR
        table, desk = live.table.id, self.desk
        if viewer != SPECTATOR:
            desk.tables.check(live.table, viewer, given(request, table, asked))
        address = request.client.host if request.client else ""
        if desk.settings.limits and desk.streams.get(address, 0) >= desk.settings.streams:
            raise TooMuch("Too many streams are open from this address.")
        secret = given(request, table, str(viewer))
        reader, more = reader_of(request), self.more(request, live)

        def may_see() -> bool:
            return viewer == SPECTATOR or desk.tables.holds(live.table, viewer, secret)

        async def drawn() -> AsyncIterator[bytes]:
            desk.streams[address] = desk.streams.get(address, 0) + 1
            try:
                async for wired in follow(live, viewer, may_see, desk.settings.beat, desk.metrics):
                    yield self._draw_wired(wired, live, reader, more)
                    await asyncio.sleep(0)
            finally:
                desk.streams[address] -= 1
                if not desk.streams[address]:
                    del desk.streams[address]

        headers = {"X-Accel-Buffering": "no"}
        messages = drawn()
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
            headers["Vary"] = "Accept-Encoding"
            messages = compressed(messages)
        return StreamingResponse(messages, headers=headers, media_type="text/event-stream")

    def _draw_wired(
        self, wired: bytes, live: Live, reader: Reader, more: Mapping[str, Any]
    ) -> bytes:
        """A message of the JSON stream as a drawn one; beats pass as they are."""
        head, found, data = wired.partition(b"event: view\ndata: ")
        if not found:
            return wired
        message = json.loads(data)
        text = self.inside(live, Drawing(live.table, message, reader), more)
        told = json.dumps({"number": message["number"], "html": text}, ensure_ascii=False)
        return head + found + told.encode() + b"\n\n"

    async def _do(self, request: Request, make: Callable[..., Any]) -> Response:
        """Something that a seat does: answered with how things stand, done or refused."""
        form = await form_of(request)
        seat = number_in(form, "seat")
        table = request.path_params["table"]
        live = await self.desk.seated(request, table, seat)
        self.desk.by_seat.spend(f"{table}/{seat}")
        why, status = "", 200
        try:
            await self.desk.tables.do(table, lambda now: make(now, seat, form))
        except PelagosError as error:
            if status_of(error) != 409:
                raise
            why, status = refusal(str(error), reader_of(request).language), 409
        if request.headers.get(_BY_SCRIPT):
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
        live = await self.desk.find(request.path_params["table"])
        for seat in self.seats_of(request, live):  # everyone at this device, at one click
            digits, client = secrets.token_hex(32), secrets.token_urlsafe(18)
            if live.table.state == OVER:
                await self.desk.tables.do(
                    live.table.id,
                    lambda now, seat=seat, digits=digits, client=client: acts.again(
                        now, seat, digits, client
                    ),
                )
        return answer

    # --- after the game -------------------------------------------------------------------------

    async def fair(self, request: Request) -> Response:
        """Was the shuffle fair?"""
        live = await self.desk.find(request.path_params["table"])
        checks = []
        for finished in live.table.finished:
            record = finished.record()
            try:
                fairness.check(record)
                why = ""
            except PelagosError as error:
                why = str(error)
            checks.append({**record["fairness"], "seed": record["seed"], "why": why})
        commitment = fairness.commitment(live.table.secret)
        more = {
            "checks": checks,
            "id": live.table.id,
            "commitment": commitment,
            "deal": live.table.deal,
            "day": daily.day_of(live.table.deal),
        }
        return self.render(request, "fair.html", more)

    async def replay(self, request: Request) -> Response:
        """A finished game again, step by step."""
        live = await self.desk.find(request.path_params["table"])
        told, reader = request.query_params, reader_of(request)
        finished, number = _which(live, told.get("game", ""))
        length = replay.length(finished)
        asked = told.get("at", "0")
        at = min(int(asked), length) if asked.isdigit() else 0
        eyes = told.get("eyes") or str(max(0, self.viewer_of(request, live)))
        then = replay.at(live.table, finished, at)
        eyed = replace(reader, plain=reader.plain or eyes == replay.OPEN_EYES)
        drawing = Drawing(then, replay.message_of(then, eyes, at), eyed)
        around = {"host": False, "address": "", "why": "", "daily_line": ""}
        inside = drawing.inside(around)
        if request.headers.get(_BY_SCRIPT):
            return HTMLResponse(inside, headers={"X-Pelagos-Number": str(at)})
        game = live.table.game.id
        more = {
            **drawing.context(),
            **around,
            "inside": Markup(inside),
            "own_css": not eyed.plain and assets.table_file(game, "table.css"),
            "own_js": not eyed.plain and assets.table_file(game, "table.js"),
            "my_seats": [],
            "hide": False,
            "stay": "",
            "at": at,
            "length": length,
            "eyes": eyes,
            "game_number": number,
            "here": f"/t/{live.table.id}/replay?game={number}&at={at}&eyes={eyes}",
        }
        return self.render(request, "replay.html", more)

    async def play_on(self, request: Request) -> Response:
        """Go on from a position of a finished game, against bots, at a table of its own."""
        form = await form_of(request)
        live = await self.desk.find(request.path_params["table"])
        reader = reader_of(request)
        finished, _ = _which(live, first(form, "game"))
        at = max(0, min(number_in(form, "at"), replay.length(finished) - 1))
        told = first(form, "eyes")
        seat = int(told) if told.isdigit() and int(told) < live.table.players else 0
        self.desk.new_tables.spend(request.client.host if request.client else "")
        entries = replay.play_on(live.table, finished, at, seat, USUAL)
        name = reader.name or own_words(reader.language).text("site.sailor")
        sits = {"do": "sit", "seat": seat, "name": name, "bytes": "", "holder": ""}
        made = await self.desk.tables.create([entries[0], sits, *entries[1:]])
        answer = RedirectResponse(f"/t/{made.table.id}", 303)
        keep(request, answer, made.table.id, tokens.HOST, self.desk.tables.host_token(made.table))
        token = self.desk.tables.token(made.table, seat)
        keep(request, answer, made.table.id, str(seat), token)
        return answer

    async def record(self, request: Request) -> Response:
        """The game's record: whole when it is over, else what the viewer may know."""
        live = await self.desk.find(request.path_params["table"])
        asked = request.query_params.get("game", "")
        game = int(asked) if asked.isdigit() else None
        found = table_record(live.table, self.viewer_of(request, live), game)
        name = f"{live.table.game.id}-{live.table.id[:8]}{SUFFIX}"
        return Response(
            json.dumps(found, ensure_ascii=False, indent=1),
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
            media_type="application/json",
        )

    async def code(self, request: Request) -> Response:
        """The table's address as a QR code."""
        live = await self.desk.find(request.path_params["table"])
        out = io.BytesIO()
        address = self.more(request, live)["address"]
        segno.make(address, error="m").save(out, kind="svg", scale=4, dark="#0b2239", light="#fff")
        return Response(out.getvalue(), media_type="image/svg+xml")


_KINDS = {"me": OPEN, "open": OPEN, "here": OPEN, "kept": PERSON}
"""What a seat is asked to be, if no bot's."""
_ORDER = ("your_move", "gathering", "waiting", "over")


def _state(live: Live, seat: int) -> str:
    if live.table.state == GATHERING:
        return "gathering"
    if live.table.state == OVER:
        return "over"
    return "your_move" if seat in live.table.waiting else "waiting"


def _which(live: Live, asked: str) -> tuple[Finished, int]:
    """A finished game of a table by its number; the newest if none is named."""
    finished = live.table.finished
    number = int(asked) if asked.isdigit() and len(asked) < 7 else len(finished) - 1
    if not 0 <= number < len(finished):
        raise NotFound("This game isn't over yet.")
    return finished[number], number


def _next_here(live: Live, me: int | None, more: Mapping[str, Any]) -> int | None:
    """Of several people at one device, whose turn it is to look, if not the viewer's."""
    held, table = more["held"], live.table
    if len(held) < 2 or table.state != PLAYING:
        return None
    owing = [seat for seat in held if seat in table.waiting]
    if more["hide"] and me in held:
        return me
    if me is None or me in owing or not owing or more["stay"] == str(table.decisions[me]):
        return None
    return next((seat for seat in owing if seat > me), owing[0])


def _about_seats(live: Live) -> list[dict[str, Any]]:
    return [{"name": one.name, "kind": one.kind, "bot": one.bot} for one in live.table.seats]


def players_of(game: Game, reader: Reader) -> str:
    """How many play."""
    told = {"from": game.players[0], "to": game.players[-1]}
    return own_words(reader.language).text("front.players", told)


def _called(game: Game, name: str, language: str) -> str:
    """What a symbol shows, in the reader's words, where it has some."""
    said = words(game, language)
    return said.noun(name) if said.has(f"noun.{name}") else name


def _things_first(game: Game) -> Callable[[str], tuple[bool, str]]:
    """An order of symbols: what has a name in the game, then signs and scenery."""
    said = words(game, "en")
    return lambda name: (not said.has(f"noun.{name}"), name)


def _is_local(request: Request) -> bool:
    """Was the page asked for at this machine's own address, which nobody else can reach?"""
    return (request.url.hostname or "") in ("127.0.0.1", "localhost", "::1")


def _is_here(address: str) -> bool:
    """Is this an address of ours?"""
    return address.startswith("/") and not address.startswith(("//", "/\\"))

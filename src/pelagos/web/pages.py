"""What all pages have in common: policy, words, templates, and who asks."""

from __future__ import annotations

import contextlib
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs, quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from pelagos.bots import LADDER
from pelagos.engine.errors import PelagosError
from pelagos.engine.errors import text as error_text
from pelagos.engine.game import find_game
from pelagos.tables import tokens
from pelagos.tables.errors import Malformed, TooMuch, Unavailable
from pelagos.tables.keeping import Held
from pelagos.tables.message import about_seat
from pelagos.tables.own_games import new_key, owner_of
from pelagos.tables.server import ServerState, given, keep, status_of
from pelagos.tables.service import OpenTable
from pelagos.tables.table import BOT, SPECTATOR, Lost
from pelagos.web import art, assets
from pelagos.web.cookies import OWN_KEY, own_key, reader_of, remember, seat_cookies
from pelagos.web.drawing import environment, names_of
from pelagos.web.reader import Reader, own_words
from pelagos.web.squeeze import squeeze
from pelagos.web.waiting import Answer, GameOf, Waiting, asked_game

POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; media-src 'self'; worker-src 'self'; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors "
)
THINKER = "thinker.js"
"""The worker's script in which a browser thinks."""
THINKER_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; "
    "frame-ancestors 'none'"
)
MOST_FIELDS = 100
"""Of one form."""
BY_SCRIPT = "x-pelagos"
"""A header that our own script sends: it wants a part of a page, not a page."""


async def form_of(request: Request) -> dict[str, list[str]]:
    """What a form sent."""
    body = (await request.body()).decode("utf-8", "replace")
    try:
        return parse_qs(body, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise Malformed(error_text("web/refuse.fields", most=MOST_FIELDS)) from None


def first(form: Mapping[str, list[str]], name: str, default: str = "") -> str:
    """A field's first value."""
    values = form.get(name)
    return values[0] if values else default


def whole(digits: str) -> int | None:
    """The whole number that an address or a form's field names; None if it is none, or too long."""
    return int(digits) if re.fullmatch(r"[0-9]{1,7}", digits) else None


def number_in(form: Mapping[str, list[str]], name: str) -> int:
    """A field that must be a whole number."""
    text = first(form, name)
    if not re.fullmatch(r"-?[0-9]{1,7}", text):
        raise Malformed(error_text("web/refuse.number", name=name))
    return int(text)


class Pages:
    """What the pages of one server share."""

    def __init__(self, server: ServerState, public: str = "", pocket: bool = False) -> None:
        """`pocket`: they are answered in the browser itself, in a frame, and nobody else comes."""
        self.server = server
        self.public = public
        self.pocket = pocket
        self.policy = POLICY + ("'self'" if pocket else "'none'")
        self.assets = assets.Assets()
        self.waiting = Waiting(server)

    def page(self, answer: Answer, game_of: GameOf = asked_game) -> Answer:
        """An answer with the policy on it, and a sentence where something is refused. If the game
        that it is about (`game_of`) must be compiled first, the page shows how far that is.
        """

        async def answered(request: Request) -> Response:
            try:
                game = await self.waiting.uncompiled(request, game_of)
                if game:
                    response = await self.show_waiting(request, answer, game)
                else:
                    response = await answer(request)
            except PelagosError as error:
                language = reader_of(request).language
                response = self.sorry(request, error.say(language), status_of(error))
                if isinstance(error, TooMuch | Unavailable):
                    response.headers["Retry-After"] = str(error.retry_after)
            response.headers["Content-Security-Policy"] = self.policy
            squeeze(request, response)
            return response

        return answered

    async def show_waiting(self, request: Request, answer: Answer, game: str) -> Response:
        """How far a game is compiled, until it can be answered; what was sent is kept till then."""
        if request.method == "POST":
            key = await self.waiting.keep(request, answer, game)
            return RedirectResponse(f"/preparing/{key}", 303)
        title = find_game(game).titles[reader_of(request).language]
        more = {"title": title, "picture": art.title_picture(game), "awaited": game}
        return self.render(request, "preparing.html", more)

    async def lost(self, request: Request, error: Exception) -> Response:
        """What is nowhere."""
        ui = own_words(reader_of(request).language)
        status = error.status_code if isinstance(error, HTTPException) else 500
        answer = self.sorry(request, ui.text("error.not_found"), status)
        answer.headers["Content-Security-Policy"] = self.policy
        return answer

    def sorry(self, request: Request, why: str, status: int) -> Response:
        """A page, or a sentence for our script, that tells why not."""
        if request.headers.get(BY_SCRIPT):
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
            "pocket": self.pocket,
            "why": "",
            "tints": "",
            "ladder": LADDER,
            "client": secrets.token_urlsafe(18),
            "compiling": self.waiting.progress(reader.language),
        }

    def render(
        self, request: Request, template: str, more: Mapping[str, Any], status: int = 200
    ) -> Response:
        """A page."""
        page = environment().get_template(template)
        return HTMLResponse(page.render({**self.common(request), **more}), status)

    async def static(self, request: Request) -> Response:
        """A file; the one script that runs WebAssembly has leave to, and no page has."""
        owner, name = request.path_params["owner"], request.path_params["name"]
        answer = self.assets.answer(request, owner, name)
        if (owner, name) == ("app", THINKER):
            answer.headers["Content-Security-Policy"] = THINKER_POLICY
        return answer

    def origin(self, request: Request) -> str:
        """The beginning of a link that others can open, as far as we know."""
        here = f"{request.url.scheme}://{request.headers.get('host', '')}"
        return self.public if self.public and is_local(request) else here

    def names(self, live: OpenTable, reader: Reader) -> list[str]:
        """The seats' names for this reader."""
        seats = [about_seat(seat) for seat in live.table.seats]
        return names_of(seats, reader.language, own_words(reader.language))

    def seats_of(self, request: Request, live: OpenTable) -> list[int]:
        """The seats that this browser holds."""
        table = live.table
        return [
            seat
            for seat in range(table.players)
            if table.seats[seat].kind != BOT
            and table.seats[seat].taken
            and self.server.tables.holds(table, seat, given(request, table.id, str(seat)))
        ]

    def kept_seats(self, request: Request) -> Iterator[tuple[str, int, bool]]:
        """The tables and seats whose secrets the browser keeps, and whether we signed them once:
        no table is read for what anybody may invent.
        """
        for table, seat in seat_cookies(request):
            role = str(seat)
            token = request.cookies[tokens.cookie_name(table, role)]
            keys = self.server.tables.keys
            yield table, seat, any(tokens.is_genuine(key, token, table, role) for key in keys)

    def lost_seat(self, request: Request, live: OpenTable) -> tuple[int, Lost] | None:
        """The seat that this browser held until somebody took it away, and how."""
        table, tables = live.table, self.server.tables
        for (seat, issue), lost in table.lost.items():
            if tables.are_signed(given(request, table.id, str(seat)), table, str(seat), issue):
                return seat, lost
        return None

    def renew(self, request: Request, response: Response, live: OpenTable) -> Response:
        """Let the browser have its secrets by the newest key."""
        table, tables = live.table, self.server.tables
        newest = {str(seat): tables.token(table, seat) for seat in self.seats_of(request, live)}
        if tables.hosts(table, given(request, table.id, tokens.HOST)):
            newest[tokens.HOST] = tables.host_token(table)
        for role, token in newest.items():
            if request.cookies.get(tokens.cookie_name(table.id, role), token) != token:
                keep(request, response, table.id, role, token)
        return response

    def moved_seats(self, request: Request, live: OpenTable) -> dict[int, int]:
        """The seats that this browser held, and where its people sit since the host moved them."""
        table, moved = live.table, {}
        for seat in range(table.players if table.moved else 0):
            new = self.server.tables.moved_to(table, seat, given(request, table.id, str(seat)))
            if new is not None:
                moved[seat] = new
        return moved

    def follow_seats(self, request: Request, live: OpenTable, moved: Mapping[int, int]) -> Response:
        """Let the browser keep the new seats' secrets, and look through their eyes."""
        table, asked = live.table, request.query_params.get("seat", "")
        looked = whole(asked)
        other = next(iter(moved.values()))
        seat = other if looked is None else moved.get(looked, other)
        answer = RedirectResponse(f"/t/{table.id}?seat={seat}", 303)
        for old in moved:
            answer.delete_cookie(tokens.cookie_name(table.id, str(old)))
        for new in moved.values():
            keep(request, answer, table.id, str(new), self.server.tables.token(table, new))
        return answer

    async def keep_seat(
        self, request: Request, answer: Response, live: OpenTable, seat: int
    ) -> None:
        """Let the browser keep a seat's secret, and find its games again."""
        table = live.table
        keep(request, answer, table.id, str(seat), self.server.tables.token(table, seat))
        await self.hold(request, answer, [(table.id, seat, table.seats[seat].issue)])
        remember(request, answer, OWN_KEY, self.key_of(request))  # for another year

    async def hold(self, request: Request, answer: Response, seats: Sequence[Held]) -> None:
        """Note seats as this browser's own, under its key, which is made now if it has none."""
        if not seats:
            return
        key = self.key_of(request) or new_key()
        request.state.own_key = key
        await self.server.own_games.hold(owner_of(key), seats)
        if key != own_key(request):
            remember(request, answer, OWN_KEY, key)

    def key_of(self, request: Request) -> str:
        """The browser's own key, also if it was made for this answer; empty if it has none."""
        return getattr(request.state, "own_key", "") or own_key(request)

    async def adopt(self, request: Request, answer: Response) -> None:
        """Note every seat whose secret the browser keeps as its own."""
        seats: list[Held] = []
        for table, seat, genuine in self.kept_seats(request):
            if not genuine or await self.waiting.is_uncompiled(table):
                continue
            with contextlib.suppress(PelagosError):
                now = (await self.server.find(table)).table
                self.server.tables.check(now, seat, given(request, table, str(seat)))
                seats.append((table, seat, now.seats[seat].issue))
        await self.hold(request, answer, seats)

    def device_of(self, request: Request, live: OpenTable) -> str:
        """Where this browser's seats are, as the log calls it."""
        devices = [live.table.seats[seat].device for seat in self.seats_of(request, live)]
        return next(filter(None, devices), "") or new_device()

    def viewer_of(self, request: Request, live: OpenTable) -> int:
        """Through whose eyes the page is: the seat asked for, if this browser holds it."""
        held = self.seats_of(request, live)
        asked = request.query_params.get("seat", "")
        looked = whole(asked)
        if looked is not None and looked in held:
            return looked
        owing = [seat for seat in held if seat in live.table.waiting]
        return (owing or held or [SPECTATOR])[0] if asked != "-1" else SPECTATOR

    def seat_link(self, address: str, live: OpenTable, seat: int) -> str:
        """The private address of a seat: whoever opens it may sit down there, once."""
        key = self.server.tables.token(live.table, seat)
        return f"{address}/seat/{seat}?key={quote(key)}"

    def address(self, request: Request, live: OpenTable) -> str:
        """Where others find a table."""
        return f"{self.origin(request)}/t/{live.table.id}"


def new_device() -> str:
    """A device that nobody sits at yet."""
    return secrets.token_urlsafe(6)


def is_local(request: Request) -> bool:
    """Was the page asked for at this machine's own address, which nobody else can reach?"""
    return (request.url.hostname or "") in ("127.0.0.1", "localhost", "::1")

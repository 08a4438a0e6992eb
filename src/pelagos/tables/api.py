"""The JSON API: what pages, other clients and foreign bots stand on. `docs/tables.md` tells it.

Every answer about a game is the asker's whole message (`message`); every refusal is JSON with a
code and a sentence, and 409 brings the message along.
"""

from __future__ import annotations

import gc
import re
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import FastAPI, Path, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException

from pelagos.bots import LADDER
from pelagos.engine.errors import IllegalMove, PelagosError, text
from pelagos.engine.game import find_game, games
from pelagos.tables import acts, logs, tokens
from pelagos.tables.errors import (
    Conflict,
    Malformed,
    NotFound,
    NotYours,
    Refused,
    TooMuch,
    Unavailable,
)
from pelagos.tables.express import Express
from pelagos.tables.guard import Guard
from pelagos.tables.limits import Limit, Unlimited
from pelagos.tables.message import about, encode, record
from pelagos.tables.metrics import Metrics
from pelagos.tables.refusals import refusal, wished_language
from pelagos.tables.service import Act, OpenTable, Tables
from pelagos.tables.settings import Settings, read_settings
from pelagos.tables.store import Store
from pelagos.tables.streams import Sent, as_json, compressed, follow
from pelagos.tables.table import FREE, PACES, SPECTATOR
from pelagos.tables.workers import Workers

ROOT = "/api/v1"
COOKIE_DAYS = 30
SWITCH_INTERVAL = 0.0005
"""Seconds that the database's thread waits for its turn: a commit has a dozen of them."""
GC_THRESHOLDS = (20_000, 20, 20)
"""How much may lie about before it is collected: a view is a thousand objects, all gone at once."""
DATABASE_AWAY = (SQLAlchemyError, ConnectionError, TimeoutError, Conflict)
"""What is raised when the database doesn't answer."""
_TABLE_ID = re.compile(r"[A-Za-z0-9_-]{22}")
_MOVES = re.compile(rf"{ROOT}/tables/([A-Za-z0-9_-]{{22}})/seats/([0-7])/actions")

Number = Annotated[int, Path(ge=0, le=7, description="A seat, counted from 0.")]
TableId = Annotated[str, Path(max_length=64, description="A table's id.")]


class Body(BaseModel):
    """What is sent: nothing but what is asked for."""

    model_config = ConfigDict(extra="forbid")


class SeatWish(Body):
    """A seat of a new table."""

    kind: StrictStr = Field("open", max_length=10, description="open, person or bot.")
    bot: StrictStr = Field("", max_length=40, description="For a bot: its strength.")


class NewTable(Body):
    """A table to be laid."""

    game: StrictStr = Field(max_length=60)
    options: dict[str, StrictBool | StrictInt] = Field(default_factory=dict, max_length=20)
    seats: list[SeatWish] | None = Field(None, max_length=8)
    pack: dict[str, StrictStr] | None = Field(None, max_length=20)
    listed: StrictBool = False
    previews: StrictBool = True
    table_options: dict[str, StrictBool] = Field(default_factory=dict, max_length=20)
    closed: StrictBool = Field(False, description="The same as the table option `closed`.")
    pace: StrictStr = Field(FREE, max_length=10, description=f"One of {', '.join(PACES)}.")


class SitDown(Body):
    """Somebody who sits down."""

    name: StrictStr = Field(max_length=200)
    client: StrictStr = Field(max_length=64, description="16 random letters or more, kept secret.")
    bytes: StrictStr = Field("", max_length=64, description="32 random bytes as hex digits.")


Client = Annotated[StrictStr, Field(max_length=64)]
Decision = Annotated[StrictInt, Field(ge=0, le=10**6)] | None
Action = Annotated[StrictInt, Field(ge=0, le=65535)] | Annotated[StrictStr, Field(max_length=120)]


class Move(Body):
    """One or more actions that belong together."""

    actions: list[Action] = Field(max_length=acts.MOST_ACTIONS)
    client: Client
    decision: Decision = None


class Ask(Body):
    """Something about the seat's last move."""

    client: Client
    decision: Decision = None


class Ahead(Body):
    """What is chosen beforehand; nothing: forget it."""

    actions: list[Action] = Field(max_length=acts.MOST_AHEAD)
    client: Client


class Order(Body):
    """A standing order."""

    order: StrictStr = Field(max_length=20)
    client: Client


class Again(Body):
    """One more game."""

    client: Client
    bytes: StrictStr = Field("", max_length=64)


class BotWish(Body):
    """A bot for an empty seat."""

    bot: StrictStr = Field(max_length=40)


class ServerState:
    """What all requests of one server share."""

    def __init__(self, where: Any, settings: Settings) -> None:
        self.where = where
        self.settings = settings
        self.metrics = Metrics()
        self.tables: Tables
        self.by_address: Limit | Unlimited = Unlimited()
        self.by_seat: Limit | Unlimited = Unlimited()
        self.new_tables: Limit | Unlimited = Unlimited()
        if settings.limits:
            rate = settings.requests_a_second
            self.by_address = Limit(rate, 4 * rate)
            self.by_seat = Limit(settings.moves_a_second, 4 * settings.moves_a_second)
            self.new_tables = Limit(settings.tables_a_minute / 60, settings.tables_a_minute)
        self.streams: dict[str, int] = {}

    @asynccontextmanager
    async def opened(self, _: FastAPI) -> AsyncIterator[None]:
        """Open the store, resume what is owed, and close it all again."""
        sys.setswitchinterval(SWITCH_INTERVAL)
        gc.set_threshold(*GC_THRESHOLDS)
        store = await Store.open(self.where)
        self.tables = Tables(store, await store.key(), self.settings)
        self.tables.watcher = self.metrics
        if not store.postgres:
            await store.release()
        workers = Workers(self.tables)
        self.tables.start()
        workers.start()
        logs.tell("open", store="postgresql" if store.postgres else "sqlite")
        try:
            yield
        finally:
            await workers.close()
            await self.tables.close()
            await store.close()
            logs.tell("closed")

    async def find(self, table: str) -> OpenTable:
        """A table by its id."""
        if not _TABLE_ID.fullmatch(table):
            raise NotFound(text("tables/refuse.no_table"))
        live = await self.tables.find(table)
        if not live.table.views:
            live.table.check_open()
        return live

    async def seated(self, request: Request, table: str, seat: int) -> OpenTable:
        """A table at which the asker holds this seat."""
        live = await self.find(table)
        self.tables.check(live.table, seat, given(request, table, str(seat)))
        return live

    async def hosted(self, request: Request, table: str) -> OpenTable:
        """A table whose host asks."""
        live = await self.find(table)
        if not self.tables.hosts(live.table, given(request, table, tokens.HOST)):
            raise NotYours(text("tables/refuse.not_host"))
        return live

    async def act(self, request: Request, table: str, seat: int, act: Act) -> Response:
        """Something that a seat does: the answer is its message, whether it was done or not."""
        posted = time.perf_counter()
        live = await self.seated(request, table, seat)
        self.by_seat.spend(f"{table}/{seat}")
        try:
            await self.tables.do(table, act, posted)
        except PelagosError as error:
            if status_of(error) != 409:
                raise
            return self.refuse(request, error, live.message(seat).json)
        return plain(live.message(seat).json)

    async def move(self, request: Request, table: str, seat: int, body: Move) -> Response:
        """A move, by a seat."""
        return await self.act(
            request,
            table,
            seat,
            lambda now: acts.move(now, seat, body.decision, body.actions, body.client),
        )

    async def move_or_refuse(self, request: Request, table: str, seat: int, body: Move) -> Response:
        """The same, where nobody else turns what is raised into an answer."""
        try:
            return await self.move(request, table, seat, body)
        except PelagosError as error:
            return self.refuse(request, error)
        except DATABASE_AWAY as error:
            return self.away(request, error)

    def away(self, request: Request, error: Exception) -> Response:
        """The answer when the database gives none."""
        logs.tell("database_away", error=type(error).__name__)
        return self.refuse(request, Unavailable(text("tables/refuse.away")))

    def refuse(
        self, request: Request, error: PelagosError, message: bytes | None = None
    ) -> Response:
        """A refusal in the reader's language, with how things stand now."""
        self.metrics.refused.labels(getattr(error, "code", "illegal")).inc()
        language = wished_language(request.headers.get("accept-language", ""))
        body = b'{"error":%b' % encode(refusal(error, language))
        body += b"}" if message is None else b',"message":%b}' % message
        headers = {"Retry-After": "1"} if isinstance(error, TooMuch | Unavailable) else None
        return Response(body, status_of(error), headers, "application/json")

    async def stream(self, request: Request, live: OpenTable, viewer: int) -> Response:
        """An event stream for a viewer."""
        issue = 0 if viewer == SPECTATOR else live.table.seats[viewer].issue

        def may_see() -> bool:
            return viewer == SPECTATOR or live.table.seats[viewer].issue == issue

        return self.streaming(request, as_json(self.followed(live, viewer, may_see)))

    def followed(
        self, live: OpenTable, viewer: int, may_see: Callable[[], bool], drawn: bool = False
    ) -> AsyncIterator[Sent]:
        """All that a viewer is sent; `drawn`: for a page."""
        return follow(live, viewer, may_see, self.settings.beat, self.metrics, drawn)

    def streaming(self, request: Request, messages: AsyncIterator[bytes]) -> Response:
        """Messages as an open stream, which counts for its address as long as it lasts."""
        address = request.client.host if request.client else ""
        if self.settings.limits and self.streams.get(address, 0) >= self.settings.streams:
            raise TooMuch(text("tables/refuse.streams"))

        async def counted() -> AsyncIterator[bytes]:
            self.streams[address] = self.streams.get(address, 0) + 1
            try:
                async for message in messages:
                    yield message
            finally:
                self.streams[address] -= 1
                if not self.streams[address]:
                    del self.streams[address]

        headers = {"X-Accel-Buffering": "no"}
        sent = counted()
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
            headers["Vary"] = "Accept-Encoding"
            sent = compressed(sent)
        return StreamingResponse(sent, headers=headers, media_type="text/event-stream")


def status_of(error: PelagosError) -> int:
    """The HTTP status that says what kind of refusal this is."""
    if isinstance(error, Refused):
        return error.status
    return 409 if isinstance(error, IllegalMove) else 422


def plain(message: bytes, status: int = 200) -> Response:
    """JSON that is made already."""
    return Response(message, status, media_type="application/json")


def given(request: Request, table: str, role: str) -> list[str]:
    """The secrets that come with a request: its header's, and its cookie's for this role."""
    secrets_given = []
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        secrets_given.append(token.strip())
    cookie = request.cookies.get(tokens.cookie_name(table, role))
    if cookie:
        secrets_given.append(cookie)
    return secrets_given


def keep(request: Request, response: Response, table: str, role: str, token: str) -> Response:
    """Let the browser keep a secret, where no script can read it."""
    response.set_cookie(
        tokens.cookie_name(table, role),
        token,
        max_age=COOKIE_DAYS * 86400,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )
    return response


_ANSWERS: dict[int | str, dict[str, Any]] = {
    403: {"description": "Not your seat, or another site's page."},
    404: {"description": "No such table, seat or game."},
    409: {"description": "Stale or illegal: a sentence, and how things stand now."},
    410: {"description": "The table's rules are gone; it can be read only."},
    413: {"description": "Too large."},
    422: {"description": "Malformed: a sentence."},
    429: {"description": "Too much at once."},
    503: {"description": "The database doesn't answer; try again."},
}


def make_app(where: Any, settings: Settings | None = None) -> FastAPI:
    """The server's application; `where` is a data folder or a database's URL."""
    settings = settings or read_settings()
    server = ServerState(where, settings)
    app = FastAPI(
        title="Pelagos",
        version="1",
        description="Live tables of ocean board games.",
        openapi_url=f"{ROOT}/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=server.opened,
        responses=_ANSWERS,
    )
    app.state.server = server
    app.add_middleware(
        Express,  # type: ignore[arg-type]
        path=_MOVES,
        body=Move,
        answer=server.move_or_refuse,
    )
    app.add_middleware(Guard, metrics=server.metrics, limit=server.by_address)  # type: ignore[arg-type]
    _add_refusals(app, server)
    _add_seats(app, server)  # first what is asked for most: routes are tried in order
    _add_tables(app, server)
    _add_house(app, server)
    return app


def _add_refusals(app: FastAPI, server: ServerState) -> None:
    @app.exception_handler(PelagosError)
    async def _refused(request: Request, error: PelagosError) -> Response:
        return server.refuse(request, error)

    @app.exception_handler(RequestValidationError)
    async def _malformed(request: Request, error: RequestValidationError) -> Response:
        server.metrics.refused.labels("malformed").inc()
        first = error.errors()[0]
        where = ".".join(str(part)[:40] for part in first["loc"][:4])
        sentence = f"{where}: {first['msg']}"[:300].encode("utf-8", "replace").decode()
        known = {"code": "malformed", "sentence": sentence, "message": sentence}
        return JSONResponse({"error": known}, 422)

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> Response:
        sentence = str(error.detail)[:200]
        known = {"code": "http", "sentence": sentence, "message": sentence}
        return JSONResponse({"error": known}, error.status_code, error.headers)

    async def _away(request: Request, error: Exception) -> Response:
        return server.away(request, error)

    for kind in DATABASE_AWAY:
        app.add_exception_handler(kind, _away)


def _add_house(app: FastAPI, server: ServerState) -> None:
    @app.get("/health", tags=["house"])
    async def health() -> Response:
        """Is the server well?"""
        well = await server.tables.store.is_well()
        return JSONResponse({"ok": well}, 200 if well else 503)

    @app.get("/metrics", tags=["house"])
    async def metrics() -> Response:
        """Numbers for Prometheus."""
        server.metrics.tables.set(server.tables.count)
        return Response(server.metrics.text(), media_type="text/plain; version=0.0.4")

    @app.get(f"{ROOT}/games", tags=["house"])
    async def list_games() -> Any:
        """The installed games, with players and options."""
        return {
            "games": [
                {
                    "id": game.id,
                    "titles": dict(game.titles),
                    "about": dict(game.about),
                    "players": [game.players[0], game.players[-1]],
                    "minutes": game.minutes,
                    "rules": game.rules,
                    "options": [
                        {
                            "name": option.name,
                            "default": option.default,
                            "values": list(option.values),
                            "about": dict(option.about),
                        }
                        for option in game.options
                    ],
                    "table_options": [
                        {
                            "name": option.name,
                            "default": option.default,
                            "about": dict(option.about),
                        }
                        for option in game.table_options
                    ],
                }
                for game in games().values()
            ]
        }

    @app.get(f"{ROOT}/bots", tags=["house"])
    async def list_bots() -> Any:
        """The bots, from a child's first opponent to the strongest."""
        return {
            "bots": [
                {"id": bot.id, "names": dict(bot.names), "about": dict(bot.about)} for bot in LADDER
            ]
        }


def _table_options(body: NewTable) -> dict[str, bool]:
    """The table options that were asked for; `closed` counts where the game has it."""
    has_closed = any(option.name == "closed" for option in find_game(body.game).table_options)
    return {**body.table_options, **({"closed": True} if body.closed and has_closed else {})}


def _add_tables(app: FastAPI, server: ServerState) -> None:
    @app.post(f"{ROOT}/tables", status_code=201, tags=["tables"])
    async def create(request: Request, body: NewTable) -> Response:
        """Lay a table. Its answer holds the host's token, also kept in a cookie."""
        server.new_tables.spend(request.client.host if request.client else "")
        await server.tables.ready(body.game)
        wishes = None if body.seats is None else [wish.model_dump() for wish in body.seats]
        entries = acts.create(
            body.game,
            body.options,
            wishes,
            pack=body.pack,
            listed=body.listed,
            previews=body.previews,
            table_options=_table_options(body),
            pace=body.pace,
        )
        live = await server.tables.create(entries)
        token = server.tables.host_token(live.table)
        logs.tell("created", table=logs.brief(live.table.id), game=body.game)
        answer = plain(encode({"table": about(live.table), "token": token}), 201)
        return keep(request, answer, live.table.id, tokens.HOST, token)

    @app.get(f"{ROOT}/tables", tags=["tables"])
    async def list_tables(
        game: Annotated[str | None, Query(pattern="^[a-z0-9_-]{1,60}$")] = None,
        state: Annotated[str | None, Query(pattern="^(gathering|playing|over)$")] = None,
        limit: Annotated[int, Query(ge=1, le=100)] = 50,
    ) -> Any:
        """Tables that were laid for all to see, those that changed last first."""
        rows = await server.tables.store.newest(limit, game, state)
        return {
            "tables": [
                {name: row[name] for name in ("id", "game", "state", "created", "changed")}
                for row in rows
            ]
        }

    @app.get(f"{ROOT}/tables/{{table}}", tags=["tables"])
    async def show(table: TableId) -> Response:
        """What everyone may know of a table, the commitment of its shuffle among it."""
        return plain(encode(about((await server.find(table)).table)))

    @app.post(f"{ROOT}/tables/{{table}}/start", tags=["tables"])
    async def start(request: Request, table: TableId) -> Response:
        """Begin at a table of bots alone; others begin with the last seat. For the host."""
        await server.hosted(request, table)
        live = await server.tables.do(table, acts.start)
        return plain(live.message(SPECTATOR).json)

    @app.get(f"{ROOT}/tables/{{table}}/view", tags=["watching"])
    async def watch(table: TableId) -> Response:
        """A spectator's message."""
        return plain((await server.find(table)).message(SPECTATOR).json)

    @app.get(f"{ROOT}/tables/{{table}}/stream", tags=["watching"])
    async def watch_on(request: Request, table: TableId) -> Response:
        """A spectator's event stream."""
        return await server.stream(request, await server.find(table), SPECTATOR)

    @app.get(f"{ROOT}/tables/{{table}}/record", tags=["watching"])
    async def watched_record(
        table: TableId, game: Annotated[int | None, Query(ge=0, le=10**6)] = None
    ) -> Response:
        """A game's record: whole if it is over (`game` counts from 0), else as a spectator's."""
        return plain(encode(record((await server.find(table)).table, SPECTATOR, game)))


def _add_seats(app: FastAPI, server: ServerState) -> None:
    seat_path = f"{ROOT}/tables/{{table}}/seats/{{seat}}"

    @app.post(f"{seat_path}/actions", tags=["playing"])
    async def move(request: Request, table: TableId, seat: Number, body: Move) -> Response:
        """Make one or more actions, all or none."""
        return await server.move(request, table, seat, body)

    @app.post(seat_path, tags=["seats"])
    async def sit(request: Request, table: TableId, seat: Number, body: SitDown) -> Response:
        """Take a seat: the answer holds its token, also kept in a cookie."""
        live = await server.find(table)
        role = str(seat)
        acts.clean_client(body.client)
        if len(body.client) < 16:
            raise Malformed(text("tables/refuse.client_short"))
        mine = seat < live.table.players and server.tables.holds(
            live.table, seat, given(request, table, role)
        )
        hosts = server.tables.hosts(live.table, given(request, table, tokens.HOST))
        if not (mine and live.table.seats[seat].taken):
            await server.tables.do(
                table,
                lambda now: acts.sit(now, seat, body.name, body.bytes, body.client, mine or hosts),
                time.perf_counter(),
            )
        token = server.tables.token(live.table, seat)
        message = live.message(seat).json
        answer = plain(b'{"token":%b,"message":%b}' % (encode(token), message))
        return keep(request, answer, table, role, token)

    @app.post(f"{seat_path}/issue", tags=["seats"])
    async def issue(request: Request, table: TableId, seat: Number) -> Response:
        """Issue a seat's token anew: the old one is good no more. For the host."""
        await server.hosted(request, table)
        live = await server.tables.do(table, lambda now: acts.issue(now, seat))
        return plain(encode({"token": server.tables.token(live.table, seat)}))

    @app.post(f"{seat_path}/bot", tags=["seats"])
    async def put_bot(request: Request, table: TableId, seat: Number, body: BotWish) -> Response:
        """Let a bot have an empty seat, in the middle of a game too. For the host."""
        await server.hosted(request, table)
        live = await server.tables.do(table, lambda now: acts.put_bot(now, seat, body.bot))
        return plain(encode(about(live.table)))

    @app.get(f"{seat_path}/view", tags=["playing"])
    async def view(request: Request, table: TableId, seat: Number) -> Response:
        """The seat's message."""
        return plain((await server.seated(request, table, seat)).message(seat).json)

    @app.get(f"{seat_path}/stream", tags=["playing"])
    async def stream(request: Request, table: TableId, seat: Number) -> Response:
        """The seat's event stream: its whole message whenever it changed."""
        return await server.stream(request, await server.seated(request, table, seat), seat)

    @app.get(f"{seat_path}/events", tags=["playing"])
    async def events(
        request: Request,
        table: TableId,
        seat: Number,
        since: Annotated[int, Query(ge=0, le=10**6)] = 0,
    ) -> Response:
        """All that has happened in this game, as the seat may know it."""
        match = (await server.seated(request, table, seat)).table.match
        return plain(encode({"events": match.events(seat)[since:] if match else []}))

    @app.get(f"{seat_path}/record", tags=["playing"])
    async def own_record(request: Request, table: TableId, seat: Number) -> Response:
        """The game's record, without what the seat may not know until it is over."""
        live = await server.seated(request, table, seat)
        return plain(encode(record(live.table, seat)))

    @app.post(f"{seat_path}/take-back", tags=["playing"])
    async def take_back(request: Request, table: TableId, seat: Number, body: Ask) -> Response:
        """Take back all that the seat has chosen and nobody has seen."""
        return await server.act(
            request,
            table,
            seat,
            lambda now: acts.take_back(now, seat, body.decision, body.client),
        )

    @app.post(f"{seat_path}/undo", tags=["playing"])
    async def undo(request: Request, table: TableId, seat: Number, body: Ask) -> Response:
        """Undo the seat's last move, where nothing came to light by it."""
        return await server.act(
            request, table, seat, lambda now: acts.undo(now, seat, body.decision, body.client)
        )

    @app.post(f"{seat_path}/ahead", tags=["playing"])
    async def ahead(request: Request, table: TableId, seat: Number, body: Ahead) -> Response:
        """Choose beforehand: hidden, changeable, played when it is due."""
        return await server.act(
            request, table, seat, lambda now: acts.send_ahead(now, seat, body.actions, body.client)
        )

    @app.post(f"{seat_path}/orders", tags=["playing"])
    async def orders(request: Request, table: TableId, seat: Number, body: Order) -> Response:
        """Give a standing order, one of `own.orders.known`."""
        return await server.act(
            request, table, seat, lambda now: acts.give_order(now, seat, body.order, body.client)
        )

    @app.post(f"{seat_path}/rematch", tags=["playing"])
    async def rematch(request: Request, table: TableId, seat: Number, body: Again) -> Response:
        """Play another game here; it starts when every seat has said so."""
        return await server.act(
            request, table, seat, lambda now: acts.again(now, seat, body.bytes, body.client)
        )

    @app.post(f"{seat_path}/leave", tags=["seats"])
    async def leave(request: Request, table: TableId, seat: Number) -> Response:
        """Give the seat up; somebody else may have it."""
        await server.seated(request, table, seat)
        live = await server.tables.do(table, lambda now: acts.leave(now, seat))
        answer = plain(encode(about(live.table)))
        answer.delete_cookie(tokens.cookie_name(table, str(seat)))
        return answer

"""The JSON API: what pages, other clients and foreign bots stand on. `docs/tables.md` tells it.

Every answer about a game is the asker's whole message (`message`); every refusal is JSON with a
code and a sentence, and 409 brings the message along.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Mapping
from typing import Annotated, Any, cast

from fastapi import FastAPI, Path, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.routing import Match
from starlette.types import Scope

from pelagos.bots import LADDER
from pelagos.engine.errors import PelagosError, text
from pelagos.engine.game import find_game, games
from pelagos.tables import acts, aid, logs, tokens
from pelagos.tables.bodies import (
    Again,
    Ahead,
    Arrangement,
    Ask,
    AskHint,
    BotWish,
    Move,
    NewTable,
    Order,
    Say,
    SitDown,
    SpectatorSay,
)
from pelagos.tables.coaching import Progress, finished_game
from pelagos.tables.compiling import Compiling
from pelagos.tables.errors import NotFound
from pelagos.tables.express import Express
from pelagos.tables.guard import Guard
from pelagos.tables.limits import BOT_GAMES, address_of, cost_of
from pelagos.tables.message import about, encode, record
from pelagos.tables.own_games import is_key, owner_of
from pelagos.tables.quick import QuickMoves
from pelagos.tables.server import ServerState, given, keep, plain
from pelagos.tables.service import OpenTable
from pelagos.tables.settings import Settings, read_settings
from pelagos.tables.store import RAISES, Store
from pelagos.tables.table import SPECTATOR

ROOT = "/api/v1"
_MOVES = re.compile(rf"{ROOT}/tables/([A-Za-z0-9_-]{{22}})/seats/([0-7])/actions")

Number = Annotated[int, Path(ge=0, le=7, description="A seat, counted from 0.")]
Question = Annotated[
    str,
    Query(max_length=aid.LONGEST_QUESTION, description="`piece:<key>`, `line:<key>`, …: see docs."),
]
TableId = Annotated[str, Path(max_length=64, description="A table's id.")]


_ANSWERS: dict[int | str, dict[str, Any]] = {
    403: {"description": "Not your seat, or another site's page."},
    404: {"description": "No such table, seat or game."},
    409: {"description": "Stale or illegal: a sentence, and how things stand now."},
    410: {"description": "Laid under other rules, or its log is spoilt: it can be read only."},
    413: {"description": "Too large."},
    421: {"description": "A name that this server isn't known by; the host can tell it."},
    422: {"description": "Malformed: a sentence."},
    429: {"description": "Too much at once."},
    503: {"description": "The database doesn't answer; try again."},
}


def make_app(
    where: Any, settings: Settings | None = None, compiling: Compiling | None = None
) -> FastAPI:
    """The server's application; `where` is a data folder or a database's URL. Without `compiling`
    games are compiled here, as soon as somebody asks for them.
    """
    settings = settings or read_settings()
    server = ServerState(where, settings, compiling)
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
    guarding: dict[str, Any] = {
        "metrics": server.metrics,
        "limit": server.by_address,
        "budget": server.budget,
        "hosts": settings.hosts,
        "hsts_days": settings.hsts_days,
    }
    app.add_middleware(Guard, **guarding)  # type: ignore[arg-type]
    app.state.moves = QuickMoves(server, Guard(app, **guarding), _MOVES)
    _add_refusals(app, server)
    _add_seats(app, server)  # first what is asked for most: routes are tried in order
    _add_tables(app, server)
    _add_house(app, server)
    return app


def _progress(progress: Progress | None) -> dict[str, Any]:
    """How far an analysis has come, with as much of it as there is."""
    if progress is None:
        return {"asked": False, "done": False, "ahead": 0, "analysis": None}
    known = {"done": progress.done, "ahead": progress.ahead, "analysis": progress.document}
    return {"asked": True, **known}


def _methods(app: FastAPI, scope: Scope) -> list[str]:
    """By which methods a path can be asked for."""
    routes = [route for route in app.routes if route.matches(scope)[0] is not Match.NONE]
    return sorted({method for route in routes for method in getattr(route, "methods", None) or ()})


def _add_refusals(app: FastAPI, server: ServerState) -> None:
    @app.exception_handler(PelagosError)
    async def _refused(request: Request, error: PelagosError) -> Response:
        return server.refuse(request, error)

    def malformed(why: str) -> Response:
        server.metrics.refused.labels("malformed").inc()
        sentence = why[:300].encode("utf-8", "replace").decode()
        known = {"code": "malformed", "sentence": sentence, "message": sentence}
        return JSONResponse({"error": known}, 422)

    @app.exception_handler(RequestValidationError)
    async def _malformed(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        where = ".".join(str(part)[:40] for part in first["loc"][:4])
        return malformed(f"{where}: {first['msg']}")

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> Response:
        sentence, headers = str(error.detail)[:200], error.headers
        if error.status_code == 400:  # bytes that are no text at all
            return malformed(sentence)
        if error.status_code == 405:  # the first route that has this path knows its own alone
            headers = {"Allow": ", ".join(_methods(app, request.scope))}
        known = {"code": "http", "sentence": sentence, "message": sentence}
        return JSONResponse({"error": known}, error.status_code, headers)

    async def _away(request: Request, error: Exception) -> Response:
        return server.away(request, error)

    for kind in RAISES:
        app.add_exception_handler(kind, _away)


def _add_house(app: FastAPI, server: ServerState) -> None:
    @app.get("/health", tags=["house"])
    async def health() -> Response:
        """Is the server well?"""
        well = not server.draining and await server.tables.store.is_well()
        return JSONResponse({"ok": well}, 200 if well else 503)

    @app.get("/metrics", tags=["house"])
    async def metrics(request: Request) -> Response:
        """Numbers for Prometheus, for whoever names the key."""
        key = server.settings.metrics_key
        asked = request.headers.get("authorization", "")
        if not key or not secrets.compare_digest(asked.encode(), f"Bearer {key}".encode()):
            raise NotFound(text("tables/refuse.metrics"))
        await server.measure()
        return Response(server.metrics.text(), media_type="text/plain; version=0.0.4")

    @app.get(f"{ROOT}/mine", tags=["house"])
    async def own_games(request: Request) -> Any:
        """The finished games of whoever holds a browser's own key, which comes as a bearer."""
        _, _, key = request.headers.get("authorization", "").partition(" ")
        own = await server.own_games.of(owner_of(key)) if is_key(key) else []
        return {"games": [game.as_json() for game in own]}

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
                            **({"ruling": option.ruling} if option.ruling else {}),
                            **({"hint": dict(option.hint)} if option.hint else {}),
                            **({"players": list(option.players)} if option.players else {}),
                        }
                        for option in game.options
                    ],
                    "first": game.first
                    and {
                        "name": game.first.name,
                        "title": dict(game.first.title),
                        "about": dict(game.first.about),
                        "players": list(game.first.players),
                        "loser": game.first.loser,
                    },
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
    given = {"closed": body.closed} if body.closed is not None and has_closed else {}
    return {**given, **body.table_options}


def _listed(row: Mapping[str, Any], rules: str | None) -> dict[str, Any]:
    """A table of the list; where it was laid under other rules than the installed ones, that."""
    listed = {name: row[name] for name in ("id", "game", "state", "created", "changed")}
    installed = games().get(row["game"])
    if rules is not None and installed is not None and rules != installed.rules:
        listed["other_rules"] = rules
    return listed


def _add_tables(app: FastAPI, server: ServerState) -> None:
    def _laid(request: Request, live: OpenTable) -> Response:
        token = server.tables.host_token(live.table)
        answer = plain(encode({"table": about(live.table), "token": token}), 201)
        return keep(request, answer, live.table.id, tokens.HOST, token)

    @app.post(f"{ROOT}/tables", status_code=201, tags=["tables"])
    async def create(request: Request, body: NewTable) -> Response:
        """Lay a table. Its answer holds the host's token, also kept in a cookie."""
        known = None if body.client is None else await server.laid_before(body.client)
        if known is not None:
            return _laid(request, known)
        server.new_tables.spend(address_of(request.scope))
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
            free_talk=body.free_talk,
            hints=body.hints,
            series=body.series,
            colours=body.colours,
        )
        live = await server.lay(request, entries, body.client)
        logs.tell("created", table=logs.brief(live.table.id), game=body.game)
        return _laid(request, live)

    @app.get(f"{ROOT}/tables", tags=["tables"])
    async def list_tables(
        game: Annotated[str | None, Query(pattern="^[a-z0-9_-]{1,60}$")] = None,
        state: Annotated[str | None, Query(pattern="^(gathering|playing|over)$")] = None,
        limit: Annotated[int, Query(ge=1, le=100)] = 50,
    ) -> Any:
        """Tables that were laid for all to see, those that changed last first."""
        store = cast("Store", server.tables.store)
        rows = await store.newest(limit, game, state)
        laid = await store.rules_of([row["id"] for row in rows])
        return {"tables": [_listed(row, laid.get(row["id"])) for row in rows]}

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

    @app.post(f"{ROOT}/tables/{{table}}/arrange", tags=["tables"])
    async def arrange(request: Request, table: TableId, body: Arrangement) -> Response:
        """Before the first deal: for each seat, the seat whose holder takes it. For the host."""
        await server.hosted(request, table)
        live = await server.tables.do(table, lambda now: acts.arrange(now, body.order))
        return plain(encode(about(live.table)))

    @app.get(f"{ROOT}/tables/{{table}}/view", tags=["watching"])
    async def watch(table: TableId) -> Response:
        """A spectator's message."""
        return plain((await server.find(table)).message(SPECTATOR).json)

    @app.get(f"{ROOT}/tables/{{table}}/aid", tags=["watching"])
    async def watched_aid(table: TableId, of: Question = "") -> Response:
        """What a spectator may be told of a thing; without `of` all that can be asked about."""
        return plain(encode(aid.answer((await server.find(table)).table, SPECTATOR, of)))

    @app.get(f"{ROOT}/tables/{{table}}/stream", tags=["watching"])
    async def watch_on(request: Request, table: TableId) -> Response:
        """A spectator's event stream."""
        return await server.stream(request, await server.find(table), SPECTATOR)

    @app.post(f"{ROOT}/tables/{{table}}/talk", tags=["watching"])
    async def say_watching(request: Request, table: TableId, body: SpectatorSay) -> Response:
        """Say something as a spectator. Players hear it when their game is over."""
        said = body.model_dump()
        live = await server.say(request, table, SPECTATOR, said, body.client)
        return plain(live.message(SPECTATOR).json)

    @app.get(f"{ROOT}/tables/{{table}}/analysis", tags=["watching"])
    async def analysis(table: TableId, game: int = 0) -> Any:
        """What the coach says of a finished game, as far as it has come."""
        live = await server.find(table)
        finished_game(live.table, game)
        return _progress(await server.coaching.progress(table, game))

    @app.post(f"{ROOT}/tables/{{table}}/analysis", tags=["watching"])
    async def ask_coach(request: Request, table: TableId, game: int = 0) -> Any:
        """Let the coach look at a finished game."""
        live = await server.find(table)
        await server.analyse(request, live, game)
        return _progress(await server.coaching.progress(table, game))

    @app.get(f"{ROOT}/tables/{{table}}/record", tags=["watching"])
    async def watched_record(
        request: Request, table: TableId, game: Annotated[int | None, Query(ge=0, le=10**6)] = None
    ) -> Response:
        """A game's record: whole if it is over (`game` counts from 0), else as a spectator's."""
        now = (await server.find(table)).table.copy()
        return plain(encode(await cost_of(request.scope).aside(record, now, SPECTATOR, game)))


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
        acts.clean_long_client(body.client)
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
        notice = b""
        if not body.bytes and not live.table.deal:
            notice = b',"notice":%b' % encode(server.notice(request, "tables/notice.adds_nothing"))
        answer = plain(b'{"token":%b,"message":%b%b}' % (encode(token), message, notice))
        return keep(request, answer, table, role, token)

    @app.post(f"{seat_path}/issue", tags=["seats"])
    async def issue(request: Request, table: TableId, seat: Number) -> Response:
        """Issue a seat's token anew: the old one is good no more. For the seat's holder, and for
        the host while nobody is there.
        """
        live = await server.find(table)
        mine = seat < live.table.players and server.tables.holds(
            live.table, seat, given(request, table, str(seat))
        )
        if not mine:
            await server.hosted(request, table)
        dismissal = None if mine else {"by": ""}
        live = await server.tables.pass_on(table, seat, "", dismissal)
        return plain(encode({"token": server.tables.token(live.table, seat)}))

    @app.get(f"{seat_path}/moved", tags=["seats"])
    async def moved(request: Request, table: TableId, seat: Number) -> Response:
        """Where the holder of this old token sits since the host has arranged the seats."""
        live = await server.find(table)
        new = server.tables.moved_to(live.table, seat, given(request, table, str(seat)))
        if new is None:
            raise NotFound(text("tables/refuse.not_moved"))
        answer = plain(encode({"seat": new, "token": server.tables.token(live.table, new)}))
        return keep(request, answer, table, str(new), server.tables.token(live.table, new))

    @app.post(f"{seat_path}/bot", tags=["seats"])
    async def put_bot(request: Request, table: TableId, seat: Number, body: BotWish) -> Response:
        """Let a bot have an empty seat, in the middle of a game too. For the host."""
        await server.hosted(request, table)
        await server.quotas.spend(BOT_GAMES, address_of(request.scope))
        live = await server.tables.do(table, lambda now: acts.put_bot(now, seat, body.bot))
        return plain(encode(about(live.table)))

    @app.get(f"{seat_path}/view", tags=["playing"])
    async def view(request: Request, table: TableId, seat: Number) -> Response:
        """The seat's message."""
        return plain((await server.seated(request, table, seat)).message(seat).json)

    @app.get(f"{seat_path}/aid", tags=["playing"])
    async def explained(
        request: Request, table: TableId, seat: Number, of: Question = ""
    ) -> Response:
        """What the seat may be told of a thing; without `of` all that can be asked about."""
        live = await server.seated(request, table, seat)
        return plain(encode(aid.answer(live.table, seat, of)))

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

    @app.post(f"{seat_path}/hint", tags=["playing"])
    async def hint(request: Request, table: TableId, seat: Number, body: AskHint) -> Response:
        """What the strongest bot would do, and what it expects; it takes a second or more."""
        live, known = await server.hint(request, table, seat, body.decision, body.client, body.more)
        view = live.message(seat).view.data
        return plain(encode({"hint": known.as_json(view["choices"] if view else [])}))

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

    @app.post(f"{seat_path}/talk", tags=["playing"])
    async def say(request: Request, table: TableId, seat: Number, body: Say) -> Response:
        """Say something; everyone at the table hears it. Nothing of it is kept."""
        live = await server.say(request, table, seat, body.model_dump(), body.client)
        return plain(live.message(seat).json)

    @app.post(f"{seat_path}/rematch", tags=["playing"])
    async def rematch(request: Request, table: TableId, seat: Number, body: Again) -> Response:
        """Play another game here; it starts when every seat has said so."""
        live = await server.seated(request, table, seat)
        await server.spend_bot_game(request, live.table)
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

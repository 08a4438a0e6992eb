"""What all requests of one server share: its tables, its limits, who asks, and how it answers."""

from __future__ import annotations

import asyncio
import base64
import gc
import hmac
import re
import shutil
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from pelagos.engine.errors import IllegalMove, PelagosError, text
from pelagos.engine.game import games
from pelagos.engine.words import own_words
from pelagos.tables import acts, logs, tokens
from pelagos.tables.chores import Chores
from pelagos.tables.coaching import Coaching, finished_game
from pelagos.tables.errors import NotFound, NotYours, Refused, TooMuch, Unavailable
from pelagos.tables.hints import ADVISER, Hint, check_hint, check_owed, question_for
from pelagos.tables.limits import BOT_GAMES, Budget, Limit, NoQuotas, Unlimited, address_of
from pelagos.tables.message import encode
from pelagos.tables.own_games import OwnGames
from pelagos.tables.refusals import refusal, wished_language
from pelagos.tables.service import Act, OpenTable, Tables
from pelagos.tables.sockets import SOCKET
from pelagos.tables.streams import (
    EVENTS,
    JsonStream,
    Sent,
    as_json,
    compressed,
    compressed_alike,
    follow,
)
from pelagos.tables.table import BOT, SPECTATOR, Entry, Table
from pelagos.tables.talk import make_line
from pelagos.tables.workers import Workers

if TYPE_CHECKING:
    from pelagos.tables.bodies import Move
    from pelagos.tables.compiling import Compiling
    from pelagos.tables.erasing import Erasing
    from pelagos.tables.keeping import TableStore
    from pelagos.tables.metrics import Metrics
    from pelagos.tables.modules import Modules, ServedModule
    from pelagos.tables.quotas import Quotas
    from pelagos.tables.settings import Settings
    from pelagos.tables.store import Store

UNBUFFERED = {"X-Accel-Buffering": "no"}
"""What a proxy in front must not hold back."""
COOKIE_DAYS = 30
SWITCH_INTERVAL = 0.0005
"""Seconds that the database's thread waits for its turn: a commit has a dozen of them."""
GC_THRESHOLDS = (50_000, 20, 20)
"""How much may lie about before it is collected: a view is a thousand objects, all gone at once."""
TALK_BURST = 5
"""Lines that one may say at once."""
HINT_BURST = 10
"""Hints that one may ask for at once."""
COST_BURST = 20
"""Seconds whose share of the processor one address may use at once."""
_TABLE_ID = re.compile(r"[A-Za-z0-9_-]{22}")


class ServerState:
    """What all requests of one server share."""

    def __init__(self, where: Any, settings: Settings, compiling: Compiling | None = None) -> None:
        self.where = where
        self.migrates = True
        """Must the database be migrated when it is opened?"""
        self._laying = b""
        """The secret that ids of tables follow from, where a client id was given."""
        self.compiling = compiling if settings.compile_ahead else None
        self.settings = settings
        self.metrics = self.make_metrics()
        self.tables: Tables
        self.own_games: OwnGames
        self.quotas: Quotas | NoQuotas = NoQuotas()
        self.erasing: Erasing | None = None
        self.workers: Workers
        self.coaching: Coaching
        self.modules: Modules | None = None
        self.by_address: Limit | Unlimited = Unlimited()
        self.budget: Budget | None = None
        self.by_seat: Limit | Unlimited = Unlimited()
        self.new_tables: Limit | Unlimited = Unlimited()
        self.talking: Limit | Unlimited = Unlimited()
        self.hinting: Limit | Unlimited = Unlimited()
        self.analyses: Limit | Unlimited = Unlimited()
        if settings.limits:
            rate = settings.requests_a_second
            self.by_address = Limit(rate, 4 * rate)
            share = settings.milliseconds_a_second / 1000
            self.budget = Budget(share, COST_BURST * share)
            self.by_seat = Limit(settings.moves_a_second, 4 * settings.moves_a_second)
            self.new_tables = Limit(settings.tables_a_minute / 60, settings.tables_a_minute)
            self.talking = Limit(
                settings.lines_a_minute / 60, TALK_BURST, refusal="tables/refuse.talk_much"
            )
            self.hinting = Limit(
                settings.hints_a_minute / 60, HINT_BURST, refusal="tables/refuse.hint_much"
            )
            hourly = settings.analyses_an_hour
            self.analyses = Limit(hourly / 3600, hourly, refusal="tables/refuse.analyses")
        self.streams: dict[str, int] = {}
        self.draining = False
        """Is it going to stop? Whoever asks how it is is told to ask others."""
        self.leaving = False
        """Is it stopping? No stream is begun any more."""

    def make_metrics(self) -> Metrics:
        """Who counts."""
        from pelagos.tables.metrics import Metrics

        return Metrics()

    async def open_store(self) -> TableStore:
        """What keeps the tables."""
        from pelagos.tables.store import Store

        return await Store.open(self.where, migrates=self.migrates)

    def make_workers(self) -> Workers:
        """Who lets bots think."""
        return Workers(self.tables)

    def make_coaching(self) -> Coaching:
        """Who lets the coach look at finished games."""
        return Coaching(self.tables, self.workers.thinking)

    def make_modules(self) -> Modules | None:
        """Who finds the modules that browsers think with."""
        from pelagos.tables.modules import Modules

        return Modules()

    async def make_quotas(self) -> Quotas | NoQuotas:
        """Who counts what addresses use."""
        if not self.settings.limits or not self.where:
            return NoQuotas()
        from pelagos.tables.quotas import Quotas
        from pelagos.tables.store import Store

        assert isinstance(self.tables.store, Store)
        secret = await self.tables.store.secret("quotas")
        return Quotas(self.tables.store, secret, self.settings, self.tables.clock)

    def make_erasing(self) -> Erasing | None:
        """Who erases names; nobody in a browser, where all that is kept is its person's own."""
        if not self.where:
            return None
        from pelagos.tables.erasing import Erasing
        from pelagos.tables.store import Store

        store = self.tables.store
        assert isinstance(store, Store)
        return Erasing(self.tables, store, self.settings.names_days)

    @asynccontextmanager
    async def opened(self, _: Any) -> AsyncIterator[None]:
        """Open the store, resume what is owed, and close it all again."""
        sys.setswitchinterval(SWITCH_INTERVAL)
        gc.set_threshold(*GC_THRESHOLDS)
        store = await self.open_store()
        if self.compiling is not None:
            self.compiling.start()
        self.tables = Tables(store, await store.key(), self.settings, compiling=self.compiling)
        self.tables.watcher = self.metrics
        self.own_games = OwnGames(self.tables)
        self.quotas = await self.make_quotas()
        self.erasing = self.make_erasing()
        chores = Chores([self.quotas.forget, *([self.erasing.erase_old] if self.erasing else [])])
        keys = Chores([self.read_keys], self.settings.reread)
        await self.read_keys()
        if not store.postgres:
            await store.release()
        self.workers = self.make_workers()
        self.coaching = self.make_coaching()
        self.modules = self.make_modules()
        self.tables.start()
        self.workers.start()
        self.coaching.start()
        chores.start()
        keys.start()
        logs.tell("open", store="postgresql" if store.postgres else "sqlite")
        try:
            yield
        finally:
            for task in (keys, chores, self.coaching):
                await task.close()
            if self.modules is not None:
                await self.modules.close()
            begun = self.workers.begun
            await self.workers.close()
            if self.where:
                await cast("Store", store).give_back(begun)
            await self.tables.close()
            if self.compiling is not None:
                await self.compiling.close()
            await store.close()
            logs.tell("closed")

    async def read_keys(self) -> None:
        """Learn of new keys, and that old ones are good no more."""
        if self.where:
            keys = await cast("Store", self.tables.store).keys()
            self.tables.keys = tokens.good_keys(keys, self.tables.clock())

    async def drain(self) -> None:
        """Say that others should be asked, for a while; then let every stream go elsewhere."""
        self.draining = True
        logs.tell("draining", seconds=self.settings.drain)
        await asyncio.sleep(self.settings.drain)
        self.leaving = True
        self.tables.hang_up()

    async def measure(self) -> None:
        """Look at what is counted nowhere, for whoever asks for the numbers."""
        store, metrics = cast("Store", self.tables.store), self.metrics
        metrics.tables.set(self.tables.count)
        metrics.draining.set(self.draining)
        metrics.well.set(await store.is_well())
        oldest = await store.oldest_due()
        metrics.overdue.set(0 if oldest is None else max(0.0, self.tables.clock() - oldest))
        if isinstance(self.where, Path):
            metrics.disk_free.labels("data").set(shutil.disk_usage(self.where).free)

    async def find(self, table: str) -> OpenTable:
        """A table by its id."""
        if not _TABLE_ID.fullmatch(table):
            raise NotFound(text("tables/refuse.no_table"))
        live = await self.tables.find(table)
        live.used = time.monotonic()
        if not live.table.views:
            live.table.check_open()
        return live

    async def seated(self, request: Request, table: str, seat: int) -> OpenTable:
        """A table at which the asker holds this seat."""
        live, secrets_given = await self.find(table), given(request, table, str(seat))
        try:
            self.tables.check(live.table, seat, secrets_given)
        except Refused:  # or did they sit down elsewhere, just now?
            await self.tables.refresh(live)
            self.tables.check(live.table, seat, secrets_given)
        live.address = live.address or address_of(request.scope)
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
            return self.outcome(request, live, seat, error)
        return self.outcome(request, live, seat, None)

    def outcome(
        self, request: Request, live: OpenTable, seat: int, error: BaseException | None
    ) -> Response:
        """The answer to something that a seat did, or was refused."""
        if error is None:
            return plain(live.message(seat).json)
        if isinstance(error, PelagosError):
            message = live.message(seat).json if status_of(error) == 409 else None
            return self.refuse(request, error, message)
        if isinstance(error, self.tables.store.raises):
            return self.away(request, error)
        raise error

    async def laid_before(self, client: str) -> OpenTable | None:
        """The table that was laid for whoever asks with this client id, if one was."""
        acts.clean_long_client(client)
        try:
            return await self.find(await self._id_for(client))
        except NotFound:
            return None

    async def _id_for(self, client: str) -> str:
        """The id of the table that is laid for a client id: nobody else can work it out."""
        if not self._laying:
            self._laying = await cast("Store", self.tables.store).secret("laying")
        digest = hmac.digest(self._laying, client.encode(), "sha256")
        return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")

    async def lay(
        self, request: Request, entries: list[Entry], client: str | None = None
    ) -> OpenTable:
        """A new table, if its address may have one more; for one client id one table."""
        address = address_of(request.scope)
        with_bots = any(seat["kind"] == BOT for seat in entries[0]["seats"])
        await self.quotas.lay(address, with_bots)
        table = "" if client is None else await self._id_for(client)
        return await self.tables.create(entries, self.quotas.laid_by(address), table)

    async def spend_bot_game(self, request: Request, table: Table) -> None:
        """Count one more game with bots, where it is one."""
        if any(seat.kind == BOT for seat in table.seats):
            await self.quotas.spend(BOT_GAMES, address_of(request.scope))

    async def analyse(self, request: Request, live: OpenTable, game: int) -> None:
        """Let the coach look at a finished game; what it has seen or sees already is free."""
        known = await self.coaching.progress(live.table.id, game)
        if known is None or known.failed:
            finished_game(live.table, game)
            self.analyses.spend(address_of(request.scope))
            self.metrics.advice.labels("coach", "server").inc()
            await self.coaching.ask(live.table, game)

    async def share_analysis(
        self, request: Request, table: str, seat: int, game: int, done: Mapping[str, Any]
    ) -> dict[str, Any] | None:
        """What the browser of a player is to play for the coach, after what it has `done`; None:
        the server is asked as ever, or there is nothing left to do.
        """
        live = await self.seated(request, table, seat)
        module = self.module_for(live.table.game.id, "coach_decision")
        if module is None:
            return None
        self.by_seat.spend(f"{table}/{seat}")
        if not done["answers"] and await self.coaching.progress(table, game) is None:
            self.analyses.spend(address_of(request.scope))
        at = (done["round"], done["stage"])
        work = await self.coaching.share(live.table, game, at, done["answers"])
        if done["answers"] and (work is None or work["round"] != done["round"]):
            self.metrics.advice.labels("coach", "browser").inc()
        return None if work is None else {"module": module.addresses(), **work}

    async def say(
        self, request: Request, table: str, seat: int, said: Mapping[str, str], client: str
    ) -> OpenTable:
        """Something that a seat says, or a spectator under a name of their own (`said["name"]`)."""
        if seat == SPECTATOR:
            await self.find(table)
            who = address_of(request.scope)
        else:
            await self.seated(request, table, seat)
            who = str(seat)
        self.talking.spend(f"{table}/{who}")
        name = said.get("name", "")
        return await self.tables.say(
            table, lambda now: make_line(now, seat, said, client, name.strip())
        )

    async def hint(
        self, request: Request, table: str, seat: int, decision: int | None, client: str, more: bool
    ) -> tuple[OpenTable, Hint]:
        """What the strongest bot would do in a seat's place; `more`: having thought longer."""
        live, asked = await self._ask_hint(request, table, seat, decision, client)
        self.metrics.advice.labels("hint", "server").inc()
        return live, await self.workers.hinting.hint(live, seat, asked, int(more))

    async def _ask_hint(
        self, request: Request, table: str, seat: int, decision: int | None, client: str
    ) -> tuple[OpenTable, int]:
        """Note that a seat asks for a hint; return what it has to decide."""
        live = await self.seated(request, table, seat)
        asked = live.table.decisions[seat] if decision is None else decision
        self.hinting.spend(address_of(request.scope))
        await self.tables.do(table, lambda now: acts.ask_hint(now, seat, asked, client))
        return live, asked

    async def hint_question(
        self, request: Request, table: str, seat: int, decision: int, client: str
    ) -> dict[str, Any] | None:
        """What a seat's own browser needs to think about a hint; None: the server must think."""
        live = await self.seated(request, table, seat)
        module = self.module_for(live.table.game.id, f"{ADVISER.bot}_start")
        if module is None:
            return None
        await self._ask_hint(request, table, seat, decision, client)
        check_owed(live, seat, decision)
        assert live.table.match is not None
        return {"module": module.addresses(), **question_for(live.table.match, seat)}

    async def hint_told(
        self, request: Request, table: str, seat: int, decision: int, step: int, thoughts: Any
    ) -> tuple[OpenTable, Hint]:
        """A hint that the seat's own browser has thought out."""
        live = await self.seated(request, table, seat)
        self.by_seat.spend(f"{table}/{seat}")
        hint = check_hint(live, seat, decision, step, thoughts)
        self.metrics.advice.labels("hint", "browser").inc()
        return live, hint

    def known_module(self, game_id: str) -> ServedModule | None:
        """A game's module for browsers; what isn't there yet is looked for from now on."""
        if self.modules is None or game_id not in games():
            return None
        return self.modules.find(game_id)

    def module_for(self, game_id: str, function: str) -> ServedModule | None:
        """A game's module for browsers, if it is there and has this function."""
        served = self.known_module(game_id)
        has_it = served is not None and function in served.module.manifest["exports"]
        return served if has_it else None

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
        except self.tables.store.raises as error:
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
        headers = None
        if isinstance(error, TooMuch | Unavailable):
            headers = {"Retry-After": str(error.retry_after)}
        return Response(body, status_of(error), headers, "application/json")

    def notice(self, request: Request, key: str) -> dict[str, str]:
        """What whoever asks should know, beside what they asked for: as a refusal is told."""
        language = wished_language(request.headers.get("accept-language", ""))
        said = {spoken: own_words(spoken).say(text(key)) for spoken in {"en", language}}
        code = key.rpartition(".")[2]
        return {"code": code, "sentence": said["en"], "message": said[language]}

    async def stream(self, request: Request, live: OpenTable, viewer: int) -> Response:
        """An event stream for a viewer."""
        issue = 0 if viewer == SPECTATOR else live.table.seats[viewer].issue

        def may_see() -> bool:
            return viewer == SPECTATOR or live.table.seats[viewer].issue == issue

        squeezed = "gzip" in request.headers.get("accept-encoding", "")
        if squeezed or request.method == "HEAD" or SOCKET not in request.scope:
            messages = as_json(self.followed(live, viewer, may_see))
            return self.streaming(request, messages, alike=viewer == SPECTATOR)
        beat, clock = self.settings.beat, self.tables.clock
        counted = self._counted(request)
        return JsonStream(live, viewer, may_see, beat, self.metrics, clock, counted, UNBUFFERED)

    def followed(
        self, live: OpenTable, viewer: int, may_see: Callable[[], bool], drawn: bool = False
    ) -> AsyncIterator[Sent]:
        """All that a viewer is sent; `drawn`: for a page."""
        beat, clock = self.settings.beat, self.tables.clock
        return follow(live, viewer, may_see, beat, self.metrics, clock, drawn)

    def streaming(
        self, request: Request, messages: AsyncIterator[bytes], alike: bool = False
    ) -> Response:
        """Messages as an open stream, which counts for its address as long as it lasts; `alike`:
        many are sent the same.
        """
        counted_in = self._counted(request)

        async def counted() -> AsyncIterator[bytes]:
            with counted_in:
                async for message in messages:
                    yield message

        headers = dict(UNBUFFERED)
        if request.method == "HEAD":  # nobody would read it, and nothing would end it
            return Response(headers=headers, media_type=EVENTS)
        sent = counted()
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
            headers["Vary"] = "Accept-Encoding"
            sent = compressed_alike(sent) if alike else compressed(sent)
        return StreamingResponse(sent, headers=headers, media_type=EVENTS)

    def _counted(self, request: Request) -> AbstractContextManager[None]:
        """As long as it is held, one more stream of the asker's address."""
        if self.leaving:
            raise Unavailable(text("tables/refuse.leaving"))
        address = address_of(request.scope)
        if self.settings.limits and self.streams.get(address, 0) >= self.settings.streams:
            raise TooMuch(text("tables/refuse.streams"))

        @contextmanager
        def counted() -> Iterator[None]:
            self.streams[address] = self.streams.get(address, 0) + 1
            try:
                yield
            finally:
                self.streams[address] -= 1
                if not self.streams[address]:
                    del self.streams[address]

        return counted()


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

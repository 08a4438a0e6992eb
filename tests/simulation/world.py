"""A simulated place: server processes that crash, a network that loses, clocks that jump."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import random
import types
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any
from unittest import mock

import orjson

from pelagos.bots import LADDER, warm_up
from pelagos.bots.thinking import ThinkingHere, TooLateError
from pelagos.engine.game import games
from pelagos.tables import (
    fairness,
    news,
    server,
    service,
    store,
    streams,
    workers,
    writer,
)
from pelagos.tables.api import make_app
from pelagos.tables.keeping import Append
from pelagos.tables.settings import Settings
from simulation.disk import Disk, InMemory, OnFile, SimulatedStore, statements
from simulation.loop import Actor, Loop, acting
from simulation.truth import Truth

EPOCH = 1_700_000_000.0
SETTINGS = Settings(
    pause=(0.02, 0.1),
    limits=False,
    compile_ahead=False,
    thinkers=1,
    lease=3.0,
    reread=2.0,
    beat=45.0,
    away=20.0,
    idle=15.0,
)
CALM_AFTER = 40.0
"""Seconds of a schedule in which faults happen; then all must come to an end."""


@dataclass
class Faults:
    """What goes wrong in one schedule, and how often."""

    draws: random.Random
    crashes: float = 0.0
    """Chance of a crash at a commit, before or after it."""
    kills: tuple[int, ...] = ()
    """After so many steps some process is killed, whatever it is doing."""
    failing: float = 0.0
    """Chance that a job on the disk fails, before its commit or after it."""
    slow: float = 0.002
    """Seconds that a job takes on average."""
    lost: float = 0.0
    """Chance that a request or its answer is lost."""
    lost_news: float = 0.0
    doubled: float = 0.0
    """Chance that news, or a request, come twice."""
    jumps: bool = False
    """Are clocks wrong, and another way after each start?"""
    bots_fail: float = 0.0
    calm: bool = False
    """Nothing goes wrong any more."""

    @classmethod
    def draw(cls, draws: random.Random) -> Faults:
        """Some of all that can go wrong."""

        def some(most: float) -> float:
            return draws.uniform(0.0, most) if draws.random() < 0.5 else 0.0

        kills = draws.choice((0, 0, 1, 2, 3))
        return cls(
            draws,
            crashes=some(0.03),
            kills=tuple(sorted(int(draws.uniform(20, 1200)) for _ in range(kills))),
            failing=some(0.06),
            slow=draws.choice((0.0005, 0.002, 0.02, 0.1)),
            lost=some(0.06),
            lost_news=draws.choice((0.0, 0.0, 0.3, 1.0)),
            doubled=some(0.3),
            jumps=draws.random() < 0.3,
            bots_fail=some(0.2),
        )

    def happens(self, chance: float) -> bool:
        """Does it happen now?"""
        return chance > 0 and not self.calm and self.draws.random() < chance

    def disk_seconds(self) -> float:
        return self.draws.expovariate(1.0) * (0.0005 if self.calm else self.slow)

    def disk_fault(self) -> str:
        if self.happens(self.crashes):
            return self.draws.choice(("crash before commit", "crash after commit"))
        if self.happens(self.failing):
            return self.draws.choice(("fails", "fails", "fails after commit"))
        return ""

    def network_seconds(self) -> float:
        return self.draws.expovariate(1.0) * 0.01

    def wrong_clock(self, shared: bool) -> float:
        """Seconds by which a machine's clock is wrong; several machines are wrong by little."""
        if not self.jumps:
            return 0.0
        return self.draws.uniform(-1.0, 1.0) * (1.0 if shared else 4000.0)


class Lost(ConnectionError):
    """No answer comes."""


class Connection:
    """A request under way, and its answer; or a stream."""

    def __init__(self, world: World, person: Actor) -> None:
        self._world = world
        self._person = person
        self.answer: asyncio.Future[tuple[int, bytes]] = world.loop.create_future()
        self.chunks: asyncio.Queue[bytes | None] = asyncio.Queue()
        """What comes over a stream; None: it has ended."""
        self.gone: asyncio.Future[None] = world.loop.create_future()
        """The person has hung up."""
        self._arrival = 0.0

    def deliver(self, do: Callable[..., Any], *values: Any) -> None:
        """Something comes to the person, after what was sent before it."""
        loop = self._world.loop
        self._arrival = max(self._arrival, loop.now + self._world.faults.network_seconds())
        loop.call_at(self._arrival, do, *values, context=self._person.context)

    def respond(self, status: int, body: bytes) -> None:
        if not self.answer.done():
            self.answer.set_result((status, body))

    def cut(self) -> None:
        """The other end is gone."""
        if not self.answer.done():
            self.answer.set_exception(Lost())
        self.chunks.put_nowait(None)


class Process:
    """A server's process: killed and started again, on the same database."""

    def __init__(self, world: World, number: int) -> None:
        self.world = world
        self.number = number
        self.app = _app(number)
        self.server = self.app.state.server
        self.starts = 0
        self.actor = Actor("")
        self.open = False
        self.wrong_clock = 0.0
        self.last_hit = 0.0
        """When a fault has hit it last."""
        self.hear: tuple[Callable[[str, int], None], Callable[[str, str], None]] | None = None
        self.shown: dict[tuple[str, int], tuple[float, int]] = {}
        """By table and viewer: when its newest stream began, and the number it has shown last."""
        self._connections: dict[Connection, None] = {}

    def start(self) -> None:
        """Begin, with nothing but what is on the disk."""
        self.starts += 1
        self.actor = Actor(f"server {self.number}.{self.starts}")
        self.world.processes_by_actor[self.actor] = self
        self.wrong_clock = self.world.faults.wrong_clock(self.world.shared)
        self.hear = None
        self.server.open_store = self._open_store
        self.server.make_coaching = NoCoach
        self.server.streams = Counter()
        self._connections = {}
        self.shown = {}
        self.world.note(self.actor.name, "starts")
        self.world.loop.create_task(self._live(), context=self.actor.context)

    async def _open_store(self) -> SimulatedStore:
        return SimulatedStore(self)

    async def _live(self) -> None:
        try:
            async with self.server.opened(None):
                self.open = True
                self.last_hit = self.world.loop.now
                await asyncio.Future()
        except Exception as error:  # it can't start: whoever looks after it tries again
            self.crash(f"can't start: {type(error).__name__}")

    def crash(self, why: str) -> None:
        """SIGKILL: nothing of it runs any more."""
        self.world.note(self.actor.name, f"is killed ({why})")
        self.actor.alive, self.open = False, False
        self.actor.ready.clear()
        for connection in self._connections:
            connection.deliver(connection.cut)
        delay = self.world.faults.draws.uniform(0.05, 3.0)
        self.world.loop.call_later(delay, self.start, context=self.world.nobody.context)

    def hit(self, what: str) -> None:
        """A fault that it must live with."""
        self.last_hit = self.world.loop.now
        self.world.note(self.actor.name, what)

    def take(self, connection: Connection, scope: dict[str, Any], body: bytes) -> None:
        """A request comes in."""
        if not self.open:
            connection.deliver(connection.cut)
            return
        self._connections[connection] = None
        work = self._answer(connection, scope, body)
        self.world.loop.create_task(work, context=self.actor.context)

    async def _answer(self, connection: Connection, scope: dict[str, Any], body: bytes) -> None:
        asked = [{"type": "http.request", "body": body, "more_body": False}]
        status, parts = 0, []
        streams_on = scope["path"].endswith("/stream")

        async def receive() -> dict[str, Any]:
            if asked:
                return asked.pop()
            await asyncio.shield(connection.gone)
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                if streams_on:
                    self.world.truth.opened(self, scope["path"])
                    connection.deliver(connection.respond, status, b"")
                return
            chunk = message.get("body", b"")
            self.world.truth.hear(self, scope["path"], status, chunk)
            if streams_on:
                connection.deliver(connection.chunks.put_nowait, chunk)
            parts.append(chunk)

        try:
            await self.app(scope, receive, send)
        except Exception as error:
            self.world.truth.fail(f"{scope['method']} {scope['path']}: {error!r}")
        self._connections.pop(connection, None)
        if streams_on:
            connection.deliver(connection.chunks.put_nowait, None)
        elif self.world.faults.happens(self.world.faults.lost):
            self.world.note(self.actor.name, f"{status}: the answer is lost")
        else:
            connection.deliver(connection.respond, status, b"".join(parts))


@dataclass(frozen=True)
class Moment:
    """A place as it was: what was on its disk, and the truth about it."""

    now: float
    content: bytes
    truth: Truth
    tokens: tuple[str, ...]
    """The seats' secrets; empty: a bot's."""


class World:
    """One schedule's place."""

    def __init__(
        self,
        seed: int | str,
        tracing: bool = False,
        on_file: bool = False,
        since: Moment | None = None,
    ) -> None:
        """`since`: it goes on from this moment of another world."""
        self.seed = seed
        self.trace: list[str] | None = [] if tracing else None
        self.draws = random.Random(seed)
        self.faults = Faults.draw(random.Random(f"{seed}/faults"))
        self.secrets = random.Random(f"{seed}/secrets")
        self.loop = Loop(
            random.Random(f"{seed}/order"), lambda: self.faults.draws.expovariate(1.0) * 0.01
        )
        self.nobody = Actor("network")
        self.processes_by_actor: dict[Actor, Process] = {}
        self.shared = self.draws.random() < 0.6
        """Do two processes share the database, as on PostgreSQL?"""
        content = since.content if since else b""
        self.medium = OnFile(content) if on_file else InMemory(content)
        self.disk = Disk(self, self.medium)
        self.truth = Truth(self)
        if since is not None:
            self.loop.now = since.now
            self.truth.go_on_from(since.truth)
        self.processes = [Process(self, number) for number in range(2 if self.shared else 1)]
        self._kills = list(self.faults.kills)
        self._calm_after = self.loop.now + CALM_AFTER

    def close(self) -> None:
        self.truth.closed = True
        self.loop.close()
        self.medium.close()

    def note(self, who: str, what: str) -> None:
        """A line of the trace."""
        if self.trace is not None:
            self.trace.append(f"{self.loop.now:9.3f}  {who:12}  {what}")

    @property
    def process(self) -> Process | None:
        """Whose code runs now."""
        return self.processes_by_actor.get(acting())

    def run(self, finished: Callable[[], bool], most_seconds: float) -> bool:
        """Run, killing processes when their time has come."""
        loop, faults = self.loop, self.faults

        def stop() -> bool:
            if self._kills and loop.steps >= self._kills[0]:
                self._kills.pop(0)
                victim = self.processes[int(faults.draws.random() * len(self.processes))]
                if victim.actor.alive and victim.starts:
                    victim.crash("at any moment")
            if not faults.calm and loop.now > self._calm_after:
                faults.calm = True
                self.note("", "from now on nothing goes wrong")
            return finished()

        return loop.run_until(stop, 400_000, most_seconds)

    # --- what is written, and who hears of it -----------------------------------------------------

    def committed(self, append: Append) -> None:
        """Entries are on the disk; other processes hear of it, or don't."""
        self.truth.committed(append)
        for process in self.processes:
            if not self.shared or process.hear is None or not process.actor.alive:
                continue
            if self.faults.happens(self.faults.lost_news):
                continue
            for _ in range(2 if self.faults.happens(self.faults.doubled) else 1):
                self.loop.call_later(
                    self.faults.network_seconds(),
                    process.hear[0],
                    append.table,
                    append.length,
                    context=process.actor.context,
                )

    def spread_talk(self, table: str, line: str) -> None:
        for process in self.processes:
            if process.hear is not None and process.actor.alive:
                delay = self.faults.network_seconds()
                hear, context = process.hear[1], process.actor.context
                self.loop.call_later(delay, hear, table, line, context=context)

    # --- asking -----------------------------------------------------------------------------------

    def connect(
        self, person: Actor, process: Process, method: str, path: str, token: str, body: Any
    ) -> Connection:
        """Send a request; it may be lost on the way, or come twice."""
        connection = Connection(self, person)
        headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
        if token:
            headers.append((b"authorization", f"Bearer {token}".encode()))
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": headers,
            "client": ("10.0.0.1", 1),
            "server": ("localhost", 80),
        }
        data = b"" if body is None else orjson.dumps(body)
        if self.faults.happens(self.faults.lost):
            self.note(person.name, f"{method} {path[-20:]} is lost")
            return connection
        times = 2 if method == "POST" and self.faults.happens(self.faults.doubled) else 1
        for _ in range(times):
            self.loop.call_later(
                self.faults.network_seconds(),
                process.take,
                connection,
                dict(scope),
                data,
                context=self.nobody.context,
            )
        return connection


# --- what is real elsewhere -----------------------------------------------------------------------

_worlds: list[World] = []
"""The world that is simulated now."""


class VirtualTime:
    """Stands for the module `time`: each process has a clock of its own."""

    @staticmethod
    def time() -> float:
        world = _worlds[-1]
        process = world.process
        return EPOCH + world.loop.now + (process.wrong_clock if process else 0.0)

    @staticmethod
    def monotonic() -> float:
        return 1000.0 + _worlds[-1].loop.now

    perf_counter = monotonic


class DrawnSecrets:
    """Stands for the module `secrets`."""

    @staticmethod
    def token_bytes(count: int) -> bytes:
        return _worlds[-1].secrets.randbytes(count)

    @classmethod
    def token_hex(cls, count: int) -> str:
        return cls.token_bytes(count).hex()

    @classmethod
    def token_urlsafe(cls, count: int) -> str:
        return base64.urlsafe_b64encode(cls.token_bytes(count)).decode().rstrip("=")


class SimulatedThinking(ThinkingHere):
    """Bots think here and now; the loop makes it take a while. Some fail."""

    def __init__(self, *_: Any) -> None:
        super().__init__()

    def think(self, bot: str, player: str, question: Any) -> int:
        world = _worlds[-1]
        if player and world.faults.happens(world.faults.bots_fail):
            world.truth.bots_failed = True
            raise TooLateError
        return super().think(bot, player, question)

    def hurry(self) -> None:
        """It is quick enough."""


class NoCoach:
    """Nobody asks it anything."""

    def start(self) -> None:
        pass

    async def close(self) -> None:
        pass


async def _listen(_url: str, *hear: Any) -> None:
    process = _worlds[-1].process
    assert process is not None
    process.hear = hear  # type: ignore[assignment]
    await asyncio.Future()


class _Choice:
    """Stands for the module `random`."""

    @staticmethod
    def choice(values: Any) -> Any:
        return _worlds[-1].secrets.choice(values)


@cache
def _app(number: int) -> Any:
    """A process' application; it is opened anew at each start."""
    return make_app(None, SETTINGS)


@cache
def _warm() -> None:
    for game in games().values():
        warm_up(game, ["random", "greedy"])


@contextlib.contextmanager
def simulated(world: World) -> Iterator[World]:
    """A world, with all that isn't its own replaced."""
    _warm()
    time, secrets = VirtualTime(), DrawnSecrets()
    replaced: list[tuple[types.ModuleType, str, Any]] = [
        *((module, "time", time) for module in (server, service, store, streams, workers, writer)),
        *((module, "secrets", secrets) for module in (fairness, service)),
        (news, "listen", _listen),
        (service, "warm", lambda game: None),
        (workers, "random", _Choice),
        (workers, "Worker", SimulatedThinking),
        (workers, "POLL", 2.5),
        (workers, "FOR_PEOPLE", LADDER[0]),
        (writer, "Statements", lambda _dialect: statements()),
    ]
    _worlds.append(world)
    try:
        with contextlib.ExitStack() as stack:
            for module, name, value in replaced:
                stack.enter_context(mock.patch.object(module, name, value))
            yield world
    finally:
        world.close()
        _worlds.pop()

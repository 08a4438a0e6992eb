"""People of a simulated place: they ask again until they are answered, and play to the end."""

from __future__ import annotations

import asyncio
import contextlib
import random
from typing import TYPE_CHECKING, Any

import orjson

from simulation.loop import Actor
from simulation.world import Connection, Lost, Process, World

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

ROOT = "/api/v1"
PATIENCE = 1.5
"""Seconds after which somebody asks again."""
SILENCE = 100.0
"""Seconds without a sign of life after which a stream is opened anew."""


class Person:
    """Somebody with a browser, or a program."""

    def __init__(self, world: World, name: str) -> None:
        self.world = world
        self.actor = Actor(name)
        self.choices = random.Random(f"{world.seed}/{name}")
        self.done = False
        self._asked = 0
        self._name = f"{name}-{world.seed}".replace(" ", "-").replace(".", "-")

    def begin(self) -> None:
        """Go about it, beside all others."""
        self.world.loop.create_task(self._go(), context=self.actor.context)

    async def _go(self) -> None:
        try:
            await self.live()
        except Exception as error:
            self.world.truth.fail(f"{self.actor.name} gives up: {error!r}")
        self.done = True

    async def live(self) -> None:
        """What they do."""
        raise NotImplementedError

    def client(self) -> str:
        """A new client id."""
        self._asked += 1
        return f"{self._name}-{self._asked:05d}"

    def some_process(self) -> Process:
        return self.choices.choice(self.world.processes)

    async def ask(
        self, method: str, path: str, token: str = "", body: Any = None
    ) -> tuple[int, Any]:
        """Ask, again and again, until there is an answer."""
        while True:
            sent = self.world.connect(self.actor, self.some_process(), method, path, token, body)
            with contextlib.suppress(Lost, TimeoutError):
                status, answer = await asyncio.wait_for(sent.answer, PATIENCE)
                if status != 503:
                    return status, orjson.loads(answer)
            await asyncio.sleep(self.choices.uniform(0.01, 0.5))


class Host(Person):
    """Lays a table; others sit down at it."""

    def __init__(self, world: World, name: str, body: dict[str, Any]) -> None:
        super().__init__(world, name)
        self.body = body
        self.table: asyncio.Future[str] = world.loop.create_future()
        self.token = ""

    async def live(self) -> None:
        status, answer = await self.ask("POST", f"{ROOT}/tables", body=self.body)
        if status != 201:
            raise AssertionError(answer)
        table = answer["table"]["id"]
        self.token = answer["token"]
        if all(seat["kind"] == "bot" for seat in self.body["seats"]):
            await self.ask("POST", f"{ROOT}/tables/{table}/start", self.token)
        self.world.truth.laid.append(table)
        self.table.set_result(table)


class Player(Person):
    """Sits at a table and plays by lot, over a stream or by looking now and then."""

    def __init__(
        self, world: World, name: str, host: Host, seat: int, games: int = 1, token: str = ""
    ) -> None:
        """With a token it sits there already."""
        super().__init__(world, name)
        self._host = host
        self._seat = seat
        self._games = games
        self.token = token
        self._streams = self.choices.random() < 0.7
        self._numbers_decisions = self.choices.random() < 0.8
        """Does it say which decision it answers?"""
        self._dreams = self.choices.random() < 0.1
        """Does it forget the time once?"""

    @property
    def path(self) -> str:
        return f"{ROOT}/tables/{self._host.table.result()}/seats/{self._seat}"

    async def live(self) -> None:
        await asyncio.shield(self._host.table)
        if not self.token:
            await self._sit_down()
        while self._games:
            await self._play()
            self._games -= 1
            if self._games:
                await self._act("rematch", {"bytes": "a1" * 32})

    async def _sit_down(self) -> None:
        body = {"name": self.actor.name, "client": self.client(), "bytes": "0f" * 32}
        status, answer = await self.ask("POST", self.path, body=body)
        if status != 200:
            raise AssertionError(answer)
        self.token = answer["token"]

    async def _play(self) -> None:
        """To the end of a game."""
        while True:
            async with contextlib.aclosing(self._messages()) as messages:
                async for message in messages:
                    if message["table"]["games"] > self._finished_before:
                        self._finished_before = message["table"]["games"]
                        return
                    if message["view"] is not None and message["own"]["owes"]:
                        await self._decide(message)

    _finished_before = 0

    async def _messages(self) -> AsyncIterator[dict[str, Any]]:
        """The seat's messages as they come; it ends where the stream does."""
        if not self._streams:
            while True:
                status, message = await self.ask("GET", f"{self.path}/view", self.token)
                if status != 200:
                    raise AssertionError(message)
                yield message
                await asyncio.sleep(self.choices.uniform(0.05, 1.0))
        sent = self.world.connect(
            self.actor, self.some_process(), "GET", f"{self.path}/stream", self.token, None
        )
        try:
            async for message in _messages_of(sent):
                yield message
        finally:
            if not sent.gone.done():
                sent.gone.set_result(None)
        await asyncio.sleep(self.choices.uniform(0.01, 0.5))

    async def _decide(self, message: dict[str, Any]) -> None:
        await asyncio.sleep(self.choices.expovariate(10.0))
        if self._dreams and self.choices.random() < 0.2:
            self._dreams = False
            await asyncio.sleep(90.0)
        chosen = self.choices.choice(message["view"]["choices"])
        asked: dict[str, Any] = {"actions": [chosen["notation"]]}
        if self._numbers_decisions:
            asked["decision"] = message["own"]["decision"]
        status = await self._act("actions", asked)
        if status == 200 and self.choices.random() < 0.05:
            way = self.choices.choice(("undo", "take-back"))
            await self._act(way, {})

    async def _act(self, way: str, asked: dict[str, Any]) -> int:
        """Ask for something with a client id of its own; is what is answered true?"""
        client = self.client()
        self.world.note(self.actor.name, f"{way} {asked} as {client}")
        asked["client"] = client
        status, answer = await self.ask("POST", f"{self.path}/{way}", self.token, asked)
        table, truth = self._host.table.result(), self.world.truth
        self.world.note(self.actor.name, f"{client}: {status}")
        if status == 200:
            if way != "rematch":  # whoever is ready already needn't say so again
                truth.acknowledged(table, self._seat, client, asked)
        elif status == 409:
            if "decision" in asked:
                truth.refused(table, self._seat, client)
        else:
            truth.fail(f"{way} of seat {self._seat} is answered by {status}: {answer}")
        return status


async def _messages_of(sent: Connection) -> AsyncIterator[dict[str, Any]]:
    """What comes over a stream, until it ends or falls silent."""
    with contextlib.suppress(Lost, TimeoutError):
        status, _ = await asyncio.wait_for(asyncio.shield(sent.answer), PATIENCE)
        while status == 200:
            chunk = await asyncio.wait_for(sent.chunks.get(), SILENCE)
            if chunk is None:
                return
            while not sent.chunks.empty():  # a slow reader skips what is old
                newer = sent.chunks.get_nowait()
                if newer is None:
                    return
                chunk = newer if newer.startswith(b"id: ") else chunk
            if chunk.startswith(b"id: "):
                yield orjson.loads(chunk.partition(b"data: ")[2])

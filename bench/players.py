"""Scripted players at four-seat tables, over JSON streams or over those of the pages.

A move's latency is the time from sending it to its arrival at each of the other seats' streams.
Only moves that surely reach everyone count. Over JSON these are the ones after which other seats
are waited for than before. A page doesn't name them: there a move counts after which its player
owes nothing more, and none that comes close to one that may have stayed hidden.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import secrets
import time
from typing import Any
from urllib.parse import urlencode

API = "/api/v1"
SEATS = 4
CLOSE = 0.3
"""Seconds after a move that may have stayed hidden, in which no other counts."""
SURELY_HEARD = 0.1
"""Seconds after its answer in which a move that all see is heard of: both are sent at once."""
PATIENCE = 60.0
"""Seconds until a stream that tells nothing of one's own move counts as broken."""
DECISION = re.compile(rb'"decision":(\d+),"owes":(true|false)')
WAITING = re.compile(rb'"waiting":(\[[0-9,]*\])')
"""Who is waited for: it comes early in a message, before the game's part."""
LENGTH = re.compile(rb"(?i)content-length: (\d+)")
ACTION = re.compile(rb'"action":(\d+)')
PAGE_DECISION = re.compile(rb'data-decision="(\d+)"')
PAGE_OWES = re.compile(rb'data-owes="([01])"')
BUTTON = re.compile(rb"<button\b[^>]*>")
VALUE = re.compile(rb'\svalue="(\d+)"')


class Wire(asyncio.Protocol):
    """One kept-alive connection, and as much HTTP as is needed here."""

    def __init__(self, port: int, *head: str) -> None:
        self.port = port
        self.head = "".join(f"{line}\r\n" for line in head)
        self._wire: asyncio.Transport | None = None
        self._answer: asyncio.Future[tuple[int, bytes]]
        self._parts: list[bytes] = []
        self._have = 0
        self._need = 0

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, bytes]:
        """Ask with JSON."""
        data = b"" if body is None else json.dumps(body).encode()
        return await self._send(method, path, data, "application/json")

    async def fill_in(self, path: str, form: dict[str, Any]) -> tuple[int, bytes]:
        """Send a form, as the pages' script does."""
        kind = "application/x-www-form-urlencoded\r\nX-Pelagos: 1"
        return await self._send("POST", path, urlencode(form).encode(), kind)

    async def _send(self, method: str, path: str, data: bytes, kind: str) -> tuple[int, bytes]:
        loop = asyncio.get_running_loop()
        if self._wire is None:
            self._wire, _ = await loop.create_connection(lambda: self, "127.0.0.1", self.port)
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n{self.head}"
        head += f"Content-Length: {len(data)}\r\nContent-Type: {kind}\r\n\r\n"
        self._answer = loop.create_future()
        self._parts, self._have, self._need = [], 0, 0
        self._wire.write(head.encode() + data)
        return await self._answer

    def data_received(self, data: bytes) -> None:
        """Bytes have come: is the answer whole?"""
        self._parts.append(data)
        self._have += len(data)
        if self._have < self._need:
            return
        whole = b"".join(self._parts) if len(self._parts) > 1 else data
        top = whole.find(b"\r\n\r\n") + 4
        if top < 4:
            return
        length = LENGTH.search(whole, 0, top)
        self._need = top + (int(length[1]) if length else 0)
        if self._have >= self._need and not self._answer.done():
            self._answer.set_result((int(whole[9:12]), whole[top : self._need]))

    def connection_lost(self, exc: Exception | None) -> None:
        """The server has hung up."""
        self._wire = None
        answer = getattr(self, "_answer", None)
        if answer is not None and not answer.done():
            answer.set_exception(exc or ConnectionResetError())


class Stream(asyncio.Protocol):
    """A stream of events in chunks: each whole message is handed to its seat, and not looked into.

    A chunk's bytes are joined once, when its last ones are here.
    """

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._parts: list[bytes] = []
        self._have = 0
        self._need = 0
        """Bytes until something can be told: the head's end, a chunk's size, or a chunk's end."""
        self._has_begun = False
        self._event = b""

    def data_received(self, data: bytes) -> None:
        """Bytes have come: do they make a chunk whole?"""
        self._parts.append(data)
        self._have += len(data)
        if self._have < self._need:
            return
        rest = b"".join(self._parts) if len(self._parts) > 1 else data
        rest = self._read(rest)
        self._parts, self._have = [rest], len(rest)

    def _read(self, data: bytes) -> bytes:
        """Take whole chunks; what is left of the bytes."""
        start = 0
        if not self._has_begun:
            start = data.find(b"\r\n\r\n") + 4
            if start < 4:
                return data
            self._has_begun = True
        while True:
            line = data.find(b"\r\n", start)
            if line < 0:
                self._need = 0
                return data[start:]
            end = line + 2 + int(data[start:line], 16)
            if len(data) < end + 2:
                self._need = end + 2 - start
                return data[start:]
            self._take(data[line + 2 : end])
            start = end + 2

    def _take(self, data: bytes) -> None:
        self._event += data
        if not data.endswith(b"\n\n"):  # a proxy cuts where it likes
            return
        whole, self._event = self._event, b""
        newest = whole.rfind(b"\nevent: view\n")
        if newest >= 0:  # of several in one chunk the newest tells how many there were
            first = whole.rfind(b"id: ", 0, newest)
            self.seat.take(int(whole[first + 4 : newest]), whole[first:])

    def connection_lost(self, exc: Exception | None) -> None:
        """The stream is over."""
        if not self.ended.done():
            self.ended.set_result(None)


class Post:
    """A move on its way: when it was sent, and how long it took to each seat."""

    def __init__(self, mover: int, counts: bool) -> None:
        self.mover = mover
        self.counts = counts
        self.sent = time.perf_counter()
        self.heard: dict[int, float] = {}
        self.answered_at = 0.0


class Seat:
    """A scripted player with an open stream of JSON."""

    def __init__(self, table: Table, number: int, token: str) -> None:
        self.table = table
        self.number = number
        self.wire = Wire(table.port, *self.credentials(token))
        self.message = b""
        self.seen = 0
        """The newest message's number."""

    def credentials(self, token: str) -> list[str]:
        """The lines that say who asks."""
        return [f"Authorization: Bearer {token}"]

    @property
    def path(self) -> str:
        """Where the seat's own things are."""
        return f"{API}/tables/{self.table.id}/seats/{self.number}"

    @property
    def stream(self) -> str:
        """Where its stream is."""
        return f"{self.path}/stream"

    async def listen(self) -> None:
        """Keep the newest message, until cancelled."""
        loop = asyncio.get_running_loop()
        wire, stream = await loop.create_connection(
            lambda: Stream(self), "127.0.0.1", self.table.port
        )
        head = f"GET {self.stream} HTTP/1.1\r\nHost: 127.0.0.1:{self.table.port}\r\n"
        wire.write(f"{head}{self.wire.head}\r\n".encode())
        try:
            await stream.ended
        finally:
            wire.close()

    def take(self, number: int, message: bytes) -> None:
        """A message has come."""
        self.message = message
        self.table.hear(self.number, number - self.seen)
        self.seen = number

    async def play(self, delay: float, until: float) -> None:
        """Make a decision a second, if one is owed."""
        await asyncio.sleep(delay)
        chance = random.Random(f"{self.table.place}/{self.number}")
        tick = time.perf_counter()
        while time.perf_counter() < until:
            if self.owes(self.message):
                await self.move(chance)
            elif self.is_over():
                await self.play_again()
            tick += 1.0
            await asyncio.sleep(max(0.0, tick - time.perf_counter()))

    # --- what differs between JSON and pages ------------------------------------------------------

    def owes(self, message: bytes) -> bool:
        """Is a decision owed?"""
        decision = DECISION.search(message)
        return decision is not None and decision[2] == b"true"

    def is_over(self) -> bool:
        """Is the game over?"""
        return b'"state":"over"' in self.message[:2000]

    async def move(self, chance: random.Random) -> None:
        """Choose anything."""
        decision = DECISION.search(self.message)
        assert decision is not None
        start = self.message.index(b'"choices":[')
        end = self.message.index(b'"events":[', start)
        action = int(chance.choice(ACTION.findall(self.message, start, end)))
        body = {
            "actions": [action],
            "decision": int(decision[1]),
            "client": secrets.token_hex(8),
        }
        before = waiting_in(self.message)
        post = self.table.post(self.number)
        status, answer = await self.wire.ask("POST", f"{self.path}/actions", body)
        self.table.count_status(status)
        self.table.answer(post, status == 200 and waiting_in(answer) != before)

    async def play_again(self) -> None:
        """One more game."""
        await self.wire.ask("POST", f"{self.path}/rematch", {"client": secrets.token_hex(8)})


class PageSeat(Seat):
    """A scripted player in front of a page: its stream is drawn, its moves are forms."""

    def credentials(self, token: str) -> list[str]:
        """A browser's cookie, and its language."""
        return [f"Cookie: pelagos-{self.table.id}-{self.number}={token}", "Accept-Language: en"]

    @property
    def stream(self) -> str:
        """Where its stream is."""
        return f"/t/{self.table.id}/stream?seat={self.number}"

    def owes(self, message: bytes) -> bool:
        """Is a decision owed?"""
        return PAGE_OWES.findall(html_of(message)) == [b"1"]

    def is_over(self) -> bool:
        """Is the game over?"""
        return b'data-over="1"' in html_of(self.message)

    async def move(self, chance: random.Random) -> None:
        """Press any button."""
        page = html_of(self.message)
        decision = PAGE_DECISION.search(page)
        assert decision is not None
        buttons = [tag for tag in BUTTON.findall(page) if b'name="action"' in tag]
        actions = sorted({int(VALUE.search(tag)[1]) for tag in buttons})  # type: ignore[index]
        form = {
            "seat": self.number,
            "decision": int(decision[1]),
            "action": chance.choice(actions),
            "client": secrets.token_hex(8),
        }
        seen, post = self.seen, self.table.post(self.number)
        status, answer = await self.wire.fill_in(f"/t/{self.table.id}/act", form)
        self.table.count_status(status)
        if status == 200 and not PAGE_OWES.search(html_of(answer)):
            answer = await self.next_message(seen)  # the answer holds no page: the stream does
        seen_by_all = status == 200 and not self.owes(answer)
        self.table.answer(post, seen_by_all)
        if not seen_by_all:
            self.table.may_hide()

    async def next_message(self, seen: int) -> bytes:
        """The first message that is newer than this number."""
        deadline = time.perf_counter() + PATIENCE
        while self.seen == seen:
            assert time.perf_counter() < deadline, f"nothing came over {self.stream}"
            await asyncio.sleep(0.005)
        return self.message

    async def play_again(self) -> None:
        """One more game."""
        form = {"seat": self.number, "bytes": "", "client": secrets.token_hex(8)}
        await self.wire.fill_in(f"/t/{self.table.id}/again", form)


def waiting_in(message: bytes) -> bytes:
    """The seats that a message says are waited for."""
    waiting = WAITING.search(message)
    return waiting[1] if waiting else b""


def html_of(message: bytes) -> bytes:
    """A page's part, be it in a JSON string or not."""
    return message.replace(rb"\"", b'"')


class Spectator(asyncio.Protocol):
    """Somebody who looks on over a stream of JSON, and does as little as can be."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.latencies: list[float] = []
        self.is_looking = False
        """Has it been told how things stand?"""
        self._rest = b""

    @classmethod
    async def of(cls, table: Table) -> Spectator:
        """A new one, whose stream is open."""
        loop = asyncio.get_running_loop()
        wire, spectator = await loop.create_connection(lambda: cls(table), "127.0.0.1", table.port)
        head = f"GET {API}/tables/{table.id}/stream HTTP/1.1\r\nHost: 127.0.0.1:{table.port}"
        wire.write(f"{head}\r\n\r\n".encode())
        spectator.close = wire.close  # type: ignore[method-assign]
        return spectator

    def close(self) -> None:
        """Go away."""

    def data_received(self, data: bytes) -> None:
        """A message ends: how long ago was the newest move sent?"""
        end = (self._rest + data[-5:])[-5:]
        self._rest = end
        if end == b"}\n\n\r\n":
            self.is_looking = True
            if self.table.moved_at:
                self.latencies.append(time.perf_counter() - self.table.moved_at)


class Table:
    """A table with its four players."""

    def __init__(self, port: int, game: str, place: int, pages: bool = False) -> None:
        self.port = port
        self.game = game
        self.place = place
        """Which of all tables: its players choose by this number."""
        self.kind = PageSeat if pages else Seat
        self.id = ""
        self.seats: list[Seat] = []
        self.posts: list[Post] = []
        """What some seat may still hear of."""
        self.latencies: list[float] = []
        self.hidden = 0
        """Moves that seemed to be seen by all, and weren't."""
        self.statuses: dict[int, int] = {}
        self._uncertain_until = 0.0
        self.moved_at = 0.0
        """When the newest move was sent."""

    def post(self, mover: int) -> Post:
        """A move is sent."""
        self.moved_at = time.perf_counter()
        self.posts.append(Post(mover, self.moved_at >= self._uncertain_until))
        return self.posts[-1]

    def count_status(self, status: int) -> None:
        """An answer has come."""
        self.statuses[status] = self.statuses.get(status, 0) + 1

    def may_hide(self) -> None:
        """Who has heard of what is uncertain for a moment."""
        self._uncertain_until = time.perf_counter() + CLOSE
        for post in self.posts:
            post.counts = False

    def answer(self, post: Post, seen: bool) -> None:
        """Only a move that is surely seen by all counts."""
        post.answered_at = time.perf_counter()
        if not seen and post in self.posts:
            self.posts.remove(post)
        self._count(post)

    def hear(self, seat: int, changes: int) -> None:
        """A message has come: it tells of the oldest moves that the seat hasn't heard of."""
        unheard = [post for post in self.posts if seat not in post.heard]
        if len(unheard) > 1:
            unheard = self._leave_out_hidden(unheard)
        for post in unheard[:changes]:
            post.heard[seat] = time.perf_counter() - post.sent
            self._count(post)

    def _leave_out_hidden(self, unheard: list[Post]) -> list[Post]:
        """Moves that were answered well before the newest was sent would have been heard by now.

        They stayed hidden from the seat, and seemed to be seen since somebody else moved meanwhile.
        Were they waited for, each move after them would count until the next one is heard.
        """
        sent = unheard[-1].sent
        hidden = [post for post in unheard if 0 < post.answered_at < sent - SURELY_HEARD]
        for post in hidden:
            self.posts.remove(post)
        self.hidden += len(hidden)
        return [post for post in unheard if post not in hidden]

    def _count(self, post: Post) -> None:
        if post in self.posts and post.answered_at and len(post.heard) == SEATS:
            if post.counts:
                self.latencies += [late for seat, late in post.heard.items() if seat != post.mover]
            self.posts.remove(post)

    async def gather(self) -> None:
        """Lay the table; everyone sits down."""
        wire = Wire(self.port)
        body = {"game": self.game, "options": {"players": SEATS}}
        status, answer = await wire.ask("POST", f"{API}/tables", body)
        assert status == 201, answer
        self.id = json.loads(answer)["table"]["id"]
        for number in range(SEATS):
            body = {"name": f"P{number}", "client": secrets.token_hex(10)}
            path = f"{API}/tables/{self.id}/seats/{number}"
            status, answer = await wire.ask("POST", path, body)
            assert status == 200, answer
            self.seats.append(self.kind(self, number, json.loads(answer)["token"]))

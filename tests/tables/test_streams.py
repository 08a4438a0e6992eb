"""A table's event streams."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import time
import zlib
from collections.abc import AsyncIterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import httpx
import pytest
from uvicorn.protocols.http.flow_control import FlowControl

from pelagos.tables import acts
from pelagos.tables.metrics import Metrics
from pelagos.tables.service import OpenTable
from pelagos.tables.sockets import SOCKET, Socket
from pelagos.tables.streams import JsonStream, compressed_alike
from pelagos.tables.table import SPECTATOR
from tables.setting import _begun
from tabling import ROOT, Server, client_id, gather, lay, listen

_NUMBER = re.compile(rb"id: (\d+)\n")


def test_bots_alone_play_to_the_end_while_somebody_watches(server: Server) -> None:
    laid = lay(server.url, "minnows", 0, ["starfish", "puffin", "winkle"])
    table, host = laid["table"]["id"], {"Authorization": f"Bearer {laid['token']}"}
    assert [(seat["bot"], seat["name"]) for seat in laid["table"]["seats"]] == [
        ("starfish", "Winkle"),  # as it was once called, and is still answered to
        ("puffin", "Puffin"),
        ("winkle", "Winkle 2"),
    ]
    httpx.post(f"{server.url}{ROOT}/tables/{table}/start", headers=host)
    path = f"{server.url}{ROOT}/tables/{table}/stream"
    number = 0
    with httpx.stream("GET", path, headers={"Accept-Encoding": "identity"}, timeout=60) as got:
        for line in got.iter_lines():
            if line.startswith("data: {") and '"view":' in line:
                message = json.loads(line[6:])
                assert message["number"] > number
                number = message["number"]
                if message["view"]["over"]:
                    break
    assert number > 5


def test_a_stream_can_be_squeezed(server: Server) -> None:
    people = gather(server.url, "minnows", 2)
    head = {**people[0].head, "Accept-Encoding": "gzip"}
    with httpx.stream("GET", server.url + people[0].path + "/stream", headers=head) as got:
        assert got.headers["content-encoding"] == "gzip"
        squeezed = b""
        for chunk in got.iter_raw():
            squeezed += chunk
            plain = zlib.decompressobj(31).decompress(squeezed)
            if b"event: view" in plain and plain.endswith(b"\n\n"):
                break
    assert plain.startswith(b"retry: ")


def test_what_many_are_sent_is_squeezed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    true_compressobj = zlib.compressobj

    def counted(*given: int) -> object:
        made.append(given)
        return true_compressobj(*given)

    monkeypatch.setattr(zlib, "compressobj", counted)
    sent = [b"event: view\ndata: %d %b\n\n" % (number, b"minnow " * 500) for number in range(5)]

    async def messages() -> AsyncIterator[bytes]:
        for message in sent:
            yield bytes(bytearray(message))  # whoever makes it anew
            await asyncio.sleep(0)

    async def read() -> bytes:
        return b"".join([chunk async for chunk in compressed_alike(messages())])

    async def all_read() -> set[bytes]:
        return set(await asyncio.gather(*(read() for _ in range(200))))

    [squeezed] = asyncio.run(all_read())
    assert zlib.decompressobj(31).decompress(squeezed) == b"".join(sent)
    assert len(squeezed) < sum(map(len, sent)) / 10
    assert len(made) == len(sent)


def test_a_spectators_stream_can_be_squeezed_too(server: Server) -> None:
    table = gather(server.url, "minnows", 2)[0].table
    address, head = f"{server.url}{ROOT}/tables/{table}/stream", {"Accept-Encoding": "gzip"}
    with httpx.stream("GET", address, headers=head) as got:
        assert got.headers["content-encoding"] == "gzip"
        plain = ""
        for text in got.iter_text():
            plain += text
            if "event: view" in plain and plain.endswith("\n\n"):
                break
    assert plain.startswith("retry: ")


def test_a_quiet_stream_beats(tmp_path: Path) -> None:
    with Server(tmp_path, BEAT="0.2") as quick:
        people = gather(quick.url, "minnows", 2)
        heard = listen(people[0])
        assert [next(heard)[0] for _ in range(3)] == ["view", "beat", "beat"]


def test_many_look_on_and_are_told_the_same(server: Server) -> None:
    people = gather(server.url, "minnows", 2)
    path = f"{ROOT}/tables/{people[0].table}/stream"
    watching = [_Watching(server.port, path) for _ in range(60)]
    try:
        first = {spectator.next() for spectator in watching}
        assert len(first) == 1
        while True:
            mover = next(person for person in people if person.view()["own"]["owes"])
            message = mover.view()
            mover.act([message["view"]["choices"][0]["notation"]], message["own"]["decision"])
            shown = httpx.get(f"{server.url}{ROOT}/tables/{people[0].table}/view").json()
            if shown["number"] > json.loads(next(iter(first)))["number"]:
                break
        newest = {spectator.newest(shown["number"]) for spectator in watching}
        assert [json.loads(each) for each in newest] == [shown]
    finally:
        for spectator in watching:
            spectator.socket.close()


def test_who_reads_nothing_skips_what_is_old() -> None:
    asyncio.run(_read_nothing_for_a_while())


async def _read_nothing_for_a_while() -> None:
    live = OpenTable(_begun("minnows", 2))
    slow = _SlowReader()
    stream = JsonStream(
        live, SPECTATOR, lambda: True, 60.0, Metrics(), time.time, nullcontext(), {}
    )
    task = asyncio.ensure_future(stream({SOCKET: Socket(slow)}, slow.receive, slow.send))
    await asyncio.sleep(0)
    first = slow.numbers()
    slow.flow.pause_writing()
    while live.table.views[SPECTATOR] < first[0] + 5:
        seat = live.table.waiting[0]
        draft = live.table.copy()
        acts.move(draft, seat, draft.decisions[seat], [draft.match.legal(seat)[0]], client_id())
        acts.settle(draft)
        live.table = draft
        live.tell()
        await asyncio.sleep(0)
    assert slow.numbers() == first
    slow.flow.resume_writing()
    while slow.numbers() == first:
        await asyncio.sleep(0)
    assert slow.numbers() == [*first, live.table.views[SPECTATOR]]
    assert live.watching == 1
    slow.gone.set()
    await task
    assert (live.watching, live.followers) == (0, set())


class _SlowReader:
    """What uvicorn knows of an answer, and who asked for it."""

    def __init__(self) -> None:
        self.transport: Any = self
        self.flow = FlowControl(self.transport)
        self.disconnected = False
        self.gone = asyncio.Event()
        self.chunks: list[bytes] = []

    def is_closing(self) -> bool:
        return False

    def write(self, chunk: bytes) -> None:
        self.chunks.append(chunk)

    async def receive(self) -> dict[str, str]:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, _: object) -> None:
        pass

    def numbers(self) -> list[int]:
        """The messages that it was sent."""
        return [int(match[1]) for match in map(_NUMBER.search, self.chunks) if match]


class _Watching:
    """A spectator's stream, read by hand."""

    def __init__(self, port: int, path: str) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"
        self.socket.sendall(head.encode())
        self._lines = self.socket.makefile("rb")

    def next(self) -> bytes:
        """The next message."""
        for line in self._lines:
            if line.startswith(b"data: {") and b'"view":' in line:
                return line[6:].strip()
        raise AssertionError("the stream has ended")

    def newest(self, number: int) -> bytes:
        """The message with this number, those before it read."""
        while json.loads(message := self.next())["number"] < number:
            pass
        return message

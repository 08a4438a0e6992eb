"""How many live tables one server process holds: four seats each, a decision a second each.

Scripted players sit at four-seat tables of every installed game that has them, all streams open.
Each makes a decision a second when it owes one. Measured is the time from sending a POST to its
arrival at each of the other seats' streams, seen from outside, over loopback.

    python bench/tables.py
    python bench/tables.py --tables 50 100 --seconds 10 --game ecosystem
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import secrets
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = "/api/v1"
SEATS = 4
LIMIT = 0.100
START, STEP = 100, 25
DECISION = re.compile(rb'"decision":(\d+),"owes":(true|false)')
NUMBER = re.compile(rb"id: (\d+)\nevent: view")
WAITING = re.compile(rb'"waiting":(\[[0-9,]*\])')
ACTION = re.compile(rb'"action":(\d+)')


class Wire:
    """One kept-alive connection, and as much HTTP as is needed here."""

    def __init__(self, port: int, token: str = "") -> None:
        self.port = port
        self.token = token
        self.reader: asyncio.StreamReader
        self.writer: asyncio.StreamWriter | None = None

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, bytes]:
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection(
                "127.0.0.1", self.port, limit=1 << 20
            )
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
        head += f"Content-Length: {len(data)}\r\nContent-Type: application/json\r\n"
        if self.token:
            head += f"Authorization: Bearer {self.token}\r\n"
        self.writer.write(head.encode() + b"\r\n" + data)
        top = await self.reader.readuntil(b"\r\n\r\n")
        length = int(re.search(rb"content-length: (\d+)", top.lower())[1])  # type: ignore[index]
        return int(top[9:12]), await self.reader.readexactly(length)


class Post:
    """A move on its way: when it was sent, and how long it took to each seat."""

    def __init__(self, mover: int) -> None:
        self.mover = mover
        self.sent = time.perf_counter()
        self.heard: dict[int, float] = {}
        self.answered = False


class Seat:
    """A scripted player with an open stream."""

    def __init__(self, table: Table, number: int, token: str) -> None:
        self.table = table
        self.number = number
        self.token = token
        self.wire = Wire(table.port, token)
        self.message = b""
        self.seen = 0
        """The newest message's number."""

    @property
    def path(self) -> str:
        return f"{ROOT}/tables/{self.table.id}/seats/{self.number}"

    async def listen(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.table.port, limit=1 << 20)
        head = f"GET {self.path}/stream HTTP/1.1\r\nHost: 127.0.0.1:{self.table.port}\r\n"
        writer.write(f"{head}Authorization: Bearer {self.token}\r\n\r\n".encode())
        await reader.readuntil(b"\r\n\r\n")
        while True:
            size = int(await reader.readline(), 16)
            chunk = await reader.readexactly(size + 2)
            told = NUMBER.match(chunk)
            if told:
                self.message = chunk
                self.table.hear(self.number, int(told[1]) - self.seen)
                self.seen = int(told[1])

    async def play(self, delay: float, until: float) -> None:
        await asyncio.sleep(delay)
        choices = random.Random(f"{self.table.id}{self.number}")
        tick = time.perf_counter()
        while time.perf_counter() < until:
            found = DECISION.search(self.message)
            if found and found[2] == b"true":
                start = self.message.index(b'"choices":[')
                end = self.message.index(b'"events":[', start)
                action = int(choices.choice(ACTION.findall(self.message, start, end)))
                body = {
                    "actions": [action],
                    "decision": int(found[1]),
                    "client": secrets.token_hex(8),
                }
                before = WAITING.findall(self.message)
                post = self.table.post(self.number)
                status, answer = await self.wire.ask("POST", f"{self.path}/actions", body)
                self.table.counts[status] = self.table.counts.get(status, 0) + 1
                self.table.answer(post, status == 200 and WAITING.findall(answer) != before)
            elif found and b'"state":"over"' in self.message[:2000]:
                body = {"client": secrets.token_hex(8)}
                await self.wire.ask("POST", f"{self.path}/rematch", body)
            tick += 1.0
            await asyncio.sleep(max(0.0, tick - time.perf_counter()))


class Table:
    """A table with its four players."""

    def __init__(self, port: int, game: str) -> None:
        self.port = port
        self.game = game
        self.id = ""
        self.seats: list[Seat] = []
        self.posts: list[Post] = []
        """What some seat may still hear of."""
        self.latencies: list[float] = []
        self.counts: dict[int, int] = {}

    def post(self, mover: int) -> Post:
        self.posts.append(Post(mover))
        return self.posts[-1]

    def answer(self, post: Post, seen: bool) -> None:
        """Only a move after which others are waited for is surely seen by all: it counts."""
        post.answered = True
        if not seen:
            self.posts.remove(post)
        self._count(post)

    def hear(self, seat: int, changes: int) -> None:
        """A message has come: it tells of the oldest moves that the seat hasn't heard of."""
        unheard = [post for post in self.posts if seat not in post.heard]
        for post in unheard[:changes]:
            post.heard[seat] = time.perf_counter() - post.sent
            self._count(post)

    def _count(self, post: Post) -> None:
        if post in self.posts and post.answered and len(post.heard) == SEATS:
            self.latencies += [late for seat, late in post.heard.items() if seat != post.mover]
            self.posts.remove(post)

    async def gather(self) -> None:
        wire = Wire(self.port)
        body = {"game": self.game, "options": {"players": SEATS}}
        status, answer = await wire.ask("POST", f"{ROOT}/tables", body)
        assert status == 201, answer
        self.id = json.loads(answer)["table"]["id"]
        for number in range(SEATS):
            body = {"name": f"P{number}", "client": secrets.token_hex(10)}
            path = f"{ROOT}/tables/{self.id}/seats/{number}"
            status, answer = await wire.ask("POST", path, body)
            assert status == 200, answer
            self.seats.append(Seat(self, number, json.loads(answer)["token"]))


def cpu_of(process: int) -> float:
    """Seconds of processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def load(
    port: int, kinds: list[str], count: int, seconds: float, process: int
) -> dict[str, Any]:
    tables = [Table(port, kinds[number % len(kinds)]) for number in range(count)]
    for table in tables:
        await table.gather()
    seats = [seat for table in tables for seat in table.seats]
    streams = [asyncio.create_task(seat.listen()) for seat in seats]
    while not all(seat.message for seat in seats):
        await asyncio.sleep(0.1)
    before = cpu_of(process)
    until = time.perf_counter() + seconds
    plays = []
    for place, table in enumerate(tables):
        for seat in table.seats:
            delay = seat.number / SEATS + place / count / SEATS
            plays.append(asyncio.create_task(seat.play(delay, until)))
    await asyncio.gather(*plays)
    spent = cpu_of(process) - before
    for stream in streams:
        stream.cancel()
    await asyncio.gather(*streams, return_exceptions=True)
    found = sorted(one for table in tables for one in table.latencies)
    moves = sum(table.counts.get(200, 0) for table in tables)
    unheard = sum(time.perf_counter() - post.sent > 1 for t in tables for post in t.posts)
    other = sum(n for table in tables for status, n in table.counts.items() if status != 200)
    games = {
        kind: round(1000 * _p95([one for t in tables if t.game == kind for one in t.latencies]), 1)
        for kind in kinds
    }
    return {
        "tables": count,
        "moves_a_second": round(moves / seconds, 1),
        "not_200": other,
        "messages_measured": len(found),
        "moves_unheard": unheard,
        "median_ms": round(1000 * statistics.median(found), 1) if found else None,
        "p95_ms": round(1000 * _p95(found), 1),
        "p95_ms_by_game": games,
        "server_cpu_ms_a_move": round(1000 * spent / max(moves, 1), 2),
        "machine_load": os.getloadavg()[0],
    }


def _p95(found: list[float]) -> float:
    ordered = sorted(found)
    return ordered[int(0.95 * (len(ordered) - 1))] if ordered else 0.0


def start_server(folder: str) -> tuple[subprocess.Popen[bytes], int]:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = int(one.getsockname()[1])
    words = [sys.executable, "-m", "pelagos.cli", "serve", "--port", str(port), "--data", folder]
    environment = {**os.environ, "PELAGOS_LIMITS": "off"}
    return subprocess.Popen(words, env=environment, stderr=subprocess.DEVNULL), port


async def ready(port: int) -> None:
    while True:
        try:
            status, _ = await Wire(port).ask("GET", "/health")
            if status == 200:
                return
        except OSError:
            await asyncio.sleep(0.1)


async def measure(count: int, seconds: float, kinds: list[str]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        server, port = start_server(folder)
        try:
            await ready(port)
            result = await load(port, kinds, count, seconds, server.pid)
        finally:
            server.terminate()
            server.wait()
    print(json.dumps(result), flush=True)
    return result


def is_held(result: dict[str, Any]) -> bool:
    return bool(result["messages_measured"]) and result["p95_ms"] <= 1000 * LIMIT


async def climb(seconds: float, kinds: list[str]) -> list[dict[str, Any]]:
    """From the number that a process should hold, up as far as it goes, or down until it does."""
    results = [await measure(START, seconds, kinds)]
    step = STEP if is_held(results[0]) else -STEP
    while is_held(results[-1]) == (step > 0) and results[-1]["tables"] + step > 0:
        results.append(await measure(results[-1]["tables"] + step, seconds, kinds))
    return results


async def each(counts: list[int], seconds: float, kinds: list[str]) -> list[dict[str, Any]]:
    return [await measure(count, seconds, kinds) for count in counts]


def main() -> None:
    from pelagos.engine.game import games

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, nargs="+", help="Not as many as go, but these.")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--game", action="append", help="Only this one; may be repeated.")
    parser.add_argument("--json", type=Path, help="Write the results here too.")
    told = parser.parse_args()
    kinds = told.game or [game.id for game in games().values() if SEATS in game.players]
    work = each(told.tables, told.seconds, kinds) if told.tables else climb(told.seconds, kinds)
    results = asyncio.run(work)
    held = max((one["tables"] for one in results if is_held(one)), default=0)
    print(f"one process holds {held} tables at a p95 of {1000 * LIMIT:.0f} ms")
    if told.json:
        told.json.write_text(json.dumps({"held": held, "runs": results}, indent=1) + "\n")


if __name__ == "__main__":
    main()

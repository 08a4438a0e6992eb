"""A server to test against, in a process of its own, and scripted players who reconnect."""

from __future__ import annotations

import json
import os
import random
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Self

import httpx

from nursery import Child, nursery

ROOT = "/api/v1"
SERVE = """
import sys
from pathlib import Path
from pelagos.tables.serve import serve
where = sys.argv[2] if "://" in sys.argv[2] else Path(sys.argv[2])
serve("127.0.0.1", int(sys.argv[1]), where)
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """`pelagos serve` in its own process; it can be killed and started again."""

    code = SERVE
    forked = sys.platform == "linux"
    """Is it forked from a process that has loaded the rules, or does it load all itself?"""

    def __init__(self, where: Path | str, port: int | None = None, **settings: str) -> None:
        self.where = where
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        defaults = {
            "PAUSE": "0,0",
            "LIMITS": "off",
            "LEASE": "1",
            "REREAD": "0.5",
            "THINKERS": "1",
            "COMPILE_AHEAD": "off",
            "METRICS_KEY": "count me in",
        }
        self._settings = {
            f"PELAGOS_{name}": value for name, value in {**defaults, **settings}.items()
        }
        self._process: subprocess.Popen[bytes] | Child | None = None
        self.log = Path(f"/tmp/pelagos-test-{self.port}.log")

    def start(self) -> Self:
        words, environment = [str(self.port), str(self.where)], {**os.environ, **self._settings}
        if self.forked:
            self._process = nursery().fork(self.code, words, environment, self.log)
            return self
        command = [sys.executable, "-c", self.code, *words]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        return self

    def wait(self) -> Self:
        while True:
            try:
                if httpx.get(f"{self.url}/health").status_code == 200:
                    return self
            except httpx.TransportError:
                pass
            assert self._process is not None
            assert self._process.poll() is None, self.log.read_text()
            time.sleep(0.05)

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def metrics(self) -> str:
        """Its numbers, for whoever has the key."""
        head = {"authorization": f"Bearer {self._settings['PELAGOS_METRICS_KEY']}"}
        return httpx.get(f"{self.url}/metrics", headers=head).text

    def kill(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()
        self.log.unlink(missing_ok=True)

    def __enter__(self) -> Server:
        return self.start().wait()

    def __exit__(self, *_: object) -> None:
        self.stop()


def client_id() -> str:
    return secrets.token_urlsafe(16)


class Player:
    """Somebody at one seat, who asks again with the same client id until answered."""

    def __init__(self, urls: list[str], table: str, seat: int, token: str) -> None:
        self.urls = urls
        self.table = table
        self.seat = seat
        self.head = {"Authorization": f"Bearer {token}"}
        self.acknowledged: list[tuple[int, list[str]]] = []
        self.http = httpx.Client(timeout=20)

    @property
    def path(self) -> str:
        return f"{ROOT}/tables/{self.table}/seats/{self.seat}"

    def ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """Until the server answers, whatever happens to it."""
        turn = 0
        while True:
            url = self.urls[turn % len(self.urls)]
            turn += 1
            try:
                got = self.http.request(method, url + path, json=body, headers=self.head)
            except httpx.TransportError:
                time.sleep(0.05)
                continue
            if got.status_code in (502, 503, 504):
                time.sleep(0.05)
                continue
            return got

    def view(self) -> dict[str, Any]:
        got = self.ask("GET", f"{self.path}/view")
        assert got.status_code == 200, got.text
        return dict(got.json())

    def act(self, actions: list[Any], decision: int) -> httpx.Response:
        body = {"actions": actions, "decision": decision, "client": client_id()}
        got = self.ask("POST", f"{self.path}/actions", body)
        if got.status_code == 200:
            self.acknowledged.append((decision, actions))
        return got

    def step(self, choices: random.Random) -> bool:
        """Make a random move if one is owed; is the game over?"""
        message = self.view()
        if message["view"] is None:  # this process hasn't heard yet that all are seated
            return False
        if message["view"]["over"]:
            return True
        if message["own"]["owes"]:
            chosen = choices.choice(message["view"]["choices"])["notation"]
            got = self.act([chosen], message["own"]["decision"])
            assert got.status_code in (200, 409), got.text
        return False

    def play(self, choices: random.Random, pause: float = 0.02) -> None:
        while not self.step(choices):
            time.sleep(pause)


def lay(
    url: str, game: str, people: int, bots: Sequence[str] = (), **options: Any
) -> dict[str, Any]:
    seats = [{"kind": "open"}] * people + [{"kind": "bot", "bot": bot} for bot in bots]
    body = {"game": game, "options": {"players": len(seats), **options}, "seats": seats}
    got = httpx.post(f"{url}{ROOT}/tables", json=body, timeout=300)
    assert got.status_code == 201, got.text
    return dict(got.json())


def sit(urls: list[str], table: str, seat: int, name: str = "") -> Player:
    body = {"name": name or f"P{seat}", "client": client_id(), "bytes": secrets.token_hex(32)}
    got = httpx.post(f"{urls[0]}{ROOT}/tables/{table}/seats/{seat}", json=body, timeout=60)
    assert got.status_code == 200, got.text
    return Player(urls, table, seat, got.json()["token"])


def gather(
    url: str, game: str, people: int, bots: Sequence[str] = (), **options: Any
) -> list[Player]:
    table = lay(url, game, people, bots, **options)["table"]["id"]
    return [sit([url], table, seat) for seat in range(people)]


def listen(player: Player, url: str | None = None) -> Iterator[tuple[str, dict[str, Any]]]:
    """A seat's stream: kinds and messages."""
    head = {**player.head, "Accept-Encoding": "identity"}
    address = (url or player.urls[0]) + f"{player.path}/stream"
    with httpx.stream("GET", address, headers=head, timeout=30) as got:
        kind = ""
        for line in got.iter_lines():
            if line.startswith("event: "):
                kind = line[7:]
            elif line.startswith("data: "):
                yield kind, json.loads(line[6:])


def all_play(players: list[Player], seed: int = 0) -> None:
    """Everyone plays at the same time, to the end."""
    failures: list[BaseException] = []

    def play_one(player: Player) -> None:
        try:
            player.play(random.Random(seed * 100 + player.seat))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=play_one, args=(player,)) for player in players]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]

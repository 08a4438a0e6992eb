"""Several processes behind one address: each table lives in one of them, and moves if it dies."""

from __future__ import annotations

import random
import threading
import time
from pathlib import Path

import httpx

import nginx
from postgres import Postgres
from tables.setting import check_game
from tabling import Player, Server, gather, listen

TABLES = 6


def test_a_table_lives_in_one_process_and_moves_when_it_dies(
    postgres: Postgres, tmp_path: Path
) -> None:
    url = postgres.database()
    servers = [Server(url, ROUTED="on") for _ in range(2)]
    try:
        for server in servers:
            server.start().wait()
        with nginx.running([server.port for server in servers], tmp_path) as address:
            people = [person for _ in range(TABLES) for person in gather(address, "minnows", 2)]
            ears = [_Ear(person) for person in people]
            for person in people:
                for _ in range(3):
                    _step(person)
            heard = [metric(server, "pelagos_streams") for server in servers]
            assert min(heard) > 0, "all tables went to one process"
            assert sum(heard) == len(people)
            assert [metric(server, "pelagos_strays_total") for server in servers] == [0, 0]

            servers[0].kill()
            for person in people:
                for _ in range(2):
                    _step(person)
            servers[0].start().wait()
            _play_on(people)
            for ear in ears:
                ear.ended.wait()
            for person in people:
                check_game(person)
            strays = sum(metric(server, "pelagos_strays_total") for server in servers)
            most = 3 * 2 * TABLES  # some moves each, until the table's streams have followed it
            assert strays <= most
    finally:
        for server in servers:
            server.stop()


def test_the_documentation_shows_the_example() -> None:
    shown = (Path(__file__).parents[2] / "docs/hosting.md").read_text()
    assert nginx.EXAMPLE.read_text().partition("\n\n")[2] in shown


def metric(server: Server, name: str) -> float:
    lines = [line for line in server.metrics().splitlines() if line.startswith(f"{name} ")]
    return float(lines[0].split()[-1]) if lines else 0.0


def _step(person: Player) -> None:
    message = person.view()
    if message["own"]["owes"]:
        choice = message["view"]["choices"][0]["notation"]
        got = person.act([choice], message["own"]["decision"])
        assert got.status_code in (200, 409), got.text


def _play_on(people: list[Player]) -> None:
    choices = random.Random(1)
    left = list(people)
    while left:
        left = [person for person in left if not person.step(choices)]


class _Ear:
    """A seat's stream, opened again whenever it ends."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.heard = threading.Event()
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._listen, daemon=True)
        self.thread.start()
        self.heard.wait()

    def _listen(self) -> None:
        while not self.ended.is_set():
            try:
                for _, message in listen(self.player):
                    self.heard.set()
                    if message.get("view") and message["view"]["over"]:
                        self.ended.set()
                        break
            except (httpx.HTTPError, OSError):
                time.sleep(0.05)

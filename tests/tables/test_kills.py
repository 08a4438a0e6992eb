"""Nothing acknowledged is ever lost: SIGKILL at random moments, on SQLite and on PostgreSQL."""

from __future__ import annotations

import contextlib
import itertools
import random
import threading
import time
from pathlib import Path

import httpx
import pytest

from conftest import SOAK
from pelagos.engine.game import Game, find_game
from postgres import Postgres
from tables.setting import check_game, playable
from tabling import SERVE, Player, Server, lay, sit

PIECES = 20 if SOAK else 1
"""Each with servers and tables of its own, so that a long run can be cut and gone on with."""
KILLS = 50 if SOAK else 20
"""In each piece."""


class Round:
    """Tables of all games, played by scripted people until they are over."""

    def __init__(self, servers: list[Server]) -> None:
        self.urls = [server.url for server in servers]
        self.players: list[Player] = []
        self.failures: list[BaseException] = []
        self.finished = 0
        self._threads: list[threading.Thread] = []

    def begin(self, game: Game, number: int) -> None:
        """Two people, and a bot where the game has room for one."""
        players = min(3, game.players[-1])
        bots = ["winkle"] * (players - 2)
        table = lay(self.urls[0], game.id, players - len(bots), bots)["table"]["id"]
        people = [sit(self.urls, table, seat) for seat in range(players - len(bots))]
        self.players += people
        for player in people:
            thread = threading.Thread(target=self._play, args=(player, number), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _play(self, player: Player, number: int) -> None:
        try:
            player.play(random.Random(number * 10 + player.seat), pause=0.03)
            self.finished += 1
        except BaseException as error:
            self.failures.append(error)

    def playing(self) -> bool:
        return any(thread.is_alive() for thread in self._threads)

    def check(self) -> None:
        """All have come to their end, with every move that was acknowledged, once."""
        for thread in self._threads:
            thread.join()
        if self.failures:
            raise self.failures[0]
        assert self.finished == len(self.players)
        for player in self.players:
            check_game(player)


@pytest.mark.parametrize("piece", range(PIECES))
def test_every_acknowledged_move_survives_kills(where: Path | str, piece: int) -> None:
    """On PostgreSQL two processes share the tables, and either is killed."""
    moments, kinds = random.Random(7 + piece), list(playable())
    numbers = itertools.count(piece * 1000)
    with contextlib.ExitStack() as stack:
        count = 1 if isinstance(where, Path) else 2
        servers = [stack.enter_context(Server(where)) for _ in range(count)]
        round_ = Round(servers)
        for game in kinds:
            round_.begin(game, next(numbers))
        for _ in range(KILLS):
            time.sleep(moments.uniform(0.1, 0.8))
            if not round_.playing():
                round_.begin(moments.choice(kinds), next(numbers))
            victim = moments.choice(servers)
            victim.kill()
            victim.start().wait()
        round_.check()


def test_a_database_that_is_killed_and_comes_back_has_every_move(postgres: Postgres) -> None:
    with Server(postgres.database()) as server:
        round_ = Round([server])
        for number in range(3):
            round_.begin(find_game("minnows"), number)
        for _ in range(20 if SOAK else 2):
            time.sleep(0.5)
            postgres.kill()
            postgres.go_on()
        round_.check()


class Cramped(Server):
    """A server whose files can't grow beyond 1.2 MB, as on a disk that is full."""

    room = "resource.setrlimit(resource.RLIMIT_FSIZE, (1_200_000, 1_200_000))"
    code = f"import resource\n{room}\n{SERVE}"


def test_a_disk_that_was_full_has_every_acknowledged_move(tmp_path: Path) -> None:
    with Cramped(tmp_path) as server:
        round_ = Round([server])
        for number in range(4):
            round_.begin(find_game("minnows"), number)
        while httpx.get(f"{server.url}/health").status_code == 200 and round_.playing():
            time.sleep(0.1)
        assert round_.playing(), "it was never full"
        time.sleep(1.0)  # they ask on, in vain
        server.kill()
        with Server(tmp_path, server.port):
            round_.check()

"""Nothing acknowledged is ever lost: SIGKILL at random moments, on SQLite and on PostgreSQL."""

from __future__ import annotations

import itertools
import random
import threading
import time
from pathlib import Path

from conftest import SOAK
from pelagos.engine.game import Game
from tables.setting import check_game, playable
from tabling import Player, Server, lay, sit

KILLS = 50 if SOAK else 3


def gathered(server: Server, game: Game, number: int) -> list[Player]:
    """Two people, and a bot where the game has room for one."""
    players = min(3, game.players[-1])
    bots = ["starfish"] * (players - 2) if players > 2 else []
    people = players - len(bots)
    table = lay(server.url, game.id, people, bots)["table"]["id"]
    return [sit([server.url], table, seat) for seat in range(people)]


class Round:
    """Tables of all games, played by scripted people until they are told to stop."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.players: list[Player] = []
        self.failures: list[BaseException] = []
        self.finished = 0
        self.moves = 0
        self._threads: list[threading.Thread] = []

    def begin(self, game: Game, number: int) -> None:
        for player in gathered(self.server, game, number):
            self.players.append(player)
            thread = threading.Thread(target=self._play, args=(player, number), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _play(self, player: Player, number: int) -> None:
        choices = random.Random(number * 10 + player.seat)
        try:
            while not player.step(choices):
                self.moves += 1
                time.sleep(0.03)
            self.finished += 1
        except BaseException as error:
            self.failures.append(error)

    def playing(self) -> bool:
        return any(thread.is_alive() for thread in self._threads)

    def join(self) -> None:
        for thread in self._threads:
            thread.join()


def test_every_acknowledged_move_survives_kills(where: Path | str) -> None:
    moments = random.Random(7)
    server = Server(where)
    with server:
        round_ = Round(server)
        numbers = itertools.count()
        kinds = list(playable())
        for game in kinds:
            round_.begin(game, next(numbers))
        kills = 0
        while kills < KILLS:
            time.sleep(moments.uniform(0.3, 1.5))
            if not round_.playing():
                round_.begin(moments.choice(kinds), next(numbers))
            server.kill()
            kills += 1
            server.start().wait()
        round_.join()
        if round_.failures:
            raise round_.failures[0]
        assert round_.finished == len(round_.players)
        for player in round_.players:
            check_game(player)

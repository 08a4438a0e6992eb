"""Nothing acknowledged is ever lost: SIGKILL at random moments, on SQLite and on PostgreSQL."""

from __future__ import annotations

import itertools
import json
import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from conftest import SOAK
from pelagos.engine.game import Game, games
from pelagos.engine.match import Match
from pelagos.tables.fairness import check
from postgres import Postgres, postgres
from tabling import Player, Server, lay, listen, sit

__all__ = ["postgres"]
KILLS = 50 if SOAK else 5


def playable() -> Iterator[Game]:
    """Installed games that are whole."""
    for game in games().values():
        try:
            game.part("knowledge")
            game.part("features")
        except ModuleNotFoundError:
            continue
        yield game


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    if request.param == "sqlite":
        return tmp_path
    cluster: Postgres = request.getfixturevalue("postgres")
    return cluster.database()


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
                time.sleep(0.01)
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


def check_game(player: Player) -> None:
    """The finished game has every move that was acknowledged, and verifies."""
    record = player.ask("GET", f"{player.path}/record").json()
    match = Match.replay(json.dumps(record))
    assert match.over
    check(record)
    own = [words for mover, words in record["moves"] if mover == player.seat]
    for decision, actions in player.acknowledged:
        assert own[decision : decision + len(actions)] == actions


# --- several processes --------------------------------------------------------------------------


def test_seats_on_two_processes_play_one_table(postgres: Postgres) -> None:
    url = postgres.database()
    with Server(url) as one, Server(url) as other:
        for number, game in enumerate(playable()):
            players = max(2, min(4, game.players[-1]))
            table = lay(one.url, game.id, players)["table"]["id"]
            people = [sit([(one, other)[seat % 2].url], table, seat) for seat in range(players)]
            threads = [
                threading.Thread(target=person.play, args=(random.Random(number + place),))
                for place, person in enumerate(people)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            for person in people:
                assert person.view()["view"]["over"]
                check_game(person)


def test_news_reach_a_stream_on_the_other_process(postgres: Postgres) -> None:
    url = postgres.database()
    with Server(url, REREAD="60") as one, Server(url, REREAD="60") as other:
        table = lay(one.url, "minnows", 2)["table"]["id"]
        people = [sit([one.url], table, 0), sit([other.url], table, 1)]
        heard = listen(people[1])
        kind, first = next(heard)
        assert kind == "view"
        mover = next(person for person in people if person.view()["own"]["owes"])
        message = mover.view()
        mover.act([message["view"]["choices"][0]["notation"]], message["own"]["decision"])
        later = next(message for kind, message in heard if kind == "view")
        assert later["number"] > first["number"]


def test_a_lost_race_is_retried(postgres: Postgres) -> None:
    """All seats of a simultaneous choice answer at the same time, on two processes."""
    url = postgres.database()
    with Server(url) as one, Server(url) as other:
        lost = 0.0
        for _ in range(6):
            table = lay(one.url, "minnows", 4)["table"]["id"]
            people = [sit([(one, other)[seat % 2].url], table, seat) for seat in range(4)]
            for _ in range(3):
                _all_at_once(people)
            lost = sum(_metric(server, "pelagos_races_lost_total") for server in (one, other))
            if lost and not SOAK:
                break
        assert lost > 0


def _all_at_once(people: list[Player]) -> None:
    start = threading.Barrier(len(people))
    answers: list[httpx.Response] = []

    def one(person: Player) -> None:
        message: dict[str, Any] = person.view()
        start.wait()
        if message["own"]["owes"]:
            choice = message["view"]["choices"][0]["notation"]
            answers.append(person.act([choice], message["own"]["decision"]))

    threads = [threading.Thread(target=one, args=(person,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers
    assert all(answer.status_code == 200 for answer in answers)


def _metric(server: Server, name: str) -> float:
    for line in httpx.get(f"{server.url}/metrics").text.splitlines():
        if line.startswith(name):
            return float(line.split()[-1])
    return 0.0

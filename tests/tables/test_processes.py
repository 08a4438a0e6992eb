"""Several processes serve one table, on PostgreSQL."""

from __future__ import annotations

import random
import threading
from typing import Any

import httpx

from conftest import SOAK
from postgres import Postgres
from tables.setting import check_game, playable
from tabling import Player, Server, lay, listen, sit


def test_seats_on_two_processes_play_one_table(postgres: Postgres) -> None:
    url = postgres.database()
    with Server(url) as here, Server(url) as other:
        for number, game in enumerate(playable()):
            players = max(2, min(4, game.players[-1]))
            table = lay(here.url, game.id, players)["table"]["id"]
            people = [sit([(here, other)[seat % 2].url], table, seat) for seat in range(players)]
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
    with Server(url, REREAD="60") as here, Server(url, REREAD="60") as other:
        table = lay(here.url, "minnows", 2)["table"]["id"]
        people = [sit([here.url], table, 0), sit([other.url], table, 1)]
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
    with Server(url) as here, Server(url) as other:
        lost = 0.0
        for _ in range(6):
            table = lay(here.url, "minnows", 4)["table"]["id"]
            people = [sit([(here, other)[seat % 2].url], table, seat) for seat in range(4)]
            for _ in range(3):
                _all_at_once(people)
            lost = sum(_metric(server, "pelagos_races_lost_total") for server in (here, other))
            if lost and not SOAK:
                break
        assert lost > 0


def _all_at_once(people: list[Player]) -> None:
    start = threading.Barrier(len(people))
    answers: list[httpx.Response] = []

    def play_one(person: Player) -> None:
        message: dict[str, Any] = person.view()
        start.wait()
        if message["own"]["owes"]:
            choice = message["view"]["choices"][0]["notation"]
            answers.append(person.act([choice], message["own"]["decision"]))

    threads = [threading.Thread(target=play_one, args=(person,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers
    assert all(answer.status_code == 200 for answer in answers)


def _metric(server: Server, name: str) -> float:
    for line in server.metrics().splitlines():
        if line.startswith(name):
            return float(line.split()[-1])
    return 0.0

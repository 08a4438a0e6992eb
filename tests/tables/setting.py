"""Tables and people for the tests."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from pelagos.engine.game import Game, games
from pelagos.engine.match import Match
from pelagos.tables import acts
from pelagos.tables.fairness import check
from pelagos.tables.table import Table
from tabling import Player


def owing(people: list[Player]) -> list[Player]:
    return [person for person in people if person.view()["own"]["owes"]]


def first_choice(person: Player) -> tuple[str, int]:
    message = person.view()
    return message["view"]["choices"][0]["notation"], message["own"]["decision"]


def _do(table: Table, act: Any, *asked: Any) -> None:
    act(table, *asked)
    acts.settle(table)


def _begun(game: str, players: int) -> Table:
    table = Table("T" * 22)
    entries = acts.create(game, {"players": players}, None)
    for seat in range(players):
        sits = {"do": "sit", "seat": seat, "name": "A", "bytes": "", "holder": "x"}
        entries.append(sits)
    entries.append({"do": "start", "bytes": [""] * players, "next": "0" * 64})
    for entry in entries:
        table.apply(entry)
    return table


def playable() -> Iterator[Game]:
    """Installed games that are whole."""
    for game in games().values():
        try:
            game.part("knowledge")
            game.part("features")
        except ModuleNotFoundError:
            continue
        yield game


def check_game(player: Player) -> None:
    """The finished game has every move that was acknowledged, and verifies."""
    record = player.ask("GET", f"{player.path}/record").json()
    match = Match.replay(json.dumps(record))
    assert match.over
    check(record)
    own = [words for mover, words in record["moves"] if mover == player.seat]
    for decision, actions in player.acknowledged:
        assert own[decision : decision + len(actions)] == actions

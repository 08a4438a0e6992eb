"""House readings: options that decide a ruling otherwise. Records name them where they are chosen,
and without them every game is what it was.
"""

from __future__ import annotations

import json

import pytest

from conftest import finished
from pelagos.engine.game import Game, Option, games
from pelagos.engine.match import Match
from pelagos.engine.record import positions

READINGS = [
    pytest.param(game, option, id=f"{game.id}-{option.name}")
    for game in games().values()
    for option in game.options
    if option.ruling
]


@pytest.mark.parametrize(("own", "option"), READINGS)
def test_a_record_with_a_house_reading_names_it_and_replays(own: Game, option: Option) -> None:
    players = own.players[-1]
    record = finished(own, {"players": players, option.name: True}, 7).record()
    assert record["options"][option.name] is True
    assert record["rules"] == own.rules == "1"
    again = Match.replay(json.dumps(record))
    assert again.record() == record
    assert len(list(positions(record))) > len(record["moves"]) // 2


@pytest.mark.parametrize(("own", "option"), READINGS)
def test_a_record_leaves_a_house_reading_out_at_its_default(own: Game, option: Option) -> None:
    players = own.players[-1]
    usual = finished(own, {"players": players}, 7).record()
    named = finished(own, {"players": players, option.name: option.default}, 7).record()
    assert usual == named
    assert option.name not in usual["options"]


@pytest.mark.parametrize(("own", "option"), READINGS)
def test_a_house_reading_changes_what_comes_of_a_game(own: Game, option: Option) -> None:
    """Among random games there is one that the other reading makes another game."""
    players = own.players[-1]
    for seed in range(40):
        usual = finished(own, {"players": players}, seed).record()
        other = finished(own, {"players": players, option.name: True}, seed).record()
        if (usual["moves"], usual["result"]) != (other["moves"], other["result"]):
            return
    pytest.fail("nothing depends on it")

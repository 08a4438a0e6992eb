"""Whales turn neighbours face down, and what lies face down is no card any more."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from conftest import finished
from ecosystem.reefs import GAME, reef, sheet
from pelagos.games.ecosystem import actions, rules
from pelagos.games.ecosystem.frame import cell_at
from pelagos.games.ecosystem.points import krill_points, plankton_points, worth


def turned(game: Any, *flips: str) -> Any:
    for flip in flips:
        pair = GAME.part("notation").read(game, None, 0, flip) - actions.FLIPS
        assert rules.owes_flip(game, 0, pair), flip
        rules.flip(game, 0, pair)
    return game


def owed(game: Any) -> list[str]:
    out = np.zeros(252, np.int64)
    count = rules.flips(game, 0, actions.FLIPS, out)
    return [GAME.part("notation").write(game, None, 0, action) for action in out[:count]]


def test_a_face_down_card_is_no_card_for_any_rule() -> None:
    game = turned(reef("kkk.. .w..."), "flip 1,1 0,1")
    assert krill_points(game, 0) == 2, "the group is broken"
    assert worth(game, 0, cell_at(1, 1)) == 4, "the whale counts two krill"
    game = turned(reef("pw..."), "flip 0,1 0,0")
    assert plankton_points(game, 0) == 0


def test_a_face_down_card_keeps_its_cell_so_the_bottom_row_stays() -> None:
    game = turned(reef("c.... w.... g...."), "flip 1,0 2,0")
    assert sheet(game)["coral"] == 0


def test_a_whale_turned_down_before_it_acted_does_not_act() -> None:
    game = turned(reef("kww.."), "flip 0,1 0,2")
    assert owed(game) == []


def test_in_a_house_reading_a_whale_acts_though_it_lies_face_down() -> None:
    game = reef("kwwk.")
    game.turned_whales = 1
    turned(game, "flip 0,1 0,2")
    assert owed(game) == ["flip 0,2 0,1", "flip 0,2 0,3"]
    turned(game, "flip 0,2 0,3")
    assert owed(game) == []
    assert sheet(game)["whale"] == 2, "the turned whale acted and scores nothing"
    assert krill_points(game, 0) == 1


def test_a_whale_that_acted_may_be_turned_down_and_its_flip_stands() -> None:
    game = turned(reef("kww.."), "flip 0,1 0,0", "flip 0,2 0,1")
    assert owed(game) == []
    assert sheet(game)["whale"] == 0
    assert krill_points(game, 0) == 0


def test_a_whale_without_a_face_up_neighbour_owes_nothing_and_scores() -> None:
    game = turned(reef("wkw.k"), "flip 0,2 0,1")
    assert owed(game) == []
    assert sheet(game)["whale"] == 4


@pytest.mark.parametrize("players", [1, 2, 4])
def test_no_game_is_over_before_every_whale_that_can_has_acted(players: int) -> None:
    flips = 0
    for seed in range(12):
        match = finished(GAME, {"players": players}, seed)
        verbs = [words.split()[0] for _, words in match.record()["moves"]]
        turned_down = sum(int(down).bit_count() for down in match.position.record.down)
        assert verbs.count("flip") + verbs.count("tim") == turned_down
        assert set(verbs[len(verbs) - turned_down :]) <= {"flip", "tim"}
        grids = range(2 if players == 1 else players)
        assert not any(rules.owes_any_flip(match.position.record, grid) for grid in grids)
        flips += turned_down
    assert flips > 10


def test_a_whale_may_turn_any_face_up_neighbour_and_cannot_pass() -> None:
    assert owed(reef(".k... gwc.. .p...")) == [
        "flip 1,1 0,1",
        "flip 1,1 1,0",
        "flip 1,1 1,2",
        "flip 1,1 2,1",
    ]

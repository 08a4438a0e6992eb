"""The box: tiles, explorers, the deal and who starts."""

from __future__ import annotations

import pytest

from pelagos.engine.errors import BadOption
from pelagos.engine.match import Match
from pelagos.engine.pack import default_pack
from pelagos.games.ozeanien import (
    GAME,
    rules,
    scoring,
)
from pelagos.games.ozeanien.actions import ACTIONS
from pelagos.games.ozeanien.state import CLASSES, STATE


def test_the_box_has_35_sea_tiles_25_reserve_tiles_and_8_explorers_a_colour():
    pack = default_pack(GAME).data[0]
    assert pack["tiles"].tolist() == [4, 9, 10, 5, 7, 0]
    assert pack["reserve"].tolist() == [3, 5, 5, 2, 4, 6]
    assert pack["explorers"].tolist() == [5, 2, 1]
    assert (pack["columns"], pack["rows"]) == (5, 7)
    assert default_pack(GAME).provenance["tiles"].endswith("reconstructed")


def test_the_catalogue_agrees_with_the_rules():
    assert GAME.actions == ACTIONS.size <= 256
    assert GAME.lines == scoring.lines({"players": 2})
    assert scoring.lines({"players": 1}) == ("squares", "unexplored")
    assert STATE.size <= 1024
    assert STATE.size % 8 == 0
    with pytest.raises(BadOption, match="1 to 2"):
        Match.new(GAME, players=3)


def test_a_form_turns_clockwise_and_looks_alike_under_its_smallest_turn():
    assert rules.turned("LSSS", 1) == 0b0010
    assert rules.turned("LLLS", 1) == 0b1110
    assert rules.LOOKS.tolist() == [1, 4, 4, 2, 4, 1]
    different = {int(edges) for line in rules.TILE_EDGES for edges in line}
    assert different == set(range(16))


def test_32_tiles_are_drawn_and_3_are_removed_unseen():
    deal = Match.new(GAME, players=2, seed="deal").deal
    assert len(deal["pile"]) == 32
    assert len(deal["removed"]) == 3
    tiles = deal["pile"] + deal["removed"]
    assert [tiles.count(name) for name in CLASSES] == [4, 9, 10, 5, 7, 0]


def test_who_starts_is_drawn_and_alone_it_is_seat_0():
    starts = {Match.new(GAME, players=2, seed=seed).deal["start"] for seed in range(20)}
    assert starts == {0, 1}
    assert {Match.new(GAME, players=1, seed=seed).deal["start"] for seed in range(20)} == {0}
    for seed in range(20):
        match = Match.new(GAME, players=2, seed=seed)
        assert match.pending == (match.deal["start"],)


@pytest.mark.parametrize(
    ("chosen", "key"), [({}, "event.begins"), ({"start": 1}, "event.begins_chosen")]
)
def test_the_log_begins_with_who_starts_and_why(chosen, key):
    match = Match.new(GAME, players=2, seed=3, **chosen)
    (begins,) = match.events()
    assert (begins["key"], begins["params"]["who"]) == (key, {"seat": match.deal["start"]})
    assert Match.new(GAME, players=1, seed=3).events() == []

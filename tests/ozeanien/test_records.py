"""Whole games as records."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ozeanien.setting import box, play_at_random
from pelagos.engine.match import Match
from pelagos.engine.record import positions
from pelagos.games.ozeanien import (
    GAME,
)
from places import SAMPLES


def _tidy(position: dict[str, Any]) -> dict[str, Any]:
    legal = {seat: sorted(moves) for seat, moves in position["legal"].items()}
    return {**position, "legal": legal, "pending": sorted(position["pending"])}


@pytest.mark.parametrize(
    "path", sorted(SAMPLES.glob("ozeanien-*.pelagos.json")), ids=lambda p: p.name
)
def test_a_sample_replays_and_every_position_comes_out_the_same(path):
    file = path.with_name(path.name.replace(".pelagos.json", ".positions.jsonl"))
    expected = [json.loads(line) for line in file.read_text().splitlines()]
    replayed = list(positions(path.read_text()))
    assert [_tidy(position) for position in replayed] == [_tidy(position) for position in expected]


@pytest.mark.parametrize("players", [1, 2])
def test_a_game_comes_out_of_its_record_as_it_went_in(players):
    for seed in range(3):
        match = Match.new(GAME, players=players, seed=seed, pack=box(7, 5) if seed else None)
        *_, last = play_at_random(match, seed)
        again = Match.replay(json.dumps(last.record()))
        assert again.record() == last.record()
        assert again.position.states.tobytes() == last.position.states.tobytes()

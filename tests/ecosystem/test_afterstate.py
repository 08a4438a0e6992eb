"""A network is told the score sheet as it stands."""

from __future__ import annotations

import random

import numpy as np
import pytest

from conftest import random_walk
from pelagos.engine.arrays import record_of
from pelagos.engine.match import Match
from pelagos.engine.stream import words_of
from pelagos.games.ecosystem.afterstate import BONUS, LAYOUT, LINES, SIZE, changing, context, mirror
from pelagos.games.ecosystem.state import FLIP, KINDS, OCTOPUS, TURTLE


@pytest.mark.parametrize("players", [1, 2, 4])
def test_points_so_far_are_those_of_the_sheet(players: int) -> None:
    match = Match.new("ecosystem", seed=3, players=players)
    out = np.zeros(SIZE, np.int16)
    for at in random_walk(match, random.Random(players)):
        position = at.position
        if int(position.record.phase) >= FLIP:
            break
        pack = record_of(position.pack.data)
        for seat in range(players):
            known = position.redeal(seat, words_of(b"known"))
            context(known.record, pack, seat, out)
            changing(known.record, pack, seat, out)
            sheet = dict(zip(known.lines, known.points(seat), strict=True))
            points = [int(out[LINES + kind]) for kind in range(KINDS)]
            assert int(out[BONUS]) == sheet["bonus"]
            assert points[:TURTLE] == list(sheet.values())[:TURTLE]
            assert (points[TURTLE], points[OCTOPUS]) == (sheet["turtle"], sheet["octopus"])


def test_a_reef_in_a_mirror_has_its_columns_turned_round() -> None:
    row = np.zeros(SIZE, np.int8)
    cells, columns = LAYOUT.first("cells"), LAYOUT.first("columns")
    row[columns + 2] = 1
    row[cells + 0 * KINDS + TURTLE] = 1
    row[cells + 6 * KINDS + OCTOPUS] = 1
    mirror(row)
    assert row[cells + 2 * KINDS + TURTLE] == 1
    assert row[cells + 6 * KINDS + OCTOPUS] == 1
    assert row.sum() == 3

"""What a ship is worth to a network, by all tiles that may be drawn from there."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from bots.test_learned import any_network
from conftest import random_walk
from pelagos.bots.networks import network_for
from pelagos.bots.valuing import scratch, valuing
from pelagos.engine.arrays import readable, record_of
from pelagos.engine.match import Match
from pelagos.engine.network import expected, sum_rows
from pelagos.engine.pack import default_pack
from pelagos.engine.stream import words_of
from pelagos.engine.units import UNIT
from pelagos.games.ozeanien import GAME
from pelagos.games.ozeanien.actions import DRAWS
from pelagos.games.ozeanien.afterstate import LAYOUT, OUTCOMES, SIZE, changing, context
from pelagos.games.ozeanien.state import DRAW, SHIP, TILES
from pelagos.train.self_play import SelfPlay

GAMES = 300


class Thinker:
    """An untrained network that values a position."""

    def __init__(self, match: Match) -> None:
        self.network = any_network(GAME)
        self.network["other_weight"] = 100
        self.room = scratch(GAME, self.network)
        self.packs = readable(match.pack.data)
        self.rules = valuing(GAME)

    def points(self, position: Any, seat: int) -> dict[int, tuple[int, int]]:
        """What each legal action leads to."""
        asked = (position.states, self.packs, seat, self.network, self.room)
        count = int(self.rules.rate_all(*asked))
        points = self.room.points[:count].tolist()
        return dict(zip(self.room.actions[0, :count].tolist(), map(tuple, points), strict=True))

    def best(self, position: Any, seat: int) -> tuple[int, int]:
        """What the best of them leads to."""
        return max(self.points(position, seat).values(), key=lambda both: both[0] - both[1])


def drawing(position: Any, seat: int, thinker: Thinker) -> tuple[float, float, dict[int, Any]]:
    """Own points and the other's after a draw, on average over all tiles that may come, one by one;
    and those of each class.
    """
    top, sums, by_kind = int(position.record.top), np.zeros(2), {}
    for place in range(top, TILES):
        after = position.copy()
        pile = after.record.pile
        pile[top], pile[place] = int(pile[place]), int(pile[top])
        kind = int(pile[top]) - 1
        after.play(seat, DRAWS)
        if after.over:
            totals = after.scores
            both = (UNIT * totals[seat], UNIT * totals[1 - seat])
        elif after.pending[0] == seat:
            both = thinker.best(after, seat)
        else:
            both = network_says(after, seat, thinker)
        by_kind[kind] = both
        sums += both
    own, other = sums / (TILES - top)
    return own, other, by_kind


def network_says(position: Any, seat: int, thinker: Thinker) -> tuple[int, int]:
    """What the network says of a position where the seat's turn is over."""
    out = np.zeros(SIZE, np.int16)
    pack = record_of(thinker.packs)
    context(position.record, pack, seat, out)
    changing(position.record, pack, seat, out)
    room, network = thinker.room, thinker.network[0]
    sum_rows(network, out, room.sums[1])
    own, other = expected(network, room.sums[1], room.layer)
    return int(own), int(other)


def test_a_draw_is_worth_what_may_be_drawn_and_luck_is_what_it_differs_by() -> None:
    match = Match.new(GAME, seed=6, players=2)
    thinker, looked = Thinker(match), 0
    for number, at in enumerate(random_walk(match, random.Random(6))):
        if at.over or number % 5 or int(at.position.record.phase) not in (SHIP, DRAW):
            continue
        seat = at.pending[0]
        position = at.position.redeal(seat, words_of(b"luck"))
        if int(position.record.phase) == SHIP:
            ship = position.legal(seat)[-1]
            valued = thinker.points(position, seat)[ship]
            position.play(seat, ship)
            assert thinker.best(position, seat) == valued
        if DRAWS not in position.legal(seat):
            continue
        own, other, by_kind = drawing(position, seat, thinker)
        valued = thinker.points(position, seat)[DRAWS]
        assert valued == pytest.approx((own, other), abs=1)
        coming = int(position.record.pile[int(position.record.top)]) - 1
        thinker.room.states[0] = position.states[0]
        asked = (record_of(thinker.packs), seat, DRAWS, thinker.network[0], thinker.room)
        luck = thinker.rules.luck(*asked)
        usual = np.array(by_kind[coming]) - (own, other)
        assert luck == pytest.approx(tuple(usual), abs=1)
        assert len(by_kind) <= OUTCOMES
        looked += 1
    assert looked > 3


def test_targets_without_luck_are_quieter_and_as_high_on_average() -> None:
    """What the shipped network said is nearer to them than to the results; points are scattered so
    widely that some dozens of games wouldn't show it.
    """
    trained = network_for(GAME, default_pack(GAME), 2)
    assert trained is not None
    plays = SelfPlay(GAME, default_pack(GAME), GAME.check_options({"players": 2}), "quiet")
    totals, _, rows = plays.play(trained.network, [0, 0], 0, GAMES, rows=120)
    assert (np.bincount(rows.games, minlength=GAMES) > 10).all()
    room, pile, seat, off = scratch(GAME, trained.network), LAYOUT.first("pile"), 0, []
    for row, (features, target, game) in enumerate(zip(*rows, strict=True)):
        if row and game != rows.games[row - 1]:
            seat = 0
        elif row and features[pile] > rows.features[row - 1, pile]:
            seat = 1  # a game's rows are the first seat's, then the other's
        sum_rows(trained.network[0], features.astype(np.int16), room.sums[1])
        said = np.array(expected(trained.network[0], room.sums[1], room.layer)) / UNIT
        results = totals[game][::-1] if seat else totals[game]
        off.append((*(target - said), *(results - said)))
    quiet, loud = np.split(np.array(off), 2, axis=1)
    assert (quiet.std(0) < loud.std(0)).all()
    assert np.abs(quiet.mean(0) - loud.mean(0)).max() < 1.0

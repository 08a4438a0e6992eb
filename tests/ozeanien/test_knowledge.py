"""What nobody knows, and what a preview tells."""

from __future__ import annotations

from ozeanien.setting import Table
from pelagos.engine.match import Match
from pelagos.engine.stream import words_of
from pelagos.games.ozeanien import (
    GAME,
    notation,
    rules,
)
from pelagos.games.ozeanien.state import TILES


def test_nobody_knows_the_piles_order_nor_what_was_removed():
    match = Match.new(GAME, players=2, seed="redeal")
    for _ in range(6):
        seat = match.pending[0]
        match.play(seat, match.legal(seat)[0])
    top = int(match.position.record.top)
    worlds = [match.redeal(1, seed=seed).record for seed in range(60)]
    unseen = sorted(match.position.record.pile[top:].tolist())
    for world in worlds:
        assert sorted(world.pile[top:].tolist()) == unseen
        assert int(world.top) == top
    for place in range(top, TILES):
        assert len({int(world.pile[place]) for world in worlds}) > 1


def test_a_redeal_depends_on_nothing_that_is_hidden_and_on_no_seat():
    match = Match.new(GAME, players=2, seed="worlds")
    worlds = [
        match.redeal(seat, seed="a").redeal(other, words_of(b"b")).states.tobytes()
        for seat in (-1, 0, 1)
        for other in (-1, 0, 1)
    ]
    assert set(worlds) == {match.position.redeal(0, words_of(b"b")).states.tobytes()}


def test_a_preview_of_a_draw_tells_nothing_and_of_a_lay_counts_its_fills():
    table = Table(
        "e/w1  .  .",
        "~     n  ~",
        pile=("cape", "open"),
    )
    table.play("ship right 2")
    assert table.position.preview(0, rules.DRAWS) == [0, 0]
    table.play("draw")
    lay = notation.read(table.game, table.position.pack_record, 0, "lay c2 270")
    assert table.position.preview(0, lay) == [4, 0]
    assert int(table.game.filled) == 0

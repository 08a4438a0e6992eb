"""A discarded tile is laid again for an explorer."""

from __future__ import annotations

from ozeanien.setting import Table
from pelagos.games.ozeanien.state import PILE


def test_a_discard_that_fits_is_laid_again_for_one_explorer_which_leaves_the_game():
    table = Table(". . .", ". . .", ". . .", pile=("open", "open"))
    table.discard(0, "cape")
    table.play("ship left 2")
    assert table.moves() == {"draw", "reuse cape 1", "reuse cape 2", "reuse cape 3"}
    table.play("reuse cape 1", "lay a2 0")
    assert table.game.supply[0].tolist() == [4, 2, 1]
    assert table.sheets[0] == (0, 0)
    assert int(table.game.top) == PILE - 2
    table.play("explorer 1")
    assert table.game.supply[0].tolist() == [3, 2, 1]
    assert table.seat == 1


def test_a_discard_may_complete_an_island():
    table = Table(". .", ". .", "~ n/w1", pile=("open", "open"))
    table.discard(0, "cape")
    assert table.sheets[0] == (0, -2)
    table.play("ship right 2", "reuse cape 1", "lay b2 180", "pass")
    assert table.sheets[0] == (2, 0)


def test_a_discard_may_keep_an_island_from_being_completed():
    """It closes the last way to two cells below the top, where no circle is."""
    table = Table("e/g3  .  .  .", "~  n  n  ~", pile=("open", "open"))
    table.discard(0, "cape")
    table.play("ship right 2", "reuse cape 1", "lay d2 270", "pass")
    assert table.over
    assert table.land("b2") == table.land("c2") == "."
    assert table.sheets == [(0, 0), (0, 0)]


def test_a_discard_that_does_not_fit_from_the_ship_or_is_anothers_is_not_offered():
    table = Table(". . .", ". . .", ". . .")
    table.discard(0, "inlet")
    table.discard(1, "cape")
    table.play("ship bottom 1")
    assert table.moves() == {"draw"}


def test_without_explorers_nothing_is_reused():
    table = Table(". . .", ". . .", ". . .")
    table.discard(0, "cape")
    table.game.supply[0] = 0
    table.play("ship left 2")
    assert table.moves() == {"draw"}


def test_the_last_explorer_may_pay_for_a_reuse_and_then_none_is_put():
    table = Table(". . .", ". . .", ". . .")
    table.discard(0, "cape")
    table.game.supply[0] = [0, 0, 1]
    table.play("ship left 2", "reuse cape 3", "lay a2 0")
    assert table.seat == 1


def test_alone_there_are_no_explorers_and_no_reuse():
    table = Table(". . .", ". . .", ". . .", players=1, pile=("inlet", "cape", "open"))
    table.play("ship bottom 1", "draw", "ship left 2")
    assert table.moves() == {"draw"}
    table.play("draw", "lay a2 0")
    assert "ship a2" in table.moves()
    assert table.sheets == [(0, -160)]

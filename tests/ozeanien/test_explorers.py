"""Explorers on islands, and on the parts of a strait."""

from __future__ import annotations

from ozeanien.setting import Table


def test_one_explorer_of_any_value_may_go_on_the_tile_just_laid():
    table = Table(". . .", ". . .", ". . .", pile=("cape", "open"))
    table.play("ship left 2", "draw", "lay a2 0")
    assert table.moves() == {"pass", "explorer 1", "explorer 2", "explorer 3"}
    table.play("explorer 3")
    assert table.seat == 1
    assert table.game.supply.tolist() == [[5, 2, 0], [5, 2, 1]]
    assert table.islands() == [(1, 1, (3, 0))]


def test_open_sea_has_no_explorer_step():
    table = Table(". . .", ". . .", ". . .", pile=("open", "open"))
    table.play("ship left 2", "draw", "lay a2 0")
    assert table.seat == 1


def test_an_empty_supply_has_no_explorer_step_and_a_spent_value_is_not_offered():
    table = Table(". . .", ". . .", ". . .", pile=("cape", "open"))
    table.game.supply[0] = [0, 1, 0]
    table.play("ship left 2", "draw", "lay a2 0")
    assert table.moves() == {"pass", "explorer 2"}
    table = Table(". . .", ". . .", ". . .", pile=("cape", "open"))
    table.game.supply[0] = 0
    table.play("ship left 2", "draw", "lay a2 0")
    assert table.seat == 1


def test_on_a_strait_the_part_is_chosen():
    table = Table(". . .", ". . .", ". . .", pile=("strait", "open"))
    table.play("ship left 2", "draw", "lay a2 0")
    assert table.moves() == {
        "pass",
        *(f"explorer {value} {part}" for value in (1, 2, 3) for part in ("north", "south")),
    }
    table.play("explorer 2 south")
    assert table.islands() == [(1, 1, (0, 0)), (1, 1, (2, 0))]
    table = Table(". . .", ". . .", ". . .", pile=("strait", "open"))
    table.play("ship bottom 2", "draw", "lay b1 90", "explorer 3 east")
    assert table.islands() == [(1, 1, (3, 0)), (1, 1, (0, 0))]


def test_a_straits_part_is_chosen_also_when_both_are_of_one_island():
    table = Table(
        "~  es  sw   ~",
        ".  .   nes  w",
        "~  ne  nw   ~",
        pile=("strait", "open"),
    )
    table.play("ship c2", "draw")
    assert table.moves() == {"lay b2 0"}
    table.play("lay b2 0")
    assert {"explorer 1 north", "explorer 1 south"} <= table.moves()
    table.play("explorer 1 south")
    assert table.islands() == [(7, 0, (1, 0))]


def test_an_explorer_may_go_on_an_island_already_held_and_on_one_just_completed():
    table = Table(". .", ". .", "~ n/g3", pile=("cape", "cape", "open"))
    table.play("ship right 2", "draw", "lay b2 180")
    assert table.islands() == [(2, 0, (0, 3))]
    table.play("explorer 2")
    assert table.islands() == [(2, 0, (2, 3))]


def test_islands_that_merge_add_up_their_explorers():
    table = Table(
        ".     .  .",
        "e/w2  .  w/g1",
        "~     ~  ~",
        pile=("inlet", "open"),
    )
    assert table.islands() == [(1, 1, (2, 0)), (1, 1, (0, 1))]
    table.play("ship b1", "draw", "lay b2 270", "explorer 1")
    assert table.islands() == [(3, 1, (3, 1))]

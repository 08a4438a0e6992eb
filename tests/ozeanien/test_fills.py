"""Gaps and land-locked regions are filled at once."""

from __future__ import annotations

from ozeanien.setting import Table
from pelagos.games.ozeanien import view as views


def test_a_laid_tile_that_leaves_a_one_cell_gap_and_a_land_locked_pair_fills_both_at_once():
    table = Table(
        "~  ~  s  s  ~",
        "~  e  .  .  w",
        "~  ~  n  .  .",
        pile=("cape", "open"),
    )
    table.play("ship bottom 4", "draw", "lay d1 0")
    assert [table.land(cell) for cell in ("e1", "c2", "d2")] == ["~", "nesw", "nesw"]
    assert table.islands() == [(8, 0, (0, 0))]
    assert table.seat == 0
    table.play("explorer 3")
    assert table.over
    assert table.sheets == [(8, 0), (0, 0)]


def test_a_gap_is_filled_with_the_one_tile_that_fits():
    table = Table(
        "~   .   s",
        "ne  .   ~",
        "~   ~   ~",
        pile=("cape", "open"),
    )
    table.play("ship b1", "draw", "lay b2 270")
    assert table.land("b3") == "~"
    table = Table(
        "e   .   .",
        "~   n   ~",
        pile=("cape", "open"),
    )
    table.play("ship right 2", "draw", "lay c2 270")
    assert table.land("b2") == "esw"
    assert int(table.game.filled) == 1 << 4


def test_a_filled_strait_is_no_bridge():
    table = Table(
        "e   .   .",
        "~   ~   ~",
        pile=("cape", "open"),
    )
    table.play("ship right 2", "draw", "lay c2 270")
    assert table.land("b2") == "ew"
    assert table.islands() == [(2, 0, (0, 0)), (2, 0, (0, 0))]


def test_a_region_closed_by_land_and_the_top_border_is_not_filled_and_stays_unreachable():
    table = Table(
        "e  .  .  .",
        "~  n  n  ~",
        players=1,
        pile=("cape", "open"),
    )
    table.play("ship right 2", "draw", "lay d2 270")
    assert table.land("b2") == table.land("c2") == "."
    assert table.over
    assert table.sheets == [(0, -40)]


def test_a_region_of_several_cells_with_one_sea_edge_around_it_is_not_filled():
    table = Table(
        "~  s  s  ~",
        "e  .  .  ~",
        "~  n  .  .",
        pile=("cape", "open"),
    )
    table.play("ship bottom 3", "draw", "lay c1 0")
    assert table.land("d1") == "~"
    assert table.land("b2") == table.land("c2") == "."
    table.play("pass")
    assert table.moves() == {"ship d2"}


def test_a_stack_that_has_run_out_counts_as_if_it_had_not():
    table = Table(
        "~  ~  s  s  ~",
        "~  e  .  .  w",
        "~  ~  n  .  .",
        pile=("cape", "open"),
        inland=1,
    )
    table.play("ship bottom 4", "draw", "lay d1 0")
    assert table.land("c2") == table.land("d2") == "nesw"
    assert table.islands() == [(8, 0, (0, 0))]
    look = views.reserve_left(table.game, table.position.pack_record)
    assert look == [23, 0, 0, 0, 0, 0]


def test_nobody_may_go_on_a_filled_tile_but_its_tiles_count():
    table = Table(
        "e   .   .",
        "~   n   ~",
        pile=("cape", "open"),
    )
    table.play("ship right 2", "draw", "lay c2 270", "explorer 1")
    assert int(table.game.explorers[0, 0]) == 1 << 5
    assert table.sheets[0] == (4, 0)

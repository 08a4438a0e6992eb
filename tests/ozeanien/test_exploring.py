"""A tile is laid where the ship can go and all edges match."""

from __future__ import annotations

from ozeanien.setting import Table
from pelagos.games.ozeanien.state import CLASSES


def test_from_a_circle_the_tile_goes_on_the_circles_own_cell_in_every_turn_that_fits():
    table = Table(". . .", ". . .", ". . .", pile=("cape", "open"))
    table.play("ship left 2", "draw")
    assert table.moves() == {"lay a2 0", "lay a2 90", "lay a2 180"}


def test_the_border_is_sea():
    table = Table(". . .", ". . .", ". . .", pile=("corner", "open"))
    table.play("ship bottom 1", "draw")
    assert table.moves() == {"lay a1 0"}
    table = Table(". . .", ". . .", ". . .", pile=("strait", "open"))
    table.play("ship bottom 2", "draw")
    assert table.moves() == {"lay b1 90"}


def test_from_a_tile_any_unexplored_cell_across_its_sea_edges_and_any_turn_that_fits():
    table = Table(
        ". . .",
        ". e .",
        ". ~ .",
        pile=("cape", "open"),
    )
    table.play("ship b2", "draw")
    assert table.moves() == {
        *("lay b3 90", "lay b3 270"),
        *("lay a2 0", "lay a2 180"),
    }


def test_all_edges_must_match_land_to_land_and_sea_to_sea():
    table = Table(
        ". s .",
        "e . .",
        ". ~ .",
        pile=("corner", "cape"),
    )
    table.play("ship b1", "draw")
    assert table.moves() == {"lay b2 270"}


def test_forms_that_look_alike_have_one_name():
    table = Table(". . .", ". ~ .", ". . .", pile=("strait", "open"))
    table.play("ship b2", "draw")
    assert {move for move in table.moves() if "a2" in move} == {"lay a2 0"}
    table = Table(". . .", ". ~ .", ". . .", pile=("open", "open"))
    table.play("ship left 2", "draw")
    assert table.moves() == {"lay a2 0"}


def test_a_fitting_tile_must_be_laid_even_if_there_is_one_way_only():
    table = Table(". . .", ". . .", "~ . .", pile=("open", "open"))
    table.play("ship left 2", "draw")
    assert table.moves() == {"lay a2 0"}


def test_a_drawn_tile_that_fits_elsewhere_but_not_from_the_ship_is_discarded():
    table = Table(". . .", ". . .", ". . .", pile=("inlet", "open"))
    table.play("ship bottom 1", "draw")
    assert table.game.discards[0, CLASSES.index("inlet")] == 1
    assert table.sheets[0] == (0, -2)
    assert table.seat == 1
    assert "ship bottom 1" in table.moves()
    elsewhere = Table(". . .", ". . .", ". . .", pile=("inlet", "open"))
    elsewhere.play("ship left 2", "draw", "lay a2 0")

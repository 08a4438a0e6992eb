"""When the game ends, and whose turn it is until then."""

from __future__ import annotations

from ozeanien.setting import Table


def test_the_game_ends_when_every_cell_is_explored():
    table = Table("~ . .", "~ ~ ~", pile=("open", "open"))
    table.play("ship right 2", "draw", "lay c2 0")
    assert table.land("b2") == "~"
    assert table.over


def test_the_game_ends_when_the_last_tile_is_drawn_after_the_explorer_step():
    table = Table(". . .", ". . .", ". . .", pile=("cape",))
    table.discard(1, "cape")
    table.play("ship left 2", "draw", "lay a2 0")
    assert not table.over
    table.play("explorer 1")
    assert table.over
    assert table.sheets == [(0, 0), (0, -2)]


def test_the_game_ends_when_the_last_tile_is_drawn_and_discarded():
    table = Table(". . .", ". . .", ". . .", pile=("inlet",))
    table.play("ship bottom 1", "draw")
    assert table.over


def test_the_game_goes_on_without_a_draw_while_tiles_are_left():
    table = Table(". . .", ". . .", ". . .", pile=("open",))
    table.discard(0, "open")
    table.play("ship left 2", "reuse open 1", "lay a2 0")
    assert not table.over


def test_the_game_ends_when_no_start_is_left():
    table = Table(
        "e  .  .  .",
        "~  n  n  ~",
        pile=("cape", "open"),
    )
    table.play("ship right 2", "draw", "lay d2 270")
    assert not table.over
    table.play("pass")
    assert table.over


def test_seats_take_turns():
    table = Table(". . .", ". . .", ". . .", pile=("open", "inlet", "cape", "open"))
    table.play("ship left 2", "draw", "lay a2 0")
    assert table.seat == 1
    table.play("ship bottom 1", "draw")
    assert table.seat == 0
    table.play("ship right 2", "draw", "lay c2 0", "pass")
    assert table.seat == 1

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


def test_in_a_house_reading_discards_that_fit_are_laid_after_the_last_draw():
    table = Table(". . .", ". . .", ". . .", pile=("open",))
    table.game.play_on = 1
    table.discard(0, "inland")  # fits from no start
    table.discard(1, "cape")
    table.play("ship left 2", "draw", "lay a2 0")
    assert table.seat == 1
    assert "ship bottom 1" in table.moves()
    table.play("ship right 2")
    assert table.moves() == {"reuse cape 1", "reuse cape 2", "reuse cape 3"}, "nothing to draw"
    table.play("reuse cape 1", "lay c2 0", "explorer 1")
    assert table.over, "seat 0's inland fits nowhere, and seat 1 has no discard left"
    assert table.sheets == [(0, -2), (0, 0)]


def test_in_a_house_reading_the_game_ends_when_both_rest_in_a_row():
    table = Table(". . .", ". . .", ". . .", pile=("open",))
    table.game.play_on = 1
    for seat in (0, 1):
        table.discard(seat, "open")
        table.discard(seat, "open")
    table.play("ship left 2", "draw", "lay a2 0")
    table.play("pass")
    assert (table.seat, table.over) == (0, False)
    table.play("ship right 2", "reuse open 1", "lay c2 0")
    assert table.seat == 1, "a discard was laid: seat 1 may think again"
    table.play("pass")
    assert not table.over
    table.play("pass")
    assert table.over


def test_in_a_house_reading_who_has_no_explorer_left_is_passed_over():
    table = Table(". . .", ". . .", ". . .", pile=("open",))
    table.game.play_on = 1
    table.game.supply[1] = 0
    table.discard(0, "open")
    table.discard(1, "open")
    table.play("ship left 2", "draw", "lay a2 0")
    assert (table.seat, table.over) == (0, False)


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

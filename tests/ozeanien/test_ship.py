"""Where the ship may start."""

from __future__ import annotations

from ozeanien.setting import Table
from pelagos.engine.match import Match
from pelagos.games.ozeanien import (
    GAME,
)


def test_at_first_the_ship_starts_at_a_circle_of_the_left_right_or_bottom_side():
    match = Match.new(GAME, players=2, seed="ship")
    moves = set(match.moves(match.pending[0]))
    assert moves == (
        {f"ship left {row}" for row in range(1, 8)}
        | {f"ship right {row}" for row in range(1, 8)}
        | {f"ship bottom {column}" for column in range(1, 6)}
    )


def test_a_circle_whose_cell_is_explored_is_no_start_and_a_corner_cell_has_two_circles():
    table = Table(". . .", ". . .", "~ . .")
    moves = table.moves()
    assert "ship left 1" not in moves
    assert "ship bottom 1" not in moves
    assert {"ship bottom 3", "ship right 1"} <= moves


def test_a_tile_is_a_start_if_a_sea_edge_leads_to_an_unexplored_cell():
    table = Table(
        "~  .  .  .",
        "~  ne .  .",
        "~  ~  n  .",
    )
    cells = {move for move in table.moves() if len(move) == 7}
    assert cells == {"ship a3", "ship c1"}


def test_circles_lie_on_the_other_three_sides_of_a_board_without_them_at_the_left():
    table = Table(". .", ". .", bare="left")
    assert table.moves() == {
        *("ship top 1", "ship top 2", "ship right 1", "ship right 2"),
        *("ship bottom 1", "ship bottom 2"),
    }

"""The game's end: reef, treasure, ties."""

from __future__ import annotations

import numpy as np

from conftest import finished
from oceanos.setting import (
    DATA,
    GAME,
    changed_card,
    ended,
    sheet,
    table,
)
from pelagos.engine.arrays import record_of
from pelagos.engine.pack import make_pack
from pelagos.games.oceanos import rules
from pelagos.games.oceanos.scoring import evidence, lines_of, reef_of, winners
from pelagos.games.oceanos.state import (
    MOTOR,
    OVER,
    PARTS,
)


def test_rows_one_and_three_never_touch() -> None:
    game = ended(("1-40", "2-09", "3-47"))
    assert sheet(game)["reef"] == 1


def test_a_diagonal_joins_nothing_and_an_empty_place_neither() -> None:
    assert sheet(ended(("1-40 1-07", "2-09 2-04", "3-09")))["reef"] == 1
    assert sheet(ended(("1-07 1-40", "2-09", "3-09 3-47")))["reef"] == 1


def test_a_reef_joins_along_rows_and_columns() -> None:
    game = ended(("1-40 1-03 1-07", "2-09 2-04 2-20", "3-09 3-10 3-47"))
    assert sheet(game)["reef"] == 5
    assert int(reef_of(game, DATA, 0)) == 0b_00000100_00000110_00000011


def test_rows_do_not_wrap_around() -> None:
    row = "1-07 1-08 1-09 1-10 1-11 1-12 1-20 1-40"
    assert sheet(ended((row, "2-04", "3-09")))["reef"] == 1


def test_a_reef_counts_symbols_not_cards() -> None:
    pack = record_of(
        make_pack(GAME, changed_card("1-40", coral=3, symbols="manta coral coral coral")).data
    )
    game = table(("1-40", "2-09", "3-09"))
    game.phase = OVER
    assert lines_of(game, pack, 0)["reef"] == 3


def test_the_reef_with_the_most_symbols_wins_over_the_one_with_more_cards() -> None:
    pack = record_of(
        make_pack(GAME, changed_card("1-40", coral=3, symbols="manta coral coral coral")).data
    )
    game = table(("1-40 1-07 1-03 1-29", "2-09", "3-09"))
    game.phase = OVER
    assert lines_of(game, pack, 0)["reef"] == 3


def test_a_diver_goes_through_empty_places_and_never_below() -> None:
    row = "1-07 1-08 1-09 1-10 1-11 1-02"
    game = ended(
        (row, "2-09 2-10", "3-09 3-10 3-11 3-12 3-13 3-02"), divers=["3-02"], bag=[4, 3, 2]
    )
    assert sheet(game)["treasure"] == 7
    game = ended(("1-02", "2-02", "3-02"), divers=["1-02"], bag=[4, 3, 2])
    assert sheet(game)["treasure"] == 4


def test_treasures_without_a_diver_in_their_column_stay_below() -> None:
    assert sheet(ended(("1-02", "2-02", "3-02"), bag=[4, 4, 4]))["treasure"] == 0


def test_two_treasures_on_a_card_are_two_tokens() -> None:
    files = changed_card("1-02", treasure=2, symbols="treasure treasure base")
    pack = record_of(make_pack(GAME, files).data)
    game = table(("1-02", "2-09", "3-09"), divers=["1-02"])
    assert int(rules.chests_of(game, pack, 0)) == 2


def test_tokens_are_drawn_from_the_last_captain_on_to_the_left() -> None:
    rows = [("1-02", "", ""), ("1-38", "", ""), ("1-39", "", "")]
    game = table(*rows, divers=["1-02", "1-38", "1-39"])
    game.captain = 1
    game.bag[:3] = [2, 3, 4]
    rules.end_game(game, DATA)
    assert [sheet(game, seat)["treasure"] for seat in range(3)] == [4, 2, 3]


def test_the_log_tells_of_tokens_in_the_order_in_which_they_are_drawn() -> None:
    orders = set()
    for seed in range(12):
        match = finished(GAME, {"players": 4, "troubled": False}, seed)
        game = match.position.record
        drawn = [event["params"] for event in match.events(0) if event["key"] == "event.treasure"]
        seats = [params["who"]["seat"] for params in drawn]
        captain = int(game.captain)
        assert seats == sorted(seats, key=lambda seat: (seat - captain) % 4)
        for params in drawn:
            assert params["count"] == int(game.chests[params["who"]["seat"]])
        orders.add(seats != sorted(seats))
    assert True in orders, "in some game the captain isn't the first seat"


def test_two_players_draw_tokens_from_seat_zero_on() -> None:
    game = ended(("1-02", "", ""), ("1-38", "", ""), divers=["1-02", "1-38"], bag=[2, 3])
    assert [sheet(game, seat)["treasure"] for seat in range(2)] == [2, 3]


def test_an_empty_bag_gives_nothing_more() -> None:
    files = changed_card("1-02", treasure=9, symbols="treasure " * 9 + "base")
    files = changed_card("1-38", files, treasure=9, symbols="seahorse coral " + "treasure " * 9)
    files = changed_card("2-02", files, treasure=9, symbols="treasure " * 9 + "base")
    files = changed_card("3-02", files, treasure=9, symbols="treasure " * 9 + "base")
    pack = record_of(make_pack(GAME, files).data)
    game = table(("1-02", "2-02", "3-02"), ("1-38", "", ""), divers=["3-02", "1-38"])
    game.bag[:] = 2
    rules.end_game(game, pack)
    assert game.chests[:2].tolist() == [27, 3]
    assert lines_of(game, pack, 1)["treasure"] == 6
    treasure = evidence(game, pack, 1, list(lines_of(game, pack, 1).values()))[-1]
    assert sum(proof["points"] for proof in treasure) == 6


def test_a_tie_goes_to_the_better_submarine_and_is_shared_beyond_that() -> None:
    game = ended(("1-40", "", ""), ("1-20", "", ""), ("1-07", "", ""))
    totals = np.array([9, 9, 8], np.int64)
    assert int(winners(game, DATA, totals)) == 0b011
    game.boat[1, MOTOR] = 2
    game.boat[2, : len(PARTS)] = 3
    assert int(winners(game, DATA, totals)) == 0b010


def test_a_negative_score_can_win() -> None:
    game = ended(("1-07", "", ""), ("1-08", "", ""))
    assert int(winners(game, DATA, np.array([-4, -9], np.int64))) == 0b01

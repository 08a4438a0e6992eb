"""Ozeanien, told in stories: ship, explore, fill, reuse, explorers, the end, the score.

A chart is drawn with its top row first. A cell is `.` where it is unexplored, `~` for open sea, and
else the sides on which its tile is land, with an explorer after a slash: `ns/w2s` is a strait with
a white explorer of value 2 on its south part.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pelagos.engine.arrays import new_states, record_of
from pelagos.engine.errors import BadOption, BadPack, BadRecord, BadTableau, IllegalMove
from pelagos.engine.match import Match
from pelagos.engine.pack import Pack, default_pack, make_pack
from pelagos.engine.position import Position
from pelagos.engine.record import positions
from pelagos.engine.stream import words_of
from pelagos.engine.view import Sheet
from pelagos.engine.words import LANGUAGES, words
from pelagos.games.ozeanien import (
    GAME,
    features,
    knowledge,
    notation,
    rules,
    scoring,
    tableau,
)
from pelagos.games.ozeanien import view as views
from pelagos.games.ozeanien.actions import ACTIONS
from pelagos.games.ozeanien.state import CELLS, CLASSES, PILE, STATE, TILES

SAMPLES = Path(__file__).parent / "samples"
SIDES = "nesw"


def box(columns: int = 5, rows: int = 7, bare: str = "top", **reserve: int) -> Pack:
    """A pack with a board of this size, and some reserve stacks changed."""
    files = dict(default_pack(GAME).files)
    files["board.toml"] = f'columns = {columns}\nrows = {rows}\nwithout_circles = "{bare}"\n'
    if reserve:
        counts = dict.fromkeys(CLASSES, 0) | reserve
        counts["open"] += 25 - sum(counts.values())
        table = [line.split(",") for line in files["tiles.csv"].splitlines()]
        for line in table[1:]:
            line[5] = str(counts[line[0]])
        files["tiles.csv"] = "\n".join(",".join(line) for line in table)
    return make_pack(GAME, files)


class Table:
    """A game in its middle, drawn as a chart."""

    def __init__(
        self,
        *chart: str,
        players: int = 2,
        pile: tuple[str, ...] = ("open", "open"),
        bare: str = "top",
        **reserve: int,
    ) -> None:
        lines = [line.split() for line in reversed(chart)]
        self.pack = box(len(lines[0]), len(lines), bare, **reserve)
        self.position = Position(GAME, self.pack, {"players": players}, new_states(GAME, 1))
        self.game: Any = self.position.record
        self.game.players = players
        rules.begin(self.game, self.position.pack_record)
        self.game.top = PILE - len(pile)
        for place, name in enumerate([*pile, "open", "open", "open"]):
            self.game.pile[PILE - len(pile) + place] = CLASSES.index(name) + 1
        cells = [word for line in lines for word in line]
        for cell, word in enumerate(cells):
            self._put(cell, word)

    def _put(self, cell: int, word: str) -> None:
        land, _, explorer = word.partition("/")
        if land == ".":
            return
        self.game.explored |= 1 << cell
        for side in land.strip("~"):
            self.game.land[SIDES.index(side)] |= 1 << cell
        if explorer:
            seat, value, part = "wg".index(explorer[0]), int(explorer[1]), explorer[2:]
            self.game.explorers[seat, value - 1] |= 1 << cell
            self.game.supply[seat, value - 1] -= 1
            if part in ("s", "w"):
                self.game.far |= 1 << cell

    @property
    def seat(self) -> int:
        return int(self.game.seat)

    @property
    def over(self) -> bool:
        return self.position.over

    def moves(self) -> set[str]:
        seat = self.seat
        return {self.position.write(seat, action) for action in self.position.legal(seat)}

    def play(self, *moves: str) -> None:
        for move in moves:
            assert move in self.moves()
            action = notation.read(self.game, self.position.pack_record, self.seat, move)
            self.position.play(self.seat, action)

    def land(self, name: str) -> str:
        """The sides with land of the tile on a cell; `.` if there is none."""
        cell = "abcdefg".index(name[0]) + int(self.pack.data["columns"][0]) * (int(name[1]) - 1)
        if not int(self.game.explored) >> cell & 1:
            return "."
        found = [side for number, side in enumerate(SIDES) if self.game.land[number] >> cell & 1]
        return "".join(found) or "~"

    def discard(self, seat: int, name: str) -> None:
        self.game.discards[seat, CLASSES.index(name)] += 1

    @property
    def sheets(self) -> list[tuple[int, ...]]:
        return [tuple(self.position.points(seat)) for seat in range(self.position.players)]

    def islands(self) -> list[tuple[int, int, tuple[int, ...]]]:
        """Size, open edges and sums of every island."""
        found = scoring.islands(self.game, self.position.pack_record)
        return [(one.size, one.coasts, one.sums) for one in found]


def as_mapping(sheet: Sheet) -> dict[str, int]:
    """A sheet's points by line."""
    return {line["key"]: line["points"] for line in sheet["lines"]}


def play_at_random(match: Match, seed: int) -> Iterator[Match]:
    """The match at each position of a random game."""
    chooser = np.random.default_rng(seed)
    yield match
    while not match.over:
        seat = match.pending[0]
        match.play(seat, int(chooser.choice(match.legal(seat))))
        yield match


# --- material -------------------------------------------------------------------------------------


def test_the_box_has_35_sea_tiles_25_reserve_tiles_and_8_explorers_a_colour():
    pack = default_pack(GAME).data[0]
    assert pack["tiles"].tolist() == [4, 9, 10, 5, 7, 0]
    assert pack["reserve"].tolist() == [3, 5, 5, 2, 4, 6]
    assert pack["explorers"].tolist() == [5, 2, 1]
    assert (pack["columns"], pack["rows"]) == (5, 7)
    assert default_pack(GAME).provenance["tiles"].endswith("reconstructed")


def test_the_catalogue_agrees_with_the_rules():
    assert GAME.actions == ACTIONS.size <= 256
    assert GAME.lines == scoring.lines({"players": 2})
    assert scoring.lines({"players": 1}) == ("squares", "unexplored")
    assert STATE.size <= 1024
    assert STATE.size % 8 == 0
    with pytest.raises(BadOption, match="1 to 2"):
        Match.new(GAME, players=3)


def test_a_form_turns_clockwise_and_looks_alike_under_its_smallest_turn():
    assert rules.turned("LSSS", 1) == 0b0010
    assert rules.turned("LLLS", 1) == 0b1110
    assert rules.LOOKS.tolist() == [1, 4, 4, 2, 4, 1]
    different = {int(edges) for line in rules.TILE_EDGES for edges in line}
    assert different == set(range(16))


def test_32_tiles_are_drawn_and_3_are_removed_unseen():
    deal = Match.new(GAME, players=2, seed="deal").deal
    assert len(deal["pile"]) == 32
    assert len(deal["removed"]) == 3
    tiles = deal["pile"] + deal["removed"]
    assert [tiles.count(name) for name in CLASSES] == [4, 9, 10, 5, 7, 0]


def test_who_starts_is_drawn_and_alone_it_is_seat_0():
    starts = {Match.new(GAME, players=2, seed=seed).deal["start"] for seed in range(20)}
    assert starts == {0, 1}
    assert {Match.new(GAME, players=1, seed=seed).deal["start"] for seed in range(20)} == {0}
    for seed in range(20):
        match = Match.new(GAME, players=2, seed=seed)
        assert match.pending == (match.deal["start"],)


# --- ship -----------------------------------------------------------------------------------------


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


# --- explore --------------------------------------------------------------------------------------


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


# --- fills ----------------------------------------------------------------------------------------


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


# --- explorers ------------------------------------------------------------------------------------


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


# --- reuse ----------------------------------------------------------------------------------------


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


# --- the end --------------------------------------------------------------------------------------


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


# --- the score ------------------------------------------------------------------------------------


def test_an_island_of_3_with_grey_explorers_only_brings_grey_3():
    table = Table("e sw", "~ n/g1")
    assert table.sheets == [(0, 0), (3, 0)]


def test_an_island_of_8_with_white_4_and_grey_3_brings_white_8():
    table = Table(
        "~  ~     s/g3  s     ~",
        "~  e/w3  nesw  nesw  w/w1",
        "~  ~     n     n     ~",
    )
    assert table.sheets == [(8, 0), (0, 0)]


def test_an_incomplete_island_brings_nothing():
    table = Table("e/w3 .", "~ ~")
    assert table.islands() == [(1, 1, (3, 0))]
    assert table.sheets == [(0, 0), (0, 0)]


def test_equal_sums_bring_nobody_anything_nor_does_an_empty_island():
    assert Table("e/w2 sw/g1", "~ n/g1").sheets == [(0, 0), (0, 0)]
    assert Table("e sw", "~ n").sheets == [(0, 0), (0, 0)]


def test_each_discard_costs_2():
    table = Table("e/w2 sw", "~ n")
    table.discard(0, "cape")
    table.discard(0, "inlet")
    table.discard(1, "cape")
    assert table.sheets == [(3, -4), (0, -2)]


def test_most_points_win_and_equal_points_are_a_draw():
    assert Table("e/w2 sw", "~ n").position.winners == [0]
    assert Table("e/g2 sw", "~ n").position.winners == [1]
    assert Table("e sw", "~ n").position.winners == [0, 1]
    assert Table("e .", "~ ~", players=1).position.winners == [0]


def test_a_strait_is_never_a_bridge_and_counts_once_in_each_of_two_islands():
    table = Table("e/w1 ew/g1w w/g2", "~ ~ ~")
    assert table.islands() == [(2, 0, (1, 1)), (2, 0, (0, 2))]
    assert table.sheets == [(0, 0), (2, 0)]


def test_two_straits_may_make_an_island_of_their_own():
    table = Table("s ~", "ns/w1s ~", "ns/g2n ~", "n ~")
    assert table.islands() == [(2, 0, (0, 0)), (2, 0, (1, 2)), (2, 0, (0, 0))]
    assert table.sheets == [(0, 0), (2, 0)]


def test_a_strait_with_both_parts_in_one_island_counts_once():
    table = Table(
        "es  sw   ~",
        "ns  nes  w",
        "ne  nw   ~",
        players=1,
    )
    assert table.islands() == [(7, 0, (0,))]
    assert table.sheets == [(49, 0)]


def test_alone_islands_of_130_in_squares_with_3_unexplored_cells_are_70():
    table = Table(
        ".   .    .    ~  ~",
        "es  esw  sw   ~  ~",
        "ne  new  new  w  ~",
        "~   ~    ~    ~  ~",
        "es  esw  sw   ~  ~",
        "nes nesw nsw  ~  ~",
        "ne  new  nw   ~  ~",
        players=1,
    )
    assert table.sheets == [(130, -60)]
    assert table.position.scores == [70]


def test_alone_discards_cost_nothing_and_incomplete_islands_bring_nothing():
    table = Table("e .", "~ ~", players=1)
    table.discard(0, "cape")
    assert table.sheets == [(0, -20)]


def test_evidence_names_each_island_with_its_tiles_and_why():
    table = Table(
        "e/w2  sw  e   .",
        "~     n   ~   ~",
        "e     w   e/g1 w/w1",
    )
    found = scoring.evidence(table.game, table.position.pack_record, 0)
    told = [(one["reason"]["key"], one["points"], one["pieces"]) for one in found[0]]
    assert told == [
        ("reason.nobody", 0, ["tile:a1", "tile:b1"]),
        ("reason.equal", 0, ["tile:c1", "tile:d1"]),
        ("reason.held", 3, ["tile:b2", "tile:a3", "tile:b3"]),
        ("reason.incomplete", 0, ["tile:c3"]),
    ]
    other = scoring.evidence(table.game, table.position.pack_record, 1)
    assert other[0][2]["reason"]["key"] == "reason.lost"
    assert other[0][2]["reason"]["params"]["sums"] == "2 : 0"


# --- notation, deals ------------------------------------------------------------------------------


def test_every_move_has_one_name_and_nonsense_has_none():
    pack = record_of(default_pack(GAME).data)
    names = [notation.write(None, pack, 0, action) for action in range(GAME.actions)]
    named = [name for name in names if name]
    assert len(named) == len(set(named)) == 2 + (7 + 7 + 5 + 5) + 35 + 18 + 140 + 15
    for action, name in enumerate(names):
        assert not name or notation.read(None, pack, 0, name) == action
    for text in (
        "",
        "ship",
        "ship left 8",
        "ship left 03",
        "lay f1 0",
        "lay a1 45",
        "Draw",
        "ship b8",
    ):
        assert notation.read(None, pack, 0, text) == -1


def test_a_move_that_is_not_legal_is_refused_with_a_sentence():
    match = Match.new(GAME, players=2, seed="refuse")
    seat = match.pending[0]
    with pytest.raises(IllegalMove, match="'draw' now; legal are: ship right 1"):
        match.play(seat, "draw")
    with pytest.raises(IllegalMove, match=f"waiting for seat {seat}"):
        match.play(1 - seat, "ship left 1")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"pile": ["cape"] * 31}, "deal.pile must be a list of 32"),
        ({"removed": None}, "deal.removed must be a list of 3"),
        ({"removed": ["cape", "cape", "reef"]}, r"deal.removed\[2\] is 'reef'"),
        ({"removed": ["cape", "cape", ["cape"]]}, r"deal.removed\[2\] is \['cape'\]"),
        ({"pile": ["open"] * 32}, "tiles open in pile and removed; the pack has 4"),
        ({"start": 2}, "deal.start must be a seat, 0 to 1, not 2"),
        ({"start": True}, "deal.start must be a seat"),
    ],
)
def test_a_wrong_deal_is_refused_by_name(change, reason):
    record = json.loads((SAMPLES / "ozeanien-2.pelagos.json").read_text())
    record["deal"].update(change)
    with pytest.raises(BadRecord, match=reason):
        Match.replay(record)


def test_a_record_for_a_seat_hides_the_pile_and_the_removed_tiles():
    match = Match.new(GAME, players=2, seed="hide")
    seat = match.pending[0]
    match.play(seat, "ship left 2")
    match.play(seat, "draw")
    for viewer in (0, 1):
        deal = match.record(viewer)["deal"]
        assert deal["pile"] == [match.deal["pile"][0], *["?"] * 31]
        assert deal["removed"] == ["?"] * 3
        assert deal["start"] == match.deal["start"]


# --- records --------------------------------------------------------------------------------------


def _tidy(position: dict[str, Any]) -> dict[str, Any]:
    legal = {seat: sorted(moves) for seat, moves in position["legal"].items()}
    return {**position, "legal": legal, "pending": sorted(position["pending"])}


@pytest.mark.parametrize(
    "path", sorted(SAMPLES.glob("ozeanien-*.pelagos.json")), ids=lambda p: p.name
)
def test_a_sample_replays_and_every_position_comes_out_the_same(path):
    told = path.with_name(path.name.replace(".pelagos.json", ".positions.jsonl"))
    expected = [json.loads(line) for line in told.read_text().splitlines()]
    found = list(positions(path.read_text()))
    assert [_tidy(one) for one in found] == [_tidy(one) for one in expected]


@pytest.mark.parametrize("players", [1, 2])
def test_a_game_comes_out_of_its_record_as_it_went_in(players):
    for seed in range(3):
        match = Match.new(GAME, players=players, seed=seed, pack=box(7, 5) if seed else None)
        *_, last = play_at_random(match, seed)
        again = Match.replay(json.dumps(last.record()))
        assert again.record() == last.record()
        assert again.position.states.tobytes() == last.position.states.tobytes()


# --- packs ----------------------------------------------------------------------------------------


def test_a_board_of_7_columns_and_5_rows_works_too():
    match = Match.new(GAME, players=2, seed="wide", pack=box(7, 5))
    moves = match.moves(match.pending[0])
    assert len(moves) == 5 + 5 + 7
    assert "ship bottom 7" in moves
    *_, last = play_at_random(match, 1)
    assert last.over
    assert Match.replay(last.record()).scores == last.scores
    assert any(move[1].startswith("ship g") for move in last.record()["moves"])


@pytest.mark.parametrize(
    ("file", "old", "new", "reason"),
    [
        ("board.toml", "columns = 5", "columns = 8", "columns must be a number from 2 to 7"),
        ("board.toml", "columns = 5", "columns = 6", "6 × 7 cells are more than 35"),
        ("board.toml", "rows = 7", "rows = true", "rows must be a number from 2 to 7"),
        ("board.toml", "rows = 7", "", "rows must be a number"),
        ("board.toml", '"top"', '"north"', "without_circles must be one of top, right"),
        ("board.toml", "rows = 7", "rows = 7\ndepth = 2", "depth is unknown"),
        ("board.toml", "rows = 7", "rows = = 7", "board.toml: "),
        ("tiles.csv", "open,open sea", "reef,open sea", "tiles.csv, line 2: 'reef' isn't one of"),
        ("tiles.csv", "cape,cape,cap", "open,cape,cap", "line 3: open is there twice"),
        ("tiles.csv", "cap,LSSS,9", "cap,LLSS,9", "line 3: the edges of cape are LSSS"),
        ("tiles.csv", "LSSS,9,", "LSSS,8,", "sea_tiles add up to 34; the box has 35"),
        ("tiles.csv", "LSSS,9,5", "LSSS,9,6", "reserve_tiles add up to 26; the box has 25"),
        ("tiles.csv", "LSSS,9,", "LSSS,-9,", "line 3: sea_tiles must be from 0 to 35"),
        (
            "tiles.csv",
            "inland,inland,terres,LLLL,0,6,reported,reconstructed",
            "",
            "no line for inland",
        ),
        ("explorers.csv", "2,2,", "1,2,", "explorers.csv, line 3: value 1 is there twice"),
        ("explorers.csv", "3,1,", "4,1,", "explorers.csv, line 4: value must be from 1 to 3"),
        ("explorers.csv", "3,1,reported", "", "no line for value 3"),
    ],
)
def test_a_wrong_pack_is_refused_by_file_line_and_reason(file, old, new, reason):
    files = dict(default_pack(GAME).files)
    assert old in files[file]
    files[file] = files[file].replace(old, new)
    with pytest.raises(BadPack, match=reason):
        make_pack(GAME, files)


# --- knowledge ------------------------------------------------------------------------------------


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


@pytest.mark.parametrize("players", [1, 2])
def test_sheets_evidence_census_and_views_agree_at_every_position(players):
    pack = record_of(default_pack(GAME).data)
    said = [words(GAME, language) for language in LANGUAGES]
    for match in play_at_random(Match.new(GAME, players=players, seed=players), players):
        game = match.position.record
        assert knowledge.census(game, pack) == [4, 9, 10, 5, 7, 0]
        view = match.view(match.pending[0] if match.pending else 0)
        for sheet in view["sheets"]:
            assert as_mapping(sheet) == match.sheet(sheet["seat"])
            for line in sheet["lines"]:
                assert sum(one["points"] for one in line["evidence"]) == line["points"]
        keys = {piece["key"] for piece in view["pieces"]}
        assert len(keys) == len(view["pieces"])
        for sheet in view["sheets"]:
            for line in sheet["lines"]:
                assert {key for one in line["evidence"] for key in one["pieces"]} <= keys
        for choice in view["choices"]:
            assert choice["piece"] is None or choice["piece"] in keys
        for language in said:
            _has_words(language, view)


def _has_words(said: Any, view: Any) -> None:
    texts = [view["prompt"], *(place["label"] for place in view["places"])]
    texts += [choice["label"] for choice in view["choices"]] + view["facts"]["islands"]
    texts += [{"key": one["key"], "params": one["params"]} for one in view["events"]]
    texts += [
        one["reason"]
        for sheet in view["sheets"]
        for line in sheet["lines"]
        for one in line["evidence"]
    ]
    for text in texts:
        assert said.has(text["key"]), text
        assert "{" not in said.say(text, ["Ada", "Bo"]), text
    for piece in view["pieces"]:
        face = piece["face"]
        assert face is None or len(face) == 1 or said.has(f"noun.{face}"), face
        assert all(said.has(f"mark.{mark}") for mark in piece["marks"])


def test_the_text_table_draws_coasts_circles_explorers_and_the_ship():
    table = Table(
        "es/w2  ew/g1w  w",
        "n      ~       .",
    )
    table.play("ship b1")
    look = Match.new(GAME, players=2, seed="text", pack=table.pack)
    look.position.states[:] = table.position.states
    drawn = look.text(0).splitlines()
    chart = [line for line in drawn if line.strip().startswith(("2", "1"))][:2]
    assert chart[0].split() == ["2", "┏━②", "━", "━❶←", "━╸", "2"]
    assert chart[1].split() == ["1", "╹", "~", "▲", "░░░", "1○"]


def test_the_story_tells_fills_completed_islands_and_the_end():
    match = Match.new(GAME, players=1, seed="story")
    *_, last = play_at_random(match, 5)
    keys = [one["key"] for one in last.view(0)["events"]]
    assert keys[:2] == ["event.ship", keys[1]]
    assert keys[1] in ("event.draw", "event.discard")
    assert keys[-1].startswith("event.over_")
    assert keys.count("event.fill") == bin(int(last.position.record.filled)).count("1")


def test_an_observation_has_the_board_and_what_lies_beside_it():
    table = Table("e/w2 sw", "~ n/g1")
    own, other = table.position.observe(0), table.position.observe(1)
    assert len(own) == features.SIZE
    layers = own[: features.LAYERS * CELLS].reshape(features.LAYERS, CELLS)
    assert layers[0].sum() == layers[1].sum() == 4
    assert layers[3].tolist()[:4] == [0, 1, 0, 0]
    assert layers[9][2] == 2
    assert layers[13][[1, 2, 3]].tolist() == [3, 3, 3]
    swapped = other[: features.LAYERS * CELLS].reshape(features.LAYERS, CELLS)
    assert swapped[11][2] == 2
    assert swapped[9][1] == 1
    assert own[-1] == 2


# --- the score pad --------------------------------------------------------------------------------


PAD = """
# a chart of three columns and two rows
Ada: 1
Bo

e/w2   sw/g1   ~
~      n/g2    .
"""


def test_the_score_pad_counts_a_chart_typed_in():
    pad = tableau.score(PAD, box(3, 2))
    assert list(pad.names) == ["Ada", "Bo"]
    assert [as_mapping(one) for one in pad.sheets] == [
        {"islands": 0, "discards": -2},
        {"islands": 3, "discards": 0},
    ]
    assert pad.notes[0]["key"] == "score.filled"
    assert pad.notes[0]["params"]["cells"] == "c1"
    assert sum(one["points"] for one in pad.sheets[0]["lines"][1]["evidence"]) == -2


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_chart_of_the_rules_page_is_scored_as_the_page_says(language):
    page = (files(GAME.package) / f"rules.{language}.md").read_text("utf-8")
    chart = page.split("```text\n")[-1].split("```")[0]
    pad = tableau.score(chart, default_pack(GAME))
    assert [sheet["total"] for sheet in pad.sheets] == [19, 13]
    assert as_mapping(pad.sheets[1]) == {"islands": 15, "discards": -2}
    assert not pad.notes


def test_the_score_pad_counts_squares_for_one_player():
    pad = tableau.score("Ada\n\ne  o\n~  ~", box(2, 2))
    assert [as_mapping(one) for one in pad.sheets] == [{"squares": 4, "unexplored": 0}]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "0 lines; it takes one or two players and 2 rows of 2 cells"),
        ("Ada\nBo\nCy\n~ ~\n~ ~", "5 lines"),
        ("Ada\n~ ~ ~\n~ ~", "Line 2: 3 cells; a row of this board has 2"),
        ("Ada\n~ x\n~ ~", "Line 2: 'x' is no cell"),
        ("Ada\n~ w\n~ ~", "a2 and b2: land meets sea"),
        ("Ada\nn ~\n~ ~", "a2: land in the north, where the border is sea"),
        ("Ada\ns ~\nn/g1 ~", "there is no second player"),
        ("Ada\ns ~\nn/w1 ~", "1 white explorers of value 1; there are 0"),
        ("Ada\nBo\n~/w1 ~\n~ ~", "no land for an explorer"),
        ("Ada\nBo\n./w1 ~\n~ ~", "nobody is on an unexplored cell"),
        ("Ada\nBo\ns/w3 ~\nn/w3 ~", "2 white explorers of value 3; there are 1"),
        ("Ada\nBo\ns/w1s ~\nn ~", "on a strait, and only there"),
        ("Ada: many\n~ ~\n~ ~", "Line 1: a player is a name"),
        ("Ada: 99\n~ ~\n~ ~", "99 discards; there are 35 tiles"),
    ],
)
def test_a_wrong_score_file_is_refused_by_line_and_reason(text, reason):
    with pytest.raises(BadTableau, match=reason):
        tableau.score(text, box(2, 2))

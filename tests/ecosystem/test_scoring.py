"""What reefs score: every species, plankton in comparison, the food chain, the winner."""

from __future__ import annotations

import numpy as np
import pytest

from ecosystem.reefs import GAME, LETTERS, PACK, reef, sheet
from pelagos.engine.arrays import record_of
from pelagos.engine.batch import Batch
from pelagos.games.ecosystem import actions, rules, scoring, tableau
from pelagos.games.ecosystem.frame import cell_at
from pelagos.games.ecosystem.points import krill_points, plankton_points, turtle_points, worth

EXAMPLE = {
    "Elsa": ("gpopt bfpfk bpamg gktck", (3, 3, 12, 9, 10, 2, 12, 16, 0, 18, 8, 3), 96),
    "Willow": ("btkko apppa pfaob fcmtt", (3, 4, 12, 0, 10, 14, 4, 10, 0, 14, 10, 6), 87),
    "Eden": ("btkgk fgkkw kkkwt copac", (6, 14, 4, 15, 0, 2, 0, 4, 24, 17, 4, 3), 93),
}
"""The rulebook's example: its pictures are missing, these reefs score the lines that it prints."""
EDENS_FLIPS = ("flip 1,4 2,4", "flip 2,3 2,2")


def test_the_example_is_counted_line_by_line() -> None:
    game = reef(*(grid for grid, _, _ in EXAMPLE.values()))
    for flip in EDENS_FLIPS:
        pair = GAME.part("notation").read(game, None, 2, flip) - actions.FLIPS
        assert rules.owes_flip(game, 2, pair)
        rules.flip(game, 2, pair)
    for seat, (_, lines, total) in enumerate(EXAMPLE.values()):
        assert tuple(sheet(game, seat).values()) == lines
        assert scoring.score(game, seat) == total
    totals = np.array([scoring.score(game, seat) for seat in range(3)])
    assert scoring.winners(game, record_of(PACK.data), totals) == 0b001


def test_the_example_is_counted_on_the_score_pad() -> None:
    """Typed in as it lies on the table: Eden's two turned cards in brackets."""
    blocks = []
    for name, (grid, _, _) in EXAMPLE.items():
        rows = [[LETTERS[letter] for letter in row] for row in grid.split()]
        if name == "Eden":
            rows[2][2], rows[2][4] = f"[{rows[2][2]}]", f"[{rows[2][4]}]"
        blocks.append("\n".join([name, *(" ".join(row) for row in rows)]))
    pad = tableau.score("\n\n".join(blocks), PACK)
    assert pad.names == list(EXAMPLE)
    for sheet_, (_, lines, total) in zip(pad.sheets, EXAMPLE.values(), strict=True):
        assert tuple(line["points"] for line in sheet_["lines"]) == lines
        assert sheet_["total"] == total


def test_edens_whales_score_two_for_each_of_six_krill() -> None:
    game = reef("kwk.. kwk.. kk...")
    assert sheet(game)["whale"] == 24


def test_the_best_grid_known_makes_178() -> None:
    game = reef("wkwkk kwkgk kkgkg kgkkp")
    for flip in ("flip 0,2 0,1", "flip 1,1 1,0"):
        action = GAME.part("notation").read(game, None, 0, flip)
        assert rules.owes_flip(game, 0, action - actions.FLIPS)
        rules.flip(game, 0, action - actions.FLIPS)
    assert not rules.owes_any_flip(game, 0), "the corner whale has no face-up neighbour left"
    lines = sheet(game)
    assert {name: value for name, value in lines.items() if value} == {
        "krill": 28,
        "plankton": 12,
        "grouper": 39,
        "whale": 60,
        "bonus": 39,
    }
    assert sum(lines.values()) == 178 == scoring.score(game, 0)


def test_coral_scores_in_the_bottom_row_only() -> None:
    assert sheet(reef("c.... c.c.."))["coral"] == 6
    assert sheet(reef("c.... k...."))["coral"] == 0


def test_coral_in_a_row_above_still_serves_clownfish_and_morays() -> None:
    assert sheet(reef("cf... k...."))["clownfish"] == 2
    assert sheet(reef("cmg.. k...."))["moray"] == 4


def test_krill_groups_of_two_and_three_make_13_and_9_when_joined() -> None:
    assert krill_points(reef("kk.k. ...kk"), 0) == 13
    assert krill_points(reef("kkkk. ...kk"), 0) == 9


def test_a_single_krill_scores_one_and_diagonals_never_join() -> None:
    assert krill_points(reef("k.... .k..."), 0) == 2


def test_a_grouper_with_two_krill_scores_six() -> None:
    assert sheet(reef("kgk.."))["grouper"] == 6


def test_a_clownfish_counts_plankton_and_coral_beside_it() -> None:
    assert sheet(reef(".p... cfc.. .k..."))["clownfish"] == 6


def test_a_crab_counts_plankton_in_its_row_not_in_its_column() -> None:
    assert sheet(reef("p.a.p ..p.."))["crab"] == 4


def test_several_crabs_share_the_same_plankton() -> None:
    assert sheet(reef("apa.."))["crab"] == 4


def test_a_moray_with_three_prey_and_a_coral_scores_twelve_and_without_coral_nothing() -> None:
    assert sheet(reef(".g... fma.. .c..."))["moray"] == 12
    assert sheet(reef(".g... fma.. .k..."))["moray"] == 0


def test_a_second_coral_adds_nothing_to_a_moray() -> None:
    assert sheet(reef(".c... cmg.."))["moray"] == 4


def test_a_shark_counts_prey_in_its_row_and_its_column() -> None:
    assert sheet(reef("g.b.f ..... ..a.. ..k.."))["shark"] == 6


def test_the_books_example_of_prey_and_predators() -> None:
    """Crabs at both ends of a row with two plankton; a clownfish between plankton and coral; a
    moray with three prey and a coral, one without a coral; a shark that sees three prey.
    """
    game = reef("aap.p .fm.f mcg.b ..a.k")
    worths = {at: int(worth(game, 0, cell_at(*at))) for at in ((1, 1), (1, 2), (1, 4), (2, 0))}
    assert worths[1, 1] == 2, "the coral below; the crab above is no plankton"
    assert [int(worth(game, 0, cell_at(0, column))) for column in (0, 1)] == [4, 4]
    assert worths[2, 0] == 0, "a coral, and no prey"
    assert worths[1, 2] == 0, "prey on two sides, and no coral"
    assert worths[1, 4] == 2, "plankton above"
    game = reef("kpk.. gfab. .cmg. ..fak")
    assert int(worth(game, 0, cell_at(1, 1))) == 4
    assert int(worth(game, 0, cell_at(2, 2))) == 12
    assert int(worth(game, 0, cell_at(1, 3))) == 10, "three in its row, two in its column"
    assert int(worth(reef("g.b.a ..f.. ..k.."), 0, cell_at(0, 2))) == 6


def test_several_predators_hunt_the_same_prey() -> None:
    assert sheet(reef("bgb.."))["shark"] == 4


def test_turtles_in_two_columns_and_three_rows_score_ten() -> None:
    assert turtle_points(reef("t.... .t... .t..."), 0) == 10


def test_two_turtles_in_a_row_count_the_row_once() -> None:
    assert turtle_points(reef("t.t.."), 0) == 6


def test_an_octopus_scores_three() -> None:
    assert sheet(reef("oo..."))["octopus"] == 6


def test_the_smallest_group_counts_once_more_and_turtles_are_outside() -> None:
    lines = sheet(reef("kgb.. tto.."))
    groups = (1 + 0 + 0, 3, 2)
    assert (lines["krill"], lines["grouper"], lines["shark"]) == groups
    assert lines["bonus"] == 1


def test_no_bonus_without_all_three_groups() -> None:
    assert sheet(reef("kgk.."))["bonus"] == 0


@pytest.mark.parametrize(
    ("counts", "points"),
    [
        ((3, 2, 1), (12, 8, 4)),
        ((2, 2, 1), (12, 12, 4)),
        ((2, 2, 2, 1), (12, 12, 12, 0)),
        ((3, 2, 2, 1), (12, 8, 8, 0)),
        ((1, 0, 0), (12, 0, 0)),
        ((0, 0, 0), (0, 0, 0)),
        ((4, 3, 2, 1), (12, 8, 4, 0)),
    ],
)
def test_plankton_ranks(counts: tuple[int, ...], points: tuple[int, ...]) -> None:
    grids = ["p" * count + "k" for count in counts]
    game = reef(*grids, players=len(counts))
    assert tuple(plankton_points(game, seat) for seat in range(len(counts))) == points


@pytest.mark.parametrize(
    ("own", "other", "neutral", "points"),
    [
        (2, 1, 3, [8, 4]),  # first: the neutral seat
        (3, 1, 2, [12, 4]),
        (3, 1, 3, [12, 4]),  # tied with it for most
        (2, 2, 3, [8, 8]),  # tied with each other behind it
        (3, 1, 1, [12, 8]),  # tied with it for second
        (2, 2, 2, [12, 12]),
        (1, 0, 1, [12, 0]),
        (0, 0, 4, [0, 0]),
        (0, 2, 4, [0, 8]),
    ],
)
def test_the_neutral_seat_takes_a_rank_with_two_players(
    own: int, other: int, neutral: int, points: list[int]
) -> None:
    game = reef("p" * own + "k", "p" * other + "k", players=2, neutral=neutral)
    assert [plankton_points(game, seat) for seat in (0, 1)] == points
    assert [sheet(game, seat)["plankton"] for seat in (0, 1)] == points


def test_tim_compares_his_plankton_with_the_only_player() -> None:
    game = reef("p", "pp", players=1)
    assert [plankton_points(game, seat) for seat in (0, 1)] == [8, 12]
    assert plankton_points(reef("pp", "pp", players=1), 0) == 12


@pytest.mark.parametrize(
    ("margin", "level", "winners"),
    [(54, "loss", []), (55, "easy", [0]), (70, "normal", [0]), (80, "hard", [0]), (-3, "loss", [])],
)
def test_the_margin_over_tim_decides(
    margin: int, level: str, winners: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        scoring, "lines_of", lambda game, pack, seat: {"x": margin + 40 if seat == 0 else 40}
    )
    compared = scoring.result(reef("k", "k", players=1), record_of(PACK.data))
    assert (compared["margin"], compared["level"]) == (margin, level)
    totals = np.array([scoring.score(reef("k", "k", players=1), 1) + margin])
    mask = scoring.winners(reef("k", "k", players=1), record_of(PACK.data), totals)
    assert [seat for seat in range(1) if mask >> seat & 1] == winners


def test_ties_are_shared() -> None:
    assert scoring.winners(reef("k"), record_of(PACK.data), np.array([5, 7, 7])) == 0b110


def test_random_play_makes_about_46_with_three_players() -> None:
    assert 45 < Batch("ecosystem", 4000, players=3).play_out().mean() < 47.5

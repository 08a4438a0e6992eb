"""Islands, discards, squares for one player, and the evidence."""

from __future__ import annotations

from ozeanien.setting import Table
from pelagos.games.ozeanien import (
    scoring,
)


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


def test_alone_an_island_of_4_brings_16():
    assert Table("es sw ~", "ne nw ~", players=1).sheets == [(16, 0)]


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
    proofs = scoring.evidence(table.game, table.position.pack_record, 0, table.position.points(0))
    islands = [(proof["reason"]["key"], proof["points"], proof["pieces"]) for proof in proofs[0]]
    assert islands == [
        ("reason.nobody", 0, ["tile:a1", "tile:b1"]),
        ("reason.equal", 0, ["tile:c1", "tile:d1"]),
        ("reason.held", 3, ["tile:b2", "tile:a3", "tile:b3"]),
        ("reason.incomplete", 0, ["tile:c3"]),
    ]
    other = scoring.evidence(table.game, table.position.pack_record, 1, table.position.points(1))
    assert other[0][2]["reason"]["key"] == "reason.lost"
    assert other[0][2]["reason"]["params"]["sums"] == "2 : 0"

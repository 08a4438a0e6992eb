"""Complete: three of a kind go to the collection."""

from __future__ import annotations

from oceanide.setting import Table, sheet


def test_three_of_a_kind_go_to_the_collection() -> None:
    table = Table("rum rum rum star", "sun")
    table.play("complete rum")
    assert table.sets(0) == ["rum"]
    assert table.showcase(0) == ["star"]
    assert table.points(0) == sheet(sets=6, showcase=1)
    assert table.seat == 0


def test_two_of_a_kind_are_no_set() -> None:
    assert Table("rum rum", "sun").some("complete") == []


def test_of_four_one_stays_in_the_showcase() -> None:
    table = Table("rum rum rum rum", "sun")
    table.play("complete rum")
    assert table.showcase(0) == ["rum"]
    assert table.hand(0) == []
    assert table.some("complete") == []


def test_a_second_set_of_the_same_kind_is_allowed() -> None:
    table = Table("rum rum rum rum rum rum", "sun")
    table.play("complete rum", "complete rum")
    assert table.sets(0) == ["rum", "rum"]
    assert table.points(0) == sheet(sets=12)


def test_a_collection_is_safe_for_good() -> None:
    table = Table("rum rum rum", "rum rum thief")
    table.play("complete rum", "end")
    assert table.moves() == ["end"]

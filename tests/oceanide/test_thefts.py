"""Thieves: what they take, and whom they are left to."""

from __future__ import annotations

from oceanide.setting import Table, sheet


def test_a_thief_takes_one_object_of_a_showcase_and_stays_with_the_victim() -> None:
    table = Table("thief", "sun moon king", "rum")
    assert table.some("steal") == ["steal moon < 1", "steal sun < 1", "steal rum < 2"]
    table.play("steal sun < 1", "allow")
    assert table.showcase(0) == ["sun"]
    assert table.hand(0) == []
    assert table.showcase(1) == ["moon"]
    assert table.points(1) == sheet(showcase=1, hand=1, thieves=2)


def test_no_thief_no_theft() -> None:
    assert Table("rum", "sun").some("steal") == []


def test_the_second_copy_is_shown_at_once_and_can_be_stolen_too() -> None:
    table = Table("thief thief", "sun sun")
    table.play("steal sun < 1", "allow")
    assert table.showcase(1) == ["sun"]
    assert table.hand(1) == []
    table.play("steal sun < 1", "allow")
    assert table.showcase(1) == []
    assert (table.showcase(0), table.hand(0)) == (["sun"], ["sun"])
    assert table.points(1) == sheet(thieves=4)


def test_what_was_stolen_may_complete_a_set() -> None:
    table = Table("thief sun sun", "sun moon")
    assert table.some("complete") == []
    table.play("steal sun < 1", "allow", "complete sun")
    assert table.sets(0) == ["sun"]


def test_a_thief_is_in_nobodys_hand_while_the_target_is_asked() -> None:
    table = Table("thief rum", "sun")
    table.play("steal sun < 1")
    assert table.points(0) == sheet(showcase=1)
    assert table.points(1) == sheet(showcase=1)


def test_a_received_thief_cannot_be_played() -> None:
    table = Table("thief", "sun rum")
    table.play("steal sun < 1", "allow", "end")
    assert table.moves() == ["end"]

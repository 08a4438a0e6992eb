"""The King: who is asked, and what he stops."""

from __future__ import annotations

from oceanide.setting import Table, sheet


def test_the_target_is_asked_with_or_without_a_king() -> None:
    for king, answers in (("king", ["king", "allow"]), ("", ["allow"])):
        table = Table("thief", f"sun {king}")
        table.play("steal sun < 1")
        assert table.seat == 1
        assert table.moves() == answers
        table = Table("star star", f"star sun {king}")
        table.play("trade star > 1", "take sun")
        assert table.seat == 1
        assert table.moves() == answers


def test_a_king_stops_a_thief_and_both_are_discarded() -> None:
    table = Table("thief rum", "sun king")
    table.play("steal sun < 1", "king")
    assert table.showcase(1) == ["sun"]
    assert table.points(0) == sheet(showcase=1)
    assert table.points(1) == sheet(showcase=1)
    assert table.game.discards.tolist() == [1, 1]
    assert table.seat == 0


def test_a_king_stops_a_choice_and_the_set_stays() -> None:
    table = Table("star star", "star moon sun king king king")
    table.play("trade star > 1", "take moon,sun", "king")
    assert table.sets(1) == ["star"]
    assert table.showcase(1) == ["moon", "sun"]
    assert table.showcase(0) == []
    assert table.game.discards.tolist() == [0, 1]


def test_after_a_king_the_giver_cannot_turn_to_the_hand() -> None:
    table = Table("star star", "star moon sun king king king king")
    table.play("trade star > 1")
    assert "take hand" in table.moves()
    table.play("take moon,sun", "king")
    assert table.seat == 0
    assert table.moves() == ["end"]


def test_a_king_is_played_once() -> None:
    table = Table("thief thief", "sun king")
    table.play("steal sun < 1", "king", "steal sun < 1")
    assert table.moves() == ["allow"]


def test_nothing_counters_a_king() -> None:
    table = Table("thief king king", "sun king")
    table.play("steal sun < 1", "king")
    assert table.moves() == ["end"]


def test_a_king_drawn_from_a_hand_protects_its_new_owner() -> None:
    table = Table("star star sun", "star king king thief rum rum")
    table.play("trade star > 1", "take hand", "drawn rum king", "end", "steal sun < 0")
    assert table.seat == 0
    assert table.moves() == ["king", "allow"]

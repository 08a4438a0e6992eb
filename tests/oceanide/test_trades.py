"""Forced trades: the gift, and what is taken in return."""

from __future__ import annotations

from collections import Counter

import pytest

from oceanide.setting import Table
from pelagos.engine.stream import words_of
from pelagos.engine.types import CHANCE
from pelagos.games.oceanide import notation


def test_a_trade_needs_two_of_what_the_other_shows() -> None:
    table = Table("rum star star sun sun", "rum star", "sun")
    assert table.some("trade") == ["trade star > 1", "trade sun > 2"]


def test_the_gift_is_a_set_of_the_others_collection_and_cannot_be_refused() -> None:
    table = Table("star star", "star sun king")
    table.play("trade star > 1")
    assert table.sets(1) == ["star"]
    assert table.showcase(0) == []
    assert table.showcase(1) == ["sun"]
    assert table.seat == 0


def test_the_givers_third_copy_is_shown() -> None:
    table = Table("star star star", "star sun")
    table.play("trade star > 1")
    assert table.showcase(0) == ["star"]
    assert table.hand(0) == []


def test_another_copy_in_hand_is_shown_before_the_taking() -> None:
    table = Table("star star", "star star sun")
    table.play("trade star > 1")
    assert table.showcase(1) == ["star", "sun"]
    assert "take star,sun" in table.moves()


def test_two_different_objects_are_taken() -> None:
    table = Table("star star", "star moon moon sun rum king")
    table.play("trade star > 1")
    assert table.moves() == ["take none", "take moon,rum", "take moon,sun", "take rum,sun"]
    table.play("take moon,sun", "allow")
    assert table.showcase(0) == ["moon", "sun"]
    assert table.showcase(1) == ["moon", "rum"]
    assert table.hand(1) == ["king"]
    assert table.seat == 0


def test_a_copy_that_would_come_up_is_not_available() -> None:
    table = Table("star star", "star moon moon")
    table.play("trade star > 1")
    assert table.moves() == ["take none", "take moon"]


def test_the_only_object_shown_is_taken_alone() -> None:
    table = Table("star star", "star moon king thief")
    table.play("trade star > 1")
    assert table.some("take") == ["take none", "take moon"]
    table.play("take moon", "allow")
    assert table.showcase(0) == ["moon"]


def test_nothing_is_left_to_take() -> None:
    table = Table("star star", "star king")
    table.play("trade star > 1")
    assert table.moves() == ["take none"]


def test_a_hand_of_three_may_be_drawn_from_and_a_hand_of_two_may_not() -> None:
    for hand, may in (("king king", False), ("king king king", True)):
        table = Table("star star", f"star {hand}")
        table.play("trade star > 1")
        assert ("take hand" in table.moves()) == may


def test_the_hand_counts_after_its_copy_has_come_up() -> None:
    table = Table("star star", "star star king king")
    table.play("trade star > 1")
    assert table.hand(1) == ["king", "king"]
    assert "take hand" not in table.moves()


def test_a_hand_can_be_drawn_from_where_nothing_is_shown() -> None:
    table = Table("star star", "star thief king king")
    table.play("trade star > 1")
    assert table.moves() == ["take none", "take hand"]


def test_what_is_drawn_from_a_hand_obeys_the_showcase() -> None:
    table = Table("star star rum", "star moon moon rum rum king")
    table.play("trade star > 1", "take hand", "drawn moon rum")
    assert table.showcase(0) == ["moon", "rum"]
    assert table.hand(0) == ["rum"]
    assert table.showcase(1) == ["moon", "rum"]
    assert table.hand(1) == ["king"]


def test_two_of_a_kind_may_be_drawn() -> None:
    table = Table("star star", "star moon moon moon king")
    table.play("trade star > 1", "take hand", "drawn moon moon")
    assert table.showcase(0) == ["moon"]
    assert table.hand(0) == ["moon"]


def test_a_thief_from_a_hand_may_be_played_this_very_turn() -> None:
    table = Table("star star", "star moon thief king king")
    table.play("trade star > 1", "take hand", "drawn thief king")
    assert table.hand(0) == ["thief", "king"]
    table.play("steal moon < 1", "allow")
    assert table.showcase(0) == ["moon"]


def test_no_king_is_asked_about_a_draw_from_the_hand_or_the_gift() -> None:
    table = Table("star star", "star moon king king king")
    table.play("trade star > 1")
    assert table.seat == 0
    table.play("take hand")
    assert table.position.mask == CHANCE


def test_every_pair_of_cards_of_a_hand_is_equally_likely() -> None:
    table = Table("star star", "star moon moon moon rum rum king")
    table.play("trade star > 1", "take hand")
    assert table.hand(1) == ["moon", "moon", "rum", "king"]
    seen = Counter()
    draws = 6000
    for seed in range(draws):
        table.position.states["stream"][0] = words_of(str(seed).encode())
        seen[notation.write_chance(table.game, table.pack, table.position.chance())] += 1
    pairs = {"moon moon": 1, "moon rum": 2, "moon king": 2, "rum king": 1}
    assert set(seen) == {f"drawn {pair}" for pair in pairs}
    for pair, ways in pairs.items():
        assert seen[f"drawn {pair}"] == pytest.approx(draws * ways / 6, rel=0.1)


def test_one_may_take_nothing_and_it_is_an_action_all_the_same() -> None:
    table = Table("star star", "star moon", dry=True)
    table.play("trade star > 1", "take none", "end", "end", "end")
    assert table.position.over
    idle = Table("star star", "star moon", dry=True)
    idle.play("end", "end")
    assert idle.position.over


def test_what_was_taken_may_complete_a_set() -> None:
    table = Table("star star rum rum", "star rum moon")
    table.play("trade star > 1", "take moon,rum", "allow", "complete rum")
    assert table.sets(0) == ["rum"]

"""What every viewer knows of every hand."""

from __future__ import annotations

import random

import pytest

from conftest import random_walk
from oceanide.setting import IDS, Table
from pelagos.engine.match import Match
from pelagos.games.oceanide import features, invariant, memory, state


def test_all_know_a_stolen_object_in_the_hand_it_went_to() -> None:
    table = Table("thief sun", "sun", "rum")
    table.play("steal sun < 1", "allow")
    assert [table.known(viewer, 0) for viewer in (-1, 1, 2)] == [["sun"]] * 3


def test_an_object_that_lands_in_a_showcase_is_not_in_hand() -> None:
    table = Table("thief", "sun", "rum")
    table.play("steal sun < 1", "allow")
    assert table.known(1, 0) == []


def test_a_known_copy_that_comes_up_is_known_in_hand_no_more() -> None:
    table = Table("thief sun", "sun thief", "rum")
    table.play("steal sun < 1", "allow", "end", "steal sun < 0", "allow")
    assert table.known(2, 0) == []
    assert table.showcase(0) == ["sun"]


def test_completing_a_set_uses_up_what_was_known() -> None:
    table = Table("thief sun sun", "sun", "rum")
    table.play("steal sun < 1", "allow")
    assert table.known(2, 0) == ["sun"]
    table.play("complete sun")
    assert table.known(2, 0) == []


def test_a_gift_uses_up_what_was_known() -> None:
    table = Table("thief sun sun", "sun", "sun")
    table.play("steal sun < 1", "allow", "trade sun > 2")
    assert table.showcase(0) == ["sun"]
    assert table.known(2, 0) == []


def test_both_who_are_concerned_know_what_was_drawn_from_a_hand() -> None:
    table = Table("star star rum", "star rum rum king thief", "moon")
    table.play("trade star > 1", "take hand", "drawn rum king")
    assert table.known(1, 0) == ["rum", "king"]
    assert table.known(2, 0) == []
    assert table.known(-1, 0) == []


def test_a_third_seat_knows_no_longer_what_the_unseen_cards_may_have_taken() -> None:
    table = Table("star star sun sun", "star sun sun rum rum rum thief", "sun rum", turn=1)
    table.play("steal sun < 2", "allow", "end", "end")
    assert table.known(2, 1) == ["sun"]
    table.play("trade star > 1", "take hand", "drawn rum rum")
    assert table.known(2, 1) == []
    assert table.known(0, 1) == ["sun"]


def test_what_the_taker_would_have_shown_was_not_taken() -> None:
    table = Table("star star rum", "star sun sun rum rum thief", "sun rum", turn=1)
    table.play("steal sun < 2", "allow", "end", "end")
    table.play("trade star > 1", "take hand", "drawn rum sun")
    assert table.showcase(0) == ["rum", "sun"]
    assert table.known(2, 1) == []
    table = Table("star star rum", "star sun sun rum rum rum thief", "sun rum", turn=1)
    table.play("steal sun < 2", "allow", "end", "end")
    table.play("trade star > 1", "take hand", "drawn rum rum")
    assert table.showcase(0) == ["rum"]
    assert table.known(2, 1) == ["sun"]


def test_a_card_that_lands_is_seen_and_leaves_one_unseen() -> None:
    sisters = "star star rum", "star sun sun sun rum rum thief thief", "sun sun rum"
    table = Table(*sisters, turn=1)
    table.play("steal sun < 2", "allow", "steal sun < 2", "allow", "end", "end")
    assert table.known(2, 1) == ["sun", "sun"]
    table.play("trade star > 1", "take hand", "drawn rum sun")
    assert table.known(2, 1) == []
    table = Table(*sisters, turn=1)
    table.play("steal sun < 2", "allow", "end", "end")
    table.play("trade star > 1", "take hand", "drawn sun thief")
    assert table.known(2, 1) == []
    assert table.known(0, 1) == []
    assert table.known(1, 0) == ["thief"]


def test_three_known_twins_leave_one_known_after_two_unseen_cards() -> None:
    table = Table(
        "star star sun", "star sun thief thief thief king king king", "sun sun sun", turn=1
    )
    table.play(*["steal sun < 2", "allow"] * 3, "end", "end")
    assert table.known(2, 1) == ["sun", "sun", "sun"]
    table.play("trade star > 1", "take hand", "drawn king king")
    assert table.known(2, 1) == ["sun"]
    assert table.known(0, 1) == ["sun", "sun", "sun"]


def test_a_known_king_is_forgotten_when_it_is_played() -> None:
    table = Table("star star rum", "star king king king rum thief", "moon")
    table.play("trade star > 1", "take hand", "drawn king king")
    assert table.known(1, 0) == ["king", "king"]
    table.play("end", "steal rum < 0", "king")
    assert table.known(1, 0) == ["king"]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_nobody_knows_more_than_the_truth_nor_less_than_all(players: int) -> None:
    for seed in range(15):
        match = Match.new("oceanide", players=players, seed=f"known {seed}")
        for at in random_walk(match, random.Random(seed)):
            game = at.position.record
            for owner in range(players):
                for card in range(len(IDS)):
                    held = invariant.in_hand(game, owner, card)
                    known = game.known[owner, card, : players + 1].tolist()
                    assert min(known) == known[0]
                    assert max(known) <= held


@pytest.mark.parametrize("players", [2, 5])
def test_an_observation_tells_what_a_viewer_knows(players: int) -> None:
    cards = range(state.KINDS)
    for match in random_walk(Match.new("oceanide", players=players, seed=4), random.Random(4)):
        game, pack = match.position.record, match.position.pack_record
        for viewer in range(players):
            raw = match.position.observe(viewer)
            seen = {name: features.LAYOUT.part(raw, name) for name in features.LAYOUT.by_name}
            unseen = [memory.unseen(game, pack, viewer, card) for card in cards]
            assert seen["unseen"].tolist() == unseen
            for step in range(players):
                seat = (viewer + step) % players
                known = [memory.known_in_hand(game, seat, viewer, card) for card in cards]
                assert seen["hands"][step].tolist() == known
                assert seen["hand_sizes"][step] == invariant.hand_size(game, seat)

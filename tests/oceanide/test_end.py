"""The end: when all in a row had nothing to draw and did nothing."""

from __future__ import annotations

import random

from conftest import random_walk
from oceanide.setting import Table
from pelagos.engine.match import Match
from pelagos.games.oceanide import actions


def test_the_game_ends_when_all_in_a_row_had_nothing_to_draw_and_did_nothing() -> None:
    table = Table("rum", "star", "sun", dry=True)
    table.play("end", "end")
    assert not table.position.over
    table.play("end")
    assert table.position.over
    assert table.position.mask == 0


def test_a_turn_that_drew_the_last_cards_does_not_count() -> None:
    table = Table("rum", "star", deck="king")
    table.play("end", "end", "end")
    assert not table.position.over
    table.play("end")
    assert table.position.over


def test_any_action_starts_the_count_again() -> None:
    table = Table("star", "rum rum rum", dry=True)
    table.play("end", "complete rum", "end", "end")
    assert not table.position.over
    table.play("end")
    assert table.position.over


def test_a_stopped_action_starts_the_count_again() -> None:
    table = Table("star king", "thief", dry=True)
    table.play("end", "steal star < 0", "king", "end", "end")
    assert not table.position.over
    table.play("end")
    assert table.position.over


def test_an_action_in_a_turn_with_cards_to_draw_does_not_matter_to_the_count() -> None:
    table = Table("rum rum rum", "star")
    table.play("complete rum", "end", "end", "end")
    assert table.position.over


def test_every_action_takes_cards_out_of_play_so_that_the_game_ends() -> None:
    for seed in range(40):
        match = Match.new("oceanide", players=2 + seed % 4, seed=seed)
        left, moves = None, 0
        for at in random_walk(match, random.Random(seed)):
            game = at.position.record
            if int(game.phase) == 0:
                owned = int(game.own.sum()) + int(game.last) - int(game.top)
                acted = bool(at.history) and left is not None and owned < left
                ended = not at.history or at.history[-1].action == actions.END
                assert acted or ended or owned == left
                left = owned
            moves += 1
        assert match.over
        assert moves < 400

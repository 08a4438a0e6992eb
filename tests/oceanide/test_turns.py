"""Set-up and turns: who begins, what is drawn."""

from __future__ import annotations

from collections import Counter

import pytest

from oceanide.setting import Table, dealt, hand_of, sheet
from pelagos.engine.errors import BadRecord
from pelagos.engine.match import Match
from pelagos.games.oceanide import invariant

FOUR_KINDS = "tear star sun tear rum thief"


def test_of_six_cards_four_kinds_are_shown_and_a_duplicate_and_a_thief_are_held() -> None:
    match = dealt("rum rum rum rum sun sun", FOUR_KINDS, start=1)
    game = match.position.record
    assert (
        invariant.count_objects(int(game.shown[1])) == 4 + 1
    )  # one came with the turn's three cards
    assert match.position.points(0) == sheet(showcase=2, hand=4)
    before = Table("rum rum rum rum sun sun", FOUR_KINDS)
    assert before.showcase(1) == ["star", "rum", "tear", "sun"]
    assert before.hand(1) == ["tear", "thief"]


def test_each_seat_is_dealt_its_whole_hand_in_turn_and_the_first_turn_draws_three() -> None:
    match = dealt("rum star sun moon key tear", "rum rum rum rum king thief")
    game = match.position.record
    assert int(game.top) == 15
    assert match.position.points(0)[2] + match.position.points(0)[1] == 9
    assert hand_of(game, 1) == ["rum", "rum", "rum", "thief", "king"]


def test_the_fullest_showcase_begins() -> None:
    hands = "rum rum rum star star thief", "rum star sun moon key king"
    assert dealt(*hands, start=1).pending == (1,)
    with pytest.raises(BadRecord, match=r"start is 0, who shows 2 objects, but .* shows 5"):
        dealt(*hands, start=0)


def test_in_a_tie_for_the_fullest_showcase_either_may_begin() -> None:
    hands = "rum star thief thief thief thief", "sun moon king king king king"
    for start in (0, 1):
        assert dealt(*hands, start=start).pending == (start,)


def test_lots_are_drawn_among_the_fullest_showcases() -> None:
    begun = Counter()
    for seed in range(300):
        match = Match.new("oceanide", players=3, seed=seed)
        deck = match.deal["deck"]
        shown = [len(set(deck[seat * 6 : seat * 6 + 6]) - {"thief", "king"}) for seat in range(3)]
        tied = tuple(seat for seat in range(3) if shown[seat] == max(shown))
        assert match.deal["start"] in tied
        begun[tied, match.deal["start"]] += 1
    for tied in ((0, 1), (0, 2), (1, 2), (0, 1, 2)):
        assert all(begun[tied, seat] for seat in tied)


def test_a_start_that_is_no_seat_is_refused() -> None:
    for start in (2, -1, True, "0", None):
        with pytest.raises(BadRecord, match="start must be a seat"):
            dealt("rum", "rum", start=start)  # type: ignore[arg-type]


def test_a_turn_draws_three_and_new_objects_are_shown_at_once() -> None:
    table = Table("rum", "star", deck="star rum rum king")
    table.play("end")
    assert table.seat == 1
    assert table.showcase(1) == ["star", "rum"]
    assert table.hand(1) == ["star", "rum"]


def test_a_short_deck_gives_what_it_has_and_an_empty_one_nothing() -> None:
    table = Table("rum", "star", deck="sun king")
    table.play("end")
    assert table.showcase(1) == ["star", "sun"]
    assert table.hand(1) == ["king"]
    table.play("end")
    assert table.points(0) == sheet(showcase=1)


def test_play_goes_to_the_left() -> None:
    table = Table("rum", "star", "sun", turn=2, deck="moon")
    table.play("end")
    assert table.seat == 0


def test_as_many_actions_as_one_likes_in_any_order() -> None:
    table = Table("thief thief rum rum rum star star moon", "star sun key king", "moon moon")
    table.play("steal sun < 1", "allow", "complete rum", "trade star > 1", "take key", "allow")
    table.play("steal moon < 2", "allow")
    assert table.seat == 0
    assert table.sets(0) == ["rum"]
    assert table.showcase(0) == ["moon", "key", "sun"]
    assert table.hand(0) == ["moon"]


def test_no_action_is_compulsory() -> None:
    table = Table("rum rum rum star star thief", "star sun king")
    assert {move.split()[0] for move in table.moves()} == {"end", "complete", "trade", "steal"}
    table.play("end")
    assert table.seat == 1


def test_a_seat_that_can_do_nothing_can_end_its_turn() -> None:
    assert Table("rum star", "sun").moves() == ["end"]

"""Fair schedules: every bot in every seat of every deal, and who may enter."""

from __future__ import annotations

from collections import Counter

import pytest

from arena.setting import make_plan
from pelagos.arena.plan import Fixture, rotations, seatings
from pelagos.engine.errors import PelagosError


@pytest.mark.parametrize(
    ("names", "players"),
    [(2, 2), (3, 3), (3, 2), (2, 3), (2, 4), (4, 3), (2, 5)],
)
def test_every_bot_sits_equally_often_in_every_seat_of_every_deal(names: int, players: int) -> None:
    plan = make_plan(*["random", "greedy", "flat", "search"][:names], players=players)
    for deal in range(3):
        for full in (True, False):
            games = list(plan.round(deal, full))
            assert len(set(games)) == len(games)
            for seat in range(players):
                sitting = Counter(game.seats[seat] for game in games)
                assert len(sitting) == names
                assert len(set(sitting.values())) == 1


def test_a_deal_is_played_in_every_seating() -> None:
    assert seatings(["a", "b", "b"]) == [("a", "b", "b"), ("b", "a", "b"), ("b", "b", "a")]
    assert len(seatings(["a", "b", "c", "d"])) == 24
    assert rotations(["a", "b", "c"]) == [("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")]


def test_games_are_rounded_up_to_whole_deals() -> None:
    plan = make_plan("random", "greedy")
    assert [len(list(plan.fixtures(games))) for games in (1, 2, 3, 40)] == [2, 2, 4, 40]
    many = make_plan("random", "greedy", "flat", "search", players=4)
    assert len(list(many.fixtures(10))) == 12  # rotations: too few games for all 24 seatings
    assert len({game.seats for game in many.fixtures(240)}) == 24


def test_more_games_go_on_where_fewer_stopped() -> None:
    plan = make_plan("random", "greedy")
    few, more = list(plan.fixtures(40)), list(plan.fixtures(60))
    assert more[: len(few)] == few


def test_alone_every_bot_plays_the_same_deals() -> None:
    plan = make_plan("random", "greedy", players=1)
    assert list(plan.fixtures(4)) == [
        Fixture(0, ("random",)),
        Fixture(0, ("greedy",)),
        Fixture(1, ("random",)),
        Fixture(1, ("greedy",)),
    ]


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (["nobody"], "There is no bot or creature 'nobody'"),
        (["random", "random"], "Name each bot once"),
        ([], "at least one bot"),
        (["random@soon"], "A budget is written"),
    ],
)
def test_a_wrong_entry_gets_a_sentence(names: list[str], reason: str) -> None:
    with pytest.raises(PelagosError, match=reason):
        make_plan(*names)


def test_a_bot_may_enter_with_two_budgets_and_a_creature_with_its_own() -> None:
    plan = make_plan("flat@2sims", "flat@8sims", "otter", "turtle", "puffin@9sims", players=3)
    assert [(entrant.name, entrant.bot, str(entrant.budget)) for entrant in plan.entrants] == [
        ("flat@2sims", "flat", "2sims"),
        ("flat@8sims", "flat", "8sims"),
        ("otter", "flat", "300sims"),
        ("turtle", "flat", "300sims"),  # the otter, as it was once called
        ("puffin@9sims", "greedy", "9sims"),
    ]

"""When a bot or a hidden choice answers tells nothing."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from pelagos.engine.stream import words_of
from pelagos.tables import acts, fairness
from pelagos.tables.table import BOT
from tables.leaking import (
    laid,
    plain_walk,
    whole_games,
)


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("kind", whole_games())
def test_a_bots_answer_comes_at_a_time_that_tells_nothing(kind: str) -> None:
    """With the clock in hand: due times are the same in worlds where its hand is another."""
    from pelagos.tables.service import Tables
    from pelagos.tables.settings import Settings

    clock = Clock()
    tables = Tables(None, b"key", Settings(), clock)  # type: ignore[arg-type]
    table = laid(kind, 5)
    table.seats = [replace(chair, kind=BOT, bot="dolphin") for chair in table.seats]
    asked = later = 0
    for at in plain_walk(table, random.Random(3)):
        match = at.match
        assert match is not None
        clock.now += 1.0
        for seat in match.pending:
            work = tables.work(at, match, seat, clock())
            asked += 1
            later += work.at > clock.now
            if not acts.is_open(match, seat):
                assert work.at > clock.now
            for viewer in range(at.players):
                if viewer == seat or acts.is_choosing(match, seat):
                    continue
                other = at.copy()
                assert other.match is not None
                name = f"{viewer}{seat}{len(match.history)}"
                other.match.position = match.position.redeal(viewer, words_of(name.encode()))
                if seat in other.match.pending:
                    assert tables.work(other, other.match, seat, clock()) == work
    assert asked


def test_a_hidden_choice_of_several_actions_ends_at_one_drawn_time() -> None:
    """Else the time would tell how many actions there were."""
    from pelagos.tables.service import Tables
    from pelagos.tables.settings import Settings

    clock, choices, seen = Clock(), random.Random(1), 0
    tables = Tables(None, b"key", Settings(), clock)  # type: ignore[arg-type]
    for kind in whole_games():
        table = laid(kind, 5)
        table.seats = [replace(chair, kind=BOT, bot="dolphin") for chair in table.seats]
        match = table.match
        assert match is not None
        drawn: dict[int, float] = {}
        while not match.over:
            clock.now += 0.01
            seat = choices.choice(match.pending)
            work = tables.work(table, match, seat, clock())
            if acts.is_choosing(match, seat):
                assert work.at == drawn[seat]
                seen += 1
            drawn[seat] = work.at
            action = choices.choice(match.legal(seat))
            acts.bot_move(table, seat, work.decision, action, work.at)
    assert seen > 5


def test_a_drawn_time_is_spread_evenly() -> None:
    draws = [fairness.lot("7" * 64, f"answer/1/{number}") for number in range(4000)]
    assert abs(sum(draws) / len(draws) - 0.5) < 0.02
    assert min(draws) < 0.01
    assert max(draws) > 0.99

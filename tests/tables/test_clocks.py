"""Paces: a clock for each decision, and a bot that decides when it runs out."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from pelagos.engine.types import HIDDEN
from pelagos.tables import acts
from pelagos.tables.errors import Malformed
from tables.place import QUICK, Place, at_a_place, match_of


def test_there_are_three_paces() -> None:
    assert acts.create("minnows", {}, None, pace="slow")[0]["pace"] == "slow"
    with pytest.raises(Malformed):
        acts.create("minnows", {}, None, pace="hasty")


@pytest.mark.parametrize("kind", ["ecosystem", "oceanide", "ozeanien", "minnows"])
def test_a_bot_decides_when_time_runs_out_and_all_are_told(tmp_path: Path, kind: str) -> None:
    async def test(place: Place) -> None:
        live = await place.lay(kind, 2, pace="quick")
        for _ in range(4):
            assert live.table.until == place.clock() + QUICK
            owing = list(match_of(live).pending)
            place.clock.now = live.table.until - 1
            assert await place.work() == 0
            place.clock.now += 1
            assert await place.work() == len(owing)
        lines = str(match_of(live).events())
        assert "event.late" in lines
        assert not acts.can_undo(live.table, 0)

    at_a_place(tmp_path, test, pause=(0.0, 0.0))


def test_whoever_decides_in_time_keeps_the_clock_of_the_others(tmp_path: Path) -> None:
    """And how many actions a hidden choice has moves no clock and no note."""

    async def test(place: Place) -> None:
        live = await place.lay("oceanos", 3, pace="quick")
        choices = random.Random(5)
        for _ in range(6):
            until = live.table.until
            place.clock.now += 10
            while 0 in match_of(live).pending and live.table.until == until:
                since = len(match_of(live).history)
                await place.move(live, 0, choices.choice(match_of(live).legal(0)))
                if all(entry.news == HIDDEN for entry in match_of(live).history[since:]):
                    assert live.table.until == until
            place.clock.now = max(place.clock.now, until)
            notes = len(match_of(live).notes)
            history = len(match_of(live).history)
            while live.table.until == until and not match_of(live).over:
                assert await place.work()
            made = {entry.seat for entry in match_of(live).history[history:] if entry.seat >= 0}
            assert len(match_of(live).notes) - notes <= len(made)
        assert match_of(live).notes

    at_a_place(tmp_path, test, pause=(0.0, 0.0))


def test_a_late_choice_of_several_actions_ends_at_one_drawn_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(place: Place) -> None:
        async def sleep(seconds: float) -> None:
            place.clock.now += max(0.0, seconds)

        monkeypatch.setattr(asyncio, "sleep", sleep)
        live = await place.lay("oceanos", 2, pace="quick")
        several = 0
        while not match_of(live).over and not several:
            until, begun = live.table.until, len(match_of(live).history)
            seat = match_of(live).pending[0]
            due = [
                place.tables.drawn(live.table, f"late/{number}/{until}", 3.0) for number in range(2)
            ]
            place.clock.now = until
            while live.table.until == until and not match_of(live).over:
                for work in await place.store.take(place.clock(), 1, 10.0):
                    await place.workers.answer(work)
                    if work.seat == seat and seat not in match_of(live).pending:
                        assert place.clock() >= until + due[seat]
            made = [entry.seat for entry in match_of(live).history[begun:] if entry.seat >= 0]
            several += made.count(seat) > 1
            assert place.clock() == pytest.approx(until + max(due[number] for number in made))
        assert several

    at_a_place(tmp_path, test)


def test_a_free_table_has_no_clock(tmp_path: Path) -> None:
    async def test(place: Place) -> None:
        live = await place.lay("ecosystem", 2)
        assert not live.table.until
        place.clock.now += 1e6
        assert await place.work() == 0

    at_a_place(tmp_path, test)


def test_a_clock_survives_a_restart(tmp_path: Path) -> None:
    ids = []

    async def before(place: Place) -> None:
        live = await place.lay("ecosystem", 2, pace="quick")
        ids.append((live.table.id, live.table.until))

    async def after(place: Place) -> None:
        live = await place.tables.find(ids[0][0])
        assert live.table.until == ids[0][1]
        place.clock.now += QUICK
        assert await place.work() == 2

    at_a_place(tmp_path, before)
    at_a_place(tmp_path, after, pause=(0.0, 0.0))

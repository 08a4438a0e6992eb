"""The coach at tables: on request, one game at a time, after the bots, and never lost."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from pelagos.coach import check
from pelagos.tables.coaching import PROGRAM, Coaching, Progress
from pelagos.tables.errors import NotFound, TooMuch
from pelagos.tables.limits import Limit
from pelagos.tables.own_games import OwnGames, owner_of
from tables.place import Place, at_a_place, match_of
from tables.test_own_games import held, play

SCRIPT = """
import json, os, sys
told = json.loads(sys.stdin.readline())
number = told["analysis"]["budget"]["round"] if told["analysis"] else 0
with open(sys.argv[1], "a") as log:
    log.write(f"nice {os.nice(0)} from {number}\\n")
while sys.stdin.readline():
    number += 1
    seats = [{"accuracy": 9000 + number} for _ in told["record"]["seats"]]
    budget = {"round": number, "rounds": 3, "done": number == 3}
    print(json.dumps({"budget": budget, "seats": seats}), flush=True)
"""
"""Rounds without a coach, for what has nothing to do with what it says."""


@asynccontextmanager
async def coach(place: Place, *program: str, wait: bool = False) -> AsyncIterator[Coaching]:
    coaching = Coaching(place.tables, lambda: wait, program or PROGRAM)
    coaching.start()
    try:
        yield coaching
    finally:
        await coaching.close()


async def done(coaching: Coaching, table: str) -> Progress:
    while True:
        progress = await coaching.progress(table, 0)
        assert progress is not None
        if progress.done:
            return progress
        await asyncio.sleep(0.02)


def test_a_finished_game_is_analysed_stored_and_counted_as_accuracy(where: Path) -> None:
    async def test(place: Place) -> None:
        live = await place.lay("minnows", 2)
        own, ada = OwnGames(place.tables), owner_of("a")
        await own.hold(ada, [held(live, 0)])
        async with coach(place) as coaching:
            with pytest.raises(NotFound):
                await coaching.ask(live.table, 0)
            await play(place, live)
            assert await coaching.progress(live.table.id, 0) is None
            await coaching.ask(live.table, 0)
            await coaching.ask(live.table, 0)
            progress = await done(coaching, live.table.id)
            document = progress.document
            assert document is not None
            check(document, match_of(live))
            assert document["budget"]["done"]
        rows = (await place.store.all_rows())["analyses"]
        assert [row["tries"] for row in rows] == [0]
        [game] = await own.of(ada)
        assert game.accuracy == tuple(seat["accuracy"] / 100 for seat in document["seats"])

    at_a_place(where, test)


def test_it_waits_while_a_bot_is_waited_for_and_goes_on_after_a_restart(tmp_path: Path) -> None:
    log = tmp_path / "log"
    (tmp_path / "rounds.py").write_text(SCRIPT)
    program = (sys.executable, str(tmp_path / "rounds.py"), str(log))

    async def test(place: Place) -> None:
        first, second = await place.lay("minnows", 2), await place.lay("minnows", 2)
        await play(place, first)
        await play(place, second)
        async with coach(place, *program, wait=True) as coaching:
            await coaching.ask(first.table, 0)
            place.clock.now += 1
            await coaching.ask(second.table, 0)
            while not log.exists():
                await asyncio.sleep(0.02)
            for _ in range(20):  # it has been started, and no round begins
                await asyncio.sleep(0.02)
                progress = await coaching.progress(first.table.id, 0)
                assert progress is not None
                assert progress.document is None
            behind = await coaching.progress(second.table.id, 0)
            assert behind is not None
            assert behind.ahead == 1
            assert len(log.read_text().splitlines()) == 1  # one at a time
        async with coach(place, *program) as coaching:  # stopped, and started again
            progress = await done(coaching, first.table.id)
            await done(coaching, second.table.id)
            assert progress.document is not None
            assert progress.document["budget"]["round"] == 3
        assert len(log.read_text().splitlines()) == 3

    at_a_place(tmp_path / "data", test)


def test_a_stored_round_is_gone_on_with(tmp_path: Path) -> None:
    log = tmp_path / "log"
    (tmp_path / "rounds.py").write_text(SCRIPT)
    program = (sys.executable, str(tmp_path / "rounds.py"), str(log))

    async def test(place: Place) -> None:
        live = await place.lay("minnows", 2)
        await play(place, live)
        async with coach(place, *program, wait=True) as coaching:
            await coaching.ask(live.table, 0)
            await coaching._keep(
                live.table.id,
                0,
                json.dumps({"budget": {"round": 2, "done": False}, "seats": []}),
                {"budget": {"round": 2, "done": False}, "seats": []},
            )
        await coaching._release(live.table.id, 0, failed=False)
        async with coach(place, *program) as coaching:
            await done(coaching, live.table.id)
        assert "from 2" in log.read_text()

    at_a_place(tmp_path / "data", test)


def test_what_fails_again_and_again_is_given_up_and_can_be_asked_for_anew(tmp_path: Path) -> None:
    async def test(place: Place) -> None:
        live = await place.lay("minnows", 2)
        await play(place, live)
        async with coach(place, sys.executable, "-c", "raise SystemExit(3)") as coaching:
            await coaching.ask(live.table, 0)
            for _ in range(6):
                coaching._asked.set()
                await asyncio.sleep(0.4)
            assert (await done(coaching, live.table.id)).failed
        async with coach(place) as coaching:
            await coaching.ask(live.table, 0)
            assert not (await done(coaching, live.table.id)).failed

    at_a_place(tmp_path, test)


def test_an_address_may_ask_for_so_many_an_hour() -> None:
    now = [0.0]
    limit = Limit(30 / 3600, 30, lambda: now[0], "tables/refuse.analyses")
    for _ in range(30):
        limit.spend("here")
    with pytest.raises(TooMuch, match="coach"):
        limit.spend("here")
    limit.spend("elsewhere")
    now[0] += 121
    limit.spend("here")

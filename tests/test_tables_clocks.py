"""Clocks, standing orders and who is away, with the clock in the test's hand."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from pelagos.engine.match import Match
from pelagos.engine.stream import words_of
from pelagos.engine.types import HIDDEN
from pelagos.games.oceanide.actions import ALLOW
from pelagos.games.oceanide.rules import named_objects
from pelagos.tables import acts
from pelagos.tables.errors import Malformed, Refused
from pelagos.tables.message import about
from pelagos.tables.service import OpenTable, Tables
from pelagos.tables.settings import Settings
from pelagos.tables.store import Store
from pelagos.tables.table import SPECTATOR, Table
from pelagos.tables.workers import Workers
from tabling import client_id

WINDOW = 20.0
QUICK = 60.0


class Clock:
    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class Place:
    """A server without its door: tables, workers and a clock that stands still."""

    def __init__(self, store: Store, key: bytes, pause: tuple[float, float]) -> None:
        self.clock = Clock()
        self.store = store
        self.tables = Tables(store, key, Settings(pause=pause), self.clock)
        self.workers = Workers(self.tables)
        self.laid = 0

    async def lay(self, game: str, people: int, bots: int = 0, **more: Any) -> OpenTable:
        seats = [{"kind": "open"}] * people + [{"kind": "bot", "bot": "hermit"}] * bots
        entries = acts.create(game, {"players": people + bots}, seats, **more)
        self.laid += 1
        entries[0]["secret"] = f"{self.laid:064x}"
        live = await self.tables.create(entries)
        for seat in range(people):
            await self.do(live, acts.sit, seat, "A", "", client_id() * 2, False)
        return live

    async def do(self, live: OpenTable, act: Callable[..., Any], *told: Any) -> None:
        await self.tables.do(live.table.id, lambda now: act(now, *told))

    async def move(self, live: OpenTable, seat: int, action: int | str) -> None:
        await self.do(live, acts.move, seat, None, [action], client_id())

    async def work(self) -> int:
        """Do all that is due now; how much was that?"""
        due = await self.store.take(self.clock(), 10, 10.0)
        for work in due:
            await self.workers.answer(work)
        return len(due)


def at_a_place(
    tmp_path: Path,
    test: Callable[[Place], Awaitable[None]],
    pause: tuple[float, float] = (0.4, 1.6),
) -> None:
    async def run() -> None:
        store = await Store.open(tmp_path)
        place = Place(store, await store.key(), pause)
        try:
            await test(place)
        finally:
            await place.workers.close()
            await place.tables.close()
            await store.close()

    asyncio.run(run())


def match_of(live: OpenTable) -> Match:
    assert live.table.match is not None
    return live.table.match


async def who_is_asked(place: Place, king: bool, order: str = "ask") -> tuple[OpenTable, int]:
    """A table of three where somebody is asked for a king, and has one or hasn't."""
    choices = random.Random(place.laid)
    while True:
        live = await place.lay("oceanide", 3)
        for seat in range(3):
            await place.do(live, acts.give_order, seat, order, client_id())
        while not match_of(live).over:
            seat = match_of(live).pending[0]
            if acts.default_answer(match_of(live), seat) is not None:
                if ("king" in match_of(live).moves(seat)) == king:
                    return live, seat
                await place.move(live, seat, "allow")
            else:
                steals = [
                    words for words in match_of(live).moves(seat) if words.startswith("steal")
                ]
                await place.move(live, seat, choices.choice(steals or match_of(live).moves(seat)))


# --- the King's window ------------------------------------------------------------------------


@pytest.mark.parametrize("king", [False, True])
def test_who_is_asked_for_a_king_has_one_short_clock_that_allows(
    tmp_path: Path, king: bool
) -> None:
    async def test(place: Place) -> None:
        assert "until" not in about((await place.lay("oceanide", 3)).table)
        live, seat = await who_is_asked(place, king)
        assert live.table.until == place.clock() + WINDOW
        for viewer in (SPECTATOR, 0, 1, 2):
            told = live.message(viewer).data["table"]
            assert told["until"] == place.clock() + WINDOW
        place.clock.now += WINDOW - 0.1
        assert await place.work() == 0
        place.clock.now += 0.2
        assert await place.work() == 1
        last = [entry for entry in match_of(live).history if entry.seat == seat][-1]
        assert last.action == ALLOW
        assert "event.late" not in str(match_of(live).events())

    at_a_place(tmp_path, test)


def test_an_answer_by_hand_ends_the_window(tmp_path: Path) -> None:
    async def test(place: Place) -> None:
        live, seat = await who_is_asked(place, True)
        await place.move(live, seat, "king")
        assert not live.table.until
        place.clock.now += WINDOW
        assert await place.work() == 0

    at_a_place(tmp_path, test)


def test_a_standing_order_answers_after_a_drawn_time(tmp_path: Path) -> None:
    async def test(place: Place) -> None:
        live, seat = await who_is_asked(place, True, "allow")
        own = live.message(0).data["own"]["orders"]
        assert own["given"] == "allow"
        assert own["known"][:3] == ["ask", "allow", "from-4"]
        assert live.table.until == place.clock() + WINDOW
        before = len(match_of(live).history)
        place.clock.now += 0.6
        assert await place.work() == 0
        place.clock.now += 1.3
        assert await place.work() == 1
        done = match_of(live).history[before]
        assert (done.seat, done.action) == (seat, ALLOW)

    at_a_place(tmp_path, test)


def test_an_order_asks_from_a_value_on(tmp_path: Path) -> None:
    async def test(place: Place) -> None:
        live, seat = await who_is_asked(place, False)
        position = match_of(live).position
        kinds = named_objects(position.record)
        stake = max(int(position.pack_record.values[kind]) for kind in kinds)
        await place.do(live, acts.give_order, seat, f"from-{max(stake, 4)}", client_id())
        assert (acts.by_order(live.table, seat) is None) == (stake >= 4)
        await place.do(live, acts.give_order, seat, "ask", client_id())
        place.clock.now += 3
        assert await place.work() == 0
        # given while one is asked, an order answers too
        await place.do(live, acts.give_order, seat, "allow", client_id())
        assert await place.work() == 1
        assert acts.default_answer(match_of(live), seat) is None

    at_a_place(tmp_path, test)


def test_times_of_answers_hang_on_nothing_that_is_held(tmp_path: Path) -> None:
    async def test(place: Place) -> None:
        compared = 0
        for order in ("ask", "allow", "from-5"):
            for king in (False, True):
                live, seat = await who_is_asked(place, king, order)
                work = place.tables.last_moment(live.table, seat)
                for viewer in range(3):
                    if viewer == seat:
                        continue
                    for world in range(5):
                        other: Table = live.table.copy()
                        assert other.match is not None
                        stream = words_of(f"{order}{viewer}{world}".encode())
                        other.match.position = match_of(live).position.redeal(viewer, stream)
                        assert place.tables.last_moment(other, seat) == work
                        compared += 1
        assert compared == 60

    at_a_place(tmp_path, test)


def test_orders_are_for_games_that_ask(tmp_path: Path) -> None:
    async def test(place: Place) -> None:
        live = await place.lay("ecosystem", 2)
        assert "orders" not in live.message(0).data["own"]
        with pytest.raises(Refused):
            await place.do(live, acts.give_order, 0, "allow", client_id())
        live = await place.lay("oceanide", 2)
        for wrong in ("from-3", "from-9", "from-x", "attack", ""):
            with pytest.raises(Malformed):
                await place.do(live, acts.give_order, 0, wrong, client_id())
        views = list(live.table.views)
        await place.do(live, acts.give_order, 0, "from-6", client_id())
        assert live.table.views == [views[0] + 1, *views[1:]]
        await place.do(live, acts.leave, 0)
        assert acts.order_of(live.table, 0) == "ask"

    at_a_place(tmp_path, test)


# --- paces ------------------------------------------------------------------------------------


def test_there_are_three_paces() -> None:
    assert acts.create("minnows", {}, None, pace="slow")[0]["pace"] == "slow"
    with pytest.raises(Malformed):
        acts.create("minnows", {}, None, pace="hasty")


@pytest.mark.parametrize("kind", ["ecosystem", "oceanide", "ozeanien", "minnows"])
def test_a_bot_decides_when_time_runs_out_and_all_are_told(tmp_path: Path, kind: str) -> None:
    async def test(place: Place) -> None:
        live = await place.lay(kind, 2, pace="quick")
        for _ in range(4):
            asked = any(
                acts.default_answer(match_of(live), seat) is not None
                for seat in match_of(live).pending
            )
            assert live.table.until == place.clock() + (WINDOW if asked else QUICK)
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
            due = [place.tables.drawn(live.table, f"late/{one}/{until}", 3.0) for one in range(2)]
            place.clock.now = until
            while live.table.until == until and not match_of(live).over:
                for work in await place.store.take(place.clock(), 1, 10.0):
                    await place.workers.answer(work)
                    if work.seat == seat and seat not in match_of(live).pending:
                        assert place.clock() >= until + due[seat]
            made = [entry.seat for entry in match_of(live).history[begun:] if entry.seat >= 0]
            several += made.count(seat) > 1
            assert place.clock() == pytest.approx(until + max(due[one] for one in made))
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


# --- who is away ------------------------------------------------------------------------------


def test_a_person_without_a_stream_is_away_after_a_while(tmp_path: Path) -> None:
    async def test(place: Place) -> None:
        live = await place.lay("ecosystem", 2, bots=1)

        async def away() -> list[bool]:
            await place.tables.look_for_people()
            return [seat["away"] for seat in about(live.table)["seats"]]

        live.look(0, 1, place.clock())
        assert await away() == [False, False, False]
        place.clock.now += 31
        number = live.table.number
        assert await away() == [False, True, False]
        assert await away() == [False, True, False]
        assert live.table.number == number + 1
        live.look(1, 1, place.clock())
        assert await away() == [False, False, False]
        live.look(0, -1, place.clock())
        place.clock.now += 20
        assert await away() == [False, False, False]
        place.clock.now += 20
        assert await away() == [True, False, False]

    at_a_place(tmp_path, test)


def test_a_process_tells_only_of_people_whose_streams_it_has_seen(tmp_path: Path) -> None:
    async def test(place: Place) -> None:
        live = await place.lay("ecosystem", 2)
        place.store.postgres = True  # as if others served this table too

        async def away() -> list[bool]:
            await place.tables.look_for_people()
            return [seat["away"] for seat in about(live.table)["seats"]]

        live.look(0, 1, place.clock())
        live.look(0, -1, place.clock())
        place.clock.now += 31
        assert await away() == [True, False]
        await place.do(live, acts.presence, 0, False)  # the other process sees them
        place.clock.now += 100
        assert await away() == [False, False]

    at_a_place(tmp_path, test)

"""The King's question and standing orders: the time of an answer tells nothing of what is held."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pelagos.engine.stream import words_of
from pelagos.games.oceanide.actions import ALLOW, ANSWER_KING
from pelagos.games.oceanide.rules import named_objects
from pelagos.tables import acts
from pelagos.tables.errors import Malformed, Refused
from pelagos.tables.message import about
from pelagos.tables.service import OpenTable
from pelagos.tables.table import SPECTATOR, Table
from tables.place import QUICK, Place, at_a_place, match_of
from tabling import client_id


async def who_is_asked(
    place: Place, king: bool, order: str = "ask", pace: str = "quick"
) -> tuple[OpenTable, int]:
    """A table of three where somebody is asked for a king, and has one or hasn't."""
    choices = random.Random(place.laid)
    while True:
        live = await place.lay("oceanide", 3, pace=pace)
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


@pytest.mark.parametrize("king", [False, True])
def test_who_is_asked_for_a_king_has_the_tables_clock_that_allows(
    tmp_path: Path, king: bool
) -> None:
    async def test(place: Place) -> None:
        live, seat = await who_is_asked(place, king)
        assert live.table.until == place.clock() + QUICK
        for viewer in (SPECTATOR, 0, 1, 2):
            about = live.message(viewer).data["table"]
            assert about["until"] == place.clock() + QUICK
        place.clock.now += QUICK - 0.1
        assert await place.work() == 0
        place.clock.now += 0.2
        assert await place.work() == 1
        last = [entry for entry in match_of(live).history if entry.seat == seat][-1]
        assert last.action == ALLOW
        lines = str(match_of(live).events())
        assert "event.late_default" in lines
        assert "'event.late'" not in lines  # no bot moved

    at_a_place(tmp_path, test)


def test_no_clock_runs_at_a_table_without_a_pace(tmp_path: Path) -> None:
    async def test(place: Place) -> None:
        live, seat = await who_is_asked(place, False, pace="free")
        assert "until" not in about(live.table)
        place.clock.now += 1_000_000
        assert await place.work() == 0
        assert match_of(live).pending == (seat,)

    at_a_place(tmp_path, test)


def test_an_answer_by_hand_ends_the_question(tmp_path: Path) -> None:
    async def test(place: Place) -> None:
        live, seat = await who_is_asked(place, True)
        until = live.table.until
        place.clock.now += 1
        await place.move(live, seat, "king")
        assert live.table.until == until + 1  # of what comes next
        assert not live.table.asked

    at_a_place(tmp_path, test)


@pytest.mark.parametrize("pace", ["free", "quick"])
def test_a_standing_order_answers_after_a_drawn_time(tmp_path: Path, pace: str) -> None:
    async def test(place: Place) -> None:
        live, seat = await who_is_asked(place, True, "allow", pace)
        own = live.message(0).data["own"]["orders"]
        assert own["given"] == "allow"
        assert own["known"][:3] == ["ask", "allow", "from-4"]
        asked = live.message(seat).data["own"]
        assert (asked["ordered"], asked["owes"]) == (True, False)  # no window flashes up
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


@pytest.mark.parametrize("has_king", [True, False])
def test_an_order_sends_the_king_from_a_value_on(tmp_path: Path, has_king: bool) -> None:
    async def test(place: Place) -> None:
        live, seat = await who_is_asked(place, has_king, "king-3")
        assert live.message(seat).data["own"]["ordered"]
        before = len(match_of(live).history)
        place.clock.now += 2
        assert await place.work() == 1
        done = match_of(live).history[before]
        assert (done.seat, done.action) == (seat, ANSWER_KING if has_king else ALLOW)

    at_a_place(tmp_path, test)


def test_times_of_answers_hang_on_nothing_that_is_held(tmp_path: Path) -> None:
    async def test(place: Place) -> None:
        compared = 0
        for order in ("ask", "allow", "from-5", "king-5"):
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
        assert compared == 80

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

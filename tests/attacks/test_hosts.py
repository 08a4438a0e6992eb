"""What whoever laid a table can't do: look into others' cards, or play for them, unseen."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from markupsafe import escape

from pelagos.engine.errors import PelagosError
from pelagos.tables import acts
from pelagos.tables.errors import NotYours, Refused
from pelagos.tables.message import about
from pelagos.tables.serve import verify
from pelagos.tables.service import OpenTable
from pelagos.web.drawing import Drawing
from pelagos.web.reader import Reader, own_words
from tables.place import Place, at_a_place, match_of
from tabling import client_id

HOST = {"by": "Ada", "why": "lost"}


async def finish(place: Place, live: OpenTable) -> None:
    while live.table.state != "over":
        seat = match_of(live).pending[0]
        if live.table.seats[seat].kind == "bot":
            await place.workers.answer((await place.store.take(place.clock(), 1, 0.0))[0])
        else:
            await place.move(live, seat, match_of(live).legal(seat)[0])


def test_a_seat_is_passed_on_while_its_person_is_away_and_all_see_it(tmp_path: Path) -> None:
    async def test(place: Place) -> None:
        live = await place.lay("minnows", 3)
        old = place.tables.token(live.table, 1)
        with pytest.raises(Refused, match="is here"):
            await place.tables.pass_on(live.table.id, 1, "", HOST)
        place.tables.check(live.table, 1, [old])
        await place.do(live, acts.presence, 1, True)
        seen = list(live.table.views)
        await place.tables.pass_on(live.table.id, 1, "", HOST)
        assert all(now > then for now, then in zip(live.table.views, seen, strict=True))
        for viewer in range(3):
            assert match_of(live).events(viewer)[-1]["key"] == "event.issued"
        with pytest.raises(NotYours):
            place.tables.check(live.table, 1, [old])
        handovers = [{"at": len(match_of(live).history), "seat": 1, "do": "issue", "by": "host"}]
        assert about(live.table)["handovers"] == handovers
        await finish(place, live)
        record = live.table.finished[0].record()
        assert record["handovers"] == handovers
        file = tmp_path / "game.pelagos.json"
        file.write_text(json.dumps(record))
        assert verify(file)["ok"]

    at_a_place(tmp_path, test)


def test_whoever_is_here_passes_their_own_seat_on(tmp_path: Path) -> None:
    async def test(place: Place) -> None:
        live = await place.lay("minnows", 2)
        await place.tables.pass_on(live.table.id, 1, "", None)
        assert not live.table.handovers

    at_a_place(tmp_path, test)


def test_who_is_thrown_out_while_here_is_followed_by_a_bot_alone(tmp_path: Path) -> None:
    async def test(place: Place) -> None:
        live = await place.lay("minnows", 2)
        await place.do(live, acts.leave, 1, HOST)
        for _ in "ab":
            with pytest.raises(Refused, match="only a bot"):
                await place.do(live, acts.sit, 1, "Ada", "", client_id() * 2, True)
            await place.do(live, acts.put_bot, 1, "winkle")
            await place.do(live, acts.leave, 1, HOST)  # a bot isn't thrown out to sit there either
        done = [handover["do"] for handover in live.table.handovers]
        assert done == ["leave", "bot", "leave", "bot", "leave"]

    at_a_place(tmp_path, test)


def test_nobody_acts_for_a_seat_that_nobody_has_taken(tmp_path: Path) -> None:
    async def test(place: Place) -> None:
        live = await place.lay("minnows", 1, 1)
        await place.do(live, acts.leave, 1, HOST)
        with pytest.raises(NotYours):
            place.tables.check(live.table, 1, [place.tables.token(live.table, 1)])

    at_a_place(tmp_path, test)


def test_a_link_that_two_open_at_once_seats_one_of_them(tmp_path: Path) -> None:
    async def test(place: Place) -> None:
        live = await place.lay("minnows", 2)
        held = live.table.seats[1].issue
        both = [place.do(live, acts.issue, 1, device, None, held) for device in ("phone", "tablet")]
        answers = await asyncio.gather(*both, return_exceptions=True)
        assert answers[0] is None
        assert isinstance(answers[1], PelagosError)
        assert live.table.seats[1].device == "phone"
        assert live.table.seats[1].issue == held + 1

    at_a_place(tmp_path, test)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_who_adds_nothing_to_the_deal_is_told_so_before_it(tmp_path: Path, language: str) -> None:
    async def test(place: Place) -> None:
        entries = acts.create("minnows", {"players": 2}, None)
        live = await place.tables.create(entries)
        message = {**live.message(-1).data, "near": 0}
        around = {"why": "", "host": False, "client": "c" * 20, "ladder": (), "links": {}}
        page = Drawing(message, Reader(language)).inside({**around, "asked": -1})
        notice = own_words(language).text("sit.adds_nothing")
        assert f'<noscript><p class="small">{escape(notice)}</p></noscript>' in page

    at_a_place(tmp_path, test)

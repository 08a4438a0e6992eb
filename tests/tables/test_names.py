"""Names can be erased: at their owner's wish, or in time; games, records and old logs stay."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
from pathlib import Path
from typing import Any

from pelagos.engine import record as records
from pelagos.tables import acts, fairness
from pelagos.tables.database import FILE
from pelagos.tables.erasing import Erasing
from pelagos.tables.own_games import OwnGames, new_key, owner_of
from pelagos.tables.quotas import DAY
from pelagos.tables.schema import analyses
from pelagos.tables.service import OpenTable, Tables
from pelagos.tables.store import Store
from pelagos.tables.table import fold
from pelagos.tables.talk import make_line
from tables.place import Place, at_a_place
from tables.test_old_data import unpack
from tables.test_own_games import held, play
from tabling import client_id

ADA, BO = "Ada Lovelace", "Bo Diddley"


async def sit_down(place: Place, seats: list[str]) -> OpenTable:
    live = await place.tables.create(acts.create("minnows", {"players": len(seats)}, None))
    for seat, name in enumerate(seats):
        await place.do(live, acts.sit, seat, name, "", client_id() * 2, False)
    return live


async def stored(place: Place) -> str:
    return json.dumps(await place.store.all_rows(), ensure_ascii=False)


def names(live: OpenTable) -> list[str]:
    return [seat.name for seat in live.table.seats]


def test_a_name_is_erased_everywhere_and_the_record_still_verifies(where: Path | str) -> None:
    ada, bo = owner_of(new_key()), owner_of(new_key())

    async def test(place: Place) -> None:
        tables, own = place.tables, OwnGames(place.tables)
        live = await sit_down(place, [ADA, BO])
        await own.hold(ada, [held(live, 0)])
        await own.hold(bo, [held(live, 1)])
        await play(place, live)
        moves = live.table.finished[0].record()["moves"]
        assert [game.result["seats"][0]["name"] for game in await own.of(bo)] == [ADA]
        analysis = {"seats": [{"name": ADA}, {"name": BO}], "said": "…"}
        row = {"table_id": live.table.id, "game_number": 0, "asked": 0.0, "lease": 0.0}
        row |= {"tries": 0, "done": True, "summary": '{"accuracy": [1, 1]}'}
        row |= {"analysis": json.dumps(analysis)}
        await place.store.write(lambda connection: connection.execute(analyses.insert(), [row]))
        await place.do(live, acts.leave, 1, {"by": ADA, "why": ""})
        await tables.say(
            live.table.id, lambda now: make_line(now, 0, {"phrase": "hello"}, client_id())
        )
        elsewhere = Tables(place.store, tables.key, tables.settings, place.clock)
        other = await elsewhere.find(live.table.id)
        other.talk.add(make_line(other.table, 0, {"phrase": "bye"}, client_id()))
        assert names(other)[0] == ADA
        log = [row for row in (await place.store.all_rows())["log"] if ADA in row["entry"]]
        assert not log

        assert await Erasing(tables, place.store, 0).erase(ada) == 1
        await elsewhere._look_for_news()
        assert await elsewhere.find(live.table.id) is other
        for now in (live, other):
            assert names(now) == ["", BO]
            assert not now.talk.heard_by(now.table, 1)
            assert ADA not in now.message(1).json.decode()
        anew = fold(live.table.id, await place.store.read(live.table.id))
        assert OpenTable(anew).message(1).json == live.message(1).json
        assert ADA not in await stored(place)
        assert BO in await stored(place)
        assert len(await own.of(ada)) == 1
        record = json.loads(json.dumps(live.table.finished[0].record()))
        assert record["moves"] == moves
        assert [seat["name"] for seat in record["seats"]] == ["seat 0", BO]
        assert list(records.replay(record).scores) == record["result"]["scores"]
        fairness.check(record)
        assert await Erasing(tables, place.store, 0).erase(ada) == 0
        await elsewhere.close()

    at_a_place(where, test)  # type: ignore[arg-type]


def test_a_game_goes_on_when_a_name_is_erased_in_its_middle(tmp_path: Path) -> None:
    ada = owner_of(new_key())

    async def test(place: Place) -> None:
        own = OwnGames(place.tables)
        live = await place.tables.create(acts.create("minnows", {"players": 2}, None))
        await place.do(live, acts.sit, 0, ADA, "", client_id() * 2, False)
        await own.hold(ada, [held(live, 0)])
        await place.do(live, acts.arrange, [1, 0])
        await place.do(live, acts.sit, 0, BO, "", client_id() * 2, False)
        chance = random.Random(0)
        seat = live.table.waiting[0]
        assert live.table.match is not None
        await place.move(live, seat, chance.choice(live.table.match.legal(seat)))
        assert await Erasing(place.tables, place.store, 0).erase(ada) == 1
        assert names(live) == [BO, ""]
        await play(place, live)
        assert [seat["name"] for seat in live.table.match.seats] == [BO, "seat 1"]

    at_a_place(tmp_path, test)


def test_names_are_erased_when_nothing_has_happened_for_long(where: Path | str) -> None:
    async def test(place: Place) -> None:
        old, new = await sit_down(place, [ADA, BO]), await sit_down(place, ["Eve", "Zoé"])
        [row] = [
            row for row in (await place.store.all_rows())["tables"] if row["id"] == old.table.id
        ]
        place.clock.now = row["changed"] + 30 * DAY
        erasing = Erasing(place.tables, place.store, 30)
        await erasing.erase_old()
        assert ADA in await stored(place)
        place.clock.now += 0.001
        await Erasing(place.tables, place.store, 0).erase_old()
        assert ADA in await stored(place)
        await erasing.erase_old()
        assert ADA not in await stored(place)
        assert BO not in await stored(place)
        assert names(await place.tables.find(old.table.id)) == ["", ""]
        place.clock.now += DAY
        assert names(await place.tables.find(new.table.id)) == ["Eve", "Zoé"]

    at_a_place(where, test)  # type: ignore[arg-type]


def test_no_trace_is_left_in_the_files(tmp_path: Path) -> None:
    ada = owner_of(new_key())

    async def test(place: Place) -> None:
        live = await sit_down(place, [ADA, BO])
        await OwnGames(place.tables).hold(ada, [held(live, 0)])
        await Erasing(place.tables, place.store, 0).erase(ada)

    at_a_place(tmp_path, test)
    bytes_left = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert BO.encode() in bytes_left
    assert ADA.encode() not in bytes_left


def test_old_logs_are_migrated_and_read_as_before(tmp_path: Path) -> None:
    file = unpack(tmp_path) / FILE

    def raw() -> dict[tuple[str, int], dict[str, Any]]:
        with sqlite3.connect(file) as database:
            rows = database.execute("SELECT table_id, number, entry FROM log").fetchall()
        return {(table, number): json.loads(entry) for table, number, entry in rows}

    async def read() -> dict[tuple[str, int], dict[str, Any]]:
        store = await Store.open(tmp_path)
        try:
            return {
                (table, number): entry
                for table in await store.table_ids()
                for number, entry in enumerate(await store.read(table))
            }
        finally:
            await store.close()

    before = raw()
    assert asyncio.run(read()) == before
    sits = [entry for entry in raw().values() if entry["do"] == "sit"]
    assert sits
    assert {entry["name"] for entry in sits} == {""}
    assert asyncio.run(read()) == before

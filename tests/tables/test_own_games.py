"""One's own games: under a key's hash, from the log, in both databases; deleted when asked."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pelagos.tables import acts
from pelagos.tables.errors import NotFound
from pelagos.tables.own_games import OwnGames, new_key, owner_of, places
from pelagos.tables.service import OpenTable
from pelagos.tables.store import Store
from tables.place import Place, at_a_place, match_of
from tables.test_old_data import TABLES, said, unpack
from tabling import client_id


async def play(place: Place, live: OpenTable) -> None:
    """To the end, by chance."""
    chance = random.Random(live.table.number)
    while live.table.state != "over":
        seat = chance.choice(live.table.waiting)
        await place.move(live, seat, chance.choice(match_of(live).legal(seat)))


def held(live: OpenTable, seat: int) -> tuple[str, int, int]:
    return live.table.id, seat, live.table.seats[seat].issue


def test_a_game_is_found_by_who_held_the_seat_when_it_ended(where: Path) -> None:
    ada, bo, eve, nobody = (owner_of(new_key()) for _ in range(4))

    async def test(place: Place) -> None:
        own = OwnGames(place.tables)
        live = await place.lay("minnows", 2)
        await own.hold(ada, [held(live, 0)])
        await own.hold(bo, [held(live, 1)])
        assert await own.of(ada) == []
        await play(place, live)
        [game] = await own.of(ada)
        scores = match_of(live).scores
        assert (game.table, game.number, game.seats) == (live.table.id, 0, (0,))
        assert game.result["scores"] == scores
        assert [sum(lines.values()) for lines in game.result["lines"]] == scores
        assert game.counts
        # Bo leaves, Eve takes the chair: the next game is hers, the first stays Bo's.
        await place.do(live, acts.leave, 1)
        await place.do(live, acts.sit, 1, "Eve", "", client_id() * 2, False)
        await own.hold(eve, [held(live, 1)])
        assert [game.seats for game in await own.of(bo)] == [(1,)]
        assert await own.of(eve) == []
        await place.do(live, acts.again, 0, "", client_id())  # Eve is ready
        await play(place, live)
        assert [game.number for game in await own.of(ada)] == [1, 0]
        assert [game.number for game in await own.of(bo)] == [0]
        assert [game.number for game in await own.of(eve)] == [1]
        assert await own.of(nobody) == []
        fresh = await Store.open(where)  # after a restart, from the rows alone
        try:
            rows = await fresh.all_rows()
            assert len(rows["results"]) == 2
            assert {row["owner"] for row in rows["holdings"]} == {ada, bo, eve}
        finally:
            await fresh.close()

    at_a_place(where, test)


def test_what_one_sat_at_alone_is_deleted_and_the_games_of_others_stay(where: Path) -> None:
    ada, bo = owner_of(new_key()), owner_of(new_key())

    async def test(place: Place) -> None:
        own = OwnGames(place.tables)
        alone, shared, guest = [await place.lay("minnows", 2) for _ in range(3)]
        await own.hold(ada, [held(alone, 0), held(alone, 1), held(shared, 0), held(guest, 0)])
        await own.hold(bo, [held(shared, 1)])  # at `guest` seat 1 is somebody without a key
        for live in (alone, shared, guest):
            await play(place, live)
        games = {game.table: game for game in await own.of(ada)}
        assert games[alone.table.id].seats == (0, 1)
        assert not games[alone.table.id].counts  # two people at one device
        assert await own.alone(ada) == [alone.table.id]
        await own.forget(ada, [alone.table.id])
        assert await own.of(ada) == []
        assert len(await own.of(bo)) == 1
        rows = await place.store.all_rows()
        for name, column in (("log", "table_id"), ("tables", "id"), ("results", "table_id")):
            assert alone.table.id not in {row[column] for row in rows[name]}
        assert {row["id"] for row in rows["tables"]} == {shared.table.id, guest.table.id}
        with pytest.raises(NotFound):
            await place.tables.find(alone.table.id)
        assert (await place.tables.find(shared.table.id)).table.state == "over"

    at_a_place(where, test)


def test_a_table_that_another_process_deleted_is_put_away(tmp_path: Path) -> None:
    async def test(place: Place) -> None:
        live = await place.lay("minnows", 2)
        other = OwnGames(place.tables)
        other._live = type(place.tables)(place.store, b"", place.tables.settings)
        await other.forget("nobody", [live.table.id])
        assert place.tables.count == 1
        await place.tables._look_for_news()
        assert place.tables.count == 0

    at_a_place(tmp_path, test)


def test_two_keys_become_one_and_no_key_is_stored(tmp_path: Path) -> None:
    first, second = new_key(), new_key()

    async def test(place: Place) -> None:
        own = OwnGames(place.tables)
        tables = [await place.lay("minnows", 2) for _ in range(2)]
        await own.hold(owner_of(first), [held(tables[0], 0)])
        await own.hold(owner_of(second), [held(tables[0], 0), held(tables[1], 0)])
        await own.merge(owner_of(first), owner_of(second))
        assert await own.held(owner_of(first)) == set()
        assert await own.held(owner_of(second)) == {held(live, 0) for live in tables}
        stored = str(await place.store.all_rows())
        assert first not in stored
        assert second not in stored

    at_a_place(tmp_path, test)


def test_games_of_an_old_data_folder_are_found(tmp_path: Path) -> None:
    async def test(place: Place) -> None:
        own, owner = OwnGames(place.tables), owner_of(new_key())
        over = 0
        for laid in TABLES:
            live = await place.tables.find(laid["table"])
            if not live.table.broken and live.table.seats[0].kind != "bot":
                await own.hold(owner, [held(live, 0)])
        for game in await own.of(owner):
            about = said()[game.table]["messages"]["-1"]
            if about["view"]["over"] and game.number == about["table"]["games"] - 1:
                over += 1
                totals = [sheet["total"] for sheet in about["view"]["sheets"]]
                assert game.result["scores"] == totals
        assert over > 0

    at_a_place(unpack(tmp_path), test)


def test_places() -> None:
    assert places([30, 30, 12], [0]) == [1, 2, 3]
    assert places([30, 30, 12], [0, 1]) == [1, 1, 3]

"""Who is away."""

from __future__ import annotations

from pathlib import Path

from pelagos.tables import acts
from pelagos.tables.message import about
from tables.place import Place, at_a_place


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

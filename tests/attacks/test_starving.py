"""Twenty tables of five orcas starve nobody: bots think in their addresses' shares."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from pelagos.bots import Question
from pelagos.tables import acts
from pelagos.tables.service import OpenTable
from pelagos.tables.sharing import MINUTE, Claim, Shares, Turns
from tables.place import Place, at_a_place
from tabling import client_id

ORCA = {"kind": "bot", "bot": "orca"}


class Ponderous:
    """A process in which every thought takes a while; it notes for which tables it thinks."""

    def __init__(self) -> None:
        self.tables: list[str] = []

    def think(self, bot: str, player: str, question: Question) -> int:
        self.tables.append(player.partition("/")[0])
        time.sleep(0.01)
        return question.position.legal(question.seat)[0]

    def hurry(self) -> None: ...

    def close(self) -> None: ...


async def lay(place: Place, people: int, orcas: int, address: str) -> OpenTable:
    seats = [{"kind": "open"}] * people + [ORCA] * orcas
    options = {"players": people + orcas}
    entries = acts.create("ecosystem", options, seats)
    live = await place.tables.create(entries, address)
    if not people:
        await place.do(live, acts.start)
    for seat in range(people):
        await place.do(live, acts.sit, seat, "A", "", client_id() * 2, False)
    return live


def test_orcas_among_themselves_keep_nobody_waiting(tmp_path: Path) -> None:
    async def test(place: Place) -> None:
        thinker = Ponderous()
        place.workers._thinkers[1:] = []
        place.workers._thinkers[0].worker = thinker  # type: ignore[assignment]
        for _ in range(20):
            await lay(place, 0, 5, "203.0.113.7")
        place.workers.start()
        while len(thinker.tables) < 5:
            await asyncio.sleep(0.01)
        mine = await lay(place, 1, 1, "198.51.100.1")
        rounds = 0
        while rounds < 5:
            choice = mine.table.match.legal(0)[0] if mine.table.match else 0
            await place.move(mine, 0, choice)
            before = len(thinker.tables)  # while the move was on its way to the disk, nobody waited
            while 0 not in mine.table.waiting:
                await asyncio.sleep(0)
            waited = [table for table in thinker.tables[before:] if table != mine.table.id]
            assert len(waited) < 20, "not even one round of them"
            rounds += 1

    at_a_place(tmp_path, test, (0.0, 0.0))


def test_addresses_have_equal_shares_however_many_tables_they_lay() -> None:
    async def test() -> None:
        thought: list[Claim] = []
        clock = [0.0]
        shares = Shares(1e9, lambda: clock[0])
        turns = Turns(shares)

        async def think(claim: Claim) -> None:
            async with turns.turn(claim):
                thought.append(claim)
                clock[0] += 1.0
                shares.spend(claim, 1.0)
                await asyncio.sleep(0)

        crowd = [Claim("crowd", f"t{number}", played=False) for number in range(20) for _ in "ab"]
        lonely = [Claim("lonely", "mine", played=False)] * 10
        busy = [Claim("club", f"c{number}") for number in range(5)]
        await asyncio.gather(*(think(claim) for claim in [*crowd, *lonely, *busy]))
        assert [claim.address for claim in thought[1:6]] == ["club"] * 5
        after = [claim.address for claim in thought[6:26]]
        assert 9 <= after.count("lonely") <= 11
        tables = [claim.table for claim in thought if claim.address == "crowd"]
        assert len(set(tables[:20])) == 20, "one after the other, before any comes twice"

    asyncio.run(test())


def test_whoever_gives_up_waiting_passes_the_turn_on() -> None:
    async def test() -> None:
        turns = Turns(Shares(1.0))
        came: list[str] = []

        async def think(name: str) -> None:
            async with turns.turn(Claim(name)):
                came.append(name)
                await asyncio.sleep(0)

        async with turns.turn(Claim("first")):
            impatient, patient = (asyncio.create_task(think(name)) for name in ("b", "c"))
            await asyncio.sleep(0)
        impatient.cancel()  # it has been called, and hasn't come
        await patient
        assert came == ["c"]
        assert not turns.taken

    asyncio.run(test())


def test_tables_that_nobody_plays_at_get_their_budget_and_no_more() -> None:
    clock = [0.0]
    shares = Shares(30.0, lambda: clock[0])
    idle, played = Claim("a", "t", played=False), Claim("a", "u")
    spent = 0.0
    while clock[0] < 60 * MINUTE:
        wait = shares.must_wait(idle)
        clock[0] += max(wait, 1.0)
        if not wait:
            shares.spend(idle, 1.0)
            spent += 1.0
    assert 28 <= spent / 60 <= 34
    shares.spend(idle, 10.0)
    assert shares.must_wait(idle) > 0
    assert shares.must_wait(played) == 0
    assert shares.rank(Claim("b", "v")) < shares.rank(played) < shares.rank(idle)

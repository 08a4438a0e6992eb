"""What an address may use of a day and of the disk, in all processes together."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest

from pelagos.engine.errors import PelagosError
from pelagos.tables import acts
from pelagos.tables.errors import UsedUp
from pelagos.tables.limits import BOT_GAMES, TABLES
from pelagos.tables.quotas import DAY, MONTH, Quotas
from pelagos.tables.service import Tables
from pelagos.tables.settings import Settings
from pelagos.tables.store import Store
from tables.place import Clock
from tabling import ROOT, Server, client_id, lay, sit

FEW = Settings(tables_a_day=3, bot_games_a_day=2, megabytes=1, entries_a_table=20)
SOMEBODY, NEIGHBOUR = "192.0.2.1", "192.0.2.2"


def test_two_processes_count_together_and_the_day_begins_anew(where: Path | str) -> None:
    async def run() -> None:
        first, second = await Store.open(where), await Store.open(where)
        clock = Clock()
        clock.now = 20_000 * DAY + 10
        key = await first.key()
        here, there = (Quotas(store, key, FEW, clock) for store in (first, second))
        await here.lay(SOMEBODY, with_bots=True)
        await there.lay(SOMEBODY, with_bots=True)
        with pytest.raises(UsedUp, match="2 games with bots") as refused:
            await here.spend(BOT_GAMES, SOMEBODY)
        assert refused.value.retry_after == DAY - 10
        await asyncio.gather(here.spend(TABLES, NEIGHBOUR), there.spend(TABLES, NEIGHBOUR))
        await there.lay(SOMEBODY, with_bots=False)
        for quotas in (here, there):
            with pytest.raises(UsedUp, match="3 tables"):
                await quotas.lay(SOMEBODY, with_bots=False)
        rows = (await first.all_rows())["spent"]
        assert sorted(row["amount"] for row in rows) == [2, 2, 3]
        assert SOMEBODY not in str(rows)
        clock.now += DAY
        await here.lay(SOMEBODY, with_bots=True)
        await here.forget()
        rows = (await first.all_rows())["spent"]
        assert [row["amount"] for row in rows] == [1, 1]
        await first.close()
        await second.close()

    asyncio.run(run())


def test_an_address_has_its_share_of_the_disk(where: Path | str) -> None:
    async def run() -> None:
        store, clock = await Store.open(where), Clock()
        key = await store.key()
        quotas, tables = Quotas(store, key, FEW, clock), Tables(store, key, FEW, clock)
        live = await tables.create(
            acts.create("minnows", {"players": 2}, None), quotas.laid_by(SOMEBODY)
        )
        await tables.do(
            live.table.id, lambda now: acts.sit(now, 0, "Ada", "", client_id() * 2, False)
        )
        [row] = (await store.all_rows())["tables"]
        lines = (await store.all_rows())["log"]
        assert row["bytes"] == sum(len(line["entry"]) for line in lines)
        await quotas.lay(SOMEBODY, with_bots=False)
        long = {"do": "presence", "seat": 0, "away": False, "said": "x" * 1_000_000}
        await tables.do(live.table.id, lambda now: [now.apply(long)])
        with pytest.raises(UsedUp, match="1 megabytes"):
            await quotas.lay(SOMEBODY, with_bots=False)
        await quotas.lay(NEIGHBOUR, with_bots=False)
        created = row["created"]
        clock.now = created + MONTH + 1
        await quotas.forget()
        await quotas.lay(SOMEBODY, with_bots=False)
        note = {"do": "presence", "seat": 0, "away": False}
        while not tables.is_full(live.table):
            await tables.do(live.table.id, lambda now: [now.apply(note)])
        with pytest.raises(PelagosError, match="had 20 moves"):
            await tables.do(live.table.id, lambda now: [now.apply(note)])
        assert live.table.number == 20
        await store.close()

    asyncio.run(run())


def test_who_has_used_up_its_day_is_told_so_and_when(tmp_path: Path) -> None:
    with Server(tmp_path, LIMITS="on", TABLES_A_DAY="3", BOT_GAMES_A_DAY="2") as server:
        table = lay(server.url, "minnows", 1, ["winkle"])["table"]["id"]
        player = sit([server.url], table, 0)
        while not player.view()["view"]["over"]:
            message = player.view()
            if message["own"]["owes"]:
                player.act([message["view"]["choices"][0]["action"]], message["own"]["decision"])
        again = {"client": client_id()}
        assert player.ask("POST", f"{player.path}/rematch", again).status_code == 200
        body = {"game": "minnows", "options": {"players": 2}}
        bots = [{"kind": "open"}, {"kind": "bot", "bot": "winkle"}]
        refused = httpx.post(f"{server.url}{ROOT}/tables", json={**body, "seats": bots})
        assert refused.status_code == 429
        assert refused.json()["error"]["code"] == "used_up"
        assert 1 <= int(refused.headers["retry-after"]) <= DAY
        assert httpx.post(f"{server.url}{ROOT}/tables", json=body).status_code == 201
        refused = httpx.post(f"{server.url}{ROOT}/tables", json=body)
        assert refused.status_code == 429
        assert "3 tables" in refused.json()["error"]["message"]

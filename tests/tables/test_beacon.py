"""Deals that a public beacon is mixed into, by a stand-in for drand on this machine."""

from __future__ import annotations

import asyncio
import hashlib
import json
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from pelagos.engine.errors import BadRecord, PelagosError
from pelagos.engine.match import Match
from pelagos.tables import acts, beacon, fairness, message, workers
from pelagos.tables.errors import Unavailable
from pelagos.tables.service import OpenTable
from pelagos.tables.settings import Settings, read_settings
from pelagos.tables.store import Store
from pelagos.web import replay
from pelagos.web.site import make_site
from tables.place import Clock, Place
from tabling import ROOT, Server, client_id, lay

SCRIPT = Path(__file__).parents[2] / "docs" / "verify_game.py"
DEFAULT = {
    "public_key": "868f005eb8e6e4ca0a47c8a77ceaa5309a47978a7c71bc5cce96366b5d7a569937c529eeda66c729"
    "3784a9402801af31",
    "period": 30,
    "genesis_time": 1595431050,
    "groupHash": "176f93498eac9ca337150b46d21dd58673ea4e3581185f869672e59fa4cb390a",
}
QUICKNET = {
    "public_key": "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3a"
    "c6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e"
    "76eae8991ef5ece45a",
    "period": 3,
    "genesis_time": 1692803367,
    "groupHash": "f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e",
    "metadata": {"beaconID": "quicknet"},
}
ROUND = {
    "round": 5347804,
    "randomness": "a87619810b1b41e70a01b8f903cf69977e026f80d9fd5e4c197c298a96c61cfe",
    "signature": "92daf5745411a415b539caebda0b523fa20d4d12b28eb2fe427decdf5dcc976046a9c83b54f1db991"
    "fa191ffca8fcbdc07563036664f6ba47dcf00593559286f667574f6b0a2ba0be2683463b5bf3472e5696ac28b75d5b"
    "2223dbb98a56c96a3",
}


class StandIn:
    """A relay of a chain of its own, which may be late, lie, or fail."""

    def __init__(self) -> None:
        self.mode = "right"
        self.asked: list[str] = []
        info: dict[str, Any] = {
            "public_key": "ab" * 48,
            "period": 3,
            "genesis_time": 990_000,
            "groupHash": "cd" * 32,
            "metadata": {"beaconID": "stand-in"},
        }
        made = struct.pack(">Iq", 3, 990_000) + b"\xab" * 48 + b"\xcd" * 32 + b"stand-in"
        self.chain = hashlib.sha256(made).hexdigest()
        stand_in = self

        class Relay(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                stand_in.asked.append(self.path)
                answer = info if self.path.endswith("/info") else stand_in.round(self.path)
                codes = {"late": 404, "unreachable": 503}
                self.send_response(codes.get(stand_in.mode, 200))
                self.end_headers()
                self.wfile.write(json.dumps(answer).encode())

            def log_message(self, *words: Any) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Relay)
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}/{self.chain}"

    def round(self, path: str) -> dict[str, Any]:
        number = int(path.rpartition("/")[2])
        signature = hashlib.sha512(b"%d" % number).hexdigest()
        randomness = hashlib.sha256(bytes.fromhex(signature)).hexdigest()
        if self.mode == "wrong":
            randomness = "0" * 64
        return {"round": number, "randomness": randomness, "signature": signature}

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def stand_in() -> Iterator[StandIn]:
    relay = StandIn()
    yield relay
    relay.close()


async def open_place(folder: Path, address: str, clock: Clock) -> Place:
    store = await Store.open(folder)
    place = Place(store, await store.key(), (0.0, 0.0))
    place.tables.settings = Settings(pause=(0.0, 0.0), beacon=address, lease=1)
    place.tables.clock = place.clock = clock
    return place


async def close_place(place: Place) -> None:
    await place.workers.close()
    await place.tables.close()
    await place.store.close()


def test_what_drand_says_of_its_chains_and_rounds_fits() -> None:
    for info, chain in zip((QUICKNET, DEFAULT), beacon.CHAINS, strict=True):
        assert beacon.check_chain(chain, info) == beacon.CHAINS[chain]
        for name, wrong in (("period", 4), ("groupHash", "00"), ("genesis_time", "soon")):
            with pytest.raises(beacon.BeaconTrouble):
                beacon.check_chain(chain, {**info, name: wrong})
    assert beacon.check_round(5347804, ROUND)["randomness"] == ROUND["randomness"]
    for wrong in ({**ROUND, "signature": "00"}, {**ROUND, "round": 1}, {}, {"round": 5347804}):
        with pytest.raises(beacon.BeaconTrouble):
            beacon.check_round(5347804, wrong)


def test_a_named_round_is_the_first_that_is_late_enough() -> None:
    chain = beacon.Chain(1000, 3)
    assert chain.next_after(10.0) == (1, 1000)
    assert chain.next_after(999.9) == (1, 1000)
    assert chain.next_after(1000.0) == (2, 1003)
    assert chain.next_after(1007.5) == (4, 1009)


def test_a_deal_waits_for_the_round_named_with_its_commitment(
    tmp_path: Path, stand_in: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "BEACON_PAUSES", (0.0,))
    clock = Clock()

    async def try_again(place: Place) -> None:
        clock.now += 11  # the lease is over
        assert await place.work() == 1

    def about(live: OpenTable) -> Any:
        return message.about(live.table)

    async def test() -> None:
        place = await open_place(tmp_path, stand_in.address, clock)
        live = await place.lay("minnows", 2)
        named = about(live)["beacon"]
        assert named["at"] > clock.now + beacon.MARGIN
        assert (named["round"] - 1) * 3 + 990_000 == named["at"]
        assert named["url"] == f"{stand_in.address}/public/{named['round']}"
        assert (named["waits"], named["trouble"], live.table.state) == (True, None, "gathering")
        assert not await place.work(), "the round isn't due"
        clock.now = named["at"]
        for stand_in.mode in ("late", "wrong", "unreachable"):
            await try_again(place)
            assert about(live)["beacon"]["trouble"] == stand_in.mode
            number = live.table.number
            await try_again(place)
            assert live.table.number == number, "the same trouble is told once"
        await close_place(place)

        place = await open_place(tmp_path, "", clock)  # meanwhile the host has taken it away
        live = await place.tables.find(live.table.id)
        assert about(live)["beacon"]["trouble"] == "unreachable"
        await place.do(live, acts.leave, 1)
        clock.now += 11
        assert not await place.work(), "nobody waits while a seat is free"
        await place.do(live, acts.sit, 1, "B", "ab" * 32, client_id() * 2, False)
        place.tables.settings = Settings(pause=(0.0, 0.0), beacon=stand_in.address)
        stand_in.mode = "right"
        await try_again(place)
        assert live.table.state == "playing"
        drawn = about(live)["beacon"]
        assert drawn["round"] == named["round"]
        assert "waits" not in drawn
        following = about(live)["next_beacon"]
        assert following["at"] > clock.now + beacon.MARGIN
        assert "randomness" not in following
        await _play_on(place.tables, live)
        check(live, tmp_path)

        await place.do(live, acts.again, 0, "", client_id())
        await place.do(live, acts.again, 1, "", client_id())
        assert (about(live)["next_beacon"]["waits"], live.table.state) == (True, "over")
        clock.now = following["at"]
        assert await place.work() == 1
        assert live.table.state == "playing"
        assert about(live)["beacon"]["round"] == following["round"]
        await _play_on(place.tables, live)
        check(live, tmp_path)
        on = replay.play_on(live.table, live.table.finished[0], 3, 0, "hermit")
        sits = {"do": "sit", "seat": 0, "name": "A", "bytes": "", "holder": ""}
        other = await place.tables.create([on[0], sits, *on[1:]])
        assert other.table.match is not None
        assert other.table.match.seed == live.table.finished[0].match.seed
        await close_place(place)

    asyncio.run(test())
    infos = [path for path in stand_in.asked if path.endswith("/info")]
    assert len(infos) == 2, "once a process"


def check(live: OpenTable, folder: Path) -> None:
    """Everybody can check it: by the formula, by our code, by the script, and lies are found."""
    record = live.table.finished[-1].record()
    proof = record["fairness"]
    drawn = proof["beacon"]
    assert drawn["randomness"] == hashlib.sha256(bytes.fromhex(drawn["signature"])).hexdigest()
    parts = [*proof["bytes"], drawn["randomness"]]
    assert fairness.seed(proof["secret"], parts).hex() == record["seed"]
    fairness.check(record)
    Match.replay(json.dumps(record))
    file = folder / "game.pelagos.json"
    file.write_text(json.dumps(record), "utf-8")
    done = subprocess.run([sys.executable, SCRIPT, file], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert f"{drawn['address']}/public/{drawn['round']}" in done.stdout
    without = {**record, "fairness": {k: v for k, v in proof.items() if k != "beacon"}}
    other = {**drawn, "signature": "00", "randomness": hashlib.sha256(b"\0").hexdigest()}
    lied = {**record, "fairness": {**proof, "beacon": {**drawn, "randomness": "0" * 64}}}
    for wrong in (without, {**record, "fairness": {**proof, "beacon": other}}, lied):
        with pytest.raises(BadRecord):
            fairness.check(wrong)
        file.write_text(json.dumps(wrong), "utf-8")
        assert subprocess.run([sys.executable, SCRIPT, file], capture_output=True).returncode


def test_bots_alone_wait_until_they_are_told_to_begin(tmp_path: Path, stand_in: StandIn) -> None:
    async def test() -> None:
        clock = Clock()
        place = await open_place(tmp_path, stand_in.address, clock)
        live = await place.lay("minnows", 0, 2)
        assert not live.table.waits_for_beacon
        await place.do(live, acts.start)
        await place.do(live, acts.start)
        clock.now = live.table.round_to_deal["at"]  # type: ignore[index]
        assert await place.work() == 1
        assert live.table.state == "playing"
        open_deal = await place.lay("minnows", 1, 1, deal="known to all")
        assert open_deal.table.state == "playing"
        assert open_deal.table.beacon is None
        assert open_deal.table.next_beacon
        await close_place(place)

    asyncio.run(test())


def test_no_table_is_laid_while_nothing_is_known_of_the_chain(
    tmp_path: Path, stand_in: StandIn
) -> None:
    async def test() -> None:
        place = await open_place(tmp_path, stand_in.address, Clock())
        stand_in.mode = "unreachable"
        with pytest.raises(Unavailable, match="beacon"):
            await place.lay("minnows", 2)
        known = "http://127.0.0.1:1/" + next(iter(beacon.CHAINS))  # nobody is there
        place.tables.settings = Settings(beacon=known)
        assert (await place.lay("minnows", 2)).table.waits_for_beacon
        await close_place(place)

    asyncio.run(test())
    for wrong in ("https://api.drand.sh", "file:///" + "0" * 64, "https://a b/" + "0" * 64):
        with pytest.raises(PelagosError, match="RELAY/HASH"):
            read_settings(beacon=wrong)


def test_who_adds_nothing_is_told_so_before_the_deal(server: Server) -> None:
    table = lay(server.url, "minnows", 2)["table"]
    assert table["adds"] == [False, False]
    path = f"{server.url}{ROOT}/tables/{table['id']}"
    wish = {"name": "Bo", "client": client_id()}
    sat = httpx.post(f"{path}/seats/0", json=wish, headers={"Accept-Language": "fr"}).json()
    assert sat["notice"]["code"] == "adds_nothing"
    assert "the server's secret alone" in sat["notice"]["sentence"]
    assert "secret du serveur" in sat["notice"]["message"]
    assert sat["message"]["own"]["adds_nothing"] is True
    assert httpx.get(path).json()["adds"] == [False, False]
    wish = {"name": "Mo", "client": client_id(), "bytes": "5a" * 32}
    sat = httpx.post(f"{path}/seats/1", json=wish).json()
    assert "notice" not in sat
    assert "adds" not in sat["message"]["table"]
    assert sat["message"]["table"]["bytes"] == ["", "5a" * 32]


def test_pages_say_what_the_deal_waits_for_and_how_to_check_it(
    tmp_path: Path, stand_in: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beacon, "MARGIN", -10.0)  # the named round is out already
    monkeypatch.setattr(workers, "BEACON_PAUSES", (0.0,))

    async def test() -> None:
        settings = Settings(
            beacon=stand_in.address, limits=False, compile_ahead=False, thinkers=1, lease=0.1
        )
        site = make_site(tmp_path, settings)
        door = httpx.ASGITransport(site)
        async with (
            site.router.lifespan_context(site),
            httpx.AsyncClient(transport=door, base_url="http://localhost", timeout=None) as client,
        ):
            tables = site.state.server.tables
            form = {"players": "2", "seat0": "me", "seat1": "open", "name": "Mira"}
            laid = await client.post("/new/minnows", data={**form, "client": client_id()})
            page = laid.headers["location"]
            live = await tables.find(page.rpartition("/")[2])
            number = str(live.table.round_to_deal["round"])

            async def read(path: str, *texts: str) -> None:
                answer = (await client.get(path)).text.replace("&#39;", "'")
                for text in texts:
                    assert text in answer, answer

            alone = "the server's secret alone decides the cards"
            named = f"Round {number} of a public beacon, which comes out later"
            await read(page, named, "Your seat mixes nothing into the deal.")
            await read(f"{page}/fair", named, f"{stand_in.address}/public/{number}")
            assert alone not in (await client.get(page)).text.replace("&#39;", "'")
            stand_in.mode = "unreachable"
            sits = ("B", "", client_id() * 2, False)
            await tables.do(live.table.id, lambda now: acts.sit(now, 1, *sits))
            while not live.table.beacon_trouble:
                await asyncio.sleep(0.01)
            await read(page, "Everyone is here.", "The beacon can't be reached.")
            french = {"cookie": client.headers.get("cookie", "") + "; pelagos-language=fr"}
            assert "Tout le monde est là" in (await client.get(page, headers=french)).text
            stand_in.mode = "right"
            while live.table.match is None:
                await asyncio.sleep(0.01)
            await _play_on(tables, live)
            await read(f"{page}/fair", "Nobody at the table mixed anything in, but", number)
            stand_in.mode = "late"
            tables.beacon_at(stand_in.address)._rounds.clear()  # the next may be the same one
            for seat in (0, 1):
                digits, who = "", client_id()
                again = (seat, digits, who)
                await tables.do(live.table.id, lambda now, again=again: acts.again(now, *again))
            while not live.table.beacon_trouble:
                await asyncio.sleep(0.01)
            await read(page, "as soon as round", "The beacon is late.")

    asyncio.run(test())


async def _play_on(tables: Any, live: OpenTable) -> None:
    while live.table.state == "playing":
        match = live.table.match
        assert match is not None
        seat = match.pending[0]
        move = (seat, None, [match.legal(seat)[0]], client_id())
        await tables.do(live.table.id, lambda now, move=move: acts.move(now, *move))

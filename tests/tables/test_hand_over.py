"""A key is replaced while people sit, and a server stops while they play: nobody loses anything."""

from __future__ import annotations

import signal
import threading
from pathlib import Path

import httpx
import pytest
from starlette.requests import Request

from browser import Site
from pelagos.tables import acts
from pelagos.tables.errors import Unavailable
from pelagos.tables.serve import rotate
from pelagos.tables.server import ServerState
from pelagos.tables.settings import Settings
from pelagos.tables.tokens import Key, good_keys
from tables.place import Place, at_a_place
from tables.setting import check_game
from tabling import ROOT, Server, all_play, gather, lay, listen, sit

OLD, NEW, NEWEST = (bytes([number]) * 32 for number in range(3))


def test_the_newest_key_signs_and_those_before_it_are_good_for_a_while() -> None:
    keys = [Key(NEWEST, 200.0, 50.0), Key(OLD), Key(NEW, 100.0, 1000.0)]
    assert good_keys(keys[1:2], 0.0) == (OLD,)
    assert good_keys(keys, 50.0) == (OLD, NEW, NEWEST)  # other processes may sign with them
    assert good_keys(keys, 150.0) == (NEW, OLD, NEWEST)
    assert good_keys(keys, 249.0) == (NEWEST, OLD, NEW)
    assert good_keys(keys, 251.0) == (NEWEST, OLD)
    assert good_keys(keys, 1101.0) == (NEWEST,)
    assert Key.from_json(keys[0].as_json()) == keys[0]


def test_a_running_server_learns_of_a_new_key(where: Path | str) -> None:
    with Server(where, REREAD="0.1") as server:
        table = lay(server.url, "minnows", 2)["table"]["id"]
        player = sit([server.url], table, 0)
        rotate(where, 30)
        assert player.view()["own"]["seat"] == 0
        rotate(where, 0)  # the key was stolen
        while httpx.get(f"{server.url}{player.path}/view", headers=player.head).is_success:
            pass
        newcomer = sit([server.url], table, 1)
        assert newcomer.view()["own"]["seat"] == 1


def test_browsers_get_the_newest_signature_when_they_open_their_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pelagos.tables.serve.LEARNING", 0)
    with (
        Site(tmp_path, REREAD="0.1") as site,
        httpx.Client(base_url=site.url, timeout=None) as browser,
    ):
        laid = browser.post("/play/minnows", data={"name": "Ada"})
        table = laid.headers["location"].rpartition("/")[2].partition("?")[0]
        roles = {role: browser.cookies[f"pelagos-{table}-{role}"] for role in ("0", "host")}
        assert "set-cookie" not in browser.get(f"/t/{table}").headers
        rotate(tmp_path, 30)
        while "set-cookie" not in browser.get(f"/t/{table}").headers:
            pass
        for role, old in roles.items():
            new = browser.cookies[f"pelagos-{table}-{role}"]
            assert new != old
            assert new.rpartition(".")[0] == old.rpartition(".")[0]
        assert browser.get(f"{ROOT}/tables/{table}/seats/0/view").status_code == 200


def test_a_server_that_stops_ends_its_streams_and_keeps_what_it_acknowledged(
    tmp_path: Path,
) -> None:
    with Server(tmp_path, DRAIN="2") as server:
        players = gather(server.url, "minnows", 2)
        heard: list[str] = []

        def follow() -> None:
            heard.extend(kind for kind, _ in listen(players[0]))
            heard.append("its end")  # a torn stream would have raised

        stream = threading.Thread(target=follow)
        stream.start()
        while not heard:
            players[1].view()
        process = server._process
        assert process is not None
        process.send_signal(signal.SIGTERM)
        while httpx.get(f"{server.url}/health", timeout=None).status_code == 200:
            pass
        assert process.poll() is None  # it still answers, but sends others elsewhere

        def take_over() -> None:
            process.wait()
            server.start()

        successor = threading.Thread(target=take_over)
        successor.start()
        all_play(players)
        stream.join()
        successor.join()
        assert heard[0] == "view"
        assert heard[-1] == "its end"
        assert "timeout" not in server.log.read_text()
        for player in players:
            check_game(player)


def test_work_that_was_begun_is_given_to_others_at_once(tmp_path: Path) -> None:
    async def test(place: Place) -> None:
        live = await place.lay("minnows", 1, 1)
        await place.do(live, acts.move, 0, None, [live.table.match.legal(0)[0]], "client-00")
        place.clock.now += 1000
        [work] = await place.store.take(place.clock(), 10, 1000.0)
        assert not await place.store.take(place.clock(), 10, 1000.0)
        await place.store.give_back([(work.table, work.seat, work.decision)])
        [again] = await place.store.take(place.clock(), 10, 1000.0)
        assert again.tries == work.tries + 1

    at_a_place(tmp_path, test)


def test_no_stream_is_begun_at_a_server_that_stops(tmp_path: Path) -> None:
    state = ServerState(tmp_path, Settings())
    state.leaving = True
    with pytest.raises(Unavailable):
        state._counted(Request({"type": "http"}))

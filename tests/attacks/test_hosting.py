"""What goes wrong around a server: files, clocks, disks, names and numbers that tell too much."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from sqlalchemy.exc import OperationalError

from browser import SERVE, Site
from pelagos.tables import acts, service
from pelagos.tables.database import FILE
from pelagos.tables.keeping import Due
from pelagos.tables.service import steady_clock
from pelagos.tables.store import Store
from tables.place import Place, at_a_place, match_of
from tabling import ROOT, Server, client_id, free_port, lay, sit


def pelagos(*words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pelagos.cli", *words],
        env={**os.environ, "LANG": "en", **settings},
        capture_output=True,
        text=True,
        check=False,
    )


def make_store(folder: Path) -> Path:
    async def make() -> None:
        store = await Store.open(folder)
        await store.key()
        await store.close()

    asyncio.run(make())
    return folder / FILE


def test_nobody_else_reads_the_key(tmp_path: Path) -> None:
    file = make_store(tmp_path / "data")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    file.chmod(0o644)  # as it was made before
    make_store(file.parent)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    copy = tmp_path / "copy.sqlite"
    assert pelagos("backup", str(copy), "--data", str(file.parent)).returncode == 0
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600


@pytest.mark.parametrize("command", ["backup", "export"])
def test_a_folder_without_tables_is_no_success(tmp_path: Path, command: str) -> None:
    typo = tmp_path / "typo"
    done = pelagos(command, str(tmp_path / "out"), "--data", str(typo))
    assert done.returncode == 1
    assert "no tables in" in done.stderr
    assert not typo.exists()
    assert not (tmp_path / "out").exists()


def test_an_export_of_nothing_says_so(tmp_path: Path) -> None:
    make_store(tmp_path)
    done = pelagos("export", str(tmp_path / "out"), "--data", str(tmp_path))
    assert done.returncode == 1
    assert "Nothing was written" in done.stderr


def foreign(folder: Path) -> None:
    (folder / FILE).write_text("Dear diary, these are no tables at all.\n" * 100)


def newer(folder: Path) -> None:
    with sqlite3.connect(make_store(folder)) as database:
        database.execute("UPDATE alembic_version SET version_num = 'from_the_future'")


def occupied(folder: Path) -> None:
    folder.rmdir()
    folder.write_text("a file, no folder")


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [(foreign, "file is not a database"), (newer, "newer Pelagos"), (occupied, "can't be used")],
)
def test_a_start_that_fails_is_told_in_a_sentence(
    tmp_path: Path, spoil: object, sentence: str
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    assert callable(spoil)
    spoil(folder)
    done = pelagos("serve", "--port", "1", "--data", str(folder))
    assert done.returncode == 1
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


class Cramped(Site):
    """A server whose files can't grow beyond 400 kB."""

    code = (
        "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))\n" + SERVE
    )


def test_a_server_that_can_t_write_isn_t_well(tmp_path: Path) -> None:
    with Cramped(tmp_path) as site:
        body = {"game": "minnows", "options": {"players": 2}}
        answer = httpx.post(f"{site.url}{ROOT}/tables", json=body)
        while answer.status_code == 201:
            answer = httpx.post(f"{site.url}{ROOT}/tables", json=body)
        assert answer.status_code == 503
        while httpx.get(f"{site.url}/health").status_code == 200:
            pass
        assert httpx.get(f"{site.url}/health").json() == {"ok": False}


def test_the_clock_of_a_server_goes_on_whatever_the_machine_s_is_set_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = steady_clock()
    before, wall = clock(), time.time()
    monkeypatch.setattr(time, "time", lambda: wall - 3600)
    assert before <= clock() < before + 600


def test_bots_go_on_when_the_clock_was_set_back_between_two_starts(tmp_path: Path) -> None:
    with Server(tmp_path, PAUSE="3000,3000") as server:
        table = lay(server.url, "minnows", 1, ["winkle"])["table"]["id"]
        sit([server.url], table, 0)
    with sqlite3.connect(tmp_path / FILE) as database:
        assert database.execute("SELECT min(at) FROM due").fetchone()[0] > time.time() + 2000
    with Server(tmp_path) as server:
        while httpx.get(f"{server.url}{ROOT}/tables/{table}").json()["waiting"] != [0]:
            time.sleep(0.05)


def test_a_database_that_is_away_at_a_start_is_asked_again_which_answers_are_due(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "RETRY", 0.0)

    async def test(place: Place) -> None:
        asked: list[float] = []
        due_after = place.store.due_after

        async def away_at_first(now: float) -> list[Due]:
            asked.append(now)
            assert not place.tables.times_are_right.is_set()
            if len(asked) < 3:
                raise OperationalError("simulated", None, OSError("the disk fails"))
            return await due_after(now)

        monkeypatch.setattr(place.store, "due_after", away_at_first)
        place.tables.times_are_right.clear()
        await place.tables.hasten()
        assert len(asked) == 3
        assert place.tables.times_are_right.is_set()

    at_a_place(tmp_path, test)


def test_a_spoilt_table_with_an_answer_due_keeps_no_server_from_starting(tmp_path: Path) -> None:
    with Server(tmp_path, PAUSE="3000,3000") as server:
        table = lay(server.url, "minnows", 1, ["winkle"])["table"]["id"]
        sit([server.url], table, 0)
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute("UPDATE log SET entry = '{' WHERE table_id = ?", (table,))
    with Server(tmp_path) as server:
        assert httpx.get(f"{server.url}/health").json() == {"ok": True}


def test_a_table_that_nobody_looks_at_is_put_away(tmp_path: Path) -> None:
    async def test(place: Place) -> None:
        live = await place.lay("minnows", 2)
        await place.do(live, acts.leave, 1)  # an empty seat is always away
        live.used -= place.tables.settings.idle + 1
        for _ in range(3):
            place.clock.now += place.tables.settings.away + 1
            await place.tables.look_for_people()
        place.tables.put_away()
        assert place.tables.count == 0

    at_a_place(tmp_path, test)


def test_a_secret_order_moves_no_time_that_others_can_see(tmp_path: Path) -> None:
    async def test(place: Place) -> None:
        live = await place.lay("oceanide", 3, listed=True)
        [row] = await place.tables.store.newest(1, None, None)
        await place.do(live, acts.give_order, 0, live.table.orders[-1], client_id())
        [then] = await place.tables.store.newest(1, None, None)
        assert then == {**row, "number": row["number"] + 1}
        seat = match_of(live).pending[0]
        await place.move(live, seat, match_of(live).legal(seat)[0])
        [later] = await place.tables.store.newest(1, None, None)
        assert later["changed"] > row["changed"]

    at_a_place(tmp_path, test)


def test_numbers_are_for_whoever_has_the_key(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        assert httpx.get(f"{server.url}/metrics").status_code == 404
        wrong = {"authorization": "Bearer guessed"}
        assert httpx.get(f"{server.url}/metrics", headers=wrong).status_code == 404
        assert "pelagos_streams" in server.metrics()
        assert client_id() not in server.metrics()


def ask_for_a_table(server: Server, **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    body = {"game": "minnows", "options": {"players": 2}}
    return httpx.post(f"{server.url}{ROOT}/tables", json=body, headers=named)


PROXIED = {"LIMITS": "on", "TABLES_A_MINUTE": "1", "HSTS_DAYS": "7"}


def test_a_proxy_that_is_named_tells_who_asks_and_how(tmp_path: Path) -> None:
    with Server(tmp_path, **PROXIED) as server:
        first = ask_for_a_table(
            server, X_Forwarded_For="2001:db8:1:2::1", X_Forwarded_Proto="https"
        )
        assert first.status_code == 201
        assert first.headers["strict-transport-security"] == "max-age=604800"
        assert "; Secure" in first.headers["set-cookie"]
        neighbour = ask_for_a_table(server, X_Forwarded_For="2001:db8:1:2:ffff::9")
        assert neighbour.status_code == 429  # one subscriber has all addresses of a /64
        other = ask_for_a_table(server, X_Forwarded_For="6.6.6.6, 2001:db8:1:3::1")
        assert other.status_code == 201  # the proxy's own word is the last one
        assert "strict-transport-security" not in other.headers
        assert "; Secure" not in other.headers["set-cookie"]
        mapped = ask_for_a_table(server, X_Forwarded_For="::ffff:192.0.2.7")
        assert mapped.status_code == 201
        assert ask_for_a_table(server, X_Forwarded_For="192.0.2.7").status_code == 429


def test_nobody_else_s_word_is_believed(tmp_path: Path) -> None:
    with Server(tmp_path, **PROXIED, PROXIES="10.0.0.0/8") as server:
        answer = ask_for_a_table(server, X_Forwarded_For="192.0.2.1", X_Forwarded_Proto="https")
        assert answer.status_code == 201
        assert "strict-transport-security" not in answer.headers
        assert "; Secure" not in answer.headers["set-cookie"]
        assert ask_for_a_table(server, X_Forwarded_For="192.0.2.2").status_code == 429


def test_a_server_is_set_by_a_file(tmp_path: Path) -> None:
    file, port = tmp_path / "pelagos.toml", free_port()
    file.write_text(f'port = {port}\ndata = "{tmp_path}/data"\nmetrics_key = "from the file"\n')
    words = [sys.executable, "-m", "pelagos.cli", "serve", "--config", str(file)]
    with subprocess.Popen(words, env={**os.environ, "PELAGOS_COMPILE_AHEAD": "off"}) as process:
        try:
            asked = {"headers": {"authorization": "Bearer from the file"}}
            while True:
                try:
                    answer = httpx.get(f"http://127.0.0.1:{port}/metrics", **asked)
                    break
                except httpx.TransportError:
                    assert process.poll() is None
            assert answer.status_code == 200
            assert (tmp_path / "data" / FILE).exists()
        finally:
            process.terminate()
    file.write_text("prot = 1\n")
    done = pelagos("serve", "--config", str(file))
    assert done.returncode == 1
    assert "the nearest is port" in done.stderr


def test_health_is_asked_often_and_written_seldom(tmp_path: Path) -> None:
    async def test(place: Place) -> None:
        written = 0
        write = place.store._can_write

        async def counted() -> bool:
            nonlocal written
            written += 1
            return await write()

        place.store._can_write = counted  # type: ignore[method-assign]
        answers = [await place.store.is_well() for _ in range(100)]
        assert all(answers)
        assert written == 1

    at_a_place(tmp_path, test)


def test_no_thinkers_at_all_is_a_sentence(tmp_path: Path) -> None:
    done = pelagos("serve", "--port", "1", "--data", str(tmp_path), PELAGOS_THINKERS="0")
    assert done.returncode == 1
    assert "PELAGOS_THINKERS" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_far_deadline_keeps_nobody_from_the_first_page(tmp_path: Path) -> None:
    async def test(place: Place) -> None:
        live = await place.lay("minnows", 2, pace="slow")
        assert await place.store.due_after(place.clock() + 3600)
        place.tables.close_table(live.table.id)
        place.tables.start()
        assert place.tables.count == 0, "a server is open before it has read such tables"

    at_a_place(tmp_path, test)

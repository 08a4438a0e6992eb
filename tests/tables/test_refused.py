"""What is refused, with a sentence: foreign pages, malformed requests, too much at once."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from conftest import SOAK
from pelagos.tables.errors import TooMuch
from pelagos.tables.limits import Limit
from tables.setting import first_choice
from tabling import ROOT, Server, all_play, gather


def test_another_sites_page_can_do_nothing(server: Server) -> None:
    body = {"game": "minnows", "options": {"players": 2}}
    path = f"{server.url}{ROOT}/tables"
    for head in (
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
    ):
        assert httpx.post(path, json=body, headers=head).status_code == 403
    assert httpx.post(path, json=body, headers={"Origin": server.url}).status_code == 201


BAD_BODIES: list[Any] = [
    None,
    [],
    "x",
    {"actions": []},
    {"actions": ["x"] * 17, "client": "c" * 10},
    {"actions": ["x" * 121], "client": "c" * 10},
    {"actions": ["\ud800"], "client": "c" * 10},
    {"actions": ["\x00"], "client": "c" * 10},
    {"actions": [True], "client": "c" * 10},
    {"actions": [10**30], "client": "c" * 10},
    {"actions": [-1], "client": "c" * 10},
    {"actions": [1.5], "client": "c" * 10},
    {"actions": ["pass"], "client": "short"},
    {"actions": ["pass"], "client": "has spaces in it"},
    {"actions": ["pass"], "client": "c" * 10, "decision": -1},
    {"actions": ["pass"], "client": "c" * 10, "more": 1},
]


@pytest.mark.parametrize("body", BAD_BODIES, ids=range(len(BAD_BODIES)))
def test_a_malformed_move_gets_a_sentence(server: Server, body: Any) -> None:
    people = gather(server.url, "minnows", 2)
    before = people[0].view()
    data = json.dumps(body).encode()
    for kind in ("application/json", "text/plain"):
        head = {**people[0].head, "Content-Type": kind}
        got = httpx.post(f"{server.url}{people[0].path}/actions", content=data, headers=head)
        assert got.status_code in (409, 422)
        assert got.json()["error"]["sentence"]
    assert people[0].view() == before


def test_deep_huge_and_broken_bodies_are_refused(server: Server) -> None:
    people = gather(server.url, "minnows", 2)
    path = f"{server.url}{people[0].path}/actions"
    head = {**people[0].head, "Content-Type": "application/json"}
    deep = b'{"actions":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    assert httpx.post(path, content=deep, headers=head).status_code in (400, 422)
    assert httpx.post(path, content=b"x" * 400_000, headers=head).status_code == 413
    assert httpx.post(path, content=b"\xff{", headers=head).status_code in (400, 422)

    def endless() -> Iterator[bytes]:
        for _ in range(100):
            yield b" " * 10_000

    with contextlib.suppress(httpx.TransportError):  # the server needn't listen to the end
        assert httpx.post(path, content=endless(), headers=head).status_code in (400, 413)
    assert people[0].view()["own"]["decision"] == 0


@pytest.mark.parametrize("table", ["x", "..", "T" * 22, "%00" * 22, "a" * 300, "é" * 22])
def test_there_is_no_such_table(server: Server, table: str) -> None:
    assert httpx.get(f"{server.url}{ROOT}/tables/{table}/view").status_code in (404, 422)


@pytest.mark.parametrize("known", [False, True], ids=["anywhere", "at a table"])
def test_requests_made_up_from_the_openapi_are_answered_as_it_says(
    server: Server, tmp_path: Path, known: bool
) -> None:
    """Schemathesis, in a process of its own, with the limits lifted: all its checks but that what
    is well-formed is accepted, since a game's rules, or a table's state, may refuse it with 422.
    """
    people = gather(server.url, "minnows", 2)
    there = f'[parameters]\n"path.table" = "{people[1].table}"\n"path.seat" = 1\n' if known else ""
    config = tmp_path / "schemathesis.toml"
    config.write_text(there)
    words = ["--config-file", str(config), "run", f"{server.url}{ROOT}/openapi.json"]
    words += ["--checks", "all", "--continue-on-failure", "--warnings", "off"]
    words += ["--exclude-checks", "positive_data_acceptance"]
    words += ["--max-examples", "500" if SOAK else "15", "--seed", "1"]
    words += ["--phases", "examples,coverage,fuzzing", "--generation-database", "none"]
    words += ["--exclude-path-regex", "stream|metrics"]
    words += ["-H", f"Authorization: {people[1 if known else 0].head['Authorization']}"]
    done = subprocess.run(
        [str(Path(sys.executable).parent / "schemathesis"), *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    assert people[0].view()["own"]["decision"] == 0


def test_a_number_is_a_number_however_json_writes_it(server: Server) -> None:
    people = gather(server.url, "minnows", 2)
    chosen, decision = first_choice(people[0])
    body = {"actions": [chosen], "decision": float(decision), "client": "c" * 20}
    assert people[0].ask("POST", f"{people[0].path}/actions", body).status_code == 200
    body = {**body, "decision": 0.5, "client": "d" * 20}
    assert people[0].ask("POST", f"{people[0].path}/actions", body).status_code == 422


def test_bytes_that_are_no_text_are_malformed(server: Server) -> None:
    answer = httpx.post(
        f"{server.url}{ROOT}/tables", content=b"\xff", headers={"content-type": "application/json"}
    )
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "malformed"


def test_whoever_asks_by_the_wrong_method_reads_all_right_ones(server: Server) -> None:
    answer = httpx.delete(f"{server.url}{ROOT}/tables")
    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET, POST"


def test_a_limit_lets_bursts_through_and_no_more() -> None:
    now = [0.0]
    limit = Limit(2.0, 4.0, lambda: now[0])
    for _ in range(4):
        limit.spend("club")
    with pytest.raises(TooMuch):
        limit.spend("club")
    limit.spend("elsewhere")
    now[0] = 0.5
    limit.spend("club")
    with pytest.raises(TooMuch):
        limit.spend("club")


def test_limits_are_on_unless_lifted(tmp_path: Path) -> None:
    settings = {"LIMITS": "on", "MOVES_A_SECOND": "1", "TABLES_A_MINUTE": "2"}
    with Server(tmp_path, **settings) as strict:
        people = gather(strict.url, "minnows", 2)
        codes = [people[0].act(["nonsense"], 0).status_code for _ in range(8)]
        assert 429 in codes
        laid = [
            httpx.post(f"{strict.url}{ROOT}/tables", json={"game": "minnows"}) for _ in range(3)
        ]
        assert laid[-1].status_code == 429
        assert laid[-1].headers["retry-after"] == "1"


def test_logs_hold_no_secrets(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        people = gather(server.url, "minnows", 2)
        all_play(people)
        text = server.log.read_text()
        for person in people:
            assert person.head["Authorization"].removeprefix("Bearer ") not in text
            assert person.table not in text
        assert people[0].view()["table"]["secret"] not in text

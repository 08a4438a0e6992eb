"""Requests that nobody means well with: each gets a sentence, and nothing stays behind."""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from starlette.requests import Request

from browser import SERVE, Site
from pelagos.web.cookies import reader_of
from tabling import client_id, lay, sit

BIG = "9" * 5000


class Hasty(Site):
    """A server that waits for a request for half a second only."""

    code = "from pelagos.tables import protocol\nprotocol.SLOWEST = 0.5\n" + SERVE


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with Hasty(tmp_path_factory.mktemp("attacked")) as site:
        yield site


@pytest.fixture(scope="module")
def table(site: Site) -> str:
    laid: str = lay(site.url, "minnows", 1, ["winkle"])["table"]["id"]
    sit([site.url], laid, 0)
    return laid


@pytest.mark.parametrize("number", ["²", "٣", BIG, "-", "1e9", "%00"])
def test_a_number_that_is_none_is_refused_or_left_out(site: Site, table: str, number: str) -> None:
    for path in (
        f"/t/{table}?seat={number}",
        f"/t/{table}?near={number}&look={number}",
        f"/t/{table}/record?game={number}",
        f"/t/{table}/replay?game={number}&at={number}&eyes={number}",
        f"/new/oceanos?players={number}&swap={number}",
        f"/pad/ecosystem?seat={number}&players={number}",
    ):
        assert httpx.get(site.url + path, timeout=60).status_code < 500, path
    fields = {"seat": number, "decision": number, "action": number, "client": client_id()}
    answer = httpx.post(f"{site.url}/t/{table}/act", data=fields, timeout=60)
    assert answer.status_code == 422


def test_a_form_with_too_many_fields_gets_a_sentence(site: Site) -> None:
    answer = httpx.post(f"{site.url}/new/minnows", data={f"a{n}": "1" for n in range(200)})
    assert answer.status_code == 422
    assert "100 fields" in answer.text


def test_a_body_of_untold_length_that_is_too_large_is_called_so(site: Site) -> None:
    head = {"content-type": "application/json"}
    for path in ("/api/v1/tables", "/new/minnows"):
        pieces = (b"x" * 10_000 for _ in range(40))
        answer = httpx.post(site.url + path, content=pieces, headers=head)
        assert answer.status_code == 413, path
        assert answer.json()["error"]["code"] == "too_large"


def streams(site: Site) -> int:
    """How many streams the server has open."""
    lines = site.metrics().splitlines()
    count = next(line for line in lines if line.startswith("pelagos_streams "))
    return int(float(count.split()[1]))


def test_no_stream_outlives_its_socket(site: Site, table: str) -> None:
    address = f"/t/{table}/stream?seat=-1"
    assert httpx.head(site.url + address).status_code == 200
    asked = f"{{}} {address} HTTP/1.1\r\nHost: localhost\r\n\r\n"
    before = streams(site)
    for first, second in (("HEAD", "HEAD"), ("GET", "GET"), ("HEAD", "GET"), ("GET", "HEAD")):
        with socket.create_connection(("127.0.0.1", site.port)) as pipe:
            pipe.sendall((asked.format(first) + asked.format(second)).encode())
            assert pipe.recv(12) == b"HTTP/1.1 200"
    while streams(site) > before:
        time.sleep(0.05)


@pytest.mark.parametrize(
    "begun", [b"", b"GET / HTTP/1.1\r\nHost: localhost\r\nX-", b"POST /new/minnows HTTP/1.1\r\n"]
)
def test_a_request_that_never_ends_is_given_up(site: Site, begun: bytes) -> None:
    with socket.create_connection(("127.0.0.1", site.port)) as pipe:
        pipe.sendall(begun)
        answer = pipe.recv(1000)
        assert answer.startswith(b"HTTP/1.1 408")
        assert pipe.recv(1000) == b""


def test_a_body_that_never_ends_is_given_up(site: Site) -> None:
    head = b"POST /new/minnows HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n"
    with socket.create_connection(("127.0.0.1", site.port)) as pipe:
        pipe.sendall(head + b"players=")
        with contextlib.suppress(ConnectionResetError):
            assert pipe.recv(1000) == b""


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200),
        ("localhost:8000", 200),
        ("[::1]:8000", 200),
        ("192.168.1.7", 200),
        ("evil.example", 421),
        ("127.0.0.1.evil.example", 421),
    ],
)
def test_a_name_that_leads_here_isn_t_ours(site: Site, host: str, status: int) -> None:
    answer = httpx.get(f"{site.url}/health", headers={"host": host})
    assert answer.status_code == status
    if status == 421:
        assert "PELAGOS_HOSTS" in answer.json()["error"]["sentence"]


def test_a_host_may_name_its_server(tmp_path: Path) -> None:
    with Site(tmp_path, HOSTS="play.example, Other.example") as site:
        for host in ("play.example", "other.example:443", "OTHER.example."):
            assert httpx.get(f"{site.url}/health", headers={"host": host}).status_code == 200


def test_a_page_that_is_asked_for_too_often_says_when_to_come_back(tmp_path: Path) -> None:
    with Site(tmp_path, LIMITS="on", TABLES_A_MINUTE="1") as site:
        form = {"players": "1", "seat0": "me", "name": "Mira", "client": client_id()}
        answers = [httpx.post(f"{site.url}/new/ecosystem", data=form, timeout=60) for _ in "ab"]
        assert answers[0].status_code == 303
        assert answers[1].status_code == 429
        assert answers[1].headers["retry-after"] == "1"


def test_a_cookie_holds_no_name_that_nobody_could_type() -> None:
    for cookie in ("A%0AB%00%1b[31m", "%E2%80%AEevil", "x" * 400):
        request = Request(
            {"type": "http", "headers": [(b"cookie", f"pelagos-name={cookie}".encode())]}
        )
        name = reader_of(request).name
        assert name == "" or name.isprintable()
        assert len(name) <= 40

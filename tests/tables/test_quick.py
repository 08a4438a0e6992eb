"""Moves that the connection answers itself get the same answers as those that the app answers."""

from __future__ import annotations

import json
import re
import secrets
import socket
from pathlib import Path
from typing import Any

import httpx
import pytest

from pelagos.tables.quick import QuickMoves
from tabling import ROOT, Server

COUNTING = """
from pelagos.tables.quick import QuickMoves
take = QuickMoves.take
def counted(self, cycle):
    task = take(self, cycle)
    print("quick" if task else "usual", flush=True)
    return task
QuickMoves.take = counted
"""


class CountingServer(Server):
    code = COUNTING + Server.code


def sit_down(client: httpx.Client) -> tuple[str, list[str]]:
    """A table of minnows for two, and its seats' secrets."""
    laid = client.post(f"{ROOT}/tables", json={"game": "minnows", "options": {"players": 2}})
    table = laid.json()["table"]["id"]
    tokens = []
    for seat in range(2):
        body = {"name": f"P{seat}", "client": secrets.token_hex(10)}
        tokens.append(client.post(f"{ROOT}/tables/{table}/seats/{seat}", json=body).json()["token"])
    client.cookies.clear()
    return table, tokens


def essence(response: httpx.Response) -> tuple[int, dict[str, str], Any]:
    headers = dict(response.headers)
    assert headers.pop("date")
    return response.status_code, headers, response.json()


def test_both_ways_give_the_same_answers(tmp_path: Path) -> None:
    with (
        CountingServer(tmp_path) as server,
        httpx.Client(base_url=server.url, timeout=None) as client,
    ):
        table, tokens = sit_down(client)
        own = client.get(
            f"{ROOT}/tables/{table}/seats/0/view", headers={"Authorization": f"Bearer {tokens[0]}"}
        ).json()
        seat = own["table"]["waiting"][0]
        path, bearer = f"{ROOT}/tables/{table}/seats/{seat}", f"Bearer {tokens[seat]}"
        message = client.get(f"{path}/view", headers={"Authorization": bearer}).json()
        move = {
            "actions": [message["view"]["choices"][0]["action"]],
            "decision": message["own"]["decision"],
            "client": secrets.token_hex(8),
        }
        asked: list[tuple[str, dict[str, Any]]] = [
            (bearer, {**move, "actions": [9999], "client": secrets.token_hex(8)}),
            (bearer, {**move, "decision": 77, "client": secrets.token_hex(8)}),
            (bearer, move),  # and once more: it is done already
            (bearer, {"actions": [1]}),
            ("Bearer x", move),
        ]
        statuses = []
        for secret, body in asked:
            headers = {"Authorization": secret, "Accept-Language": "fr"}
            quick = client.post(f"{path}/actions", json=body, headers=headers)
            usual = client.post(f"{path}/actions", json=body, headers={**headers, "Cookie": "a=b"})
            assert essence(quick) == essence(usual)
            statuses.append(quick.status_code)
        assert statuses == [409, 409, 200, 422, 403]
        assert server.log.read_text().split().count("quick") == 3
        assert server.log.read_text().split().count("usual") == 2


def test_a_move_in_pieces_and_one_that_follows_at_once_are_answered(tmp_path: Path) -> None:
    with Server(tmp_path) as server, httpx.Client(base_url=server.url, timeout=None) as client:
        table, tokens = sit_down(client)
        body = json.dumps({"actions": [9999], "client": secrets.token_hex(8)}).encode()
        head = (
            f"POST {ROOT}/tables/{table}/seats/0/actions HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            f"Authorization: Bearer {tokens[0]}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        ).encode()
        health = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
        with socket.create_connection(("127.0.0.1", server.port)) as wire:
            wire.sendall(head + body[:5])
            wire.sendall(body[5:] + head + body + health)
            answer = b"".join(iter(lambda: wire.recv(65536), b""))
        assert answer.count(b"HTTP/1.1 409 ") == 2
        assert answer.endswith(b'{"ok":true}')


@pytest.mark.parametrize("length", [b"", b"4097", b"99999", b"-1", b"1 1"])
def test_what_has_no_small_length_goes_the_usual_way(length: bytes) -> None:
    quick = QuickMoves.__new__(QuickMoves)
    quick._path = re.compile("/moves")
    headers = [(b"content-type", b"application/json"), (b"authorization", b"Bearer x")]
    scope = {"method": "POST", "scheme": "http", "query_string": b"", "path": "/moves"}
    assert quick.may_take({**scope, "headers": [*headers, (b"content-length", b"4096")]})
    assert not quick.may_take({**scope, "headers": [*headers, (b"content-length", length)]})

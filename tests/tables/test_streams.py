"""A table's event streams."""

from __future__ import annotations

import json
import zlib
from pathlib import Path

import httpx

from tabling import ROOT, Server, gather, lay, listen


def test_bots_alone_play_to_the_end_while_somebody_watches(server: Server) -> None:
    laid = lay(server.url, "minnows", 0, ["starfish", "puffin", "winkle"])
    table, host = laid["table"]["id"], {"Authorization": f"Bearer {laid['token']}"}
    assert [(seat["bot"], seat["name"]) for seat in laid["table"]["seats"]] == [
        ("starfish", "Winkle"),  # as it was once called, and is still answered to
        ("puffin", "Puffin"),
        ("winkle", "Winkle 2"),
    ]
    httpx.post(f"{server.url}{ROOT}/tables/{table}/start", headers=host)
    path = f"{server.url}{ROOT}/tables/{table}/stream"
    number = 0
    with httpx.stream("GET", path, headers={"Accept-Encoding": "identity"}, timeout=60) as got:
        for line in got.iter_lines():
            if line.startswith("data: {") and '"view":' in line:
                message = json.loads(line[6:])
                assert message["number"] > number
                number = message["number"]
                if message["view"]["over"]:
                    break
    assert number > 5


def test_a_stream_can_be_squeezed(server: Server) -> None:
    people = gather(server.url, "minnows", 2)
    head = {**people[0].head, "Accept-Encoding": "gzip"}
    with httpx.stream("GET", server.url + people[0].path + "/stream", headers=head) as got:
        assert got.headers["content-encoding"] == "gzip"
        squeezed = b""
        for chunk in got.iter_raw():
            squeezed += chunk
            plain = zlib.decompressobj(31).decompress(squeezed)
            if b"event: view" in plain and plain.endswith(b"\n\n"):
                break
    assert plain.startswith(b"retry: ")


def test_a_quiet_stream_beats(tmp_path: Path) -> None:
    with Server(tmp_path, BEAT="0.2") as quick:
        people = gather(quick.url, "minnows", 2)
        heard = listen(people[0])
        assert [next(heard)[0] for _ in range(3)] == ["view", "beat", "beat"]

"""The paths of docs/architecture.md, walked: which of our functions run, and how often."""

from __future__ import annotations

import json
import os
import random
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from pelagos.tables import acts
from pelagos.tables.settings import Settings
from pelagos.tables.table import Table
from pelagos.web.pages import BY_SCRIPT
from pelagos.web.site import make_site

GAME = "minnows"
GOES_ON = 0x20 | 0x80 | 0x200
"""Generators and coroutines: called once, and then resumed."""


class Tally:
    """Counts the calls of our functions, in every thread that is started after it."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self._frames: list[Any] = []
        self._counting = False

    def profile(self, frame: Any, kind: str, _: Any) -> None:
        if not self._counting or kind != "call":
            return
        module = frame.f_globals.get("__name__", "")
        if module.startswith(("pelagos.", f"{GAME}.")):
            if frame.f_code.co_flags & GOES_ON:
                if any(frame is known for known in self._frames):
                    return
                self._frames.append(frame)
            self.calls[f"{module}.{frame.f_code.co_qualname}"] += 1

    @contextmanager
    def here(self) -> Iterator[None]:
        """Count what runs in this thread."""
        sys.setprofile(self.profile)
        try:
            with self.counting():
                yield
        finally:
            sys.setprofile(None)

    @contextmanager
    def counting(self) -> Iterator[None]:
        self._counting = True
        try:
            yield
        finally:
            self._counting = False


class House:
    """The real server in a thread of this process, and people at one of its tables."""

    def __init__(self, folder: Path) -> None:
        self.tally = Tally()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = int(probe.getsockname()[1])
        threading.setprofile(self.tally.profile)
        app = make_site(folder, Settings(limits=False))
        config = uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error", loop="asyncio")
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()
        threading.setprofile(None)
        while not self.server.started:
            time.sleep(0.05)
        self.http = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=None)

    def close(self) -> None:
        self.http.close()
        self.server.should_exit = True
        self.thread.join()

    def lay(self, players: int) -> str:
        """A table with somebody in every seat."""
        body = {"game": GAME, "options": {"players": players}}
        table = str(self.http.post("/api/v1/tables", json=body).json()["table"]["id"])
        for seat in range(players):
            body = {"name": f"P{seat}", "client": f"seat-{seat}-0123456789", "bytes": ""}
            self.http.post(f"/api/v1/tables/{table}/seats/{seat}", json=body)
        return table

    def lay_where_a_fish_is_taken(self) -> str:
        """A table for two where the last choices are different bids: sheets change by them."""
        while True:
            table = self.lay(2)
            bids = {self._message(table, seat)["view"]["choices"][-1]["action"] for seat in (0, 1)}
            if len(bids) == 2:
                return table

    def _message(self, table: str, seat: int) -> dict[str, Any]:
        message: dict[str, Any] = self.http.get(f"/api/v1/tables/{table}/seats/{seat}/view").json()
        return message

    def last_choice(self, table: str, seat: int) -> dict[str, str]:
        """A form as the page's script sends it, for the seat's last choice."""
        message = self._message(table, seat)
        return {
            "seat": str(seat),
            "action": str(message["view"]["choices"][-1]["action"]),
            "decision": str(message["own"]["decision"]),
            "client": f"act-{time.monotonic_ns():020d}",
        }

    def act(self, table: str, form: dict[str, str]) -> None:
        answer = self.http.post(f"/t/{table}/act", data=form, headers={BY_SCRIPT: "1"})
        assert answer.status_code == 200, answer.text

    @contextmanager
    def watching(self, table: str, seat: int) -> Iterator[Iterator[str]]:
        """The lines of a page's stream, beginning with what is there."""
        address = f"/t/{table}/stream?seat={seat}&look=999999"  # no cover between them
        with self.http.stream("GET", address) as stream:
            yield stream.iter_lines()


def finished_table() -> Table:
    """A table at which a game was played to its end."""
    table, chance = Table("x" * 22), random.Random(1)
    for entry in acts.create(GAME, {"players": 2}, None):
        table.apply(entry)
    for seat in range(2):
        acts.sit(table, seat, f"P{seat}", "", f"client-{seat}-0123456789", False)
    while table.match is None or not table.match.over:
        match = table.match
        assert match is not None
        seat = chance.choice(match.pending)
        action = chance.choice(match.legal(seat))
        acts.move(table, seat, None, [action], f"move-{len(match.history):08d}")
    return table


def play_out() -> Counter[str]:
    """What is called in a process that interprets the rules, in a game by chance."""
    command = [sys.executable, __file__]
    environment = {**os.environ, "PELAGOS_INTERPRETED": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return Counter(json.loads(done.stdout))


def next_view(lines: Iterator[str]) -> str:
    for line in lines:
        if line.startswith("data: ") and "html" in line:
            return line
    raise AssertionError("the stream has ended")


if __name__ == "__main__":
    from pelagos.engine.batch import Batch

    batch, tally = Batch(GAME, 1, players=4, seed=3), Tally()
    with tally.here():
        batch.play_out()
    print(json.dumps(tally.calls))

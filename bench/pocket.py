"""The site without a server: how long a visitor waits for a first move, and what it costs.

Chromium visits `pelagos site`'s files on this machine, clicks on Play and waits until it can move:

- first: nothing is there yet, and all comes from the host
- slowed: the same with the browser's processors slowed four times; its page processes are stopped
  three quarters of the time, since DevTools' throttle reaches no worker, and Python is in one
- later: once more in the same browser, from what it has kept; that begins when the page says
  (`data-remembered`) that the browser has kept Python's memory, and "kept" is how long after the
  first move that was

Each in seconds and in CPU seconds of all the browser's processes; and the bytes of a first visit,
from a host that compresses with gzip.

    python bench/pocket.py
    python bench/pocket.py --game oceanos --site FOLDER

Wall-clock time: a busy machine shows, except in CPU seconds.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from tables import ROOT

sys.path.insert(0, str(ROOT / "tests"))

from browser import chromium, need_browser
from pelagos.pocket.build import TEXTS, build
from pocketed import PATH, Files, Host

LIMITS = {"first": 5.0, "slowed": 15.0, "later": 2.0}
MOST_BYTES = 8_000_000
SLOWER = 4
SLICE = 0.005
"""Seconds that a slowed process runs before it is stopped for `SLOWER - 1` as long."""


class Compressing(Files):
    """A host that compresses, and counts what it sends."""

    sent = 0
    packed: dict[Path, bytes] = {}  # noqa: RUF012

    @classmethod
    def pack(cls, folder: Path) -> None:
        """Compress all files before anybody asks: a host's time is none of a visitor's."""
        for path in folder.rglob("*"):
            if path.is_file():
                content = path.read_bytes()
                packed = gzip.compress(content) if path.name.endswith(TEXTS) else content
                cls.packed[path.resolve()] = packed

    def do_GET(self) -> None:  # noqa: N802
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            self.send_error(404)
            return
        changed = self.date_time_string(int(path.stat().st_mtime))
        if self.headers["If-Modified-Since"] == changed:
            self.send_response(304)
            self.end_headers()
            return
        content = self.packed[path.resolve()]
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Last-Modified", changed)
        if path.name.endswith(TEXTS):
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(content)
        Compressing.sent += len(content)


def processes(browser: Any) -> list[dict[str, Any]]:
    """The browser's processes, with the CPU seconds that each has taken."""
    session = browser.new_browser_cdp_session()
    running: list[dict[str, Any]] = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    return running


def cpu(browser: Any) -> float:
    return float(sum(process["cpuTime"] for process in processes(browser)))


@contextmanager
def slowed(browser: Any) -> Iterator[None]:
    """Stop the page processes for most of the time."""
    pids = [process["id"] for process in processes(browser) if process["type"] == "renderer"]
    over = threading.Event()

    def run() -> None:
        while not over.is_set():
            _tell(pids, signal.SIGSTOP)
            time.sleep(SLICE * (SLOWER - 1))
            _tell(pids, signal.SIGCONT)
            time.sleep(SLICE)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _tell(pids: list[int], wanted: signal.Signals) -> None:
    for pid in pids:
        os.kill(pid, wanted)


def visit(browser: Any, context: Any, url: str, game: str, slow: bool) -> dict[str, float]:
    """From the address to a first move, in a new window."""
    page = context.new_page()
    before = cpu(browser)
    with slowed(browser) if slow else nullcontext():
        begun = time.perf_counter()
        page.goto(url, wait_until="commit")
        frame = page.frame_locator("iframe")
        frame.locator("html[data-ready]").wait_for(state="attached")
        front = time.perf_counter() - begun
        frame.locator(f".game-{game} form[action$='/play/{game}'] button").click()
        frame.locator("main.table[data-owes='1'] #act button.choice").first.wait_for(
            state="attached"
        )
        frame.locator("html[data-ready]").wait_for(state="attached")
        seconds = time.perf_counter() - begun
    took = {"seconds": seconds, "front": front, "cpu": cpu(browser) - before}
    page.locator("html[data-remembered]").wait_for(state="attached")
    took["kept"] = time.perf_counter() - begun - seconds
    page.close()
    return {name: round(value, 2) for name, value in took.items()}


def measure(folder: Path, game: str) -> dict[str, Any]:
    """All visits, each first one in a browser of its own."""
    results: dict[str, Any] = {}
    Compressing.pack((folder / PATH.strip("/")).resolve())
    host = Host(folder, Compressing)
    try:
        for name in ("first", "slowed"):
            with chromium() as browser:
                context = browser.new_context(locale="en")
                context.set_default_timeout(0)
                Compressing.sent = 0
                results[name] = visit(browser, context, host.url + "/", game, name == "slowed")
                if name == "first":
                    results["bytes"] = Compressing.sent
                    results["later"] = visit(browser, context, host.url + "/", game, False)
    finally:
        host.close()
    return results


def main() -> None:
    """Build, visit, and tell what is beyond a limit."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--game", default="ecosystem")
    parser.add_argument("--site", type=Path, help="One that is built already.")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    need_browser()
    with tempfile.TemporaryDirectory() as folder:
        below = Path(folder) / PATH.strip("/")
        if asked.site:
            below.parent.mkdir(parents=True)
            below.symlink_to(asked.site.resolve())
        else:
            build(below)
        results = measure(Path(folder), asked.game)
    for name, limit in LIMITS.items():
        took = results[name]
        mark = f"  (more than {limit:g})" if took["seconds"] > limit else ""
        print(f"{name:8} {took['seconds']:6.2f} s {took['cpu']:6.2f} CPU s{mark}")
    print(f"kept     {results['first']['kept']:6.2f} s after the first move")
    mark = "  (too many)" if results["bytes"] > MOST_BYTES else ""
    print(f"bytes    {results['bytes'] / 1e6:.2f} MB{mark}")
    if asked.json:
        asked.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

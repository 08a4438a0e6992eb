"""The first start, with an empty cache: when pages answer, when one can play, what it costs.

- front: seconds from `pelagos serve` until the front page answers
- table: seconds from the click on Play until the table is shown
- bot: seconds from that click until the weakest bot that thinks can move at it, too
- cpu: CPU seconds until every game is compiled with all its bots

    python bench/start.py
    python bench/start.py --game oceanos --against COMMIT

A machine's speed shows in all of them, and that it is busy in all but `cpu`. So compiling is judged
beside an earlier commit, too: that of `make bench` is the last one before any work on compiling.
Commits whose server tells nothing about compiling have no `bot`.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import httpx

from tables import ROOT, tree_of

LIMITS = {"front": 3.0, "bot": 20.0, "cpu": 80.0}
SHARE = 80 / 150
"""Of the CPU seconds that compiling took before."""
SERVE = """
import sys
from pathlib import Path
from pelagos.web.serve import serve
serve("127.0.0.1", int(sys.argv[1]), Path(sys.argv[2]))
"""
COMPILE = """
import time
from pelagos.bots import LADDER, warm_up
from pelagos.engine.game import games
for game in games().values():
    if game.package.startswith("pelagos."):
        warm_up(game, [creature.bot for creature in LADDER])
print(time.process_time())
"""


def in_tree(tree: Path, folder: str) -> dict[str, str]:
    """An environment with the tree's own sources, and a cache of its own."""
    return {**os.environ, "PYTHONPATH": str(tree / "src"), "PELAGOS_CACHE": f"{folder}/cache"}


def compile_all(tree: Path) -> float:
    """CPU seconds for all games with all bots, one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", COMPILE],
            cwd=folder,
            env=in_tree(tree, folder),
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
    return float(done.stdout)


def first_game(tree: Path, game: str) -> dict[str, float]:
    """How long somebody waits who starts a server and plays at once."""
    with socket.socket() as probe, tempfile.TemporaryDirectory() as folder:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        begun = time.perf_counter()
        server = subprocess.Popen(
            [sys.executable, "-c", SERVE, str(port), f"{folder}/data"],
            cwd=folder,
            env=in_tree(tree, folder),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        url = f"http://127.0.0.1:{port}"
        try:
            with httpx.Client(base_url=url, timeout=None, headers={"origin": url}) as browser:
                front = _front(browser) - begun
                clicked = time.perf_counter()
                at = browser.post(f"/play/{game}", data={"bytes": ""}).headers["location"]
                while (answer := browser.get(at)).status_code == 303 or "/t/" not in at:
                    at = answer.headers.get("location", at)
                    time.sleep(0.05)
                waited = {"front": front, "table": time.perf_counter() - clicked}
                about = {"table": at.removeprefix("/t/")}
                while (progress := browser.get("/preparing", params=about)).status_code == 200:
                    if not progress.json().get("bot"):
                        waited["bot"] = time.perf_counter() - clicked
                        break
                    time.sleep(0.05)
                return waited
        finally:
            server.terminate()
            server.wait()


def _front(browser: httpx.Client) -> float:
    """When the front page has answered."""
    while True:
        try:
            if browser.get("/").status_code == 200:
                return time.perf_counter()
        except httpx.TransportError:
            time.sleep(0.02)


def is_known(commit: str) -> bool:
    """Does this copy of the repository have the commit? A shallow one may not."""
    asked = ["git", "cat-file", "-e", f"{commit}^{{commit}}"]
    return subprocess.run(asked, cwd=ROOT, stderr=subprocess.DEVNULL).returncode == 0


def main() -> None:
    """Measure, beside a commit if one is named, and tell what is beyond a limit."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--game", default="ecosystem")
    parser.add_argument("--against", metavar="COMMIT")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    results: dict[str, dict[str, Any]] = {}
    trees: dict[str, AbstractContextManager[Path]] = {"here": nullcontext(ROOT)}
    if asked.against and not is_known(asked.against):
        print(f"{asked.against} isn't in this copy of the repository: nothing to compare with")
    elif asked.against:
        trees[asked.against] = tree_of(asked.against)
    for name, opened in trees.items():
        with opened as tree:
            results[name] = {**first_game(tree, asked.game), "cpu": compile_all(tree)}
        figures = "  ".join(f"{figure} {value:.1f}" for figure, value in results[name].items())
        print(f"{name:12} {figures}", flush=True)
    for figure, limit in LIMITS.items():
        if results["here"].get(figure, 0.0) > limit:
            print(f"{figure}: {results['here'][figure]:.1f} is more than {limit:g}")
    for before in results.values():
        share = results["here"]["cpu"] / before["cpu"]
        if before is not results["here"]:
            print(f"cpu: {share:.2f} of before{' is too much' if share > SHARE else ''}")
    if asked.json:
        asked.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

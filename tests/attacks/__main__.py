"""The attacks that a first server didn't withstand, on this tree's and on an older one's:
`PYTHONPATH=tests:bench:. python -m attacks --against 4e79a27`
prints what came of each, before and now.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import os
import random
import secrets
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from bench.tables import tree_of

from tabling import ROOT, Player, free_port, lay, sit

HERE = Path(__file__).parents[2]
HALF_SENT = 35.0
"""Seconds after which nobody still waits for the rest of a request."""
IDLE = 3
"""Seconds after which a table that nobody looks at is put away."""
KEY = "count me in"


@dataclass
class Target:
    """A server with the code of a tree."""

    tree: Path
    folder: Path
    port: int
    pid: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def counted(self, name: str) -> int:
        """One of its own numbers."""
        head = {"authorization": f"Bearer {KEY}"}
        lines = httpx.get(f"{self.url}/metrics", headers=head).text.splitlines()
        return int(float(next(line.split()[1] for line in lines if line.startswith(f"{name} "))))

    def send(self, words: str) -> socket.socket:
        pipe = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        pipe.sendall(words.encode())
        return pipe


def environment(tree: Path, **settings: str) -> dict[str, str]:
    path = os.pathsep.join(str(tree / part) for part in ("src", "tests/minnows/src"))
    quiet = {"PELAGOS_LIMITS": "off", "PELAGOS_COMPILE_AHEAD": "off", "PELAGOS_THINKERS": "1"}
    quiet |= {"PELAGOS_IDLE": str(IDLE), "PELAGOS_AWAY": "2", "PELAGOS_METRICS_KEY": KEY}
    return {**os.environ, **quiet, "PYTHONPATH": path, "LANG": "en", **settings}


def run(tree: Path, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """`pelagos` of a tree; a server that starts after all is ended."""
    command = ["timeout", "20", sys.executable, "-m", "pelagos.cli", *words]
    given = environment(tree, **settings)
    return subprocess.run(command, env=given, capture_output=True, text=True, check=False)


@contextlib.contextmanager
def serving(tree: Path) -> Iterator[Target]:
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-m", "pelagos.cli", "serve", "--port", str(port)]
        server = subprocess.Popen(
            [*words, "--data", folder], env=environment(tree), stderr=subprocess.DEVNULL
        )
        try:
            target = Target(tree, Path(folder), port, server.pid)
            while True:
                with contextlib.suppress(httpx.TransportError):
                    if httpx.get(f"{target.url}/health").status_code == 200:
                        break
                time.sleep(0.1)
            yield target
        finally:
            server.terminate()
            server.wait()


def seated(target: Target) -> tuple[str, str, list[Player]]:
    """A table at which two sit: its id, the host's token, and they."""
    laid = lay(target.url, "minnows", 2)
    table = laid["table"]["id"]
    return table, laid["token"], [sit([target.url], table, seat) for seat in range(2)]


# --- the attacks: each tells what came of it --------------------------------------------------


def streams_that_never_die(target: Target) -> str:
    table = lay(target.url, "minnows", 2)["table"]["id"]
    asked = f"{{}} /t/{table}/stream?seat=-1 HTTP/1.1\r\nHost: localhost\r\n\r\n"
    before = target.counted("pelagos_streams")
    for first, second in itertools.product(("HEAD", "GET"), repeat=2):
        for _ in range(10):
            with target.send(asked.format(first) + asked.format(second)) as pipe:
                pipe.recv(12)
    time.sleep(3.0)
    return f"{target.counted('pelagos_streams') - before} streams left open by 40 sockets"


def half_sent_requests(target: Target) -> str:
    pipes = [target.send("GET / HTTP/1.1\r\nHost: localhost\r\nX-") for _ in range(20)]
    time.sleep(HALF_SENT)
    held = 0
    for pipe in pipes:
        pipe.setblocking(False)
        try:
            pipe.recv(100)
        except BlockingIOError:
            held += 1
        pipe.close()
    return f"{held} of 20 sockets held after {HALF_SENT:.0f} s"


def odd_numbers(target: Target) -> str:
    table = lay(target.url, "minnows", 2)["table"]["id"]
    paths = [f"/t/{table}?seat={odd}" for odd in ("²", "٣", "9" * 5000)]
    paths += [f"/t/{table}/replay?at={'9' * 5000}", f"/new/ecosystem?players={'9' * 5000}"]
    paths += [f"/t/{'x' * 22}/seat/{'9' * 5000}"]
    statuses = [httpx.get(target.url + path, timeout=60).status_code for path in paths]
    fields = {f"field{number}": "1" for number in range(101)}
    statuses.append(httpx.post(f"{target.url}/new/ecosystem", data=fields).status_code)
    return f"{sum(status >= 500 for status in statuses)} of {len(statuses)} answered by 5xx"


def too_large_in_chunks(target: Target) -> str:
    def endless() -> Iterator[bytes]:
        for _ in range(100):
            yield b" " * 10_000

    try:
        return str(httpx.post(f"{target.url}{ROOT}/tables", content=endless()).status_code)
    except httpx.TransportError:
        return "hung up on"


def foreign_name(target: Target) -> str:
    answer = httpx.get(f"{target.url}/health", headers={"host": "evil.example"})
    return str(answer.status_code)


def numbers_for_all(target: Target) -> str:
    return str(httpx.get(f"{target.url}/metrics").status_code)


def readable_key(target: Target) -> str:
    files = list(target.folder.glob("*.sqlite"))
    return " ".join(oct(stat.S_IMODE(file.stat().st_mode))[2:] for file in files)


def invented_cookies(target: Target) -> str:
    names = [secrets.token_urlsafe(16) for _ in range(500)]
    made_up = "; ".join(
        f"pelagos-{name}-0={name}.0.1.{secrets.token_urlsafe(32)}" for name in names
    )
    httpx.get(target.url, timeout=60)
    began = time.perf_counter()
    answer = httpx.get(target.url, headers={"cookie": made_up}, timeout=60)
    return f"{answer.status_code} after {1000 * (time.perf_counter() - began):.0f} ms"


def host_takes_a_seat(target: Target) -> str:
    table, host, _ = seated(target)
    head = {"Authorization": f"Bearer {host}"}
    answer = httpx.post(f"{target.url}{ROOT}/tables/{table}/seats/0/issue", headers=head)
    return str(answer.status_code)


def games_that_are_over(target: Target) -> str:
    choices = random.Random(1)
    for _ in range(10):
        _, _, people = seated(target)
        while not people[0].step(choices) & people[1].step(choices):
            pass
        for person in people:
            person.http.close()
    time.sleep(3 * IDLE)
    return f"{target.counted('pelagos_open_tables')} tables still in memory"


def backup_of_nothing(target: Target) -> str:
    typo = target.folder / "typo"
    done = run(target.tree, "backup", str(target.folder / "copy"), "--data", str(typo))
    return f"exit {done.returncode}"


def no_thinkers(target: Target) -> str:
    words = ["serve", "--port", str(free_port()), "--data", str(target.folder / "other")]
    done = run(target.tree, *words, PELAGOS_THINKERS="0")
    if done.returncode == 124:
        return "starts"
    return f"exit {done.returncode}{', a traceback' if 'Traceback' in done.stderr else ''}"


def foreign_file(target: Target) -> str:
    folder = target.folder / "foreign"
    folder.mkdir()
    (folder / "pelagos.sqlite").write_text("Dear diary, these are no tables at all.\n" * 100)
    done = run(target.tree, "serve", "--port", str(free_port()), "--data", str(folder))
    return f"exit {done.returncode}{', a traceback' if 'Traceback' in done.stderr else ''}"


ATTACKS: dict[str, Callable[[Target], str]] = {
    "pipelined HEAD of a stream": streams_that_never_die,
    "half-sent requests": half_sent_requests,
    "², 5,000 digits, 101 fields": odd_numbers,
    "a chunked body of 1 MB": too_large_in_chunks,
    "Host: evil.example": foreign_name,
    "/metrics without a key": numbers_for_all,
    "mode of the file with the key": readable_key,
    "500 invented cookies": invented_cookies,
    "a host issues the seat of who is here": host_takes_a_seat,
    "games that nobody looks at": games_that_are_over,
    "backup --data TYPO": backup_of_nothing,
    "PELAGOS_THINKERS=0": no_thinkers,
    "a foreign file for a database": foreign_file,
}


def attack(tree: Path) -> dict[str, str]:
    came: dict[str, str] = {}
    with serving(tree) as target:
        for name, each in ATTACKS.items():
            try:
                came[name] = each(target)
            except Exception as error:
                came[name] = f"{type(error).__name__}: {str(error)[:60]}"
    return came


def main(arguments: Any) -> None:
    columns = {}
    if arguments.against:
        with tree_of(arguments.against) as tree:
            columns[arguments.against] = attack(tree)
    columns["now"] = attack(HERE)
    print("| attack |", " | ".join(columns), "|")
    print("|---" * (1 + len(columns)) + "|")
    for name in ATTACKS:
        print(f"| {name} |", " | ".join(column[name] for column in columns.values()), "|")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", metavar="COMMIT", help="an older tree, attacked first")
    main(parser.parse_args())

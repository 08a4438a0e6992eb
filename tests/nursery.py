"""Servers for tests, forked from a process that has loaded the rules: each is as new as any."""

from __future__ import annotations

import atexit
import functools
import json
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

READY = """
import nursery
nursery.raise_servers()
"""


class Nursery:
    """The process that servers are forked from."""

    def __init__(self) -> None:
        path = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
        self._process = subprocess.Popen(
            [sys.executable, "-c", READY],
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._asking = threading.Lock()
        atexit.register(self._close)

    def fork(
        self, code: str, words: Sequence[str], environment: Mapping[str, str], log: Path
    ) -> Child:
        """Run this code in a new process."""
        asked = {"code": code, "words": words, "environment": dict(environment), "log": str(log)}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._asking:
            self._process.stdin.write(json.dumps(asked) + "\n")
            self._process.stdin.flush()
            return Child(int(self._process.stdout.readline()))

    def _close(self) -> None:
        self._process.communicate()


@functools.cache
def nursery() -> Nursery:
    """One for all tests of a process."""
    return Nursery()


class Child:
    """A process that somebody else is the parent of, used as `Popen` is."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        try:
            self._handle: int | None = os.pidfd_open(pid)
        except ProcessLookupError:
            self._handle = None

    def poll(self) -> bool | None:
        """None as long as it runs."""
        return self._ended(0)

    def wait(self, timeout: float | None = None) -> None:
        """Until it has ended."""
        if not self._ended(timeout):
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)

    def send_signal(self, number: int) -> None:
        if self._handle is not None:
            signal.pidfd_send_signal(self._handle, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def _ended(self, timeout: float | None) -> bool | None:
        if self._handle is None:
            return True
        return bool(select.select([self._handle], [], [], timeout)[0]) or None


# --- in that process --------------------------------------------------------------------------


def raise_servers() -> None:
    """Load what every server needs, then fork one for each line of stdin; those that are left end
    with this process, and it with whoever asked for them.
    """
    import pelagos.tables.api
    import pelagos.web.serve
    import pelagos.web.site  # noqa: F401
    from pelagos.bots import STAND_IN, warm_up
    from pelagos.engine.game import games
    from pelagos.engine.processes import end_with_parent

    for game in games().values():
        warm_up(game, [STAND_IN])
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them here
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the end of stdin tells that it's over
    parent = os.getpid()
    while line := sys.stdin.readline():
        if pid := os.fork():
            print(pid, flush=True)
        else:
            end_with_parent(parent)
            _become(**json.loads(line))
            return


def _become(code: str, words: list[str], environment: dict[str, str], log: str) -> None:
    """What `python -c code words` is."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    output = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.dup2(output, 1)
    os.dup2(output, 2)
    sys.argv = ["-c", *words]
    _fork_where_others_spawn()
    exec(code, {"__name__": "__main__"})


def _fork_where_others_spawn() -> None:
    """Let the server's own processes be forked, too, from one that is as clean as this is now."""
    import multiprocessing
    import socket
    from multiprocessing import forkserver

    address = f"\0pelagos-{os.getpid()}"
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(address)
    listener.listen()
    alive, holding = os.pipe()
    if not (pid := os.fork()):
        os.close(holding)
        try:
            forkserver.main(listener.detach(), alive, [])
        finally:
            os._exit(0)
    listener.close()
    os.close(alive)
    known = forkserver._forkserver
    known._forkserver_pid, known._forkserver_alive_fd = pid, holding
    known._forkserver_address = address
    contexts = multiprocessing.get_context
    names = {"spawn": "forkserver"}
    multiprocessing.get_context = lambda method=None: contexts(names.get(method, method))

"""A real PostgreSQL for tests: found or installed, started by its own user, on loopback only.

Its data lie in a temporary folder, its port is a free one, and all is gone afterwards. As root
it runs as the user `postgres` (PostgreSQL refuses root); otherwise as whoever runs the tests.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import debian
from tabling import free_port


def find_binaries() -> Path | None:
    """Where initdb and postgres are."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    initdb = shutil.which("initdb")
    folders += [Path(initdb).resolve().parent] if initdb else []
    for folder in folders:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    return None


class Postgres:
    """A running cluster."""

    def __init__(self, binaries: Path) -> None:
        self._binaries = binaries
        self.port = free_port()
        self._user: str | None = None
        if os.geteuid() == 0:
            self._user = "postgres"
            try:
                pwd.getpwnam(self._user)
            except KeyError:
                subprocess.run(["useradd", "--system", self._user], check=True)
        self._folder = Path(tempfile.mkdtemp(prefix="pelagos-postgres-"))
        if self._user:
            shutil.chown(self._folder, self._user)
        self._server: subprocess.Popen[bytes] | None = None

    def _run(self, *words: str) -> None:
        subprocess.run(
            [str(self._binaries / words[0]), *words[1:]],
            user=self._user,
            cwd=self._folder,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
            check=True,
            stdout=subprocess.DEVNULL,
        )

    def start(self) -> None:
        data = str(self._folder / "data")
        self._run("initdb", "-D", data, "-U", "pelagos", "--auth=trust", "-E", "UTF8", "-N")
        self.go_on()

    def kill(self) -> None:
        """End it at once, as after a fault: it has to recover when it goes on."""
        assert self._server is not None
        self._server.send_signal(signal.SIGQUIT)
        self._server.wait()

    def go_on(self) -> None:
        data = str(self._folder / "data")
        words = ["postgres", "-D", data, "-p", str(self.port), "-h", "127.0.0.1"]
        words += ["-k", "", "-c", "max_connections=100"]
        with (self._folder / "log").open("wb") as log:
            self._server = subprocess.Popen(
                [str(self._binaries / words[0]), *words[1:]],
                user=self._user,
                cwd=self._folder,
                env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
                stdout=log,
                stderr=log,
            )
        while True:
            ready = [str(self._binaries / "pg_isready"), "-h", "127.0.0.1", "-p", str(self.port)]
            if subprocess.run(ready, stdout=subprocess.DEVNULL, check=False).returncode == 0:
                return
            assert self._server.poll() is None, (self._folder / "log").read_text()

    @property
    def process(self) -> int | None:
        """The cluster's first process."""
        return self._server.pid if self._server else None

    def database(self) -> str:
        """The URL of a new, empty database."""
        name = f"t{uuid.uuid4().hex[:12]}"
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "pelagos", name)
        return f"postgresql://pelagos@127.0.0.1:{self.port}/{name}"

    def stop(self) -> None:
        if self._server is not None:
            self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)


@contextmanager
def running() -> Iterator[Postgres]:
    binaries = find_binaries()
    if binaries is None:
        debian.install("postgresql", "the tests of the tables")
        binaries = find_binaries()
    if binaries is None:
        pytest.fail("PostgreSQL isn't here and can't be installed: apt-get install postgresql.")
    server = Postgres(binaries)
    try:
        server.start()
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """One cluster for a whole run of a worker process."""
    with running() as server:
        yield server

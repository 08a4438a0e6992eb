"""nginx in front of several servers, by the configuration that hosts are shown."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

import debian
from tabling import free_port

EXAMPLE = Path(__file__).parent.parent / "examples/nginx.conf"
WHOLE = """
daemon off;
master_process off;
pid {folder}/pid;
error_log {folder}/errors;
events {{ worker_connections 8192; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/example.conf;
}}
"""


def find() -> str | None:
    """Where nginx is: Debian's lies where only root looks."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


def example(port: int, servers: Sequence[int]) -> str:
    """The example, with other ports."""
    text = EXAMPLE.read_text().replace("listen 80;", f"listen 127.0.0.1:{port};")
    line = re.search(r"( +server 127\.0\.0\.1:)\d+(.*;\n)( +server .*\n)*", text)
    assert line
    return text.replace(line[0], "".join(f"{line[1]}{server}{line[2]}" for server in servers))


@contextmanager
def running(servers: Sequence[int], folder: Path) -> Iterator[str]:
    """The address under which these ports are found, as long as nginx runs."""
    binary = find()
    if binary is None:
        debian.install("nginx-light", "the tests of several processes")
        binary = find()
    if binary is None:
        pytest.fail("nginx isn't here and can't be installed: apt-get install nginx-light.")
    port = free_port()
    (folder / "example.conf").write_text(example(port, servers))
    (folder / "nginx.conf").write_text(WHOLE.format(folder=folder))
    words = [binary, "-p", str(folder), "-c", str(folder / "nginx.conf")]
    words += ["-e", str(folder / "errors")]
    process = subprocess.Popen(words)
    try:
        while True:
            assert process.poll() is None, (folder / "errors").read_text()
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()

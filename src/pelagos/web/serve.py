"""`pelagos serve`: the server with its pages, for one person, a club or the world."""

from __future__ import annotations

import contextlib
import io
import os
import socket
import sys
import threading
import time
import webbrowser
from typing import Any

from rich.console import Console

from pelagos.tables.settings import Settings, read_settings
from pelagos.web import vendor

MOST_TRIES = 20
"""Ports tried after one that is taken."""


def serve(
    host: str,
    port: int,
    where: Any,
    settings: Settings | None = None,
    *,
    lan: bool = False,
    browser: bool = False,
) -> None:
    """Serve until stopped. With `lan` everyone on the network may come, by address or QR code;
    with `browser` the browser is opened. To somebody at a terminal it tells what it does.
    """
    from pelagos.tables import logs
    from pelagos.tables.compiling import Compiling
    from pelagos.tables.serve import prepare, run
    from pelagos.web.site import make_site

    settings = settings or read_settings()
    console = Console(stderr=True)
    prepare(where)
    if lan and host == "127.0.0.1":
        host = "0.0.0.0"
    tells = lan or browser or console.is_terminal
    fetch(console)
    if tells:
        wanted, port = port, free_port(host, port)
        if port != wanted:
            console.print(f"· port {wanted} is taken", markup=False, highlight=False)
    else:
        logs.open_log()
    public = f"http://{own_address()}:{port}" if lan else ""
    site = make_site(where, settings, public=public, compiling=Compiling())
    site.state.server.migrates = False  # it was done just now
    if tells:
        greet(console, host, port, lan)
    else:
        logs.tell("serving", host=host, port=port)
    if browser and can_open():
        threading.Thread(target=_open, args=(port,), daemon=True).start()
    run(site, host, port, settings)


def fetch(console: Console) -> None:
    """Fetch the front-end packages if they aren't here; pages do without, if less smoothly."""
    try:
        vendor.ensure(lambda step: console.print(f"· {step}", markup=False, highlight=False))
    except vendor.NoPackages as error:
        console.print(f"pelagos: {error} Pages work without script until then.", markup=False)


def own_address() -> str:
    """The machine's address on its network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def free_port(host: str, port: int) -> int:
    """A port to use: this one, or the next that nobody uses."""
    for wanted in range(port, min(port + MOST_TRIES, 65536)):
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, wanted))
            except OSError:
                continue
            return wanted
    return port


def greet(console: Console, host: str, port: int, lan: bool) -> None:
    """Say where to go: an address, and for phones its QR code."""
    import segno

    shown = own_address() if lan else "127.0.0.1" if host in ("", "0.0.0.0", "::") else host
    address = f"http://{shown}:{port}/"
    console.print(f"\n  Pelagos is at {address}\n", markup=False, highlight=False)
    if lan:
        out = io.StringIO()
        segno.make(address, error="m").terminal(out, compact=True, border=2)
        console.file.write(out.getvalue() + "\n")
        console.print(
            "  Everyone on this network can scan it. Ctrl+C stops; tables are kept.", markup=False
        )
    else:
        console.print("  Ctrl+C stops; tables are kept.", markup=False)


def can_open() -> bool:
    """Is there a screen to open a browser on?"""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _open(port: int) -> None:
    """Open the browser once the server answers."""
    for _ in range(100):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            webbrowser.open(f"http://127.0.0.1:{port}/")
            return
        time.sleep(0.1)

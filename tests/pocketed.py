"""The site without a server: its files behind a plain web server, and somebody who visits it."""

from __future__ import annotations

import functools
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from browser import Person

PATH = "/any/path"


class Files(SimpleHTTPRequestHandler):
    """Files as any host sends them."""

    extensions_map = {  # noqa: RUF012
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
        ".webmanifest": "application/manifest+json",
    }

    def send_error(self, code: int, *arguments: Any) -> None:
        """A missing file: the site's own page for that, as hosts of static pages do."""
        page = Path(self.directory) / PATH.strip("/") / "404.html"
        if code != HTTPStatus.NOT_FOUND or not page.is_file():
            super().send_error(code, *arguments)
            return
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(page.read_bytes())

    def log_message(self, *arguments: Any) -> None:
        """Nobody reads it."""


class Host:
    """A web host with the site below a path; it can go away."""

    def __init__(self, folder: Path, kind: type[Files] = Files) -> None:
        handler = functools.partial(kind, directory=str(folder))
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}{PATH}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@contextmanager
def hosted(folder: Path) -> Iterator[Host]:
    """The files of a folder, until the network is cut, at the latest here."""
    host = Host(folder)
    try:
        yield host
    finally:
        host.close()


class Visitor(Person):
    """Somebody at the site: what they see is in the shell's frame."""

    def __init__(self, browser: Any, host: Any, path: str = "/", **more: Any) -> None:
        super().__init__(browser, host, **more)
        self.window = self.page
        self.open(path)

    def open(self, path: str) -> None:
        """Open the site anew, at an address of it."""
        self.window.goto(self.site.url + path, wait_until="commit")
        self.wait_for_page()

    def reload(self) -> None:
        self.window.reload(wait_until="commit")
        self.wait_for_page()

    def wait_for_page(self) -> None:
        self.window.frame_locator("iframe").locator("html[data-ready]").wait_for(state="attached")
        self.page = self.window.frames[-1]

    def go(self, path: str, until: str = "load") -> None:
        """As by a link."""
        self.page.evaluate("address => location.assign(address)", self.site.url + path)
        self.page.wait_for_url(self.site.url + path)
        self.page.locator("html[data-ready]").wait_for(state="attached")

    def fetch(self, path: str) -> str:
        """What a script of the page is answered."""
        script = "address => fetch(address).then(answer => answer.text())"
        return str(self.page.evaluate(script, self.site.url + path))

    def record(self, table: str) -> dict[str, Any]:
        return dict(json.loads(self.fetch(f"/t/{table}/record")))

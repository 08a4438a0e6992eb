"""Files that pages need: our own, the front-end packages', and what lies in a game's folder."""

from __future__ import annotations

import hashlib
import re
from importlib.resources import files
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from pelagos.web import examples
from pelagos.web.art import sprite, tag_of
from pelagos.web.own_table import SERVED, own_table, package_folder
from pelagos.web.squeeze import squeezed, way_for

KINDS = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".png": "image/png",
    ".webp": "image/webp",
    ".mp3": "audio/mpeg",
    ".webmanifest": "application/manifest+json",
}
STATIC = Path(str(files("pelagos.web"))) / "static"
VENDOR = STATIC / "vendor"
PAD_STYLE = "pad.css"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*){0,3}")
FOREVER = "public, max-age=31536000, immutable"


def find(owner: str, name: str) -> bytes | None:
    """A file by its address: `app/…` is ours, `<game>/…` lies in a game's folder."""
    if not _NAME.fullmatch(name) or ".." in name:
        return None
    if owner != "app" and name == "sprite.svg":
        made = sprite(owner)
        return None if made is None else made.encode()
    if owner != "app" and name == examples.STYLE:
        return examples.style(owner).encode() or None
    path = STATIC / name if owner == "app" else _of_game(owner, name)
    if path is None or path.suffix not in KINDS or not path.is_file():
        return None
    return path.read_bytes()


def _of_game(game: str, name: str) -> Path | None:
    """Where a file lies that a game's folder gives to pages."""
    if name in SERVED:
        table = own_table(game)
        return None if table is None else table.file(name)
    folder = package_folder(game)
    is_own = name == PAD_STYLE or name.startswith("art/")
    return folder / name if folder is not None and is_own else None


def pad_style(game: str) -> str:
    """Where the style of a game's score pad lies, if it has one of its own."""
    style = find(game, PAD_STYLE)
    return "" if style is None else f"/static/{game}/{PAD_STYLE}?{tag_of(style)}"


class Assets:
    """Files, each read and compressed once."""

    def __init__(self) -> None:
        self._bodies: dict[tuple[str, str, str], tuple[bytes, str]] = {}

    def tag(self) -> str:
        """A few letters that change when a file of ours does: addresses carry it."""
        if not hasattr(self, "_tag"):
            digest = hashlib.sha256()
            for path in sorted(STATIC.rglob("*")):
                if path.is_file():
                    digest.update(path.read_bytes())
            self._tag = digest.hexdigest()[:10]
        return self._tag

    def answer(self, request: Request, owner: str, name: str) -> Response:
        """A file, compressed if the browser likes."""
        way = "" if name.endswith(".woff2") else way_for(request)
        key = (owner, name, way)
        if key not in self._bodies:
            asset = find(owner, name)
            if asset is None:
                return Response("There is no such file.", 404, media_type="text/plain")
            self._bodies[key] = (squeezed(asset, way, well=True), tag_of(asset))
        body, tag = self._bodies[key]
        cache = FOREVER if request.url.query == tag else "no-cache"
        headers = {"ETag": f'"{tag}"', "Vary": "Accept-Encoding", "Cache-Control": cache}
        if request.headers.get("if-none-match") == headers["ETag"]:
            return Response(status_code=304, headers=headers)
        if way:
            headers["Content-Encoding"] = way
        return Response(body, 200, headers, KINDS[Path(name).suffix])

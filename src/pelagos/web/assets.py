"""Files that pages need: our own, the front-end packages', and what lies in a game's folder."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from importlib.resources import files
from pathlib import Path

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from pelagos.engine.game import games
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
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*){0,3}")
_OPENING = re.compile(r"<svg\b([^>]*)>", re.DOTALL)
_BOX = re.compile(r'viewBox="([^"]*)"')
_PROLOGUE = re.compile(r"<\?xml.*?\?>|<!--.*?-->|<!DOCTYPE.*?>", re.DOTALL)
FOREVER = "public, max-age=31536000, immutable"
OURS = ("table.css", "table.js")
"""Files of a game's folder that pages take."""


def game_folder(game: str) -> Path | None:
    """A game's folder."""
    found = games().get(game)
    return None if found is None else Path(str(files(found.package)))


@cache
def table_file(game: str, name: str) -> bool:
    """Has the game's folder this file?"""
    folder = game_folder(game)
    return folder is not None and (folder / name).is_file()


@cache
def art_names(game: str) -> frozenset[str]:
    """The symbols of a game's sprite."""
    return symbol_names(sprite(game) or "")


def symbol_names(drawn: str) -> frozenset[str]:
    """The symbols of a sprite's text."""
    return frozenset(re.findall(r'<symbol\b[^>]*\bid="([^"]+)"', drawn))


@cache
def sprite(game: str) -> str | None:
    """A game's art as one file: its own `art/sprite.svg`, else a symbol for each `art/*.svg`."""
    folder = game_folder(game)
    if folder is None or not (folder / "art").is_dir():
        return None
    own = folder / "art" / "sprite.svg"
    if own.is_file():
        return own.read_text(encoding="utf-8")
    symbols = [_symbol(file) for file in sorted((folder / "art").glob("*.svg"))]
    return f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(symbols)}</svg>'


@cache
def title_picture(game: str) -> Markup:
    """A game's title picture, `title.svg` in its folder, to stand in a page; else nothing."""
    folder = game_folder(game)
    file = None if folder is None else folder / "title.svg"
    if file is None or not file.is_file():
        return Markup("")
    drawn = file.read_text(encoding="utf-8")
    drawn = drawn.replace(f"/static/{game}/sprite.svg#", f"{sprite_address(game)}#")
    return Markup(drawn.replace("<svg ", '<svg aria-hidden="true" focusable="false" ', 1))


@cache
def sprite_address(game: str) -> str:
    """Where a game's art lies; the address changes when the art does."""
    return f"/static/{game}/sprite.svg?{_tag_of((sprite(game) or '').encode())}"


def _tag_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:10]


def _symbol(file: Path) -> str:
    text = _PROLOGUE.sub("", file.read_text(encoding="utf-8"))
    opening = _OPENING.search(text)
    if opening is None:
        return ""
    if "<symbol" in text:
        return text[opening.end() : text.rindex("</svg>")]
    box = _BOX.search(opening[1])
    inside = text[opening.end() : text.rindex("</svg>")]
    return f'<symbol id="{file.stem}" viewBox="{box[1] if box else "0 0 64 64"}">{inside}</symbol>'


def find(owner: str, name: str) -> bytes | None:
    """A file by its address: `app/…` is ours, `<game>/…` lies in a game's folder."""
    if not _NAME.fullmatch(name) or ".." in name:
        return None
    if owner == "app":
        path = STATIC / name
        return path.read_bytes() if path.suffix in KINDS and path.is_file() else None
    if name == "sprite.svg":
        made = sprite(owner)
        return None if made is None else made.encode()
    folder = game_folder(owner)
    if folder is None or not (name in OURS or name.startswith("art/")):
        return None
    path = folder / name
    return path.read_bytes() if path.suffix in KINDS and path.is_file() else None


class Assets:
    """Files, each read and compressed once."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str, str], tuple[bytes, str]] = {}

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
        if key not in self._kept:
            found = find(owner, name)
            if found is None:
                return Response("There is no such file.", 404, media_type="text/plain")
            self._kept[key] = (squeezed(found, way, well=True), _tag_of(found))
        body, tag = self._kept[key]
        cache = FOREVER if request.url.query == tag else "no-cache"
        headers = {"ETag": f'"{tag}"', "Vary": "Accept-Encoding", "Cache-Control": cache}
        if request.headers.get("if-none-match") == headers["ETag"]:
            return Response(status_code=304, headers=headers)
        if way:
            headers["Content-Encoding"] = way
        return Response(body, 200, headers, KINDS[Path(name).suffix])

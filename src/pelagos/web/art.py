"""A game's art: the symbols of its folder `art/`, its title picture, and where they lie."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path

from markupsafe import Markup

from pelagos.web.own_table import package_folder

_OPENING = re.compile(r"<svg\b([^>]*)>", re.DOTALL)
_BOX = re.compile(r'viewBox="([^"]*)"')
_PROLOGUE = re.compile(r"<\?xml.*?\?>|<!--.*?-->|<!DOCTYPE.*?>", re.DOTALL)


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
    folder = package_folder(game)
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
    folder = package_folder(game)
    file = None if folder is None else folder / "title.svg"
    if file is None or not file.is_file():
        return Markup("")
    drawn = file.read_text(encoding="utf-8")
    drawn = drawn.replace(f"/static/{game}/sprite.svg#", f"{sprite_address(game)}#")
    return Markup(drawn.replace("<svg ", '<svg aria-hidden="true" focusable="false" ', 1))


@cache
def sprite_address(game: str) -> str:
    """Where a game's art lies; the address changes when the art does."""
    return f"/static/{game}/sprite.svg?{tag_of((sprite(game) or '').encode())}"


def tag_of(data: bytes) -> str:
    """A few letters that change when the data do."""
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

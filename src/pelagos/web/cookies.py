"""What a browser keeps for its reader: language, theme, name, and which tables they like."""

from __future__ import annotations

from urllib.parse import quote, unquote

from starlette.requests import Request
from starlette.responses import Response

from pelagos.engine.words import LANGUAGES
from pelagos.web.reader import THEMES, Reader

YEAR = 365 * 86400
LANGUAGE, THEME, NAME = "pelagos-language", "pelagos-theme", "pelagos-name"
PLAIN = "pelagos-plain"


def reader_of(request: Request) -> Reader:
    """Whoever asks."""
    language = request.cookies.get(LANGUAGE, "")
    if language not in LANGUAGES:
        language = wished_language(request.headers.get("accept-language", ""))
    theme = request.cookies.get(THEME, "auto")
    name = unquote(request.cookies.get(NAME, ""))[:40]
    plain = request.cookies.get(PLAIN) == "1"
    return Reader(language, theme if theme in THEMES else "auto", name, plain)


def wished_language(header: str) -> str:
    """The first language of the browser's wishes that we speak."""
    wishes: list[tuple[float, str]] = []
    for part in header.split(",")[:20]:
        tag, _, quality = part.strip().partition(";q=")
        try:
            weight = float(quality) if quality else 1.0
        except ValueError:
            weight = 0.0
        wishes.append((-weight, tag.strip().lower()[:2]))
    for _, tag in sorted(wishes, key=lambda wish: wish[0]):
        if tag in LANGUAGES:
            return tag
    return "en"


def remember(request: Request, response: Response, cookie: str, value: str) -> None:
    """Let the browser keep a reader's wish."""
    response.set_cookie(
        cookie,
        quote(value),
        max_age=YEAR,
        samesite="lax",
        httponly=True,
        secure=request.url.scheme == "https",
    )

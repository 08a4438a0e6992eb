"""What a browser keeps for its reader: language, theme, name, and which tables they like."""

from __future__ import annotations

from urllib.parse import quote, unquote

from starlette.requests import Request
from starlette.responses import Response

from pelagos.engine.words import LANGUAGES
from pelagos.tables.refusals import wished_language
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
    name = unquote(request.cookies.get(NAME, ""))[:320]
    plain = request.cookies.get(PLAIN) == "1"
    return Reader(language, theme if theme in THEMES else "auto", name, plain)


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

"""What a browser keeps for its reader: language, theme, name, and which tables they like."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from urllib.parse import quote, unquote

from starlette.requests import Request
from starlette.responses import Response

from pelagos.bots import FIRST, LADDER
from pelagos.engine.words import LANGUAGES
from pelagos.tables import tokens
from pelagos.tables.acts import clean_name
from pelagos.tables.errors import Malformed
from pelagos.tables.own_games import is_key
from pelagos.tables.refusals import wished_language
from pelagos.web.reader import THEMES, Reader

YEAR = 365 * 86400
LANGUAGE, THEME, NAME = "pelagos-language", "pelagos-theme", "pelagos-name"
PLAIN = "pelagos-plain"
OPPONENT = "pelagos-opponent-"
"""The bot that was chosen last, with a game's id behind it."""
OWN_KEY = "pelagos-me"
"""The browser's own key, under which its games are found again."""
_TABLES = re.compile(r"pelagos-([A-Za-z0-9_-]{22})-(\d|host)")


def reader_of(request: Request) -> Reader:
    """Whoever asks."""
    language = request.cookies.get(LANGUAGE, "")
    if language not in LANGUAGES:
        language = wished_language(request.headers.get("accept-language", ""))
    theme = request.cookies.get(THEME, "auto")
    name = _clean_or_none(request.cookies.get(NAME, ""))
    plain = request.cookies.get(PLAIN) == "1"
    return Reader(language, theme if theme in THEMES else "auto", name, plain)


@lru_cache(maxsize=1000)
def _clean_or_none(cookie: str) -> str:
    """The name that a cookie holds, if it is one: whoever sends it may have written anything."""
    try:
        return clean_name(unquote(cookie)[:320])
    except Malformed:
        return ""


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


def opponent_of(request: Request, game: str) -> str:
    """The bot to play against: the one that was chosen last for this game, else the first one."""
    chosen = request.cookies.get(OPPONENT + game, "")
    return chosen if chosen in _bots() else FIRST.id


def remember_opponent(
    request: Request, response: Response, game: str, wishes: Iterable[str]
) -> None:
    """Let the browser keep the first bot among these seats' wishes, if there is one."""
    chosen = next((wish for wish in wishes if wish in _bots()), "")
    if chosen:
        remember(request, response, OPPONENT + game, chosen)


def _bots() -> set[str]:
    return {creature.id for creature in LADDER}


def own_key(request: Request) -> str:
    """The browser's own key; empty if it has none."""
    key = request.cookies.get(OWN_KEY, "")
    return key if is_key(key) else ""


def table_cookies(request: Request) -> Iterator[tuple[str, str, str]]:
    """The cookies of tables: each one's name, its table and its role there."""
    for name in request.cookies:
        parts = _TABLES.fullmatch(name)
        if parts is not None:
            yield name, parts[1], parts[2]


def seat_cookies(request: Request) -> Iterator[tuple[str, int]]:
    """The tables and seats whose secrets the browser keeps."""
    for _, table, role in table_cookies(request):
        if role != tokens.HOST:
            yield table, int(role)

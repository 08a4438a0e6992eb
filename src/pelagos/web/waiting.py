"""Who waits until a game is compiled, at the first start: what is shown, and what was sent."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response

from pelagos.engine.errors import UnknownGame
from pelagos.engine.game import find_game
from pelagos.tables import acts
from pelagos.tables.server import ServerState
from pelagos.tables.table import BOT, Table
from pelagos.web.reader import own_words

if TYPE_CHECKING:
    from pelagos.tables.compiling import Compiling

MOST_KEPT = 1000
"""Requests that are kept until their game is compiled."""

Answer = Callable[[Request], Awaitable[Response]]
GameOf = Callable[[Request], Awaitable[str]]
"""Which game a request is about; empty: it needs none."""


@dataclass(frozen=True)
class Kept:
    """What somebody sent, until it can be answered."""

    request: Request
    answer: Answer
    game: str


async def asked_game(request: Request) -> str:
    """The game of whoever sends a form for one."""
    return await named_game(request) if request.method == "POST" else ""


async def named_game(request: Request) -> str:
    """The game that the address names."""
    return str(request.path_params.get("game", ""))


class Waiting:
    """Those who wait at one server."""

    def __init__(self, server: ServerState) -> None:
        self.server = server
        self._kept: OrderedDict[str, Kept] = OrderedDict()

    async def uncompiled(self, request: Request, game_of: GameOf) -> str:
        """The game that must be compiled before this can be answered; it is begun with."""
        compiling = self.server.compiling
        if compiling is None or compiling.is_done:
            return ""
        table = request.path_params.get("table", "")
        game = await self.server.tables.game_of(table) if table else await game_of(request)
        try:
            game = find_game(game).id if game else ""
        except UnknownGame:
            return ""
        if not game or compiling.has(game):
            return ""
        if not compiling.why_not(game):
            compiling.want(game)
            return game
        await compiling.ready(game)  # tries again, and tells why not
        return ""

    async def is_uncompiled(self, table: str) -> bool:
        """Must a table's game be compiled before it can be looked at?"""
        compiling = self.server.compiling
        if compiling is None or compiling.is_done:
            return False
        return not compiling.has(await self.server.tables.game_of(table))

    async def keep(self, request: Request, answer: Answer, game: str) -> str:
        """Keep what was sent; whoever names the key goes on with it."""
        body = await request.body()

        async def again() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        key = secrets.token_urlsafe(18)
        self._kept[key] = Kept(Request(dict(request.scope), again), answer, game)
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return key

    def kept(self, key: str) -> Kept | None:
        """What was sent under this key."""
        return self._kept.get(key)

    def forget(self, key: str) -> None:
        """It is being answered."""
        self._kept.pop(key, None)

    def progress(self, language: str, table: Table | None = None) -> dict[str, Any] | None:
        """How far it is, in words and as a share of the whole; None: all is compiled. At a table
        whose bot isn't compiled yet it tells of that.
        """
        compiling = self.server.compiling
        if compiling is None or (progress := compiling.progress) is None:
            return None
        said = {
            "game": progress.game.titles[language],
            "done": progress.done,
            "total": progress.total,
        }
        text = own_words(language).text("preparing.line", said)
        bot = _awaited_bot(compiling, table, language) if table is not None else ""
        if bot:
            text = own_words(language).text("preparing.bot", {"bot": bot})
        return {"text": text, "done": progress.done, "total": progress.total, "bot": bot}


def _awaited_bot(compiling: Compiling, table: Table, language: str) -> str:
    """A bot at the table that isn't compiled yet."""
    for seat in table.seats:
        if seat.kind == BOT:
            creature = acts.find_creature(seat.bot)
            if not compiling.has(table.game.id, creature.bot):
                return creature.names[language]
    return ""

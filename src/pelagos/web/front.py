"""The front page, and what can be read without a table: the day's deal, rules, drawings."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from itertools import islice
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pelagos.engine.errors import PelagosError
from pelagos.engine.game import Game, find_game, games
from pelagos.engine.words import LANGUAGES, words
from pelagos.tables import acts
from pelagos.tables.errors import Malformed
from pelagos.tables.lessons import has_lesson
from pelagos.tables.limits import cost_of
from pelagos.tables.server import given
from pelagos.tables.service import OpenTable
from pelagos.tables.table import GATHERING, OPEN, OVER
from pelagos.web import art, assets, daily
from pelagos.web.cookies import (
    LANGUAGE,
    NAME,
    PLAIN,
    THEME,
    opponent_of,
    reader_of,
    remember,
    table_cookies,
)
from pelagos.web.examples import rules_with_examples, style_address
from pelagos.web.laying import Laying
from pelagos.web.pads import pad_of
from pelagos.web.pages import Pages, first, form_of
from pelagos.web.reader import THEMES, Reader, own_words
from pelagos.web.rules import Rules, rulings_of
from pelagos.web.waiting import named_game

MOST_OWN = 40
"""Tables that the front page lists."""
MOST_OVER = 8
"""Finished ones among them; the others are forgotten."""
MOST_FORGOTTEN = 100
"""Cookies that one answer lets the browser forget; it keeps some hundred."""
MOST_TOTALS = 100
"""Tables that the day's totals are looked for at."""
MOST_OPEN = 12
"""Tables that wait for anyone."""
_ORDER = ("your_move", "gathering", "waiting", "over", "other_rules")
_ENDED = ("over", "other_rules")


class Front:
    """The pages before any table."""

    def __init__(self, pages: Pages, laying: Laying) -> None:
        self.pages = pages
        self.laying = laying
        self._totals: dict[str, tuple[str, int] | None] = {}

    def routes(self) -> list[Route]:
        """Where they are."""
        page = self.pages.page
        return [
            Route("/", page(self.front)),
            Route("/static/{owner}/{name:path}", self.pages.static),
            Route("/settings", page(self.settle), methods=["POST"]),
            Route("/rules/{game}", page(self.rules, named_game)),
            Route("/rulings/{game}", page(self.rulings)),
            Route("/art", page(self.art)),
            Route("/daily", page(self.play_daily, daily_game), methods=["POST"]),
        ]

    async def front(self, request: Request) -> Response:
        """The games, first those that teach themselves; the reader's own tables, first those that
        wait for them.
        """
        reader = reader_of(request)
        shown: list[dict[str, Any]] = [
            {
                "game": game,
                "title": game.titles[reader.language],
                "about": game.about[reader.language],
                "players": players_of(game, reader),
                "rival": acts.find_creature(opponent_of(request, game.id)).names[reader.language],
                "picture": art.title_picture(game.id),
                "client": secrets.token_urlsafe(18),
                "pad": pad_of(game),
                "lesson": has_lesson(game),
            }
            for game in sorted(games().values(), key=lambda game: not has_lesson(game))
        ]
        tables, past = await self.own_tables(request, reader)
        more = {
            "games": shown,
            "tables": tables,
            "open": await self.open_tables(reader, {table["id"] for table in tables}),
            "daily": await self.daily_of(request),
        }
        answer = self.pages.render(request, "front.html", more)
        await self.pages.adopt(request, answer)
        forgettable = (cookie for cookie, table, _ in table_cookies(request) if table in past)
        for cookie in islice(forgettable, MOST_FORGOTTEN):
            answer.delete_cookie(cookie)
        return answer

    async def open_tables(self, reader: Reader, own: set[str]) -> list[dict[str, Any]]:
        """Tables that wait for anyone: those laid for everyone here."""
        rows = await self.pages.server.tables.store.newest(MOST_OPEN, None, GATHERING)
        listed = []
        for row in rows:
            live = await self._readable(row["id"])
            if live is None or row["id"] in own:
                continue
            seats = live.table.seats
            free = sum(seat.kind == OPEN and not seat.taken for seat in seats)
            if not free:
                continue
            names = self.pages.names(live, reader)
            listed.append(
                {
                    "id": row["id"],
                    "title": live.table.game.titles[reader.language],
                    "picture": art.title_picture(live.table.game.id),
                    "with": ", ".join(names[n] for n, seat in enumerate(seats) if seat.taken),
                    "free": free,
                }
            )
        return listed

    async def daily_of(self, request: Request) -> dict[str, Any]:
        """The deal of the day, and how this browser stands with it."""
        reader = reader_of(request)
        ui = own_words(reader.language)
        deal = daily.of(daily.today())
        bot = daily.OPPONENT
        live = await self.daily_table(request, deal)
        return {
            "date": daily.written(deal.day, reader.language),
            "game": deal.game,
            "title": deal.game.titles[reader.language],
            "picture": art.title_picture(deal.game.id),
            "against": ui.text(
                "daily.against", {"count": deal.players - 1, "bot": bot.names[reader.language]}
            ),
            "table": "" if live is None else live.table.id,
            "result": None if live is None else daily.result(live, reader),
            "totals": await self.daily_totals(deal),
        }

    async def daily_totals(self, deal: daily.Daily) -> list[int]:
        """What everyone here has made of the day's deal, best first."""
        rows = await self.pages.server.tables.store.newest(MOST_TOTALS, deal.game.id, OVER)
        for row in rows:
            if row["id"] not in self._totals and not await self.pages.waiting.is_uncompiled(
                row["id"]
            ):
                live = await self._readable(row["id"])
                self._totals[row["id"]] = daily.total(live) if live else None
        totals = [total for row in rows if (total := self._totals.get(row["id"]))]
        return sorted((points for text, points in totals if text == deal.text), reverse=True)

    async def _readable(self, table: str) -> OpenTable | None:
        """A table, if its log can still be followed, and its game is compiled."""
        if await self.pages.waiting.is_uncompiled(table):
            return None
        try:
            live = await self.pages.server.find(table)
        except PelagosError:
            return None
        return None if live.table.is_closed else live

    async def daily_table(self, request: Request, deal: daily.Daily) -> OpenTable | None:
        """The table at which this browser plays the day's deal."""
        day, _, table = request.cookies.get(daily.COOKIE, "").partition(".")
        if day != deal.day.isoformat() or await self.pages.waiting.is_uncompiled(table):
            return None
        try:
            live = await self.pages.server.find(table)
        except PelagosError:
            return None
        return live if live.table.deal == deal.text and not live.table.is_closed else None

    async def play_daily(self, request: Request) -> Response:
        """The deal of the day; asked again, the table that is begun."""
        deal = daily.of(daily.today())
        live = await self.daily_table(request, deal)
        if live is not None:
            return RedirectResponse(f"/t/{live.table.id}", 303)
        wishes = ["me"] + [daily.OPPONENT.id] * (deal.players - 1)
        options = {"players": deal.players}
        form = {
            **await form_of(request),
            "listed": ["on"],
            "hints": ["off"],
        }  # its total counts among all
        answer = await self.laying.lay(request, deal.game, options, wishes, form, deal.text)
        table = answer.headers["location"].removeprefix("/t/")
        remember(request, answer, daily.COOKIE, f"{deal.day.isoformat()}.{table}")
        return answer

    async def own_tables(
        self, request: Request, reader: Reader
    ) -> tuple[list[dict[str, Any]], set[str]]:
        """The tables at which this browser sits, and those that it may forget."""
        past: set[str] = set()
        by_table: dict[str, dict[str, Any]] = {}
        for table, seat, genuine in self.pages.kept_seats(request):
            if not genuine:
                past.add(table)
                continue
            if len(by_table) >= MOST_OWN or await self.pages.waiting.is_uncompiled(table):
                continue
            try:
                live = await self.pages.server.find(table)
                self.pages.server.tables.check(live.table, seat, given(request, table, str(seat)))
            except PelagosError:
                past.add(table)
                continue
            if live.table.broken and not live.table.other_rules:
                past.add(table)
                continue
            state = _state(live, seat)
            if table in by_table and _ORDER.index(by_table[table]["state"]) <= _ORDER.index(state):
                continue
            alone = len(self.pages.seats_of(request, live)) == 1
            others = [
                name
                for number, name in enumerate(self.pages.names(live, reader))
                if live.table.seats[number].taken and not (alone and number == seat)
            ]
            by_table[table] = {
                "id": table,
                "title": live.table.game.titles[reader.language],
                "picture": art.title_picture(live.table.game.id),
                "with": ", ".join(others),
                "lesson": live.table.lesson,
                "state": state,
                "used": live.used,
            }
        tables = sorted(
            by_table.values(), key=lambda listed: (_ORDER.index(listed["state"]), -listed["used"])
        )
        ended = [listed for listed in tables if listed["state"] in _ENDED]
        past |= {listed["id"] for listed in ended[MOST_OVER:]}
        past -= {listed["id"] for listed in tables if listed not in ended}
        return [listed for listed in tables if listed["id"] not in past], past

    async def settle(self, request: Request) -> Response:
        """Keep the reader's language, theme or name."""
        form = await form_of(request)
        back = first(form, "back", "/")
        answer = RedirectResponse(back if _is_here(back) else "/", 303)
        if first(form, "language") in LANGUAGES:
            remember(request, answer, LANGUAGE, first(form, "language"))
        if first(form, "theme") in THEMES:
            remember(request, answer, THEME, first(form, "theme"))
        if first(form, "plain") in ("0", "1"):
            remember(request, answer, PLAIN, first(form, "plain"))
        name = first(form, "name").strip()
        if not name:
            return answer
        try:
            remember(request, answer, NAME, acts.clean_name(name))
        except Malformed as error:  # the rest is kept, and what was typed stands there again
            more = {"why": error.say(reader_of(request).language), "status": 422}
            refused = self.pages.render(
                request, "error.html", {**more, "typed": name, "back": back}, 422
            )
            cookies = [header for header in answer.raw_headers if header[0] == b"set-cookie"]
            refused.raw_headers.extend(cookies)
            return refused
        return answer

    async def rules(self, request: Request) -> Response:
        """A game's rules."""
        return await self._text(request, rules_with_examples, "help.rules")

    async def rulings(self, request: Request) -> Response:
        """What we decided where a game's rulebook is silent."""
        return await self._text(request, rulings_of, "help.rulings")

    async def _text(
        self, request: Request, page_of: Callable[[str, str], Rules | None], heading: str
    ) -> Response:
        game = find_game(request.path_params["game"])
        reader = reader_of(request)
        page = await cost_of(request.scope).aside(page_of, game.id, reader.language)
        if page is None:
            raise HTTPException(404)
        more = {
            "rules": page,
            "heading": heading,
            "title": game.titles[reader.language],
            "game": game,
            "players": players_of(game, reader),
            "picture": art.title_picture(game.id),
            "pad": pad_of(game),
            "examples": await asyncio.to_thread(style_address, game.id),
            "lesson": has_lesson(game),
        }
        return self.pages.render(request, "rules.html", more)

    async def art(self, request: Request) -> Response:
        """Every symbol, in three sizes, by day and by night."""
        reader = reader_of(request)
        ui = own_words(reader.language)
        sets: list[dict[str, Any]] = [
            {
                "id": game.id,
                "title": game.titles[reader.language],
                "picture": art.title_picture(game.id),
                "sprite": art.sprite_address(game.id),
                "symbols": [
                    (name, _called(game, name, reader.language))
                    for name in sorted(art.art_names(game.id), key=_things_first(game))
                ],
            }
            for game in games().values()
        ]
        icons = art.symbol_names((assets.STATIC / "icons.svg").read_text(encoding="utf-8"))
        own = [(name, name) for name in sorted(icons)]
        sets.append(
            {
                "id": "icons",
                "title": ui.text("art.icons"),
                "picture": "",
                "sprite": "/static/app/icons.svg",
                "symbols": own,
            }
        )
        return self.pages.render(request, "art.html", {"sets": sets})


async def daily_game(request: Request) -> str:
    """The game of the day's deal."""
    return daily.of(daily.today()).game.id


def players_of(game: Game, reader: Reader) -> str:
    """How many play."""
    ends = {"from": game.players[0], "to": game.players[-1]}
    return own_words(reader.language).text("front.players", ends)


def _called(game: Game, name: str, language: str) -> str:
    """What a symbol shows, in the reader's words, where it has some."""
    said = words(game, language)
    return said.noun(name) if said.has(f"noun.{name}") else name


def _things_first(game: Game) -> Callable[[str], tuple[bool, str]]:
    """An order of symbols: what has a name in the game, then signs and scenery."""
    said = words(game, "en")
    return lambda name: (not said.has(f"noun.{name}"), name)


def _state(live: OpenTable, seat: int) -> str:
    if live.table.other_rules:
        return "other_rules"
    if live.table.state == GATHERING:
        return "gathering"
    if live.table.state == OVER:
        return "over"
    return "your_move" if seat in live.table.waiting else "waiting"


def _is_here(address: str) -> bool:
    """Is this an address of ours?"""
    return address.startswith("/") and not address.startswith(("//", "/\\"))

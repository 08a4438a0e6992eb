"""Laying a table: against bots at once, with friends by a link, or seat by seat."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pelagos.bots import FIRST, LADDER, told_against
from pelagos.engine.errors import BadOption, PelagosError
from pelagos.engine.game import BY_LOT, Game, find_game
from pelagos.engine.series import OFFERED
from pelagos.engine.words import words
from pelagos.tables import acts, tokens
from pelagos.tables.errors import Malformed
from pelagos.tables.lessons import CLOSED, LEARNER, Lesson, has_lesson, lesson_of
from pelagos.tables.limits import address_of
from pelagos.tables.server import keep
from pelagos.tables.service import OpenTable
from pelagos.tables.table import BOT, FREE, OPEN, PACES, PERSON
from pelagos.web import art
from pelagos.web.cookies import (
    NAME,
    opponent_of,
    reader_of,
    remember,
    remember_opponent,
    seat_cookies,
)
from pelagos.web.marks import tints
from pelagos.web.packs import own_files, pack_of
from pelagos.web.pages import Pages, first, form_of, new_device, number_in, whole
from pelagos.web.reader import Reader, own_words

HINTS = {"on": True, "off": False}
"""What the form may say of hints; else they are given where one plays against bots."""
_KINDS = {"me": OPEN, "open": OPEN, "here": OPEN, "kept": PERSON}
"""What a seat is asked to be, if no bot's."""


class Laying:
    """The ways to a new table."""

    def __init__(self, pages: Pages) -> None:
        self.pages = pages

    def routes(self) -> list[Route]:
        """Where they are."""
        page = self.pages.page
        return [
            Route("/play/{game}", page(self.play), methods=["POST"]),
            Route("/invite/{game}", page(self.invite), methods=["POST"]),
            Route("/learn/{game}", page(self.learn), methods=["POST"]),
            Route("/learn/{game}/real", page(self.play_real), methods=["POST"]),
            Route("/new/{game}", page(self.new)),
            Route("/new/{game}", page(self.create), methods=["POST"]),
        ]

    async def play(self, request: Request) -> Response:
        """Against one bot, at once."""
        game = find_game(request.path_params["game"])
        players = fewest_rivals(game)
        wishes = ["me"] + [opponent_of(request, game.id)] * (players - 1)
        return await self.lay(request, game, {"players": players}, wishes, await form_of(request))

    async def invite(self, request: Request) -> Response:
        """A table with one friend, and a link; whoever has no name yet is asked for one."""
        game = find_game(request.path_params["game"])
        players = fewest_rivals(game)
        wishes = ["me"] + ["open"] * (players - 1)
        if not reader_of(request).name:
            ask = f"/new/{game.id}?players={players}"
            friends = "".join(f"&seat{seat}=open" for seat in range(1, players))
            return RedirectResponse(f"{ask}{friends}&ask=name", 303)
        form = await form_of(request)
        form["listed"] = ["on"] if self.pages.public else []
        return await self.lay(request, game, {"players": players}, wishes, form)

    async def learn(self, request: Request) -> Response:
        """A game's lesson; asked again, the one that is begun."""
        game = find_game(request.path_params["game"])
        lesson = lesson_of(game.id)
        if lesson is None:
            raise HTTPException(404)
        begun = await self._begun_lesson(request, game)
        if begun is not None:
            return RedirectResponse(f"/t/{begun}", 303)
        wishes = ["me"] + [lesson.bot_of(seat) for seat in range(1, lesson.players)]
        options = {"players": lesson.players, **lesson.options}
        form = {"client": [secrets.token_urlsafe(18)]}
        return await self.lay(request, game, options, wishes, form, lesson.deal, lesson)

    async def _begun_lesson(self, request: Request, game: Game) -> str | None:
        """The table of the game's lesson at which this browser sits and hasn't ended."""
        for table, _ in seat_cookies(request):
            try:
                live = await self.pages.server.find(table)
            except PelagosError:
                continue
            if live.table.is_closed:
                continue
            taught = acts.walk(live.table)
            if (
                live.table.game is game
                and taught is not None
                and not taught.is_taught
                and live.table.lesson_shown != CLOSED
                and LEARNER in self.pages.seats_of(request, live)
            ):
                return table
        return None

    async def play_real(self, request: Request) -> Response:
        """After a lesson: a whole game, against the weakest bot that thinks."""
        game = find_game(request.path_params["game"])
        players = fewest_rivals(game)
        wishes = ["me"] + [FIRST.id] * (players - 1)
        return await self.lay(request, game, {"players": players}, wishes, await form_of(request))

    async def new(self, request: Request) -> Response:
        """Choose seats and options."""
        query = request.query_params
        return self._show_new(request, {name: query.getlist(name) for name in query})

    def _show_new(
        self, request: Request, filled: Mapping[str, list[str]], why: str = ""
    ) -> Response:
        """The page, with all that was told so far, as it was; `why` something of it is refused."""
        game = find_game(request.path_params["game"])
        form = _swapped(filled)
        asked = form.get("players", [""])[-1]  # the button's, after the form's own
        players = whole(asked) or 0
        players = players if players in game.players else game.default_players
        reader = reader_of(request)
        usual = ["me"] + [opponent_of(request, game.id)] * (players - 1)
        colours = _colours(form, players)
        more = {
            "game": game,
            "game_id": game.id,
            "title": game.titles[reader.language],
            "players": players,
            "against": [told_against(game, creature, reader.language) for creature in LADDER],
            "wishes": [first(form, f"seat{seat}", usual[seat]) for seat in range(players)],
            "names_told": [first(form, f"name{seat}") for seat in range(players)],
            "my_name": first(form, "name", reader.name),
            "asks_name": first(form, "ask") == "name",
            "picked": lambda name, usual: first(form, name, str(usual)),
            "ticked": lambda name, usual: name in form if "client" in form else usual,
            "picture": art.title_picture(game.id),
            "paces": tuple(PACES),
            "options": [option for option in game.options if option.is_for(players)],
            "lengths": OFFERED if players > 1 else (),
            "first": game.first if game.first and players in game.first.players else None,
            "is_open": why or any(name in form for name in ("swap", "more")),
            "listed": bool(self.pages.public),
            "colours": colours,
            "colour_names": _colour_names(game, reader.language),
            "tints": tints(colours),
            "pack": pack_of(game, first(form, "pack")),
            "pack_code": first(form, "pack"),
            "lesson": has_lesson(game),
            "why": why,
        }
        return self.pages.render(request, "new.html", more, 422 if why else 200)

    async def create(self, request: Request) -> Response:
        """Lay the table that was asked for."""
        game = find_game(request.path_params["game"])
        form = await form_of(request)
        try:
            players = number_in(form, "players")
            usual = opponent_of(request, game.id)
            wishes = [first(form, f"seat{seat}", usual) for seat in range(max(0, min(players, 8)))]
            answer = await self.lay(request, game, _options(game, players, form), wishes, form)
        except (BadOption, Malformed) as error:
            return self._show_new(request, form, error.say(reader_of(request).language))
        remember_opponent(request, answer, game.id, wishes)
        return answer

    async def lay(
        self,
        request: Request,
        game: Game,
        options: Mapping[str, Any],
        wishes: list[str],
        form: Mapping[str, list[str]],
        deal: str = "",
        lesson: Lesson | None = None,
    ) -> Response:
        """A new table, with the asker at it."""
        reader = reader_of(request)
        self.pages.server.new_tables.spend(address_of(request.scope))
        tables = self.pages.server.tables
        await tables.ready(game.id)
        if tables.compiling is not None:
            bots = {acts.find_creature(wish).bot for wish in wishes if wish not in _KINDS}
            tables.compiling.want(game.id, *bots)
        sitters = _sitters(form, wishes, reader)
        seats = [
            {"kind": _KINDS[wish]} if wish in _KINDS else {"kind": BOT, "bot": wish}
            for wish in wishes
        ]
        previews = "players" not in form or "previews" in form
        pace = first(form, "pace", FREE)
        entries = acts.create(
            game.id,
            options,
            seats,
            listed=bool(first(form, "listed")),
            previews=previews,
            table_options=lesson.table_options if lesson else _table_options(game, form),
            pace=pace,
            deal=deal,
            free_talk=None if "players" not in form else "talk" in form,
            hints=HINTS.get(first(form, "hints")),
            series=number_in(form, "series") if first(form, "series") else 1,
            colours=_colours(form, len(wishes)) if "colour0" in form else (),
            pack=own_files(game, first(form, "pack")),
            lesson=lesson is not None,
        )
        live = await self.pages.server.lay(request, entries)
        table = live.table.id
        answer = RedirectResponse(f"/t/{table}", 303)
        keep(request, answer, table, tokens.HOST, self.pages.server.tables.host_token(live.table))
        device = new_device()
        for order, (seat, called) in enumerate(sitters):
            digits = "" if order else first(form, "bytes")  # a browser mixes in once
            client = secrets.token_urlsafe(18)
            await self.take(request, answer, live, seat, called, digits, client, device=device)
        if not sitters and all(chair.kind == BOT for chair in live.table.seats):
            await self.pages.server.tables.do(table, acts.start)
        if first(form, "name").strip():
            remember(request, answer, NAME, acts.clean_name(first(form, "name")))
        return answer

    async def take(
        self,
        request: Request,
        answer: Response,
        live: OpenTable,
        seat: int,
        name: str,
        digits: str,
        client: str,
        invited: bool = False,
        device: str = "",
    ) -> None:
        """Sit somebody down, and let the browser keep the seat's secret."""
        table = live.table.id
        device = device or self.pages.device_of(request, live)
        await self.pages.server.tables.do(
            table, lambda now: acts.sit(now, seat, name, digits, client, invited, device)
        )
        await self.pages.keep_seat(request, answer, live, seat)


def fewest_rivals(game: Game) -> int:
    """The players of a table that is laid by one tap: two, where the game allows it."""
    return 2 if 2 in game.players else game.players[-1]


def _table_options(game: Game, form: Mapping[str, list[str]]) -> dict[str, bool]:
    """The table's options as a form tells them, where it asks for them."""
    if "players" not in form:
        return {}
    return {option.name: bool(first(form, f"table-{option.name}")) for option in game.table_options}


def _options(game: Game, players: int, form: Mapping[str, list[str]]) -> dict[str, Any]:
    """The game's options as a form tells them."""
    options: dict[str, Any] = {"players": players}
    for option in game.options:
        value = first(form, f"option-{option.name}")
        if isinstance(option.default, bool):
            options[option.name] = bool(value)
        elif value:
            options[option.name] = _number(value)
    begins = first(form, "first", str(BY_LOT))
    if game.first is not None and begins != str(BY_LOT):
        options[game.first.name] = _number(begins)
    return options


def _colours(form: Mapping[str, list[str]], players: int) -> list[int]:
    """The seats' colours as a form tells them, and for a seat of which it tells none a free one."""
    chosen = [first(form, f"colour{seat}") for seat in range(players)]
    free = [str(colour) for colour in range(acts.COLOURS) if str(colour) not in chosen]
    colours = [colour or free.pop(0) for colour in chosen]
    return [int(colour) if re.fullmatch("[0-9]", colour) else -1 for colour in colours]


def _colour_names(game: Game, language: str) -> list[str]:
    """The colours to choose from; none where pieces have those of their seats."""
    if game.fixed_colours:
        return []
    said = words(game, language)
    return [said.text(f"seat_colour.s{colour}") for colour in range(acts.COLOURS)]


def _number(value: str) -> int | str:
    return int(value) if re.fullmatch(r"-?[0-9]{1,7}", value) else value


def _swapped(form: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """What was told, with a seat and the next one in each other's place if that is asked for."""
    asked = first(form, "swap")
    if not re.fullmatch(r"[0-7]", asked):
        return dict(form)
    here, there = asked, str(int(asked) + 1)
    other = {here: there, there: here}
    swapped = dict(form)
    for field in ("seat", "name"):
        for number in (here, there):
            swapped.pop(f"{field}{number}", None)
            if f"{field}{other[number]}" in form:
                swapped[f"{field}{number}"] = form[f"{field}{other[number]}"]
    begins = first(form, "first")
    if begins in other:
        swapped["first"] = [other[begins]]
    return swapped


def _sitters(
    form: Mapping[str, list[str]], wishes: list[str], reader: Reader
) -> list[tuple[int, str]]:
    """Who sits down at this browser, the asker first: the seats and their names, checked before a
    table is laid for them.
    """
    ui = own_words(reader.language)
    name = first(form, "name").strip() or reader.name or ui.text("site.sailor")
    sitting = [seat for seat, wish in enumerate(wishes) if wish == "me"]
    sitting += [seat for seat, wish in enumerate(wishes) if wish == "here"]
    sitters = []
    for order, seat in enumerate(sitting):
        called = first(form, f"name{seat}").strip() if order else name
        called = called or ui.text("seat.empty", {"number": seat + 1})
        sitters.append((seat, acts.clean_name(called)))
    return sitters

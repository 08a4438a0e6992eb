"""My games: a browser's own games on this server, found by its own key; no account."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from babel.dates import format_date
from babel.numbers import format_decimal
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pelagos.engine.errors import PelagosError, text
from pelagos.engine.game import Game, games
from pelagos.engine.words import words
from pelagos.tables.errors import Malformed, NotFound
from pelagos.tables.message import about_seat
from pelagos.tables.own_games import FROM_FILE, PLAYED_ON, OwnGame, is_key, owner_of
from pelagos.tables.saved import SavedGame
from pelagos.tables.table import BOT, OVER, PERSON, Seat
from pelagos.web import art, daily
from pelagos.web.charts import Scale, bar, mean, scale_of
from pelagos.web.cookies import OWN_KEY, reader_of, remember, table_cookies
from pelagos.web.drawing import names_of
from pelagos.web.pages import Pages, first, form_of
from pelagos.web.reader import Reader, own_words

MOST_ROWS = 12
"""Results that the page lists; the others are a click away."""
MOST_POINTS = 30
"""Games that a chart shows: the newest."""
WEEKS = 5
"""Weeks of daily deals that the page shows."""
LARGEST_FILE = 20_000
"""Bytes of an exported file."""
LARGEST_RECORD = 900_000
"""Bytes of a saved game; larger files would be put aside by threads, and a browser has none."""
LARGEST_FORM = 2_000
"""Bytes of a form beside its file."""
FILE_KIND = "pelagos my games"
PLOT = (34.0, 312.0, 84.0, 8.0)
"""A chart's plot: left, right, bottom, top."""


class Mine:
    """The pages of one's own games."""

    def __init__(self, pages: Pages) -> None:
        self.pages = pages

    def routes(self) -> list[Route]:
        """Where they are."""
        page = self.pages.page
        opening = [Route("/mine/open", page(self.open), methods=["POST"])]
        return [
            *(opening if self.pages.pocket else ()),
            Route("/mine", page(self.mine)),
            Route("/mine/games.json", page(self.results)),
            Route("/mine/file", page(self.export), methods=["POST"]),
            Route("/mine/import", page(self.bring), methods=["POST"]),
            Route("/mine/erase", page(self.erase), methods=["POST"]),
            Route("/mine/delete", page(self.ask)),
            Route("/mine/delete", page(self.delete), methods=["POST"]),
        ]

    async def mine(self, request: Request) -> Response:
        """All own games: results, points, accuracy, best scores, streaks."""
        return await self._show(request)

    async def _show(self, request: Request, why: str = "", status: int = 200) -> Response:
        cookies = Response()
        await self.pages.adopt(request, cookies)
        own = await self._own_games(request)
        reader = reader_of(request)
        shown = own if "all" in request.query_params else own[:MOST_ROWS]
        more = {
            "count": len(own),
            "won": sum(_won(game) for game in own),
            "cards": _cards(own, reader),
            "accuracy": _accuracy(own),
            "days": _days(own, reader),
            "rows": [_row(game, reader) for game in shown],
            "left": len(own) - len(shown),
            "done": request.query_params.get("done", ""),
            "has_key": bool(self.pages.key_of(request)),
            "erases": self.pages.server.erasing is not None,
            "why": why,
        }
        answer = self.pages.render(request, "mine.html", more, status)
        answer.raw_headers.extend(
            header for header in cookies.raw_headers if header[0] == b"set-cookie"
        )
        return answer

    async def _own_games(self, request: Request) -> list[OwnGame]:
        key = self.pages.key_of(request)
        return await self.pages.server.own_games.of(owner_of(key)) if key else []

    async def export(self, request: Request) -> Response:
        """The file with which another browser finds these games: it holds the key."""
        key = self.pages.key_of(request)
        if not key:
            raise NotFound(text("web/mine.none"))
        keep = own_words(reader_of(request).language).text("mine.secret")
        return _download("pelagos-key", {"kind": FILE_KIND, "keep": keep, "key": key})

    async def results(self, request: Request) -> Response:
        """The own results as data; no key in it."""
        own = await self._own_games(request)
        return _download("pelagos-games", [game.as_json() for game in own])

    async def bring(self, request: Request) -> Response:
        """Let this browser have the games of an exported file, beside its own."""
        try:
            key = _key_in(await _sent_file(request, LARGEST_FILE))
            own = self.pages.server.own_games
            if not await own.held(owner_of(key)):
                raise Malformed(text("web/mine.unknown"))
        except Malformed as error:
            return await self._show(request, error.say(reader_of(request).language), 422)
        before = self.pages.key_of(request)
        if before and before != key:
            await own.merge(owner_of(before), owner_of(key))
        answer = RedirectResponse("/mine?done=brought", 303)
        remember(request, answer, OWN_KEY, key)
        return answer

    async def open(self, request: Request) -> Response:
        """Let a saved game, a record, be one of this browser's."""
        try:
            saved = SavedGame.read(await _sent_file(request, LARGEST_RECORD))
        except PelagosError as error:
            refused = Malformed(text("web/mine.not_opened", reason=error.text))
            return await self._show(request, refused.say(reader_of(request).language), 422)
        table = await self.pages.server.tables.create(saved.entries(), table_id=saved.table)
        answer = RedirectResponse("/mine?done=opened", 303)
        for seat in saved.people:
            await self.pages.keep_seat(request, answer, table, seat)
        return answer

    async def ask(self, request: Request) -> Response:
        """What would be deleted, and what would stay."""
        own, key = await self._own_games(request), self.pages.key_of(request)
        alone = await self.pages.server.own_games.alone(owner_of(key)) if key else []
        more = {
            "count": len(own),
            "gone": sum(game.table in alone for game in own),
            "stay": sum(game.table not in alone for game in own),
        }
        return self.pages.render(request, "mine_delete.html", more)

    async def erase(self, request: Request) -> Response:
        """Erase the names under which this browser's people sat at tables; games stay."""
        key, erasing = self.pages.key_of(request), self.pages.server.erasing
        if first(await form_of(request), "sure") == "1" and key and erasing:
            await self.pages.adopt(request, Response())
            await erasing.erase(owner_of(key))
            return RedirectResponse("/mine?done=erased", 303)
        return RedirectResponse("/mine#keep", 303)

    async def delete(self, request: Request) -> Response:
        """Delete the list, the games at which nobody else sat, and the own names in others."""
        if first(await form_of(request), "sure") != "1":
            return await self.ask(request)
        key = self.pages.key_of(request)
        if key:
            own, erasing = self.pages.server.own_games, self.pages.server.erasing
            alone = await own.alone(owner_of(key))
            if erasing:
                await erasing.erase(owner_of(key))
            await own.forget(owner_of(key), alone)
        answer = RedirectResponse("/mine?done=deleted", 303)
        answer.delete_cookie(OWN_KEY)
        for name, table, _ in table_cookies(request):
            if await self._is_over(table):
                answer.delete_cookie(name)
        return answer

    async def _is_over(self, table: str) -> bool:
        """Is a table over, or gone? Those that are played go on, and stay in the browser."""
        try:
            return (await self.pages.server.find(table)).table.state == OVER
        except PelagosError:
            return True


async def _sent_file(request: Request, most: int) -> str:
    """The file that a form sent."""
    if len(await request.body()) > most + LARGEST_FORM:
        raise Malformed(text("web/mine.file_large", most=most))
    async with request.form(max_files=1, max_fields=2) as form:
        sent = form.get("file")
        file = await sent.read() if isinstance(sent, UploadFile) else b""
    return file.decode("utf-8", "replace")


def _key_in(file: str) -> str:
    """The key of an exported file."""
    try:
        document = json.loads(file)
    except ValueError:
        document = None
    key = (
        document.get("key")
        if isinstance(document, dict) and document.get("kind") == FILE_KIND
        else None
    )
    if not isinstance(key, str) or not is_key(key):
        raise Malformed(text("web/mine.no_file"))
    return key


def _download(name: str, data: Any) -> Response:
    """Data as a file to keep."""
    file = f"{name}-{daily.today().isoformat()}.json"
    return Response(
        json.dumps(data, ensure_ascii=False, indent=1),
        headers={"Content-Disposition": f'attachment; filename="{file}"'},
        media_type="application/json",
    )


def _won(game: OwnGame) -> bool:
    return any(seat in game.result["winners"] for seat in game.seats)


def _points(game: OwnGame) -> int:
    return int(game.result["scores"][game.seats[0]])


def _bots(game: OwnGame) -> list[int]:
    return [seat for seat, sat in enumerate(game.result["seats"]) if "bot" in sat]


def _decimal(number: float | None, reader: Reader) -> str:
    """A mean as people write it: 4.2 or 4,2."""
    if number is None:
        return "–"
    written: str = format_decimal(round(number, 1), "#,##0.0", locale=reader.language)
    return written.replace("-", "−")


def _day(seconds: float, reader: Reader) -> str:
    day = datetime.fromtimestamp(seconds, UTC).date()
    year = "" if day.year == daily.today().year else " y"
    written: str = format_date(day, f"d MMM{year}", locale=reader.language)
    return written


# --- results ------------------------------------------------------------------------------------


def _row(game: OwnGame, reader: Reader) -> dict[str, Any]:
    """A line of the list."""
    ui, result = own_words(reader.language), game.result
    installed = games().get(result["game"])
    seats = [
        about_seat(Seat(BOT if "bot" in sat else PERSON, sat["name"], sat.get("bot", "")))
        for sat in result["seats"]
    ]
    names = names_of(seats, reader.language, ui)
    seat = min(game.seats, key=lambda seat: result["places"][seat])
    place = result["places"][seat]
    return {
        "day": _day(game.ended, reader),
        "iso": datetime.fromtimestamp(game.ended, UTC).date().isoformat(),
        "title": installed.titles[reader.language] if installed else result["game"],
        "picture": art.title_picture(installed.id) if installed else "",
        "with": ", ".join(name for other, name in enumerate(names) if other not in game.seats),
        "several": len(game.seats) > 1,
        "daily": bool(daily.day_of(result["deal"])),
        "played_on": result["deal"].startswith(PLAYED_ON),
        "from_file": result["deal"] == FROM_FILE,
        "own_pack": result["own_pack"],
        "lesson": result["lesson"],
        "place": place,
        "of": ui.text(
            "daily.of",
            {
                "place": ui.text(f"daily.place{min(place, 4)}", {"place": place}),
                "count": len(names),
            },
        ),
        "alone": len(names) == 1,
        "points": result["scores"][seat],
        "accuracy": _accuracy_of(game),
        "replay": _replay(game) if installed else "",
        "coach": f"/t/{game.table}/coach?game={game.number}&seat={game.seats[0]}",
    }


def _replay(game: OwnGame) -> str:
    return f"/t/{game.table}/replay?game={game.number}&eyes={game.seats[0]}"


# --- a game's card ------------------------------------------------------------------------------


def _cards(own: Sequence[OwnGame], reader: Reader) -> list[dict[str, Any]]:
    """A card for each game, that played last first."""
    order = dict.fromkeys(game.result["game"] for game in own)
    return [
        _card(games()[name], counted, reader)
        for name in order
        if name in games()
        and (counted := [game for game in own if game.counts and game.result["game"] == name])
    ]


def _card(game: Game, own: Sequence[OwnGame], reader: Reader) -> dict[str, Any]:
    best = max(own, key=_points)
    rivals = [game.result["scores"][seat] for game in own for seat in _bots(game)]
    return {
        "id": game.id,
        "title": game.titles[reader.language],
        "picture": art.title_picture(game.id),
        "count": len(own),
        "won": sum(_won(game) for game in own),
        "contested": any(len(game.result["seats"]) > 1 for game in own),
        "best": _points(best),
        "best_day": _day(best.ended, reader),
        "best_replay": _replay(best),
        "mean": _decimal(mean([_points(game) for game in own]), reader),
        "bots": _decimal(mean(rivals), reader) if rivals else "",
        "chart": _points_chart(own, rivals, reader),
        "lines": _lines(game, own, reader),
    }


def _points_chart(
    own: Sequence[OwnGame], rivals: Sequence[int], reader: Reader
) -> dict[str, Any] | None:
    """Points, game by game; None before there are two."""
    newest = list(reversed(own[:MOST_POINTS]))
    if len(newest) < 2:
        return None
    left, right, bottom, top = PLOT
    own_mean = sum(map(_points, own)) / len(own)
    rival_mean = mean(rivals)
    values = [*map(_points, newest), own_mean, *([] if rival_mean is None else [rival_mean])]
    up = scale_of(values, bottom, top)
    along = Scale(0, len(newest) - 1, left + 6, right - 6)
    return {
        "dots": [
            {
                "x": along.at(number),
                "y": up.at(_points(game)),
                "won": _won(game),
                "points": _points(game),
                "day": _day(game.ended, reader),
            }
            for number, game in enumerate(newest)
        ],
        "line": " ".join(f"{along.at(n)},{up.at(_points(game))}" for n, game in enumerate(newest)),
        "mean": up.at(own_mean),
        "bots": None if rival_mean is None else up.at(rival_mean),
        "ticks": up.ticks(3),
    }


def _lines(game: Game, own: Sequence[OwnGame], reader: Reader) -> list[dict[str, Any]]:
    """The lines of the sheet: the newest game, the own mean and the bots'."""
    said = words(game, reader.language)
    rows = []
    for line in own[0].result["lines"][own[0].seats[0]]:
        mine = [played.result["lines"][played.seats[0]].get(line, 0) for played in own]
        theirs = [
            played.result["lines"][seat].get(line, 0) for played in own for seat in _bots(played)
        ]
        if any(mine) or any(theirs):
            rows.append((line, mine[0], mean(mine) or 0.0, mean(theirs)))
    if not rows:
        return []
    values = [value for _, *three in rows for value in three if value is not None]
    scale = Scale(min(0, *values), max(1, *values), 0, 100)
    return [
        {
            "label": said.text(f"line.{line}"),
            "newest": newest,
            "own": _decimal(own_mean, reader),
            "bots": _decimal(bots_mean, reader),
            "own_bar": bar(scale, own_mean),
            "bots_bar": None if bots_mean is None else bar(scale, bots_mean),
            "newest_at": scale.at(newest),
            "zero": scale.at(0),
        }
        for line, newest, own_mean, bots_mean in rows
    ]


# --- accuracy and the daily deal ----------------------------------------------------------------


def _accuracy_of(game: OwnGame) -> float | None:
    """The own seat's accuracy in per cent, if the coach has seen the game."""
    if len(game.seats) != 1 or not game.accuracy:
        return None
    seen = game.accuracy[game.seats[0]]
    return None if seen is None else round(seen, 1)


def _accuracy(own: Sequence[OwnGame]) -> dict[str, Any] | None:
    """Accuracy, game by game, of the newest games that the coach has seen."""
    seen = [value for game in own if (value := _accuracy_of(game)) is not None]
    newest = list(reversed(seen[:MOST_POINTS]))
    if not newest:
        return None
    left, right, bottom, top = PLOT
    up = Scale(min(50, *(value // 10 * 10 for value in newest), 90), 100, bottom, top)
    along = Scale(0, max(1, len(newest) - 1), left + 6, right - 6)
    return {
        "count": len(seen),
        "newest": round(newest[-1]),
        "mean": round(sum(newest) / len(newest)),
        "dots": [(along.at(n), up.at(value), round(value)) for n, value in enumerate(newest)],
        "line": " ".join(f"{along.at(n)},{up.at(value)}" for n, value in enumerate(newest)),
        "ticks": up.ticks(3),
    }


def _days(own: Sequence[OwnGame], reader: Reader) -> dict[str, Any]:
    """The daily deals that were played to their end, and how many days in a row."""
    played: dict[date, bool] = {}
    for game in own:
        day = daily.day_of(game.result["deal"])
        if day is not None:
            played[day] = played.get(day, False) or _won(game)
    today = daily.today()
    monday = today - timedelta(days=today.weekday(), weeks=WEEKS - 1)
    week = [monday + timedelta(days=number) for number in range(7)]
    return {
        "count": len(played),
        "now": _streak(played, today) or _streak(played, today - timedelta(days=1)),
        "best": max((_streak(played, day) for day in played), default=0),
        "letters": [format_date(day, "EEEEE", locale=reader.language) for day in week],
        "weeks": [
            [
                {
                    "day": daily.written(day, reader.language),
                    "x": number,
                    "played": day in played,
                    "won": played.get(day, False),
                    "today": day == today,
                    "future": day > today,
                }
                for number, day in enumerate(_week(monday, row))
            ]
            for row in range(WEEKS)
        ],
    }


def _week(monday: date, number: int) -> list[date]:
    return [monday + timedelta(days=day, weeks=number) for day in range(7)]


def _streak(played: dict[date, bool], last: date) -> int:
    """Days in a row, up to this one."""
    days = 0
    while last - timedelta(days=days) in played:
        days += 1
    return days

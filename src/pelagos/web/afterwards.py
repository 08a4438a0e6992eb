"""After the game: was it fair, its record, and the whole of it again."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from pelagos.engine.errors import PelagosError
from pelagos.engine.record import SUFFIX
from pelagos.tables import fairness, tokens
from pelagos.tables.errors import NotFound
from pelagos.tables.limits import address_of, cost_of
from pelagos.tables.message import about_beacon
from pelagos.tables.message import record as table_record
from pelagos.tables.own_games import FROM_FILE
from pelagos.tables.server import keep
from pelagos.tables.service import OpenTable
from pelagos.tables.sharing import Claim, Turns
from pelagos.tables.table import Finished, Table
from pelagos.web import daily, replay
from pelagos.web.cookies import opponent_of, reader_of
from pelagos.web.drawing import Drawing
from pelagos.web.pages import BY_SCRIPT, Pages, first, form_of, number_in, whole
from pelagos.web.reader import Reader, own_words

Result = TypeVar("Result")


class Afterwards:
    """The pages of finished games."""

    def __init__(self, pages: Pages) -> None:
        self.pages = pages
        self._turns = Turns()

    def routes(self) -> list[Route]:
        """Where they are."""
        page = self.pages.page
        return [
            Route("/t/{table}/fair", page(self.fair)),
            Route("/t/{table}/record", page(self.record)),
            Route("/t/{table}/replay", page(self.replay)),
            Route("/t/{table}/replay", page(self.play_on), methods=["POST"]),
        ]

    async def _aside(self, request: Request, work: Callable[..., Result], *given: Any) -> Result:
        """Do what goes through a whole game beside the loop, for one reader after the other: next
        is the address that has asked for least.
        """
        async with self._turns.turn(Claim(address_of(request.scope))):
            return await cost_of(request.scope).aside(work, *given)

    async def fair(self, request: Request) -> Response:
        """Was the shuffle fair?"""
        live = await self.pages.server.find(request.path_params["table"])
        checks = await self._aside(request, _check_all, live.table.copy())
        commitment, beacon = fairness.commitment(live.table.secret), live.table.beacon
        more = {
            "checks": checks,
            "id": live.table.id,
            "commitment": commitment,
            "deal": live.table.deal,
            "from_file": live.table.deal == FROM_FILE,
            "beacon": beacon and about_beacon(live.table, beacon),
            "adds": _adding(live.table),
            "playing": live.table.match is not None,
            "day": daily.day_of(live.table.deal),
        }
        return self.pages.render(request, "fair.html", more)

    async def replay(self, request: Request) -> Response:
        """A finished game again, step by step."""
        live = await self.pages.server.find(request.path_params["table"])
        query, reader = request.query_params, reader_of(request)
        finished, number = _which(live, query.get("game", ""))
        length = replay.length(finished)
        at = min(whole(query.get("at", "")) or 0, length)
        eyes = query.get("eyes") or str(max(0, self.pages.viewer_of(request, live)))
        drawing, inside = await self._aside(
            request, _draw_step, live.table.copy(), number, at, eyes, reader
        )
        if request.headers.get(BY_SCRIPT):
            return HTMLResponse(inside, headers={"X-Pelagos-Number": str(at)})
        more = {
            **drawing.page(),
            "inside": Markup(inside),
            "my_seats": [],
            "look": -1,
            "near": 0,
            "at": at,
            "length": length,
            "eyes": eyes,
            "game_number": number,
            "here": f"/t/{live.table.id}/replay?game={number}&at={at}&eyes={eyes}",
        }
        return self.pages.render(request, "replay.html", more)

    async def play_on(self, request: Request) -> Response:
        """Go on from a position of a finished game, against bots, at a table of its own."""
        form = await form_of(request)
        live = await self.pages.server.find(request.path_params["table"])
        reader = reader_of(request)
        finished, _ = _which(live, first(form, "game"))
        at = max(0, min(number_in(form, "at"), replay.length(finished) - 1))
        seat = min(whole(first(form, "eyes")) or 0, live.table.players - 1)
        self.pages.server.new_tables.spend(address_of(request.scope))
        opponent = opponent_of(request, live.table.game.id)
        entries = replay.play_on(live.table, finished, at, seat, opponent)
        name = reader.name or own_words(reader.language).text("site.sailor")
        sits = {"do": "sit", "seat": seat, "name": name, "bytes": "", "holder": ""}
        made = await self.pages.server.lay(request, [entries[0], sits, *entries[1:]])
        answer = RedirectResponse(f"/t/{made.table.id}", 303)
        keep(
            request,
            answer,
            made.table.id,
            tokens.HOST,
            self.pages.server.tables.host_token(made.table),
        )
        await self.pages.keep_seat(request, answer, made, seat)
        return answer

    async def record(self, request: Request) -> Response:
        """The game's record: whole when it is over, else what the viewer may know."""
        live = await self.pages.server.find(request.path_params["table"])
        game = whole(request.query_params.get("game", ""))
        viewer = self.pages.viewer_of(request, live)
        written = await self._aside(request, _write_record, live.table.copy(), viewer, game)
        name = f"{live.table.game.id}-{live.table.id[:8]}{SUFFIX}"
        return Response(
            written,
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
            media_type="application/json",
        )


def _adding(table: Table) -> list[int]:
    """The seats, counted from 1, that mix something into the present deal, or the first one."""
    parts = table.parts if table.match is not None else [seat.bytes for seat in table.seats]
    return [seat for seat, part in enumerate(parts, 1) if part]


def _check_all(table: Table) -> list[dict[str, Any]]:
    """For each finished game, whether its shuffle was fair, and what shows it."""
    checks = []
    for finished in table.finished:
        record = finished.record()
        try:
            fairness.check(record)
            why = ""
        except PelagosError as error:
            why = str(error)
        proof = record["fairness"]
        if finished.beacon is not None:
            proof["beacon"] = about_beacon(table, finished.beacon)
        seats = {"handovers": record.get("handovers", [])}
        checks.append({**proof, "seed": record["seed"], "why": why, **seats})
    return checks


def _draw_step(
    table: Table, game: int, number: int, eyes: str, reader: Reader
) -> tuple[Drawing, str]:
    """A step of a finished game, drawn for a reader."""
    drawing = Drawing(replay.message_of(replay.at(table, game, number), eyes, number), reader)
    return drawing, drawing.inside({"why": "", "daily_line": ""})


def _write_record(table: Table, viewer: int, game: int | None) -> str:
    return json.dumps(table_record(table, viewer, game), ensure_ascii=False, indent=1)


def _which(live: OpenTable, asked: str) -> tuple[Finished, int]:
    """A finished game of a table by its number; the newest if none is named."""
    finished = live.table.finished
    wished = whole(asked)
    number = len(finished) - 1 if wished is None else wished
    if not 0 <= number < len(finished):
        raise NotFound("This game isn't over yet.")
    return finished[number], number

"""The coach's page: a finished game as a curve, decision by decision, and what each one cost."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from babel.numbers import format_decimal
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from pelagos.coach import Document, decisions_csv, made, positions_csv, sums
from pelagos.engine.errors import Text, text
from pelagos.engine.words import Words, pack_words
from pelagos.tables.coaching import Progress, finished_game
from pelagos.tables.errors import Malformed, NotFound
from pelagos.tables.message import about_seat
from pelagos.tables.message import view as view_of
from pelagos.tables.service import OpenTable
from pelagos.web import art, marks, replay
from pelagos.web.cookies import reader_of
from pelagos.web.drawing import environment, names_of
from pelagos.web.pages import BY_SCRIPT, Pages, first, form_of
from pelagos.web.reader import Reader, own_words
from pelagos.web.squeeze import squeezed, way_for

UNIT = 100
"""Chances are told in hundredths of a per cent, points in hundredths of a point."""
LONGEST_NAME = 11
"""Letters of a name beside the curve."""
FLAG_ROOM = 15
"""Per cent of the curve's width that a flag's words take."""
PILL_ROOM = 11
"""Per cent of the curve's height that a seat's number takes."""
KINDS = ("good", "fine", "slip", "blunder")
PARTS = ("start", "own", "others", "chance", "now")


class CoachPages:
    """The pages of analysed games."""

    def __init__(self, pages: Pages) -> None:
        self.pages = pages

    def routes(self) -> list[Route]:
        """Where they are."""
        page = self.pages.page
        return [
            Route("/t/{table}/coach", page(self.coach)),
            Route("/t/{table}/coach", page(self.ask), methods=["POST"]),
            Route("/t/{table}/coach/work", page(self.work), methods=["POST"]),
            Route("/t/{table}/coach.{kind}", page(self.download)),
        ]

    async def coach(self, request: Request) -> Response:
        """What the coach says, as far as it has come."""
        live = await self.pages.server.find(request.path_params["table"])
        game = number_asked(live, request.query_params.get("game", ""))
        finished_game(live.table, game)
        progress = await self.pages.server.coaching.progress(live.table.id, game)
        more = self._around(request, live, game, progress)
        if progress is not None and progress.document is not None:
            lesson = Lesson(progress.document, live, game, reader_of(request), more["held"])
            more |= lesson.page(request.query_params)
        if request.headers.get(BY_SCRIPT):
            inside = environment().get_template("coach_inside.html")
            return HTMLResponse(inside.render({**self.pages.common(request), **more}))
        return self.pages.render(request, "coach.html", more)

    def _around(
        self, request: Request, live: OpenTable, game: int, progress: Progress | None
    ) -> dict[str, Any]:
        """What is there before the analysis is."""
        reader, table = reader_of(request), live.table
        finished = table.finished[game]
        then = replay.at(table, game, 0)
        is_ready = self.pages.server.module_for(table.game.id, "coach_decision") is not None
        held = self.pages.seats_of(request, live)
        names = own_names(live, game, reader, held)
        asked = request.query_params.get("seat", "")
        seat = int(asked) if asked.isdigit() and int(asked) < len(names) else (held or [0])[0]
        order = sorted(range(len(names)), key=lambda player: -finished.scores[player])
        return {
            "id": table.id,
            "game": table.game,
            "title": table.game.titles[reader.language],
            "game_number": game,
            "tints": marks.tints(table.colours),
            "held": held,
            "names": names,
            "seat": seat,
            "players": then.players,
            "chips": [
                {"seat": player, "name": names[player], "points": finished.scores[player]}
                for player in order
            ],
            "winners": finished.winners,
            "progress": progress,
            "length": replay.length(finished),
            "document": None,
            "may_think": bool(held) and is_ready and not _is_done(progress),
        }

    async def ask(self, request: Request) -> Response:
        """Let the coach look at a game."""
        form = await form_of(request)
        live = await self.pages.server.find(request.path_params["table"])
        game = number_asked(live, first(form, "game"))
        await self.pages.server.analyse(request, live, game)
        return RedirectResponse(f"/t/{live.table.id}/coach?game={game}", 303)

    async def work(self, request: Request) -> Response:
        """Take what a player's browser has played for the coach, and say what it plays next."""
        try:
            done = json.loads(await request.body())
            numbers = [done[name] for name in ("seat", "game", "round", "stage")]
        except (KeyError, TypeError, ValueError):
            raise Malformed(text("tables/refuse.coach_numbers")) from None
        is_whole = all(type(number) is int for number in numbers)
        if not is_whole or not isinstance(done.get("answers"), list):
            raise Malformed(text("tables/refuse.coach_numbers"))
        table, (seat, game, *_) = request.path_params["table"], numbers
        work = await self.pages.server.share_analysis(request, table, seat, game, done)
        body, way = JSONResponse(work).body, way_for(request)
        headers = {"Content-Encoding": way} if way else None
        return Response(squeezed(bytes(body), way), 200, headers, "application/json")

    async def download(self, request: Request) -> Response:
        """The whole analysis as data: json, decisions.csv or positions.csv."""
        live = await self.pages.server.find(request.path_params["table"])
        game = number_asked(live, request.query_params.get("game", ""))
        progress = await self.pages.server.coaching.progress(live.table.id, game)
        kind = request.path_params["kind"]
        if progress is None or progress.document is None or kind not in _FILES:
            raise NotFound(text("web/coach.nothing"))
        name = f"{live.table.game.id}-{live.table.id[:8]}-{game}.coach.{kind}"
        media, write = _FILES[kind]
        return Response(
            write(progress.document),
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
            media_type=media,
        )


def _is_done(progress: Progress | None) -> bool:
    """Is there nothing left for a player's browser: is the server at it, or all said?"""
    if progress is None or progress.document is None:
        return progress is not None and not progress.done
    return not progress.done or bool(progress.document["budget"]["done"])


def _as_json(document: Document) -> str:
    return json.dumps(document, ensure_ascii=False)


_FILES = {
    "json": ("application/json", _as_json),
    "decisions.csv": ("text/csv", decisions_csv),
    "positions.csv": ("text/csv", positions_csv),
}


def number_asked(live: OpenTable, asked: str) -> int:
    """The game's number that an address names; the newest if it names none."""
    return int(asked) if asked.isdigit() and len(asked) < 7 else len(live.table.finished) - 1


def own_names(live: OpenTable, game: int, reader: Reader, held: Sequence[int]) -> list[str]:
    """Who played, for this reader: "You", if they held one seat."""
    ui = own_words(reader.language)
    seats = [about_seat(seat) for seat in replay.at(live.table, game, 0).seats]
    names = names_of(seats, reader.language, ui)
    if len(held) == 1:
        names[held[0]] = ui.text("coach.you")
    return names


class Lesson:
    """An analysis, drawn for one reader at one moment."""

    def __init__(
        self, document: Document, live: OpenTable, game: int, reader: Reader, held: Sequence[int]
    ) -> None:
        self.document = document
        self.live = live
        self.game = game
        self.reader = reader
        self.ui = own_words(reader.language)
        self.held = held
        self.names = own_names(live, game, reader, held)
        match = live.table.finished[game].match
        self.words: Words = pack_words(match.pack, reader.language)
        self.positions: list[Mapping[str, Any]] = document["positions"]
        self.decisions: list[Mapping[str, Any]] = document["decisions"]
        self.measure: str = document["measure"]
        self.last = max(1, len(self.positions) - 1)
        alone = len(self.names) == 1
        self.parts = tuple(name for name in PARTS if not (alone and name == "others"))
        values = [value for point in self.positions for value in point[self.measure]]
        self.low, self.high = (0, 10_000) if self.measure == "win" else _round_range(values)

    def page(self, query: Mapping[str, str]) -> dict[str, Any]:
        """All that the templates show."""
        seat = self._seat(query.get("seat", ""))
        number = self._decision(query, seat)
        asked = query.get("step", "")
        step = min(int(asked), self.last) if asked.isdigit() and len(asked) < 6 else None
        if step is None:
            step = self.decisions[number]["step"] if number is not None else 0
        decision = None if number is None else self.decisions[number]
        viewed = decision["seat"] if decision is not None and not self.held else seat
        return {
            "document": self.document,
            "coach": self,
            "step": step,
            "steps": self.last,
            "number": number,
            "decision": None if decision is None else self.card(decision, seat),
            "curves": [self.curve(other) for other in reversed(range(len(self.names)))],
            "levels": self.levels(),
            "flags": self.flags(step, seat),
            "pills": self.pills(step),
            "rows": self.rows(number, seat),
            "kinds": self.document["seats"][viewed]["kinds"],
            "viewed": viewed,
            "sums": [self.sum(other, step) for other in range(len(self.names))],
            "sum": self.sum(viewed, step),
            "next_seat": (viewed + 1) % len(self.names),
            "lines": [self.line(place) for place in range(len(self.decisions))],
            "size": 1 if self.last <= 45 else 0.8 if self.last <= 80 else 0.6,
            "before": self._beside(number, step, -1, viewed),
            "after": self._beside(number, step, 1, viewed),
            "budget": self.document["budget"],
            "playouts": format_decimal(
                self.document["budget"]["playouts"], locale=self.reader.language
            ),
        }

    # --- where we are -----------------------------------------------------------------------------

    def _seat(self, asked: str) -> int:
        if asked.isdigit() and int(asked) < len(self.names):
            return int(asked)
        return self.held[0] if self.held else 0

    def _decision(self, query: Mapping[str, str], seat: int) -> int | None:
        """The decision that is asked for: by its number, its step, or a move of the record."""
        asked = {name: int(value) for name, value in query.items() if value.isdigit()}
        numbers = range(len(self.decisions))
        if asked.get("d", -1) in numbers:
            return asked["d"]
        if "step" in asked:
            here = [place for place in numbers if self.decisions[place]["step"] == asked["step"]]
            own = [place for place in here if self.decisions[place]["seat"] == seat]
            return next(iter(own + here), None)
        if "at" in asked:
            later = [place for place in numbers if self.decisions[place]["at"] >= asked["at"]]
            own = [place for place in later if self.decisions[place]["seat"] == seat]
            return next(iter(own + later), None)
        turned = self.document["moments"]
        own = [moment["decision"] for moment in turned if moment["seat"] == seat]
        return next(iter(own + [moment["decision"] for moment in turned] + [*numbers]), None)

    def _beside(self, number: int | None, step: int, by: int, seat: int) -> int | None:
        """The seat's decision before or after the present one."""
        now = (step, -1) if number is None else (self.decisions[number]["step"], number)
        mine = [
            (decision["step"], place)
            for place, decision in enumerate(self.decisions)
            if decision["seat"] == seat
        ]
        if by > 0:
            return next((place for when, place in mine if (when, place) > now), None)
        return next((place for when, place in reversed(mine) if (when, place) < now), None)

    # --- the curve --------------------------------------------------------------------------------

    def x(self, step: int) -> float:
        """Where a step is, in per cent of the width."""
        return round(100 * step / self.last, 2)

    def y(self, value: int) -> float:
        """Where a value is, in per cent of the height."""
        return round(100 - 100 * (value - self.low) / (self.high - self.low), 2)

    def curve(self, seat: int) -> dict[str, Any]:
        """A seat's curve, without bends that the numbers don't have."""
        points = [
            (self.x(step), self.y(point[self.measure][seat]))
            for step, point in enumerate(self.positions)
        ]
        return {"seat": seat, "path": smooth(points)}

    def levels(self) -> list[tuple[float, str]]:
        """The lines across, and what is written beside them."""
        if self.measure == "win":
            return [(100.0 - share, str(share)) for share in (0, 25, 50, 75, 100)]
        step = (self.high - self.low) // 4
        return [
            (self.y(self.low + number * step), str((self.low + number * step) // UNIT))
            for number in range(5)
        ]

    def flags(self, step: int, seat: int) -> list[dict[str, Any]]:
        """The moments that the game turned on, with words where they cover no others."""
        flags: list[dict[str, Any]] = []
        taken: list[tuple[int, float, float]] = []
        for moment in self.document["moments"]:
            x = self.x(moment["step"])
            level, left, bare = flag_place(x, taken)
            flags.append(
                {
                    "x": x,
                    "level": level,
                    "left": left,
                    "bare": bare,
                    "seat": moment["seat"],
                    "decision": moment["decision"],
                    "here": moment["step"] == step,
                    "name": shortened(self.names[moment["seat"]]),
                    "swing": self.signed(moment["swing"], self.measure),
                    "good": moment["swing"] >= 0,
                    "say": self.say(moment["headline"]),
                }
            )
        return flags

    def pills(self, step: int) -> list[dict[str, Any]]:
        """Each seat's number at a step, so that none covers another."""
        values = self.positions[step][self.measure]
        order = sorted(range(len(values)), key=lambda seat: -values[seat])
        places = [self.y(values[seat]) for seat in order]
        for number in range(1, len(places)):
            places[number] = max(places[number], places[number - 1] + PILL_ROOM)
        over = max(0.0, places[-1] - 97)
        places = [place - over for place in places]
        return [
            {
                "seat": seat,
                "name": shortened(self.names[seat]),
                "value": self.number(values[seat], self.measure, 0),
                "at": self.y(values[seat]),
                "y": max(3, round(place, 2)),
            }
            for seat, place in zip(order, places, strict=True)
        ]

    def rows(self, number: int | None, seat: int) -> list[dict[str, Any]]:
        """The marks of all decisions, a row a seat; the reader's own first."""
        order = sorted(range(len(self.names)), key=lambda player: player != seat)
        return [
            {
                "seat": player,
                "name": self.names[player],
                "marks": [
                    {
                        "decision": place,
                        "x": self.x(decision["step"]),
                        "kind": decision["kind"],
                        "here": place == number,
                    }
                    for place, decision in enumerate(self.decisions)
                    if decision["seat"] == player
                ],
            }
            for player in order
        ]

    # --- a decision -------------------------------------------------------------------------------

    def card(self, decision: Mapping[str, Any], seat: int) -> dict[str, Any]:
        """What was done, what the coach would have done, and why."""
        played = made(decision)
        best = decision["alternatives"][0]
        was_best = decision["action"] == decision["best"]
        other = next(
            (
                alternative
                for alternative in decision["alternatives"]
                if alternative["action"] != decision["action"]
            ),
            None,
        )
        shown = other if was_best else best
        pictures = self._pictures(decision)
        cost = {name: best[name] - played[name] for name in ("win", "points")}
        return {
            "seat": decision["seat"],
            "name": self.names[decision["seat"]],
            "kind": decision["kind"],
            "at": decision["at"],
            "was_best": was_best,
            "say": self.capital(self.say_label(best)),
            "win": self.signed(cost["win"], "win"),
            "points": self.signed(cost["points"], "points"),
            "playouts": format_decimal(decision["playouts"], locale=self.reader.language),
            "error": self.number(decision["cost_error"][self.measure], self.measure, 0),
            "options": [
                self.option(choice, role, pictures, played if role != "made" else None)
                for choice, role in (
                    (played, "made"),
                    (shown, "next" if was_best else "best"),
                )
                if choice is not None
            ],
        }

    def option(
        self,
        alternative: Mapping[str, Any],
        role: str,
        pictures: Mapping[int, Markup],
        against: Mapping[str, Any] | None,
    ) -> dict[str, Any]:
        """One of the choices on the card."""
        chance = alternative["win"] / UNIT
        return {
            "role": role,
            "label": self.capital(self.say_label(alternative)),
            "picture": pictures.get(alternative["action"], Markup("")),
            "points": self.number(alternative["points"], "points"),
            "win": self.number(alternative["win"], "win", 0),
            "more_points": self.more(alternative, against, "points"),
            "more_win": self.more(alternative, against, "win"),
            "bar": round(chance, 1),
            "base": round(against["win"] / UNIT, 1) if against else None,
            "reasons": [self.say(reason) for reason in alternative["reason"]],
        }

    def more(
        self, alternative: Mapping[str, Any], against: Mapping[str, Any] | None, measure: str
    ) -> str:
        """By how much a choice is better or worse than the one that was made."""
        return self.signed(alternative[measure] - against[measure], measure) if against else ""

    def _pictures(self, decision: Mapping[str, Any]) -> dict[int, Markup]:
        """The faces of the pieces that choices are made with, as the seat saw them."""
        table = replay.at(self.live.table, self.game, decision["at"])
        view = view_of(table, decision["seat"])
        faces = {piece["key"]: piece["face"] for piece in view["pieces"]} if view else {}
        game = self.live.table.game.id
        drawn = art.art_names(game)
        return {
            alternative["action"]: marks.art(game, face, "coach-art")
            for alternative in decision["alternatives"]
            if (face := faces.get(alternative["piece"])) in drawn
        }

    def line(self, number: int) -> dict[str, Any]:
        """A decision as a line of the table of all numbers."""
        decision = self.decisions[number]
        return {
            "number": number,
            "step": decision["step"],
            "name": self.names[decision["seat"]],
            "kind": decision["kind"],
            "made": self.capital(self.say_label(made(decision))),
            "best": ""
            if decision["action"] == decision["best"]
            else self.capital(self.say_label(decision["alternatives"][0])),
            "win": self.number(decision["cost"]["win"], "win"),
            "points": self.number(decision["cost"]["points"], "points"),
            "then": self.number(
                self.positions[decision["step"]][self.measure][decision["seat"]], self.measure, 0
            ),
        }

    # --- what a number is made of -----------------------------------------------------------------

    def sum(self, seat: int, step: int) -> dict[str, Any]:
        """Start, own choices, others', chance: they add up to the number at this step."""
        parts = sums(self.document, seat, step, self.measure)
        low = min(0, self.low // UNIT) if self.measure == "points" else 0
        ends, total = [], 0
        for name in self.parts:
            value = getattr(parts, name)
            begin = low if name in ("start", "now") else total
            total = value if name in ("start", "now") else total + value
            ends.append((name, value, begin, total))
        least = min(low, *(min(begin, end) for _, _, begin, end in ends))
        most = max(least + 1, *(max(begin, end) for _, _, begin, end in ends))
        if self.measure == "win":
            most = max(most, 55)
        scale = 100 / (most - least)
        unit = self.unit(self.measure)
        return {
            "seat": seat,
            "name": self.names[seat],
            "title": self.ui.text(
                "coach.made_of_you" if [seat] == list(self.held) else "coach.made_of",
                {"name": self.names[seat], "now": f"{shown(parts.now)}{unit}"},
            ),
            "equation": " ".join(
                [str(parts.start)]
                + [
                    f"{'−' if value < 0 else '+'} {abs(value)}"
                    for name, value, _, _ in ends
                    if name not in ("start", "now")
                ]
                + ["=", shown(parts.now)]
            ),
            "parts": [
                {
                    "name": name,
                    "value": f"{shown(value)}{unit}"
                    if name in ("start", "now")
                    else f"{value:+d}".replace("-", "−")
                    if value
                    else "±0",
                    "kind": "whole"
                    if name == "start"
                    else "now"
                    if name == "now"
                    else "up"
                    if value > 0
                    else "down"
                    if value < 0
                    else "nothing",
                    "x": round((min(begin, end) - least) * scale, 1),
                    "width": round(max(0.8, abs(end - begin) * scale), 1),
                    "end": round((end - least) * scale, 1),
                }
                for name, value, begin, end in ends
            ],
        }

    # --- words ------------------------------------------------------------------------------------

    def say(self, said: Text) -> str:
        """A text of the analysis."""
        return self.words.say(said, self.names)

    def say_label(self, alternative: Mapping[str, Any]) -> str:
        """What a choice is called."""
        return self.say(alternative["label"])

    def capital(self, words: str) -> str:
        """A label as a heading."""
        return words[:1].upper() + words[1:]

    def unit(self, measure: str) -> str:
        """What follows a number."""
        return (
            "\u202f%"
            if measure == "win" and self.reader.language == "fr"
            else (" %" if measure == "win" else "")
        )

    def number(self, value: int, measure: str, digits: int = 1) -> str:
        """A chance or points as people write them."""
        pattern = "#,##0.0" if measure == "points" and digits else "#,##0"
        written: str = format_decimal(value / UNIT, pattern, locale=self.reader.language)
        return written.replace("-", "−") + self.unit(measure)

    def signed(self, value: int, measure: str) -> str:
        """A change: +3.1, −9 %."""
        written = self.number(abs(value), measure)
        zero = not any(sign in "123456789" for sign in written)
        return ("±" if zero else "−" if value < 0 else "+") + written


def shown(number: int) -> str:
    """A number with a true minus sign."""
    return str(number).replace("-", "−")


def shortened(name: str) -> str:
    """A name that fits beside the curve."""
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"


def flag_place(x: float, taken: list[tuple[int, float, float]]) -> tuple[int, bool, bool]:
    """A flag's level, whether its words stand to its left, or that there is no room for any."""
    for level in (0, 1):
        for left in (False, True):
            start, end = (x - FLAG_ROOM, x) if left else (x, x + FLAG_ROOM)
            free = all(end <= a or start >= b for other, a, b in taken if other == level)
            if free and start >= -4 and end <= 102:
                taken.append((level, start, end))
                return level, left, False
    return 1, x > 50, True


def smooth(points: Sequence[tuple[float, float]]) -> str:
    """A path through points that rises only where they do."""
    slopes = [after[1] - before[1] for before, after in pairwise(points)]
    bends = [slopes[0] if slopes else 0.0]
    for before, after in pairwise(slopes):
        bends.append(0.0 if before * after <= 0 else 2 * before * after / (before + after))
    bends.append(slopes[-1] if slopes else 0.0)
    path = f"M{points[0][0]} {points[0][1]}"
    for number in range(1, len(points)):
        (x0, y0), (x1, y1) = points[number - 1], points[number]
        third = (x1 - x0) / 3
        path += (
            f"C{x0 + third:.2f} {y0 + bends[number - 1] / 3:.2f} "
            f"{x1 - third:.2f} {y1 - bends[number] / 3:.2f} {x1} {y1}"
        )
    return path


def _round_range(values: Sequence[int]) -> tuple[int, int]:
    """A range of whole tens around values, four equal steps of whole points."""
    low = min(0, min(values) // (10 * UNIT) * 10 * UNIT)
    high = -(-max(values) // (20 * UNIT)) * 20 * UNIT
    return low, max(high, low + 20 * UNIT)

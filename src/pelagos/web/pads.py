"""The score pads as pages: a table with the box in front of you, tapped in and counted.

The page's address holds the whole table, as the text that `pelagos score` reads: it can be kept,
sent and loaded again. Each tap asks for the page of the table that it makes.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any
from urllib.parse import urlencode

from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pelagos.engine.errors import BadTableau, PelagosError, text
from pelagos.engine.game import Game, find_game
from pelagos.engine.pack import default_pack
from pelagos.engine.pad import Pad, clean_name
from pelagos.engine.words import Words, words
from pelagos.tables.limits import cost_of
from pelagos.web import art, assets
from pelagos.web.cookies import reader_of
from pelagos.web.marks import art as symbol
from pelagos.web.pages import BY_SCRIPT, Pages, whole
from pelagos.web.reader import own_words

LARGEST = 20_000
"""Letters of a table; a full one has some thousand."""
MOST_TAPS = 200
FIRST_PLAYERS = 2
HERE = "X-Pelagos-Here"
"""Where the page that our script was sent can be found again."""


def has_pad(game: Game) -> bool:
    """Does the game bring a score pad's page?"""
    return bool(find_spec(f"{game.package}.pad"))


def pad_of(game: Game) -> str:
    """The address of a game's score pad; empty if it has none."""
    return f"/pad/{game.id}" if has_pad(game) else ""


class Tapped:
    """A table as far as it is tapped in, and where the next tap goes."""

    def __init__(self, game: Game, query: QueryParams, language: str) -> None:
        self.game = game
        self.pad: Any = game.part("pad")
        self.tableau: Any = game.part("tableau")
        self.pack = default_pack(game)
        self.language = language
        source = query.get("t", "")[:LARGEST]
        self.table: Any = self.tableau.read(source, self.pack) if source.strip() else None
        if self.table is None:
            self.table = self.tableau.new_table(self.pack)
            for _ in range(max(FIRST_PLAYERS, self.pad.PLAYERS[0])):
                self.add()
        self._rename(query.getlist("name"))
        seat = query.get("seat", "0")
        self.seat = min(whole(seat) or 0, len(self.table.players) - 1)
        self.at = query.get("at", "") or self.pad.first_spot(self.table, self.seat)

    def add(self, name: str = "") -> None:
        """One player more; without a name it has that of the seat's colour."""
        colour = f"seat_colour.s{len(self.table.players) % 6}"
        called = name or words(self.game, self.language).text(colour).capitalize()
        self.tableau.add(self.table, called)

    def _rename(self, names: list[str]) -> None:
        if len(names) != len(self.table.players):
            return
        for player, name in zip(self.table.players, names, strict=True):
            player.name = clean_name(name) or player.name

    def tap(self, tapped: str) -> None:
        """Do what somebody has tapped."""
        kind, _, key = tapped.partition(":")
        players = self.table.players
        if kind == "seat" and whole(key) in range(len(players)):
            self.seat = int(key)
        elif kind == "add" and len(players) < self.pad.PLAYERS[-1]:
            self.add(key if key == getattr(self.pad, "PARTNER", None) else "")
            self.seat = len(players) - 1
        elif kind == "remove" and len(players) > self.pad.PLAYERS[0]:
            del players[self.seat]
            self.seat = max(0, self.seat - 1)
        elif kind == "on":
            try:
                self.at = self.pad.press(self.table, self.pack, self.seat, self.at, key)
            except (ValueError, LookupError):
                raise BadTableau(text("web/pad.unknown")) from None
            return
        self.at = self.pad.first_spot(self.table, self.seat)

    @property
    def query(self) -> str:
        """The address of this table."""
        params = {"t": self.tableau.write(self.table), "seat": self.seat, "at": self.at}
        return urlencode({name: value for name, value in params.items() if value})

    def count(self) -> Pad:
        """The table's sheets, or a sentence about what can't be."""
        counted: Pad = self.tableau.count(
            self.tableau.read(self.tableau.write(self.table), self.pack), self.pack
        )
        return counted


class Pads:
    """The pages."""

    def __init__(self, pages: Pages) -> None:
        self.pages = pages

    def routes(self) -> list[Route]:
        """Where they are."""
        return [Route("/pad/{game}", self.pages.page(self.show))]

    async def show(self, request: Request) -> Response:
        """The pad as the address tells it, with what was tapped since."""
        game = find_game(request.path_params["game"])
        if not has_pad(game):
            raise HTTPException(404)
        await self.pages.server.tables.ready(game.id)
        query, language = request.query_params, reader_of(request).language
        aside, why = cost_of(request.scope).aside, ""
        try:
            tapped = Tapped(game, query, language)
            counted = await aside(tapped.count)
        except PelagosError as error:
            why = error.say(language)
            tapped = Tapped(game, QueryParams(""), language)
            counted = await aside(tapped.count)
        taps = query.getlist("tap")[:MOST_TAPS]
        for tap in taps:
            before = tapped.query
            try:
                tapped.tap(tap)
                counted = await aside(tapped.count)
            except BadTableau as error:
                why = error.say(language)
                tapped = Tapped(game, QueryParams(before), language)
        here = f"/pad/{game.id}" + (f"?{tapped.query}" if query else "")
        by_script = bool(request.headers.get(BY_SCRIPT))
        if (taps or query.getlist("name")) and not by_script and not why:
            return RedirectResponse(here, 303)
        address = self.pages.origin(request) + here
        drawn = self._drawn(tapped, counted, language)
        more = {**drawn, "why": why, "here": here, "address": address}
        answer = self.pages.render(request, "pad.html", more)
        answer.headers[HERE] = here
        return answer

    def _drawn(self, tapped: Tapped, counted: Pad, language: str) -> dict[str, Any]:
        game, table = tapped.game, tapped.table
        said = words(game, language)
        names = list(counted.names)
        best = max((sheet["total"] for sheet in counted.sheets), default=0)
        players = [
            {
                "name": name,
                "total": sheet["total"],
                "won": seat in counted.winners,
                "missing": counted.missing[seat] if counted.missing else 0,
                "groups": counted.groups[seat] if counted.groups else (),
            }
            for seat, (name, sheet) in enumerate(zip(names, counted.sheets, strict=True))
        ]
        return {
            "game": game,
            "title": game.titles[language],
            "tapped": tapped,
            "desk": tapped.pad.desk(table, tapped.pack, tapped.seat, tapped.at, counted),
            "players": players,
            "best": best,
            "lines": _lines(counted, tapped.seat, said, game),
            "notes": [
                said.say(note, names)
                for note in counted.notes
                if note["key"] not in ("score.winner", "score.shared") and note != counted.tie_break
            ],
            "outcome": _outcome(counted, language),
            "tie_break": said.say(counted.tie_break, names) if counted.tie_break else "",
            "partner": self._partner(tapped),
            "say": lambda said_text: said.say(said_text, names),
            "art": lambda name, kind="": symbol(game.id, name, kind),
            "has_art": art.art_names(game.id).__contains__,
            "own_style": assets.pad_style(game.id),
        }

    def _partner(self, tapped: Tapped) -> str:
        partner = getattr(tapped.pad, "PARTNER", "")
        return partner if len(tapped.table.players) == 1 else ""


def _outcome(counted: Pad, language: str) -> str:
    """Who has won, in a word or two; nothing while something is missing."""
    winners = [counted.names[seat] for seat in counted.winners]
    if not winners or any(counted.missing):
        return ""
    ui = own_words(language)
    if len(winners) > 1:
        return ui.text("pad.share", {"names": ", ".join(winners)})
    totals = sorted((sheet["total"] for sheet in counted.sheets), reverse=True)
    ahead = totals[0] - totals[1] if len(totals) > 1 else 0
    return ui.text("pad.wins" if ahead else "pad.wins_tie", {"name": winners[0], "count": ahead})


def _lines(counted: Pad, seat: int, said: Words, game: Game) -> list[dict[str, Any]]:
    """A row for each line of the sheet: every player's points, and why the shown one has them."""
    names = list(counted.names)
    symbols = art.art_names(game.id)
    rows = []
    for number, line in enumerate(counted.sheets[seat]["lines"]):
        reasons: dict[str, list[int]] = {}
        pieces: dict[str, None] = {}
        for proof in line["evidence"]:
            reasons.setdefault(said.say(proof["reason"], names), []).append(proof["points"])
            pieces |= dict.fromkeys(piece.rpartition(":")[2] for piece in proof["pieces"])
        sign = line["key"] if line["key"] in symbols else line["key"].rstrip("0123456789")
        rows.append(
            {
                "key": line["key"],
                "label": said.text(f"line.{line['key']}"),
                "art": sign if sign in symbols else "",
                "points": [sheet["lines"][number]["points"] for sheet in counted.sheets],
                "reasons": [
                    (_added(points) if len(points) > 1 or len(reasons) > 1 else "", reason)
                    for reason, points in reasons.items()
                ],
                "of": " ".join(f"on-{piece.replace(',', '_')}" for piece in pieces),
            }
        )
    return rows


def _added(points: list[int]) -> str:
    return " + ".join(map(str, points)).replace("+ -", "− ").replace("-", "−")

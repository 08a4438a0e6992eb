"""A series: three or five games, of which the loser of one starts the next.

It is a thing of its own over single matches. A win is a point, a drawn game half a point each; the
series ends when a seat has more than half of all points, or after the last game.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pelagos.engine.errors import BadRecord, PelagosError, Text, text
from pelagos.engine.match import Match
from pelagos.engine.stream import seed_of
from pelagos.games.ozeanien import GAME
from pelagos.games.ozeanien.state import SEATS

VERSION = 1
LENGTHS = (3, 5)
LARGEST = 5_000_000


class Series:
    """The games of a series so far; the last may still be going on."""

    def __init__(self, length: int, matches: Iterable[Match] = ()) -> None:
        """A series of 3 or 5 games, with those already played."""
        if type(length) is not int or length not in LENGTHS:
            raise PelagosError(text("ozeanien/refuse.series_length", length=repr(length)))
        self.length = length
        self.matches: list[Match] = []
        for match in matches:
            self.add(match)

    # --- how it stands ----------------------------------------------------------------------------

    @property
    def points(self) -> list[float]:
        """Each seat's points: 1 for a game won, a half for a drawn one (OZE-37)."""
        points = [0.0] * SEATS
        for match in self.matches:
            for seat in match.winners:
                points[seat] += 1 / len(match.winners)
        return points

    @property
    def over(self) -> bool:
        """Has a seat more than half of all points, or was the last game played? (OZE-38)"""
        played = sum(match.over for match in self.matches)
        return played == self.length or max(self.points) > self.length / 2

    @property
    def winners(self) -> list[int]:
        """Who wins the series; both if it is drawn, nobody before its end (OZE-39)."""
        points = self.points
        return [seat for seat in range(SEATS) if self.over and points[seat] == max(points)]

    @property
    def start(self) -> int | None:
        """The seat that starts the next game; None: the first game's is drawn.

        The loser of the last game starts; after a draw, the seat that didn't start it (OZE-36).
        """
        if not self.matches:
            return None
        last = self.matches[-1]
        if len(last.winners) == 1:
            return 1 - last.winners[0]
        return 1 - int(last.deal["start"])

    # --- the next game ----------------------------------------------------------------------------

    def why_not(self, match: Match) -> Text | None:
        """Why this can't be the next game; None if it can."""
        if self.matches and not self.matches[-1].over:
            return text("ozeanien/refuse.series_early")
        if self.over:
            return text("ozeanien/refuse.series_over", count=len(self.matches))
        if match.game.id != GAME.id or match.players != SEATS:
            return text("ozeanien/refuse.series_game", game=GAME.id, players=SEATS)
        started = int(match.deal["start"])
        if self.start is not None and started != self.start:
            return text("ozeanien/refuse.series_start", seat=self.start, other=started)
        return None

    def add(self, match: Match) -> None:
        """Take a match as the next game; refused with a sentence if it can't be."""
        reason = self.why_not(match)
        if reason:
            number = len(self.matches) + 1
            raise PelagosError(text("ozeanien/refuse.series_add", number=number, reason=reason))
        self.matches.append(match)

    def deal(self, seed: str | int, **options: Any) -> Match:
        """Deal the next game and take it; `options` are those of `Match.new`.

        Game n of seed S is dealt from SHA-256("S/n/0"), or from S/n/1, S/n/2, … if that gives
        the start to the wrong seat. The tiles don't depend on the start, so this favours nobody.
        """
        attempt = 0
        while True:
            dealt = seed_of(f"{seed}/{len(self.matches)}", attempt)
            match = Match.new(GAME, players=SEATS, seed=dealt, **options)
            if self.start in (None, match.deal["start"]):
                self.add(match)
                return match
            attempt += 1

    # --- files ------------------------------------------------------------------------------------

    def record(self) -> dict[str, Any]:
        """The series as its file holds it."""
        records = [match.record() for match in self.matches]
        return {"pelagos": VERSION, "series": self.length, "records": records}

    def to_json(self) -> str:
        """The series as JSON text, from which `parse` makes it again."""
        return json.dumps(self.record(), ensure_ascii=False)


def load(path: Path | str) -> Series:
    """A series from a file, every move of every game checked."""
    path = Path(path)
    try:
        if path.stat().st_size > LARGEST:
            raise BadRecord(text("ozeanien/refuse.series_large", file=path.name, most=LARGEST))
        return parse(path.read_bytes().decode())
    except OSError as error:
        reason = str(error.strerror)
        raise BadRecord(text("refuse.unreadable", file=str(path), reason=reason)) from None
    except UnicodeDecodeError as error:
        raise BadRecord(text("refuse.not_text", file=path.name, byte=error.start)) from None


def parse(content: str) -> Series:
    """A series from JSON text, every move of every game checked."""
    try:
        data = json.loads(content)
    except json.JSONDecodeError as error:
        where = {"line": error.lineno, "column": error.colno}
        raise BadRecord(text("refuse.not_json", reason=error.msg, **where)) from None
    except (RecursionError, ValueError):
        raise BadRecord(text("ozeanien/refuse.series_deep")) from None
    return replay(data)


def replay(data: Any) -> Series:
    """A series from its record, every move of every game checked."""
    if not isinstance(data, Mapping):
        raise BadRecord(text("ozeanien/refuse.series_object"))
    if data.get("pelagos") != VERSION or isinstance(data["pelagos"], bool):
        raise BadRecord(text("ozeanien/refuse.series_version", version=VERSION))
    if type(data.get("series")) is not int or data["series"] not in LENGTHS:
        raise BadRecord(text("ozeanien/refuse.series_field", length=repr(data.get("series"))))
    if not isinstance(data.get("records"), list):
        raise BadRecord(text("ozeanien/refuse.series_records"))
    series = Series(data["series"])
    for number, record in enumerate(data["records"]):
        if not isinstance(record, Mapping):
            raise BadRecord(text("ozeanien/refuse.series_record", number=number))
        try:
            series.add(Match.replay(record))
        except PelagosError as error:
            raise BadRecord(
                text("ozeanien/refuse.series_at", number=number, reason=error.text)
            ) from None
    return series

"""A series: three or five games, of which the loser of one starts the next.

It is a thing of its own over single matches. A win is a point, a drawn game half a point each; the
series ends when a seat has more than half of all points, or after the last game.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pelagos.engine.errors import BadRecord, PelagosError
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
            raise PelagosError(f"A series has 3 or 5 games, not {length!r}.")
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

    def why_not(self, match: Match) -> str:
        """Why this can't be the next game; empty if it can."""
        if self.matches and not self.matches[-1].over:
            return "the game before it isn't over."
        if self.over:
            return f"the series was over after {len(self.matches)} games."
        if match.game.id != GAME.id or match.players != SEATS:
            return f"a series is of games of {GAME.id} with {SEATS} players."
        started = int(match.deal["start"])
        if self.start is not None and started != self.start:
            return f"seat {self.start} must start it, not seat {started}."
        return ""

    def add(self, match: Match) -> None:
        """Take a match as the next game; refused with a sentence if it can't be."""
        reason = self.why_not(match)
        if reason:
            raise PelagosError(f"This can't be game {len(self.matches) + 1}: {reason}")
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
            raise BadRecord(f"{path.name} is larger than {LARGEST} bytes; a series is smaller.")
        return parse(path.read_bytes().decode())
    except OSError as error:
        raise BadRecord(f"{path} can't be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        raise BadRecord(f"{path.name} isn't UTF-8 text (byte {error.start}).") from None


def parse(text: str) -> Series:
    """A series from JSON text, every move of every game checked."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise BadRecord(f"Not JSON: {error.msg}, {where}.") from None
    except (RecursionError, ValueError):
        raise BadRecord("Not a series: nested too deeply, or a number is too long.") from None
    return replay(data)


def replay(data: Any) -> Series:
    """A series from its record, every move of every game checked."""
    if not isinstance(data, Mapping):
        raise BadRecord("A series is a JSON object.")
    if data.get("pelagos") != VERSION or isinstance(data["pelagos"], bool):
        raise BadRecord(f"pelagos: the series' version must be {VERSION}.")
    if type(data.get("series")) is not int or data["series"] not in LENGTHS:
        raise BadRecord(f"series must be 3 or 5, not {data.get('series')!r}.")
    if not isinstance(data.get("records"), list):
        raise BadRecord("records is missing, or isn't a list.")
    series = Series(data["series"])
    for number, record in enumerate(data["records"]):
        if not isinstance(record, Mapping):
            raise BadRecord(f"records[{number}] isn't an object.")
        try:
            series.add(Match.replay(record))
        except PelagosError as error:
            raise BadRecord(f"records[{number}]: {error}") from None
    return series

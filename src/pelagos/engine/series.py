"""A series: an odd number of games at one table, "best of three".

It is a thing of its own over single matches. A game won is a point, a shared one is shared; the
series ends when nobody can catch up with who leads, or after the last game.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from pelagos.engine.errors import BadOption, BadRecord, PelagosError, Text, short, text
from pelagos.engine.game import BY_LOT, Game, find_game
from pelagos.engine.match import Match
from pelagos.engine.stream import seed_of

VERSION = 1
LONGEST = 21
LARGEST = 5_000_000
OFFERED = (3, 5, 7, 9)
"""The lengths that forms offer; any odd number up to the longest will do."""


_PARTS = {
    Fraction(part, whole): sign
    for sign, part, whole in (
        ("½", 1, 2),
        ("⅓", 1, 3),
        ("⅔", 2, 3),
        ("¼", 1, 4),
        ("¾", 3, 4),
        ("⅕", 1, 5),
        ("⅖", 2, 5),
        ("⅗", 3, 5),
        ("⅘", 4, 5),
        ("⅙", 1, 6),
        ("⅚", 5, 6),
    )
}


def written(points: float | Fraction) -> str:
    """Points of a series as people write them: 1, 1½, ⅓."""
    whole, part = divmod(Fraction(points).limit_denominator(60), 1)
    if not part:
        return str(whole)
    return f"{whole or ''}{_PARTS[part]}" if part in _PARTS else f"{float(points):.2f}"


def check_length(length: Any, players: int) -> int:
    """How many games a series has; 1 is none. Refused with a sentence if it can't be."""
    if type(length) is not int or not 1 <= length <= LONGEST or length % 2 == 0:
        raise BadOption(text("refuse.series_length", length=short(length), most=LONGEST))
    if length > 1 and players == 1:
        raise BadOption(text("refuse.series_alone"))
    return length


@dataclass(frozen=True)
class Standing:
    """How a series stands after some of its games."""

    length: int
    played: int
    points: tuple[Fraction, ...]
    """Each seat's: 1 for a game won, a part of it for a shared one."""

    @classmethod
    def fresh(cls, length: int, players: int) -> Standing:
        """Before the first game."""
        return cls(length, 0, (Fraction(0),) * players)

    @property
    def over(self) -> bool:
        """Was the last game played, or can nobody catch up with who leads?"""
        first, *others = sorted(self.points, reverse=True)
        left = self.length - self.played
        return not left or any(first > second + left for second in others[:1])

    @property
    def winners(self) -> list[int]:
        """Who wins the series, all with the most points; nobody before its end."""
        most = max(self.points)
        return [seat for seat, points in enumerate(self.points) if self.over and points == most]

    def then(self, winners: Sequence[int]) -> Standing:
        """After one more game."""
        points = [
            had + (Fraction(1, len(winners)) if seat in winners else 0)
            for seat, had in enumerate(self.points)
        ]
        return Standing(self.length, self.played + 1, tuple(points))

    def as_json(self) -> dict[str, Any]:
        """What a record says of the series that its game is part of: the game's number, and the
        points before it.
        """
        points = [float(points) for points in self.points]
        return {"games": self.length, "number": self.played + 1, "points": points}


def standing(length: int, players: int, games: Iterable[Sequence[int]]) -> Standing:
    """How things stand before the next game, given the winners of all games so far: a series
    that is over is followed by the next one.
    """
    now = fresh = Standing.fresh(length, players)
    for winners in games:
        now = (fresh if now.over else now).then(winners)
    return fresh if now.over else now


class Series:
    """The games of a series so far; the last may still be going on."""

    def __init__(
        self, game: Game | str, length: int, matches: Iterable[Match] = (), **options: Any
    ) -> None:
        """A series of so many games, with those already played."""
        self.game = find_game(game) if isinstance(game, str) else game
        self.options = self.game.check_options(options)
        self.players = int(self.options["players"])
        self.length = check_length(length, self.players)
        self.matches: list[Match] = []
        for match in matches:
            self.add(match)

    # --- how it stands ----------------------------------------------------------------------------

    @property
    def standing(self) -> Standing:
        """How it stands after the games that are over."""
        now = Standing.fresh(self.length, self.players)
        for match in self.matches:
            now = now.then(match.winners) if match.over else now
        return now

    @property
    def points(self) -> list[float]:
        """Each seat's points."""
        return [float(points) for points in self.standing.points]

    @property
    def over(self) -> bool:
        """Is it decided?"""
        return self.standing.over

    @property
    def winners(self) -> list[int]:
        """Who wins the series; several if it is shared, nobody before its end."""
        return self.standing.winners

    @property
    def start(self) -> int | None:
        """The seat that must start the next game; None: nobody must."""
        first = self.game.first
        if first is None or not first.loser or not self.matches:
            return None
        last = self.matches[-1]
        return first.after(last.winners, int(last.deal[first.name]), BY_LOT)

    # --- the next game ----------------------------------------------------------------------------

    def why_not(self, match: Match) -> Text | None:
        """Why this can't be the next game; None if it can."""
        if self.matches and not self.matches[-1].over:
            return text("refuse.series_early")
        if self.over:
            return text("refuse.series_over", count=len(self.matches))
        if match.game.id != self.game.id or match.players != self.players:
            return text("refuse.series_game", game=self.game.id, players=self.players)
        if self.start is not None and self.game.first is not None:
            started = int(match.deal[self.game.first.name])
            if started != self.start:
                return text("refuse.series_start", seat=self.start, other=started)
        return None

    def add(self, match: Match) -> None:
        """Take a match as the next game; refused with a sentence if it can't be."""
        reason = self.why_not(match)
        if reason:
            number = len(self.matches) + 1
            raise PelagosError(text("refuse.series_add", number=number, reason=reason))
        self.matches.append(match)

    def deal(self, seed: str | int, **more: Any) -> Match:
        """Deal the next game and take it; `more` is what `Match.new` takes.

        Game n of seed S is dealt from SHA-256("S/n/0").
        """
        options = dict(self.options)
        if self.start is not None and self.game.first is not None:
            options[self.game.first.name] = self.start
        dealt = seed_of(f"{seed}/{len(self.matches)}", 0)
        match = Match.new(self.game, seed=dealt, **{**options, **more})
        self.add(match)
        return match

    # --- files ------------------------------------------------------------------------------------

    def record(self) -> dict[str, Any]:
        """The series as its file holds it."""
        records = []
        now = Standing.fresh(self.length, self.players)
        for match in self.matches:
            records.append({**match.record(), "series": now.as_json()})
            now = now.then(match.winners) if match.over else now
        return {"pelagos": VERSION, "series": self.length, "records": records}

    def to_json(self) -> str:
        """The series as JSON text, from which `parse` makes it again."""
        return json.dumps(self.record(), ensure_ascii=False)


def load(path: Path | str) -> Series:
    """A series from a file, every move of every game checked."""
    return replay(read(path))


def read(path: Path | str) -> Any:
    """What a file holds, as far as it is JSON of a reasonable size."""
    path = Path(path)
    try:
        if path.stat().st_size > LARGEST:
            raise BadRecord(text("refuse.series_large", file=path.name, most=LARGEST))
        return _decode(path.read_bytes().decode())
    except OSError as error:
        reason = str(error.strerror)
        raise BadRecord(text("refuse.unreadable", file=str(path), reason=reason)) from None
    except UnicodeDecodeError as error:
        raise BadRecord(text("refuse.not_text", file=path.name, byte=error.start)) from None


def parse(content: str) -> Series:
    """A series from JSON text, every move of every game checked."""
    return replay(_decode(content))


def _decode(content: str) -> Any:
    try:
        return json.loads(content)
    except json.JSONDecodeError as error:
        where = {"line": error.lineno, "column": error.colno}
        raise BadRecord(text("refuse.not_json", reason=error.msg, **where)) from None
    except (RecursionError, ValueError):
        raise BadRecord(text("refuse.series_deep")) from None


def is_series(data: Any) -> bool:
    """Is this a series' file, not a game's?"""
    return isinstance(data, Mapping) and "records" in data


def replay(data: Any) -> Series:
    """A series from its record, every move of every game checked."""
    if not isinstance(data, Mapping):
        raise BadRecord(text("refuse.series_object"))
    if data.get("pelagos") != VERSION or isinstance(data["pelagos"], bool):
        raise BadRecord(text("refuse.series_version", version=VERSION))
    length, records = data.get("series"), data.get("records")
    if type(length) is not int or length < 3 or length > LONGEST or length % 2 == 0:
        raise BadRecord(text("refuse.series_field", length=short(length), most=LONGEST))
    if not isinstance(records, list) or not records:
        raise BadRecord(text("refuse.series_records"))
    series: Series | None = None
    for number, record in enumerate(records):
        if not isinstance(record, Mapping):
            raise BadRecord(text("refuse.series_record", number=number))
        try:
            match = Match.replay(record)
            options: dict[str, Any] = dict(match.options)
            series = series or Series(match.game, length, **options)
            series.add(match)
        except PelagosError as error:
            raise BadRecord(text("refuse.series_at", number=number, reason=error.text)) from None
    assert series is not None
    return series

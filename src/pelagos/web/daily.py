"""The deal of the day: the same cards for everyone, against the same bots, from a public text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from babel.dates import format_date

from pelagos.bots import USUAL
from pelagos.engine.game import Game, games
from pelagos.tables.service import OpenTable
from pelagos.web.reader import Reader, own_words

COOKIE = "pelagos-daily"
OPPONENT = USUAL
_TEXT = re.compile(r"pelagos daily (\d{4}-\d\d-\d\d) [a-z0-9_-]+")


@dataclass(frozen=True)
class Daily:
    """One day's deal."""

    day: date
    game: Game

    @property
    def text(self) -> str:
        """What the cards follow from."""
        return f"pelagos daily {self.day.isoformat()} {self.game.id}"

    @property
    def players(self) -> int:
        """Seats, the player's own among them."""
        return max(2, self.game.default_players)


def today() -> date:
    """The day, the same all over the world."""
    return datetime.now(UTC).date()


def of(day: date) -> Daily:
    """A day's deal: the games take turns."""
    installed = list(games().values())
    return Daily(day, installed[day.toordinal() % len(installed)])


def day_of(text: str) -> date | None:
    """The day of a table's deal, if it is a daily one."""
    parts = _TEXT.fullmatch(text)
    return date.fromisoformat(parts[1]) if parts else None


def written(day: date, language: str) -> str:
    """A day as people write it: 15 November."""
    words: str = format_date(day, "d MMMM", locale=language)
    return words.replace("1 ", "1er ", 1) if language == "fr" and day.day == 1 else words


def total(live: OpenTable) -> tuple[str, int] | None:
    """The deal, and what it came to against the bots that everyone plays it against: those of whom
    none was replaced.
    """
    table = live.table
    if not table.finished:
        return None
    first = table.finished[0]
    bots = [seat.get("bot") for seat in first.match.seats[1:]]
    if any(first.issues[1:]) or set(bots) - {OPPONENT.id, OPPONENT.former_id}:
        return None
    return table.deal, int(first.scores[0])


def result(live: OpenTable, reader: Reader) -> dict[str, Any] | None:
    """What the player's first game here came to."""
    day = day_of(live.table.deal)
    if day is None or not live.table.finished:
        return None
    ui = own_words(reader.language)
    match = live.table.finished[0].match
    scores = list(match.scores)
    ranks = [(seat in match.winners, score) for seat, score in enumerate(scores)]
    place = 1 + sum(rank > ranks[0] for rank in ranks)
    params = {
        "date": written(day, reader.language),
        "game": live.table.game.titles[reader.language],
        "points": scores[0],
        "place": ui.text(f"daily.place{min(place, 4)}", {"place": place}),
        "count": len(scores),
    }
    return {**params, "line": ui.text("daily.line", params)}

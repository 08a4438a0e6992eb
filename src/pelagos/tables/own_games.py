"""One's own games: which seats a browser's own key has held, and what their games came to.

The key is a random secret that the browser alone keeps: here is only its hash. Results follow from
the log; they are taken from it when somebody asks for them, and kept.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pelagos.engine.errors import UnknownGame
from pelagos.tables.keeping import Held, Line, Row
from pelagos.tables.service import Tables
from pelagos.tables.table import BOT, OVER, Finished, Table, read_entry

KEY_BYTES = 32
MOST_READ = 100
"""Tables whose logs are read for one request; those that are left are read at the next."""
FROM_FILE = "opened from a file"
"""What the table of a saved game says of its deal: whoever has read the file knows the cards."""
PLAYED_ON = "played on"
"""How a table's deal begins that goes on from another game."""
_KEY = re.compile(r"[A-Za-z0-9_-]{43}")


def new_key() -> str:
    """A key that nobody has yet, and nobody can guess."""
    return secrets.token_urlsafe(KEY_BYTES)


def is_key(text: str) -> bool:
    """Does this look like a key?"""
    return _KEY.fullmatch(text) is not None


def owner_of(key: str) -> str:
    """What is stored of a key: with this nobody can ask for anything."""
    return hashlib.sha256(f"pelagos owner {key}".encode()).hexdigest()


@dataclass(frozen=True)
class OwnGame:
    """A finished game, with the seats in it that are one's own."""

    table: str
    number: int
    """Which of the table's games."""
    ended: float
    seats: tuple[int, ...]
    result: dict[str, Any]
    accuracy: tuple[float | None, ...] = ()
    """Each seat's, as the coach saw it; none where it hasn't looked."""

    @property
    def counts(self) -> bool:
        """Is it a whole game of one person, by the usual cards? Of a file nobody knows whose."""
        result = self.result
        is_known_deal = result["deal"].startswith((PLAYED_ON, FROM_FILE))
        apart = result["own_pack"] or result["lesson"] or is_known_deal
        return not apart and "other_rules" not in result and len(self.seats) == 1

    def as_json(self) -> dict[str, Any]:
        """The game as data; which secrets were held stays here."""
        result = {name: value for name, value in self.result.items() if name != "issues"}
        return {
            "table": self.table,
            "number": self.number,
            "ended": datetime.fromtimestamp(self.ended, UTC).isoformat(timespec="seconds"),
            "own_seats": list(self.seats),
            **result,
            "accuracy": list(self.accuracy),
        }


class OwnGames:
    """All that is known of whose games were whose."""

    def __init__(self, live: Tables) -> None:
        self._live = live
        self._holdings = live.store.holdings

    async def hold(self, owner: str, seats: Iterable[Held]) -> None:
        """Note that somebody holds seats."""
        await self._holdings.hold(owner, seats)

    async def held(self, owner: str) -> set[Held]:
        """The seats that somebody has held."""
        return await self._holdings.held(owner)

    async def of(self, owner: str) -> list[OwnGame]:
        """Somebody's finished games, the newest first."""
        await self._take_results(owner)
        held = await self.held(owner)
        games = []
        for row in await self._holdings.results(owner):
            result = {"lesson": False, **json.loads(row.result)}
            seats = tuple(
                seat
                for seat, issue in enumerate(result["issues"])
                if (row.table, seat, issue) in held
            )
            if seats:
                accuracy = tuple(json.loads(row.summary)["accuracy"]) if row.summary else ()
                games.append(OwnGame(row.table, row.number, row.ended, seats, result, accuracy))
        return games

    async def _take_results(self, owner: str) -> None:
        """Read the logs that have grown since results were last taken from them."""
        for log in await self._holdings.grown(owner, MOST_READ):
            try:
                await self._live.ready(log.game)
            except UnknownGame:
                continue  # until it is installed again
            lines = await self._holdings.lines(log.table)
            rows = await asyncio.to_thread(results_of, log.table, lines)
            await self._holdings.keep(log.table, len(lines), rows)

    async def merge(self, owner: str, into: str) -> None:
        """Let everything that one key has held be the other's."""
        await self._holdings.merge(owner, into)

    async def alone(self, owner: str) -> list[str]:
        """Finished tables at which nobody else has sat: against bots, or at one device."""
        games, held = await self.of(owner), await self.held(owner)
        shared = await self._holdings.shared(owner)
        alone = []
        for table in dict.fromkeys(game.table for game in games if game.table not in shared):
            now = (await self._live.find(table)).table
            mine = all(
                chair.kind == BOT or not chair.taken or (table, seat, chair.issue) in held
                for seat, chair in enumerate(now.seats)
            )
            people = {
                seat
                for game in games
                if game.table == table
                for seat, sat in enumerate(game.result["seats"])
                if "bot" not in sat and seat not in game.seats
            }
            if mine and not people and now.state == OVER and not now.broken:
                alone.append(table)
        return alone

    async def forget(self, owner: str, alone: Sequence[str]) -> None:
        """Delete somebody's list, and these tables wholly."""
        await self._holdings.forget(owner, alone)
        for table in alone:
            self._live.close_table(table)


def results_of(table_id: str, lines: Sequence[Line]) -> list[Row]:
    """What the finished games of a log came to."""
    table = Table(table_id)
    ended: dict[int, float] = {}
    for line in lines:
        table.follow(read_entry(line.entry))
        if table.state == OVER:
            ended.setdefault(len(table.past), line.at)
    return [
        {
            "table_id": table_id,
            "game_number": number,
            "ended": ended[number],
            "result": json.dumps(_result(table, finished, number), ensure_ascii=False),
        }
        for number, finished in enumerate(table.finished)
    ]


def _result(table: Table, finished: Finished, number: int) -> dict[str, Any]:
    match = finished.match
    seats = range(match.players)
    apart = {"other_rules": finished.rules} if finished.rules else {}
    return {
        **apart,
        "game": table.game.id,
        "options": table.options,
        "deal": "" if number else table.deal,
        "own_pack": bool(table.pack_names),
        "lesson": table.lesson and number == len(table.past),
        "seats": [dict(seat) for seat in match.seats],
        "issues": list(finished.issues),
        "scores": [int(score) for score in finished.scores],
        "winners": list(finished.winners),
        "places": places(finished.scores, finished.winners),
        "lines": [
            {line: int(points) for line, points in match.sheet(seat).items()} for seat in seats
        ],
    }


def places(scores: Sequence[int], winners: Sequence[int]) -> list[int]:
    """Each seat's place: whoever has won first, then by points."""
    ranks = [(seat in winners, score) for seat, score in enumerate(scores)]
    return [1 + sum(other > rank for other in ranks) for rank in ranks]

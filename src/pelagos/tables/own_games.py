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

import sqlalchemy as sa

from pelagos.tables.database import insert_for
from pelagos.tables.schema import analyses, due, holdings, log, results, tables
from pelagos.tables.service import Tables
from pelagos.tables.table import BOT, OVER, Finished, Table

KEY_BYTES = 32
MOST_READ = 100
"""Tables whose logs are read for one request; those that are left are read at the next."""
_KEY = re.compile(r"[A-Za-z0-9_-]{43}")

Held = tuple[str, int, int]
"""A seat as somebody held it: table, seat, issue of its secret."""
Row = dict[str, Any]


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
        """Is it a whole game of one person, by the usual cards?"""
        told = self.result
        apart = told["own_pack"] or told["lesson"] or told["deal"].startswith("played on")
        return not apart and len(self.seats) == 1

    def as_json(self) -> dict[str, Any]:
        """The game as data; which secrets were held stays here."""
        told = {name: value for name, value in self.result.items() if name != "issues"}
        return {
            "table": self.table,
            "number": self.number,
            "ended": datetime.fromtimestamp(self.ended, UTC).isoformat(timespec="seconds"),
            "own_seats": list(self.seats),
            **told,
            "accuracy": list(self.accuracy),
        }


class OwnGames:
    """All that is known of whose games were whose."""

    def __init__(self, live: Tables) -> None:
        self._live = live
        self._store = live.store

    async def hold(self, owner: str, seats: Iterable[Held]) -> None:
        """Note that somebody holds seats."""
        rows = [
            {"owner": owner, "table_id": table, "seat": seat, "issue": issue, "number": 0}
            for table, seat, issue in set(seats) - await self.held(owner)
        ]
        if rows:
            await self._store.write(
                lambda connection: connection.execute(_insert(connection, holdings), rows)
            )

    async def held(self, owner: str) -> set[Held]:
        """The seats that somebody has held."""
        query = sa.select(holdings).where(holdings.c.owner == owner)
        return {(row.table_id, row.seat, row.issue) for row in await self._store.select(query)}

    async def of(self, owner: str) -> list[OwnGame]:
        """Somebody's finished games, the newest first."""
        await self._take_results(owner)
        held = await self.held(owner)
        mine = sa.select(holdings.c.table_id).where(holdings.c.owner == owner)
        seen_by_coach = sa.and_(
            analyses.c.table_id == results.c.table_id,
            analyses.c.game_number == results.c.game_number,
        )
        query = (
            sa.select(results, analyses.c.summary)
            .select_from(results.outerjoin(analyses, seen_by_coach))
            .where(results.c.table_id.in_(mine))
            .order_by(results.c.ended.desc(), results.c.table_id, results.c.game_number.desc())
        )
        games = []
        for row in await self._store.select(query):
            result = {"lesson": False, **json.loads(row.result)}
            seats = tuple(
                seat
                for seat, issue in enumerate(result["issues"])
                if (row.table_id, seat, issue) in held
            )
            if seats:
                accuracy = tuple(json.loads(row.summary)["accuracy"]) if row.summary else ()
                games.append(
                    OwnGame(row.table_id, row.game_number, row.ended, seats, result, accuracy)
                )
        return games

    async def _take_results(self, owner: str) -> None:
        """Read the logs that have grown since results were last taken from them."""
        query = (
            sa.select(holdings.c.table_id, tables.c.number, tables.c.game)
            .join(tables, tables.c.id == holdings.c.table_id)
            .where(holdings.c.owner == owner, holdings.c.number < tables.c.number)
            .distinct()
            .limit(MOST_READ)
        )
        for row in await self._store.select(query):
            await self._live.ready(row.game)
            entries = sa.select(log.c.at, log.c.entry).where(log.c.table_id == row.table_id)
            lines = await self._store.select(entries.order_by(log.c.number))
            rows = await asyncio.to_thread(results_of, row.table_id, lines)
            await self._store.write(_keeping(row.table_id, len(lines), rows))

    async def merge(self, owner: str, into: str) -> None:
        """Let everything that one key has held be the other's."""
        await self.hold(into, await self.held(owner))
        gone = sa.delete(holdings).where(holdings.c.owner == owner)
        await self._store.write(lambda connection: connection.execute(gone))

    async def alone(self, owner: str) -> list[str]:
        """Finished tables at which nobody else has sat: against bots, or at one device."""
        games, held = await self.of(owner), await self.held(owner)
        others = sa.select(holdings.c.table_id).where(holdings.c.owner != owner).distinct()
        shared = {row.table_id for row in await self._store.select(others)}
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

        def delete(connection: sa.Connection) -> None:
            connection.execute(sa.delete(holdings).where(holdings.c.owner == owner))
            for kept in (holdings, results, analyses, due, log):
                connection.execute(sa.delete(kept).where(kept.c.table_id.in_(alone)))
            connection.execute(sa.delete(tables).where(tables.c.id.in_(alone)))
            nobodys = results.c.table_id.not_in(sa.select(holdings.c.table_id))
            connection.execute(sa.delete(results).where(nobodys))

        await self._store.write(delete)
        for table in alone:
            self._live.close_table(table)


def results_of(table_id: str, lines: Sequence[sa.Row[Any]]) -> list[Row]:
    """What the finished games of a log came to."""
    table = Table(table_id)
    ended: dict[int, float] = {}
    for line in lines:
        table.follow(json.loads(line.entry))
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
    return {
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


def _keeping(table: str, number: int, rows: Sequence[Row]) -> Any:
    """The job that keeps a table's results, and how much of its log they come from."""

    def keep(connection: sa.Connection) -> None:
        if rows:
            connection.execute(_insert(connection, results), rows)
        read = sa.update(holdings).where(holdings.c.table_id == table)
        connection.execute(read.values(number=number))

    return keep


def _insert(connection: sa.Connection, into: sa.Table) -> Any:
    """Add rows; those that are there already stay."""
    return insert_for(connection.dialect.name)(into).on_conflict_do_nothing()

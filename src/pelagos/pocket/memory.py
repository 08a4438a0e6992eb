"""A store in memory, whose every change is handed on: the browser keeps what is written.

What is kept are names and texts: `log/TABLE/NUMBER`, `table/TABLE`, `due/TABLE/SEAT/DECISION`,
`holding/OWNER/TABLE/SEAT/ISSUE`, `result/TABLE/GAME`, `analysis/TABLE/GAME` and `meta/NAME`.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

from pelagos.tables.errors import Conflict
from pelagos.tables.keeping import (
    Analyses,
    Analysis,
    Append,
    Due,
    Grown,
    Held,
    Holdings,
    Line,
    Result,
    Row,
)
from pelagos.tables.table import Entry

Changes = dict[str, str | None]
"""Texts by their names; None: it is gone."""
Keep = Callable[[Changes], Awaitable[None]]
"""Keeps changes; when it returns they are kept."""
Which = tuple[str, int]
"""A table and one of its games."""


async def keep_nothing(changes: Changes) -> None:
    """For as long as the process lasts."""


class MemoryStore:
    """Everything that one browser keeps of its tables."""

    postgres = False
    url = "memory"
    raises: tuple[type[Exception], ...] = (Conflict, OSError)

    def __init__(self, kept: Mapping[str, str], keep: Keep = keep_nothing) -> None:
        """`kept` is what was written before."""
        self._keep = keep
        self.logs: dict[str, list[Line]] = {}
        self.tables: dict[str, Row] = {}
        self.due: dict[tuple[str, int, int], Row] = {}
        self.meta: dict[str, str] = {}
        holdings: dict[tuple[str, str, int, int], int] = {}
        results: dict[Which, Row] = {}
        analyses: dict[Which, Row] = {}
        lines: dict[str, dict[int, Line]] = {}
        for name, text in kept.items():
            kind, *where = name.split("/")
            if kind == "log":
                lines.setdefault(where[0], {})[int(where[1])] = Line(*json.loads(text))
            elif kind == "table":
                self.tables[where[0]] = json.loads(text)
            elif kind == "due":
                self.due[where[0], int(where[1]), int(where[2])] = json.loads(text)
            elif kind == "holding":
                holdings[where[0], where[1], int(where[2]), int(where[3])] = int(text)
            elif kind == "result":
                results[where[0], int(where[1])] = json.loads(text)
            elif kind == "analysis":
                analyses[where[0], int(where[1])] = json.loads(text)
            elif kind == "meta":
                self.meta[where[0]] = text
        for table, numbered in lines.items():
            self.logs[table] = [numbered[number] for number in range(len(numbered))]
        self._holdings = MemoryHoldings(self, holdings, results)
        self._analyses = MemoryAnalyses(self, analyses)
        self.holdings: Holdings = self._holdings
        self.analyses: Analyses = self._analyses

    async def keep(self, changes: Changes) -> None:
        """Hand changes on."""
        if changes:
            await self._keep(changes)

    async def remember(self, name: str, text: str) -> None:
        """Keep one of the things that the whole place has one of."""
        if self.meta.get(name) != text:
            self.meta[name] = text
            await self.keep({f"meta/{name}": text})

    async def key(self) -> bytes:
        """The key that signs seats, made when it is first asked for."""
        await self.remember("key", self.meta.get("key") or secrets.token_hex(32))
        return bytes.fromhex(self.meta["key"])

    async def close(self) -> None:
        """Nothing is open."""

    async def is_well(self) -> bool:
        """Memory always is."""
        return True

    async def spread(self, table: str, line: str) -> None:
        """There are no other processes."""

    # --- logs -------------------------------------------------------------------------------------

    async def append(self, append: Append) -> None:
        """Add entries; when this returns they are kept. `Conflict`: somebody was faster."""
        log = self.logs.setdefault(append.table, [])
        if len(log) != append.after:
            raise Conflict
        now = time.time()
        changes: Changes = {}
        for entry in append.entries:
            line = Line(now, json.dumps(entry, ensure_ascii=False))
            changes[f"log/{append.table}/{len(log)}"] = json.dumps(line)
            log.append(line)
        row = self.tables.setdefault(append.table, {"id": append.table, "created": now})
        row |= {
            "number": append.length,
            "game": append.game,
            "state": append.state,
            "listed": append.listed,
        }
        if append.is_public:
            row["changed"] = now
        row.setdefault("changed", now)
        changes[f"table/{append.table}"] = json.dumps(row)
        if append.works is not None:
            changes |= self._follow_work(append.table, append.works)
        await self.keep(changes)

    async def read(self, table: str, after: int = 0) -> list[Entry]:
        """A table's entries from number `after` on."""
        return [json.loads(line.entry) for line in self.logs.get(table, [])[after:]]

    async def lengths(self, ids: Sequence[str]) -> dict[str, int]:
        """How long the logs of these tables are."""
        return {table: len(self.logs[table]) for table in ids if table in self.logs}

    async def newest(self, count: int, game: str | None, state: str | None) -> list[Row]:
        """Listed tables, those that changed last first."""
        rows = [
            dict(row)
            for row in self.tables.values()
            if row["listed"] and game in (None, row["game"]) and state in (None, row["state"])
        ]
        return sorted(rows, key=lambda row: (-row["changed"], row["id"]))[:count]

    def drop_tables(self, ids: Iterable[str]) -> Changes:
        """Forget tables wholly; what is gone is returned."""
        changes: Changes = {}
        for table in ids:
            log = self.logs.pop(table, [])
            changes |= {f"log/{table}/{number}": None for number in range(len(log))}
            if self.tables.pop(table, None):
                changes[f"table/{table}"] = None
            changes |= self._follow_work(table, ())
        return changes

    # --- owed work --------------------------------------------------------------------------------

    def _follow_work(self, table: str, works: Sequence[Due]) -> Changes:
        """Make the rows of owed work what they should be; those that stay keep time and lease."""
        changes: Changes = {}
        stays = {(table, work.seat, work.decision) for work in works}
        for which in [which for which in self.due if which[0] == table and which not in stays]:
            del self.due[which]
            changes[_due_name(which)] = None
        for work in works:
            which = (table, work.seat, work.decision)
            if which not in self.due or (work.fixed and self.due[which]["at"] != work.at):
                self.due[which] = {"at": work.at, "lead": work.lead, "lease": 0.0, "tries": 0}
                changes[_due_name(which)] = json.dumps(self.due[which])
        return changes

    async def take(self, now: float, most: int, lease: float) -> list[Due]:
        """Work whose time to begin has come and that nobody is at: it is ours until `lease`."""
        ripe = [
            (row["at"], which)
            for which, row in self.due.items()
            if row["at"] - row["lead"] <= now and row["lease"] < now
        ]
        taken = []
        for at, which in sorted(ripe)[:most]:
            row = self.due[which]
            row["lease"] = now + lease + max(0.0, at - now)
            row["tries"] += 1
            taken.append(_due(which, row))
        return taken

    async def drop(self, work: Due) -> None:
        """Forget work that isn't owed any more."""
        which = (work.table, work.seat, work.decision)
        if self.due.pop(which, None):
            await self.keep({_due_name(which): None})

    async def release(self) -> None:
        """Give up all leases."""
        for row in self.due.values():
            row["lease"] = 0.0
        self._analyses.release_all()

    async def due_after(self, time: float) -> list[Due]:
        """Work that is due later than this."""
        return [_due(which, row) for which, row in self.due.items() if row["at"] > time]

    async def hasten(self, work: Due, at: float) -> None:
        """Let work be due at another time."""
        which = (work.table, work.seat, work.decision)
        if which in self.due:
            self.due[which]["at"] = at
            await self.keep({_due_name(which): json.dumps(self.due[which])})


def _due_name(which: tuple[str, int, int]) -> str:
    return "due/" + "/".join(map(str, which))


def _due(which: tuple[str, int, int], row: Row) -> Due:
    return Due(*which, row["at"], row["lead"], row["tries"])


class MemoryHoldings:
    """Whose seats were whose; in a browser, all are its own."""

    def __init__(
        self,
        store: MemoryStore,
        held: dict[tuple[str, str, int, int], int],
        results: dict[Which, Row],
    ) -> None:
        self._store = store
        self._held = held
        """How much of the table's log results were taken from, by owner, table, seat and issue."""
        self._results = results

    async def hold(self, owner: str, seats: Iterable[Held]) -> None:
        """Note that somebody holds seats."""
        fresh = [(owner, *seat) for seat in seats if (owner, *seat) not in self._held]
        self._held |= dict.fromkeys(fresh, 0)
        await self._store.keep({_holding_name(which): "0" for which in fresh})

    async def held(self, owner: str) -> set[Held]:
        """The seats that somebody has held."""
        return {which[1:] for which in self._held if which[0] == owner}

    async def merge(self, owner: str, into: str) -> None:
        """Let everything that one key has held be the other's."""
        await self.hold(into, await self.held(owner))
        await self._store.keep(self._drop(lambda which: which[0] == owner))

    async def shared(self, owner: str) -> set[str]:
        """The tables at which others have held seats."""
        return {which[1] for which in self._held if which[0] != owner}

    async def grown(self, owner: str, most: int) -> list[Grown]:
        """Somebody's tables whose logs have grown since results were last taken from them."""
        tables = self._store.tables
        grown = {
            which[1]: Grown(which[1], tables[which[1]]["game"])
            for which, number in self._held.items()
            if which[0] == owner and which[1] in tables and number < tables[which[1]]["number"]
        }
        return list(grown.values())[:most]

    async def lines(self, table: str) -> list[Line]:
        """A table's whole log, as it is written."""
        return list(self._store.logs.get(table, ()))

    async def keep(self, table: str, number: int, rows: Sequence[Row]) -> None:
        """Keep a table's results, and how much of its log they come from."""
        changes: Changes = {}
        for row in rows:
            which = (table, row["game_number"])
            if which not in self._results:
                self._results[which] = dict(row)
                changes[f"result/{which[0]}/{which[1]}"] = json.dumps(row)
        for held in [held for held in self._held if held[1] == table]:
            self._held[held] = number
            changes[_holding_name(held)] = str(number)
        await self._store.keep(changes)

    async def results(self, owner: str) -> list[Result]:
        """The results of somebody's tables, the newest first."""
        mine = {which[1] for which in self._held if which[0] == owner}
        rows = [
            Result(*which, row["ended"], row["result"], self._store._analyses.summary(which))
            for which, row in self._results.items()
            if which[0] in mine
        ]
        return sorted(rows, key=lambda row: (-row.ended, row.table, -row.number))

    async def forget(self, owner: str, alone: Sequence[str]) -> None:
        """Delete somebody's list, and these tables wholly."""
        gone = set(alone)
        changes = self._drop(lambda which: which[0] == owner or which[1] in gone)
        held = {which[1] for which in self._held}
        for which in [which for which in self._results if which[0] not in held]:
            del self._results[which]
            changes[f"result/{which[0]}/{which[1]}"] = None
        changes |= self._store._analyses.drop(gone)
        await self._store.keep(changes | self._store.drop_tables(gone))

    def _drop(self, is_gone: Callable[[tuple[str, str, int, int]], bool]) -> Changes:
        gone = [which for which in self._held if is_gone(which)]
        for which in gone:
            del self._held[which]
        return {_holding_name(which): None for which in gone}


def _holding_name(which: tuple[str, str, int, int]) -> str:
    return "holding/" + "/".join(map(str, which))


class MemoryAnalyses:
    """What the coach was asked for, and has said."""

    def __init__(self, store: MemoryStore, rows: dict[Which, Row]) -> None:
        self._store = store
        self._rows = rows

    def summary(self, which: Which) -> str | None:
        """Each seat's accuracy, if the coach has looked."""
        return self._rows[which]["summary"] if which in self._rows else None

    def release_all(self) -> None:
        """Nobody is at any."""
        for row in self._rows.values():
            row["lease"] = 0.0

    def drop(self, tables: Iterable[str]) -> Changes:
        """Forget what was said of these tables."""
        gone = [which for which in self._rows if which[0] in tables]
        for which in gone:
            del self._rows[which]
        return {_analysis_name(which): None for which in gone}

    async def ask(self, table: str, game: int, now: float, lease: float = 0.0) -> None:
        """Let a game be analysed, unless it is or was; one that failed is begun anew. For the time
        of a `lease` nobody else takes it up.
        """
        which, row = (table, game), self._rows.get((table, game))
        if row is None or (row["done"] and not row["document"]):
            fresh = {
                "asked": now,
                "lease": now + lease if lease else 0.0,
                "tries": 0,
                "done": False,
            }
            self._rows[which] = {**fresh, "summary": "", "document": ""}
            await self._write(which)

    async def known(self, table: str, game: int) -> Analysis | None:
        """How far an analysis has come; None if nobody has asked for it."""
        row = self._rows.get((table, game))
        if row is None:
            return None
        before = [other for other in self._rows.values() if not other["done"]]
        ahead = 0 if row["done"] else sum(other["asked"] < row["asked"] for other in before)
        return Analysis(row["done"], ahead, row["document"])

    async def take(self, now: float, lease: float, most_tries: int) -> Which | None:
        """The work that was asked for first, if nobody is at any: it is ours for a while."""
        waiting = [which for which, row in self._rows.items() if not row["done"]]
        if not waiting or any(self._rows[which]["lease"] > now for which in waiting):
            return None
        which = min(waiting, key=lambda which: float(self._rows[which]["asked"]))
        row = self._rows[which]
        tries = row["tries"]
        row |= {"lease": now + lease, "tries": tries + 1, "done": tries >= most_tries}
        await self._write(which)
        return which if tries < most_tries else None

    async def keep(
        self, table: str, game: int, document: str, summary: str, done: bool, lease: float
    ) -> None:
        """Store a round."""
        self._rows[table, game] |= {
            "document": document,
            "summary": summary,
            "done": done,
            "lease": lease,
            "tries": 0,
        }
        await self._write((table, game))

    async def release(self, table: str, game: int, failed: bool) -> None:
        """Let somebody else go on at once."""
        row = self._rows[table, game]
        row |= {"lease": 0.0, "tries": row["tries"] if failed else 0}
        await self._write((table, game))

    async def _write(self, which: Which) -> None:
        await self._store.keep({_analysis_name(which): json.dumps(self._rows[which])})


def _analysis_name(which: Which) -> str:
    return f"analysis/{which[0]}/{which[1]}"

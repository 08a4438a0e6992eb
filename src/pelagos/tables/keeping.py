"""What a table's log is kept by: the appends, the work that is owed, and what a store must do.

On a server the store is a database (`store`); in a browser it lies in memory, and the browser keeps
what is written (`pelagos.pocket`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeAlias

from pelagos.tables.table import Entry

Held: TypeAlias = tuple[str, int, int]
"""A seat as somebody held it: table, seat, issue of its secret."""
Row: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Due:
    """An answer that is owed: a bot's, or a person's when it is made for it."""

    table: str
    seat: int
    decision: int
    at: float
    """When the answer is due."""
    lead: float
    """How long before that to begin thinking."""
    tries: int = 0
    fixed: bool = False
    """Is `at` to be kept to, whatever a row says that is there already?"""


@dataclass
class Append:
    """Entries to be added to one table's log, all or none."""

    table: str
    after: int
    """The log's length that they follow on."""
    entries: Sequence[Entry]
    game: str
    state: str
    listed: bool
    works: Sequence[Due] | None = None
    """All the work that is owed then; None: none was or is."""
    is_public: bool = True
    """Does a spectator see a change? Of others nobody may know when they came."""
    laid_by: str = ""
    """For whose quotas the table counts, if it is new."""
    done: asyncio.Future[None] = field(default_factory=asyncio.Future)

    @property
    def length(self) -> int:
        """The log's length with these entries."""
        return self.after + len(self.entries)


class Grown(NamedTuple):
    """A log that is longer than what was read of it."""

    table: str
    game: str


class Line(NamedTuple):
    """An entry as it is written, and when it was."""

    at: float
    entry: str


class Result(NamedTuple):
    """What a finished game came to, as it is kept, and the coach's summary if there is one."""

    table: str
    number: int
    ended: float
    result: str
    summary: str | None


class Analysis(NamedTuple):
    """What is kept of an analysis."""

    done: bool
    ahead: int
    """Analyses that come before it."""
    document: str
    """Empty: nothing yet."""


class Holdings(Protocol):
    """Whose seats were whose, and what their finished games came to."""

    async def hold(self, owner: str, seats: Iterable[Held]) -> None:
        """Note that somebody holds seats."""

    async def held(self, owner: str) -> set[Held]:
        """The seats that somebody has held."""

    async def merge(self, owner: str, into: str) -> None:
        """Let everything that one key has held be the other's."""

    async def shared(self, owner: str) -> set[str]:
        """The tables at which others have held seats."""

    async def grown(self, owner: str, most: int) -> list[Grown]:
        """Somebody's tables whose logs have grown since results were last taken from them."""

    async def lines(self, table: str) -> list[Line]:
        """A table's whole log, as it is written."""

    async def keep(self, table: str, number: int, rows: Sequence[Row]) -> None:
        """Keep a table's results, and how much of its log they come from."""

    async def results(self, owner: str) -> list[Result]:
        """The results of somebody's tables, the newest first."""

    async def forget(self, owner: str, alone: Sequence[str]) -> None:
        """Delete somebody's list, and these tables wholly."""


class Analyses(Protocol):
    """What the coach was asked for, and has said."""

    async def ask(self, table: str, game: int, now: float, lease: float = 0.0) -> None:
        """Let a game be analysed, unless it is or was; one that failed is begun anew. For the time
        of a `lease` nobody else takes it up.
        """

    async def known(self, table: str, game: int) -> Analysis | None:
        """How far an analysis has come; None if nobody has asked for it."""

    async def take(self, now: float, lease: float, most_tries: int) -> tuple[str, int] | None:
        """The work that was asked for first, if nobody is at any: it is ours for a while."""

    async def keep(
        self, table: str, game: int, document: str, summary: str, done: bool, lease: float
    ) -> None:
        """Store a round."""

    async def release(self, table: str, game: int, failed: bool) -> None:
        """Let somebody else go on at once."""


class TableStore(Protocol):
    """All that is kept of tables."""

    postgres: bool
    """Are there other processes, which are told of news?"""
    url: str
    holdings: Holdings
    analyses: Analyses
    raises: tuple[type[Exception], ...]
    """What comes of it when the store is away."""

    async def append(self, append: Append) -> None:
        """Add entries; when this returns they are kept. `Conflict`: somebody was faster."""

    async def close(self) -> None:
        """Let go."""

    async def key(self) -> bytes:
        """The key that signs seats."""

    async def is_well(self) -> bool:
        """Can it be written?"""

    async def spread(self, table: str, line: str) -> None:
        """Tell other processes what was said at a table."""

    async def read(self, table: str, after: int = 0) -> list[Entry]:
        """A table's entries from number `after` on."""

    async def lengths(self, ids: Sequence[str]) -> dict[str, int]:
        """How long the logs of these tables are."""

    async def newest(self, count: int, game: str | None, state: str | None) -> list[Row]:
        """Listed tables, those that changed last first."""

    async def take(self, now: float, most: int, lease: float) -> list[Due]:
        """Work whose time to begin has come and that nobody is at: it is ours until `lease`."""

    async def drop(self, work: Due) -> None:
        """Forget work that isn't owed any more."""

    async def release(self) -> None:
        """Give up all leases."""

    async def due_after(self, time: float) -> list[Due]:
        """Work that is due later than this."""

    async def hasten(self, work: Due, at: float) -> None:
        """Let work be due at another time."""

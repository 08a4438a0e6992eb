"""Bot time, shared: who thinks next where several wait for one process.

Tables at which somebody plays come first, and of them those whose address is within its budget.
Then whoever has used least lately: first by address, then by table, then by who came first.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

MINUTE = 60.0
"""Seconds after which what was used counts little more than a third."""
MOST_REMEMBERED = 20_000


@dataclass(frozen=True)
class Claim:
    """Whose bot wants to think."""

    address: str = ""
    """Who laid its table; unknown ones share one."""
    table: str = ""
    played: bool = True
    """Does a person who is there sit at the table?"""


ANYBODY = Claim()
Rank = tuple[int, float, float]
"""The smallest comes first."""


class Shares:
    """What addresses and tables have used of the bots' time lately, in seconds a minute."""

    def __init__(
        self, budget: float = math.inf, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`budget`: what one address may use before others come first."""
        self._budget = budget
        self.clock = clock
        self._used: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()
        """By kind and name: seconds, and when they were counted."""

    def used(self, kind: str, name: str) -> float:
        """What somebody has used, the less the longer ago."""
        seconds, since = self._used.get((kind, name), (0.0, 0.0))
        return seconds * math.exp((since - self.clock()) / MINUTE) if seconds else 0.0

    def spend(self, claim: Claim, seconds: float) -> None:
        """Count what a thought has taken."""
        for kind, name in (("address", claim.address), ("table", claim.table)):
            spent = self.used(kind, name) + seconds
            self._used[kind, name] = (spent, self.clock())
            self._used.move_to_end((kind, name))
        while len(self._used) > MOST_REMEMBERED:
            self._used.popitem(last=False)

    def rank(self, claim: Claim) -> Rank:
        """Where a claim stands among others."""
        by_address = self.used("address", claim.address)
        over_budget = by_address > self._budget
        first = over_budget if claim.played else 2
        return int(first), by_address, self.used("table", claim.table)

    def must_wait(self, claim: Claim) -> float:
        """Seconds until a table that nobody plays at may think again: its address' budget is all
        that it gets, however idle the server is.
        """
        if claim.played:
            return 0.0
        over = self.used("address", claim.address) / self._budget
        return MINUTE * math.log(over) if over > 1 else 0.0


class Turns:
    """One at a time; when it is free, it is the turn of whoever has the best claim then."""

    def __init__(self, shares: Shares | None = None) -> None:
        self.shares = shares or Shares()
        self._waiting: dict[asyncio.Future[None], Claim] = {}
        self.taken = False

    @asynccontextmanager
    async def turn(self, claim: Claim) -> AsyncIterator[None]:
        """Wait for a turn, and have it; what it takes is counted."""
        if self.taken:
            await self._wait(claim)
        self.taken = True
        began = self.shares.clock()
        try:
            yield
        finally:
            self.shares.spend(claim, self.shares.clock() - began)
            self._pass_on()

    async def _wait(self, claim: Claim) -> None:
        called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[called] = claim
        try:
            await called
        except asyncio.CancelledError:
            self._waiting.pop(called, None)
            if not called.cancelled():  # it was our turn already
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        """Call the next; `taken` stays, so that nobody comes between."""
        claims = {called: claim for called, claim in self._waiting.items() if not called.done()}
        self.taken = bool(claims)
        if self.taken:
            called = min(claims, key=lambda waiting: self.shares.rank(claims[waiting]))
            del self._waiting[called]
            called.set_result(None)

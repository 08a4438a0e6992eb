"""Limits: so many a second on average, bursts allowed, by seat and by address; and what requests
cost, in processor time by address, so that cheap ones are hardly limited and costly ones soon are.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Generator, Mapping
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any, Generic, TypeVar

from pelagos.engine.errors import text
from pelagos.tables.errors import TooMuch

MOST_REMEMBERED = 100_000
TABLES, BOT_GAMES = "tables", "bot_games"
"""What is counted by the day (`quotas`)."""
SUBSCRIBER = 64
"""Bits of an IPv6 address that somebody's provider gives them: they have all addresses behind."""


COST = "pelagos.cost"
"""Where a request's scope has what it costs."""
Result = TypeVar("Result")


def address_of(scope: Mapping[str, Any]) -> str:
    """Whose request this is, as limits and quotas count: an IPv4 address, or an IPv6 network."""
    client = scope.get("client")
    return _counted_as(client[0]) if client else ""


@lru_cache(maxsize=4096)
def _counted_as(host: str) -> str:
    try:
        address = ip_address(host)
    except ValueError:  # a socket's path, or what a proxy made up
        return host[:100]
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ip_network((address.packed, SUBSCRIBER), strict=False))


class Limit:
    """Token buckets, one for each who asks; the longest unused are forgotten."""

    def __init__(
        self,
        a_second: float,
        burst: float,
        clock: Callable[[], float] = time.monotonic,
        refusal: str = "tables/refuse.too_much",
    ) -> None:
        self._refusal = refusal
        self._rate = a_second
        self._burst = burst
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def spend(self, who: str) -> None:
        """Count one; refuse it if that is too many."""
        now = self._clock()
        left, since = self._buckets.pop(who, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._rate)
        if left < 1:
            self._buckets[who] = (left, now)
            raise TooMuch(text(self._refusal))
        self._buckets[who] = (left - 1, now)
        if len(self._buckets) > MOST_REMEMBERED:
            self._buckets.popitem(last=False)


class Unlimited:
    """No limit at all."""

    def spend(self, who: str) -> None:
        """Count nothing."""


class Budget:
    """Processor seconds for each address. What a request costs is known when it has been spent: who
    has overdrawn waits until it has come in again, which takes no longer than a burst does.
    """

    def __init__(
        self, a_second: float, burst: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate = a_second
        self._burst = burst
        self._clock = clock
        self._accounts: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """By address: seconds that are left, and when that was so."""

    def left(self, address: str) -> float:
        """Seconds that an address may still use now; less than nothing: it has overdrawn."""
        left, since = self._accounts.get(address, (self._burst, 0.0))
        return min(self._burst, left + (self._clock() - since) * self._rate)

    def check(self, address: str) -> None:
        """Refuse who has nothing left."""
        left = self.left(address)
        if left <= 0:
            seconds = max(1, math.ceil(-left / self._rate))
            raise TooMuch(text("tables/refuse.costly", seconds=seconds), retry_after=seconds)

    def charge(self, address: str, seconds: float) -> None:
        """Take what was spent from an address' account."""
        left = max(-self._burst, self.left(address) - seconds)
        self._accounts[address] = (left, self._clock())
        self._accounts.move_to_end(address)
        if len(self._accounts) > MOST_REMEMBERED:
            self._accounts.popitem(last=False)


class Cost:
    """What one request costs, charged to its address while it is answered: who asks for much at
    once is refused before all of it is begun.
    """

    def __init__(self, budget: Budget | None, address: str) -> None:
        self._budget = budget
        self._address = address

    def check(self) -> None:
        """Refuse to begin more for an address that has nothing left."""
        if self._budget is not None:
            self._budget.check(self._address)

    def charge(self, seconds: float) -> None:
        """Count processor time that was spent on the request."""
        if self._budget is not None:
            self._budget.charge(self._address, seconds)

    async def aside(self, work: Callable[..., Result], *given: Any) -> Result:
        """Do something long in a thread; what it takes there counts too."""
        if self._budget is None:
            return await asyncio.to_thread(work, *given)
        self.check()
        spent = 0.0

        def measured() -> Result:
            nonlocal spent
            began = time.thread_time()
            try:
                return work(*given)
            finally:
                spent = time.thread_time() - began

        try:
            return await asyncio.to_thread(measured)
        finally:
            self.charge(spent)


def cost_of(scope: Mapping[str, Any]) -> Cost:
    """What a request costs; where nobody counts, nothing."""
    cost: Cost = scope.get(COST) or Cost(None, "")
    return cost


class Metered(Generic[Result]):
    """A coroutine whose steps are measured: the loop's processor time, not what it waits for."""

    def __init__(self, work: Coroutine[Any, Any, Result], charge: Callable[[float], None]) -> None:
        self._work = work
        self._charge = charge

    def __await__(self) -> Generator[Any, Any, Result]:
        """Take one step after the other."""
        step: Callable[[Any], Any] = self._work.send
        given: Any = None
        while True:
            began = time.thread_time()
            try:
                awaited = step(given)
            except StopIteration as done:
                result: Result = done.value
                return result
            finally:
                self._charge(time.thread_time() - began)
            try:
                step, given = self._work.send, (yield awaited)
            except BaseException as error:
                step, given = self._work.throw, error


class NoQuotas:
    """An address may use what it likes."""

    async def lay(self, address: str, with_bots: bool) -> None:
        """Count nothing."""

    async def spend(self, kind: str, address: str) -> None:
        """Count nothing."""

    def laid_by(self, address: str) -> str:
        """Nobody's."""
        return ""

    async def forget(self) -> None:
        """Nothing is known."""

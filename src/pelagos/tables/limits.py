"""Rate limits: so many a second on average, bursts allowed, counted by seat and by address."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from pelagos.engine.errors import text
from pelagos.tables.errors import TooMuch

MOST_REMEMBERED = 100_000
TABLES, BOT_GAMES = "tables", "bot_games"
"""What is counted by the day (`quotas`)."""
SUBSCRIBER = 64
"""Bits of an IPv6 address that somebody's provider gives them: they have all addresses behind."""


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

"""What stands before every request: its size, its origin, its address's limits; and counts it."""

from __future__ import annotations

import socket
import time
from collections.abc import Awaitable, Callable, MutableMapping
from functools import cache, lru_cache
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pelagos.engine.errors import short, text
from pelagos.tables.errors import Malformed, Refused, TooMuch
from pelagos.tables.limits import COST, Budget, Cost, Limit, Metered, Unlimited, address_of
from pelagos.tables.message import encode
from pelagos.tables.refusals import refusal, wished_language

if TYPE_CHECKING:
    from pelagos.tables.metrics import Metrics

LARGEST_BODY = 300_000
"""Bytes; a pack of one's own is the largest thing anybody sends."""
LONGEST_PATH = 2000
"""Letters; a number in an address may be no longer than Python reads."""
SAFE = ("GET", "HEAD", "OPTIONS")
HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
)

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class TooLarge(Malformed):
    """A body beyond the limit."""

    status = 413
    code = "too_large"


class Foreign(Refused):
    """A request that another site's page sent."""

    status = 403
    code = "foreign_origin"


class Misdirected(Refused):
    """A request for a name that isn't ours: somebody may have pointed theirs at us."""

    status = 421
    code = "unknown_host"


class Guard:
    """Middleware in plain ASGI."""

    def __init__(
        self,
        app: Any,
        metrics: Metrics,
        limit: Limit | Unlimited,
        budget: Budget | None = None,
        hosts: tuple[str, ...] = (),
        hsts_days: int = 0,
    ) -> None:
        """`budget`: the processor time of each address; `hosts`: the names that this server has,
        beside its machine's own; `hsts_days`: for how long whoever came by https shall come by
        nothing else.
        """
        self._app = app
        self._metrics = metrics
        self._limit = limit
        self._budget = budget
        self._hosts = hosts
        hsts = (b"strict-transport-security", b"max-age=%d" % (hsts_days * 86400))
        self._headers = {"http": HEADERS, "https": (*HEADERS, hsts) if hsts_days else HEADERS}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        status = [500]
        body = _Bounded(receive)
        headers = self.headers(scope["scheme"])

        async def counted(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                status[0] = message["status"]
                own = list(message.get("headers", []))
                named = {name.lower() for name, _ in own}
                message["headers"] = own + [header for header in headers if header[0] not in named]
            await send(message)

        async def answered(message: MutableMapping[str, Any]) -> None:
            if not body.refused:
                await counted(message)
            elif message["type"] == "http.response.start":  # whatever was made of it further in
                self._metrics.refused.labels(body.refused.code).inc()
                await _refuse(scope, counted, body.refused)

        cost = scope[COST] = Cost(self._budget, address_of(scope))
        try:
            self.check(scope)
            answering = self._app(scope, body, answered)
            await (Metered(answering, cost.charge) if self._budget else answering)
        except Refused as error:
            self._metrics.refused.labels(error.code).inc()
            await _refuse(scope, counted, error)
        finally:
            method = scope["method"] if scope["method"] in ("GET", "POST") else "other"
            self._metrics.requests.labels(method, status[0]).observe(time.perf_counter() - began)

    def headers(self, scheme: str) -> tuple[tuple[bytes, bytes], ...]:
        """What every answer says."""
        return self._headers.get(scheme, HEADERS)

    def check(self, scope: Scope) -> None:
        """Refuse what is too large, for another name, from another site, or too much."""
        headers = dict(scope["headers"])
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length[:12]) > LARGEST_BODY:
            raise TooLarge(text("tables/refuse.large", most=LARGEST_BODY))
        if len(scope["path"]) > LONGEST_PATH:
            raise TooLarge(text("tables/refuse.large", most=LONGEST_PATH))
        self._check_host(headers.get(b"host", b"").decode("latin-1"))
        if scope["method"] not in SAFE:
            _check_origin(headers)
        address = address_of(scope)
        self._limit.spend(address)
        if self._budget is not None:
            self._budget.check(address)

    def _check_host(self, host: str) -> None:
        """A page of somebody whose name leads here must not speak with us as if it were ours."""
        if not _is_own(host) and _name_of(host) not in self._hosts:
            raise Misdirected(text("tables/refuse.host", host=short(_name_of(host))))


@cache
def own_names() -> frozenset[str]:
    """What this machine is called on its own network."""
    name = socket.gethostname().lower()
    return frozenset({"localhost", name, f"{name}.local", name.partition(".")[0] + ".local"})


@lru_cache(maxsize=1000)
def _is_own(host: str) -> bool:
    """Is it an address, which nobody can point elsewhere, or this machine's own name?"""
    name = _name_of(host)
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return not host or name in own_names()
    return True


def _name_of(host: str) -> str:
    """The name of a host, without its port."""
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdigit() else host).rstrip(".").lower()


def _check_origin(headers: dict[bytes, bytes]) -> None:
    """A page may only send what its own site's server is asked."""
    origin = headers.get(b"origin")
    if origin is not None:
        try:
            there = urlsplit(origin.decode("latin-1")).netloc
        except ValueError:
            there = ""
        if not there or there != headers.get(b"host", b"").decode("latin-1"):
            raise Foreign(text("tables/refuse.foreign"))
    elif headers.get(b"sec-fetch-site", b"same-origin") not in (b"same-origin", b"none"):
        raise Foreign(text("tables/refuse.foreign"))


class _Bounded:
    """A body whose bytes are counted, for its length may not have been told."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._length = 0
        self.refused: TooLarge | None = None

    async def __call__(self) -> MutableMapping[str, Any]:
        message = await self._receive()
        if message["type"] == "http.request":
            self._length += len(message.get("body", b""))
            if self._length > LARGEST_BODY:
                self.refused = TooLarge(text("tables/refuse.large", most=LARGEST_BODY))
                raise self.refused
        return message


async def _refuse(scope: Scope, send: Send, error: Refused) -> None:
    wishes = dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1")
    body = encode({"error": refusal(error, wished_language(wishes))})
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    if isinstance(error, TooMuch):
        headers.append((b"retry-after", b"%d" % error.retry_after))
    await send({"type": "http.response.start", "status": error.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})

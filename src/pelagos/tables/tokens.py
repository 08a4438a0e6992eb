"""Who sits where: a seat's secret is a token signed with the key that lies with the data.

A token names table, role and issue. Whoever holds it holds the seat, until it is issued anew.
Nothing about it is stored, so a restart unseats nobody. A key can be replaced: the newest signs,
and those before it are good for a while.
"""

from __future__ import annotations

import base64
import hmac
import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache

HOST = "host"
LONGEST = 200
REMEMBERED = 4096
"""Tokens of those who asked last: each is signed once, and asked for at every move."""


@lru_cache(REMEMBERED)
def sign(key: bytes, table: str, role: str, issue: int) -> str:
    """The token of a role at a table."""
    body = f"{table}.{role}.{issue}"
    digest = hmac.digest(key, body.encode(), "sha256")
    return f"{body}.{base64.urlsafe_b64encode(digest).decode().rstrip('=')}"


def is_signed(key: bytes, token: str, table: str, role: str, issue: int) -> bool:
    """Is this the token of this role now? Takes the same time for every wrong one."""
    if len(token) > LONGEST or not token.isascii():
        return False
    return hmac.compare_digest(token.encode(), sign(key, table, role, issue).encode())


def is_genuine(key: bytes, token: str, table: str, role: str) -> bool:
    """Was this ever a token of this role? Who has invented one is known without any table."""
    issue = token.rpartition(".")[0].rpartition(".")[2]
    if len(token) > LONGEST or not token.isascii() or not re.fullmatch("[0-9]{1,9}", issue):
        return False
    genuine = sign.__wrapped__(key, table, role, int(issue))  # strangers push nobody out
    return hmac.compare_digest(token.encode(), genuine.encode())


def cookie_name(table: str, role: str) -> str:
    """The cookie that carries a role's token."""
    return f"pelagos-{table}-{role}"


@dataclass(frozen=True)
class Key:
    """A key that signs seats."""

    secret: bytes
    begins: float = 0.0
    """When it begins to sign: all processes know it by then."""
    keeps: float = 0.0
    """Seconds, from then on, in which the key before it is good."""

    def as_json(self) -> str:
        """The key as it is stored."""
        return json.dumps({**asdict(self), "secret": self.secret.hex()})

    @classmethod
    def from_json(cls, written: str) -> Key:
        """A key that was stored."""
        stored = json.loads(written)
        return cls(**{**stored, "secret": bytes.fromhex(stored["secret"])})


def good_keys(keys: Sequence[Key], now: float) -> tuple[bytes, ...]:
    """The secrets that are good now, the one that signs first; one to come is good already."""
    ordered = sorted(keys, key=lambda key: key.begins)
    good = [
        key
        for key, after in zip(ordered, [*ordered[1:], None], strict=True)
        if after is None or now < after.begins + after.keeps
    ]
    signing = max((key for key in good if key.begins <= now), key=lambda key: key.begins)
    return (signing.secret, *(key.secret for key in good if key is not signing))

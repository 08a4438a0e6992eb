"""Who sits where: a seat's secret is a token signed with the key that lies with the data.

A token names table, role and issue. Whoever holds it holds the seat, until it is issued anew.
Nothing about it is stored, so a restart unseats nobody.
"""

from __future__ import annotations

import base64
import hmac
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


def cookie_name(table: str, role: str) -> str:
    """The cookie that carries a role's token."""
    return f"pelagos-{table}-{role}"

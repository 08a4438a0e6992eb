"""Fair shuffles: a secret committed before anyone sits down, mixed with every seat's own bytes.

`docs/fairness.md` writes it down; `docs/verify_game.py` checks it without our code.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from pelagos.engine.errors import BadRecord, text
from pelagos.tables.beacon import fits

_HEX = re.compile(r"[0-9a-f]{64}")


def new_secret() -> str:
    """32 random bytes from the operating system, as hexadecimal digits."""
    return secrets.token_bytes(32).hex()


def public_secret(text: str) -> str:
    """The secret of a deal that is meant to be the same for everyone: SHA-256 of a public text."""
    return hashlib.sha256(text.encode()).hexdigest()


@lru_cache(maxsize=4096)
def commitment(secret: str) -> str:
    """What is published of a secret beforehand: SHA-256 of its 32 bytes."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def seed(secret: str, parts: Sequence[str], beacon: Mapping[str, Any] | None = None) -> bytes:
    """The game's seed: HMAC-SHA256 under the secret of the seats' digits, joined by `/`.

    A seat that adds nothing, a bot's, has an empty text between the strokes. A beacon's randomness
    comes last, as if one more seat had added it.
    """
    mixed = [*parts, beacon["randomness"]] if beacon else parts
    return hmac.digest(bytes.fromhex(secret), "/".join(mixed).encode(), "sha256")


def lot(secret: str, about: str) -> float:
    """A number from 0 up to 1 that follows from the secret and nothing on the table."""
    digest = hmac.digest(bytes.fromhex(secret), about.encode(), "sha256")
    return float(int.from_bytes(digest[:7], "big")) / float(1 << 56)


def check(record: Mapping[str, Any]) -> dict[str, Any]:
    """Verify a finished game's fairness: commitment, beacon, seed. Returns its part `fairness`."""
    proof = record.get("fairness")
    if not isinstance(proof, Mapping):
        raise BadRecord(text("tables/refuse.fairness_missing"))
    secret, parts = proof.get("secret"), proof.get("bytes")
    if not isinstance(secret, str) or not _HEX.fullmatch(secret):
        raise BadRecord(text("tables/refuse.fairness_secret"))
    if not isinstance(parts, list) or not all(
        isinstance(part, str) and (part == "" or _HEX.fullmatch(part)) for part in parts
    ):
        raise BadRecord(text("tables/refuse.fairness_bytes"))
    players = record["options"].get("players")
    if len(parts) != players:
        raise BadRecord(text("tables/refuse.fairness_seats", players=players))
    if commitment(secret) != proof.get("commitment"):
        raise BadRecord(text("tables/refuse.fairness_commitment"))
    beacon = proof.get("beacon")
    if beacon is not None:
        _check_beacon(beacon)
    if seed(secret, parts, beacon).hex() != record.get("seed"):
        raise BadRecord(text("tables/refuse.fairness_seed"))
    return dict(proof)


def _check_beacon(beacon: Any) -> None:
    """Is it a round of a named chain, and its randomness the SHA-256 of its signature?"""
    if (
        not isinstance(beacon, Mapping)
        or not isinstance(beacon.get("address"), str)
        or not _HEX.fullmatch(str(beacon.get("chain")))
        or type(beacon.get("round")) is not int
        or not fits(beacon)
    ):
        raise BadRecord(text("tables/refuse.fairness_beacon"))

"""A public beacon: randomness that comes out later than a table's commitment, and that nobody who
plays, or runs the server, can choose. It is drand's (https://drand.love), over HTTP.

What can be checked with hashes is: that a chain's period and start are those of its hash, and that
a round's randomness is the SHA-256 of its signature. The signature itself (BLS12-381) isn't: that
takes a library of its own, so everyone is told where the round can be had and compared.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import struct
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

SECONDS = 5.0
"""For a beacon's answer to begin, and for each part of it."""
LARGEST = 20_000
"""Bytes of an answer."""
MARGIN = 5.0
"""Seconds by which a round must be later than the commitment: so much may clocks differ."""
LATE, UNREACHABLE, WRONG = "late", "unreachable", "wrong"
MOST_ROUNDS = 1000
"""Rounds that are remembered: tables that wait for the same one ask once."""
ADDRESS = re.compile(r"https?://[^\s?#]+/[0-9a-f]{64}")
NO_ADDRESS = "it must be http(s)://RELAY/HASH, the hash with 64 digits"
_HEX = re.compile(r"([0-9a-f]{2})+")

Round = dict[str, Any]
"""As tables and records have it: `address`, `chain`, `round` and `at`, and once it is out also
`randomness` and `signature`."""


class Chain(NamedTuple):
    """When a chain's rounds come out."""

    genesis: int
    period: int

    def next_after(self, moment: float) -> tuple[int, int]:
        """The first round later than a moment, and when it comes out."""
        passed = max(0, int((moment - self.genesis) // self.period) + 1)
        return passed + 1, self.genesis + passed * self.period


CHAINS = {
    "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971": Chain(1692803367, 3),
    "8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce": Chain(1595431050, 30),
}
"""drand's own two, `quicknet` and `default`; of others the beacon is asked once."""


class BeaconTrouble(Exception):
    """A beacon's answer that can't be used: it is late, unreachable or wrong."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind


class Beacon:
    """One chain, at the address of a relay."""

    def __init__(self, address: str) -> None:
        """`address` ends with the chain's hash."""
        self.address = address
        self.hash = address.rpartition("/")[2]
        self._chain = CHAINS.get(self.hash)
        self._asking = asyncio.Lock()
        self._rounds: dict[int, Round] = {}

    async def learn(self) -> None:
        """Ask when the chain's rounds come out, if that isn't known."""
        async with self._asking:
            if self._chain is None:
                info = await asyncio.to_thread(_ask, f"{self.address}/info")
                self._chain = check_chain(self.hash, info)

    def name_round(self, now: float) -> Round | None:
        """The round that a commitment of this moment names; None: the chain isn't known yet."""
        if self._chain is None:
            return None
        number, at = self._chain.next_after(now + MARGIN)
        return {"address": self.address, "chain": self.hash, "round": number, "at": at}

    async def fetch(self, number: int) -> Round:
        """A round's `randomness` and `signature`."""
        await self.learn()
        async with self._asking:
            if number not in self._rounds:
                answer = await asyncio.to_thread(_ask, f"{self.address}/public/{number}")
                self._rounds[number] = check_round(number, answer)
                if len(self._rounds) > MOST_ROUNDS:
                    del self._rounds[next(iter(self._rounds))]
            return self._rounds[number]


def round_address(beacon: Mapping[str, Any]) -> str:
    """Where anyone can read a round."""
    return f"{beacon['address']}/public/{beacon['round']}"


def check_chain(chain: str, info: Any) -> Chain:
    """When rounds come out, if what is told of the chain is what its hash is made of."""
    try:
        start = struct.pack(">Iq", info["period"], info["genesis_time"])
        name = (info.get("metadata") or {}).get("beaconID", "default")
        parts = bytes.fromhex(info["public_key"]) + bytes.fromhex(info["groupHash"])
        made = start + parts + (b"" if name == "default" else name.encode())
        right = hashlib.sha256(made).hexdigest() == chain and info["period"] > 0
    except (KeyError, TypeError, ValueError, AttributeError, struct.error):
        right = False
    if not right:
        raise BeaconTrouble(WRONG, "what is told of the chain doesn't fit its hash")
    return Chain(info["genesis_time"], info["period"])


def check_round(number: int, answer: Any) -> Round:
    """A round's randomness and signature, if they belong together."""
    drawn = {name: answer.get(name) for name in ("randomness", "signature")} if answer else {}
    if not answer or answer.get("round") != number or not fits(drawn):
        raise BeaconTrouble(WRONG, f"this isn't round {number}, or not its randomness")
    return drawn


def fits(drawn: Mapping[str, Any]) -> bool:
    """Is the randomness the SHA-256 of the signature?"""
    signature = drawn.get("signature")
    return (
        isinstance(signature, str)
        and _HEX.fullmatch(signature) is not None
        and hashlib.sha256(bytes.fromhex(signature)).hexdigest() == drawn.get("randomness")
    )


def _ask(address: str) -> Any:
    """A JSON object from an address; may wait for long, so never in the loop."""
    from http.client import HTTPException
    from urllib.error import HTTPError
    from urllib.request import Request, urlopen

    request = Request(address, headers={"User-Agent": "pelagos"})
    deadline = time.monotonic() + 2 * SECONDS
    body = b""
    try:
        with urlopen(request, timeout=SECONDS) as answer:
            while part := answer.read1(LARGEST):
                body += part
                if len(body) > LARGEST or time.monotonic() > deadline:
                    raise BeaconTrouble(WRONG, "its answer is too long, or takes too long")
    except HTTPError as error:
        kind = LATE if error.code in (404, 425) else UNREACHABLE
        raise BeaconTrouble(kind, f"it answers {error.code}") from None
    except (OSError, HTTPException) as error:
        raise BeaconTrouble(UNREACHABLE, str(error) or type(error).__name__) from None
    try:
        document = json.loads(body)
    except ValueError:
        document = None
    if not isinstance(document, dict):
        raise BeaconTrouble(WRONG, "its answer isn't a JSON object")
    return document

"""The random stream: xoshiro256** in the state itself, unbiased draws, shuffles, seeds.

`docs/fairness.md` writes it down with test vectors, so that anyone can recompute a deal.
"""

from __future__ import annotations

import hashlib
from typing import Any

from pelagos.engine.rule import machine, rule, uint64, wrapping_rule
from pelagos.engine.types import Array

_5 = uint64(5)
_7 = uint64(7)
_9 = uint64(9)
_17 = uint64(17)
_19 = uint64(19)
_32 = uint64(32)
_45 = uint64(45)
_57 = uint64(57)
_LOW = uint64(0xFFFFFFFF)


@wrapping_rule
def word(stream: Array) -> Any:
    """The next 64 random bits (xoshiro256**)."""
    a, b, c, d = stream[0], stream[1], stream[2], stream[3]
    times5 = b * _5
    result = ((times5 << _7) | (times5 >> _57)) * _9
    shifted = b << _17
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = (d << _45) | (d >> _19)
    stream[0], stream[1], stream[2], stream[3] = a, b, c, d
    return result


@wrapping_rule
def below(stream: Array, bound: int) -> int:
    """A number from 0 to bound - 1, each equally likely (Lemire's method on 32 bits)."""
    limit = uint64(bound)
    product = (word(stream) >> _32) * limit
    low = product & _LOW
    if low < limit:
        unfair = uint64((4294967296 - bound) % bound)
        while low < unfair:
            product = (word(stream) >> _32) * limit
            low = product & _LOW
    return int(product >> _32)


@rule
def shuffle(stream: Array, cards: Array, first: int, last: int) -> None:
    """Shuffle cards[first:last] (Fisher-Yates, from the end)."""
    for place in range(last - 1, first, -1):
        other = first + below(stream, place - first + 1)
        card = cards[place]
        cards[place] = cards[other]
        cards[other] = card


@rule
def renew(stream: Array, source: Array) -> None:
    """Replace a stream by four words of another."""
    for index in range(4):
        stream[index] = word(source)


def words_of(seed: bytes) -> Array:
    """A stream's start: SHA-256 of the seed, as four little-endian words."""
    words: Array = machine.stream_words(hashlib.sha256(seed).digest())
    return words


def seed_of(series: str, index: int) -> bytes:
    """The seed of game `index` of `--seed series`."""
    return hashlib.sha256(f"{series}/{index}".encode()).digest()


def players_stream(seed: bytes) -> Array:
    """The stream that random players draw from: never the game's own."""
    return words_of(b"players" + seed)

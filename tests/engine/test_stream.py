"""The random stream, against a plain implementation of its published algorithm."""

from __future__ import annotations

import hashlib

import numpy as np

from pelagos.engine.match import seed_bytes
from pelagos.engine.stream import below, players_stream, seed_of, shuffle, word, words_of

FULL = (1 << 64) - 1


class Plain:
    """xoshiro256** in whole numbers."""

    def __init__(self, seed: bytes) -> None:
        digest = hashlib.sha256(seed).digest()
        self.s = [int.from_bytes(digest[i : i + 8], "little") for i in range(0, 32, 8)]

    def word(self) -> int:
        s = self.s
        times = s[1] * 5 & FULL
        result = ((times << 7 | times >> 57) & FULL) * 9 & FULL
        t = s[1] << 17 & FULL
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = (s[3] << 45 | s[3] >> 19) & FULL
        return result

    def below(self, bound: int) -> int:
        while True:
            product = (self.word() >> 32) * bound
            if product & 0xFFFFFFFF >= (1 << 32) % bound:
                return product >> 32


def test_words_follow_the_published_generator() -> None:
    stream, plain = words_of(b"x"), Plain(b"x")
    assert [int(word(stream)) for _ in range(1000)] == [plain.word() for _ in range(1000)]


def test_bounded_draws_follow_the_plain_ones() -> None:
    stream, plain = words_of(b"y"), Plain(b"y")
    for bound in [1, 2, 3, 10, 130, 251, 3_000_000_000, 4_294_967_295] * 50:
        assert below(stream, bound) == plain.below(bound)


def test_bounded_draws_are_fair() -> None:
    stream = words_of(b"fair")
    counts = np.bincount([below(stream, 7) for _ in range(70_000)], minlength=7)
    expected = 10_000
    assert ((counts - expected) ** 2 / expected).sum() < 22.5  # chi square, 6 degrees, 0.1 %


def test_a_shuffle_keeps_all_cards_and_reaches_every_order() -> None:
    stream = words_of(b"cards")
    seen = set()
    for _ in range(400):
        cards = np.arange(6)
        shuffle(stream, cards, 2, 5)
        assert cards[[0, 1, 5]].tolist() == [0, 1, 5]
        assert sorted(cards.tolist()) == list(range(6))
        seen.add(tuple(cards.tolist()))
    assert len(seen) == 6


def test_a_games_seed_is_the_hash_of_series_and_number() -> None:
    assert seed_of("abc", 12) == hashlib.sha256(b"abc/12").digest()
    assert seed_bytes("abc") == seed_of("abc", 0)
    assert seed_bytes(7) == seed_of("7", 0)
    assert seed_bytes("ab" * 32) == bytes.fromhex("ab" * 32)


def test_random_players_never_draw_from_the_games_own_stream() -> None:
    assert players_stream(bytes(32)).tolist() != words_of(bytes(32)).tolist()

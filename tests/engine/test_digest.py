"""SHA-256 as a rule is hashlib's, and seeds games as Python does; interpreted too."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys

import numpy as np

from pelagos.bots.question import bot_stream
from pelagos.engine.digest import (
    digest,
    scratch,
    seed_game,
    seed_games,
    series_bytes,
    start_bot_stream,
    start_players_stream,
    start_stream,
)
from pelagos.engine.rule import INTERPRETED
from pelagos.engine.stream import players_stream, seed_of, words_of

LENGTHS = [0, 1, 54, 55, 56, 63, 64, 119, 120, 300] if INTERPRETED else range(300)
SERIES = ["0", "récif", "海" * 40, "s" * 61, "long " * (30 if INTERPRETED else 400)]
NUMBERS = [0, 10, 2**63 - 1] if INTERPRETED else [0, 9, 10, 999_999, 1_000_000, 2**63 - 1]


def test_a_digest_is_that_of_hashlib_whatever_the_length() -> None:
    draw = random.Random(3)
    out = np.zeros(4, np.uint64)
    for length in LENGTHS:
        message = draw.randbytes(length)
        digest(np.frombuffer(message, np.uint8), -1, out)
        assert out.tobytes() == hashlib.sha256(message).digest(), length


def test_games_are_seeded_as_python_seeds_them() -> None:
    seed, stream = np.zeros((2, 4), np.uint64)
    for series in SERIES:
        for number in NUMBERS:
            expected = seed_of(series, number)
            seed_game(series_bytes(series), number, seed)
            assert seed.tobytes() == expected
            start_stream(seed, stream)
            assert stream.tolist() == words_of(expected).tolist()
            start_players_stream(seed, stream)
            assert stream.tolist() == players_stream(expected).tolist()


def test_bots_draw_from_the_streams_that_python_gives_them() -> None:
    expected = seed_of("bots", 1)
    seed, stream = np.zeros((2, 4), np.uint64)
    seed_game(series_bytes("bots"), 1, seed)
    for seat in range(8):
        for decision in (0, 7, 10, 123, 99_999_999):
            start_bot_stream(seed, seat, decision, stream)
            assert stream.tolist() == bot_stream(expected, seat, decision).tolist()
    start_stream(seed, seed)
    assert seed.tolist() == words_of(expected).tolist(), "seed and stream may be one array"


def test_many_games_are_seeded_at_once_as_one_by_one() -> None:
    for series in SERIES:
        for first, count in ((0, 1), (1, 16), (98, 19), (10**9 - 3, 5)):
            streams, players = np.zeros((2, count, 4), np.uint64)
            seed_games(series_bytes(series), first, streams, players, scratch())
            for index in range(count):
                seed = seed_of(series, first + index)
                assert streams[index].tolist() == words_of(seed).tolist(), (series, first, index)
                assert players[index].tolist() == players_stream(seed).tolist()


def test_interpreted_it_is_the_same_without_overflows() -> None:
    if not INTERPRETED:
        subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__],
            env={**os.environ, "PELAGOS_INTERPRETED": "1"},
            check=True,
        )

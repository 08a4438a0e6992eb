"""A long run leaves nothing behind: what a move made is gone when the next one is made."""

from __future__ import annotations

import asyncio
import gc
import itertools
import os
import random
import tracemalloc
from collections import Counter
from pathlib import Path

import pytest

from conftest import SOAK
from pelagos.engine.game import games
from pelagos.engine.match import Match
from tables.place import Place, at_a_place, match_of

SOAKED = 100_000
"""Moves of a soak, of every game in turn."""
TOGETHER = 40
"""Tables that are played at in it at a time."""


def play(kind: str) -> None:
    """A whole game, with views; then nobody has it any more."""
    choices, match = random.Random(1), Match.new(kind, seed=7)
    while not match.over:
        match = match.copy()
        seat = match.pending[0]
        match.play(seat, choices.choice(match.legal(seat)))
        match.view(seat)


@pytest.mark.parametrize("kind", ["minnows", "ecosystem"])
def test_no_game_leaves_rows_behind(kind: str) -> None:
    """A row that an array of its own keeps is seen by no collector, but it can be counted."""
    kept = left_behind(kind, 2)  # what is made once is made now
    assert sum((kinds() - kinds()).values()) < 1000  # counting makes something once, too
    before = kinds()
    assert left_behind(kind, 3) < kept + 100_000
    assert not {name: count for name, count in (kinds() - before).items() if count > 50}


def left_behind(kind: str, games: int) -> int:
    """Bytes that so many games leave behind, in arrays too."""
    tracemalloc.start()
    try:
        for _ in range(games):
            play(kind)
        gc.collect()
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


def resident() -> int:
    """Bytes of this process in memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


async def play_games(place: Place, moves: int, together: int = 1) -> None:
    """So many moves at tables that are put away when their game is over, some at a time: what they
    write at once is one commit.
    """
    names, made = itertools.cycle(games()), 0

    async def play_on(number: int) -> None:
        nonlocal made
        choices = random.Random(number)
        while made < moves:
            live = await place.lay(next(names), 2)
            while made < moves and live.table.state != "over":
                seat = match_of(live).pending[0]
                made += 1
                await place.move(live, seat, choices.choice(match_of(live).legal(seat)))
                live.message(seat)
            place.tables.close_table(live.table.id)

    await asyncio.gather(*(play_on(number) for number in range(together)))


def kinds() -> Counter[str]:
    gc.collect()
    return Counter(type(alive).__name__ for alive in gc.get_objects())


def test_objects_stay_as_many_over_many_games(tmp_path: Path) -> None:
    async def test(place: Place) -> None:
        await play_games(place, 100)
        before = kinds()
        await play_games(place, 300)
        more = {kind: count for kind, count in (kinds() - before).items() if count > 50}
        assert not more

    at_a_place(tmp_path, test)


@pytest.mark.skipif(not SOAK, reason="a long run, with PELAGOS_SOAK=1")
def test_memory_is_flat_over_a_hundred_thousand_moves(tmp_path: Path) -> None:
    plotted: list[tuple[int, int]] = []

    async def test(place: Place) -> None:
        await play_games(place, 2000, TOGETHER)
        for part in range(1, 21):
            await play_games(place, SOAKED // 20, TOGETHER)
            plotted.append((part * SOAKED // 20, resident()))

    at_a_place(tmp_path, test)
    widest = max(size for _, size in plotted)
    for moves, size in plotted:
        print(f"{moves:>7} moves {size / 1e6:>7.1f} MB {'#' * (60 * size // widest)}")
    first, last = plotted[1][1], plotted[-1][1]
    assert last - first < 20e6, "20 MB in 90,000 moves"

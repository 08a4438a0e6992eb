"""Whole games of Ozeanien, by the thousand: no illegal border ever, and the figures to expect."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from conftest import SOAK
from pelagos.engine.batch import Batch
from pelagos.engine.pack import default_pack, make_pack
from pelagos.engine.rule import INTERPRETED, rule
from pelagos.engine.stream import below, players_stream, seed_of, words_of
from pelagos.engine.types import Array
from pelagos.games.ozeanien import GAME
from pelagos.games.ozeanien.rules import begin, beyond, legal, opposite, pending, play, shuffle
from pelagos.games.ozeanien.state import KINDS, OVER, PILE, SEATS, SIDES, STATE, VALUES

GAMES = 20 if INTERPRETED else 2000
SOAK_GAMES = 100_000


@rule
def has_illegal_border(game: Any, pack: Any) -> bool:
    """Does land meet sea anywhere, or the border?"""
    explored = int(game.explored)
    for side in range(SIDES):
        land, back = int(game.land[side]), opposite(side)
        if land & int(pack.border[side]) or land & ~explored:
            return True
        neighbours = beyond(pack, explored, back) & explored
        across = beyond(pack, int(game.land[back]), back)
        if (land ^ across) & neighbours:
            return True
    return False


@rule
def has_misplaced_explorer(game: Any) -> bool:
    """Is there an explorer on a filled tile, on one without land, or a second on one tile?"""
    land = 0
    for side in range(SIDES):
        land |= int(game.land[side])
    taken = int(game.filled) | ~land
    for seat in range(SEATS):
        for value in range(VALUES):
            tiles = int(game.explorers[seat, value])
            if tiles & taken:
                return True
            taken |= tiles
    return False


@rule
def count_tiles(game: Any) -> int:
    """Sea tiles in the pile, removed, in hand, discarded and laid."""
    count = 0
    for tile in game.pile:
        count += int(tile != 0)
    count += int(game.tile != 0)
    for seat in range(SEATS):
        for kind in range(KINDS):
            count += int(game.discards[seat, kind])
    laid = int(game.explored) & ~int(game.filled)
    while laid:
        laid &= laid - 1
        count += 1
    return count


@rule
def wrong_after(states: Array, packs: Array, streams: Array, out: Array) -> int:
    """Play every game at random; return how many positions were wrong."""
    wrong = 0
    for index in range(states.shape[0]):
        game, pack = states[index], packs[0]
        shuffle(game, pack)
        begin(game, pack)
        who = pending(game, pack)
        while who:
            seat = who >> 1
            count = legal(game, pack, seat, out)
            play(game, pack, seat, int(out[below(streams[index], count)]))
            if count == 0 or has_illegal_border(game, pack) or has_misplaced_explorer(game):
                wrong += 1
            if count_tiles(game) != 35:
                wrong += 1
            who = pending(game, pack)
    return wrong


def play_and_check(games: int, players: int, columns: int, rows: int) -> tuple[int, Array]:
    files = dict(default_pack(GAME).files)
    files["board.toml"] = f'columns = {columns}\nrows = {rows}\nwithout_circles = "top"\n'
    packs = make_pack(GAME, files).data
    states = np.zeros(games, STATE)
    states["players"] = players
    seeds = [seed_of("borders", index) for index in range(games)]
    states["stream"] = [words_of(seed) for seed in seeds]
    streams = np.array([players_stream(seed) for seed in seeds])
    if INTERPRETED:
        states, packs = states.view(np.recarray), packs.view(np.recarray)
    return wrong_after(states, packs, streams, np.zeros(GAME.actions + 1, np.int64)), states


@pytest.mark.parametrize(("columns", "rows"), [(5, 7), (7, 5)])
@pytest.mark.parametrize("players", [1, 2])
def test_land_never_meets_sea_in_any_position_of_random_games(players, columns, rows):
    wrong, states = play_and_check(GAMES, players, columns, rows)
    assert wrong == 0
    assert (states["phase"] == OVER).all()


@pytest.mark.skipif(not SOAK, reason="long: set PELAGOS_SOAK=1")
@pytest.mark.parametrize("players", [1, 2])
def test_land_never_meets_sea_in_100_000_games(players):
    wrong, states = play_and_check(SOAK_GAMES, players, 5, 7)
    assert wrong == 0
    assert (states["phase"] == OVER).all()


def test_a_checker_that_finds_nothing_would_find_a_wrong_border():
    states = np.zeros(1, STATE).view(np.recarray)
    pack = default_pack(GAME).data.view(np.recarray)[0]
    game: Any = states[0]
    game.explored = 0b11
    assert not has_illegal_border(game, pack)
    game.land[1] = 0b01
    assert has_illegal_border(game, pack)
    game.land[3] = 0b10
    assert not has_illegal_border(game, pack)
    game.land[2] = 0b01
    assert has_illegal_border(game, pack)


@pytest.mark.skipif(INTERPRETED, reason="thousands of games")
@pytest.mark.parametrize(("players", "explored", "misfits"), [(1, 0.70, 0.30), (2, 0.83, 0.32)])
def test_random_games_explore_as_much_and_draw_as_many_misfits_as_expected(
    players, explored, misfits
):
    batch = Batch(GAME, 4000, players=players, seed="typical")
    batch.play_out()
    states = batch.states
    assert abs(cells(states["explored"]).mean() / 35 - explored) < 0.01
    used = 8 * SEATS - states["supply"].sum(axis=(1, 2), dtype=int)
    reused = used - cells(states["explorers"]).sum(axis=(1, 2)) if players == 2 else 0
    discarded = states["discards"].sum(axis=(1, 2), dtype=int) + reused
    assert abs(discarded.mean() / states["top"].mean() - misfits) < 0.01


def cells(masks: Array) -> Array:
    """How many cells each mask holds."""
    return sum((masks >> cell) & 1 for cell in range(35))


@pytest.mark.skipif(INTERPRETED, reason="thousands of games")
def test_all_three_endings_happen():
    batch = Batch(GAME, 4000, players=2, seed="endings")
    batch.play_out()
    explored = batch.states["explored"] == (1 << 35) - 1
    drawn = batch.states["top"] == PILE
    assert explored.any()
    assert (drawn & ~explored).any()
    assert (~drawn & ~explored).any()

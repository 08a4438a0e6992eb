"""Reefs for the tests, told by the letters of their cards; and matches at a certain point."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from conftest import random_walk
from pelagos.engine.arrays import new_states, record_of
from pelagos.engine.game import find_game
from pelagos.engine.match import Match
from pelagos.engine.pack import default_pack
from pelagos.games.ecosystem import rules, scoring
from pelagos.games.ecosystem.frame import cell_at, cells_of, row_and_column
from pelagos.games.ecosystem.state import SPECIES

GAME = find_game("ecosystem")
PACK = default_pack(GAME)
LETTERS = {
    "c": "coral",
    "k": "krill",
    "p": "plankton",
    "g": "grouper",
    "f": "clownfish",
    "a": "crab",
    "m": "moray",
    "b": "shark",
    "w": "whale",
    "t": "turtle",
    "o": "octopus",
}


def reef(*grids: str, players: int = 3, neutral: int = 0) -> Any:
    """A state with these grids; rows are separated by spaces, a dot is an empty cell."""
    game = record_of(new_states(GAME, 1))
    game.players = players
    game.neutral[SPECIES.index("plankton")] = neutral
    for seat, grid in enumerate(grids):
        for row, line in enumerate(grid.split()):
            for column, letter in enumerate(line):
                if letter != ".":
                    cell = cell_at(row, column)
                    game.cells[seat, cell] = SPECIES.index(LETTERS[letter]) + 1
                    game.reef[seat] |= 1 << cell
                    game.laid[seat] += 1
    return game


def sheet(game: Any, seat: int = 0) -> dict[str, int]:
    """A seat's sheet by the names of its lines."""
    pack, points = record_of(PACK.data), np.zeros(scoring.LINES, np.int64)
    scoring.sheet(game, pack, seat, points)
    lines = dict(zip(GAME.lines, points.tolist(), strict=True))
    assert scoring.lines_of(game, pack, seat) == lines, "the evidence adds up to the sheet"
    return lines


def cells(mask: int) -> set[tuple[int, int]]:
    """Rows and columns of a mask's cells."""
    return {row_and_column(cell) for cell in cells_of(mask)}


def held(match: Match, seat: int) -> list[int]:
    """The seat's hand, by species."""
    record = match.position.record
    counts: list[int] = record.hands[int(rules.hand_of(record, seat))].tolist()
    return counts


def first_octopus() -> Match:
    """A match in which somebody owes the octopus' decision."""
    for seed in range(50):
        match = Match.new("ecosystem", players=3, seed=seed)
        for at in random_walk(match, random.Random(seed)):
            if any("pass" in at.moves(seat) for seat in at.pending):
                return at
    raise AssertionError


def octopus_seat(match: Match) -> int:
    """The seat that owes it."""
    return next(seat for seat in match.pending if "pass" in match.moves(seat))

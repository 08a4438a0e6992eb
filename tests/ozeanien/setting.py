"""Charts for the tests of Ozeanien: games in their middle, and boxes of other sizes.

A chart is drawn with its top row first. A cell is `.` where it is unexplored, `~` for open sea, and
else the sides on which its tile is land, with an explorer after a slash: `ns/w2s` is a strait with
a white explorer of value 2 on its south part.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pelagos.engine.arrays import new_states
from pelagos.engine.match import Match
from pelagos.engine.pack import Pack, default_pack, make_pack
from pelagos.engine.position import Position
from pelagos.engine.view import Sheet
from pelagos.games.ozeanien import (
    GAME,
    notation,
    rules,
    scoring,
)
from pelagos.games.ozeanien.state import CLASSES, PILE

SIDES = "nesw"


def box(columns: int = 5, rows: int = 7, bare: str = "top", **reserve: int) -> Pack:
    """A pack with a board of this size, and some reserve stacks changed."""
    files = dict(default_pack(GAME).files)
    files["board.toml"] = f'columns = {columns}\nrows = {rows}\nwithout_circles = "{bare}"\n'
    if reserve:
        counts = dict.fromkeys(CLASSES, 0) | reserve
        counts["open"] += 25 - sum(counts.values())
        table = [line.split(",") for line in files["tiles.csv"].splitlines()]
        for line in table[1:]:
            line[5] = str(counts[line[0]])
        files["tiles.csv"] = "\n".join(",".join(line) for line in table)
    return make_pack(GAME, files)


class Table:
    """A game in its middle, drawn as a chart."""

    def __init__(
        self,
        *chart: str,
        players: int = 2,
        pile: tuple[str, ...] = ("open", "open"),
        bare: str = "top",
        **reserve: int,
    ) -> None:
        lines = [line.split() for line in reversed(chart)]
        self.pack = box(len(lines[0]), len(lines), bare, **reserve)
        self.position = Position(GAME, self.pack, {"players": players}, new_states(GAME, 1))
        self.game: Any = self.position.record
        self.game.players = players
        rules.begin(self.game, self.position.pack_record)
        self.game.top = PILE - len(pile)
        for place, name in enumerate([*pile, "open", "open", "open"]):
            self.game.pile[PILE - len(pile) + place] = CLASSES.index(name) + 1
        cells = [word for line in lines for word in line]
        for cell, word in enumerate(cells):
            self._put(cell, word)

    def _put(self, cell: int, word: str) -> None:
        land, _, explorer = word.partition("/")
        if land == ".":
            return
        self.game.explored |= 1 << cell
        for side in land.strip("~"):
            self.game.land[SIDES.index(side)] |= 1 << cell
        if explorer:
            seat, value, part = "wg".index(explorer[0]), int(explorer[1]), explorer[2:]
            self.game.explorers[seat, value - 1] |= 1 << cell
            self.game.supply[seat, value - 1] -= 1
            if part in ("s", "w"):
                self.game.far |= 1 << cell

    @property
    def seat(self) -> int:
        return int(self.game.seat)

    @property
    def over(self) -> bool:
        return self.position.over

    def moves(self) -> set[str]:
        seat = self.seat
        return {self.position.write(seat, action) for action in self.position.legal(seat)}

    def play(self, *moves: str) -> None:
        for move in moves:
            assert move in self.moves()
            action = notation.read(self.game, self.position.pack_record, self.seat, move)
            self.position.play(self.seat, action)

    def land(self, name: str) -> str:
        """The sides with land of the tile on a cell; `.` if there is none."""
        cell = "abcdefg".index(name[0]) + int(self.pack.data["columns"][0]) * (int(name[1]) - 1)
        if not int(self.game.explored) >> cell & 1:
            return "."
        sides = [side for number, side in enumerate(SIDES) if self.game.land[number] >> cell & 1]
        return "".join(sides) or "~"

    def discard(self, seat: int, name: str) -> None:
        self.game.discards[seat, CLASSES.index(name)] += 1

    @property
    def sheets(self) -> list[tuple[int, ...]]:
        return [tuple(self.position.points(seat)) for seat in range(self.position.players)]

    def islands(self) -> list[tuple[int, int, tuple[int, ...]]]:
        """Size, open edges and sums of every island."""
        islands = scoring.islands(self.game, self.position.pack_record)
        return [(island.size, island.coasts, island.sums) for island in islands]


def as_mapping(sheet: Sheet) -> dict[str, int]:
    """A sheet's points by line."""
    return {line["key"]: line["points"] for line in sheet["lines"]}


def play_at_random(match: Match, seed: int) -> Iterator[Match]:
    """The match at each position of a random game."""
    chooser = np.random.default_rng(seed)
    yield match
    while not match.over:
        seat = match.pending[0]
        match.play(seat, int(chooser.choice(match.legal(seat))))
        yield match

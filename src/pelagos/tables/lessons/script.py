"""A game's lesson as its folder has it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from pelagos.engine.game import Game, find_game

LEARNER = 0
"""The learner's seat."""


@dataclass(frozen=True)
class Step:
    """One idea: at which of the learner's decisions it is told, and what glows then."""

    at: str
    """A group of choices and a number: the so-manieth decision that offers such a choice."""
    text: str
    """Its key among the game's words, without `lesson.`."""
    lit: tuple[str, ...] = ()
    """The choices that glow, in notation; `*` stands for anything."""
    then: tuple[str, ...] = ()
    """What glows after one of them: sent together with it, or as the next decision."""
    best: bool = False
    """Of these only the ones that bring the most?"""
    free: bool = False
    """Is something to be done as the learner likes?"""
    point: tuple[str, ...] = ()
    """What on the table is pointed at: `place:…`, `piece:…`, `line:…` of the sheet, `seat:…`."""

    @property
    def group(self) -> str:
        """The choices that its decision offers."""
        return self.at.partition(" ")[0]

    @property
    def number(self) -> int:
        """Which of those decisions it belongs to, from 1."""
        return int(self.at.partition(" ")[2])

    @property
    def is_read(self) -> bool:
        """Is it to be read only?"""
        return not self.lit and not self.free


@dataclass(frozen=True, eq=False)
class Lesson:
    """A first game."""

    game: Game
    deal: str
    """A public text, from which the whole deal follows."""
    players: int
    steps: tuple[Step, ...]
    bots: tuple[str, ...]
    """Who sits at the other seats, by the ladder's names; the last one at all that are left."""
    options: Mapping[str, Any]
    table_options: Mapping[str, bool]
    guide: str
    """The symbol of the game's art that speaks; empty: the house's own."""
    moves: Mapping[int, tuple[str, ...]]
    """What the other seats do at each of their decisions, as long as it is legal."""

    def bot_of(self, seat: int) -> str:
        """Who sits there."""
        return self.bots[min(seat, len(self.bots)) - 1]


def has_lesson(game: Game) -> bool:
    """Has the game a lesson?"""
    return _file(game).is_file()


@cache
def lesson_of(game_id: str) -> Lesson | None:
    """A game's lesson; None if it has none."""
    game = find_game(game_id)
    if not has_lesson(game):
        return None
    data = tomllib.loads(_file(game).read_text(encoding="utf-8"))
    return Lesson(
        game,
        data["deal"],
        data["players"],
        tuple(map(_step, data["steps"])),
        tuple(data["bots"]),
        data.get("options", {}),
        data.get("table_options", {}),
        data.get("guide", ""),
        {int(seat): tuple(moves) for seat, moves in data.get("moves", {}).items()},
    )


def _file(game: Game) -> Traversable:
    return files(game.package) / "lesson.toml"


def _step(data: Mapping[str, Any]) -> Step:
    lists = {key: tuple(value) for key, value in data.items() if isinstance(value, list)}
    return Step(**{**data, **lists})

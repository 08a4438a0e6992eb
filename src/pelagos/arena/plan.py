"""A tournament's plan: who enters, and which games are played.

A deal is played by every line-up in every seating, so that neither cards nor seats favour anyone.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pelagos.bots import LADDER, Budget, UnknownBot, bots, find_creature
from pelagos.bots.question import PackFiles, own_files, pack_of
from pelagos.engine.errors import PelagosError, short, text
from pelagos.engine.game import Game, find_game
from pelagos.engine.pack import Pack
from pelagos.engine.series import check_length

FULL_ROUNDS = 10
"""Fewer deals than this are too few: then each deal is played in rotations only."""
FORMAT = 2
"""Of a file of results. In the first, decisions without a choice had no number."""


@dataclass(frozen=True)
class Entrant:
    """A bot with its budget, under the name by which it was entered."""

    name: str
    bot: str
    budget: Budget

    @classmethod
    def parse(cls, words: str, budget: Budget) -> Entrant:
        """`search`, `search@200ms`, or a creature of the ladder."""
        name, at, own = words.partition("@")
        if name in bots():
            return cls(words, name, Budget.parse(own) if at else budget)
        try:
            creature = find_creature(name)
        except UnknownBot:
            known = ", ".join([*bots(), *(creature.id for creature in LADDER)])
            raise UnknownBot(text("arena/refuse.no_bot", name=short(name), known=known)) from None
        return cls(words, creature.bot, Budget.parse(own) if at else creature.budget)


class Fixture(NamedTuple):
    """One game to be played: a deal, and who sits where."""

    deal: int
    seats: tuple[str, ...]


@dataclass(frozen=True)
class Plan:
    """All that decides a tournament's games; workers anywhere get nothing else."""

    game: str
    options: Mapping[str, Any]
    seed: str
    entrants: tuple[Entrant, ...]
    pack_files: PackFiles | None = None
    series: int = 1
    """How many games a series has; 1: each game is for itself."""

    @classmethod
    def make(
        cls,
        game: Game,
        options: Mapping[str, Any],
        seed: str,
        names: Sequence[str],
        budget: Budget,
        pack: Pack | None = None,
        series: int = 1,
    ) -> Plan:
        """A checked plan."""
        if not names:
            raise PelagosError(text("arena/refuse.no_entrant"))
        if len(set(names)) < len(names):
            raise PelagosError(text("arena/refuse.entered_twice"))
        files = None if pack is None else own_files(pack)
        entrants = tuple(Entrant.parse(name, budget) for name in names)
        checked = game.check_options(options)
        check_length(series, int(checked["players"]))
        return cls(game.id, checked, seed, entrants, files, series)

    @property
    def players(self) -> int:
        """How many sit at a table."""
        return int(self.options["players"])

    @property
    def names(self) -> tuple[str, ...]:
        """The entrants' names."""
        return tuple(entrant.name for entrant in self.entrants)

    @property
    def pack(self) -> Pack:
        """The material."""
        return pack_of(self.game, self.pack_files)

    def entrant(self, name: str) -> Entrant:
        """The entrant of this name."""
        return next(entrant for entrant in self.entrants if entrant.name == name)

    def header(self) -> dict[str, Any]:
        """The first line of a file of results."""
        return {
            "pelagos_arena": FORMAT,
            "game": self.game,
            "rules": find_game(self.game).rules,
            "pack": self.pack.sha256,
            "options": dict(self.options),
            "seed": self.seed,
            **({"series": self.series} if self.series > 1 else {}),
            "entrants": {
                entrant.name: [entrant.bot, str(entrant.budget)] for entrant in self.entrants
            },
        }

    def fixtures(self, games: int) -> Iterator[Fixture]:
        """The games to play, deal by deal, the last deal's completed."""
        full = games >= FULL_ROUNDS * sum(len(seatings(line_up)) for line_up in self.line_ups())
        count = 0
        for deal in itertools.count():
            if count >= games:
                return
            for fixture in self.round(deal, full):
                count += 1
                yield fixture

    def round(self, deal: int, full: bool) -> Iterator[Fixture]:
        """All games of one deal: every seating, or rotations of an order drawn for the deal."""
        for line_up in self.line_ups():
            if full:
                orders = seatings(line_up)
            else:
                order = list(line_up)
                random.Random(f"{self.seed}/{deal}").shuffle(order)
                orders = rotations(order)
            for seats in orders:
                yield Fixture(deal, seats)

    def line_ups(self) -> list[tuple[str, ...]]:
        """Who sits together: different bots if there are enough, else each on some seats."""
        if len(self.names) >= self.players:
            return list(itertools.combinations(self.names, self.players))
        each, more = divmod(self.players, len(self.names))
        return [
            tuple(sorted(self.names * each + extra, key=self.names.index))
            for extra in itertools.combinations(self.names, more)
        ]


def seatings(line_up: Sequence[str]) -> list[tuple[str, ...]]:
    """Every way to seat a line-up."""
    return list(dict.fromkeys(itertools.permutations(line_up)))


def rotations(order: Sequence[str]) -> list[tuple[str, ...]]:
    """Each bot once in each seat, the order around the table kept."""
    turned = [(*order[first:], *order[:first]) for first in range(len(order))]
    return list(dict.fromkeys(turned))

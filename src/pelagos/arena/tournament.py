"""A tournament: a plan that is carried out, wherever its games are played."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from pelagos.arena.matches import Played
from pelagos.arena.plan import Fixture, Plan
from pelagos.arena.results import Results

Work = Callable[[Plan, Sequence[Fixture]], Iterator[Played]]
"""Plays fixtures and gives the games as they end, in any order (see `workers`)."""


@dataclass
class Tournament:
    """A plan being carried out."""

    plan: Plan
    results: Results
    wanted: list[Fixture] = field(default_factory=list)

    def run(self, games: int, work: Work, advance: Callable[[int], None] = lambda _: None) -> None:
        """Play up to `games` games, those in the file being played already."""
        self.wanted = list(self.plan.fixtures(games))
        left = [fixture for fixture in self.wanted if fixture not in self.results.games]
        advance(len(self.wanted) - len(left))
        for played in work(self.plan, left):
            self.results.add(played)
            advance(1)

    @property
    def finished(self) -> list[Played]:
        """The games of all deals that are played to the end, in the plan's order."""
        games = self.results.games
        missing = {fixture.deal for fixture in self.wanted if fixture not in games}
        return [games[fixture] for fixture in self.wanted if fixture.deal not in missing]

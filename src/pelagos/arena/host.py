"""Hosts a tournament: plays it wherever asked, survives an interrupt, computes the standings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pelagos.arena.matches import get_ready
from pelagos.arena.plan import Plan
from pelagos.arena.results import Results
from pelagos.arena.standings import Standings, compute_standings
from pelagos.arena.tournament import Tournament
from pelagos.arena.workers import cluster, processes
from pelagos.engine.errors import PelagosError, text


class TooEarlyError(PelagosError):
    """Stopped before the first deal was played to its end."""


def host(
    plan: Plan,
    games: int,
    *,
    workers: int = 1,
    on_cluster: bool = False,
    file: Path | None = None,
    advance: Callable[[int], None] = lambda _: None,
) -> tuple[Standings, int]:
    """The standings, and how many games are still to be played (after an interrupt)."""
    with Results(plan, file) as results:
        tournament = Tournament(plan, results)
        try:
            get_ready(plan)
            with cluster(plan) if on_cluster else processes(plan, workers) as work:
                tournament.run(games, work, advance)
        except KeyboardInterrupt:
            pass
        finished = tournament.finished
        left = sum(fixture not in results.games for fixture in plan.fixtures(games))
    if not finished:
        raise TooEarlyError(text("arena/refuse.too_early"))
    return compute_standings(plan, finished), left

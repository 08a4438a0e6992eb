"""Campaigns: bars that bots must clear, as data, each played until it is clear or time is up.

`python -m pelagos.arena.campaigns bench/campaigns.toml` plays them all. A campaign ends early once
the interval excludes its bar; as it is looked at after every block of deals, and who looks often
finds something, the interval that counts for this is one and a half times the 95 % one. The looks
are always at the same deals, so that with budgets of simulations a campaign repeats to the last
move.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from pelagos.arena.intervals import Z95, Estimate, rate
from pelagos.arena.matches import get_ready
from pelagos.arena.plan import Plan
from pelagos.arena.results import Results
from pelagos.arena.standings import Standing, Standings, compute_standings
from pelagos.arena.tournament import Tournament, Work
from pelagos.arena.workers import processes
from pelagos.bots import Budget
from pelagos.engine.errors import PelagosError, text
from pelagos.engine.game import find_game

BLOCK = 20
"""Deals between two looks at the interval."""
WIDER = 1.5
"""How much wider than 95 % the interval is that ends a campaign early."""


@dataclass(frozen=True)
class Bar:
    """What a bot must reach."""

    name: str
    game: str
    players: int
    bots: tuple[str, ...]
    """The first is the one that is judged."""
    measure: str
    bar: float
    budget: str = "20ms"
    key: str = ""
    number: float = 0.0
    options: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> Bar:
        """A bar from its table; a clear sentence for a wrong one."""
        try:
            bar = cls(**{**data, "bots": tuple(data["bots"])})
        except (TypeError, KeyError) as error:
            raise PelagosError(text("arena/refuse.bad_campaign", reason=str(error))) from None
        if bar.measure not in MEASURES:
            known = ", ".join(MEASURES)
            raise PelagosError(
                text("arena/refuse.measure", name=bar.name, known=known, measure=repr(bar.measure))
            )
        return bar

    def plan(self, seed: str, budget: str | None = None) -> Plan:
        """The tournament that decides it."""
        options = {**self.options, "players": self.players}
        spent = Budget.parse(budget or self.budget)
        return Plan.make(find_game(self.game), options, seed, self.bots, spent)

    def estimate(self, standings: Standings) -> Estimate:
        """Where the first bot stands."""
        return MEASURES[self.measure](self, standings)


# --- measures -----------------------------------------------------------------------------------


def _judged(bar: Bar, standings: Standings) -> Standing:
    return next(bot for bot in standings.standings if bot.name == bar.bots[0])


def _win_rate(bar: Bar, standings: Standings) -> Estimate:
    return _judged(bar, standings).wins


def _mean_score(bar: Bar, standings: Standings) -> Estimate:
    return _judged(bar, standings).score


def _median_score(bar: Bar, standings: Standings) -> Estimate:
    """The median, between two order statistics."""
    ordered = sorted(_judged(bar, standings).scores)
    count = len(ordered)
    half = Z95 * math.sqrt(count) / 2
    low = ordered[max(math.floor(count / 2 - half), 0)]
    high = ordered[min(math.ceil(count / 2 + half), count - 1)]
    return Estimate(ordered[count // 2], low, high)


def _margin(bar: Bar, standings: Standings) -> Estimate:
    """Points ahead of the second bot, on the same deals."""
    return standings.crosstable[bar.bots[0]][bar.bots[1]].margin


def _reaches(bar: Bar, standings: Standings) -> Estimate:
    """How often a number of the game's result reaches another."""
    own = [game for game in standings.games if bar.bots[0] in game.seats]
    return rate([(float(game.more[bar.key] >= bar.number), 1) for game in own])


MEASURES = {
    "win_rate": _win_rate,
    "mean_score": _mean_score,
    "median_score": _median_score,
    "margin": _margin,
    "reaches": _reaches,
}


# --- playing ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Verdict:
    """How a campaign ended."""

    bar: Bar
    games: int
    estimate: Estimate
    failures: int

    @property
    def cleared(self) -> bool:
        """Is the bar reached?"""
        return self.estimate.value >= self.bar.bar

    @property
    def sure(self) -> bool:
        """Does the interval exclude the bar?"""
        return not self.estimate.low <= self.bar.bar <= self.estimate.high

    @property
    def settled(self) -> bool:
        """Does even the wider interval exclude the bar, so that playing on is a waste?"""
        value, low, high = self.estimate
        return not value - WIDER * (value - low) <= self.bar.bar <= value + WIDER * (high - value)

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            **asdict(self.bar),
            "games": self.games,
            "value": self.estimate.value,
            "low": self.estimate.low,
            "high": self.estimate.high,
            "cleared": self.cleared,
            "sure": self.sure,
            "failures": self.failures,
        }


def judge(bar: Bar, plan: Plan, games: int, work: Work) -> Verdict:
    """Play until the interval excludes the bar, at most so many games."""
    tournament = Tournament(plan, Results(plan))
    size = len(list(plan.round(0, full=True)))
    for most in _looks(games, BLOCK * size):
        tournament.run(most, work)
        standings = compute_standings(plan, tournament.finished)
        failures = sum(len(bot.failures) for bot in standings.standings)
        verdict = Verdict(bar, len(standings.games), bar.estimate(standings), failures)
        if verdict.settled:
            break
    return verdict


def _looks(games: int, block: int) -> Iterator[int]:
    yield from range(block, games, block)
    yield games


def read_bars(path: Path) -> list[Bar]:
    """The bars in a file."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise PelagosError(text("refuse.unreadable", file=str(path), reason=str(error))) from None
    return [Bar.parse(bar) for bar in data.get("bar", [])]


# --- the command --------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Play campaigns and print a table; 1 if a bar was missed."""
    parser = argparse.ArgumentParser(prog="campaigns", description=__doc__)
    parser.add_argument("file", type=Path, help="bars as TOML")
    parser.add_argument(
        "--only",
        default="",
        help="those whose game and name hold this text, or all of several: a,b",
    )
    parser.add_argument("--games", type=int, default=400, help="at most so many for each")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seed", default="campaign")
    parser.add_argument("--budget", help="in place of the bars' own, such as 100sims")
    parser.add_argument("--json", type=Path, help="write the verdicts here, too")
    options = parser.parse_args(arguments)
    err = Console(stderr=True, highlight=False)
    verdicts = []
    for bar in read_bars(options.file):
        if not all(words in f"{bar.game}: {bar.name}" for words in options.only.split(",")):
            continue
        err.print(f"{bar.game}: {bar.name} …", style="dim")
        plan = bar.plan(options.seed, options.budget)
        get_ready(plan)
        with processes(plan, options.processes) as work:
            verdicts.append(judge(bar, plan, options.games, work))
        err.print(f"  {_sentence(verdicts[-1])}")
    out = Console(highlight=False)
    Console(highlight=False, width=max(out.width, 100)).print(table(verdicts))
    if options.json:
        data = json.dumps([verdict.as_json() for verdict in verdicts], indent=1)
        options.json.write_text(data + "\n", encoding="utf-8")
    return 0 if all(verdict.cleared for verdict in verdicts) else 1


def _sentence(verdict: Verdict) -> str:
    shown = ("reached" if verdict.cleared else "missed") + ("" if verdict.sure else ", not surely")
    return f"{shown}: {_number(verdict.bar, verdict.estimate.value)} after {verdict.games} games"


def table(verdicts: Sequence[Verdict]) -> Table:
    """One line a campaign."""
    shown = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for head in ("game", "campaign", "bar", "value", "95 %", "games", ""):
        right = head in ("bar", "value", "95 %", "games")
        shown.add_column(head, justify="right" if right else "left", no_wrap=True)
    for verdict in verdicts:
        bar, (value, low, high) = verdict.bar, verdict.estimate
        word = "reached" if verdict.cleared else "missed"
        style = "green" if verdict.cleared else "red"
        shown.add_row(
            bar.game,
            bar.name,
            _number(bar, bar.bar),
            _number(bar, value),
            f"{_number(bar, low)} … {_number(bar, high)}",
            str(verdict.games),
            f"[{style}]{word}{'' if verdict.sure else ' (?)'}[/]",
        )
    return shown


def _number(bar: Bar, value: float) -> str:
    return f"{100 * value:.1f} %" if bar.measure in ("win_rate", "reaches") else f"{value:.1f}"


if __name__ == "__main__":
    sys.exit(main())

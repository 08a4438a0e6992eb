"""The HTML report: one file that holds everything, plots drawn as SVG."""

from __future__ import annotations

import shlex
from functools import cache, partial
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from pelagos import __version__
from pelagos.arena.intervals import METHOD
from pelagos.arena.plan import Entrant, Plan
from pelagos.arena.report import numbers, plots
from pelagos.arena.standings import Standings, median
from pelagos.engine.errors import PelagosError, text
from pelagos.engine.game import find_game


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("pelagos.arena", "report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters |= {
        "px": lambda number: f"{number:.1f}",
        "minus": numbers.minus,
        "percent": numbers.percent,
        "percent_range": numbers.percent_range,
        "percent_interval": numbers.percent_interval,
        "mean_interval": numbers.mean_interval,
        "duration": numbers.duration,
        "median": median,
    }
    return environment


def report(standings: Standings) -> str:
    """The whole page."""
    plan = standings.plan
    several = len(standings.standings) > 1
    page: str = (
        _environment()
        .get_template("page.html")
        .render(
            title=find_game(plan.game).titles["en"],
            subtitle=_subtitle(standings),
            alone=plan.players == 1,
            several=several,
            bots=standings.standings,
            lead=_lead(standings),
            heads=_heads(plan),
            crosstable=standings.crosstable,
            colour_of=partial(plots.colour_of, standings),
            win_rates=plots.win_rates(standings),
            scores=plots.scores(standings),
            times=plots.times(standings),
            progress=plots.progress(standings) if several else None,
            seat_rates=plots.seat_rates(standings) if standings.seats else None,
            repeat=_repeat(standings),
        )
    )
    return page


def _subtitle(standings: Standings) -> str:
    plan = standings.plan
    players = "alone" if plan.players == 1 else f"{plan.players} players"
    options = [name for name, value in plan.options.items() if value is True]
    parts = [standings.played, players, *options]
    return " · ".join([*parts, f"seed {plan.seed}"])


def _lead(standings: Standings) -> dict[str, Any]:
    """How the best stands against the second."""
    if len(standings.standings) == 1:
        return {"margin": 0.0, "sure": True}
    best, second = standings.standings[:2]
    versus = standings.crosstable[best.name][second.name]
    return {"margin": versus.margin.value, "sure": versus.ahead.low > 0.5}


def _heads(plan: Plan) -> list[str]:
    heads = ["bot", "budget", "wins", "mean score", "median"]
    heads.append("goal reached" if plan.players == 1 else "rating (OpenSkill)")
    return [*heads, "a decision", "99 % within", "failures"]


def _repeat(standings: Standings) -> dict[str, Any]:
    plan = standings.plan
    return {
        "command": shlex.join(_command(standings)),
        "method": METHOD,
        "pack": plan.pack,
        "digest": standings.digest,
        "version": __version__,
        "rules": find_game(plan.game).rules,
    }


def _command(standings: Standings) -> list[str]:
    plan = standings.plan
    command = ["pelagos", "arena", plan.game, *map(_entered, plan.entrants)]
    command += ["--players", str(plan.players), "--games", str(len(standings.games))]
    command += ["--seed", plan.seed]
    if plan.series > 1:
        command += ["--series", str(plan.series)]
    for name, value in find_game(plan.game).recorded_options(plan.options).items():
        if name != "players":
            command += ["--option", f"{name}={str(value).lower()}"]
    if plan.pack_files is not None:
        command += ["--pack", "DIR"]
    return command


def _entered(entrant: Entrant) -> str:
    return entrant.name if "@" in entrant.name else f"{entrant.name}@{entrant.budget}"


def write_report(standings: Standings, path: Path) -> None:
    """The page as a file."""
    try:
        path.write_text(report(standings), encoding="utf-8")
    except OSError as error:
        raise PelagosError(
            text("arena/refuse.unwritable", file=str(path), reason=str(error.strerror))
        ) from None

"""A tournament's standings as text tables."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from pelagos.arena.standings import METHOD, Estimate, Standings
from pelagos.engine.game import find_game


def show(found: Standings, console: Console) -> None:
    """Print the standings, the crosstable and how to read them."""
    console.print(Group(*_parts(found)))


def _parts(found: Standings) -> list[RenderableType]:
    plan = found.plan
    options = [f"{name} {str(value).lower()}" for name, value in plan.options.items()]
    budgets = dict.fromkeys(one.budget for one in found.standings)
    options += [f"budget {' or '.join(budgets)}"]
    title = find_game(plan.game).titles["en"]
    parts: list[RenderableType] = [
        Text(f"{title}: {len(found.games)} games on {found.deals} deals, {', '.join(options)}"),
        standings_table(found),
    ]
    if len(found.standings) > 1:
        parts.append(crosstable(found))
    if found.seats:
        rates = ", ".join(percent(one) for one in found.seats)
        parts.append(Text(f"win rate by seat: {rates}"))
    for one in found.standings:
        if one.failures:
            text = f"{one.name} failed in {len(one.failures)} games, such as: {one.failures[0]}"
            parts.append(Text(text, style="red"))
    parts.append(Text(METHOD + ".", style="dim"))
    return parts


def standings_table(found: Standings) -> Table:
    """One line a bot, the best first."""
    alone = found.plan.players == 1
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("bot", no_wrap=True)
    heads = ["best" if alone else "wins", "95 %", "score", "±", "goal" if alone else "rating"]
    for head in [*heads, "ms", "p99"]:
        quiet = "dim" if head in ("95 %", "±", "p99") else None
        table.add_column(head, justify="right", style=quiet, no_wrap=True)
    for one in found.standings:
        last = (
            f"{100 * one.goals / len(one.scores):.0f} %"
            if alone
            else f"{one.mu:.1f} ±{2 * one.sigma:.0f}"
        )
        table.add_row(
            one.name,
            f"{100 * one.wins.value:.1f} %",
            f"{100 * one.wins.low:.1f}–{100 * one.wins.high:.1f}",
            f"{one.score.value:.1f}",
            f"{one.score.high - one.score.value:.1f}",
            last,
            f"{one.ms_per_decision:.2f}",
            f"{one.ms_p99:.2f}",
        )
    return table


def crosstable(found: Standings) -> Table:
    """How often the bot of the row comes before the bot of the column."""
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("ahead of", style="dim")
    for one in found.standings:
        table.add_column(one.name, justify="right")
    for one in found.standings:
        cells = [
            Text("·", style="dim")
            if other.name == one.name
            else Text(percent(found.crosstable[one.name][other.name].ahead))
            for other in found.standings
        ]
        table.add_row(Text(one.name), *cells)
    return table


def percent(estimate: Estimate) -> str:
    """A rate and half the width of its interval."""
    half = 50 * (estimate.high - estimate.low)
    return f"{100 * estimate.value:.1f} ± {half:.1f} %"

"""A tournament's standings as text tables."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from pelagos.arena.intervals import METHOD, Estimate
from pelagos.arena.standings import Standings
from pelagos.engine.game import find_game


def show(standings: Standings, console: Console) -> None:
    """Print the standings, the crosstable and how to read them."""
    console.print(Group(*_parts(standings)))


def _parts(standings: Standings) -> list[RenderableType]:
    parts: list[RenderableType] = [Text(_headline(standings)), standings_table(standings)]
    if len(standings.standings) > 1:
        parts.append(crosstable(standings))
    if standings.seats:
        rates = ", ".join(percent(seat) for seat in standings.seats)
        parts.append(Text(f"win rate by seat: {rates}"))
    for bot in standings.standings:
        if bot.failures:
            text = f"{bot.name} failed in {len(bot.failures)} games, such as: {bot.failures[0]}"
            parts.append(Text(text, style="red"))
    parts.append(Text(METHOD + ".", style="dim"))
    return parts


def _headline(standings: Standings) -> str:
    plan = standings.plan
    game = find_game(plan.game)
    chosen = game.recorded_options(plan.options)
    options = [f"{name} {str(value).lower()}" for name, value in chosen.items()]
    budgets = dict.fromkeys(bot.budget for bot in standings.standings)
    options += [f"budget {' or '.join(budgets)}"]
    title = game.titles["en"]
    return f"{title}: {standings.played}, {', '.join(options)}"


def standings_table(standings: Standings) -> Table:
    """One line a bot, the best first."""
    alone = standings.plan.players == 1
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("bot", no_wrap=True)
    heads = ["best" if alone else "wins", "95 %", "score", "±", "goal" if alone else "rating"]
    for head in [*heads, "ms", "p99"]:
        quiet = "dim" if head in ("95 %", "±", "p99") else None
        table.add_column(head, justify="right", style=quiet, no_wrap=True)
    for bot in standings.standings:
        last = (
            f"{100 * bot.goals / len(bot.scores):.0f} %"
            if alone
            else f"{bot.mu:.1f} ±{2 * bot.sigma:.0f}"
        )
        table.add_row(
            bot.name,
            f"{100 * bot.wins.value:.1f} %",
            f"{100 * bot.wins.low:.1f}–{100 * bot.wins.high:.1f}",
            f"{bot.score.value:.1f}",
            f"{bot.score.high - bot.score.value:.1f}",
            last,
            f"{bot.ms_per_decision:.2f}",
            f"{bot.ms_p99:.2f}",
        )
    return table


def crosstable(standings: Standings) -> Table:
    """How often the bot of the row comes before the bot of the column."""
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("ahead of", style="dim")
    for bot in standings.standings:
        table.add_column(bot.name, justify="right")
    for bot in standings.standings:
        cells = [
            Text("·", style="dim")
            if other.name == bot.name
            else Text(percent(standings.crosstable[bot.name][other.name].ahead))
            for other in standings.standings
        ]
        table.add_row(Text(bot.name), *cells)
    return table


def percent(estimate: Estimate) -> str:
    """A rate and half the width of its interval."""
    half = 50 * (estimate.high - estimate.low)
    return f"{100 * estimate.value:.1f} ± {half:.1f} %"

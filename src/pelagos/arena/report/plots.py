"""Where the marks of the report's plots stand; `plots.html` draws them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pelagos.arena.intervals import Estimate
from pelagos.arena.report.numbers import duration, minus, percent, percent_range
from pelagos.arena.standings import Standing, Standings, progress_of

COLOURS = 6
ROW = 38
TALL_ROW = ROW + 16
LABELS = 150
"""Room for the bots' names."""
LONGEST_NAME = 16
NARROW, WIDE = 520.0, 1030.0
BINS = 40
QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)

Scale = Callable[[float], float]


@dataclass(frozen=True)
class Tick:
    """A line of a plot's grid and its number."""

    at: float
    label: str


@dataclass(frozen=True)
class Row:
    """A bot's, or a seat's, line of a plot."""

    name: str
    y: float
    colour: str
    x: float
    low: float
    high: float
    value: str
    range: str = ""


@dataclass(frozen=True)
class Bar:
    """A column of a histogram."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Histogram:
    """How often a bot made which score."""

    name: str
    name_y: float
    colour: str
    bars: Sequence[Bar]
    mean: float
    top: float
    bottom: float


@dataclass(frozen=True)
class Curve:
    """A bot's win rate as the deals go by, with its band."""

    colour: str
    band: str
    line: str


@dataclass(frozen=True)
class Plot:
    """A plot's size, its grid, and the marks on it."""

    width: float
    height: float
    ticks: Sequence[Tick]
    marks: Sequence[Row] | Sequence[Histogram] | Sequence[Curve]
    fair: float = 0.0
    """Where all would be equal."""
    levels: Sequence[Tick] = ()
    """The grid's other direction."""


def colour_of(standings: Standings, bot: str) -> str:
    """A bot keeps its colour in every plot, whatever its place."""
    return f"var(--c{standings.plan.names.index(bot) % COLOURS})"


def shorten(name: str) -> str:
    """A name that fits before its line."""
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"


# --- the plots --------------------------------------------------------------------------------


def win_rates(standings: Standings) -> Plot:
    """Every bot's share of the wins."""
    alone = standings.plan.players == 1
    equal = 1 / (len(standings.standings) if alone else standings.plan.players)
    scale = _scale(0.0, 1.0, LABELS, WIDE - 165)
    rows = [
        _rate_row(
            shorten(bot.name),
            ROW * place + ROW / 2 + 4,
            colour_of(standings, bot.name),
            bot.wins,
            scale,
        )
        for place, bot in enumerate(standings.standings)
    ]
    ticks = [Tick(scale(part), f"{100 * part:.0f} %") for part in QUARTERS]
    return Plot(WIDE, ROW * len(rows) + 34, ticks, rows, scale(equal))


def seat_rates(standings: Standings) -> Plot:
    """How often each seat wins."""
    seats = standings.seats
    scale = _scale(0.0, max(rate.high for rate in seats) * 1.05, 80, NARROW - 70)
    rows = [
        _rate_row(f"seat {seat + 1}", ROW * seat + ROW / 2, "var(--accent)", rate, scale)
        for seat, rate in enumerate(seats)
    ]
    return Plot(NARROW, ROW * len(rows) + 10, (), rows, scale(1 / len(seats)))


def _rate_row(name: str, y: float, colour: str, rate: Estimate, scale: Scale) -> Row:
    x, low, high = scale(rate.value), scale(rate.low), scale(rate.high)
    return Row(name, y, colour, x, low, high, percent(rate.value), percent_range(rate))


def scores(standings: Standings) -> Plot:
    """For each bot, how often it made which score."""
    all_scores = [score for bot in standings.standings for score in bot.scores]
    low, high = min(all_scores), max(all_scores)
    step = max(1, math.ceil((high - low + 1) / BINS))
    scale = _scale(low, high + step, LABELS - 30, NARROW - 10)
    histograms = [
        _histogram(standings, bot, TALL_ROW * (row + 1) - 4, low, step, scale)
        for row, bot in enumerate(standings.standings)
    ]
    ticks = [Tick(scale(tick), minus(f"{tick:g}")) for tick in _ticks(low, high)]
    return Plot(NARROW, TALL_ROW * len(histograms) + 30, ticks, histograms)


def _histogram(
    standings: Standings, bot: Standing, bottom: float, low: int, step: int, scale: Scale
) -> Histogram:
    counts = Counter((score - low) // step for score in bot.scores)
    most = max(counts.values())
    bars = []
    for column, count in counts.items():
        x, right = scale(low + column * step), scale(low + (column + 1) * step)
        height = (TALL_ROW - 12) * count / most
        bars.append(Bar(x, bottom - height, max(right - x - 0.8, 0.8), height))
    return Histogram(
        shorten(bot.name),
        bottom - TALL_ROW / 2 + 6,
        colour_of(standings, bot.name),
        bars,
        scale(bot.score.value),
        bottom - TALL_ROW + 10,
        bottom,
    )


def times(standings: Standings) -> Plot:
    """The mean time for a decision, and what 99 of 100 take less than; by powers of ten."""
    bots = standings.standings
    low = min(_at_least(bot.ms_per_decision) for bot in bots)
    high = max(_at_least(max(bot.ms_p99, bot.ms_per_decision)) for bot in bots)
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    last = max(last, first + 1)
    scale = _scale(first, last, LABELS - 30, NARROW - 95)
    rows = []
    for place, bot in enumerate(bots):
        mean, most = (
            scale(math.log10(_at_least(time))) for time in (bot.ms_per_decision, bot.ms_p99)
        )
        y = TALL_ROW * place + TALL_ROW / 2
        colour = colour_of(standings, bot.name)
        shown = duration(bot.ms_per_decision)
        rows.append(Row(shorten(bot.name), y, colour, mean, mean, most, shown))
    powers = range(first, last + 1, 1 if last - first < 5 else 2)
    ticks = [Tick(scale(power), duration(10.0**power)) for power in powers]
    return Plot(NARROW, TALL_ROW * len(rows) + 30, ticks, rows)


def _at_least(milliseconds: float) -> float:
    return max(milliseconds, 1e-3)


def progress(standings: Standings) -> Plot:
    """Every bot's win rate as the deals go by."""
    height, bottom = 250.0, 216.0
    deals = standings.deals
    across = _scale(1, max(deals, 2), 44, NARROW - 10)
    up = _scale(0.0, 1.0, bottom, 8)
    curves = []
    for bot in standings.standings[:COLOURS]:
        points = list(progress_of(standings.games, bot.name))
        top = [f"{across(deal):.1f},{up(rate.high):.1f}" for deal, rate in points]
        base = [f"{across(deal):.1f},{up(rate.low):.1f}" for deal, rate in reversed(points)]
        line = [f"{across(deal):.1f},{up(rate.value):.1f}" for deal, rate in points]
        band = " ".join(top + base)
        curves.append(Curve(colour_of(standings, bot.name), band, " ".join(line)))
    ticks = [Tick(across(tick), f"{tick:g}") for tick in _ticks(1, deals) if 1 <= tick <= deals]
    levels = [Tick(up(part), f"{100 * part:.0f} %") for part in QUARTERS]
    return Plot(NARROW, height, ticks, curves, levels=levels)


# --- axes -------------------------------------------------------------------------------------


def _scale(low: float, high: float, left: float, right: float) -> Scale:
    span = (high - low) or 1
    return lambda value: left + (value - low) / span * (right - left)


def _ticks(low: float, high: float) -> list[float]:
    """Four to eight round numbers."""
    span = max(high - low, 1)
    step = 10 ** math.floor(math.log10(span))
    for part in (0.1, 0.2, 0.25, 0.5, 1, 2):
        if span / (step * part) <= 7:
            step *= part
            break
    step = max(step, 1)
    first = math.ceil(low / step)
    return [number * step for number in range(first, math.floor(high / step) + 1)]

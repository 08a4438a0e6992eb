"""The HTML report: one file that holds everything, plots drawn as SVG by hand."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template

from pelagos import __version__
from pelagos.arena.standings import (
    METHOD,
    Estimate,
    Standing,
    Standings,
    median,
    progress_of,
)
from pelagos.arena.tournament import Entrant
from pelagos.engine.errors import PelagosError
from pelagos.engine.game import find_game

COLOURS = 6
ROW = 38
LABELS = 150
"""Room for the bots' names."""
NARROW, WIDE = 520.0, 1030.0


def report(found: Standings) -> str:
    """The whole page."""
    plan = found.plan
    several = len(found.standings) > 1
    cards = [_wins(found)] if several else []
    cards += [_table(found), _scores(found), _times(found)]
    if several:
        cards += [_crosstable(found), _progress(found)]
    if found.seats and several:
        cards.append(_seats(found))
    cards.append(_repeat(found))
    template = Template((files("pelagos.arena") / "report.html").read_text(encoding="utf-8"))
    return template.substitute(
        title=escape(find_game(plan.game).titles["en"]),
        subtitle=escape(_subtitle(found)),
        lead=_lead(found),
        cards="\n".join(cards),
    )


def _subtitle(found: Standings) -> str:
    plan = found.plan
    players = "alone" if plan.players == 1 else f"{plan.players} players"
    options = [name for name, value in plan.options.items() if value is True]
    parts = [f"{len(found.games)} games on {found.deals} deals", players, *options]
    return " · ".join([*parts, f"seed {plan.seed}"])


def _lead(found: Standings) -> str:
    """The result in a sentence."""
    best = found.standings[0]
    name = f"<b>{escape(best.name)}</b>"
    if len(found.standings) == 1:
        return f"{name} scores {_interval(best.score, 1)} points on average."
    second = found.standings[1]
    other = f"<b>{escape(second.name)}</b>"
    margin = found.crosstable[best.name][second.name].margin
    points = f"{abs(margin.value):.1f} points {'more' if margin.value >= 0 else 'fewer'}"
    if found.plan.players == 1:
        wins = _percent(best.wins)
        return f"{name} has the best score on {wins} of the deals: {points} than {other}."
    clear = found.crosstable[best.name][second.name].ahead
    sure = "beats" if clear.low > 0.5 else "can't be told apart from"
    return f"{name} {sure} {other}: it wins {_percent(best.wins)} and scores {points}."


# --- cards ----------------------------------------------------------------------------------


def _card(title: str, note: str, body: str, wide: bool = False) -> str:
    return (
        f'<section class="card{" wide" if wide else ""}"><h2>{title}</h2>'
        f'<p class="soft small">{note}</p>{body}</section>'
    )


def _wins(found: Standings) -> str:
    alone = found.plan.players == 1
    fair = 1 / (len(found.standings) if alone else found.plan.players)
    scale = _scale(0.0, 1.0, LABELS, WIDE - 165)
    height = ROW * len(found.standings) + 34
    parts = [_axis(scale, [0, 0.25, 0.5, 0.75, 1], height, lambda x: f"{100 * x:.0f} %")]
    where = scale(fair)
    parts.append(
        f'<line class="fair" x1="{where:.1f}" x2="{where:.1f}" y1="0" y2="{height - 26}"/>'
    )
    for row, one in enumerate(found.standings):
        y = ROW * row + ROW / 2 + 4
        colour = _colour(found, one)
        parts.append(_name(one, y))
        parts.append(
            _bar(scale(one.wins.low), scale(one.wins.high), y, colour)
            + f'<circle cx="{scale(one.wins.value):.1f}" cy="{y}" r="7" fill="{colour}"/>'
            f'<text class="value" x="{WIDE}" y="{y + 5}" text-anchor="end">'
            f"{100 * one.wins.value:.1f} %"
            f'<tspan class="soft" font-weight="400" dx="6">{_low_high(one.wins)}</tspan></text>'
        )
    title = "Best score on the deal" if alone else "Win rate"
    note = "Dot: share of wins, a shared win split. Bar: 95 % interval. Dashed: all equal."
    drawing = f'<div class="scroll">{_svg(WIDE, height, parts, title)}</div>'
    return _card(title, note, drawing, wide=True)


def _table(found: Standings) -> str:
    alone = found.plan.players == 1
    heads = ["bot", "budget", "wins", "mean score", "median"]
    heads += ["goal reached"] if alone else ["rating (OpenSkill)"]
    heads += ["a decision", "99 % within", "failures"]
    rows = []
    for one in found.standings:
        cells = [
            escape(one.budget),
            f"{100 * one.wins.value:.1f} %{_more(_low_high(one.wins))}",
            _minus(f"{one.score.value:.1f}") + _more(f"{one.score.low:.1f} – {one.score.high:.1f}"),
            f"{median(one.scores):g}",
            f"{100 * one.goals / len(one.scores):.0f} %"
            if alone
            else f"{_minus(f'{one.mu:.1f}')}{_more(f'± {2 * one.sigma:.1f}')}",
            _milliseconds(one.ms_per_decision),
            _milliseconds(one.ms_p99),
            str(len(one.failures)),
        ]
        dot = f'<span class="dot" style="background:{_colour(found, one)}"></span>'
        shown = "".join(f"<td>{cell}</td>" for cell in cells)
        rows.append(f'<tr><th scope="row">{dot}{escape(one.name)}</th>{shown}</tr>')
    head = "".join(f'<th scope="col">{one}</th>' for one in heads)
    body = (
        f'<div class="scroll"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )
    return _card("Standings", "The best first; small print: 95 % intervals.", body, wide=True)


def _scores(found: Standings) -> str:
    """For each bot, how often it made which score."""
    scores = [score for one in found.standings for score in one.scores]
    low, high = min(scores), max(scores)
    ticks = _ticks(low, high)
    step = max(1, math.ceil((high - low + 1) / 40))
    scale = _scale(low, high + step, LABELS - 30, NARROW - 10)
    tall = ROW + 16
    height = tall * len(found.standings) + 30
    parts = [_axis(scale, ticks, height, lambda x: _minus(f"{x:g}"))]
    for row, one in enumerate(found.standings):
        bottom = tall * (row + 1) - 4
        counts: dict[int, int] = {}
        for score in one.scores:
            counts[(score - low) // step] = counts.get((score - low) // step, 0) + 1
        most = max(counts.values())
        colour = _colour(found, one)
        for bin_, count in counts.items():
            x, right = scale(low + bin_ * step), scale(low + (bin_ + 1) * step)
            bar = (tall - 12) * count / most
            parts.append(
                f'<rect x="{x:.1f}" y="{bottom - bar:.1f}" width="{max(right - x - 0.8, 0.8):.1f}" '
                f'height="{bar:.1f}" fill="{colour}" opacity=".55"/>'
            )
        at = scale(one.score.value)
        parts.append(
            f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{bottom - tall + 10}" y2="{bottom}" '
            f'stroke="{colour}" stroke-width="2.5"/>'
        )
        parts.append(_name(one, bottom - tall / 2 + 6))
    note = "How often each score was made; the line is the mean."
    return _card("Scores", note, _svg(NARROW, height, parts, "Scores"))


def _times(found: Standings) -> str:
    low = min(max(one.ms_per_decision, 1e-3) for one in found.standings)
    high = max(max(one.ms_p99, one.ms_per_decision, 1e-3) for one in found.standings)
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    last = max(last, first + 1)
    line = _scale(first, last, LABELS - 30, NARROW - 95)
    tall = ROW + 16
    height = tall * len(found.standings) + 30
    ticks = [float(power) for power in range(first, last + 1, 1 if last - first < 5 else 2)]
    parts = [_axis(line, ticks, height, lambda x: _milliseconds(10**x))]
    for row, one in enumerate(found.standings):
        y = tall * row + tall / 2
        at, far = (
            line(math.log10(max(value, 1e-3))) for value in (one.ms_per_decision, one.ms_p99)
        )
        colour = _colour(found, one)
        parts.append(_name(one, y))
        parts.append(
            f'<line x1="{at:.1f}" x2="{far:.1f}" y1="{y}" y2="{y}" stroke="{colour}" '
            f'stroke-width="3" opacity=".4"/><circle cx="{at:.1f}" cy="{y}" r="6" fill="{colour}"/>'
            f'<line x1="{far:.1f}" x2="{far:.1f}" y1="{y - 7}" y2="{y + 7}" stroke="{colour}" '
            f'stroke-width="2.5"/><text class="value" x="{NARROW}" y="{y + 5}" text-anchor="end">'
            f"{_milliseconds(one.ms_per_decision)}</text>"
        )
    note = "Dot: mean. Tick: 99 of 100 decisions take less. Decisions without a choice don't count."
    return _card("Time for a decision", note, _svg(NARROW, height, parts, "Time for a decision"))


def _crosstable(found: Standings) -> str:
    head = "".join(f'<th scope="col">{escape(one.name)}</th>' for one in found.standings)
    rows = []
    for one in found.standings:
        cells = []
        for other in found.standings:
            if other.name == one.name:
                cells.append('<td class="soft">·</td>')
                continue
            versus = found.crosstable[one.name][other.name]
            tint = "--good" if versus.ahead.value >= 0.5 else "--bad"
            strength = 0.08 + abs(versus.ahead.value - 0.5) * 0.9
            margin = _more(f"{versus.margin.value:+.1f} points")
            cells.append(
                f'<td style="background:rgb(var({tint}) / {strength:.2f})">'
                f"{100 * versus.ahead.value:.1f} %{margin}</td>"
            )
        rows.append(f'<tr><th scope="row">{escape(one.name)}</th>{"".join(cells)}</tr>')
    body = (
        f'<div class="scroll"><table class="cross"><thead><tr><th></th>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )
    note = "How often the row's bot comes before the column's (level counts half), by how much."
    return _card("Who beats whom", note, body, wide=len(found.standings) > 3)


def _progress(found: Standings) -> str:
    height, bottom = 250.0, 216.0
    across = _scale(1, max(found.deals, 2), 44, NARROW - 10)
    up = _scale(0.0, 1.0, bottom, 8)
    parts = []
    for tick in (0, 0.25, 0.5, 0.75, 1):
        y = up(tick)
        parts.append(
            f'<line class="grid" x1="44" x2="{NARROW - 10}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text class="soft" x="36" y="{y + 4:.1f}" text-anchor="end">{100 * tick:.0f} %</text>'
        )
    for tick in _ticks(1, found.deals):
        if 1 <= tick <= found.deals:
            parts.append(
                f'<text class="soft" x="{across(tick):.1f}" y="{bottom + 20}" '
                f'text-anchor="middle">{tick:g}</text>'
            )
    parts.append(
        f'<text class="soft" x="{NARROW - 10}" y="{bottom + 34}" text-anchor="end">deals</text>'
    )
    for one in found.standings[:COLOURS]:
        curve = list(progress_of(found.games, one.name))
        colour = _colour(found, one)
        top = " ".join(f"{across(deal):.1f},{up(rate.high):.1f}" for deal, rate in curve)
        base = " ".join(f"{across(deal):.1f},{up(rate.low):.1f}" for deal, rate in reversed(curve))
        middle = " ".join(f"{across(deal):.1f},{up(rate.value):.1f}" for deal, rate in curve)
        parts.append(
            f'<polygon points="{top} {base}" fill="{colour}" opacity=".13"/>'
            f'<polyline points="{middle}" fill="none" stroke="{colour}" stroke-width="2.2"/>'
        )
    note = "The win rate after so many deals, with its 95 % band."
    return _card("As the deals go by", note, _svg(NARROW, height, parts, "Win rate by deals"))


def _seats(found: Standings) -> str:
    scale = _scale(0.0, max(one.high for one in found.seats) * 1.05, 80, NARROW - 70)
    height = ROW * len(found.seats) + 10
    parts = []
    fair = scale(1 / len(found.seats))
    parts.append(f'<line class="fair" x1="{fair:.1f}" x2="{fair:.1f}" y1="0" y2="{height - 8}"/>')
    for seat, one in enumerate(found.seats):
        y = ROW * seat + ROW / 2
        parts.append(
            f'<text x="0" y="{y + 5}">seat {seat + 1}</text>'
            + _bar(scale(one.low), scale(one.high), y, "var(--accent)")
            + f'<circle cx="{scale(one.value):.1f}" cy="{y}" r="6" fill="var(--accent)"/>'
            f'<text class="value" x="{NARROW}" y="{y + 5}" text-anchor="end">'
            f"{100 * one.value:.1f} %</text>"
        )
    note = "How often each seat wins, whoever sits there. Dashed: all seats equal."
    return _card("Seats", note, _svg(NARROW, height, parts, "Win rate by seat"))


def _repeat(found: Standings) -> str:
    plan = found.plan
    command = ["pelagos", "arena", plan.game, *[_entered(one) for one in plan.entrants]]
    command += ["--players", str(plan.players), "--games", str(len(found.games))]
    command += ["--seed", plan.seed]
    for name, value in plan.options.items():
        if name != "players":
            command += ["--option", f"{name}={str(value).lower()}"]
    if plan.pack_files is not None:
        command += ["--pack", "DIR"]
    rows = {
        "command": f"<code>{escape(shlex.join(command))}</code>",
        "intervals": escape(METHOD),
        "pairing": "every bot plays the same deals"
        if plan.players == 1
        else "every deal is played by every bot in every seat, so cards and seats favour nobody",
        "pack": f"{escape(plan.pack.name)}, sha256 <code>{plan.pack.sha256[:16]}</code>",
        "moves": f"sha256 <code>{found.digest[:16]}</code>, the same wherever it is played "
        "with a budget of simulations",
        "version": f"pelagos {__version__}, rules {escape(find_game(plan.game).rules)}",
    }
    body = (
        "<dl>" + "".join(f"<dt>{key}</dt><dd>{value}</dd>" for key, value in rows.items()) + "</dl>"
    )
    return _card("To repeat it", "", body, wide=True)


def _entered(one: Entrant) -> str:
    return one.name if "@" in one.name else f"{one.name}@{one.budget}"


# --- drawing --------------------------------------------------------------------------------

Scale = Callable[[float], float]


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


def _axis(scale: Scale, ticks: Sequence[float], height: float, text: Callable[[float], str]) -> str:
    parts = []
    for tick in ticks:
        x = scale(tick)
        parts.append(
            f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{height - 26}"/>'
            f'<text class="soft" x="{x:.1f}" y="{height - 8}" text-anchor="middle">'
            f"{text(tick)}</text>"
        )
    return "".join(parts)


def _bar(left: float, right: float, y: float, colour: str) -> str:
    """An interval."""
    return (
        f'<line x1="{left:.1f}" x2="{right:.1f}" y1="{y}" y2="{y}" stroke="{colour}" '
        'stroke-width="7" stroke-linecap="round" opacity=".35"/>'
    )


def _svg(width: float, height: float, parts: Sequence[str], title: str) -> str:
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape(title)}">'
        f"{''.join(parts)}</svg>"
    )


def _name(one: Standing, y: float) -> str:
    name = one.name if len(one.name) <= 16 else one.name[:15] + "…"
    return f'<text x="0" y="{y + 5:.1f}">{escape(name)}</text>'


def _colour(found: Standings, one: Standing) -> str:
    """A bot keeps its colour in every plot, whatever its place."""
    return f"var(--c{found.plan.names.index(one.name) % COLOURS})"


def _percent(estimate: Estimate) -> str:
    return f"{100 * estimate.value:.1f} % ({_low_high(estimate)})"


def _low_high(estimate: Estimate) -> str:
    return f"{100 * estimate.low:.1f} – {100 * estimate.high:.1f}"


def _interval(estimate: Estimate, digits: int) -> str:
    text = f"{estimate.value:.{digits}f} ({estimate.low:.{digits}f} – {estimate.high:.{digits}f})"
    return _minus(text)


def _more(text: str) -> str:
    return f'<span class="more">{_minus(text)}</span>'


def _milliseconds(value: float) -> str:
    if value < 1:
        return f"{1000 * value:.3g} µs"
    return f"{value:.3g} ms" if value < 1000 else f"{value / 1000:.3g} s"


def _minus(text: str) -> str:
    return text.replace("-", "−")


def write_report(found: Standings, path: Path) -> None:
    """The page as a file."""
    try:
        path.write_text(report(found), encoding="utf-8")
    except OSError as error:
        raise PelagosError(f"{path} can't be written: {error.strerror}.") from None

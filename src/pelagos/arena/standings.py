"""What a tournament says of its bots: win rates, scores, ratings, times, with their intervals."""

from __future__ import annotations

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pelagos.arena.intervals import METHOD, Estimate, mean, rate
from pelagos.arena.matches import Played, milliseconds_of
from pelagos.arena.plan import Plan


class Entry(NamedTuple):
    """One bot's part in one race."""

    bot: str
    score: int
    share: float
    """Of the win; a shared win is split."""
    rank: int


class Race(NamedTuple):
    """Bots compared with each other: one game; alone, all games of one deal."""

    deal: int
    entries: tuple[Entry, ...]


def races(games: Sequence[Played]) -> list[Race]:
    """The tournament as races, in its order."""
    compared = []
    alone: dict[int, list[Played]] = defaultdict(list)
    for game in games:
        if len(game.seats) == 1:
            alone[game.deal].append(game)
        else:
            compared.append(_race(game.deal, game.seats, game.scores, game.winners))
    for deal, same in alone.items():
        scores = [game.scores[0] for game in same]
        first = [place for place, score in enumerate(scores) if score == max(scores)]
        compared.append(_race(deal, [game.seats[0] for game in same], scores, first))
    return compared


def _race(deal: int, bots: Sequence[str], scores: Sequence[int], winners: Sequence[int]) -> Race:
    """Winners come first, the others by score."""
    keys = [
        (seat not in winners, 0 if seat in winners else -score) for seat, score in enumerate(scores)
    ]
    entries = [
        Entry(
            bot,
            scores[seat],
            1 / len(winners) if seat in winners else 0.0,
            sum(other < keys[seat] for other in keys),
        )
        for seat, bot in enumerate(bots)
    ]
    return Race(deal, tuple(entries))


@dataclass
class Standing:
    """One bot's result."""

    name: str
    budget: str
    wins: Estimate
    score: Estimate
    scores: list[int]
    times: Counter[str]
    seconds: float
    mu: float = 25.0
    sigma: float = 25.0 / 3
    goals: int = 0
    """Games alone in which the game's own goal was reached."""
    failures: list[str] = field(default_factory=list)

    @property
    def decisions(self) -> int:
        """How many decisions were timed; those without a choice aren't asked for."""
        return sum(self.times.values())

    @property
    def ms_per_decision(self) -> float:
        """The mean thinking time."""
        return 1e3 * self.seconds / self.decisions if self.decisions else 0.0

    @property
    def ms_p99(self) -> float:
        """The thinking time that 99 of 100 decisions stay within, to five per cent."""
        left = math.ceil(0.99 * self.decisions)
        for step in sorted(self.times, key=int):
            left -= self.times[step]
            if left <= 0:
                return milliseconds_of(step)
        return 0.0


class Versus(NamedTuple):
    """One bot against another, wherever both took part."""

    ahead: Estimate
    """How often the first came before the second; level counts half."""
    margin: Estimate
    """By how many points, on average."""


@dataclass
class Standings:
    """A tournament's outcome."""

    plan: Plan
    games: list[Played]
    standings: list[Standing]
    """The best first."""
    crosstable: dict[str, dict[str, Versus]]
    seats: list[Estimate]
    """Each seat's win rate, whoever sat there."""

    @property
    def deals(self) -> int:
        """How many deals were played to the end."""
        return len({game.deal for game in self.games})

    @property
    def played(self) -> str:
        """How much was played."""
        count, series = len(self.games), self.plan.series
        games = f"{count} games" if series == 1 else f"{count} series, best of {series},"
        return f"{games} on {self.deals} deals"

    @property
    def digest(self) -> str:
        """Of all moves of all games."""
        text = "".join(game.digest for game in self.games)
        return hashlib.sha256(text.encode()).hexdigest()

    def as_json(self, times: bool = True) -> dict[str, Any]:
        """For programs. Without times it is the same to the byte wherever it was played."""
        plan = self.plan
        return {
            "game": plan.game,
            "players": plan.players,
            "games": len(self.games),
            "deals": self.deals,
            "options": dict(plan.options),
            "pack": {"name": plan.pack.name, "sha256": plan.pack.sha256},
            "seed": plan.seed,
            **({"series": plan.series} if plan.series > 1 else {}),
            "method": METHOD,
            "digest": self.digest,
            "bots": {bot.name: self._bot(bot, times) for bot in self.standings},
            "crosstable": {
                name: {
                    other: {
                        "ahead": versus.ahead.value,
                        "low": versus.ahead.low,
                        "high": versus.ahead.high,
                        "margin": versus.margin.value,
                        "margin_low": _finite(versus.margin.low),
                        "margin_high": _finite(versus.margin.high),
                    }
                    for other, versus in row.items()
                }
                for name, row in self.crosstable.items()
            },
            "seats": [
                {"win_rate": seat.value, "low": seat.low, "high": seat.high} for seat in self.seats
            ],
        }

    def _bot(self, bot: Standing, times: bool) -> dict[str, Any]:
        data: dict[str, Any] = {
            "win_rate": bot.wins.value,
            "low": bot.wins.low,
            "high": bot.wins.high,
            "mean_score": bot.score.value,
            "score_low": _finite(bot.score.low),
            "score_high": _finite(bot.score.high),
            "median_score": median(bot.scores),
            "rating": {"mu": bot.mu, "sigma": bot.sigma},
            "budget": bot.budget,
            "decisions": bot.decisions,
            "failures": len(bot.failures),
        }
        if self.plan.players == 1:
            data["goal_rate"] = bot.goals / len(bot.scores)
        if times:
            data["ms_per_decision"] = bot.ms_per_decision
            data["ms_p99"] = bot.ms_p99
        return data


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def median(numbers: Sequence[int]) -> float:
    """The middle one."""
    ordered, half = sorted(numbers), len(numbers) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def compute_standings(plan: Plan, games: Sequence[Played]) -> Standings:
    """The standings after these games, which must be whole deals in the plan's order."""
    compared = races(games)
    standings = [_standing(plan, name, games, compared) for name in plan.names]
    _rate(standings, compared)
    standings.sort(key=lambda bot: (-bot.wins.value, -bot.score.value, plan.names.index(bot.name)))
    order = [bot.name for bot in standings]
    crosstable = {
        name: {other: versus(compared, name, other) for other in order if other != name}
        for name in order
    }
    return Standings(plan, list(games), standings, crosstable, _seats(plan, games))


def _standing(plan: Plan, name: str, games: Sequence[Played], compared: Sequence[Race]) -> Standing:
    wins: dict[int, list[float]] = defaultdict(list)
    points: dict[int, list[int]] = defaultdict(list)
    for race in compared:
        for entry in race.entries:
            if entry.bot == name:
                wins[race.deal].append(entry.share)
                points[race.deal].append(entry.score)
    bot = Standing(
        name,
        str(plan.entrant(name).budget),
        rate([(sum(shares), len(shares)) for shares in wins.values()]),
        mean([sum(deal) / len(deal) for deal in points.values()]),
        [score for deal in points.values() for score in deal],
        Counter(),
        0.0,
    )
    for game in games:
        for seat, seated in enumerate(game.seats):
            if seated == name:
                bot.times.update(game.times[seat])
                bot.seconds += game.seconds[seat]
                bot.goals += seat in game.winners
                if str(seat) in game.failures:
                    bot.failures.append(game.failures[str(seat)])
    return bot


def _seats(plan: Plan, games: Sequence[Played]) -> list[Estimate]:
    """Each seat's win rate; none if all play alone."""
    rates = []
    for seat in range(plan.players if plan.players > 1 else 0):
        deals: dict[int, list[float]] = defaultdict(list)
        for game in games:
            deals[game.deal].append(1 / len(game.winners) if seat in game.winners else 0.0)
        rates.append(rate([(sum(shares), len(shares)) for shares in deals.values()]))
    return rates


def versus(compared: Sequence[Race], bot: str, other: str) -> Versus:
    """One bot against another."""
    ahead: dict[int, list[float]] = defaultdict(list)
    margins: dict[int, list[int]] = defaultdict(list)
    for race in compared:
        for first in race.entries:
            for second in race.entries:
                if first.bot == bot and second.bot == other:
                    level = first.rank == second.rank
                    ahead[race.deal].append(0.5 if level else float(first.rank < second.rank))
                    margins[race.deal].append(first.score - second.score)
    if not ahead:
        return Versus(rate([]), Estimate(0.0, -math.inf, math.inf))
    return Versus(
        rate([(sum(shares), len(shares)) for shares in ahead.values()]),
        mean([sum(deal) / len(deal) for deal in margins.values()]),
    )


def _rate(standings: Sequence[Standing], compared: Sequence[Race]) -> None:
    """OpenSkill's ratings (Plackett and Luce), race by race; of two seats of a bot, the mean."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    now = {bot.name: model.rating(name=bot.name) for bot in standings}
    for race in compared:
        if len({entry.bot for entry in race.entries}) < 2:
            continue
        teams = [
            [model.create_rating([now[entry.bot].mu, now[entry.bot].sigma])]
            for entry in race.entries
        ]
        rated = model.rate(teams, ranks=[float(entry.rank) for entry in race.entries])
        changed: dict[str, list[Any]] = defaultdict(list)
        for entry, team in zip(race.entries, rated, strict=True):
            changed[entry.bot].append(team[0])
        for name, ratings in changed.items():
            now[name].mu = sum(rating.mu for rating in ratings) / len(ratings)
            now[name].sigma = sum(rating.sigma for rating in ratings) / len(ratings)
    for bot in standings:
        bot.mu, bot.sigma = now[bot.name].mu, now[bot.name].sigma


def progress_of(
    games: Sequence[Played], name: str, points: int = 60
) -> Iterator[tuple[int, Estimate]]:
    """The bot's win rate after so many deals, for a curve."""
    deals: dict[int, list[float]] = defaultdict(list)
    for race in races(games):
        deals[race.deal] += [entry.share for entry in race.entries if entry.bot == name]
    by_deal = [(sum(shares), len(shares)) for shares in deals.values()]
    marks = sorted({max(1, round(len(by_deal) * step / points)) for step in range(1, points + 1)})
    for mark in marks:
        yield mark, rate(by_deal[:mark])

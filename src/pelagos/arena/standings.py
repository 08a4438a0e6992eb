"""What a tournament says of its bots: win rates, scores, ratings, times, with their intervals.

Games of one deal are not independent, so every interval is made from deals, not from games. A win
rate's is Wilson's at the effective number of games: the games played, divided by how much more (or
less: mirrored deals cancel luck) the rate varies from deal to deal than independent games would.
A mean's is Student's over the deals' means.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pelagos.arena.tournament import Plan, Played, milliseconds_of

Z95 = 1.959964
LEAST_SPREAD = 0.25
"""Mirrored deals are credited with at most four times their games."""
METHOD = (
    "95 % intervals by deal: Wilson's at the effective number of games (win rates), "
    "Student's over deals (means)"
)


class Estimate(NamedTuple):
    """A number and its 95 % interval."""

    value: float
    low: float
    high: float


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
    found = []
    alone: dict[int, list[Played]] = defaultdict(list)
    for game in games:
        if len(game.seats) == 1:
            alone[game.deal].append(game)
        else:
            found.append(_race(game.deal, game.seats, game.scores, game.winners))
    for deal, same in alone.items():
        scores = [game.scores[0] for game in same]
        first = [place for place, score in enumerate(scores) if score == max(scores)]
        found.append(_race(deal, [game.seats[0] for game in same], scores, first))
    return found


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


# --- intervals ------------------------------------------------------------------------------


def student(freedom: int) -> float:
    """Student's 97.5 % quantile (Cornish and Fisher's expansion)."""
    z, n = Z95, max(freedom, 1)
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )


def rate(by_deal: Sequence[tuple[float, int]]) -> Estimate:
    """A share of wins from (wins, chances) of each deal."""
    count = sum(chances for _, chances in by_deal)
    if not count:
        return Estimate(0.0, 0.0, 1.0)
    share = sum(wins for wins, _ in by_deal) / count
    deals = len(by_deal)
    spread = 1.0
    if deals > 1 and 0 < share < 1:
        squares = sum((wins - share * chances) ** 2 for wins, chances in by_deal)
        variance = squares * deals / (deals - 1) / count**2
        spread = max(variance / (share * (1 - share) / count), LEAST_SPREAD)
    effective = count / spread
    z = student(deals - 1) if deals > 1 else Z95
    middle = (share + z * z / (2 * effective)) / (1 + z * z / effective)
    half = (
        z
        / (1 + z * z / effective)
        * math.sqrt(share * (1 - share) / effective + z * z / (4 * effective**2))
    )
    return Estimate(share, max(min(middle - half, share), 0.0), min(max(middle + half, share), 1.0))


def mean(by_deal: Sequence[float]) -> Estimate:
    """A mean from the deals' means."""
    count = len(by_deal)
    middle = sum(by_deal) / count
    if count == 1:
        return Estimate(middle, -math.inf, math.inf)
    variance = sum((one - middle) ** 2 for one in by_deal) / (count - 1)
    half = student(count - 1) * math.sqrt(variance / count)
    return Estimate(middle, middle - half, middle + half)


# --- standings ------------------------------------------------------------------------------


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
            "method": METHOD,
            "digest": self.digest,
            "bots": {one.name: self._bot(one, times) for one in self.standings},
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
                {"win_rate": one.value, "low": one.low, "high": one.high} for one in self.seats
            ],
        }

    def _bot(self, one: Standing, times: bool) -> dict[str, Any]:
        found: dict[str, Any] = {
            "win_rate": one.wins.value,
            "low": one.wins.low,
            "high": one.wins.high,
            "mean_score": one.score.value,
            "score_low": _finite(one.score.low),
            "score_high": _finite(one.score.high),
            "median_score": median(one.scores),
            "rating": {"mu": one.mu, "sigma": one.sigma},
            "budget": one.budget,
            "decisions": one.decisions,
            "failures": len(one.failures),
        }
        if self.plan.players == 1:
            found["goal_rate"] = one.goals / len(one.scores)
        if times:
            found["ms_per_decision"] = one.ms_per_decision
            found["ms_p99"] = one.ms_p99
        return found


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def median(numbers: Sequence[int]) -> float:
    """The middle one."""
    ordered, half = sorted(numbers), len(numbers) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def reckon(plan: Plan, games: Sequence[Played]) -> Standings:
    """The standings after these games, which must be whole deals in the plan's order."""
    ran = races(games)
    found = [_standing(plan, name, games, ran) for name in plan.names]
    _rate(found, ran)
    found.sort(key=lambda one: (-one.wins.value, -one.score.value, plan.names.index(one.name)))
    order = [one.name for one in found]
    crosstable = {
        name: {other: versus(ran, name, other) for other in order if other != name}
        for name in order
    }
    return Standings(plan, list(games), found, crosstable, _seats(plan, games))


def _standing(plan: Plan, name: str, games: Sequence[Played], ran: Sequence[Race]) -> Standing:
    wins: dict[int, list[float]] = defaultdict(list)
    points: dict[int, list[int]] = defaultdict(list)
    for race in ran:
        for entry in race.entries:
            if entry.bot == name:
                wins[race.deal].append(entry.share)
                points[race.deal].append(entry.score)
    one = Standing(
        name,
        str(plan.entrant(name).budget),
        rate([(sum(shares), len(shares)) for shares in wins.values()]),
        mean([sum(deal) / len(deal) for deal in points.values()]),
        [score for deal in points.values() for score in deal],
        Counter(),
        0.0,
    )
    for game in games:
        for seat, who in enumerate(game.seats):
            if who == name:
                one.times.update(game.times[seat])
                one.seconds += game.seconds[seat]
                one.goals += seat in game.winners
                if str(seat) in game.failures:
                    one.failures.append(game.failures[str(seat)])
    return one


def _seats(plan: Plan, games: Sequence[Played]) -> list[Estimate]:
    found = []
    for seat in range(plan.players if plan.players > 1 else 0):
        deals: dict[int, list[float]] = defaultdict(list)
        for game in games:
            deals[game.deal].append(1 / len(game.winners) if seat in game.winners else 0.0)
        found.append(rate([(sum(shares), len(shares)) for shares in deals.values()]))
    return found


def versus(ran: Sequence[Race], one: str, other: str) -> Versus:
    """One bot against another."""
    ahead: dict[int, list[float]] = defaultdict(list)
    margins: dict[int, list[int]] = defaultdict(list)
    for race in ran:
        for first in race.entries:
            for second in race.entries:
                if first.bot == one and second.bot == other:
                    level = first.rank == second.rank
                    ahead[race.deal].append(0.5 if level else float(first.rank < second.rank))
                    margins[race.deal].append(first.score - second.score)
    if not ahead:
        return Versus(rate([]), Estimate(0.0, -math.inf, math.inf))
    return Versus(
        rate([(sum(shares), len(shares)) for shares in ahead.values()]),
        mean([sum(deal) / len(deal) for deal in margins.values()]),
    )


def _rate(standings: Sequence[Standing], ran: Sequence[Race]) -> None:
    """OpenSkill's ratings (Plackett and Luce), race by race; of two seats of a bot, the mean."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    now = {one.name: model.rating(name=one.name) for one in standings}
    for race in ran:
        if len({entry.bot for entry in race.entries}) < 2:
            continue
        teams = [
            [model.create_rating([now[one.bot].mu, now[one.bot].sigma])] for one in race.entries
        ]
        rated = model.rate(teams, ranks=[float(entry.rank) for entry in race.entries])
        changed: dict[str, list[Any]] = defaultdict(list)
        for entry, team in zip(race.entries, rated, strict=True):
            changed[entry.bot].append(team[0])
        for bot, ratings in changed.items():
            now[bot].mu = sum(rating.mu for rating in ratings) / len(ratings)
            now[bot].sigma = sum(rating.sigma for rating in ratings) / len(ratings)
    for one in standings:
        one.mu, one.sigma = now[one.name].mu, now[one.name].sigma


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

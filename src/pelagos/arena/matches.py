"""One game of a tournament: dealt, played by bots, and what it came to."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pelagos.arena.plan import Entrant, Fixture, Plan
from pelagos.bots import Decision, Player, decide, warm_up
from pelagos.engine.game import find_game
from pelagos.engine.match import Match
from pelagos.engine.record import result
from pelagos.engine.series import Series
from pelagos.engine.stream import seed_of

STEP = 1.05
"""Thinking times are counted in steps of five per cent."""
LONGEST_FAILURE = 300


@dataclass(frozen=True)
class Played:
    """What one game came to."""

    deal: int
    seats: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    digest: str
    """Of all moves: two runs that played alike have the same."""
    more: dict[str, Any]
    """Numbers that the game adds to its result, such as a margin."""
    times: tuple[dict[str, int], ...]
    """For each seat, how many decisions took how many steps of time."""
    seconds: tuple[float, ...]
    """For each seat, the thinking time of all its decisions."""
    failures: dict[str, str]
    """What went wrong with a seat's bot, so that another moved in its place."""

    @property
    def fixture(self) -> Fixture:
        """The game that this was."""
        return Fixture(self.deal, self.seats)

    def to_line(self) -> str:
        """One line of a file of results."""
        return json.dumps(self.__dict__, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_line(cls, data: Mapping[str, Any]) -> Played:
        """A game from its line."""
        return cls(
            int(data["deal"]),
            tuple(data["seats"]),
            tuple(data["scores"]),
            tuple(data["winners"]),
            str(data["digest"]),
            dict(data["more"]),
            tuple(data["times"]),
            tuple(data["seconds"]),
            dict(data["failures"]),
        )


def deal_out(plan: Plan, deal: int) -> Match:
    """The match of a deal, nobody having moved."""
    pack = plan.pack
    return Match.new(pack.game, seed=seed_of(plan.seed, deal), pack=pack, **plan.options)


def play(plan: Plan, fixture: Fixture) -> Played:
    """Play one game, or one series: its scores are the sums of its games'."""
    entrants = [plan.entrant(name) for name in fixture.seats]
    series = Series(plan.game, plan.series, **plan.options)
    clocks: list[Clock] = [Clock() for _ in entrants]
    while not series.over:
        if series.matches:
            match = series.deal(f"{plan.seed}/{fixture.deal}", pack=plan.pack)
        else:
            match = deal_out(plan, fixture.deal)
            series.add(match)
        play_match(match, entrants, clocks)
    games = [result(match.position) for match in series.matches]
    more = {key: value for key, value in games[-1].items() if isinstance(value, int | float)}
    if plan.series > 1:
        more = {"games": len(games)}
    return Played(
        fixture.deal,
        fixture.seats,
        tuple(map(sum, zip(*(game["scores"] for game in games), strict=True))),
        tuple(games[-1]["winners"] if plan.series == 1 else series.winners),
        _digest(series.matches),
        more,
        tuple(clock.times for clock in clocks),
        tuple(round(clock.seconds, 6) for clock in clocks),
        {
            str(seat): "; ".join(clock.failures)[:LONGEST_FAILURE]
            for seat, clock in enumerate(clocks)
            if clock.failures
        },
    )


def play_match(
    match: Match, entrants: Sequence[Entrant], clocks: list[Clock] | None = None
) -> list[Clock]:
    """Let the entrants play a match to its end; their clocks count what each decision took."""
    players = [Player(entrant.bot) for entrant in entrants]
    clocks = clocks or [Clock() for _ in entrants]
    while not match.over:
        seat = match.pending[0]
        decision = decide(match, seat, players[seat], entrants[seat].budget)
        match.play(seat, decision.action)
        clocks[seat].count(decision)
    for player in players:
        player.close()
    return clocks


@dataclass
class Clock:
    """What a seat's decisions took, and what went wrong with them."""

    seconds: float = 0.0
    times: dict[str, int] = field(default_factory=dict)
    """How many decisions took how many steps of time."""
    failures: list[str] = field(default_factory=list)

    def count(self, decision: Decision) -> None:
        """Count a decision; one without a choice takes no time."""
        if decision.seconds is not None:
            self.seconds += decision.seconds
            step = step_of(decision.seconds)
            self.times[step] = self.times.get(step, 0) + 1
        if decision.failure:
            self.failures.append(decision.failure)


def step_of(seconds: float) -> str:
    """The step of the scale of thinking times, as a key of JSON."""
    return str(round(math.log(max(seconds, 1e-6) * 1e6) / math.log(STEP)))


def milliseconds_of(step: str) -> float:
    """What a step of the scale stands for."""
    return float(STEP ** int(step) / 1e3)


def _digest(matches: Sequence[Match]) -> str:
    moves = [
        (entry.seat, entry.action, entry.outcome) for match in matches for entry in match.history
    ]
    return hashlib.sha256(repr(moves).encode()).hexdigest()[:16]


def get_ready(plan: Plan) -> None:
    """Compile and load all that the games will need, so that no decision is timed with it."""
    warm_up(find_game(plan.game), [entrant.bot for entrant in plan.entrants])

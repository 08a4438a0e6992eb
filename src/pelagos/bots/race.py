"""A race of candidates over redealt worlds: what the bots that simulate have in common.

`Racer` is a bot made of it. What happens in one simulation is the bot's own: a rule `follow` that
makes a candidate's move, plays the game to its end and counts the points. All of a race is rules
on one record, so that it runs the same here and in a browser; whoever runs it looks at the clock.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from types import SimpleNamespace
from typing import Any, TypeAlias

from pelagos.bots.bot import Thought
from pelagos.bots.budget import Budget
from pelagos.bots.playing import playing
from pelagos.engine.arrays import new_records, new_states, numbers, readable
from pelagos.engine.fields import Fields, state_type
from pelagos.engine.game import Game
from pelagos.engine.position import Position
from pelagos.engine.rule import constants, rule
from pelagos.engine.scratch import whole_numbers
from pelagos.engine.stream import below, renew
from pelagos.engine.types import MOST_SEATS, Array

Advance: TypeAlias = Callable[..., int]
"""A compiled loop over simulations (`race_loop`)."""
Tree: TypeAlias = tuple[Array, ...]
"""What a bot's own `follow` remembers from simulation to simulation."""

CANDIDATES = 12
"""The most actions that are tried at the root; the best-rated ones."""
PER_CANDIDATE = 4
"""With few simulations, so many at least for each candidate."""
LOWEST_BIAS = -0.3
GLANCE = 0.0008
"""Seconds between two looks at the clock."""
LOTS = 1 << 20
LOGARITHMS = constants(
    [0.0, *(float(Decimal(number).ln()) for number in range(1, CANDIDATES + 1))], "float64"
)
"""From a table, since no two machines' logarithms agree to the last bit."""
THOUGHT = len(Thought._fields)


@cache
def race_fields(game: Game) -> Fields:
    """A race as it stands. Candidates are known by their places among the best-rated actions."""
    return state_type(
        [
            ("sums", "float64", CANDIDATES),  # of the values of each candidate's games
            ("points", "float64", CANDIDATES),
            ("wins", "float64", CANDIDATES),
            ("bias", "float64", CANDIDATES),  # what is thought of it before any game
            ("trust", "float64"),  # how many simulations that is worth
            ("streams", "uint64", (3, 4)),  # the bot's own, the world's, the play-out's
            ("visits", "int64", CANDIDATES),
            ("order", "int64", CANDIDATES),  # the candidates, those still in the race first
            ("ranked", "int64", game.actions + 1),  # all legal actions, the best-rated first
            ("legal", "int64"),  # how many there are
            ("candidates", "int64"),
            ("alive", "int64"),
            ("cursor", "int64"),  # whose turn it is in this world
            ("done", "int64"),
            ("limit", "int64"),  # of simulations; 0: the clock alone decides
            ("seat", "int64"),
            ("totals", "int64", MOST_SEATS),
        ]
    )


@cache
def racing(game: Game) -> SimpleNamespace:
    """The rules of a race, whatever its simulations are."""
    rules = playing(game)
    legal, rate, slope, room_size = rules.legal, rules.rate_rule, rules.slope, game.actions + 1

    @rule
    def line_up(
        position: Array,
        packs: Array,
        seat: int,
        stream: Array,
        limit: int,
        trust: float,
        races: Array,
        states: Array,
        room: Array,
    ) -> int:
        """Line up the best-rated legal actions; equal ones are drawn by lot. Return how many."""
        race, game, pack = races[0], position[0], packs[0]
        states[0] = game
        for index in range(4):
            race.streams[0, index] = stream[index]
        rates, lots = whole_numbers(room_size), whole_numbers(room_size)
        count = legal(game, pack, seat, room)
        for index in range(count):
            action = int(room[index])
            lot = below(race.streams[0], LOTS)
            worth = int(rate(game, pack, seat, action))
            place = index
            while place > 0 and is_before(
                worth, lot, action, rates[place - 1], lots[place - 1], race.ranked[place - 1]
            ):
                rates[place] = rates[place - 1]
                lots[place] = lots[place - 1]
                race.ranked[place] = race.ranked[place - 1]
                place -= 1
            rates[place] = worth
            lots[place] = lot
            race.ranked[place] = action
        most = CANDIDATES
        if limit:
            most = max(2, min(most, limit // PER_CANDIDATE))
        candidates: int = min(count, most)
        for place in range(candidates):
            race.bias[place] = max((rates[place] - rates[0]) * slope, LOWEST_BIAS)
            race.order[place] = place
            race.visits[place] = 0
            race.sums[place] = 0.0
            race.points[place] = 0.0
            race.wins[place] = 0.0
        race.legal = count
        race.candidates = candidates
        race.alive = candidates
        race.cursor = 0
        race.done = 0
        race.limit = limit
        race.seat = seat
        race.trust = trust
        return candidates

    @rule
    def choice(races: Array) -> int:
        """The action of the best candidate."""
        return int(races[0].ranked[best_place(races[0])])

    @rule
    def tell(races: Array, out: Array) -> int:
        """Write a thought on each legal action, the best first; return how many."""
        race = races[0]
        first = best_place(race)
        write_thought(race, first, out[0])
        rows = 1
        for place in range(int(race.candidates)):
            if place != first:
                row = rows
                while row > 1 and is_thought_less(race, place, out[row - 1]):
                    for column in range(THOUGHT):
                        out[row, column] = out[row - 1, column]
                    row -= 1
                write_thought(race, place, out[row])
                rows += 1
        for place in range(int(race.candidates), int(race.legal)):
            out[place, 0] = race.ranked[place]
            for column in range(1, THOUGHT):
                out[place, column] = 0.0
        return int(race.legal)

    return SimpleNamespace(line_up=line_up, choice=choice, tell=tell)


@rule
def is_before(rate: int, lot: int, action: int, rate2: int, lot2: int, action2: int) -> bool:
    """Is an action ranked before another?"""
    if rate != rate2:
        return rate > rate2
    if lot != lot2:
        return lot < lot2
    return action < action2


@rule
def mean_of(sum_: float, visits: int) -> float:
    """A sum's mean over so many games."""
    return float(sum_ / max(visits, 1))


@rule
def promise_of(race: Any, place: int) -> float:
    """A candidate's mean value, and what was thought of it as long as there are few simulations."""
    visits = int(race.visits[place])
    bias = race.bias[place] * race.trust / (visits + race.trust + 1e-9)
    return float(mean_of(race.sums[place], visits) + bias)


@rule
def best_place(race: Any) -> int:
    """The best candidate still in the race."""
    best = int(race.order[0])
    most = promise_of(race, best)
    for turn in range(1, int(race.alive)):
        place = int(race.order[turn])
        promise = promise_of(race, place)
        if promise > most:
            best = place
            most = promise
    return best


@rule
def let_fall(race: Any, part: float) -> None:
    """Drop the worst, so that as many are left as this part of the budget leaves: of n candidates,
    n to the power of what is left of the budget.
    """
    wanted = 2
    while LOGARITHMS[wanted] < (1.0 - part) * LOGARITHMS[int(race.candidates)]:
        wanted += 1
    if wanted >= int(race.alive):
        return
    for turn in range(1, int(race.alive)):
        place = int(race.order[turn])
        promise = promise_of(race, place)
        before = turn
        while before > 0 and promise_of(race, int(race.order[before - 1])) < promise:
            race.order[before] = race.order[before - 1]
            before -= 1
        race.order[before] = place
    race.alive = wanted


@rule
def write_thought(race: Any, place: int, out: Array) -> None:
    """A candidate's action, share of wins, games and points."""
    visits = int(race.visits[place])
    out[0] = race.ranked[place]
    out[1] = mean_of(race.wins[place], visits)
    out[2] = visits
    out[3] = mean_of(race.points[place], visits)


@rule
def is_thought_less(race: Any, place: int, thought: Array) -> bool:
    """Does a thought come after a candidate's: with fewer games, or as many and a lower value?"""
    visits = int(race.visits[place])
    if thought[2] != visits:
        return bool(thought[2] < visits)
    return bool(thought[1] < mean_of(race.wins[place], visits))


def race_loop(rules: SimpleNamespace, follow: Callable[..., int]) -> Advance:
    """The loop that makes simulations: the next candidate, in a world that all of them share.

    `follow(game, pack, seat, candidate, action, stream, room, totals, tree)` plays a game to its
    end, starting with the candidate's action, writes the totals and returns the winners' mask.
    """
    redeal, value, share = rules.redeal, rules.value, rules.share

    @rule
    def simulate(race: Any, states: Array, pack: Any, room: Array, tree: Any) -> None:
        """One simulation. States: the position, a world, a game in it."""
        seat, turn, streams, totals = int(race.seat), int(race.cursor), race.streams, race.totals
        if turn == 0:
            states[1] = states[0]
            redeal(states[1], pack, seat, streams[0])
            renew(streams[1], streams[0])
        states[2] = states[1]
        for index in range(4):
            streams[2, index] = streams[1, index]
        game, place = states[2], int(race.order[turn])
        action = int(race.ranked[place])
        won = follow(game, pack, seat, place, action, streams[2], room, totals, tree)
        race.sums[place] += value(game, pack, seat, totals, won)
        race.points[place] += totals[seat]
        race.wins[place] += share(game, won, seat)
        race.visits[place] += 1
        race.cursor = turn + 1 if turn + 1 < int(race.alive) else 0

    @rule
    def advance(
        races: Array, states: Array, packs: Array, count: int, part: float, room: Array, tree: Any
    ) -> int:
        """Make so many simulations, or fewer where the limit comes before; return how many.

        `part` is how much of the clock's budget is used up. Candidates fall behind as the budget
        is, always after all that are still in the race have been in the same worlds.
        """
        race = races[0]
        made = 0
        while made < count and int(race.candidates) > 1:
            if int(race.done):
                spent = part
                if int(race.limit):
                    spent = max(spent, int(race.done) / int(race.limit))
                if spent >= 1.0:
                    break
                if int(race.cursor) == 0:
                    let_fall(race, spent)
            simulate(race, states, packs[0], room, tree)
            race.done += 1
            made += 1
        return made

    return advance


class Race:
    """Candidates that run side by side, all of them in the same redealt worlds, and fall behind
    one by one as the budget is used up (sequential halving, as smooth as it can be).
    """

    def __init__(
        self, position: Position, seat: int, stream: Array, budget: Budget, trust: float = 0.0
    ) -> None:
        """Line up the best-rated legal actions. `trust` is how many simulations a rate is worth."""
        self.start = time.perf_counter()
        game = position.game
        self._rules = racing(game)
        self.races = new_records(race_fields(game), 1)
        self.states = new_states(game, 3)
        self.packs = readable(position.pack.data)
        self.room = numbers(len(playing(game).actions))
        limit = budget.simulations or 0
        asked = (position.states, self.packs, seat, stream, limit, trust)
        self.candidates = int(self._rules.line_up(*asked, self.races, self.states, self.room))

    def run(self, advance: Advance, tree: Tree, budget: Budget) -> None:
        """Simulate until the budget is used up."""
        is_watched = budget.milliseconds is not None or budget.stop is not None
        count, part, done = 1 if is_watched else budget.simulations, 0.0, 0
        race = (self.races, self.states, self.packs)
        while made := advance(*race, count, part, self.room, tree):
            if not is_watched:
                continue
            done += made
            used = time.perf_counter() - self.start
            count = max(1, int(GLANCE * done / used))
            if budget.milliseconds is not None:
                part = (used + used / done) * 1000 / budget.milliseconds
            if part >= 1 or (budget.stop is not None and budget.stop()):
                break

    @property
    def choice(self) -> int:
        """The action of the best candidate."""
        return int(self._rules.choice(self.races))

    def thoughts(self) -> list[Thought]:
        """What came out for each candidate, and nothing for those left out; the best first."""
        out = numbers((len(self.room), THOUGHT), "float64")
        count = self._rules.tell(self.races, out)
        rows = out[:count].tolist()
        return [Thought(int(row[0]), row[1], int(row[2]), row[3]) for row in rows]


class Racer(ABC):
    """A bot that lets its candidates race."""

    name: str

    def choose(self, position: Position, seat: int, stream: Array, budget: Budget) -> int:
        """The candidate whose games went best."""
        race = self.race(position, seat, stream, budget)
        self.keep(race)
        return race.choice

    def explain(
        self, position: Position, seat: int, stream: Array, budget: Budget
    ) -> list[Thought]:
        """How the games of each candidate went."""
        return self.race(position, seat, stream, budget).thoughts()

    @abstractmethod
    def race(self, position: Position, seat: int, stream: Array, budget: Budget) -> Race:
        """A race that has been run."""

    @abstractmethod
    def keep(self, race: Race) -> None:
        """Remember what may be of use for the next decision, now that the best one is made."""

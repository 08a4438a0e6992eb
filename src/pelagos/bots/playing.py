"""What the stronger bots share: rating actions, greedy-leaning play-outs, the value of an end.

Made once for each game from its contract and its evaluation, and compiled with it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from pelagos.bots.bot import Thought
from pelagos.bots.budget import Budget
from pelagos.engine.arrays import new_states, readable
from pelagos.engine.batch import whole_games
from pelagos.engine.doors import doors
from pelagos.engine.game import Game
from pelagos.engine.position import Position
from pelagos.engine.rule import rule
from pelagos.engine.stream import below
from pelagos.engine.types import Array

SIDE_SEATS = 8
"""Room for every seat's total."""
SAMPLE = 6
"""In a play-out, the best of so many legal actions drawn by lot is made."""
STRAY = 50
"""In a play-out, how many decisions in a thousand are left to chance."""
WIN_WEIGHT = 0.5
"""Of a value, how much is the share of the win; the rest is the margin."""


def _evaluation(game: Game) -> Any:
    """The game's evaluation; for a game that brings none, one that thinks all actions alike."""
    try:
        return game.part("evaluation")
    except ModuleNotFoundError:
        return SimpleNamespace(rate=_all_alike, standing=_ahead, SPREAD=1000)


@rule
def _all_alike(game: Any, pack: Any, seat: int, action: int) -> int:
    return 0


@rule
def _ahead(game: Any, pack: Any, seat: int, totals: Array) -> int:
    """How far ahead of the best other the seat is; alone, its points."""
    if int(game.players) == 1:
        return 100 * int(totals[0])
    best = -1_000_000
    for other in range(int(game.players)):
        if other != seat:
            best = max(best, int(totals[other]))
    return 100 * (int(totals[seat]) - best)


@cache
def playing(game: Game, win_weight: float = WIN_WEIGHT) -> SimpleNamespace:
    """The rules for a game, and doors into them. `actions` is room for the legal ones."""
    evaluation = _evaluation(game)
    rate_rule, standing = evaluation.rate, evaluation.standing
    lean = getattr(evaluation, "lean", rate_rule)
    spread = float(evaluation.SPREAD)
    sample = int(getattr(evaluation, "SAMPLE", SAMPLE))
    lines = len(game.lines)
    contract = doors(game).rules
    pending, legal, play, sheet = (
        contract.pending,
        contract.legal,
        contract.play,
        contract.sheet,
    )
    winners = contract.winners
    whole = whole_games(contract)
    settle, first_seat = whole.settle, whole.first_seat

    @rule
    def best(game: Any, pack: Any, seat: int, stream: Array, actions: Array) -> int:
        """The best-rated legal action; equal ones are drawn by lot."""
        count = legal(game, pack, seat, actions)
        if count == 1:
            return int(actions[0])
        top = 0
        equal = 0
        chosen = -1
        for index in range(count):
            action = int(actions[index])
            value = rate_rule(game, pack, seat, action)
            if chosen < 0 or value > top:
                top = value
                equal = 1
                chosen = action
            elif value == top:
                equal += 1
                if below(stream, equal) == 0:
                    chosen = action
        return chosen

    @rule
    def likely(game: Any, pack: Any, seat: int, stream: Array, actions: Array) -> int:
        """The best of a few legal actions drawn by lot; now and then any of them."""
        count = legal(game, pack, seat, actions)
        if count == 1:
            return int(actions[0])
        if below(stream, 1000) < STRAY:
            return int(actions[below(stream, count)])
        top = 0
        chosen = -1
        for index in range(min(count, sample)):
            other = index + below(stream, count - index)
            action = int(actions[other])
            actions[other] = actions[index]
            value = lean(game, pack, seat, action)
            if chosen < 0 or value > top:
                top = value
                chosen = action
        return chosen

    @rule
    def play_out(game: Any, pack: Any, stream: Array, actions: Array) -> None:
        """Play to the end, every seat leaning to what looks good."""
        who = settle(game, pack, actions)
        while who:
            seat = first_seat(who)
            play(game, pack, seat, likely(game, pack, seat, stream, actions))
            who = settle(game, pack, actions)

    @rule
    def count_up(game: Any, pack: Any, room: Array, totals: Array) -> None:
        """Write every seat's points."""
        for seat in range(int(game.players)):
            sheet(game, pack, seat, room)
            total = 0
            for line in range(lines):
                total += int(room[line])
            totals[seat] = total

    @rule
    def share(game: Any, pack: Any, seat: int, totals: Array) -> float:
        """The seat's share of the win."""
        mask = winners(game, pack, totals)
        if not (mask >> seat) & 1:
            return 0.0
        sharing = 0
        for other in range(int(game.players)):
            sharing += (mask >> other) & 1
        return 1.0 / sharing

    @rule
    def value(game: Any, pack: Any, seat: int, totals: Array) -> float:
        """What the end is worth to the seat, from 0 to 1."""
        players = int(game.players)
        ahead = standing(game, pack, seat, totals) / spread
        margin = float(0.5 + 0.5 * ahead / (1.0 + abs(ahead)))
        if players == 1:
            return margin
        return win_weight * share(game, pack, seat, totals) + (1.0 - win_weight) * margin

    @rule
    def choose(states: Array, packs: Array, seat: int, stream: Array, actions: Array) -> int:
        return best(states[0], packs[0], seat, stream, actions)

    @rule
    def rate(states: Array, packs: Array, seat: int, action: int) -> int:
        return int(rate_rule(states[0], packs[0], seat, action))

    return SimpleNamespace(
        game=game,
        slope=RATE_VALUE / spread,
        pending=pending,
        legal=legal,
        play=play,
        redeal=contract.redeal,
        settle=settle,
        first_seat=first_seat,
        best=best,
        likely=likely,
        play_out=play_out,
        count_up=count_up,
        value=value,
        share=share,
        rate_rule=rate_rule,
        choose=choose,
        rate=rate,
        actions=np.zeros(max(game.actions + 1, game.outcome, lines, SIDE_SEATS), np.int64),
    )


CANDIDATES = 12
"""The most actions that are tried at the root; the best-rated ones."""
PER_CANDIDATE = 4
"""With few simulations, so many at least for each candidate."""
RATE_VALUE = 0.45
"""What a rate that is better by a game's spread adds to the value, while margins are small."""
LOWEST_BIAS = -0.3
GLANCE = 0.0008
"""Seconds between two looks at the clock."""


class Race:
    """Candidates that run side by side, all of them in the same redealt worlds, and fall behind
    one by one as the budget is used up (sequential halving, as smooth as it can be).
    """

    def __init__(
        self, position: Position, seat: int, stream: Array, budget: Budget, trust: float = 0.0
    ) -> None:
        """Line up the best-rated legal actions. `trust` is how many simulations a rate is worth."""
        self.start = time.perf_counter()
        room = playing(position.game)
        packs = readable(position.pack.data)
        rated = []
        for action in position.legal(seat):
            lot = below(stream, 1 << 20)
            rated.append((-room.rate(position.states, packs, seat, action), lot, action))
        rated.sort()
        most = CANDIDATES
        if budget.simulations is not None:
            most = max(2, min(most, budget.simulations // PER_CANDIDATE))
        self.actions = np.array([action for _, _, action in rated[:most]], np.int64)
        self.left_out = [action for _, _, action in rated[most:]]
        count = len(self.actions)
        rates = np.array([-rate for rate, _, _ in rated[:most]], float)
        self.trust = trust
        self.bias = np.maximum((rates - rates[0]) * room.slope, LOWEST_BIAS)
        self.order = np.arange(count)
        self.cursor = np.zeros(1, np.int64)
        self.visits = np.zeros(count, np.int64)
        self.sums = np.zeros(count)
        self.points = np.zeros(count)
        self.wins = np.zeros(count)
        self.games = np.zeros(count, np.int64)
        self.alive = count
        self._seat = seat
        self._states = new_states(position.game, 3)
        self._states[0] = position.states[0]
        self._packs = packs
        self._streams = np.zeros((3, 4), np.uint64)
        self._streams[0] = stream
        self._legal = room.actions
        self._totals = np.zeros(SIDE_SEATS, np.int64)

    def field(self, count: int) -> tuple[Any, ...]:
        """What every loop that makes `count` simulations is given first."""
        return (
            self._states,
            self._packs,
            self._seat,
            count,
            self.alive,
            self.cursor,
            self.order,
            self.actions,
            self.visits,
            self.sums,
            self.points,
            self.wins,
            self.games,
            self._streams,
            self._legal,
            self._totals,
        )

    @property
    def means(self) -> Array:
        """Every candidate's mean value."""
        means: Array = self.sums / np.maximum(self.visits, 1)
        return means

    @property
    def promise(self) -> Array:
        """The means, and what the rates say as long as there are few simulations."""
        promise: Array = self.means + self.bias * self.trust / (self.visits + self.trust + 1e-9)
        return promise

    def run(self, simulate: Callable[[int], None], budget: Budget) -> None:
        """Simulate until the budget is used up. `simulate(n)` makes n simulations, the cursor
        going round over those still in the race.
        """
        used, done, pace = 0.0, 0, 1
        while len(self.actions) > 1:
            count = self.alive - int(self.cursor[0])
            if budget.simulations is not None:
                count = min(count, budget.simulations - done)
            if budget.milliseconds is not None:
                count = min(count, pace)
            simulate(count)
            done += count
            part = 0.0
            if budget.milliseconds is not None:
                used = time.perf_counter() - self.start
                pace = max(1, int(GLANCE * done / used))
                part = (used + used / done) * 1000 / budget.milliseconds
            if budget.simulations is not None:
                part = max(part, done / budget.simulations)
            if part >= 1:
                break
            if self.cursor[0] == 0:
                self._let_fall(part)

    def _let_fall(self, part: float) -> None:
        """Drop the worst, so that as many are left as this part of the budget leaves."""
        wanted = max(2, int(np.ceil(len(self.actions) ** (1 - part))))
        if wanted < self.alive:
            racing = self.order[: self.alive]
            ranked = racing[np.argsort(-self.promise[racing], kind="stable")]
            self.order[: self.alive] = ranked
            self.alive = wanted

    @property
    def best(self) -> int:
        """Place of the best candidate still in the race, among those tried most."""
        racing = self.order[: self.alive]
        return int(racing[np.argmax(self.promise[racing])])

    def thoughts(self) -> list[Thought]:
        """What came out for each candidate, and nothing for those left out; the best first."""
        first = self.best
        games = np.maximum(self.games, 1)
        found = [
            Thought(
                int(self.actions[place]),
                float(self.wins[place] / games[place]),
                int(self.games[place]),
                float(self.points[place] / games[place]),
            )
            for place in range(len(self.actions))
        ]
        best = found.pop(first)
        found.sort(key=lambda thought: (-thought.visits, -thought.value))
        return [best, *found, *(Thought(action, 0.0, 0, 0.0) for action in self.left_out)]

"""What is known of one position and of one decision: sums over games played on, and what they say.

A study starts from what somebody knew: all else is dealt anew, by a stream that follows from that
knowledge, the round and nothing else. So what a seat couldn't know can't matter, and a study that
was stored goes on as if it had never stopped.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, cast

from pelagos.bots.playing import playing
from pelagos.bots.playouts import (
    BY_SEAT,
    POINT_SQUARES,
    WHOLE_WIN,
    WIN_SQUARES,
    WORLDS,
    playout_doors,
)
from pelagos.coach.chances import calibration_of
from pelagos.engine.arrays import in_a_row, listed, new_states, numbers, readable
from pelagos.engine.position import Position
from pelagos.engine.stream import below, words_of
from pelagos.engine.types import Array

CANDIDATES = 8
"""So many choices are tried, the best-rated ones, beside the one made and the reference bot's."""
FINALISTS = 2
"""So many of them, the most promising, go on to each later stage."""
MOST_EQUAL = 4
"""Of the choices that the reference bot rates alike and best, so many stand for all."""
FIRST_WORLDS = 24
"""Redealt worlds in which all candidates are tried."""
STAGE_WORLDS = 48
"""Redealt worlds of the first round's finalists, twice as many in each round that follows."""
POSITION_WORLDS = 128
"""Redealt worlds of a position in the first round, twice as many in each that follows."""
MOST_SUM = 1 << 52
"""More than games played on can come to."""
SPREAD = 0.1
"""How far apart choices usually lie, in standard deviations of what comes of one game."""
POINT_WORTH = 0.003
"""What a point counts where the chance of winning is the same."""


class Estimate(NamedTuple):
    """A mean with its standard error."""

    mean: float
    error: float


def _estimate(total: float, squares: float, count: int) -> Estimate:
    if count < 2:
        return Estimate(total / max(count, 1), 1.0)
    mean = total / count
    variance = max(squares / count - mean * mean, 0.0) * count / (count - 1)
    return Estimate(mean, float((variance / count) ** 0.5))


def stream_for(position: Position, seat: int, label: str) -> Array:
    """A stream that follows from what the seat knows (-1: a spectator), and from a label."""
    known = position.redeal(seat, words_of(b"coach")).states.tobytes()
    return words_of(label.encode() + hashlib.sha256(known).digest())


class BadSums(ValueError):
    """Sums that no games played on can have."""


@dataclass(frozen=True)
class Job:
    """Games to be played on from one position: here, or wherever the game's module is."""

    loop: str
    """Which of the loops plays them (see `bots.playouts`)."""
    position: Position
    worlds: int
    stream: Array
    given: tuple[int | list[int], ...]
    """What the loop is given between the pack and the stream: numbers, and lists of them."""
    width: int
    """Numbers that one game comes to."""
    rows: Sequence[int]
    """The rows of the sums that are added to."""
    sums: Array
    """What comes of it is added here."""

    def play(self) -> None:
        """Play them here."""
        states = new_states(self.position.game, 3)
        states[0] = self.position.states[0]
        streams = numbers((3, 4), "uint64")
        streams[0] = self.stream
        loop = getattr(playout_doors(self.position.game), self.loop)
        loop(
            states,
            readable(self.position.pack.data),
            *(
                listed(argument) if isinstance(argument, list) else argument
                for argument in self.given
            ),
            streams,
            numbers(len(playing(self.position.game).actions)),
            numbers(2 * self.width),
            in_a_row(self.sums),
        )

    def add(self, sums: Sequence[int]) -> None:
        """Add what came of it elsewhere, if it can have come of it."""
        total = in_a_row(self.sums)
        if len(sums) != len(total) or not all(type(number) is int for number in sums):
            raise BadSums
        if any(abs(number) > MOST_SUM for number in sums):
            raise BadSums
        row = len(sums) if self.loop == "position" else len(sums) // len(self.sums)
        for place in range(len(sums) // row):
            self._check_row(sums[place * row : (place + 1) * row], place in self.rows)
        for place, number in enumerate(sums):
            total[place] += number

    def _check_row(self, row: Sequence[int], played: bool) -> None:
        """A row counts its worlds, and squares are no less than what they are squares of."""
        if not played:
            if any(row):
                raise BadSums
            return
        if row[WORLDS] != self.worlds:
            raise BadSums
        players = self.position.players
        if self.loop == "decision":
            seat = int(cast("int", self.given[0]))
            pairs = [(BY_SEAT + seat, WIN_SQUARES), (BY_SEAT + players + seat, POINT_SQUARES)]
        else:
            pairs = [(1 + place, 1 + 2 * players + place) for place in range(2 * players)]
        if any(row[first] ** 2 > self.worlds * row[squares] for first, squares in pairs):
            raise BadSums


class Study:
    """Something to be found out by games played on, round by round."""

    def stages(self, number: int) -> Iterator[list[Job]]:
        """The play-outs of a round, stage by stage: each is played before the next is asked for."""
        raise NotImplementedError

    def run(self, number: int) -> None:
        """Play a round here."""
        for jobs in self.stages(number):
            for job in jobs:
                job.play()


@dataclass(eq=False)
class PositionStudy(Study):
    """What a spectator would expect of a position."""

    position: Position
    sums: Array = field(init=False)

    def __post_init__(self) -> None:
        """Nothing has been played yet."""
        self.sums = numbers(1 + 4 * self.position.players)

    def stages(self, number: int) -> Iterator[list[Job]]:
        """The play-outs of a round."""
        worlds = POSITION_WORLDS << max(number - 1, 0)
        stream = stream_for(self.position, -1, f"position {number}")
        width = 2 * self.position.players
        yield [
            Job("position", self.position, worlds, stream, (worlds,), width, (0,), self.sums),
        ]

    @property
    def playouts(self) -> int:
        """How many games were played on."""
        return int(self.sums[0])

    @property
    def shares(self) -> list[float]:
        """Each seat's share of these games' wins, from 0 to 1."""
        games = WHOLE_WIN * max(self.playouts, 1)
        return [won / games for won in self.sums[1 : 1 + self.position.players].tolist()]

    def win(self, seat: int) -> Estimate:
        """A seat's chance of winning, from 0 to 1."""
        calibration, shares = calibration_of(self.position.game), self.shares
        chance = calibration.apply(shares)[seat]
        slope = calibration.slope(shares[seat], chance)
        return Estimate(chance, slope * self._of(seat).error / WHOLE_WIN)

    def points(self, seat: int) -> Estimate:
        """A seat's expected final points."""
        return self._of(self.position.players + seat)

    def _of(self, place: int) -> Estimate:
        both = 2 * self.position.players
        return _estimate(
            float(self.sums[1 + place]), float(self.sums[1 + both + place]), int(self.sums[0])
        )


@dataclass(eq=False)
class DecisionStudy(Study):
    """What a seat's choices were worth, from what it knew."""

    position: Position
    """As it was before the choice; what the seat didn't know is never looked at."""
    seat: int
    action: int
    chosen: Sequence[int]
    """What other seats chose at the same time, by seat; -1: they didn't."""
    choices: list[int] = field(init=False)
    """The choices that are tried; the first is the one made."""
    reference: list[float] = field(init=False)
    """How often the reference bot would make each."""
    sums: Array = field(init=False)
    """Without a word on what others choose at the same time: what the seat could know."""
    revealed: Array = field(init=False)
    """After some of the others' choices, in a drawn order: what it did to the result."""

    def __post_init__(self) -> None:
        """Line up the candidates."""
        known = self.position.redeal(self.seat, words_of(b"coach"))
        lots = stream_for(self.position, self.seat, "lots")
        rate, packs = playing(known.game).rate, readable(known.pack.data)
        rated = sorted(
            (-int(rate(known.states, packs, self.seat, action)), below(lots, 1 << 20), action)
            for action in known.legal(self.seat)
        )
        equal = [action for rating, _, action in rated if rating == rated[0][0]][:MOST_EQUAL]
        best_rated = [action for _, _, action in rated[:CANDIDATES]]
        self.choices = list(dict.fromkeys([self.action, *equal, *best_rated]))
        self.reference = [(action in equal) / len(equal) for action in self.choices]
        width = BY_SEAT + 2 * self.position.players + len(self.position.lines)
        self.sums = numbers((len(self.choices), width))
        self.revealed = numbers((len(self.choices), width))

    @property
    def others(self) -> int:
        """How many chose at the same time."""
        return sum(action >= 0 for action in self.chosen)

    @property
    def is_reference(self) -> bool:
        """Is it what the reference bot would have done, and nothing else?"""
        return self.reference[0] == 1

    def stages(self, number: int) -> Iterator[list[Job]]:
        """The play-outs of a round."""
        everyone = range(len(self.choices))
        worlds = STAGE_WORLDS << max(number - 1, 0)
        if number == 1:
            yield [self._job(FIRST_WORLDS, everyone, 0, "all", self.sums)]
        best, compared = self.ranking[:FINALISTS], self._compared
        finalists = [0, *(place for place in everyone[1:] if place in (*compared, *best))]
        jobs = [self._job(worlds, finalists, 0, f"decision {number}", self.sums)]
        if self.others and not self.is_reference:
            revealed, label = [0, *compared], f"revealed {number}"
            jobs.append(self._job(worlds, revealed, self.others, label, self.revealed))
        yield jobs

    @property
    def _compared(self) -> list[int]:
        """Places of the reference bot's choices, but for the one made."""
        return [place for place, often in enumerate(self.reference) if place and often]

    def _job(self, worlds: int, racing: Sequence[int], others: int, label: str, sums: Array) -> Job:
        position, lines = self.position, len(self.position.lines)
        given = (
            self.seat,
            worlds,
            list(self.choices),
            list(racing),
            len(racing),
            lines,
            list(self.chosen),
            others,
        )
        stream = stream_for(position, self.seat, label)
        width = 2 * position.players + lines
        return Job("decision", position, worlds, stream, given, width, racing, sums)

    @property
    def playouts(self) -> int:
        """How many games were played on."""
        return int(self.sums[:, WORLDS].sum() + self.revealed[:, WORLDS].sum())

    # --- what came of it -----------------------------------------------------------------------

    @property
    def win(self) -> Estimate:
        """The chance of winning after the choice made."""
        made = self._row(0, BY_SEAT + self.seat, WIN_SQUARES)
        chance = self._chances(0, 1.0)[self.seat]
        return Estimate(chance, self._slope(chance) * made.error / WHOLE_WIN)

    def _chances(self, place: int, belief: float, revealed: bool = False) -> list[float]:
        """Every seat's chance after a choice, so much of the difference being believed."""
        sums, seats = self.revealed if revealed else self.sums, range(self.position.players)
        shares = [_means(sums[0])[BY_SEAT + seat] for seat in seats]
        if place:
            more = _means(sums[place])
            shares = [shares[seat] + belief * more[BY_SEAT + seat] for seat in seats]
        clipped = [min(max(share / WHOLE_WIN, 0.0), 1.0) for share in shares]
        return calibration_of(self.position.game).apply(clipped)

    def _slope(self, chance: float) -> float:
        share = self._row(0, BY_SEAT + self.seat, WIN_SQUARES).mean / WHOLE_WIN
        return calibration_of(self.position.game).slope(share, chance)

    @property
    def points(self) -> Estimate:
        """The expected points after the choice made."""
        return self._row(0, BY_SEAT + self.position.players + self.seat, POINT_SQUARES)

    def more_win(self, place: int) -> Estimate:
        """How much better the chance of winning is after another choice."""
        if place == 0:
            return Estimate(0.0, 0.0)
        more = self._row(place, BY_SEAT + self.seat, WIN_SQUARES)
        made = self._row(0, BY_SEAT + self.seat, WIN_SQUARES)
        belief = _belief(more, made.error, int(self.sums[0, WORLDS]))
        before = self._chances(0, 1.0)[self.seat]
        better = self._chances(place, belief)[self.seat] - before
        return Estimate(better, self._slope(before) * belief**0.5 * more.error / WHOLE_WIN)

    def more_points(self, place: int) -> Estimate:
        """How many more points are expected after another choice."""
        if place == 0:
            return Estimate(0.0, 0.0)
        more = self._row(place, BY_SEAT + self.position.players + self.seat, POINT_SQUARES)
        belief = _belief(more, self.points.error, int(self.sums[0, WORLDS]))
        return Estimate(belief * more.mean, belief**0.5 * more.error)

    def more_lines(self, place: int, other: int) -> list[float]:
        """How the lines of the seat's final sheet differ between two choices."""
        first = BY_SEAT + 2 * self.position.players
        both = zip(self._more(place)[first:], self._more(other)[first:], strict=True)
        return [more - less for more, less in both]

    def more_points_of(self, seat: int, place: int, other: int) -> float:
        """How a seat's expected points differ between two choices."""
        column = BY_SEAT + self.position.players + seat
        return self._more(place)[column] - self._more(other)[column]

    def _more(self, place: int) -> list[float]:
        """The means of a choice's sums, less those of the choice made."""
        return _means(self.sums[place]) if place else [0.0] * len(self.sums[0])

    def _row(self, place: int, column: int, squares: int, revealed: bool = False) -> Estimate:
        row = (self.revealed if revealed else self.sums)[place]
        return _estimate(float(row[column]), float(row[squares]), int(row[WORLDS]))

    def _promise(self) -> list[float]:
        """How good each choice looks, in chances of winning; alone, in points."""
        promise = [0.0] * len(self.choices)
        for place in range(1, len(self.choices)):
            points = self.more_points(place)
            if self.position.players == 1:
                promise[place] = points.mean
            else:
                promise[place] = self.more_win(place).mean + POINT_WORTH * points.mean
        return promise

    @property
    def best(self) -> int:
        """Place of the best choice; the one made, if none is better."""
        return self.ranking[0]

    @property
    def ranking(self) -> list[int]:
        """Places of the choices, the best first."""
        promise = self._promise()
        return sorted(range(len(promise)), key=lambda place: -promise[place])

    def worth(self) -> tuple[list[float], list[float]]:
        """The choice's worth to every seat, in chances and in points: its value minus the mean
        under the reference bot, before any or after some of the others' choices at that time,
        each order of them equally likely.
        """
        worth = self._against_reference(revealed=False)
        if self.others and self.revealed[0, WORLDS]:
            both = zip(worth, self._against_reference(revealed=True), strict=True)
            worth = [(first + self.others * after) / (1 + self.others) for first, after in both]
        players = self.position.players
        return worth[:players], worth[players:]

    def _against_reference(self, revealed: bool) -> list[float]:
        """By seat, chances and points: minus what the reference bot's choices bring more."""
        sums, players = self.revealed if revealed else self.sums, self.position.players
        first = BY_SEAT + players
        column = first + self.seat
        made = self._row(0, column, POINT_SQUARES, revealed)
        before = self._chances(0, 1.0, revealed)
        worth = [0.0] * (2 * players)
        for place in self._compared:
            more = self._row(place, column, POINT_SQUARES, revealed)
            belief = _belief(more, made.error, int(sums[0, WORLDS]))
            often, worlds = self.reference[place], max(int(sums[place, WORLDS]), 1)
            then = self._chances(place, belief, revealed)
            for seat in range(players):
                worth[seat] += often * (before[seat] - then[seat])
                total = int(sums[place, first + seat])
                worth[players + seat] -= often * belief * total / worlds
        return worth


def _means(row: Array) -> list[float]:
    """A choice's sums by world."""
    worlds = max(int(row[WORLDS]), 1)
    return [total / worlds for total in row.tolist()]


def _belief(more: Estimate, error: float, worlds: int) -> float:
    """How much of a difference to believe, knowing how far apart choices usually lie: few games
    prove little, and the best of many isn't as good as it looks. `error` is that of the choice
    made, after so many worlds.
    """
    usual = SPREAD * error * worlds**0.5
    if usual <= 0 or more.error <= 0:
        return 1.0
    return float(usual**2 / (usual**2 + more.error**2))

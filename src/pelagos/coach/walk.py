"""A match as the coach reads it: steps, each with the decisions that were made in it."""

from __future__ import annotations

from dataclasses import dataclass, field

from pelagos.engine.match import Match
from pelagos.engine.position import Position


@dataclass
class Choosing:
    """A decision that was one: a seat had more than one legal choice."""

    at: int
    """Which entry of the history it is."""
    seat: int
    number: int
    """Which of the seat's decisions, from 0."""
    action: int
    position: Position
    choices: int


@dataclass
class Step:
    """Decisions at the same time, or one alone, and what chance brought then."""

    at: int
    """How many entries the history has after it."""
    position: Position
    """After it."""
    deciding: list[Choosing] = field(default_factory=list)

    def chosen_by_others(self, seat: int, players: int) -> list[int]:
        """What other seats chose in this step, by seat; -1: nothing."""
        chosen = [-1] * players
        for choosing in self.deciding:
            if choosing.seat != seat:
                chosen[choosing.seat] = choosing.action
        return chosen


def walk(match: Match) -> list[Step]:
    """The steps of a match; the first is its start. What followed by itself belongs to the step
    before it.
    """
    position = match.at(0).position
    steps = [Step(0, position)]
    owing = 0  # seats that owed a decision when the step began, and still do
    numbers = [0] * match.players
    for at, entry in enumerate(match.history):
        before, position = position, position.copy()
        if entry.seat < 0:
            position.happen(entry.outcome)
        else:
            position.play(entry.seat, entry.action)
            choices = len(before.legal(entry.seat))
            if choices > 1:
                number = numbers[entry.seat]
                choosing = Choosing(at, entry.seat, number, entry.action, before, choices)
                if not owing >> entry.seat & 1:
                    steps.append(Step(at, before))
                    owing = entry.pending
                steps[-1].deciding.append(choosing)
            owing &= ~(1 << entry.seat)
            numbers[entry.seat] += 1
            if position.mask & owing != owing:
                owing = 0
        steps[-1].at, steps[-1].position = at + 1, position
    return steps

"""What the end of a game is worth to a seat, for learners.

A reward is a rule of the finished game's totals, the winners' mask, the number of players and the
seat. Anybody's rule of this kind will do where a name does.
"""

from __future__ import annotations

from collections.abc import Callable

from pelagos.engine.errors import PelagosError, short, text
from pelagos.engine.rule import rule
from pelagos.engine.types import Array

Reward = Callable[[Array, int, int, int], float]


@rule
def win(totals: Array, won: int, players: int, seat: int) -> float:
    """The share of the win: 1 for a sole winner, the sum over all seats 0; alone, the points."""
    if players == 1:
        return float(totals[seat])
    sharing = 0
    for other in range(players):
        sharing += (won >> other) & 1
    share = ((won >> seat) & 1) * players / sharing
    return (share - 1.0) / (players - 1)


@rule
def margin(totals: Array, won: int, players: int, seat: int) -> float:
    """Points more than the others have on average: the sum over all seats is 0."""
    if players == 1:
        return float(totals[seat])
    others = 0
    for other in range(players):
        if other != seat:
            others += int(totals[other])
    return int(totals[seat]) - others / (players - 1)


@rule
def score(totals: Array, won: int, players: int, seat: int) -> float:
    """The seat's points."""
    return float(totals[seat])


REWARDS: dict[str, Reward] = {"win": win, "margin": margin, "score": score}


def find_reward(reward: str | Reward) -> Reward:
    """The rule of this name; a rule is itself."""
    if callable(reward):
        return reward
    if reward not in REWARDS:
        raise PelagosError(text("refuse.reward", reward=short(reward), known=", ".join(REWARDS)))
    return REWARDS[reward]

"""What the end of a game is worth: `win`, `margin`, `score`, or anybody's function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from pelagos.engine.errors import PelagosError, short, text

Rewards: TypeAlias = Callable[[list[int], list[int]], Sequence[float]]
"""From all seats' points and the winners' seats to all seats' rewards."""


def win(points: list[int], winners: list[int]) -> list[float]:
    """The share of the win, from -1 to 1; all together 0."""
    if len(points) == 1:
        return score(points, winners)
    share = len(points) / len(winners)
    return [
        ((share if seat in winners else 0.0) - 1) / (len(points) - 1) for seat in range(len(points))
    ]


def margin(points: list[int], winners: list[int]) -> list[float]:
    """How many points more than the others' mean; all together 0."""
    if len(points) == 1:
        return score(points, winners)
    total = sum(points)
    return [own - (total - own) / (len(points) - 1) for own in points]


def score(points: list[int], winners: list[int]) -> list[float]:
    """The points themselves; what everybody gets who plays alone."""
    return [float(own) for own in points]


NAMED: dict[str, Rewards] = {"win": win, "margin": margin, "score": score}


def find_rewards(rewards: str | Rewards) -> Rewards:
    """The function of this name, or the function itself."""
    if callable(rewards):
        return rewards
    if rewards not in NAMED:
        known = ", ".join(NAMED)
        raise PelagosError(text("envs/refuse.rewards", known=known, value=short(rewards)))
    return NAMED[rewards]

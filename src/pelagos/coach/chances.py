"""Shares of play-outs as chances: play-outs are a little too sure of themselves, or too unsure.

How much so is measured (`bench/coach.py fit`) and lies as two numbers in the game's `coach.toml`:
a part `mix` of the chances is shared out equally, and all are raised to the power `power` and made
to add up again. A game without the file keeps its shares.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from pelagos.engine.game import Game


class Calibration(NamedTuple):
    """How a game's shares become chances."""

    power: float = 1.0
    mix: float = 0.0

    def apply(self, shares: Sequence[float]) -> list[float]:
        """The chances of all seats from their shares of play-outs."""
        players, total = len(shares), sum(shares)
        if players == 1 or total <= 0:
            return list(shares)
        mixed = [(1 - self.mix) * share / total + self.mix / players for share in shares]
        raised = [float(share**self.power) for share in mixed]
        whole = sum(raised)
        return [share / whole for share in raised]

    def slope(self, share: float, chance: float) -> float:
        """By how much a chance moves with its share, about."""
        room = share * (1 - share)
        return self.power * chance * (1 - chance) / room if room > 0 else self.power


@cache
def calibration_of(game: Game) -> Calibration:
    """A game's own calibration."""
    file = files(game.package) / "coach.toml"
    return Calibration(**tomllib.loads(file.read_text())) if file.is_file() else Calibration()

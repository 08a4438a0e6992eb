"""What a decision may cost."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from pelagos.engine.errors import PelagosError, short, text


class BadBudget(PelagosError):
    """A budget that can't be read."""


@dataclass(frozen=True)
class Budget:
    """What a decision may cost: milliseconds on the clock, or simulations, which repeat exactly."""

    milliseconds: float | None = None
    simulations: int | None = None
    stop: Callable[[], bool] | None = field(default=None, compare=False, repr=False)
    """Asked now and then by whoever thinks long: is somebody else waiting?"""

    def __post_init__(self) -> None:
        """Refuse a budget without a limit, and a limit without a sense."""
        if self.milliseconds is None and self.simulations is None:
            raise BadBudget(text("bots/refuse.budget_empty"))
        if self.milliseconds is not None and not 0 < self.milliseconds < float("inf"):
            raise BadBudget(text("bots/refuse.budget_milliseconds", number=repr(self.milliseconds)))
        if self.simulations is not None and self.simulations < 1:
            raise BadBudget(text("bots/refuse.budget_simulations", number=repr(self.simulations)))

    @classmethod
    def parse(cls, words: str) -> Budget:
        """A budget from words: `50ms`, `2s` or `1000sims`."""
        match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(ms|s|sims?)", str(words).strip().lower())
        if match is None:
            raise BadBudget(text("bots/refuse.budget_words", words=short(words)))
        number, unit = match.groups()
        if unit.startswith("sim"):
            if "." in number:
                raise BadBudget(text("bots/refuse.budget_whole", words=short(words)))
            return cls(simulations=int(number))
        return cls(milliseconds=float(number) * (1000 if unit == "s" else 1))

    def __str__(self) -> str:
        if self.simulations is not None:
            return f"{self.simulations}sims"
        return f"{self.milliseconds:g}ms"


ONE_SIMULATION = Budget(simulations=1)
"""The least that a bot can be asked to think."""

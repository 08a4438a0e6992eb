"""Installed bots, found by name: the house's own, and those of other packages."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from pelagos.bots.bot import Bot
from pelagos.engine.errors import PelagosError, short, text
from pelagos.engine.rule import machine

GROUP = "pelagos.bots"
DISTRIBUTION = "pelagos"
"""The package as it is installed; its bots keep to their budgets by themselves."""
BUILT_IN = {
    "random": "pelagos.bots.random:Random",
    "greedy": "pelagos.bots.greedy:Greedy",
    "flat": "pelagos.bots.flat:Flat",
    "search": "pelagos.bots.search:Search",
    **machine.BOTS,
}
"""The house's own, wherever the package is installed or not, as the machine has them."""


class UnknownBot(PelagosError):
    """No installed bot has this name."""


@dataclass(frozen=True)
class Installed:
    """A bot that is installed here."""

    entry: EntryPoint
    trusted: bool
    """Does it come with the house, so that it may think in the house's own process?"""

    def make(self) -> Bot:
        """A fresh one, for one seat of one match; its code is loaded with the first."""
        bot: Bot = self.entry.load()()
        return bot


@cache
def installed() -> dict[str, Installed]:
    """Every installed bot by its name."""
    known = {
        name: Installed(EntryPoint(name, place, GROUP), trusted=True)
        for name, place in BUILT_IN.items()
    }
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        if entry.name not in BUILT_IN or not _is_ours(entry):
            known[entry.name] = Installed(entry, trusted=_is_ours(entry))
    return known


def _is_ours(entry: EntryPoint) -> bool:
    return entry.dist is not None and entry.dist.name == DISTRIBUTION


def bots() -> list[str]:
    """The names of all installed bots."""
    return list(installed())


def find_bot(name: str) -> Bot:
    """A fresh bot of this name, for one seat of one match."""
    return _find(name).make()


def is_trusted(name: str) -> bool:
    """Does the bot of this name come with the house?"""
    return _find(name).trusted


def _find(name: str) -> Installed:
    known = installed()
    if name not in known:
        raise UnknownBot(text("bots/refuse.no_bot", name=short(name), known=", ".join(known)))
    return known[name]

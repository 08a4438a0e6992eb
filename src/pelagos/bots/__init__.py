"""Players: one file each, from random to the strongest, found by name.

A bot is given one redealt position, its seat, a stream of its own and a budget, and returns an
action. What the seat can't know isn't in the position, so a bot can't cheat, not even by mistake.
`docs/bots.md` shows how to write one in ten lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import NamedTuple, Protocol, runtime_checkable

from pelagos.engine.errors import PelagosError
from pelagos.engine.position import Position
from pelagos.engine.stream import words_of
from pelagos.engine.types import Array

GROUP = "pelagos.bots"
BUILT_IN = {
    "random": "pelagos.bots.random:Random",
    "greedy": "pelagos.bots.greedy:Greedy",
    "flat": "pelagos.bots.flat:Flat",
    "search": "pelagos.bots.search:Search",
}
"""The house's own, for a checkout whose entry points aren't installed."""


class UnknownBot(PelagosError):
    """No installed bot has this name."""


class BadBudget(PelagosError):
    """A budget that can't be read."""


@dataclass(frozen=True)
class Budget:
    """What a decision may cost: milliseconds on the clock, or simulations, which repeat exactly."""

    milliseconds: float | None = None
    simulations: int | None = None

    def __post_init__(self) -> None:
        """Refuse a budget without a limit, and a limit without a sense."""
        if self.milliseconds is None and self.simulations is None:
            raise BadBudget("A budget needs milliseconds or simulations.")
        if self.milliseconds is not None and not 0 < self.milliseconds < float("inf"):
            raise BadBudget(f"A budget takes a number of milliseconds, not {self.milliseconds!r}.")
        if self.simulations is not None and self.simulations < 1:
            raise BadBudget(f"A budget takes at least one simulation, not {self.simulations!r}.")

    @classmethod
    def parse(cls, words: str) -> Budget:
        """A budget from words: `50ms`, `2s` or `1000sims`."""
        found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(ms|s|sims?)", words.strip().lower())
        if found is None:
            raise BadBudget(f"A budget is written 50ms, 2s or 1000sims, not {words!r}.")
        number, unit = found.groups()
        if unit.startswith("sim"):
            if "." in number:
                raise BadBudget(f"A budget takes whole simulations, not {words!r}.")
            return cls(simulations=int(number))
        return cls(milliseconds=float(number) * (1000 if unit == "s" else 1))

    def __str__(self) -> str:
        if self.simulations is not None:
            return f"{self.simulations}sims"
        return f"{self.milliseconds:g}ms"


class Thought(NamedTuple):
    """What a bot thinks of one legal action."""

    action: int
    value: float
    """The expected share of the win, from 0 to 1; for `greedy`, how good it looks."""
    visits: int
    """How many simulations say so."""
    points: float
    """The seat's expected final score."""


@runtime_checkable
class Bot(Protocol):
    """A player. One instance plays one seat of one match, and may remember what it thought."""

    name: str

    def choose(self, position: Position, seat: int, stream: Array, budget: Budget) -> int:
        """A legal action. The position is redealt for the seat, and the bot may change it."""
        ...


@runtime_checkable
class Thinker(Bot, Protocol):
    """A bot that can say what it thinks of every choice."""

    def explain(
        self, position: Position, seat: int, stream: Array, budget: Budget
    ) -> list[Thought]:
        """A thought on each legal action, the best first."""
        ...


@cache
def bots() -> dict[str, Callable[[], Bot]]:
    """Every installed bot by its name: calling it makes one for a seat of a match."""
    found: dict[str, Callable[[], Bot]] = {
        name: _load(*where.split(":")) for name, where in BUILT_IN.items()
    }
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        if BUILT_IN.get(entry.name) != entry.value:
            found[entry.name] = entry.load()
    return found


def _load(module: str, name: str) -> Callable[[], Bot]:
    def make() -> Bot:
        bot: Bot = getattr(import_module(module), name)()
        return bot

    return make


def find_bot(name: str) -> Bot:
    """A fresh bot of this name, for one seat of one match."""
    known = bots()
    if name not in known:
        raise UnknownBot(f"There is no bot {name!r}; installed are: {', '.join(known)}.")
    return known[name]()


def thoughts(
    bot: Bot, position: Position, seat: int, stream: Array, budget: Budget
) -> list[Thought]:
    """What the bot thinks of each legal action, the best first; empty if it can't say."""
    return bot.explain(position, seat, stream, budget) if isinstance(bot, Thinker) else []


def bot_stream(seed: bytes, seat: int, decision: int) -> Array:
    """The stream a bot draws from: its own for each match, seat and decision of that seat."""
    return words_of(b"bot/%d/%d/" % (seat, decision) + seed)


@dataclass(frozen=True)
class Creature:
    """A rung of the ladder: a name for people, and the bot and budget that stand behind it."""

    id: str
    names: Mapping[str, str]
    about: Mapping[str, str]
    bot: str
    budget: Budget

    def make(self) -> Bot:
        """A fresh bot, for one seat of one match."""
        return find_bot(self.bot)


LADDER = (
    Creature(
        "starfish",
        {"en": "Starfish", "fr": "Étoile de mer"},
        {
            "en": "Moves at random. Anyone who knows the rules beats it.",
            "fr": "Joue au hasard. Quiconque connaît les règles la bat.",
        },
        "random",
        Budget(simulations=1),
    ),
    Creature(
        "hermit",
        {"en": "Hermit crab", "fr": "Bernard-l'ermite"},
        {
            "en": "Takes what looks best now and looks no further. A fair first opponent.",
            "fr": "Prend ce qui paraît le mieux, sans regarder plus loin. Un honnête débutant.",
        },
        "greedy",
        Budget(simulations=1),
    ),
    Creature(
        "turtle",
        {"en": "Sea turtle", "fr": "Tortue marine"},
        {
            "en": "Plays three hundred games in its head for each move. Punishes careless moves.",
            "fr": "Joue trois cents parties dans sa tête à chaque coup. Punit les coups distraits.",
        },
        "flat",
        Budget(simulations=300),
    ),
    Creature(
        "dolphin",
        {"en": "Dolphin", "fr": "Dauphin"},
        {
            "en": "Plans ahead for a twentieth of a second a move. Hard to beat.",
            "fr": "Réfléchit un vingtième de seconde par coup. Difficile à battre.",
        },
        "search",
        Budget(milliseconds=50),
    ),
    Creature(
        "orca",
        {"en": "Orca", "fr": "Orque"},
        {
            "en": "Plans ahead for a whole second a move. The strongest we have.",
            "fr": "Réfléchit une seconde entière par coup. La plus forte que nous ayons.",
        },
        "search",
        Budget(milliseconds=1000),
    ),
)
"""From a child's first opponent to the strongest."""

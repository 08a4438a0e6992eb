"""The ladder: creatures that people play against, from a child's first opponent to the strongest.

No card, species or part of any game has a creature's name (a test looks at all games' words).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from pelagos.bots.budget import ONE_SIMULATION, Budget
from pelagos.bots.registry import UnknownBot
from pelagos.engine.errors import short, text
from pelagos.engine.game import Game
from pelagos.engine.words import words_of

MEASURED = "ladder.json"
"""In a game's folder, if it was measured: what a beginner scores against each creature."""


@dataclass(frozen=True)
class Creature:
    """A rung of the ladder: a name for people, and the bot and budget that stand behind it."""

    id: str
    names: Mapping[str, str]
    about: Mapping[str, str]
    bot: str
    budget: Budget
    former_id: str = ""
    """By which logs and programs from before may still call it."""
    former_name: str = ""
    """The English name that stands in their logs."""

    def name_of(self, seat_name: str, language: str) -> str:
        """A seat's name in a reader's language: the creature's, and its number if it has one."""
        for name in filter(None, (self.names["en"], self.former_name)):
            number = seat_name.removeprefix(name)
            if number != seat_name:
                return self.names[language] + number
        return self.names[language]


LADDER = (
    Creature(
        "winkle",
        {"en": "Winkle", "fr": "Bigorneau"},
        {
            "en": "Moves at random. Anyone who knows the rules beats it.",
            "fr": "Joue au hasard. Quiconque connaît les règles le bat.",
        },
        "random",
        ONE_SIMULATION,
        former_id="starfish",
        former_name="Starfish",
    ),
    Creature(
        "puffin",
        {"en": "Puffin", "fr": "Macareux"},
        {
            "en": "Takes what looks best now and looks no further. A fair first opponent.",
            "fr": "Prend ce qui paraît le mieux, sans regarder plus loin. Un honnête débutant.",
        },
        "greedy",
        ONE_SIMULATION,
        former_id="hermit",
        former_name="Hermit crab",
    ),
    Creature(
        "otter",
        {"en": "Otter", "fr": "Loutre"},
        {
            "en": "Plays three hundred games in its head for each move. Punishes careless moves.",
            "fr": "Joue trois cents parties dans sa tête à chaque coup. Punit les coups distraits.",
        },
        "flat",
        Budget(simulations=300),
        former_id="turtle",
        former_name="Sea turtle",
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
        "swordfish",
        {"en": "Swordfish", "fr": "Espadon"},
        {
            "en": "Answers at once, by what a network has learnt from playing itself. With a pack "
            "of your own, the puffin plays for it.",
            "fr": "Répond aussitôt, par ce qu'un réseau a appris en jouant contre lui-même. Avec "
            "votre propre paquet, le macareux joue pour lui.",
        },
        "learned",
        ONE_SIMULATION,
    ),
    Creature(
        "orca",
        {"en": "Orca", "fr": "Orque"},
        {
            "en": "Plans ahead for a whole second a move. Very hard to beat.",
            "fr": "Réfléchit une seconde entière par coup. Très difficile à battre.",
        },
        "search",
        Budget(milliseconds=1000),
    ),
    Creature(
        "albatross",
        {"en": "Albatross", "fr": "Albatros"},
        {
            "en": "Looks a few moves ahead with the swordfish's network, a twentieth of a second a "
            "move. With a pack of your own, it plans like the dolphin.",
            "fr": "Voit quelques coups plus loin avec le réseau de l'espadon, un vingtième de "
            "seconde par coup. Avec votre propre paquet, il réfléchit comme le dauphin.",
        },
        "planner",
        Budget(milliseconds=50),
    ),
)
"""From a child's first opponent to the strongest."""
FIRST = LADDER[1]
"""Whoever hasn't chosen an opponent yet plays against the weakest that thinks."""
USUAL = LADDER[2]
"""Of the daily deal, whose totals people compare; and who decides for people that are away."""


ADVISER = LADDER[5]
"""Whoever gives hints: of those that count games to their end, the strongest."""


def find_creature(name: str) -> Creature:
    """The creature with this id, or with this former one."""
    for creature in LADDER:
        if name and name in (creature.id, creature.former_id):
            return creature
    known = ", ".join(creature.id for creature in LADDER)
    raise UnknownBot(text("bots/refuse.no_creature", name=short(name), known=known))


def told_against(game: Game, creature: Creature, language: str) -> str:
    """What a beginner scores against a creature in a game, in a sentence; empty if nobody knows.

    `tools/measure_ladder.py` measures it.
    """
    measured = _measured(game)
    if creature.id not in measured.get("against", {}):
        return ""
    ends = measured["against"][creature.id]
    params = {
        "players": measured["players"],
        "beginner": round(ends["beginner"]),
        "creature": round(ends["creature"]),
    }
    return words_of("bots", language).text("ladder.measured", params)


@cache
def _measured(game: Game) -> dict[str, Any]:
    file = files(game.package) / MEASURED
    measured: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    return measured

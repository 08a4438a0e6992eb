"""Oceanos' actions: each number means the same in every state."""

from __future__ import annotations

from pelagos.engine.actions import Actions, Verb
from pelagos.games.oceanos.state import CARDS, PARTS

CARD_NUMBERS = range(1, CARDS + 1)

ACTIONS = Actions(
    Verb("pass"),
    Verb("done"),
    Verb("dive"),
    Verb("upgrade", part=PARTS),
    Verb("keep", card=CARD_NUMBERS),
    Verb("fuel", card=CARD_NUMBERS),
    Verb("under", card=CARD_NUMBERS),
)

PASS, DONE, DIVE, UPGRADES = ACTIONS.firsts("pass", "done", "dive", "upgrade")
"""For rules: an upgrade is its part further on."""
KEEPS, FUELS, UNDERS = (first - 1 for first in ACTIONS.firsts("keep", "fuel", "under"))
"""What is done with a card is its number further on, and the first card's number is 1."""

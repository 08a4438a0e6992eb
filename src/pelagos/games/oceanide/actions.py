"""Océanide's actions: what a player may do, each with its number."""

from __future__ import annotations

from pelagos.engine.actions import Actions, Verb
from pelagos.games.oceanide.state import OBJECTS, SEATS

PAIRS = tuple((first, second) for first in range(OBJECTS) for second in range(first + 1, OBJECTS))
"""Every two different objects, in the pack's order."""

ACTIONS = Actions(
    Verb("end"),
    Verb("king"),
    Verb("allow"),
    Verb("complete", object=OBJECTS),
    Verb("trade", seat=SEATS, object=OBJECTS),
    Verb("steal", seat=SEATS, object=OBJECTS),
    Verb("take_none"),
    Verb("take_hand"),
    Verb("take_one", object=OBJECTS),
    Verb("take_two", objects=PAIRS),
)

END, ANSWER_KING, ALLOW = ACTIONS.firsts("end", "king", "allow")
COMPLETES, TRADES, STEALS = ACTIONS.firsts("complete", "trade", "steal")
TAKE_NONE, TAKE_HAND, TAKE_ONES, TAKE_PAIRS = ACTIONS.firsts(
    "take_none", "take_hand", "take_one", "take_two"
)
"""The first action of each verb, for the rules."""

"""What a seat may do. An action means the same in every state."""

from __future__ import annotations

from pelagos.engine.actions import Actions, Verb
from pelagos.games.ecosystem.frame import FRAME, NEIGHBOUR_PAIRS, REEF_CELLS
from pelagos.games.ecosystem.state import SPECIES

ACTIONS = Actions(
    Verb("pass"),
    Verb("take", species=SPECIES),
    Verb("give", species=SPECIES),
    Verb("place", cell=FRAME),
    Verb("drop", cell=FRAME),
    Verb("lift", cell=REEF_CELLS),
    Verb("flip", whale_and_card=NEIGHBOUR_PAIRS),
    Verb("tim", whale_and_card=NEIGHBOUR_PAIRS),
)

PASS, TAKES, GIVES, PLACES, DROPS, LIFTS, FLIPS, TIM_FLIPS = ACTIONS.firsts(
    "pass", "take", "give", "place", "drop", "lift", "flip", "tim"
)

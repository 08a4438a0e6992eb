"""Ozeanien's actions. An action means the same in every state and on every board."""

from __future__ import annotations

from pelagos.engine.actions import Actions, Verb
from pelagos.games.ozeanien.state import CELLS, CIRCLES, EDGES, KINDS, TURNS, VALUES

ACTIONS = Actions(
    Verb("pass"),
    Verb("draw"),
    Verb("ship", start=CIRCLES + CELLS),  # a circle, or a cell after the circles
    Verb("reuse", kind=KINDS, value=range(1, VALUES + 1)),
    Verb("lay", cell=CELLS, turn=TURNS),
    Verb("explorer", value=range(1, VALUES + 1), part=("", *EDGES)),  # a strait's part by its side
)
PASS, DRAWS, SHIPS, REUSES, LAYS, EXPLORERS = ACTIONS.firsts(*ACTIONS.verbs)
PARTS = len(ACTIONS.verbs["explorer"].parameters["part"])

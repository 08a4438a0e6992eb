"""What a seat may do. An action means the same in every state."""

from __future__ import annotations

from minnows.state import CARDS, SEATS
from pelagos.engine.actions import Actions, Verb

ACTIONS = Actions(
    Verb("pass"),
    Verb("hide"),
    Verb("allow"),
    Verb("bid", card=CARDS),
    Verb("rob", seat=SEATS),
)

PASS, HIDE, ALLOW, BIDS, ROBS = ACTIONS.firsts("pass", "hide", "allow", "bid", "rob")

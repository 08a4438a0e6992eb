"""How fast other game engines play at random, on one core.

Every row is random play of whole games, uniform over the legal actions, timed
by CPU time. Warm-up and compilation are left out. One choice by one player is
one decision: a round in which four players choose at once is four decisions, a
forced choice that the engine still asks for is one, and a chance step is none.

Where a peer offers two ways to do the same thing, the faster one is taken.

Run it in an environment of its own, made from ``peers.txt``::

    python bench/peers.py --seconds 2 --json peers.json --only openspiel,pgx
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module, metadata
from itertools import cycle
from pathlib import Path
from typing import Any

WARM_UP_SECONDS = 0.3

# Plays some games and returns how many decisions they took. The C++ loops
# return games times the mean length of a game, so it may be a fraction.
Play = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement, or the plain reason why there is none."""

    peer: str
    game: str
    how: str
    decisions: int
    seconds: float
    decisions_per_second: float
    reason: str | None = None


def measured(peer: str, game: str, how: str, prepare: Callable[[], Play], seconds: float) -> Row:
    """Prepare a game, warm it up, play it for some CPU seconds and report."""
    try:
        play = prepare()
        timed(play, WARM_UP_SECONDS)
        decisions, elapsed = timed(play, seconds)
    except Exception as error:  # A broken peer must not stop the other peers.
        return failed(peer, game, how, error)
    return Row(peer, game, how, round(decisions), elapsed, decisions / elapsed)


def timed(play: Play, seconds: float) -> tuple[float, float]:
    """Play until some CPU seconds are over; return decisions and CPU seconds."""
    decisions = 0.0
    start = time.process_time()
    while True:
        decisions += play()
        elapsed = time.process_time() - start
        if elapsed >= seconds:
            return decisions, elapsed


def failed(peer: str, game: str, how: str, error: Exception) -> Row:
    """Return a row that says why there is no measurement."""
    return Row(peer, game, how, 0, 0.0, 0.0, f"{type(error).__name__}: {error}")


def pick[Item](items: Sequence[Item]) -> Item:
    """Return one item, uniformly; quicker than ``random.choice``."""
    return items[int(random.random() * len(items))]

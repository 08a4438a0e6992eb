"""Other worlds that a viewer can't tell from the true one."""

from __future__ import annotations

import random

from pelagos.engine import match as engine
from pelagos.engine.match import Match
from pelagos.engine.stream import words_of
from pelagos.engine.types import HIDDEN
from pelagos.tables.table import Table


def hidden_from(match: Match, viewer: int) -> int:
    """Where the history's part begins in which others' choices are hidden from the viewer."""
    place = len(match.history)
    while place and match.history[place - 1].news == HIDDEN:
        place -= 1
    return place


def another(table: Table, viewer: int, name: str) -> Table | None:
    """The same table in another world: redealt, others' unrevealed choices replaced by
    as many others.
    """
    other = table.copy()
    match, true = other.match, table.match
    assert match is not None
    assert true is not None
    choices = random.Random(name)
    match.position = true.position.redeal(viewer, words_of(name.encode()))
    first = hidden_from(true, viewer)
    hidden = true.history[first:]
    replaced: dict[int, list[engine.Entry]] = {}
    for seat in [seat for seat in match.pending if seat not in true.pending]:
        match.history = []
        while seat in match.pending:
            if match.move(seat, choices.choice(match.legal(seat))):
                return None
            if match.history[-1].news != HIDDEN:
                return None
        if len(match.history) != sum(entry.seat == seat for entry in hidden):
            return None
        replaced[seat] = match.history
    match.history = true.history[:first]
    for place, entry in enumerate(hidden, first):
        if entry.seat == viewer:
            match.history.append(entry)
        elif all(later.seat != entry.seat for later in true.history[place + 1 :]):
            chosen = replaced.get(entry.seat, [])
            match.history += [move._replace(pending=entry.pending) for move in chosen]
    return other if match.pending == true.pending else None

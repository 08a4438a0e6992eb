"""The score pad: one line a player, the catch and after a slash the reeds left in the hand.

Ada: pike roach roach / reed
Ben: minnow
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minnows import GAME
from minnows.scoring import evidence, sheet
from minnows.state import CARDS, OVER, REED, SEATS
from pelagos.engine.arrays import new_states, numbers, record_of
from pelagos.engine.errors import BadTableau, short
from pelagos.engine.pack import Pack
from pelagos.engine.pad import Pad
from pelagos.engine.view import make_sheet, text

LONGEST_NAME = 40


def score(source: str, pack: Pack) -> Pad:
    """Sheets with evidence for the players in the text."""
    data = record_of(pack.data)
    game: Any = record_of(new_states(GAME, 1))
    game.phase = OVER
    names: list[str] = []
    for number, raw in enumerate(source.removeprefix("\ufeff").splitlines(), 1):
        line = raw.partition("#")[0].strip()
        if not line:
            continue
        name, colon, cards = (part.strip() for part in line.partition(":"))
        if not colon or not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
            raise BadTableau(text("minnows/refuse.line", line=number))
        if len(names) == SEATS:
            raise BadTableau(text("minnows/refuse.players", line=number, most=SEATS))
        caught, _, held = cards.partition("/")
        _count(game.catches[len(names)], caught, CARDS, number, data)
        _count(game.hands[len(names)], held, (CARDS[REED],), number, data)
        names.append(name)
    if not names:
        raise BadTableau(text("minnows/refuse.empty"))
    game.players = len(names)
    points = numbers((len(names), len(GAME.lines)))
    for seat in range(len(names)):
        sheet(game, data, seat, points[seat])
    sheets = [
        make_sheet(seat, GAME.lines, lines, evidence(game, data, seat, lines))
        for seat, lines in enumerate(points.tolist())
    ]
    return Pad(names, sheets, [])


def _count(counts: Any, words: str, allowed: Sequence[str], number: int, pack: Any) -> None:
    """Count a line's cards by kind."""
    for word in words.split():
        if word not in allowed:
            takes = {"line": number, "word": short(word), "cards": ", ".join(allowed)}
            raise BadTableau(text("minnows/refuse.word", **takes))
        kind = CARDS.index(word)
        if int(counts[kind]) == int(pack.counts[kind]):
            most = {"line": number, "most": int(pack.counts[kind]), "card": word}
            raise BadTableau(text("minnows/refuse.too_many", **most))
        counts[kind] += 1

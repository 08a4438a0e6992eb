"""The score pad's page: a spot for each object's sets, and one for each in the showcase."""

from __future__ import annotations

from pelagos.engine.arrays import record_of
from pelagos.engine.pack import Pack
from pelagos.engine.pad import Board, Counter, Desk, Pad, Spot
from pelagos.engine.types import Record
from pelagos.engine.view import text
from pelagos.games.oceanide.cards import ids
from pelagos.games.oceanide.state import COPIES, OBJECTS, SEATS, SET, THIEF
from pelagos.games.oceanide.tableau import Cabinet, Table, TypedSet

PLAYERS = range(1, SEATS + 1)
COLUMNS = 7
SETS, SHOWCASE = "set.", "show."
MOST_SETS = COPIES // SET
"""Sets of one object that its cards make."""


def first_spot(table: Table, seat: int) -> str:
    """Objects are tapped themselves: none is chosen first."""
    return ""


def press(table: Table, pack: Pack, seat: int, at: str, key: str) -> str:
    """One set more, or none again; into the showcase, or out of it; count cards."""
    cabinet = table.players[seat]
    data = record_of(pack.data)
    if key[-1] in "+-":
        name, change = key[:-1], 1 if key.endswith("+") else -1
        most = _counted(cabinet, data)[name][1]
        cabinet.counts[name] = min(max(cabinet.counts.get(name, 0) + change, 0), most)
        return at
    part, card = key.partition(".")[::2]
    kind = ids(data).index(card)
    if f"{part}." == SHOWCASE:
        shown = set(cabinet.shown) ^ {kind}
        cabinet.shown = sorted(shown)
        cabinet.names = [ids(data)[shown_kind] for shown_kind in cabinet.shown]
        cabinet.counts["showcase"] = len(shown)
        return at
    others = sum(
        typed.kind == kind
        for player in table.players
        if player is not cabinet
        for typed in player.sets
    )
    own = [typed for typed in cabinet.sets if typed.kind == kind]
    if len(own) + others < MOST_SETS:
        cabinet.sets.append(TypedSet(0, kind, int(data.values[kind]), card))
    else:
        cabinet.sets = [typed for typed in cabinet.sets if typed.kind != kind]
    cabinet.counts["sets"] = len(cabinet.sets)
    return at


def _counted(cabinet: Cabinet, pack: Record) -> dict[str, tuple[int, int]]:
    """How many cards are counted, and the most there may be."""
    hand = int(pack.total) - OBJECTS
    thieves = int(pack.copies[THIEF])
    counts = cabinet.counts
    return {"hand": (counts.get("hand", 0), hand), "thieves": (counts.get("thieves", 0), thieves)}


def desk(table: Table, pack: Pack, seat: int, at: str, counted: Pad) -> Desk:
    """What lies on the page for one player."""
    cabinet, data = table.players[seat], record_of(pack.data)
    sets, shown = [], []
    for kind, card in enumerate(ids(data)[:OBJECTS]):
        count, value = sum(typed.kind == kind for typed in cabinet.sets), int(data.values[kind])
        noun = {"noun": card}
        label = text("pad.set", card=noun, value=value, count=count)
        badge = f"{count}\u202f×\u202f{value}" if count else str(value)
        sets.append(Spot(f"{SETS}{card}", label, [card], "is-on" if count else "off", badge))
        is_shown = kind in cabinet.shown
        label = text("pad.shown" if is_shown else "pad.unshown", card=noun)
        look = "is-on" if is_shown else "off"
        shown.append(Spot(f"{SHOWCASE}{card}", label, [card], look, pieces=card))
    boards = [
        Board(text("pad.sets"), COLUMNS, sets, "objects", headed=True),
        Board(text("pad.showcase"), COLUMNS, shown, "objects", headed=True),
    ]
    counters = [
        Counter(name, text(f"pad.{name}"), value, 0, most, art)
        for (name, (value, most)), art in zip(
            _counted(cabinet, data).items(), ("back", "thief"), strict=True
        )
    ]
    return Desk(text("pad.prompt"), boards, (), counters)

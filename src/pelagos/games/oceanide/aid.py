"""Océanide's aid: what objects, thieves and kings are worth, and what would make a set."""

from __future__ import annotations

from pelagos.engine.aid import Group, Help, Inquiry, Named, Worth, by_evidence, help_by, worth
from pelagos.engine.types import Record
from pelagos.engine.view import Text, text
from pelagos.games.oceanide.cards import SPECIAL, ids
from pelagos.games.oceanide.invariant import is_shown, receive
from pelagos.games.oceanide.rules import complete
from pelagos.games.oceanide.state import (
    HAND_POINTS,
    HAND_TO_DRAW_FROM,
    OBJECTS,
    OVER,
    SET,
    SHOWCASE_POINTS,
    THIEF,
    THIEF_POINTS,
)
from pelagos.games.oceanide.why import why_not

LINE_OF_PLACE = {"showcase": ("showcase", SHOWCASE_POINTS), "hand": ("hand", HAND_POINTS)}
"""The line and the points of each card that lies there."""


def things(pack: Record) -> list[Group]:
    """The sheet of all."""
    names = ids(pack)
    return [
        {"name": text("aid.objects"), "things": list(names[:OBJECTS])},
        {"name": text("aid.specials"), "things": list(SPECIAL)},
    ]


def kind(inquiry: Inquiry) -> Named | None:
    """An object's value, or that it is none."""
    if inquiry.face in SPECIAL:
        return text("aid.special")
    if inquiry.face:
        return text("aid.value", value=_value(inquiry))
    return None


def rule(inquiry: Inquiry) -> Text | None:
    """What a card, a line or a place is for."""
    if inquiry.line:
        points = {"showcase": SHOWCASE_POINTS, "hand": HAND_POINTS, "thieves": THIEF_POINTS}
        return text(f"aid.sheet.{inquiry.line}", need=SET, points=points.get(inquiry.line, 0))
    if inquiry.face in SPECIAL:
        return text(f"aid.rule.{inquiry.face}", points=THIEF_POINTS)
    if inquiry.face:
        return text("aid.rule.object", need=SET, value=_value(inquiry), points=SHOWCASE_POINTS)
    place = "" if inquiry.place is None else inquiry.place["key"].rstrip("0123456789")
    return text(f"aid.place.{place}", need=HAND_TO_DRAW_FROM) if place else None


def now(inquiry: Inquiry) -> list[Worth] | None:
    """A card counts by where it lies; a set by its value."""
    piece, place = inquiry.piece, inquiry.place
    if inquiry.line:
        return by_evidence(inquiry)
    if piece is None or place is None or place["seat"] is None or not inquiry.face:
        return []
    lies = place["key"].rstrip("0123456789")
    if lies in LINE_OF_PLACE:
        line, each = LINE_OF_PLACE[lies]
        reason = text(f"reason.{line}", count=piece["count"])
        return [worth(each * piece["count"], reason, line, place["seat"])]
    return by_evidence(inquiry)


def more(inquiry: Inquiry) -> list[Help] | None:
    """By trying: the set completed, with the cards that it still needs."""
    seat, game = inquiry.viewer, inquiry.game
    if seat < 0 or int(game.phase) == OVER:
        return []
    names = ids(inquiry.pack)
    if inquiry.face == names[THIEF]:
        return _thefts(inquiry, seat) if _is_own_hand(inquiry) else []
    if inquiry.face in SPECIAL:
        return []
    if inquiry.face:
        return _set_of(inquiry, seat, names.index(inquiry.face))
    if inquiry.line == "sets" and inquiry.owner == seat:
        helps = (_set_of(inquiry, seat, kind, named=True) for kind in range(OBJECTS))
        owned = game.own[seat].tolist()
        return [
            improvement
            for kind, of_kind in enumerate(helps)
            for improvement in of_kind
            if owned[kind] >= SET - 1
        ]
    return []


def why(inquiry: Inquiry) -> Text | None:
    """Which condition fails; many reasons come with the view."""
    place = inquiry.place
    reasons = inquiry.view["why"]
    if not inquiry.asked or place is None or any(key in reasons for key in inquiry.reason_keys()):
        return None
    return why_not(inquiry.game, inquiry.viewer, place["key"], place["seat"], inquiry.face)


# --- trying ---------------------------------------------------------------------------------------


def _value(inquiry: Inquiry) -> int:
    return int(inquiry.pack.values[ids(inquiry.pack).index(inquiry.face)])


def _is_own_hand(inquiry: Inquiry) -> bool:
    return inquiry.place is not None and inquiry.place["key"] == f"hand{inquiry.viewer}"


def _gain(inquiry: Inquiry, seat: int, kind: int, missing: int) -> int:
    """What the seat would have more, had it got the missing cards and completed the set."""
    tried = inquiry.seen.copy()
    for _ in range(missing):
        receive(tried.record, seat, kind)
    complete(tried.record, seat, kind)
    return sum(tried.points(seat)) - sum(inquiry.seen.points(seat))


def _set_of(inquiry: Inquiry, seat: int, kind: int, named: bool = False) -> list[Help]:
    """The set of an object, and in which showcases its missing cards are seen."""
    card = ids(inquiry.pack)[kind]
    missing = max(0, SET - int(inquiry.game.own[seat, kind]))
    points = _gain(inquiry, seat, kind, missing)
    if points <= 0:
        return []
    reason = text("aid.set_with", count=missing) if missing else text("aid.set_now")
    pieces = _shown_by_others(inquiry, kind) if missing else [f"showcase{seat}.{card}"]
    return [help_by(points, reason, faces=[card] if named else [], pieces=pieces)]


def _shown_by_others(inquiry: Inquiry, kind: int) -> list[str]:
    """Where others show an object."""
    card = ids(inquiry.pack)[kind]
    return [
        f"showcase{seat}.{card}"
        for seat in range(int(inquiry.game.players))
        if seat != inquiry.viewer and is_shown(inquiry.game, seat, kind)
    ]


def _thefts(inquiry: Inquiry, seat: int) -> list[Help]:
    """What a thief would bring most by: the last card of a set."""
    names, helps = ids(inquiry.pack), []
    for kind in range(OBJECTS):
        shown = _shown_by_others(inquiry, kind)
        if shown and int(inquiry.game.own[seat, kind]) == SET - 1:
            points = _gain(inquiry, seat, kind, 1)
            helps.append(help_by(points, text("aid.theft"), faces=[names[kind]], pieces=shown))
    return helps

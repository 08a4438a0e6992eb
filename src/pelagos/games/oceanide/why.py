"""Why a card can't be chosen: which condition of the rules fails for it."""

from __future__ import annotations

from typing import Any

from pelagos.engine.types import Record
from pelagos.engine.view import Text, text
from pelagos.games.oceanide.cards import SPECIAL
from pelagos.games.oceanide.rules import is_asked
from pelagos.games.oceanide.state import TAKE


def why_not(game: Record, seat: int, place: str, owner: int | None, face: str) -> Text:
    """Why the seat, which owes a decision, can't choose what lies at a place of this owner."""
    active: dict[str, Any] = {"seat": int(game.active)}
    if is_asked(game):
        return text("why.answer_first", player=active)
    if int(game.phase) == TAKE and owner != int(game.target):
        return text("why.take_first", player={"seat": int(game.target)})
    if place in ("deck", "discard", "played"):
        return text(f"why.{place}")
    if place.startswith("collection"):
        return text("why.collection")
    if place.startswith("hand"):
        if owner != seat:
            return text("why.other_hand")
        return text(f"why.{face}" if face in SPECIAL else "why.hand_object")
    return text("why.not_yours" if owner != seat else "why.nothing_owned")

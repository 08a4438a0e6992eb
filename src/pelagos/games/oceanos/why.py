"""Why a card or a part can't be chosen: which condition of the rules fails for it."""

from __future__ import annotations

from pelagos.engine.types import Record
from pelagos.engine.view import Text, text
from pelagos.games.oceanos.state import (
    OWES_CARD,
    OWES_DIVE,
    OWES_EXTRA,
    OWES_UNDER,
    OWES_UPGRADE,
    PARTS,
)

FIRST = {
    OWES_CARD: "why.keep_first",
    OWES_EXTRA: "why.extra_first",
    OWES_DIVE: "why.dive_first",
    OWES_UPGRADE: "why.upgrade_first",
    OWES_UNDER: "why.under_first",
}
"""What a seat that owes something has to decide first."""
ABOARD = {"fuel": "why.fuel", "diver": "why.diver_aboard"}


def why_not(game: Record, seat: int, place: str, owner: int | None, face: str) -> Text:
    """Why the seat, which owes a decision, can't choose what lies at a place of this owner."""
    if place in ("deck", "discards"):
        return text(f"why.{place}")
    if owner != seat:
        return text("why.not_yours")
    owes = int(game.stage[seat])
    if place.startswith("boat"):
        if face in PARTS:
            return text("why.no_base")
        return text(ABOARD.get(face, "why.crystal"))
    if place == "kept":
        return text("why.kept_down")
    if place.startswith("rows"):
        return text("why.laid" if face else "why.row")
    return text(FIRST[owes])

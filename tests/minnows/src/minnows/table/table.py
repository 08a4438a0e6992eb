"""The pond: what a message says of it, sorted for the templates."""

from __future__ import annotations

from typing import Any

DRAWS = ("others",)
SOUNDS = {"catch": "lay", "rob": "theft"}


def make(drawing: Any) -> dict[str, Any]:
    """The card in the middle, the viewer's own cards, how many lie elsewhere."""
    seat = max(drawing.own_first[0], 0)
    offer = drawing.pieces_in("middle")
    return {
        "seat": seat,
        "offer": offer[0] if offer else None,
        "hand": drawing.pieces_in(f"hand{seat}"),
        "discarded": sum(piece["count"] for piece in drawing.pieces_in("discards")),
    }

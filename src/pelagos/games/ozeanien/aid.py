"""Ozeanien's aid: what tiles, explorers and islands are worth, and where they would grow."""

from __future__ import annotations

from pelagos.engine.aid import Group, Help, Inquiry, Named, Worth, by_evidence, help_by, worth
from pelagos.engine.types import Record
from pelagos.engine.view import Choice, Text, text
from pelagos.games.ozeanien.notation import cell_name
from pelagos.games.ozeanien.rules import beyond, unexplored
from pelagos.games.ozeanien.scoring import (
    DISCARD_POINTS,
    UNEXPLORED_POINTS,
    Island,
    cells_of,
    coast,
    far_parts,
    islands,
)
from pelagos.games.ozeanien.state import CLASSES, SIDES, VALUES
from pelagos.games.ozeanien.why import cell_called, why_not

SIGNS = ("exploring-ship", "start-circle", "unexplored")
EXPLORERS = tuple(f"explorer-{value}" for value in range(1, VALUES + 1))


def things(pack: Record) -> list[Group]:
    """The sheet of all."""
    return [
        {"name": text("aid.tiles"), "things": list(CLASSES)},
        {"name": text("aid.explorers"), "things": list(EXPLORERS)},
        {"name": text("aid.chart"), "things": list(SIGNS)},
    ]


def name(inquiry: Inquiry) -> Named | None:
    """A circle is no number."""
    return {"noun": _kind_of_face(inquiry)} if _kind_of_face(inquiry) else None


def _kind_of_face(inquiry: Inquiry) -> str:
    """What the face is one of: a class of tiles, an explorer, a sign of the chart."""
    face = inquiry.face
    if face.startswith("explorer-"):
        return f"explorer-{face[-1]}"
    if inquiry.piece is not None and inquiry.piece["key"].startswith("circle."):
        return "start-circle" if "circle" in inquiry.piece["marks"] else "chart-margin"
    kind = face.partition("-")[0]
    return kind if kind in CLASSES else face


def kind(inquiry: Inquiry) -> Named | None:
    """Of a laid tile, its cell."""
    if inquiry.piece is None or ":" not in inquiry.piece["key"]:
        return None
    return text("aid.on_cell", cell=inquiry.piece["key"].partition(":")[2])


def rule(inquiry: Inquiry) -> Text | None:
    """What a tile, an explorer, a sign, a line or a place is for."""
    alone = int(inquiry.game.players) == 1
    if inquiry.line:
        return text(
            f"aid.sheet.{inquiry.line}", discard=-DISCARD_POINTS, unexplored=-UNEXPLORED_POINTS
        )
    noun = _kind_of_face(inquiry)
    if noun in EXPLORERS:
        return text("aid.rule.explorer", value=int(noun[-1]))
    if noun == "unexplored" and alone:
        return text("aid.rule.unexplored_alone", points=-UNEXPLORED_POINTS)
    if noun:
        return text(f"aid.rule.{noun}")
    place = "" if inquiry.place is None else inquiry.place["key"].rstrip("0123456789")
    if place == "discards":
        return text(
            "aid.place.discards_alone" if alone else "aid.place.discards", points=-DISCARD_POINTS
        )
    return text(f"aid.place.{place}") if place else None


def now(inquiry: Inquiry) -> list[Worth] | None:
    """The island that a tile is of, for the asker; a discard, an unexplored cell."""
    seat = max(inquiry.viewer, 0)
    if inquiry.line:
        return [worth for worth in by_evidence(inquiry) if worth["points"]] or by_evidence(inquiry)
    if inquiry.piece is None:
        return []
    if inquiry.face == "unexplored":
        alone = int(inquiry.game.players) == 1 and inquiry.view["over"]
        return [worth(UNEXPLORED_POINTS, text("aid.left"), "unexplored", seat)] if alone else []
    owner = seat if inquiry.owner is None else inquiry.owner
    return [worth for worth in by_evidence(inquiry) if worth["seat"] == owner]


def more(inquiry: Inquiry) -> list[Help] | None:
    """Where an island is still open; for the drawn tile and the ship, the best choices."""
    if inquiry.view["over"] or inquiry.line:
        return []
    piece = inquiry.piece
    if piece is None:
        return []
    if piece["key"] == "tile":
        return _best_lays(inquiry, inquiry.view["choices"])
    if piece["key"].startswith("cell:"):
        return _best_lays(inquiry, inquiry.choices())
    if piece["key"].startswith("tile:"):
        cell = cell_called(inquiry.pack, piece["key"].partition(":")[2])
        here = [island for island in islands(inquiry.game, inquiry.pack) if _has(island, cell)]
        return [_completed(inquiry, island) for island in here if island.coasts]
    return []


def why(inquiry: Inquiry) -> Text | None:
    """Which condition fails; some reasons come with the view."""
    place, reasons = inquiry.place, inquiry.view["why"]
    if not inquiry.asked or place is None or any(key in reasons for key in inquiry.reason_keys()):
        return None
    key = "" if inquiry.piece is None else inquiry.piece["key"]
    return why_not(inquiry.game, inquiry.pack, inquiry.viewer, place["key"], key)


def _has(island: Island, cell: int) -> bool:
    return bool((island.near | island.far) >> cell & 1)


def _completed(inquiry: Inquiry, island: Island) -> Help:
    """What an island would bring as it is, were its open coast closed, and where it is open."""
    game, pack = inquiry.game, inquiry.pack
    straits, unknown, across = int(far_parts(game)), int(unexplored(game, pack)), 0
    for side in range(SIDES):
        edges = coast(game, straits, island.near, island.far, side)
        across |= int(beyond(pack, edges, side)) & unknown
    cells = [f"cell:{cell_name(pack, cell)}" for cell in cells_of(across)]
    points, key = _brings(inquiry, island)
    params = {"count": island.coasts, "size": island.size, "sums": _sums(inquiry, island)}
    return help_by(points, text(f"aid.{key}", **params), pieces=cells)


def _brings(inquiry: Inquiry, island: Island) -> tuple[int, str]:
    """To the asker, and the words for it."""
    if len(island.sums) == 1:
        return island.size**2, "closed_alone"
    seat = inquiry.viewer
    if seat < 0 or island.sums[0] == island.sums[1]:
        return 0, "closed_equal"
    return (island.size, "closed") if island.sums[seat] == max(island.sums) else (0, "closed_lost")


def _sums(inquiry: Inquiry, island: Island) -> str:
    """The explorers' sums, the asker's first."""
    sums = island.sums if inquiry.viewer <= 0 else island.sums[::-1]
    return " : ".join(map(str, sums))


def _best_lays(inquiry: Inquiry, choices: list[Choice]) -> list[Help]:
    """Where the drawn tile would bring most now."""
    gains = {
        choice["action"]: choice["gain"] or 0 for choice in choices if choice["group"] == "lay"
    }
    best = max(gains.values(), default=0)
    if best <= 0:
        return []
    cells = [choice["piece"] for choice in choices if gains.get(choice["action"]) == best]
    cells = list(dict.fromkeys(cells))
    return [
        help_by(
            best, text("aid.laid_there", count=len(cells)), pieces=[key for key in cells if key]
        )
    ]

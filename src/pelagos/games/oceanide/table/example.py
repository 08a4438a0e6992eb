"""Moments between two sisters as pictures, for the examples of the rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any

from pelagos.engine.scene import Figure, Scene, art, box, label

if TYPE_CHECKING:
    from pelagos.web.drawing import Drawing

ACROSS, EDGE, GAP = 360, 12, 4
SIDE = 64
"""The room for a collection at the right."""
TALL = 1.2
"""A card's height, by its width."""
WIDEST = 46
HANDS, SHOWCASES, COLLECTIONS = "hand", "showcase", "collection"
PLAYED = "played"
BACK = "back"
DISCARDED = ("thief", "king")
"""What may leave the game."""

Spot = tuple[str, str, int]
"""A card: its face, its place, and which of that face it is there."""
Point = tuple[float, float]


def scenes(drawings: Sequence[Drawing], shows: str) -> list[Scene]:
    """The shelves of both, the own hand, and what lies safe; cards keep their names as long as
    they can be followed.
    """
    own = drawings[0].me or 0
    stage = _Stage(drawings, own, 1 - own)
    named: dict[str, Spot] = {}
    asked_for: list[tuple[str, str]] = []
    numbers = count()
    made = []
    for drawing, following in zip(drawings, [*drawings[1:], drawings[-1]], strict=True):
        named = _follow(named, [*_spots(drawing)], asked_for, numbers)
        asked_for = _asked_for(drawing)
        is_put_away = stage.collected(following) > stage.collected(drawing)
        made.append(stage.scene(drawing, named, is_put_away))
    return made


def _spots(drawing: Drawing) -> Iterator[Spot]:
    """Every card that is seen, its back where that is all that is seen."""
    for place in drawing.view["places"]:
        if place["seat"] is None and place["key"] != PLAYED:
            continue
        for piece in drawing.pieces_in(place["key"]):
            for number in range(piece["count"]):
                yield piece["face"] or BACK, place["key"], number


def _follow(
    before: Mapping[str, Spot],
    spots: Sequence[Spot],
    asked_for: Sequence[tuple[str, str]],
    numbers: Iterator[int],
) -> dict[str, Spot]:
    """The cards by name: who stays where it is keeps its name, then who is the same card. What was
    asked for, face and place, gives way to a copy that comes up.
    """
    named: dict[str, Spot] = {}
    rest = list(spots)

    def settle(name: str, spot: Spot | None) -> None:
        if spot is not None:
            named[name] = spot
            rest.remove(spot)

    def same(card: Spot) -> Spot | None:
        return next((spot for spot in rest if spot[0] == card[0] != BACK), None)

    wanted = {name for name, spot in before.items() if spot[:2] in asked_for}
    for name, spot in before.items():
        if name not in wanted and spot in rest:
            settle(name, spot)
    displaced = [name for name in before if name not in named]
    for name in sorted(displaced, key=wanted.__contains__):
        spot = before[name]
        settle(name, spot if spot in rest else same(spot))
    return {**named, **{f"{spot[0]}.{next(numbers)}": spot for spot in rest}}


def _asked_for(drawing: Drawing) -> list[tuple[str, str]]:
    """What a thief or a trader has named."""
    pieces = drawing.view["pieces"]
    return [(piece["face"], piece["place"]) for piece in pieces if "named" in piece["marks"]]


class _Stage:
    def __init__(self, drawings: Sequence[Drawing], own: int, rival: int) -> None:
        self.own, self.rival = own, rival
        rows = [
            sum(piece["count"] for piece in drawing.pieces_in(f"{kind}{seat}"))
            for drawing in drawings
            for kind, seat in ((SHOWCASES, own), (SHOWCASES, rival), (HANDS, own))
        ]
        room = ACROSS - SIDE - 2 * EDGE
        wide = min(WIDEST, (room + GAP) / max(4, *rows) - GAP)
        self.card = (wide, wide * TALL)
        self.shelf = self.card[1] + 14
        self.tops = {
            f"{SHOWCASES}{rival}": EDGE + 12,
            f"{SHOWCASES}{own}": EDGE + self.shelf + 32,
            f"{HANDS}{own}": EDGE + 2 * self.shelf + 32,
        }
        self.height = EDGE + 3 * self.shelf + 30

    def collected(self, drawing: Drawing) -> int:
        """How many cards the other has put away."""
        pieces = drawing.pieces_in(f"{COLLECTIONS}{self.rival}")
        return sum(piece["count"] for piece in pieces)

    def scene(self, drawing: Drawing, named: Mapping[str, Spot], is_put_away: bool) -> Scene:
        """One moment; `is_put_away`: what leaves next goes into the other's collection."""
        by_place: dict[str, list[str]] = defaultdict(list)
        for name in sorted(named, key=lambda name: self._order(drawing, named[name])):
            by_place[named[name][1]].append(name)
        asked_for = _asked_for(drawing)
        cards = [
            self._card(name, named[name], self._at(key, number), is_put_away, asked_for)
            for key, names in by_place.items()
            for number, name in enumerate(names)
            if key != PLAYED
        ]
        at = next((card.at for card in cards if card and card.over), None)
        if at is not None:  # the thief reaches for what it wants
            is_rivals = at[1] == self.tops[f"{SHOWCASES}{self.rival}"]
            reach = (
                at[0] + self.card[0] * 0.3,
                at[1] + self.card[1] * (0.5 if is_rivals else -0.55),
            )
            cards += [
                self._card(name, named[name], reach, is_put_away, ()) for name in by_place[PLAYED]
            ]
        figures = [*self._shelves(drawing), *(card for card in cards if card is not None)]
        return Scene((ACROSS, self.height), tuple(figures))

    def _order(self, drawing: Drawing, spot: Spot) -> tuple[int, int]:
        """Cards lie in the order in which the view tells them."""
        faces = [piece["face"] or BACK for piece in drawing.pieces_in(spot[1])]
        return faces.index(spot[0]), spot[2]

    def _at(self, place: str, number: int) -> Point | None:
        """Where a card of a place lies; None if it isn't seen there."""
        if place in self.tops:
            return EDGE + 4 + number * (self.card[0] + GAP), self.tops[place]
        if place == f"{COLLECTIONS}{self.own}":
            return self._safe(self.own)[0] + number % 3 * 5, self._safe(self.own)[1]
        return None

    def _safe(self, seat: int) -> Point:
        """Where a seat's collection lies."""
        return ACROSS - SIDE - 2, self.tops[f"{SHOWCASES}{seat}"]

    def _card(
        self,
        name: str,
        spot: Spot,
        at: Point | None,
        is_put_away: bool,
        asked_for: Sequence[tuple[str, str]],
    ) -> Figure | None:
        if at is None:
            return None
        face, place, _ = spot
        wide, high = self.card
        away = (at[0], -high - 8) if face not in DISCARDED else (at[0], self.height + 8)
        return Figure(
            key=name,
            at=at,
            size=self.card,
            drawn=(
                box("ex-under", 0, 3, wide, high, 6)
                + box("ex-card", 0, 0, wide, high, 6)
                + box("ex-dim", 0, 0, wide, high, 6)
                + art(face, wide * 0.06, high * 0.12, wide * 0.88)
            ),
            over=box("ex-named", -2, -2, wide + 4, high + 4, 8) if spot[:2] in asked_for else "",
            shows=(f"{place}.{face}",),
            comes_from=(at[0], -self.card[1] - 8),
            goes_to=self._safe(self.rival) if is_put_away else away,
            layer=2 if face in DISCARDED else 1,
            radius=6,
        )

    # --- the cabinets -------------------------------------------------------------------------

    def _shelves(self, drawing: Drawing) -> Iterator[Figure]:
        for seat in (self.rival, self.own):
            top = self.tops[f"{SHOWCASES}{seat}"]
            wide, high = ACROSS - SIDE - EDGE - 4, self.card[1] + 12
            wood = (
                box("ex-shelf", 0, 0, wide, high, 8)
                + box("ex-board", 0, high - 6, wide, 7, 3)
                + label("ex-who", 0, -4, self._who(drawing, seat))
            )
            yield Figure(f"shelf{seat}", (EDGE - 4, top - 6), (wide, high), wood, layer=-1)
            yield self._safe_of(drawing, seat)
        yield self._rivals_hand(drawing)

    def _who(self, drawing: Drawing, seat: int) -> str:
        return drawing.words("example.you") if seat == self.own else drawing.names[seat]

    def _safe_of(self, drawing: Drawing, seat: int) -> Figure:
        x, y = self._safe(seat)
        place = f"{COLLECTIONS}{seat}"
        cards = sum(piece["count"] for piece in drawing.pieces_in(place))
        wide, high = self.card[0] + 14, self.card[1]
        drawn = box("ex-safe", -4, -6, wide + 2, high + 12, 8) + art("i-lock", 4, 4, 22)
        over = label("ex-safe-count", wide / 2, high + 2, str(cards))
        return Figure(f"safe{seat}", (x, y), (wide, high), drawn, over, (place,), layer=-1)

    def _rivals_hand(self, drawing: Drawing) -> Figure:
        """How many cards the other holds."""
        pieces: Sequence[Mapping[str, Any]] = drawing.pieces_in(f"{HANDS}{self.rival}")
        held = sum(piece["count"] for piece in pieces)
        words = drawing.words("table.in_hand", count=held)
        x = ACROSS - SIDE - 10
        return Figure("rivals", (0, 0), (0, 0), "", label("ex-held", x, EDGE, words), layer=-1)

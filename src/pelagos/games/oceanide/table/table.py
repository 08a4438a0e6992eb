"""What Océanide's table is drawn from: the message, sorted by objects and seats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from pelagos.games.oceanide.cards import SPECIAL
from pelagos.games.oceanide.state import SET, TAKEN, THIEF_POINTS
from pelagos.games.oceanide.table.effects import Effects, owned_copies
from pelagos.games.oceanide.table.origins import Origins
from pelagos.games.oceanide.table.scene import newest_scene

if TYPE_CHECKING:
    from pelagos.web.drawing import Drawing

DRAWS = ("clock", "others", "sheets", "facts", "log", "seats", "prompt", "loose")
SOUNDS = {"steal": "theft", "king": "reveal", "complete": "win"}

MOST_BACKS = 7
"""Backs of a hand that are drawn; more would hide each other."""

Choice = Mapping[str, Any]


class Slot(NamedTuple):
    """One object's place in one showcase."""

    key: str
    kind: str
    shown: bool
    held: int
    """Copies in hand, as far as the viewer knows."""
    wanted: bool
    choices: list[Choice]
    pick: bool
    """One of two that may be taken together."""
    can: str
    """What may be done here: complete, trade, steal, both, take, or nothing."""
    label: str
    """All of it for a screen reader."""
    why: str
    """Why it can't be chosen now."""


class Heap(NamedTuple):
    """Cards of a collection that lie together: a set, or all thieves."""

    id: str
    label: str
    face: str
    points: int
    cards: list[tuple[str, str]]
    """Of each card its id, and the id that it comes from."""


class Back(NamedTuple):
    """A card of another's hand, its face if the viewer knows it."""

    id: str
    face: str | None


class OceanideTable:
    """A message of Océanide, as the templates ask for it."""

    set_size = SET
    thief_points = THIEF_POINTS

    def __init__(self, drawing: Drawing) -> None:
        view = drawing.view
        self._drawing = drawing
        self.own: int = drawing.near
        self.seats = drawing.own_first
        values = [fact["params"] for fact in view["facts"]["values"]]
        self.worth: dict[str, int] = {fact["card"]["noun"]: fact["number"] for fact in values}
        """The objects in the pack's order, with what a set of each scores."""
        self.stage = self._stage()
        self.named = [piece for piece in view["pieces"] if "named" in piece["marks"]]
        self.target = int(self.named[0]["place"].removeprefix("showcase")) if self.named else None
        """Whom a thief or a trade reaches for."""
        self.giver: int | None = None
        """Who is taken from in a trade."""
        if self.stage == "take":
            self.giver = view["prompt"]["params"]["player"]["seat"]
        self.is_theft = "played" in drawing.pieces
        self.due = view["phase"][0] if view["phase"] else view["facts"].get("turn", {}).get("seat")
        """Whose decision it is."""
        self.pairs: dict[str, int] = {}
        """The actions that take two objects, by both."""
        self.picks: list[str] = []
        """The pieces that may be taken, two together."""
        self._on_slot: dict[str, list[Choice]] = {}
        for choice in view["choices"]:
            self._attach(choice)
        self.origins = Origins(drawing)
        self.scene = newest_scene(drawing)
        self.effects = Effects(drawing, self.worth, self.named, self.picks)

    def _stage(self) -> str:
        """What the viewer has before them: act, take, king, wait, or the end."""
        labels = {choice["label"]["key"] for choice in self._drawing.view["choices"]}
        if self._drawing.view["over"]:
            return "over"
        if not labels:
            return "wait"
        if "label.allow" in labels:
            return "king"
        return "take" if "label.take_none" in labels else "act"

    def _attach(self, choice: Choice) -> None:
        """Sort a choice by the slot that it points at."""
        piece = choice["piece"]
        if self.stage not in ("act", "take") or piece is None:
            return
        if choice["label"]["key"] == "label.take_two":
            first, second = piece, f"{choice['place']}.{choice['variant']}"
            self.pairs[f"{first.partition('.')[2]},{choice['variant']}"] = choice["action"]
            self.picks += [picked for picked in (first, second) if picked not in self.picks]
        else:
            self._on_slot.setdefault(piece, []).append(choice)

    def cabinets(self) -> list[dict[str, Any]]:
        """The seats, the own first; who is away is said so, whoever's turn it is."""
        return [
            {**seat, "state": "away"} if self._is_away(seat["number"]) else seat
            for seat in self._drawing.seats(self.seats)
        ]

    def _is_away(self, seat: int) -> bool:
        return self.stage != "over" and bool(self._drawing.about["seats"][seat].get("away"))

    # --- showcases ------------------------------------------------------------------------------

    def slots(self, seat: int) -> list[Slot]:
        """A seat's showcase: a slot for each object."""
        return [self._slot(seat, kind) for kind in self.worth]

    def _slot(self, seat: int, kind: str) -> Slot:
        drawing, key = self._drawing, f"showcase{seat}.{kind}"
        piece, held = drawing.pieces.get(key), self._held(seat, kind)
        choices, pick = self._on_slot.get(key, []), key in self.picks
        variants = [choice["variant"] for choice in choices]
        can = "both" if len(variants) > 1 else variants[0] if variants else ""
        reason = drawing.view["why"].get(key)
        wanted = piece is not None and "named" in piece["marks"]
        words = [drawing.words("table.shown" if piece else "table.none")]
        if wanted:
            words.append(drawing.words("table.wanted"))
        if held:
            known = "table.owned" if seat == drawing.me else "table.seen"
            words.append(drawing.words(known, count=held))
        deeds = [drawing.label(choice) for choice in choices]
        if pick:
            deeds.append(drawing.words("table.pick", card={"noun": kind}))
        worth = drawing.words("table.worth", card={"noun": kind}, value=self.worth[kind])
        label = f"{worth}: {', '.join(words)}"
        return Slot(
            key=key,
            kind=kind,
            shown=piece is not None,
            held=held,
            wanted=wanted,
            choices=choices,
            pick=pick,
            can="take" if pick or can == "take_one" else can,
            label=f"{label}. {' / '.join(deeds)}" if deeds else label,
            why=drawing.say(reason) if reason else "",
        )

    def _held(self, seat: int, card: str) -> int:
        piece = self._drawing.pieces.get(f"hand{seat}.{card}")
        return int(piece["count"]) if piece else 0

    # --- collections ----------------------------------------------------------------------------

    def heaps(self, seat: int) -> list[Heap]:
        """An open collection: each set as the cards that make it, thieves together."""
        heaps = []
        for piece in self._drawing.pieces_in(f"collection{seat}"):
            face, count = piece["face"], piece["count"]
            if face in self.worth:
                sets, points = count // SET, self.worth[face]
                words = self._drawing.words("table.sets_of", count=sets, card={"noun": face})
            else:
                sets, points = 1, THIEF_POINTS * count
                words = self._drawing.words("reason.thieves", count=count)
            for place in range(sets):
                cards = self._cards(piece["key"], place * SET, count // sets)
                first = place == 0  # the log and the sheet point at the first heap of a kind
                heap_id = self._drawing.pid(piece["key"]) if first else ""
                heaps.append(Heap(heap_id, words if first else "", face, points, cards))
        return heaps

    def _cards(self, key: str, first: int, count: int) -> list[tuple[str, str]]:
        return [
            (f"{self._drawing.pid(key)}-{place}", self.origins.of(key, place))
            for place in range(first, first + count)
        ]

    def closed(self, seat: int) -> int | None:
        """How many cards a closed collection has; None if the viewer may see them."""
        if not self._drawing.sheet(seat).get("covered"):
            return None
        return sum(int(piece["count"]) for piece in self._drawing.pieces_in(f"collection{seat}"))

    # --- hands ----------------------------------------------------------------------------------

    def hand_size(self, seat: int) -> int:
        """Cards in a hand, known or not."""
        return sum(piece["count"] for piece in self._drawing.pieces_in(f"hand{seat}"))

    def known(self, seat: int) -> str:
        """The cards of another's hand that the viewer knows, in words."""
        return "".join(
            f", {self._drawing.words('table.seen', count=piece['count'])}: "
            f"{self._drawing.noun(piece['face'])}"
            for piece in self._drawing.pieces_in(f"hand{seat}")
            if piece["face"]
        )

    def backs(self, seat: int) -> list[Back]:
        """Another's hand as a fan."""
        return [
            Back(f"{self._drawing.pid(piece['key'])}-{place}", piece["face"])
            for piece in self._drawing.pieces_in(f"hand{seat}")
            for place in range(piece["count"] if piece["face"] else min(piece["count"], MOST_BACKS))
        ]

    def cards(self) -> list[dict[str, Any]]:
        """The own hand, card by card."""
        return [
            {
                "key": f"{piece['key']}-{place}",
                "face": piece["face"],
                "count": 1,
                "from": self.origins.of(piece["key"]) or self.origins.newest(self.own),
                "why": self._drawing.view["why"].get(piece["key"]),
            }
            for piece in self._drawing.pieces_in(f"hand{self.own}")
            if piece["face"]
            for place in range(piece["count"])
        ]

    def specials(self) -> list[tuple[str, int]]:
        """The own thieves and kings."""
        return [(card, self._held(self.own, card)) for card in SPECIAL]

    def kings(self) -> int:
        """How many kings the viewer holds."""
        return owned_copies(self._drawing, self.own, "king")

    # --- the sheet ------------------------------------------------------------------------------

    def rows(self) -> list[dict[str, Any]]:
        """The score sheet's rows."""
        rows: list[dict[str, Any]] = self._drawing.rows(self.seats)
        for row in rows:
            if row["key"] == "thieves":
                row["note"] = f"×{THIEF_POINTS}"
            elif row["key"] == "hand":
                for seat, cell in zip(self.seats, row["cells"], strict=True):
                    cell["of"] = self._hand_ids(seat) if cell["points"] else ""
        return rows

    def _hand_ids(self, seat: int) -> str:
        """The ids of what shows a seat's hand."""
        if seat != self._drawing.me or self.stage == "over":
            return str(self._drawing.lid(f"hand{seat}"))
        return " ".join(self._drawing.pid(card["key"]) for card in self.cards())

    # --- words ----------------------------------------------------------------------------------

    def prompt(self) -> str:
        """What is to be done, or who is doing it."""
        words, view = self._drawing.words, self._drawing.view
        if self.stage == "take":
            return words("table.take", player={"seat": self.giver})
        if self.stage == "act":
            groups = {choice["group"] for choice in view["choices"]}
            verbs = [verb for verb in ("complete", "trade", "steal") if verb in groups]
            deeds = ", ".join(words(f"table.do.{verb}") for verb in verbs)
            return words("table.turn", deeds=deeds) if deeds else words("table.turn_only")
        if self.stage == "king":
            return str(self._drawing.say(view["prompt"]))
        if self.due is None:
            return words("table.nobody")
        if self._drawing.own.get("ordered"):
            return words("table.ordered")
        key = "table.waiting_asked" if self.named else "table.waiting"
        return words(key, who={"seat": self.due})

    def picking(self) -> tuple[str, str]:
        """In a trade: how many are picked, and what to pick."""
        if self.pairs:
            return self.picked(0), self._drawing.words("table.pick_more")
        key = "table.pick_one" if self._on_slot else "table.pick_none"
        return "", self._drawing.words(key)

    def picked(self, count: int | str) -> str:
        """So many of those that may be taken."""
        return self._drawing.words("table.picked", count=count, most=TAKEN)


make = OceanideTable

"""What Océanide's table is drawn from: the message, sorted by objects and seats."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from pelagos.games.oceanide.cards import SPECIAL
from pelagos.games.oceanide.state import GIFT, SET, TAKEN, THIEF_POINTS
from pelagos.games.oceanide.table.effects import Effects, owned_copies, short_words
from pelagos.games.oceanide.table.origins import Origins
from pelagos.games.oceanide.table.scene import newest_scene

if TYPE_CHECKING:
    from pelagos.web.drawing import Drawing

FITS = True
DRAWS = ("clock", "others", "sheets", "facts", "log", "seats", "prompt", "loose")
TOLD_BY_ART = ("draw", "complete")
SOUNDS = {"steal": "theft", "king": "reveal", "complete": "win"}

MOST_BACKS = 7
"""Backs of a hand that are drawn; more would hide each other."""

Choice = Mapping[str, Any]


class Kind(NamedTuple):
    """An object: a column of the matrix, or a row."""

    name: str
    value: int
    bare: bool
    """Nobody shows it, or is known to hold it."""


class Stack(NamedTuple):
    """The own cards of a kind."""

    kind: str
    cards: list[tuple[str, str]]
    """Of each card its id, and the id that it comes from."""
    why: str
    """Why it can't be chosen."""


class Slot(NamedTuple):
    """One object's place in one showcase."""

    key: str
    kind: str
    bare: bool
    shown: bool
    held: int
    """Copies in hand, as far as the viewer knows."""
    wanted: bool
    choices: list[Choice]
    pairs: str
    """The actions that take it with another."""
    can: str
    """What may be done here: complete, trade, steal, both, take, or nothing."""
    label: str
    """All of it for a screen reader."""
    why: str
    """Why it can't be chosen now."""


class Heap(NamedTuple):
    """Cards of a collection that lie together: all sets of an object, or all thieves."""

    id: str
    label: str
    face: str
    points: int


class Back(NamedTuple):
    """A card of another's hand, its face if the viewer knows it."""

    id: str
    face: str | None


class OceanideTable:
    """A message of Océanide, as the templates ask for it."""

    set_size = SET
    gift = GIFT

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
        occupied = {
            piece["face"]
            for piece in view["pieces"]
            if piece["place"].startswith(("showcase", "hand"))
        }
        self.kinds = [Kind(kind, value, kind not in occupied) for kind, value in self.worth.items()]

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
        return [self._slot(seat, kind) for kind in self.kinds]

    def _slot(self, seat: int, column: Kind) -> Slot:
        kind, drawing = column.name, self._drawing
        key = f"showcase{seat}.{kind}"
        piece, held = drawing.pieces.get(key), self._held(seat, kind)
        choices, pick = sorted(self._on_slot.get(key, []), key=_loss), key in self.picks
        pairs = [action for pair, action in self.pairs.items() if kind in pair.split(",")]
        variants = [choice["variant"] for choice in choices]
        can = "both" if len(variants) > 1 else variants[0] if variants else ""
        reason = drawing.view["why"].get(key)
        wanted = piece is not None and "named" in piece["marks"]
        words = [drawing.words("table.shown" if piece else "table.none")]
        if wanted:
            words.append(drawing.words("table.wanted"))
        if held:
            text_key = "table.owned" if seat == drawing.me else "table.seen"
            words.append(drawing.words(text_key, count=held))
        deeds = [drawing.label(choice) for choice in choices]
        if pick:
            deeds.append(drawing.words("table.pick", card={"noun": kind}))
        worth = drawing.words("table.worth", card={"noun": kind}, value=self.worth[kind])
        label = f"{worth}: {', '.join(words)}"
        return Slot(
            key=key,
            kind=kind,
            bare=column.bare,
            shown=piece is not None,
            held=held,
            wanted=wanted,
            choices=choices,
            pairs=" ".join(map(str, pairs)) if pick else "",
            can="take" if pick or can == "take_one" else can,
            label=f"{label}. {' / '.join(deeds)}" if deeds else label,
            why=drawing.say(reason) if reason else "",
        )

    def _held(self, seat: int, card: str) -> int:
        piece = self._drawing.pieces.get(f"hand{seat}.{card}")
        return int(piece["count"]) if piece else 0

    # --- collections ----------------------------------------------------------------------------

    def heaps(self, seat: int) -> list[Heap]:
        """An open collection: sets by their object, thieves together."""
        heaps = []
        for piece in self._drawing.pieces_in(f"collection{seat}"):
            face, cards = piece["face"], piece["count"]
            if face in self.worth:
                count = cards // SET
                points = self.worth[face] * count
                words = self._drawing.words("table.sets_of", count=count, card={"noun": face})
            else:
                count, points = cards, THIEF_POINTS * cards
                words = self._drawing.words("reason.thieves", count=count)
            heap_id = self._drawing.pid(piece["key"])
            heaps.append(Heap(heap_id, words, face, points))
        return heaps

    def stowed(self, seat: int) -> list[tuple[str, str, str]]:
        """What came into an open collection just now: each card's id, its face, whence it came."""
        cards = []
        for piece in [] if self.is_closed(seat) else self._drawing.pieces_in(f"collection{seat}"):
            for place in range(max(0, piece["count"] - SET), piece["count"]):
                source = self.origins.of(piece["key"], place)
                if source:
                    card_id = f"{self._drawing.pid(piece['key'])}-{place}"
                    cards.append((card_id, piece["face"], source))
        return cards

    def is_closed(self, seat: int) -> bool:
        """May the viewer not look into the collection?"""
        return bool(self._drawing.sheet(seat).get("covered"))

    def collected(self, seat: int) -> int:
        """How many cards a collection has."""
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

    def hand(self) -> list[tuple[Kind, Stack]]:
        """The own objects in hand, kind by kind."""
        return [(kind, self._stack(kind.name)) for kind in self.kinds]

    def specials(self) -> list[Stack]:
        """The own thieves and kings."""
        return [self._stack(card) for card in SPECIAL]

    def _stack(self, kind: str) -> Stack:
        drawing, key = self._drawing, f"hand{self.own}.{kind}"
        source = self.origins.of(key) or self.origins.newest(self.own)
        reason = drawing.view["why"].get(key)
        cards = [
            (str(drawing.pid(f"{key}-{place}")), source)
            for place in range(self._held(self.own, kind))
        ]
        return Stack(kind, cards, drawing.say(reason) if reason else "")

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
        stacks = [*self.specials(), *(stack for _, stack in self.hand())]
        return " ".join(card for stack in stacks for card, _ in stack.cards)

    # --- words ----------------------------------------------------------------------------------

    def prompt(self) -> str:
        """What is to be done, or who is doing it."""
        view, words = self._drawing.view, partial(short_words, self._drawing)
        if self.stage == "take":
            return words("table.take", player={"seat": self.giver})
        if self.stage == "act":
            groups = {choice["group"] for choice in view["choices"]}
            verbs = [verb for verb in ("complete", "trade", "steal") if verb in groups]
            deeds = ", ".join(words(f"table.do.{verb}") for verb in verbs)
            return words("table.turn", deeds=deeds) if deeds else words("table.turn_only")
        if self.stage == "king":
            return words(view["prompt"]["key"], **view["prompt"]["params"])
        if self.due is None:
            return words("table.nobody")
        if self._drawing.own.get("ordered"):
            return words("table.ordered")
        key = "table.waiting_asked" if self.named else "table.waiting"
        return words(key, who={"seat": self.due})

    @property
    def idle(self) -> list[tuple[str, str]]:
        """What stands in the receipt's place while nothing is chosen: what the marks mean, what to
        pick, or what either answer costs; each line with a picture.
        """
        words = self._drawing.words
        if self.stage == "king":
            none = [] if self.kings() else [("king", words("table.king.no_king"))]
            return none + [self._cost(choice) for choice in self._drawing.view["choices"]]
        if self.stage == "take":
            if self.pairs:
                return [("i-check", words("table.pick_more"))]
            if self._on_slot:
                return [("i-check", words("table.pick_one"))]
            return [("back", words("table.pick_none"))]
        groups = {choice["group"] for choice in self._drawing.view["choices"]}
        return [
            (art, words(f"table.legend.{verb}"))
            for verb, art in (("complete", "i-check"), ("trade", "i-swap"), ("steal", "i-mask"))
            if verb in groups
        ]

    def _cost(self, choice: Choice) -> tuple[str, str]:
        """What an answer to the King's question brings and costs."""
        is_king = choice["piece"] is not None
        answer = self._drawing.words("table.king.send" if is_king else "table.king.allow")
        of = str(choice["action"])
        cost = " ".join(effect.sentence for effect in self.effects if effect.of == of)
        art = "king" if is_king else "thief" if self.is_theft else "i-swap"
        return art, self._drawing.words("table.king.cost", answer=answer, cost=cost)

    def picked(self, count: int | str) -> str:
        """So many of those that may be taken."""
        return self._drawing.words("table.picked", count=count, most=TAKEN)


def _loss(choice: Choice) -> int:
    """Of a theft and a trade at one slot the better one comes first."""
    return -int(choice["gain"] or 0)


make = OceanideTable

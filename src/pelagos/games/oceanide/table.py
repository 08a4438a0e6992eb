"""What Océanide's own table is drawn from: the view, sorted by kinds and seats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pelagos.web.drawing import Drawing

SET = 3
DEEDS = frozenset(
    f"event.{verb}"
    for verb in (
        "steal", "taken", "king", "trade", "complete", "take_one", "take_two", "take_hand",
    )
)  # fmt: skip
"""What is shown as a scene."""
RECENT = 16
"""Events that may have brought what is new."""
HEAPS = ((3, "few"), (5, "some"), (7, "many"), (10, "lots"))
"""How a collection is called that has fewer heaps than this; the largest are `most`."""

Piece = Mapping[str, Any]
Choice = Mapping[str, Any]


class Slot(NamedTuple):
    """One kind in one showcase."""

    key: str
    shown: bool
    held: int
    """Copies in hand, as far as the viewer knows."""
    wanted: bool
    choices: list[Choice]
    grab: bool
    """One of two that may be taken."""
    can: str
    """What may be done here: complete, trade, steal, both, take, or nothing."""


class Tell(NamedTuple):
    """A line of what a choice would bring: of an action, or of an object among two."""

    of: str
    icon: str
    text: str


class Wreck:
    """A view of Océanide, as its template asks for it."""

    def __init__(self, drawing: Drawing) -> None:
        view = drawing.view
        self.drawing = drawing
        self.own: int = drawing.me or 0
        players: int = view["players"]
        self.seats = [(self.own + step) % players for step in range(players)]
        values = [one["params"] for one in view["facts"]["values"]]
        self.worth = {one["card"]["noun"]: one["number"] for one in values}
        self.kinds = list(self.worth)
        self.closed = bool(drawing.about.get("closed")) and drawing.about["state"] != "over"
        self.active: int | None = view["facts"].get("turn", {}).get("seat")
        self.party: int | None = view["phase"][0] if view["phase"] else self.active
        self.stage = self._stage()
        self.named = [piece for piece in view["pieces"] if "named" in piece["marks"]]
        self.target = int(self.named[0]["place"].removeprefix("showcase")) if self.named else None
        self.is_theft = "played" in drawing.pieces
        self.pairs: dict[str, int] = {}
        self.grabs: list[str] = []
        self._on: dict[str, list[Choice]] = {}
        for choice in view["choices"]:
            self._attach(choice)
        self.giver: int | None = (
            view["prompt"]["params"]["player"]["seat"] if self.stage == "take" else None
        )
        self.scene: Mapping[str, Any] | None = next(
            (one for one in reversed(view["events"]) if one["key"] in DEEDS), None
        )
        self._came: dict[str, list[str]] = {}
        self._drew: dict[int, str] = {}
        for event in view["events"][-RECENT:]:
            self._follow(event)

    def _stage(self) -> str:
        view = self.drawing.view
        if view["over"]:
            return "over"
        verbs = {choice["notation"].split()[0] for choice in view["choices"]}
        if not verbs:
            return "wait"
        return "king" if "allow" in verbs else "take" if "take" in verbs else "act"

    # --- slots ----------------------------------------------------------------------------------

    def _attach(self, choice: Choice) -> None:
        """Sort a choice by what it points at."""
        piece = choice["piece"]
        if self.stage not in ("act", "take") or piece is None:
            return
        if choice["label"]["key"] == "label.take_two":
            first, second = piece, f"{choice['place']}.{choice['variant']}"
            self.pairs[f"{kind_of(first)},{choice['variant']}"] = choice["action"]
            self.grabs += [one for one in (first, second) if one not in self.grabs]
        else:
            self._on.setdefault(piece, []).append(choice)

    def slot(self, seat: int, kind: str) -> Slot:
        """What a seat has of a kind, and what may be done with it."""
        key = f"showcase{seat}.{kind}"
        piece = self.drawing.pieces.get(key)
        choices = self._on.get(key, [])
        verbs = [choice["variant"] for choice in choices]
        can = "both" if len(verbs) > 1 else verbs[0] if verbs else ""
        if key in self.grabs or can == "take_one":
            can = "take"
        return Slot(
            key,
            piece is not None,
            self._held(seat, kind),
            piece is not None and "named" in piece["marks"],
            choices,
            key in self.grabs,
            can,
        )

    def _held(self, seat: int, card: str) -> int:
        piece = self.drawing.pieces.get(f"hand{seat}.{card}")
        return int(piece["count"]) if piece else 0

    def powers(self, card: str) -> int:
        """The viewer's thieves or kings."""
        return self._held(self.own, card)

    def owned(self, kind: str) -> int:
        """Copies that the viewer's seat has outside its collection."""
        return int(f"showcase{self.own}.{kind}" in self.drawing.pieces) + self._held(self.own, kind)

    def hand(self, seat: int) -> int:
        """Cards in a hand, known or not."""
        return sum(piece["count"] for piece in self.drawing.pieces_in(f"hand{seat}"))

    def safe(self, seat: int) -> tuple[int, str]:
        """How many cards a collection has, and how crowded it is."""
        lying = self.drawing.pieces_in(f"collection{seat}")
        heaps = sum(1 if one["face"] == "thief" else one["count"] // SET for one in lying)
        crowd = next((name for most, name in HEAPS if heaps < most), "most")
        return sum(one["count"] for one in lying), crowd

    def made_of(self, seat: int, line: Mapping[str, Any]) -> list[str]:
        """The ids of what makes a line of a seat's sheet."""
        piece_id, place_id = self.drawing.pid, self.drawing.lid
        pieces = [key for proof in line["evidence"] for key in proof["pieces"]]
        if pieces != [f"hand{seat}"]:
            return [piece_id(key) for key in pieces]
        if seat != self.drawing.me or self.stage == "over":
            return [place_id(pieces[0])]
        return [
            f"{piece_id(piece['key'])}-{number}"
            for piece in self.drawing.pieces_in(pieces[0])
            for number in range(piece["count"])
        ]

    # --- where things came from -----------------------------------------------------------------

    def _follow(self, event: Mapping[str, Any]) -> None:
        """Remember by which elements of the view before an event's cards came."""
        piece_id, place_id = self.drawing.pid, self.drawing.lid
        verb = event["key"].partition(".")[2]
        card = event["params"].get("card", {}).get("noun")
        source, goal = str(event.get("source")), f"{event.get('target')}.{card}"
        who = event["params"].get("who", {}).get("seat")
        if verb in ("draw", "drawn"):
            self._came[goal] = [place_id(source)]
        elif verb == "taken":
            self._came[goal] = [piece_id(f"{source}.{card}")]
        elif verb == "comes_up":
            mine = who == self.drawing.me
            self._came[event["piece"]] = [
                piece_id(f"{source}.{card}") + "-0" if mine else place_id(source)
            ]
        elif verb in ("complete", "trade"):
            held = piece_id(f"hand{who}.{card}") + "-0"
            mine = who == self.drawing.me
            given = [piece_id(f"showcase{who}.{card}"), held if mine else place_id(f"hand{who}")]
            shown = piece_id(f"{source}.{card}")
            self._came[event["piece"]] = [shown, *given] if verb == "trade" else [*given, given[1]]
        elif verb == "pay":
            self._came[f"{event['target']}.thief"] = [piece_id("played")]
        if verb.startswith("draw"):
            self._drew[who] = place_id(source)
        elif verb == "taken":
            self._drew[who] = piece_id(f"{source}.{card}")

    def came(self, key: str, number: int = 0) -> str:
        """The id from which a piece came, the n-th of its copies; empty if nobody knows."""
        found = self._came.get(key)
        return found[number % len(found)] if found else ""

    def drew(self, seat: int) -> str:
        """The id from which a seat's newest cards came."""
        return self._drew.get(seat, "at-deck")

    # --- words ----------------------------------------------------------------------------------

    def prompt(self) -> str:
        """What is to be done, or who is doing it."""
        say, view = self.drawing.words, self.drawing.view
        who = {"seat": self.party}
        if self.stage == "take":
            return say("table.take", player={"seat": self.giver})
        if self.stage == "act":
            groups = {choice["group"] for choice in view["choices"]}
            deeds = [
                say(f"table.do.{verb}") for verb in ("complete", "trade", "steal") if verb in groups
            ]
            return say("table.turn", deeds=", ".join(deeds)) if deeds else say("table.turn_only")
        if self.party is None:
            return say("table.nobody")
        return say("table.waiting_asked" if self.named else "table.waiting", who=who)

    def king_prompt(self) -> str:
        """What somebody reaches for."""
        faces = [{"noun": piece["face"]} for piece in self.named]
        verb = "steal" if self.is_theft else "take_two" if len(faces) > 1 else "take_one"
        params = {**self.drawing.view["prompt"]["params"], "card": faces[0], "other": faces[-1]}
        return self.drawing.words(f"table.king.{verb}", **params)

    def tells(self) -> Iterator[Tell]:
        """What each choice would bring, line by line."""
        for choice in self.drawing.view["choices"]:
            for icon, text in self._tell(choice):
                yield Tell(str(choice["action"]), icon, text)
        for key in self.grabs:
            yield Tell(kind_of(key), *self._gain(kind_of(key)))
        if self.grabs:
            yield Tell("pair", *self._asked({"seat": self.giver}))

    def _tell(self, choice: Choice) -> Iterator[tuple[str, str]]:
        say, params = self.drawing.words, choice["label"]["params"]
        verb = choice["variant"] or choice["notation"]
        kind = params.get("card", {}).get("noun", "")
        player = params.get("player") or self.drawing.view["prompt"]["params"].get("player")
        if verb == "complete":
            yield kind, say("table.tell.safe", value=self.worth[kind])
            if self.owned(kind) > SET:
                yield kind, say("table.tell.left", count=self.owned(kind) - SET)
        elif verb == "trade":
            yield kind, say("table.tell.gives", player=player, value=self.worth[kind])
            yield "i-swap", say("table.tell.then")
        elif verb == "steal":
            yield self._gain(kind)
            yield "thief", say("table.tell.pay", player=player)
            yield self._asked(player)
        elif verb == "take_one":
            yield self._gain(kind)
            yield self._asked(player)
        elif verb == "take hand":
            yield "back", say("table.tell.unseen", count=self.hand(player["seat"]))
        elif verb == "take none":
            yield "i-swap", say("table.tell.given")
        elif verb == "end":
            yield "back", say("table.tell.next", player={"seat": self.seats[1]})
        elif verb == "king":
            faces = [{"noun": piece["face"]} for piece in self.named]
            key = "keep_two" if len(faces) > 1 else "keep"
            yield faces[0]["noun"], say(f"table.tell.{key}", card=faces[0], other=faces[-1])
            key = "king_thief" if self.is_theft else "king_trade"
            yield "king", say(f"table.tell.{key}", player=player)
        elif verb == "allow":
            for piece in self.named:
                card, left = {"noun": piece["face"]}, self.owned(piece["face"]) - 1
                yield piece["face"], say("table.tell.lose", card=card, count=left)
            if self.is_theft:
                yield "thief", say("table.tell.paid")

    def _gain(self, kind: str) -> tuple[str, str]:
        count = self.owned(kind) + 1
        key = "have_set" if count >= SET else "have"
        value = self.worth[kind]
        return kind, self.drawing.words(
            f"table.tell.{key}", card={"noun": kind}, count=count, value=value
        )

    def _asked(self, player: Mapping[str, Any]) -> tuple[str, str]:
        return "king", self.drawing.words("table.tell.asked", player=player)


def kind_of(key: str) -> str:
    """The kind of a piece."""
    return key.partition(".")[2]


make = Wreck

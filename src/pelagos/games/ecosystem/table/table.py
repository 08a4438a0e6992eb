"""What Ecosystem's own table shows, worked out of one viewer's message."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pelagos.games.ecosystem.frame import COLUMNS, ROWS
from pelagos.games.ecosystem.state import SPECIES, TIM
from pelagos.games.ecosystem.table.cards import FORMULAS, GROUP_OF, RULE_NUMBERS
from pelagos.games.ecosystem.table.frame import At
from pelagos.games.ecosystem.table.reef import Reefs
from pelagos.games.ecosystem.table.score import CHAIN, OTHER_COLOUR, Score

if TYPE_CHECKING:
    from pelagos.web.drawing import Drawing

DRAWS = ("others", "sheets", "facts", "log", "seats", "prompt", "loose")
FITS = True
TOLD_BY_ART = ("take", "place", "swap")
REVEALS = ("take",)
SOUNDS = {"place": "lay"}

FEW = 3
"""Players whose reefs all have room beside the own one."""
SIGNS = {"lift": "act-octopus", "flip": "act-whale"}
"""Symbols before the prompt, where no card is to be laid."""
ROW_OF_CARDS = 5
"""Cards of the hand side by side; with more there are two rows."""
SIDES_SET = {(True, True): "frame_set", (True, False): "rows_set", (False, True): "columns_set"}
"""The words for a reef whose rows or columns are set."""

SYMBOLS = {**CHAIN, "bonus": "i-chain"}
"""Symbols of things that have another name."""

Piece = Mapping[str, Any]
Choice = Mapping[str, Any]


def make(drawing: Drawing) -> Table:
    """What the templates ask for as `made`."""
    return Table(drawing)


def symbol(face: str) -> str | None:
    """The symbol of a group of the food chain, or of the chain itself."""
    return SYMBOLS.get(face)


class Table:
    """One message's table: the question, the reefs, the hand, the points."""

    group = staticmethod(GROUP_OF.__getitem__)
    formula = staticmethod(FORMULAS.__getitem__)

    def __init__(self, drawing: Drawing) -> None:
        self._drawing = drawing
        self._words = drawing.words
        view = self._view = drawing.view
        self.own: int = drawing.near
        """Whose reef lies in the middle: the viewer's, or the first seat's."""
        self.own_grid = f"grid{self.own}"
        self.solo: bool = view["players"] == 1
        self.stage: str = view["prompt"]["key"].rpartition(".")[2].removesuffix("_tim")
        """What the viewer is asked: take, place, lift, drop, give, flip; or wait, over."""
        asked = view["choices"][0]["place"] if self.stage == "flip" and view["choices"] else None
        self.grid: str = asked or self.own_grid
        """The reef to play on: the viewer's own, or Tim's while his whales act."""
        self.taken: Piece | None = drawing.pieces.get(f"chosen{self.own}")
        lifted = (piece for piece in view["pieces"] if "lifted" in piece["marks"])
        self.lifted: Piece | None = next(lifted, None) if self.stage == "drop" else None
        self.ahead = self._sent_ahead()
        self.reefs = Reefs(drawing, self.own_grid, self.grid, self.ahead)
        self.score = Score(drawing, self.own)

    def _sent_ahead(self) -> At | None:
        """The cell that was sent ahead for the card that is taken."""
        planned = self._drawing.planned if self.stage == "wait" and self.taken else []
        cells = (choice["at"] for choice in planned if choice["group"] == "place")
        at = next(cells, None)
        return None if at is None else (at[0], at[1])

    # --- the others -------------------------------------------------------------------------------

    @property
    def rivals(self) -> list[int]:
        """The other seats as they sit around the table, the left neighbour first."""
        return self._drawing.own_first[1:]

    @property
    def few(self) -> bool:
        """Is there room for the others' reefs beside the own one?"""
        return len(self._drawing.names) <= FEW

    def receives(self, who: int | str) -> str:
        """The sign on the chip of whoever gets the rest of the hand: to which side it goes."""
        receiver = self._view["facts"].get("goes_to", {})
        if who not in receiver.values():
            return ""
        return "i-left" if self._view["facts"]["direction"]["key"] == "fact.left" else "i-right"

    @property
    def rival(self) -> dict[str, Any] | None:
        """Whoever plays along without a seat, Tim or the neutral hand: name, colour, cards, does
        it sit at the left; and the reef that is not played on.
        """
        if not self.solo and "neutral" not in self._drawing.places:
            return None
        pieces = self._drawing.pieces_in(f"grid{TIM}" if self.solo else "neutral")
        return {
            "noun": "tim" if self.solo else "neutral",
            "seat": OTHER_COLOUR,
            "cards": sum(piece["count"] for piece in pieces),
            "leads": self.own == self._view["players"] - 1,
            "grid": f"grid{TIM}" if self.grid == self.own_grid else self.own_grid,
        }

    # --- the question -----------------------------------------------------------------------------

    @property
    def sign(self) -> str:
        """The symbol before the prompt: what is to be laid, or who acts."""
        laid = {"place": self.taken, "drop": self.lifted}.get(self.stage)
        return laid["face"] if laid else SIGNS.get(self.stage, "")

    @property
    def notes(self) -> str:
        """Lines of the sheet whose gain isn't certain, with the reason, for the script."""
        floats = self._drawing.places[self.own_grid]["rows"] < ROWS
        notes = {"coral": self._words("table.coral_note")} if floats else {}
        return json.dumps(notes, ensure_ascii=False)

    def button_words(self, choice: Choice) -> str:
        """What the large button says: the move, without numbers of cells."""
        there = self._card_at(choice)
        if self.stage == "take":
            return self._words("table.keep", card=choice["label"]["params"]["card"])
        if self.stage == "flip":
            return self._words("table.turn", card=choice["label"]["params"]["card"])
        if self.stage == "lift" and there:
            return self._words("table.lift", card={"noun": there["face"]})
        if there and self.lifted:
            cards = {"card": {"noun": self.lifted["face"]}, "other": {"noun": there["face"]}}
            return self._words("table.swap", **cards)
        laid = self.taken if self.stage == "place" else self.lifted
        if laid:
            return self._words("table.lay", card={"noun": laid["face"]})
        return self._drawing.say(choice["label"])

    def _card_at(self, choice: Choice) -> Piece | None:
        """The card on the cell that a choice points at."""
        cards = self._drawing.pieces_in(choice["place"]) if choice["at"] is not None else []
        return next((piece for piece in cards if piece["at"] == choice["at"]), None)

    def tip(self, choice: Choice) -> str:
        """What to know of a choice: what it brings Tim, its card's rule, or what it asks next."""
        if choice.get("elsewhere"):
            return ", ".join(map(self._drawing.say, choice["elsewhere"]))
        if choice["group"] in ("take", "give"):
            return self.rule(choice["label"]["params"]["card"]["noun"])
        asks = ", ".join(map(self._drawing.say, choice["asks"]))
        return self._words("table.then", what=asks) if asks else ""

    def rule(self, face: str) -> str:
        """A species' rule in words."""
        return self._words(f"table.rule.{face}", **RULE_NUMBERS[face])

    @property
    def begins(self) -> bool:
        """Is the first card still to be taken?"""
        return self.stage == "take" and not self._drawing.pieces_in(self.own_grid)

    @property
    def caption(self) -> str:
        """How far the own reef is, and which of its sides are set."""
        place = self._drawing.places[self.own_grid]
        laid, whole = len(self._drawing.pieces_in(self.own_grid)), ROWS * COLUMNS
        words = self._words("table.laid", count=laid, whole=whole)
        if not 0 < laid < whole:
            return words
        key = SIDES_SET.get((place["rows"] == ROWS, place["columns"] == COLUMNS), "floats")
        return f"{words} {self._words(f'table.{key}', rows=ROWS, columns=COLUMNS)}"

    # --- the hand ---------------------------------------------------------------------------------

    @property
    def hand(self) -> list[dict[str, Any]]:
        """The hand: another one each turn, from whoever passed it on. The last card of its species
        leaves its place empty when it is taken, so that no other card moves.
        """
        if "hand" not in self._drawing.places:
            return []
        giver = self._view["facts"].get("comes_from", {})
        source = f"seat-{giver.get('seat', giver.get('noun', ''))}" if giver else ""
        held = {card["face"]: card for card in self._drawing.pieces_in("hand")}
        for face in self._taken_this_turn():
            held.setdefault(face, {"key": f"hand.{face}", "face": face, "count": 0})
        cards = sorted(held.values(), key=lambda card: SPECIES.index(card["face"]))
        return [{**card, "id": self.card_id(card["face"]), "from": source} for card in cards]

    def _taken_this_turn(self) -> list[str]:
        """The species of the card that was taken, laid or not."""
        if self.taken:
            return [self.taken["face"]]
        laid = self._drawing.pieces_in(self.own_grid)
        if len(laid) < self._view["facts"]["turn"]:
            return []
        return [max(laid, key=lambda card: int(card["key"].rpartition(".")[2]))["face"]]

    @property
    def shape(self) -> str:
        """The classes of the hand's rows and columns."""
        stacks = max(1, len(self.hand))
        rows = -(-stacks // ROW_OF_CARDS)
        return f"rows-{rows} cols-{-(-stacks // rows)}"

    def card_id(self, face: str) -> str:
        """The id of a card of this turn's hand."""
        return f"{self._drawing.pid(f'hand.{face}')}-{self._view['facts']['turn']}"

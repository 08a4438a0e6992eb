"""A reef on the page: its cards, what may be done on its cells, and what they are called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pelagos.games.ecosystem.frame import cell_words
from pelagos.games.ecosystem.table.cards import TOGETHER
from pelagos.games.ecosystem.table.frame import WHOLE, At, Frame, frame_around

if TYPE_CHECKING:
    from pelagos.web.drawing import Drawing

Card = Mapping[str, Any]
Choice = Mapping[str, Any]
Cards = Mapping[At, Card]


class Reefs:
    """The reefs that one message tells."""

    def __init__(self, drawing: Drawing, own: str, asked: str, ahead: At | None) -> None:
        """`own` is the viewer's grid, `asked` the one to play on, `ahead` a cell that was sent
        ahead for the card that is taken.
        """
        self._drawing = drawing
        self._words = drawing.words
        self._view = drawing.view
        self._own, self._asked, self._ahead = own, asked, ahead
        self._points = self._points_of_cards()

    def _points_of_cards(self) -> dict[str, int]:
        """What each laid card scores; a group's points stand on its first card."""
        points: dict[str, int] = {}
        for sheet in self._view["sheets"]:
            for line in sheet["lines"]:
                for proof in line["evidence"]:
                    for card in proof["pieces"][:1]:
                        points[card] = points.get(card, 0) + proof["points"]
        return points

    # --- cards ------------------------------------------------------------------------------------

    def points(self, card: Card) -> int | None:
        """The number on a laid card; None where cards score together, and this isn't the first."""
        if card["face"] in TOGETHER or "down" in card["marks"]:
            return self._points.get(card["key"])
        return self._points.get(card["key"], 0)

    def _card_words(self, card: Card) -> str:
        """A laid card, to be heard: its name, its points, its marks."""
        parts = [self._drawing.noun(card["face"])]
        if card["key"] in self._points and "down" not in card["marks"]:
            parts.append(self._words("table.points", count=self._points[card["key"]]))
        return ", ".join(parts + [self._words(f"mark.{mark}") for mark in card["marks"]])

    # --- a reef -----------------------------------------------------------------------------------

    def reef(self, key: str) -> dict[str, Any]:
        """A reef in its frame; with what may be done there if it is the one to play on."""
        drawing, whole = self._drawing, key == self._asked
        place, cards = drawing.places[key], {_at(card): card for card in drawing.pieces_in(key)}
        frame = self._frame(key, cards, grows=whole and not self._view["over"])
        count = self._words("table.cards", count=len(cards))
        return {
            "id": drawing.lid(key),
            "label": f"{drawing.say(place['label'])}, {count}",
            "box": (place["rows"], place["columns"]) if cards else None,
            "frame": frame,
            "rows": [[self._spot(key, at, cards, whole) for at in row] for row in frame.cells],
        }

    def _frame(self, key: str, cards: Cards, grows: bool) -> Frame:
        if self._view["players"] == 1 and key != self._own:
            return WHOLE
        # a card that was laid since the hands moved moves no other one
        newest = f"{self._own.replace('grid', 'card')}.{self._view['facts']['turn']}"
        settled = [at for at, card in cards.items() if card["key"] != newest]
        here = [choice for choice in self._view["choices"] if choice["place"] == key]
        shown = [*cards, *(_at(choice) for choice in here if choice["at"])]
        return frame_around(settled, shown, grows)

    def _spot(self, key: str, at: At, cards: Cards, whole: bool) -> dict[str, Any]:
        """One cell: its card, its choices, and what they are called."""
        card, cell = cards.get(at), f"{at[0]},{at[1]}"
        choices = self._drawing.choices_at(key, at) if whole else []
        later = whole and not card and at in self._later
        words = self._card_words(card) if card else self._words("table.empty")
        return {
            "at": cell,
            "kind": _kind(at, cards, choices, self._best),
            "card": card,
            "aid": whole and not card,
            "choices": choices,
            "words": "" if choices and not card else self._cell_words(at, cards, words),
            "label": self._choice_words(choices[0], at, cards) if choices else "",
            "gain": choices[0]["gain"] if choices and key == self._own else None,
            "later": self._words("table.lay_here") + self._beside(at, cards) if later else "",
            "ahead": whole and at == self._ahead,
        }

    def _cell_words(self, at: At, cards: Cards, words: str) -> str:
        """A cell, to be heard: where it is, if the reef reaches so far, and what lies there."""
        rows, columns = ({cell[side] for cell in cards} for side in (0, 1))
        inside = at[0] in rows and at[1] in columns
        return f"{self._drawing.say(cell_words(*at))}: {words}" if inside else words

    def _choice_words(self, choice: Choice, at: At, cards: Cards) -> str:
        """A choice on a cell, to be heard: what it does, and what lies there."""
        words = self._drawing.told_apart(choice)
        return words + (
            f": {self._card_words(cards[at])}" if at in cards else self._beside(at, cards)
        )

    def _beside(self, at: At, cards: Cards) -> str:
        """The cards beside a cell, to be heard."""
        row, column = at
        around = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
        near = [self._drawing.noun(cards[cell]["face"]) for cell in around if _is_up(cards, cell)]
        return f", {self._words('table.beside', cards=', '.join(near))}" if near else ""

    @cached_property
    def _best(self) -> int:
        """What the best choice brings; where none brings anything, more than any does."""
        gains = (choice["gain"] or 0 for choice in self._view["choices"])
        return max(1, max(gains, default=0))

    @cached_property
    def _later(self) -> set[At]:
        """Where a card of the hand may be laid once it is taken."""
        choices = self._view["choices"]
        return {_at(sequel) for choice in choices for sequel in self._drawing.followers(choice)}


def _at(pointed: Mapping[str, Any]) -> At:
    """The cell of a card or of a choice."""
    return pointed["at"][0], pointed["at"][1]


def _kind(at: At, cards: Cards, choices: Sequence[Choice], best: int) -> str:
    """A cell's classes."""
    row, column = at
    kinds = {
        "has-card": at in cards,
        "can": bool(choices),
        "best": any(choice["gain"] == best for choice in choices),
        "joins-right": _is_krill(cards, at) and _is_krill(cards, (row, column + 1)),
        "joins-below": _is_krill(cards, at) and _is_krill(cards, (row + 1, column)),
    }
    return " ".join(["spot", *(kind for kind, holds in kinds.items() if holds)])


def _is_up(cards: Cards, at: At) -> bool:
    """Does a card lie there face up?"""
    return at in cards and "down" not in cards[at]["marks"]


def _is_krill(cards: Cards, at: At) -> bool:
    """Does krill lie there face up?"""
    return _is_up(cards, at) and cards[at]["face"] == "krill"

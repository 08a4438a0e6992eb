"""The aid: whatever lies on a table explains itself, as far as the asker may know.

What is asked about is named by a word: `piece:<key>`, `cell:<place>:<row>,<column>`,
`slot:<place>:<face>` (where a thing lies or would lie), `place:<key>`, `line:<key>` (of the asker's
sheet, or `line:<key>:<seat>`; several together as `line:<key>+<key>`), `thing:<face>` (a card,
symbol or part as such) or `choice:<action>`. An answer tells its rule, its worth now by the
evidence of the sheets, what would make it worth more, and why it can't be chosen.

A game's module `aid`, if it has one, knows more; see docs/contract.md. All of it is made of the
asker's view and of a world that looks the same to the asker: what is hidden can't be told.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypedDict

from pelagos.engine.game import Game
from pelagos.engine.match import SPECTATOR, Match
from pelagos.engine.types import Record
from pelagos.engine.view import Choice, Piece, Place, Text, View, text
from pelagos.engine.words import words

if TYPE_CHECKING:
    from pelagos.engine.position import Position

MOST_HELPS = 3
"""Ways to make something worth more that an answer tells."""
_SEEN = b"aid"
"""The seed of the world that stands for what the asker doesn't know."""

Named = Mapping[str, Any]
"""A noun, a seat or a text, as parameters of texts are."""


class Worth(TypedDict):
    """Points that something makes now, or helps to make."""

    points: int
    reason: Text
    line: str
    """The line of the sheet they are on."""
    seat: int
    own: bool
    """Are they its own? Else it helps another piece to them."""
    pieces: list[str]
    """The other pieces that they depend on."""


class Help(TypedDict):
    """What would make something worth more."""

    points: int
    reason: Text
    faces: list[str]
    """The things that would do it."""
    held: list[str]
    """Those of them that the asker holds."""
    pieces: list[str]
    cells: list[str]
    """Where, as `<place>:<row>,<column>`."""


class Part(TypedDict):
    """What something carries, and its rule."""

    face: str
    rule: Text


class Aid(TypedDict):
    """An explanation."""

    of: str
    face: str
    name: Named
    kind: Named | None
    rule: Text | None
    parts: list[Part]
    """Symbols that it carries, each with its rule."""
    now: list[Worth]
    more: list[Help]
    can: bool
    """May it be chosen now?"""
    why: Text | None
    """Why it can't be chosen now."""


class Group(TypedDict):
    """Things of one sort, for the sheet of all."""

    name: Text
    things: list[str]


@dataclass(frozen=True)
class Inquiry:
    """What is asked about, found in the asker's view."""

    of: str
    view: View
    seen: Position
    """A world that looks the same to the asker."""
    face: str = ""
    piece: Piece | None = None
    place: Place | None = None
    at: tuple[int, int] | None = None
    line: str = ""
    """A line of the sheet; the first of `lines`, where a row of the sheet sums up several."""
    lines: tuple[str, ...] = ()
    choice: Choice | None = None
    owner: int | None = None
    """The seat whose thing or line it is."""

    @property
    def game(self) -> Record:
        """The state, cut to what the asker may know."""
        return self.seen.record

    @property
    def pack(self) -> Record:
        """The material."""
        return self.seen.pack_record

    @property
    def viewer(self) -> int:
        """The asker's seat; -1 for a spectator."""
        seat = self.view["viewer"]
        return SPECTATOR if seat is None else seat

    @property
    def asked(self) -> bool:
        """Does the asker owe a decision?"""
        return bool(self.view["choices"])

    def reason_keys(self) -> list[str]:
        """Under which keys the view may tell why it can't be chosen, the most special first."""
        keys = [self.piece["key"]] if self.piece else []
        if self.place:
            if self.face and not self.piece:
                keys.append(f"{self.place['key']}.{self.face}")
            if self.at:
                keys.append(f"{self.place['key']}:{self.at[0]},{self.at[1]}")
            keys.append(self.place["key"])
        return keys

    def choices(self) -> list[Choice]:
        """The choices that point at it."""
        if self.choice:
            return [self.choice]
        return [choice for choice in self.view["choices"] if self._is_of(choice)]

    def _is_of(self, choice: Choice) -> bool:
        here = self.place is not None and choice["place"] == self.place["key"]
        if here and self.at is not None and choice["at"] is not None:
            return tuple(choice["at"]) == self.at
        if here and choice["piece"] is None and choice["at"] is None:
            return True
        if self.piece is None:
            return False
        key = self.piece["key"]
        return key in (choice["piece"], f"{choice['place']}.{choice['variant']}")


def worth(
    points: int,
    reason: Text,
    line: str,
    seat: int,
    pieces: Iterable[str] = (),
    own: bool = True,
) -> Worth:
    """Points that something makes now."""
    return {
        "points": points,
        "reason": reason,
        "line": line,
        "seat": seat,
        "own": own,
        "pieces": list(pieces),
    }


def help_by(
    points: int,
    reason: Text,
    *,
    faces: Iterable[str] = (),
    held: Iterable[str] = (),
    pieces: Iterable[str] = (),
    cells: Iterable[str] = (),
) -> Help:
    """What would make something worth more."""
    return {
        "points": points,
        "reason": reason,
        "faces": list(faces),
        "held": list(held),
        "pieces": list(pieces),
        "cells": list(cells),
    }


@cache
def aid_part(game: Game) -> ModuleType | None:
    """The game's own module `aid`; None if it has none."""
    spec = importlib.util.find_spec(f"{game.package}.aid")
    return None if spec is None else game.part("aid")


# --- answering ------------------------------------------------------------------------------------


class Explainer:
    """Explains what one viewer sees of a position."""

    def __init__(
        self,
        match: Match,
        viewer: int | None,
        options: Mapping[str, bool] | None = None,
        previews: bool = True,
    ) -> None:
        """Without `previews` it isn't told what would bring more."""
        self._match = match
        self._previews = previews
        self._view = match.view(viewer, previews=previews, options=options)
        self._seen = match.redeal(SPECTATOR if viewer is None else viewer, _SEEN)

    def explain(self, of: str) -> Aid | None:
        """What may be told of a thing; None if there is no such thing in the view."""
        game = self._match.game
        inquiry = _find(self._match, self._view, self._seen, of)
        if inquiry is None:
            return None
        can = bool(inquiry.choices())
        more = _own_answer(game, "more", inquiry, _more) if self._previews else []
        return {
            "of": of,
            "face": inquiry.face,
            "name": _name(game, inquiry),
            "kind": _kind(game, inquiry),
            "rule": rule_of(game, inquiry),
            "parts": _own_answer(game, "parts", inquiry, lambda _: []),
            "now": _own_answer(game, "now", inquiry, by_evidence),
            "more": _best(more),
            "can": can,
            "why": None if can else why_not(game, inquiry),
        }


def explain(
    match: Match,
    viewer: int | None,
    of: str,
    options: Mapping[str, bool] | None = None,
    previews: bool = True,
) -> Aid | None:
    """What this viewer may be told of a thing; see `Explainer`."""
    return Explainer(match, viewer, options, previews).explain(of)


def all_things(match: Match) -> list[Group]:
    """The sheet of all: everything that the game's aid explains, group by group."""
    part = aid_part(match.game)
    if part is not None and hasattr(part, "things"):
        groups: list[Group] = part.things(match.position.pack_record)
        return groups
    rules = words(match.game, "en").table.get("rule", {})
    things = [face for face, entry in rules.items() if face != "line" and entry]
    return [{"name": text("aid.things"), "things": things}] if things else []


def _own_answer(game: Game, name: str, inquiry: Inquiry, usual: Any) -> Any:
    """What the game's module says, or else what the engine can tell of any game."""
    ask = getattr(aid_part(game), name, None)
    answer = None if ask is None else ask(inquiry)
    return usual(inquiry) if answer is None else answer


def _find(match: Match, view: View, seen: Position, of: str) -> Inquiry | None:
    sort, _, rest = of.partition(":")
    finder = _FINDERS.get(sort)
    return None if finder is None else finder(match, view, seen, of, rest)


def _find_piece(match: Match, view: View, seen: Position, of: str, rest: str) -> Inquiry | None:
    piece = next((piece for piece in view["pieces"] if piece["key"] == rest), None)
    if piece is None:
        return None
    place = _place(view, piece["place"])
    at = None if piece["at"] is None else (piece["at"][0], piece["at"][1])
    owner = None if place is None else place["seat"]
    return Inquiry(of, view, seen, piece["face"] or "", piece, place, at, owner=owner)


def _find_cell(match: Match, view: View, seen: Position, of: str, rest: str) -> Inquiry | None:
    key, _, cell = rest.rpartition(":")
    place = _place(view, key)
    row, comma, column = cell.partition(",")
    if place is None or not comma or not _is_number(row) or not _is_number(column):
        return None
    at = (int(row), int(column))
    for piece in view["pieces"]:
        if piece["place"] == key and piece["at"] is not None and tuple(piece["at"]) == at:
            return _find_piece(match, view, seen, of, piece["key"])
    return Inquiry(of, view, seen, place=place, at=at, owner=place["seat"])


def _find_slot(match: Match, view: View, seen: Position, of: str, rest: str) -> Inquiry | None:
    key, _, face = rest.rpartition(":")
    inquiry = _find_piece(match, view, seen, of, f"{key}.{face}")
    place = _place(view, key)
    if inquiry is not None or place is None or not _is_thing(match, face):
        return inquiry
    return Inquiry(of, view, seen, face, place=place, owner=place["seat"])


def _is_thing(match: Match, face: str) -> bool:
    """Is it on the sheet of all, or a card that the game explains beside it?"""
    cards = getattr(aid_part(match.game), "cards", None)
    if any(face in group["things"] for group in all_things(match)):
        return True
    return cards is not None and face in cards(match.position.pack_record)


def _find_place(match: Match, view: View, seen: Position, of: str, rest: str) -> Inquiry | None:
    place = _place(view, rest)
    return None if place is None else Inquiry(of, view, seen, place=place, owner=place["seat"])


def _find_line(match: Match, view: View, seen: Position, of: str, rest: str) -> Inquiry | None:
    key, _, seat = rest.partition(":")
    own = 0 if view["viewer"] is None else view["viewer"]
    owner = int(seat) if seat.isdecimal() and int(seat) < view["players"] else own
    lines = tuple(key.split("+"))
    if not set(lines) <= set(seen.lines):
        return None
    return Inquiry(of, view, seen, line=lines[0], lines=lines, owner=owner)


def _find_thing(match: Match, view: View, seen: Position, of: str, rest: str) -> Inquiry | None:
    if not _is_thing(match, rest):
        return None
    return Inquiry(of, view, seen, rest, owner=view["viewer"])


def _find_choice(match: Match, view: View, seen: Position, of: str, rest: str) -> Inquiry | None:
    choice = next((choice for choice in view["choices"] if str(choice["action"]) == rest), None)
    if choice is None:
        return None
    place = _place(view, choice["place"] or "")
    at = None if choice["at"] is None else (choice["at"][0], choice["at"][1])
    piece = next((piece for piece in view["pieces"] if _is_pointed_at(piece, choice)), None)
    face = (piece["face"] or "") if piece else ""
    return Inquiry(of, view, seen, face, piece, place, at, choice=choice, owner=view["viewer"])


def _is_pointed_at(piece: Piece, choice: Choice) -> bool:
    """Does the choice point at the piece: does it lie on its cell, or else is it named?"""
    if choice["at"] is not None:
        return piece["place"] == choice["place"] and piece["at"] == choice["at"]
    return piece["key"] == choice["piece"]


_FINDERS = {
    "piece": _find_piece,
    "cell": _find_cell,
    "slot": _find_slot,
    "place": _find_place,
    "line": _find_line,
    "thing": _find_thing,
    "choice": _find_choice,
}


def _place(view: View, key: str) -> Place | None:
    return next((place for place in view["places"] if place["key"] == key), None)


def _is_number(digits: str) -> bool:
    return digits.removeprefix("-").isdecimal() and len(digits) < 4


# --- name, kind, rule -----------------------------------------------------------------------------


def _name(game: Game, inquiry: Inquiry) -> Named:
    ask = getattr(aid_part(game), "name", None)
    own: Named | None = None if ask is None else ask(inquiry)
    if own is not None:
        return own
    if inquiry.line:
        return text(f"line.{inquiry.line}")
    if inquiry.face:
        return {"noun": inquiry.face}
    if inquiry.piece is not None:
        return text("aid.hidden")
    if inquiry.choice is not None:
        return inquiry.choice["label"]
    if inquiry.at is not None:
        return text("aid.cell")
    assert inquiry.place is not None
    return inquiry.place["label"]


def _kind(game: Game, inquiry: Inquiry) -> Named | None:
    ask = getattr(aid_part(game), "kind", None)
    own: Named | None = None if ask is None else ask(inquiry)
    if own is not None:
        return own
    if inquiry.line:
        return text("aid.line")
    place = inquiry.place
    theirs = place is not None and place["seat"] not in (None, inquiry.view["viewer"])
    return place["label"] if place is not None and theirs else None


def rule_of(game: Game, inquiry: Inquiry) -> Text | None:
    """Its rule in a sentence: what the game's module tells, else the words `rule.<face>`."""
    ask = getattr(aid_part(game), "rule", None)
    own: Text | None = None if ask is None else ask(inquiry)
    if own is not None:
        return own
    key = f"rule.line.{inquiry.line}" if inquiry.line else f"rule.{inquiry.face}"
    if words(game, "en").has(key):
        return text(key)
    return text("aid.unseen") if inquiry.piece is not None and not inquiry.face else None


# --- worth ----------------------------------------------------------------------------------------


def by_evidence(inquiry: Inquiry) -> list[Worth]:
    """By the evidence of the sheets: the points of a line, or those that a piece has part in."""
    sheets = inquiry.view.get("standing", inquiry.view["sheets"])
    made: list[Worth] = []
    for sheet in sheets:
        for line in sheet["lines"]:
            for proof in line["evidence"]:
                pieces = proof["pieces"]
                if inquiry.line:
                    if line["key"] not in inquiry.lines or sheet["seat"] != inquiry.owner:
                        continue
                    others = pieces
                elif inquiry.piece is not None and inquiry.piece["key"] in pieces:
                    others = [key for key in pieces if key != inquiry.piece["key"]]
                else:
                    continue
                own = bool(inquiry.line) or pieces[0] == inquiry.piece["key"]  # type: ignore[index]
                own = own or line["key"] == inquiry.face
                made.append(
                    worth(proof["points"], proof["reason"], line["key"], sheet["seat"], others, own)
                )
    return sorted(made, key=lambda worth: not worth["own"])


def _more(inquiry: Inquiry) -> list[Help]:
    """By the previews of what may be chosen now."""
    if inquiry.line:
        if inquiry.owner != inquiry.viewer:
            return []
        lines = set(inquiry.lines)
        choices = inquiry.view["choices"]
    else:
        lines = set()
        choices = inquiry.choices()
    helps = []
    for choice in choices:
        changes = [change["points"] for change in choice["receipt"] if change["key"] in lines]
        points = sum(changes) if lines else choice["gain"] or 0
        if points > 0:
            cells = [] if choice["at"] is None else [_cell(choice["place"], choice["at"])]
            pieces = [choice["piece"]] if choice["piece"] else []
            helps.append(help_by(points, choice["label"], pieces=pieces, cells=cells))
    return helps


def _cell(place: str | None, at: Sequence[int]) -> str:
    return f"{place}:{at[0]},{at[1]}"


def _best(helps: Sequence[Help]) -> list[Help]:
    """The best few, those that the asker can do at once before others."""
    return sorted(helps, key=lambda improvement: (not improvement["held"], -improvement["points"]))[
        :MOST_HELPS
    ]


# --- why not --------------------------------------------------------------------------------------


def why_not(game: Game, inquiry: Inquiry) -> Text | None:
    """Why it can't be chosen now; None for what is never chosen."""
    if inquiry.line or (inquiry.piece is None and inquiry.place is None):
        return None
    if inquiry.viewer == SPECTATOR:
        return None
    if inquiry.view["over"]:
        return text("aid.over")
    ask = getattr(aid_part(game), "why", None)
    own: Text | None = None if ask is None else ask(inquiry)
    if own is not None:
        return own
    reasons = inquiry.view["why"]
    reason = next((reasons[key] for key in inquiry.reason_keys() if key in reasons), None)
    if reason is None and not inquiry.asked:
        return text("aid.wait")
    return reason

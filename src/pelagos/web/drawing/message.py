"""The message that is drawn, sorted: whose eyes, which words, what lies where."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pelagos.engine.game import find_game
from pelagos.engine.view import text
from pelagos.engine.words import Words, named_words, words
from pelagos.web.art import art_names
from pelagos.web.drawing.ids import in_id, piece_id, place_id
from pelagos.web.own_table import SERVED, OwnTable, own_table
from pelagos.web.reader import Reader, own_words

NEWEST = 12
"""Events whose pieces are shown coming from where they were."""

Choice = Mapping[str, Any]
Piece = Mapping[str, Any]
Place = Mapping[str, Any]
Cell = tuple[str, int, int]
"""A place, a row, a column."""


def names_of(seats: Sequence[Mapping[str, Any]], language: str, ui: Words) -> list[str]:
    """The seats' names for this reader."""
    return [
        seat.get("names", {}).get(language)
        or seat["name"]
        or ui.text("seat.empty", {"number": number + 1})
        for number, seat in enumerate(seats)
    ]


class SortedMessage:
    """One message for one reader."""

    pid = staticmethod(piece_id)
    lid = staticmethod(place_id)

    def __init__(self, message: Mapping[str, Any], reader: Reader) -> None:
        self.message = message
        self.reader = reader
        self.view: Mapping[str, Any] = message["view"] or {}
        self.about: Mapping[str, Any] = message["table"]
        self.own: Mapping[str, Any] = message["own"] or {}
        if self.own.get("ordered"):  # a standing order answers: nobody is asked
            self.view = {**self.view, "choices": [], "prompt": text("prompt.wait")}
        self.me: int | None = self.own.get("seat")
        self.you: int | None = None if message.get("replay") else self.me
        """The seat that is spoken to; in a replay all are spoken of."""
        self.near: int = message.get("near", 0) if self.me is None else self.me
        """Whose board is near: the viewer's own; who watches may choose."""
        self.game = find_game(self.about["game"])
        self.ui = own_words(reader.language)
        pack_names = self.about["pack"].get("names", {}).get(reader.language)
        self.said = (
            named_words(self.game, reader.language, pack_names)
            if pack_names
            else words(self.game, reader.language)
        )
        self.names = names_of(self.about["seats"], reader.language, self.ui)
        self.winners: Sequence[int] = self.view.get("winners", ())
        self.past: Sequence[Sequence[int]] = self.about.get("past", ())
        """Who won the games that were played at this table before."""
        self.pieces: dict[str, Piece] = {}
        self.places: dict[str, Place] = {}
        self.loose: list[Choice] = []
        """Choices that point at nothing on the table."""
        self._in_place: dict[str, list[Piece]] = defaultdict(list)
        self._on_piece: dict[str, list[Choice]] = defaultdict(list)
        self._on_place: dict[str, list[Choice]] = defaultdict(list)
        self._on_cell: dict[Cell, list[Choice]] = defaultdict(list)
        self._sources: dict[str, str] = {}
        if self.view:
            self._sort()

    # --- sorting --------------------------------------------------------------------------------

    def _sort(self) -> None:
        view = self.view
        self.places = {place["key"]: place for place in view["places"]}
        for piece in view["pieces"]:
            self.pieces[piece["key"]] = piece
            self._in_place[piece["place"]].append(piece)
        for choice in view["choices"]:
            self._attach(choice)
        for event in view["events"][-NEWEST:]:
            if event.get("piece") and event.get("source"):
                self._sources[event["piece"]] = event["source"]

    def _attach(self, choice: Choice) -> None:
        """Find what a choice points at."""
        place, at, piece = choice["place"], choice["at"], choice["piece"]
        if place in self.places and at is not None and self.has_cells(self.places[place]):
            self._on_cell[place, at[0], at[1]].append(choice)
        elif piece in self.pieces:
            self._on_piece[piece].append(choice)
            other = f"{place}.{choice['variant']}"
            if other != piece and other in self.pieces:
                self._on_piece[other].append(choice)
        elif place in self.places:
            self._on_place[place].append(choice)
        else:
            self.loose.append(choice)

    def has_cells(self, place: Place) -> bool:
        """Is the place drawn as a grid?"""
        return bool(
            (place["rows"] and place["columns"])
            or place["kind"] in ("grid", "board")
            or any(piece["at"] is not None for piece in self._in_place[place["key"]])
        )

    # --- looking things up ----------------------------------------------------------------------

    @property
    def own_table(self) -> OwnTable | None:
        """The game's own table, unless the reader likes the plain one."""
        return own_table(self.game.id) if self.view and not self.reader.plain else None

    @property
    def own_files(self) -> list[str]:
        """The style and script that the game's own table needs."""
        table = None if self.reader.plain else own_table(self.game.id)
        return [] if table is None else [name for name in SERVED if table.file(name)]

    @property
    def title(self) -> str:
        """The game's name."""
        return self.game.titles[self.reader.language]

    @property
    def own_first(self) -> list[int]:
        """The seats, the one that is near first."""
        first, count = self.near, len(self.names)
        return [(first + step) % count for step in range(count)]

    def choices_at(self, key: str, at: Sequence[int] | None = None) -> list[Choice]:
        """The choices on a piece, a place, or a cell of a place."""
        if at is not None:
            return self._on_cell.get((key, at[0], at[1]), [])
        return self._on_piece.get(key, []) or self._on_place.get(key, [])

    def pieces_in(self, place: str) -> list[Piece]:
        """What lies at a place."""
        return self._in_place.get(place, [])

    def ids(self, keys: Iterable[str]) -> str:
        """The ids of those of some pieces that lie on the table."""
        return " ".join(dict.fromkeys(piece_id(key) for key in keys if key in self.pieces))

    def source(self, piece: str) -> str:
        """Where a piece came from just now: an element's id, or nothing."""
        place = self._sources.get(piece)
        return place_id(place) if place else ""

    # --- words ----------------------------------------------------------------------------------

    def say(self, text: Mapping[str, Any]) -> str:
        """A text of the game."""
        return self.said.text(text["key"], text["params"], self.names, self.you)

    def words(self, key: str, **params: Any) -> str:
        """A key of the game's words."""
        return self.said.text(key, params, self.names, self.you)

    def tell(self, key: str, **params: Any) -> str:
        """A key of the pages' own words."""
        return self.ui.text(key, params, self.names, self.you)

    def called(self, seat: int) -> str:
        """A seat in a sentence that isn't about what it does: you, or its name."""
        return self.ui.value({"seat": seat}, names=self.names, you=self.you)

    def noun(self, face: str, form: str = "name") -> str:
        """A thing's name."""
        return self.said.noun(face, form)

    def mark(self, mark: str) -> str:
        """A mark's name."""
        key = f"mark.{mark}"
        return self.said.text(key) if self.said.has(key) else self.said.noun(mark)

    def named(self, piece: Piece) -> str:
        """A piece in words: its name, how many, its marks."""
        face = self.tell("piece.hidden") if piece["face"] is None else self.noun(piece["face"])
        marks = [self.mark(mark) for mark in piece["marks"]]
        whole = f"{piece['count']} × {face}" if piece["count"] != 1 else face
        return whole + (f" ({', '.join(marks)})" if marks else "")

    # --- pictures -------------------------------------------------------------------------------

    def has_art(self, name: str | None) -> bool:
        """Is there a symbol of this name?"""
        return name in art_names(self.game.id)

    def symbol(self, face: str | None) -> str:
        """The symbol that shows a face: of its name, or as the game's table names it; or none."""
        if face is None or self.has_art(face):
            return face or ""
        table = own_table(self.game.id)
        return "" if table is None or table.symbol is None else table.symbol(face) or ""

    def glyph(self, face: str | None) -> str:
        """A face drawn in letters, where its symbol is a drawing and not an abbreviation."""
        if face is None:
            return ""
        symbol = self.said.symbol(face)
        is_word = symbol == face or any(letter.isalnum() for letter in symbol)
        return "" if is_word else symbol.strip()

    def is_quiet(self, mark: str) -> bool:
        """A mark that is drawn by nothing: its symbol is empty on purpose."""
        return self.said.has(f"symbol.{mark}") and self.said.symbol(mark) == ""

    def tone(self, face: str | None) -> int:
        """One of eight colours for a face without art, always the same."""
        return sum(ord(letter) * (index + 1) for index, letter in enumerate(face or "")) % 8

    def piece_class(self, piece: Piece) -> str:
        """The classes of a piece's element on the plain table."""
        face = piece["face"]
        kinds = ["piece", f"tone-{self.tone(face)}"]
        kinds += [f"m-{in_id(mark)}" for mark in piece["marks"]]
        if face is None:
            kinds.append("is-back")
        elif not self.symbol(face) and not self.glyph(face):
            kinds.append("is-word")
        return " ".join(kinds)

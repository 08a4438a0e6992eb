"""A viewer's message as HTML: what stands between the view, which is data, and the templates."""

from __future__ import annotations

import json
import re
import secrets
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from types import SimpleNamespace
from typing import Any

from jinja2 import (
    ChoiceLoader,
    Environment,
    FunctionLoader,
    PackageLoader,
    StrictUndefined,
    select_autoescape,
)
from markupsafe import Markup

from pelagos.bots import LADDER, UnknownBot, find_creature
from pelagos.engine.game import find_game
from pelagos.engine.position import Position
from pelagos.engine.types import HIDDEN, TURNED
from pelagos.engine.words import Words, pack_words
from pelagos.tables.message import MOST_EVENTS
from pelagos.tables.table import BOT, SPECTATOR, Table
from pelagos.web.art import art_names, sprite_address
from pelagos.web.marks import art, attributes, icon, seat_mark
from pelagos.web.own_table import SERVED, OwnTable, own_table, template
from pelagos.web.reader import Reader, own_words

WIDEST = 16
"""Columns that the style sheet knows."""
_NOT_IN_ID = re.compile(r"[^A-Za-z0-9_-]")


Choice = Mapping[str, Any]
Cell = dict[str, Any]


@cache
def environment() -> Environment:
    """Where templates come from."""
    made = Environment(
        loader=ChoiceLoader([PackageLoader("pelagos.web"), FunctionLoader(template)]),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals.update(
        icon=icon,
        lid=place_id,
        pid=piece_id,
        seat_mark=seat_mark,
        shown=shown,
        signed=signed,
        sprite_of=sprite_address,
    )
    return made


def _in_id(key: str) -> str:
    return _NOT_IN_ID.sub("_", key)


def piece_id(key: str) -> str:
    """The id of a piece's element."""
    return "p-" + _in_id(key)


def place_id(key: str) -> str:
    """The id of a place's element; of `grid0:1,2` the place's."""
    return "at-" + _in_id(key.partition(":")[0])


def signed(number: int) -> str:
    """A change: +3, −2, 0."""
    return f"{number:+d}".replace("-", "−") if number else "0"


def shown(number: int) -> str:
    """A number with a true minus sign."""
    return str(number).replace("-", "−")


def bot_name(bot: str, name: str, language: str) -> str:
    """A bot's name for this reader, with the number that tells it from its twins."""
    try:
        return find_creature(bot).name_of(name, language)
    except UnknownBot:
        return name


def names_of(table: Mapping[str, Any], language: str, ui: Words) -> list[str]:
    """The seats' names for this reader."""
    found = []
    for number, seat in enumerate(table["seats"]):
        name = seat["name"] or ui.text("seat.empty", {"number": number + 1})
        found.append(bot_name(seat["bot"], name, language) if seat["kind"] == BOT else name)
    return found


class Drawing:
    """One message for one reader: what the templates ask."""

    pid = staticmethod(piece_id)
    lid = staticmethod(place_id)

    def __init__(
        self, table: Table, message: Mapping[str, Any], reader: Reader, host: bool = False
    ) -> None:
        self._table = table
        self.message = message
        self.reader = reader
        self.view: dict[str, Any] = message["view"] or {}
        self.about: Mapping[str, Any] = message["table"]
        self.own: Mapping[str, Any] = message["own"] or {}
        self.me: int | None = self.own.get("seat")
        self.host = host
        self.ui = own_words(reader.language)
        self.said = (
            pack_words(table.pack, reader.language)
            if table.pack is not None
            else Words(reader.language, {})
        )
        self.names = names_of(self.about, reader.language, self.ui)
        self.game = find_game(self.about["game"])
        self.winners = table.match.winners if table.match is not None and table.match.over else []
        self.past = [one.match.winners for one in getattr(table, "past", ())]
        """Who won the games that were played at this table before."""
        self.pieces: dict[str, dict[str, Any]] = {}
        self.places: dict[str, dict[str, Any]] = {}
        self._in_place: dict[str, list[dict[str, Any]]] = defaultdict(list)
        self._on_piece: dict[str, list[Choice]] = defaultdict(list)
        self._on_cell: dict[tuple[str, int, int], list[Choice]] = defaultdict(list)
        self._on_place: dict[str, list[Choice]] = defaultdict(list)
        self.loose: list[Choice] = []
        self._sources: dict[str, str] = {}
        self._follow: dict[int, list[Choice]] | None = None
        if self.view:
            self._sort()

    @property
    def own_table(self) -> OwnTable | None:
        """The game's own table, unless the reader likes the plain one."""
        return own_table(self.game.id) if self.view and not self.reader.plain else None

    @property
    def own_files(self) -> list[str]:
        """The style and script that the game's own table needs."""
        table = None if self.reader.plain else own_table(self.game.id)
        return [] if table is None else [name for name in SERVED if table.file(name)]

    # --- sorting the view ---------------------------------------------------------------------

    def _sort(self) -> None:
        view = self.view
        self.places = {place["key"]: place for place in view["places"]}
        for piece in view["pieces"]:
            self.pieces[piece["key"]] = piece
            self._in_place[piece["place"]].append(piece)
        for choice in view["choices"]:
            self._attach(choice)
        for event in view["events"][-12:]:
            if event.get("piece") and event.get("source"):
                self._sources[event["piece"]] = event["source"]

    def _attach(self, choice: Choice) -> None:
        """Find where a choice is pointed at."""
        place, at, piece = choice["place"], choice["at"], choice["piece"]
        if place in self.places and at is not None and self._has_cells(self.places[place]):
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

    def _has_cells(self, place: Mapping[str, Any]) -> bool:
        return bool(
            (place["rows"] and place["columns"])
            or place["kind"] in ("grid", "board")
            or any(piece["at"] is not None for piece in self._in_place[place["key"]])
        )

    def has_cells(self, place: Mapping[str, Any]) -> bool:
        """Is the place drawn as a grid?"""
        return self._has_cells(place)

    # --- lookups for templates ----------------------------------------------------------------

    def choices_at(self, key: str, at: Sequence[int] | None = None) -> list[Choice]:
        """The choices on a piece, a place, or a cell of a place."""
        if at is not None:
            return self._on_cell.get((key, at[0], at[1]), [])
        return self._on_piece.get(key, []) or self._on_place.get(key, [])

    def pieces_in(self, place: str) -> list[dict[str, Any]]:
        """What lies at a place."""
        return self._in_place.get(place, [])

    def say(self, text: Mapping[str, Any]) -> str:
        """A text of the game."""
        return self.said.text(text["key"], text["params"], self.names)

    def words(self, key: str, **params: Any) -> str:
        """A key of the game's words."""
        return self.said.text(key, params, self.names)

    def tell(self, key: str, **params: Any) -> str:
        """A key of the pages' own words."""
        return self.ui.text(key, params, self.names)

    def noun(self, face: str, form: str = "name") -> str:
        """A thing's name."""
        return self.said.noun(face, form)

    def has_art(self, name: str | None) -> bool:
        """Is there a symbol of this name?"""
        return name in art_names(self.game.id)

    def symbol(self, face: str | None) -> str:
        """The symbol that shows a face: of its name, or as the game's table names it; or none."""
        if face is None or self.has_art(face):
            return face or ""
        table = own_table(self.game.id)
        named = None if table is None or table.symbol is None else table.symbol(face)
        return named or ""

    def glyph(self, face: str | None) -> str:
        """A face drawn in letters, where its symbol is a drawing and not an abbreviation."""
        if face is None:
            return ""
        found = self.said.symbol(face)
        return "" if any(letter.isalnum() for letter in found) or found == face else found.strip()

    def is_quiet(self, mark: str) -> bool:
        """A mark that is drawn by nothing: its symbol is empty on purpose."""
        return self.said.has(f"symbol.{mark}") and self.said.symbol(mark) == ""

    def mark(self, mark: str) -> str:
        """A mark's name."""
        key = f"mark.{mark}"
        return self.said.text(key) if self.said.has(key) else self.said.noun(mark)

    def tone(self, face: str | None) -> int:
        """One of eight colours for a face without art, always the same."""
        return sum(ord(letter) * (index + 1) for index, letter in enumerate(face or "")) % 8

    def piece_class(self, piece: Mapping[str, Any]) -> str:
        """The classes of a piece's element on the plain table."""
        face = piece["face"]
        kinds = ["piece", f"tone-{self.tone(face)}"]
        kinds += [f"m-{_in_id(mark)}" for mark in piece["marks"]]
        if face is None:
            kinds.append("is-back")
        elif not self.symbol(face) and not self.glyph(face):
            kinds.append("is-word")
        return " ".join(kinds)

    def named(self, piece: Mapping[str, Any]) -> str:
        """A piece in words: its name, how many, its marks."""
        face = self.tell("piece.hidden") if piece["face"] is None else self.noun(piece["face"])
        marks = [self.mark(mark) for mark in piece["marks"]]
        whole = f"{piece['count']} × {face}" if piece["count"] != 1 else face
        return whole + (f" ({', '.join(marks)})" if marks else "")

    def source(self, piece: str) -> str:
        """Where a piece came from just now: an element's id, or nothing."""
        found = self._sources.get(piece)
        return place_id(found) if found else ""

    # --- choices --------------------------------------------------------------------------------

    def label(self, choice: Choice) -> str:
        """A choice in words."""
        return self.say(choice["label"])

    def told_apart(self, choice: Choice) -> str:
        """A choice in words, told from others that are called the same."""
        label = self.label(choice)
        twins = [
            one
            for one in self.view["choices"]
            if one is not choice and one["label"] == choice["label"]
        ]
        return f"{label} ({self._variant(choice)})" if twins else label

    def _variant(self, choice: Choice) -> str:
        variant = choice["variant"]
        if variant is not None:
            for value in choice["label"]["params"].values():
                if isinstance(value, Mapping) and "noun" in value:
                    key = f"{value['noun']}-{variant}"
                    if self.said.has(f"noun.{key}"):
                        return self.noun(key)
            if self.said.has(f"noun.{variant}"):
                return self.noun(variant)
        piece = self.pieces.get(choice["piece"] or "")
        if (
            piece is not None
            and piece["at"] is not None
            and choice["at"] not in (None, piece["at"])
        ):
            return f"{self.named(piece)} {','.join(str(number) for number in piece['at'])}"
        return str(choice["notation"])

    def choice(self, choices: Sequence[Choice], kind: str = "", id_: str = "") -> Markup:
        """The attributes of a button that stands for one or more choices at the same spot."""
        return (
            attributes(id=id_ or f"c-{choices[0]['action']}", class_=f"choice {kind}".rstrip())
            + self._choice_data(choices)
            + attributes(
                data_lines=self._line_data(choices[0]), data_follow=self._follow_data(choices[0])
            )
        )

    def _choice_data(self, choices: Sequence[Choice]) -> Markup:
        first = choices[0]
        at, more = first["at"], [str(other["action"]) for other in choices[1:]]
        return attributes(
            name="action",
            value=first["action"],
            data_group=first["group"],
            data_say=self.told_apart(first),
            data_gain=self.gain(first),
            data_receipt=self._receipt_data(first),
            data_piece=piece_id(first["piece"]) if first["piece"] else None,
            data_place=place_id(first["place"]) if first["place"] else None,
            data_at=None if not at else f"{at[0]},{at[1]}",
            data_variant=first["variant"],
            data_more=" ".join(more) or None,
        )

    def _follow_data(self, choice: Choice) -> str | None:
        """What may follow a choice, for scripts; None if nothing may."""
        found = [
            {
                "move": one["notation"],
                "say": self.label(one),
                "at": None if one["at"] is None else f"{one['at'][0]},{one['at'][1]}",
                "piece": piece_id(one["piece"]) if one["piece"] else None,
                "gain": self.total(one),
                "lines": self._line_data(one),
                "receipt": self._receipt_data(one),
            }
            for one in self.followers(choice)
        ]
        return json.dumps(found, ensure_ascii=False, separators=(",", ":")) if found else None

    def _line_data(self, choice: Choice) -> str:
        return " ".join(f"{key}:{change}" for key, change in self.changes(choice))

    def _receipt_data(self, choice: Choice) -> str:
        return "|".join(f"{label} {signed(change)}" for label, change in self.receipt(choice))

    def followers(self, choice: Choice) -> list[Choice]:
        """What may be sent ahead after a choice."""
        if self._follow is None:
            self._follow = self.follow()
        found: list[Choice] = choice.get("follow") or self._follow.get(choice["action"], [])
        return found

    def total(self, choice: Choice) -> int | None:
        """The change of the viewer's total, or None if the table shows no previews."""
        if not choice["preview"] or self.me is None:
            return None
        return int(sum(choice["preview"].values()) - self.standing(self.me)["total"])

    def gain(self, choice: Choice) -> str:
        """The change in a few letters, where previews differ at all."""
        change = self.total(choice)
        return "" if change is None or not self._previews_differ else signed(change)

    @property
    def _previews_differ(self) -> bool:
        return any(self.total(choice) for choice in self.view["choices"])

    def changes(self, choice: Choice) -> list[tuple[str, int]]:
        """The lines of the viewer's sheet that change, by their keys."""
        if not choice["preview"] or self.me is None:
            return []
        now = {line["key"]: line["points"] for line in self.standing(self.me)["lines"]}
        found = [(key, points - now.get(key, 0)) for key, points in choice["preview"].items()]
        return [(key, change) for key, change in found if change]

    def receipt(self, choice: Choice) -> list[tuple[str, int]]:
        """The same, by their names."""
        return [(self.words(f"line.{key}"), change) for key, change in self.changes(choice)]

    def sheet(self, seat: int) -> dict[str, Any]:
        """A seat's score sheet."""
        found: dict[str, Any] = next(one for one in self.view["sheets"] if one["seat"] == seat)
        return found

    def standing(self, seat: int) -> dict[str, Any]:
        """A seat's sheet as things stand: what a preview is compared with."""
        found: dict[str, Any] = self.view.get("standing", self.view["sheets"])[seat]
        return found

    def groups(self) -> list[tuple[str, list[Choice]]]:
        """All choices, by the decision they belong to."""
        found: dict[str, list[Choice]] = {}
        for choice in self.view["choices"]:
            found.setdefault(choice["group"], []).append(choice)
        return list(found.items())

    # --- what comes after -----------------------------------------------------------------------

    def follow(self) -> dict[int, list[Choice]]:
        """For each choice that its table wants followed, what the seat may do right after it.

        Others' hidden choices don't matter to that: they are made at random in another world
        that looks the same to the seat.
        """
        table = own_table(self.game.id)
        wanted = {} if table is None else table.follow
        found = {}
        for choice in self.view["choices"] if wanted else ():
            if choice["group"] in wanted:
                later = self._after(choice["action"])
                found[choice["action"]] = self._choices(later, wanted[choice["group"]])
        return {action: choices for action, choices in found.items() if choices}

    def ahead(self) -> list[Choice]:
        """What the seat has sent ahead, as choices."""
        told = self.own.get("ahead")
        if not told:
            return []
        later = self._after(None)
        return [one for one in self._choices(later) if one["notation"] == told[0]]

    def _after(self, action: int | None) -> Position | None:
        """How things stand for the seat after its action, when everyone else has answered too."""
        match, seat = self._table.match, self.me
        if match is None or seat is None or self._table.views[seat] != self.message["number"]:
            return None  # the table has moved on; a newer message is on its way
        world = match.redeal(seat, b"view")
        if action is not None:
            world.play(seat, action)
        for other in world.pending:
            if other != seat:
                world.play(other, world.legal(other)[0])
        world.settle()
        return world

    def _choices(self, world: Position | None, group: str | None = None) -> list[Choice]:
        """The seat's choices in a world."""
        if world is None or self.me not in world.pending:
            return []
        reader, seat, found = self.game.part("view"), self.me, []
        for action in world.legal(seat):
            choice = reader.choice(world.record, world.pack_record, seat, action)
            if group is not None and choice["group"] != group:
                continue
            points = world.preview(seat, action) if self._table.previews else []
            choice["preview"] = dict(zip(world.lines, points, strict=False))
            choice["action"] = action
            choice["notation"] = world.write(seat, action)
            found.append(choice)
        return found

    # --- the board ------------------------------------------------------------------------------

    def grid(self, place: Mapping[str, Any]) -> dict[str, Any]:
        """A place's cells, row by row, as far as pieces and choices reach."""
        pieces: dict[tuple[int, int], list[dict[str, Any]]] = defaultdict(list)
        for piece in self._in_place[place["key"]]:
            if piece["at"] is not None:
                pieces[piece["at"][0], piece["at"][1]].append(piece)
        chosen = {(key[1], key[2]) for key in self._on_cell if key[0] == place["key"]}
        ends = [(0, 0), (max(place["rows"] - 1, 0), max(place["columns"] - 1, 0))]
        cells = [*pieces, *chosen, *ends]
        rows = range(min(row for row, _ in cells), max(row for row, _ in cells) + 1)
        columns = range(min(cell for _, cell in cells), max(cell for _, cell in cells) + 1)
        return {
            "columns": min(len(columns), WIDEST),
            "rows": [
                [
                    {
                        "at": [row, column],
                        "pieces": pieces.get((row, column), []),
                        "choices": self._on_cell.get((place["key"], row, column), []),
                    }
                    for column in columns
                ]
                for row in rows
            ],
            "first": [rows[0], columns[0]],
        }

    def arranged(self) -> dict[str, Any]:
        """Places by where they go: mine, everyone's board, everyone's stacks, others'."""
        mine, board, stacks = [], [], []
        others: dict[int, list[dict[str, Any]]] = {}
        for place in self.view["places"]:
            seat = place["seat"]
            if seat is not None and seat == self.me:
                mine.append(place)
            elif seat is not None and seat < len(self.names) and self.me is not None:
                others.setdefault(seat, []).append(place)
            elif self._has_cells(place) or self._lit(place):
                board.append(place)
            elif seat is not None:
                others.setdefault(seat, []).append(place)
            else:
                stacks.append(place)
        mine.sort(key=lambda place: (not self._has_cells(place), place["kind"] == "stack"))
        lit = any(self._lit(place) for places in others.values() for place in places)
        return {"mine": mine, "board": board, "stacks": stacks, "others": others, "reach": lit}

    def _lit(self, place: Mapping[str, Any]) -> bool:
        key = place["key"]
        return (
            key in self._on_place
            or any(cell[0] == key for cell in self._on_cell)
            or any(piece["key"] in self._on_piece for piece in self._in_place[key])
        )

    # --- around the board -----------------------------------------------------------------------

    @property
    def own_first(self) -> list[int]:
        """The seats, the viewer's own first."""
        first, count = self.me or 0, len(self.names)
        return [(first + step) % count for step in range(count)]

    def columns(self, order: Sequence[int] | None = None) -> list[dict[str, Any]]:
        """The sheet's columns, one a seat."""
        seats = range(len(self.names)) if order is None else order
        return [self.column(seat, self.names[seat], self.standing(seat)["total"]) for seat in seats]

    def column(
        self, seat: int | str, name: str, total: int | None, mark: int | None = None
    ) -> dict[str, Any]:
        """A column of the sheet; a total of None is covered, `mark` is another seat's colour."""
        mark = seat if mark is None and isinstance(seat, int) else mark
        return {
            "seat": seat,
            "name": name,
            "total": total,
            "mark": mark or 0,
            "mine": self.me is not None and seat == self.me,
        }

    def rows(self, order: Sequence[int] | None = None) -> list[dict[str, Any]]:
        """The sheet's rows, one a line, with a cell for each column."""
        seats = range(len(self.names)) if order is None else order
        sheets = [self.standing(seat) for seat in seats]
        return [
            self.row(line["key"], [self.cell(sheet["lines"][n : n + 1]) for sheet in sheets])
            for n, line in enumerate(sheets[0]["lines"])
        ]

    def row(
        self,
        key: str,
        cells: Sequence[Mapping[str, Any] | None],
        *,
        label: str = "",
        art: str = "",
        note: str = "",
        of: str = "",
        lines: str = "",
        kind: str = "",
    ) -> dict[str, Any]:
        """A row of the sheet: `art` is a symbol, `of` the ids that its name lights up, `lines` the
        lines of the view's sheet that it sums up. A cell of None is covered.
        """
        return {
            "key": key,
            "cells": cells,
            "label": label or self.words(f"line.{key}"),
            "art": art,
            "note": note,
            "of": of,
            "lines": lines or key,
            "kind": kind,
        }

    def cell(self, lines: Sequence[Mapping[str, Any]], text: str = "") -> dict[str, Any]:
        """A cell of the sheet: the points of some lines and the ids of what makes them; `text`
        stands for the number.
        """
        keys = [key for line in lines for proof in line["evidence"] for key in proof["pieces"]]
        points = sum(line["points"] for line in lines)
        return {"points": points, "of": self.ids(keys), "text": text}

    def ids(self, keys: Iterable[str]) -> str:
        """The ids of those of some pieces that lie on the table."""
        return " ".join(dict.fromkeys(piece_id(key) for key in keys if key in self.pieces))

    def seats(self, order: Sequence[int] | None = None) -> list[dict[str, Any]]:
        """The seats, as chips show them."""
        waiting = self.about["waiting"]
        found = []
        for number in range(len(self.names)) if order is None else order:
            seat = self.about["seats"][number]
            state = ""
            if not self.view:
                state = "here" if seat["taken"] else "free"
            elif self.view["over"]:
                state = "won" if number in self.winners else ""
            elif not seat["taken"]:
                state = "left"
            elif number in waiting:
                away = "away" if seat.get("away") else "choosing"
                state = "move" if number == self.me else away
            elif number in self.view["phase"]:
                state = "ready"
            points = self.standing(number)["total"] if self.view else None
            found.append(
                {
                    "number": number,
                    "name": self.names[number],
                    "mine": number == self.me,
                    "bot": seat["kind"] == BOT,
                    "state": state,
                    "points": points,
                    "due": state in ("move", "choosing"),
                    "again": bool(self.view) and self.view["over"] and seat["ready"],
                }
            )
        return found

    def clock(self) -> int | None:
        """Seconds that are left for the decision, if a clock runs."""
        until = self.about.get("until")
        return max(0, round(until - time.time())) if until and not self.view["over"] else None

    def orders(self) -> list[tuple[str, str, bool]]:
        """Standing orders that the seat may give: the order, its name, is it given?"""
        told = self.own.get("orders")
        if not told or self.view["over"] or not self.said.has("table.orders.title"):
            return []
        found = []
        for order in told["known"]:
            kind, _, value = order.partition("-")
            name = self.words(f"table.orders.{kind}", value=value)
            found.append((order, name, order == told["given"]))
        return found

    def facts(self) -> list[tuple[str, list[str]]]:
        """The game's counters: a name and what it says."""
        return [
            (self.said.text(f"fact.{key}"), self._fact(value))
            for key, value in self.view["facts"].items()
        ]

    def _fact(self, value: Any) -> list[str]:
        if isinstance(value, list):
            return [" ".join(self._fact(one)) for one in value]
        if isinstance(value, Mapping) and not {"noun", "seat", "key"} & value.keys():
            named = {
                key: self.names[int(key)] if key.isdigit() else self.noun(key) for key in value
            }
            return [f"{named[key]} {' '.join(self._fact(one))}" for key, one in value.items()]
        return [self.said.value(value, names=self.names)]

    def log(self) -> list[dict[str, Any]]:
        """The newest events, newest first, each with its number `n`, `line`, `of` and `sound`."""
        events = self.view["events"]
        table = own_table(self.game.id)
        sounds = {} if table is None else table.sounds
        first = self.view["seen"] - len(events)
        lines = [
            {
                **one,
                "n": first + index,
                "line": self.say(one),
                "seat": _seat_of(one),
                "of": piece_id(one["piece"]) if one.get("piece") in self.pieces else "",
                "sound": sounds.get(one["key"].partition(".")[2], ""),
            }
            for index, one in enumerate(events)
        ]
        return lines[-MOST_EVENTS:][::-1]

    @property
    def may_change(self) -> bool:
        """Has the seat chosen, and may change it until all have?"""
        done = self.me is not None and not self.own.get("owes") and bool(self.own.get("undo"))
        return done and self.me in self.view["phase"]

    @property
    def steps(self) -> list[str]:
        """What the seat has chosen of its present decision."""
        return self.so_far()

    def so_far(self) -> list[str]:
        """What the seat has chosen of its present decision, and may still take back."""
        match = self._table.match
        if match is None or not self.own.get("undo"):
            return []
        steps = 0
        for done in reversed(match.history):
            if done.news == TURNED or (done.seat != self.me and done.news != HIDDEN):
                break
            steps += done.seat == self.me
        own = []
        for event in self.log()[:steps]:
            who = event["params"].get("who")
            if not isinstance(who, Mapping) or who.get("seat") != self.me:
                break
            own.append(event["line"])
        return own[::-1]

    def victory(self) -> str:
        """Who has won; alone, how well it went, if the game has words for it."""
        if len(self.names) == 1 and self.said.has("end.alone"):
            told = {**self.view["facts"], "count": self.sheet(0)["total"]}
            return self.said.text("end.alone", told)
        if not self.winners:
            return self.tell("end.lost")
        who = self.said.text("table.and").join(self.names[seat] for seat in self.winners)
        key = "table.winner" if len(self.winners) == 1 else "table.shared"
        return self.said.text(key, {"who": who})

    def podium(self) -> list[tuple[int, dict[str, Any]]]:
        """The sheets, best first, each with its place; whoever wins is first, also by a tie."""
        keys = {
            sheet["seat"]: (sheet["seat"] in self.winners, sheet["total"])
            for sheet in self.view["sheets"]
        }
        return sorted(
            (
                (1 + sum(other > keys[sheet["seat"]] for other in keys.values()), sheet)
                for sheet in self.view["sheets"]
            ),
            key=lambda one: one[0],
        )

    # --- drawing ----------------------------------------------------------------------------------

    def context(self) -> dict[str, Any]:
        """All that a template may ask."""
        game = self.game.id
        own = self.own_table
        table = {
            **self.about,
            "number": self.message["number"],
            "decision": self.own.get("decision", 0),
            "owes": bool(self.own.get("owes")),
            "undo": bool(self.own.get("undo")),
            "ahead": self.own.get("ahead", []),
        }
        return {
            "drawing": self,
            "view": self.view,
            "made": own.make(self) if own is not None and own.make is not None else None,
            "table": table,
            "me": self.me,
            "names": self.names,
            "say": self.say,
            "noun": self.noun,
            "words": self.words,
            "ui": self.tell,
            "has_art": self.has_art,
            "choices_at": self.choices_at,
            "pieces_in": self.pieces_in,
            "piece_by": self.pieces.get,
            "place_by": self.places.get,
            "total": self.total,
            "receipt": self.receipt,
            "art": partial(art, game),
            "choice": self.choice,
            "parts": SimpleNamespace(
                art=lambda name, kind="art": art(game, name, kind),
                icon=icon,
                seat_mark=seat_mark,
                choice_attrs=self._choice_data,
            ),
            "game": self.game,
            "game_id": game,
            "title": self.game.titles[self.reader.language],
            "language": self.reader.language,
            "reader": self.reader,
            "draws": frozenset() if own is None else own.draws,
            "own_table": own,
            "client": secrets.token_urlsafe(18),
            "ladder": LADDER,
        }

    def inside(self, more: Mapping[str, Any] | None = None) -> str:
        """What stands inside `#view`."""
        template = environment().get_template("view.html")
        return template.render({**self.context(), **(more or {})})


def _seat_of(event: Mapping[str, Any]) -> int | None:
    """Who did it."""
    who = event["params"].get("who")
    return who.get("seat") if isinstance(who, Mapping) else None


def draw(
    table: Table, viewer: int, message: bytes, reader: Reader, more: Callable[[], dict[str, Any]]
) -> str:
    """A viewer's message as HTML."""
    return Drawing(table, json.loads(message), reader).inside(more())


def is_spectator(viewer: int) -> bool:
    """Does this viewer only watch?"""
    return viewer == SPECTATOR

"""What Oceanos' own table draws, worked out of one viewer's message."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pelagos.games.oceanos.state import PARTS, SPECIES
from pelagos.games.oceanos.table.pictures import (
    CRYSTALS,
    FINDS,
    card_picture,
    flat_picture,
    part_picture,
    submarine_picture,
)

if TYPE_CHECKING:
    from pelagos.web.drawing import Drawing

FITS = True
DRAWS = ("others", "sheets", "facts", "log", "seats", "prompt", "loose")
TOLD_BY_ART = ("keep", "extra")
REVEALS = ("keep", "extra")
SOUNDS = {"keep": "lay", "extra": "lay", "upgrade": "reveal", "dive": "lay"}

COLUMNS = 8
"""Places that are drawn in a row."""
NUMERALS = ("I", "II", "III")
MOST_NAMED = 3
"""Things on a card by which the large button names it."""
SHEET = {
    "animals1": ("clownfish", "animals1"),
    "animals2": ("turtle", "animals2"),
    "animals3": ("whale", "animals3"),
    "propeller": ("propeller", "propeller1 propeller2 propeller3"),
    "kraken": ("kraken", "kraken1 kraken2 kraken3"),
    "reef": ("coral", "reef"),
    "treasure": ("treasure", "treasure"),
}
"""The table's lines: a picture, and the lines of the score sheet that each sums up."""
ASK_PICTURES = {"ask.diver": "diver", "ask.base": "base", "ask.no_crystal": "base"}
GIVE_PICTURES = {
    "propeller": "star",
    "motor": "fuel",
    "cockpit": "back",
    "aquarium": "clownfish",
    "airlock": "diver",
}

Piece = Mapping[str, Any]
Choice = Mapping[str, Any]


class Captain:
    """One seat: its rows, its submarine, its sheet as things stand."""

    def __init__(self, drawing: Drawing, seat: int, round_now: int) -> None:
        self.seat = seat
        self.sheet = drawing.standing(seat)
        self.lines = {line["key"]: line for line in self.sheet["lines"]}
        self.levels = dict.fromkeys(PARTS, 1)
        self.aboard = {"fuel": 0, "diver": 0, "green": 0, "yellow": 0}
        for piece in drawing.pieces_in(f"boat{seat}"):
            if piece["face"] in self.levels:
                self.levels[piece["face"]] = int(piece["marks"][0].removeprefix("level"))
            else:
                self.aboard[piece["face"]] = piece["count"]
        self._gives = {
            part: list(text["params"].values())
            for part, text in drawing.view["facts"]["parts"].items()
        }
        self.tank = [
            (proof["reason"]["params"]["animal"]["noun"], bool(proof["points"]))
            for proof in self.lines[f"animals{round_now}"]["evidence"]
        ]
        laid = drawing.pieces_in(f"rows{seat}")
        keys = [key for proof in self.lines["reef"]["evidence"] for key in proof["pieces"]]
        reef = [piece["at"] for piece in laid if piece["key"] in keys and len(keys) > 1]
        paths = self._paths({piece["key"]: piece["at"][0] for piece in laid})
        self.rows: list[list[dict[str, Any]]] = [[] for _ in NUMERALS]
        for piece in laid:
            row, column = piece["at"]
            joins = ["reef"] if piece["at"] in reef else []
            joins += ["joins-next"] if joins and [row, column + 1] in reef else []
            joins += ["joins-below"] if joins and [row + 1, column] in reef else []
            path = paths.get(piece["key"], 0)
            self.rows[row].append({**card(drawing, piece), "joins": " ".join(joins), "path": path})

    def _paths(self, rows: Mapping[str, int]) -> dict[str, int]:
        """How many rows up a diver's path leads, by the diver's card."""
        paths = {}
        for proof in self.lines["treasure"]["evidence"]:
            chests = [key for key in proof["pieces"] if key in rows]
            if len(chests) > 1:
                paths[chests[-1]] = rows[chests[-1]] - rows[chests[0]]
        return paths

    def has_coral(self, row: int, column: int) -> bool:
        """Does coral lie there?"""
        cards = self.rows[row] if row >= 0 else []
        return column < len(cards) and "coral" in cards[column]["marks"]

    def gives(self, part: str, level: int = 0) -> int:
        """What a part gives at a level, or as it is."""
        return int(self._gives[part][(level or self.levels[part]) - 1])

    def submarine(self, sprite: str, kind: str = "") -> str:
        """Its picture."""
        return submarine_picture(sprite, self.seat, tuple(self.levels.values()), kind)

    @property
    def crystals(self) -> list[tuple[str, int]]:
        """Pending crystals by colour."""
        return [(colour, self.aboard[colour]) for colour in CRYSTALS if self.aboard[colour]]


def card(drawing: Drawing, piece: Piece) -> dict[str, Any]:
    """A card wherever it lies: its name, what it carries, its picture."""
    face, marks, words = piece["face"], piece["marks"], drawing.words
    printed = [mark for mark in marks if mark in (*SPECIES, *FINDS, "eye")]
    symbols = [words(f"many.{mark}", count=printed.count(mark)) for mark in dict.fromkeys(printed)]
    added = [words(f"mark.{mark}") for mark in dict.fromkeys(marks) if mark not in printed]
    name = drawing.noun(face)
    depth = int(face[0]) if face[:1] in ("1", "2", "3") else 2
    return {
        **piece,
        "name": name,
        "symbols": symbols,
        "shown": ", ".join(symbols[:MOST_NAMED]) + ("…" if symbols[MOST_NAMED:] else "") or name,
        "first": symbols[0] if symbols else name,
        "called": f"{name}: {', '.join([*symbols, *added])}",
        "picture": lambda sprite: card_picture(sprite, face, tuple(marks), depth),
        "flat": lambda sprite: flat_picture(sprite, face, tuple(marks), depth),
    }


def make(drawing: Drawing) -> dict[str, Any]:
    """What the parts ask for as `made`."""
    view, me, facts = drawing.view, drawing.me, drawing.view["facts"]
    over, own = view["over"], drawing.near
    captains = [Captain(drawing, seat, facts["round"]) for seat in range(view["players"])]
    stage = _stage(view)
    eyes = list(facts.get("eyes", {}).values())
    dive = next((choice for choice in view["choices"] if choice["at"]), None)
    source = "others" if facts.get("captain") == {"seat": me} else "at-deck"
    return {
        "captains": captains,
        "own": captains[own],
        "stage": stage,
        "now": -1 if over else facts["round"] - 1,
        "shown": len(NUMERALS) if over else facts["round"],
        "captain": None if over else facts.get("captain", {}).get("seat"),
        "next": facts.get("next", {}).get("seat"),
        "steps": _steps(facts),
        "kraken": _kraken(list(facts["kraken"].values())[facts["round"] - 1]),
        "eyes": eyes,
        "most_eyes": max(eyes, default=0),
        "hand": [{**card(drawing, piece), "from": source} for piece in drawing.pieces_in("hand")],
        "kept": [card(drawing, piece) for piece in drawing.pieces_in("kept")],
        "spare": view["prompt"]["params"].get("spare", 0),
        "asks": lambda choice: _ask_data(drawing, choice),
        "dive": dive,
        "card": lambda piece: card(drawing, piece),
        "part": part_picture,
        "animals": SPECIES,
        "give_pictures": GIVE_PICTURES,
        "numerals": NUMERALS,
        "columns": COLUMNS,
        "sentence": _sentence(drawing, stage),
        "sheet_rows": [
            _sheet_row(drawing, captains, key)
            for key in SHEET
            if over or not key.startswith("animals") or int(key[-1]) <= facts["round"]
        ],
    }


def _stage(view: Mapping[str, Any]) -> str:
    """What the viewer is asked."""
    if not view["choices"]:
        return "over" if view["over"] else "wait"
    return "extra" if view["prompt"]["key"] == "prompt.extra" else str(view["choices"][0]["group"])


def _steps(facts: Mapping[str, Any]) -> list[str]:
    """The turns of the round: done, now, or still to come."""
    if "turn" not in facts:
        return []
    return ["done"] * (facts["turn"] - 1) + ["now"] + [""] * int(facts["turns_left"])


def _sentence(drawing: Drawing, stage: str) -> str:
    """What to do now, where the table says it shorter than the prompt."""
    waiting = [drawing.called(seat) for seat in drawing.about["waiting"]]
    if stage == "wait" and waiting:
        return drawing.tell("table.waiting", who=", ".join(waiting))
    keys = {"prompt.keep": "table.keep", "prompt.captain": "table.captain_keeps"}
    key = keys.get(drawing.view["prompt"]["key"])
    return drawing.words(key) if key else ""


def _kraken(token: Any) -> str:
    """The round's token, or the values that it may have."""
    values = token["params"]["values"] if isinstance(token, Mapping) else [token]
    shown = " · ".join(str(value).replace("-", "−") for value in values)
    return f"{shown} ?" if isinstance(token, Mapping) else shown


def _sheet_row(drawing: Drawing, captains: list[Captain], key: str) -> dict[str, Any]:
    picture, keys = SHEET[key]
    cells = []
    for seat in drawing.own_first:
        cell = drawing.cell([captains[seat].lines[line] for line in keys.split()])
        if key == "treasure" and cell["points"] and not drawing.view["over"]:
            cell["text"] = f"≈{cell['points']}"
        cells.append(cell)
    label = drawing.words(f"table.{key}")
    return drawing.row(key, cells, label=label, art=picture, lines=keys)


def _ask_data(drawing: Drawing, choice: Choice) -> str:
    """What a card will ask, alone and as the second one, for the script."""
    asks = {"": _asks(drawing, choice)}
    for sequel in drawing.followers(choice):
        if sequel["piece"]:
            asks[drawing.pid(sequel["piece"])] = _asks(drawing, sequel)
    return json.dumps({key: ask for key, ask in asks.items() if ask}, ensure_ascii=False)


def _asks(drawing: Drawing, choice: Choice) -> dict[str, Any] | None:
    """The first thing that a card asks: a picture, words, how many rows up a diver would go."""
    for ask in choice["asks"]:
        up = ask["params"].get("rows_up", 0)
        return {"art": ASK_PICTURES[ask["key"]], "say": drawing.say(ask), "up": up}
    return None

"""What Oceanos' table draws, worked out of the view: cards as scenes, boats, reef, sheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pelagos.engine.words import Words
from pelagos.games.oceanos.rules import AQUARIUM_ROOM, PROPELLER_STARS
from pelagos.games.oceanos.state import COLUMNS, PARTS, ROUNDS, SPECIES, TURNS

if TYPE_CHECKING:
    from pelagos.web.drawing import Drawing

LARGE = ("shark", "manta", "turtle", "whale")
FINDS = ("coral", "treasure", "base", "green", "yellow")
CRYSTALS = ("green", "yellow")
WIDTHS = {"propeller": 48, "motor": 60, "cockpit": 60, "aquarium": 70, "airlock": 58}
"""How wide each part of the submarine is drawn; together they are 296."""
GIVES = {
    "propeller": PROPELLER_STARS[1:],
    "motor": (1, 2, 3),
    "cockpit": (2, 3, 4),
    "aquarium": AQUARIUM_ROOM[1:],
    "airlock": (1, 2, 3),
}
"""What a part gives at each level: stars, fuel, cards dealt, kinds of animals, divers."""
SHEET = {
    "animals1": (("animals1",), "clownfish"),
    "animals2": (("animals2",), "turtle"),
    "animals3": (("animals3",), "whale"),
    "propeller": (("propeller1", "propeller2", "propeller3"), "propeller"),
    "kraken": (("kraken1", "kraken2", "kraken3"), "kraken"),
    "reef": (("reef",), "coral"),
    "treasure": (("treasure",), "treasure"),
}
"""The table's lines: those of the score sheet that each sums up, and its picture."""

ROUND_ENDS = ("event.kraken", "event.watched", "event.asleep")

Piece = Mapping[str, Any]
Use = tuple[str, float, float, float]
"""A symbol, where it stands on a card of 92 by 128, and how large."""

# --- cards as layered scenes ------------------------------------------------------------------

SWIMMING = {
    (0, 1): [(14, 6, 64)],
    (0, 2): [(0, 3, 50), (41, 29, 48)],
    (0, 3): [(0, 2, 46), (46, 12, 44), (6, 42, 42)],
    (1, 1): [(3, 11, 56)],
    (1, 2): [(0, 7, 50), (42, 39, 46)],
    (1, 3): [(-1, 4, 46), (46, 34, 44), (4, 46, 42)],
    (2, 1): [(19, 33, 54)],
    (2, 2): [(2, 36, 44), (46, 43, 42)],
    (2, 3): [(-1, 34, 40), (53, 35, 38), (25, 50, 42)],
}
"""Where animals swim, by how many eyes lurk above them (two or more are a crowd) and how many."""
STANDING = {
    1: [(39, 74, 50)],
    2: [(1, 79, 44), (47, 81, 42)],
    3: [(-2, 78, 40), (51, 76, 39), (25, 88, 37)],
    4: [(-3, 74, 36), (28, 70, 34), (59, 74, 36), (27, 92, 33)],
    5: [(-3, 73, 34), (29, 70, 32), (61, 73, 34), (10, 95, 30), (48, 95, 30)],
}
"""Where finds stand below animals."""
ALONE = {
    1: [(16, 46, 60)],
    2: [(-1, 44, 62), (38, 58, 58)],
    3: [(-3, 50, 52), (42, 52, 52), (25, 80, 42)],
    4: [(-1, 44, 46), (47, 42, 46), (0, 82, 42), (48, 82, 42)],
}
"""Where finds stand on a card without animals."""


def scene(piece: Piece, pending: list[str]) -> dict[str, Any]:
    """A card: eyes in ink at its top, animals in the light, finds on the floor.

    `pending` crystals stand on a paper burst.
    """
    marks = piece["marks"]
    swim = [mark for mark in marks if mark in SPECIES]
    stand = [mark for mark in marks if mark in FINDS]
    eyes = marks.count("eye")
    number = sum(map(ord, piece["face"]))
    backdrops = [f"scene-{'abc'[number % 3]}"]
    if swim == ["crab"]:
        backdrops.append("mound")
    if eyes:
        backdrops.append(f"ink-{min(eyes, 2)}")
    elif not swim:
        backdrops.append("bubbles")
    return {
        "backdrops": backdrops,
        "uses": [*_eyes(eyes), *_animals(swim, eyes), *_finds(stand, swim, number, pending)],
        "floor": f"floor-{'abc'[number % 3]}",
    }


def _eyes(count: int) -> Iterator[Use]:
    if count == 1:
        yield "eye", 54, 1, 34
        return
    size = min(37, 92 / max(count, 1))
    for place in range(count):
        yield "eye", (place + 0.5) * 92 / count - size / 2, 0, size


def _animals(swim: list[str], eyes: int) -> Iterator[Use]:
    if len(swim) == 1 and swim[0] in LARGE and eyes < 2:
        yield (swim[0], 3, 12, 66) if eyes else (swim[0], 6, -2, 80)
        return
    places = SWIMMING[min(eyes, 2), min(max(len(swim), 1), 3)]
    for place, animal in enumerate(swim):
        yield animal, *places[place % len(places)]


def _finds(stand: list[str], swim: list[str], number: int, pending: list[str]) -> Iterator[Use]:
    places = (STANDING if swim else ALONE).get(len(stand)) or STANDING[5]
    for place, find in enumerate(stand):
        x, y, size = places[place % len(places)]
        if len(stand) == 1 and swim and number % 2:
            x = 4
        if find in pending:
            yield "burst", x - size * 0.18, y - size * 0.18, size * 1.36
        yield find, x, y, size


# --- the table --------------------------------------------------------------------------------


class Captain:
    """One seat: its rows, its submarine, its sheet as things stand."""

    def __init__(self, drawing: Drawing, seat: int, round_now: int) -> None:
        self.drawing = drawing
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
        self.laid = drawing.pieces_in(f"rows{seat}")
        self.tank = [
            (proof["reason"]["params"]["animal"]["noun"], bool(proof["points"]))
            for proof in self.lines[f"animals{round_now}"]["evidence"]
        ]
        self.room = GIVES["aquarium"][self.levels["aquarium"] - 1]
        self._reef = self._cells_of("reef")
        self._pending = self._pending_on()
        self._paths = self._paths_on()
        self.rows = [
            [self._card(piece) for piece in self.laid if piece["at"][0] == depth]
            for depth in range(ROUNDS)
        ]

    def gives(self, part: str, more: int = 0) -> int:
        """What a part gives at its level, or at `more` levels more."""
        return GIVES[part][self.levels[part] - 1 + more]

    def cell(self, line: str) -> tuple[int, str]:
        """The points of a line of the table's sheet, and the ids of what makes them."""
        lines = [self.lines[key] for key in SHEET[line][0]]
        pieces = [
            key
            for one in lines
            for proof in one["evidence"]
            if proof["points"]
            for key in proof["pieces"]
        ]
        ids = dict.fromkeys(self.drawing.pid(key) for key in pieces if key in self.drawing.pieces)
        return sum(one["points"] for one in lines), " ".join(ids)

    def _cells_of(self, line: str) -> list[list[int]]:
        keys = [key for proof in self.lines[line]["evidence"] for key in proof["pieces"]]
        return [piece["at"] for piece in self.laid if piece["key"] in keys and len(keys) > 1]

    def _pending_on(self) -> dict[str, list[str]]:
        """The cards whose crystals are pending: the newest, for an upgrade uses up all."""
        left = {colour: self.aboard[colour] for colour in CRYSTALS}
        found: dict[str, list[str]] = {}
        for piece in reversed(self.laid):
            for colour in CRYSTALS:
                if left[colour] and colour in piece["marks"]:
                    left[colour] -= 1
                    found.setdefault(piece["key"], []).append(colour)
        return found

    def _paths_on(self) -> dict[str, int]:
        """How many rows up a diver's path leads, by the diver's card."""
        rows = {piece["key"]: piece["at"][0] for piece in self.laid}
        found = {}
        for proof in self.lines["treasure"]["evidence"]:
            chests = [key for key in proof["pieces"] if key in rows]
            if len(chests) > 1:
                found[chests[-1]] = rows[chests[-1]] - rows[chests[0]]
        return found

    def _card(self, piece: Piece) -> dict[str, Any]:
        row, column = piece["at"]
        joined = piece["at"] in self._reef
        card = self.drawing_card(piece)
        return {
            **card,
            "at": f"{row},{column}",
            "reef": joined,
            "right": joined and [row, column + 1] in self._reef,
            "below": joined and [row + 1, column] in self._reef,
            "path": self._paths.get(piece["key"], 0),
        }

    def drawing_card(self, piece: Piece) -> dict[str, Any]:
        """A card wherever it lies: its scene and what it is called."""
        return card(self.drawing, piece, self._pending.get(piece["key"], []))


def symbols(said: Words, piece: Piece) -> list[str]:
    """What a card shows, in words."""
    marks = [mark for mark in piece["marks"] if mark in (*SPECIES, *FINDS, "eye")]
    return [
        said.text(f"many.{mark}", {"count": marks.count(mark)}) for mark in dict.fromkeys(marks)
    ]


def card(drawing: Drawing, piece: Piece, pending: list[str]) -> dict[str, Any]:
    """A card: its scene, its name, what it carries."""
    said, marks = drawing.said, piece["marks"]
    shown = symbols(said, piece)
    told = [*shown, *(said.text(f"mark.{mark}") for mark in ("diver", "fuelled") if mark in marks)]
    if pending:
        told.append(said.text("table.is_pending"))
    name = drawing.noun(piece["face"])
    return {
        **piece,
        "name": name,
        "symbols": shown,
        "called": f"{name}: {', '.join(told)}",
        "scene": scene(piece, pending),
        "depth": piece["face"][0] if piece["face"][:1] in ("1", "2", "3") else "2",
        "chests": marks.count("treasure"),
    }


def make(drawing: Drawing) -> dict[str, Any]:
    """What `table.html` asks for as `made`."""
    view, me, facts = drawing.view, drawing.me, drawing.view["facts"]
    players = view["players"]
    own = 0 if me is None else me
    captains = [Captain(drawing, seat, facts["round"]) for seat in range(players)]
    captain = None if view["over"] or "captain" not in facts else facts["captain"]["seat"]
    hand, kept = drawing.pieces_in("hand"), drawing.pieces_in("kept")
    groups = [choice["group"] for choice in view["choices"]]
    stage = groups[0] if groups else "over" if view["over"] else "wait"
    if stage == "keep" and kept:
        stage = "extra"
    eyes = facts.get("eyes", {})
    return {
        "captains": captains,
        "own": captains[own],
        "seats": [(own + step) % players for step in range(players)],
        "depth": facts["round"] - 1,
        "captain": captain,
        "next": None if captain is None else (captain + 1) % players,
        "stage": stage,
        "hand": [captains[own].drawing_card(piece) for piece in hand],
        "kept": [captains[own].drawing_card(piece) for piece in kept],
        "more": min(captains[own].aboard["fuel"], len(hand) - 1) if stage == "keep" else 0,
        "follow": _pairs(drawing) if stage == "keep" else {},
        "eyes": [eyes.get(str(seat), 0) for seat in range(players)] if eyes else [],
        "most": max(eyes.values(), default=0),
        "kraken": list(facts["kraken"].values())[facts["round"] - 1],
        "dive": _dive(drawing, captains[own]) if stage == "dive" else 0,
        "asked": _asked(drawing) if stage == "dive" else "",
        "card": lambda piece: card(drawing, piece, []),
        "parts": WIDTHS,
        "gives": GIVES,
        "news": list(_news(drawing)),
        "sheet": SHEET,
        "rounds": ROUNDS,
        "turns": TURNS,
        "columns": COLUMNS,
        "numerals": ("I", "II", "III"),
        "changes": lambda choice: changes(drawing, choice),
    }


def _news(drawing: Drawing) -> Iterator[str]:
    """How the last round ended, while the next one begins."""
    view = drawing.view
    if view["facts"].get("turn") != 1:
        return
    events = view["events"]
    starts = [at for at, one in enumerate(events) if one["key"] == "event.aid"]
    for one in events[starts[-1] :] if starts else ():
        mine = one["key"] == "event.scored" and one["params"]["who"]["seat"] == drawing.me
        if mine or one["key"] in ROUND_ENDS:
            yield drawing.say(one)


def _asked(drawing: Drawing) -> str:
    """The card that a diver may go to."""
    return str(next(choice["piece"] for choice in drawing.view["choices"] if choice["at"]))


def _dive(drawing: Drawing, captain: Captain) -> int:
    """How many chests the diver who is asked for could bring up."""
    row, column = next(choice["at"] for choice in drawing.view["choices"] if choice["at"])
    above = [one for one in captain.laid if one["at"][1] == column and one["at"][0] <= row]
    return sum(one["marks"].count("treasure") for one in above)


def changes(drawing: Drawing, choice: Mapping[str, Any]) -> dict[str, int]:
    """What a choice changes on the table's sheet."""
    if drawing.me is None or not choice["preview"]:
        return {}
    now = {line["key"]: line["points"] for line in drawing.standing(drawing.me)["lines"]}
    found = {
        line: sum(choice["preview"][key] - now[key] for key in keys)
        for line, (keys, _) in SHEET.items()
    }
    return {line: change for line, change in found.items() if change}


def _pairs(drawing: Drawing) -> dict[int, dict[str, dict[str, int]]]:
    """For each first card, what it and each other card that fuel pays for change together."""
    return {
        action: {
            choice["notation"].removeprefix("fuel "): changes(drawing, choice)
            for choice in choices
            if choice["piece"]
        }
        for action, choices in drawing.follow().items()
    }

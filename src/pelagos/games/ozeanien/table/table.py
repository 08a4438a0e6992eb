"""What Ozeanien's parts ask of a view: the chart cell by cell, its islands, the ship, the sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pelagos.engine.series import written
from pelagos.games.ozeanien.coasts import CORNERS, SIDES, STEP, look_at, name_of, plug_name
from pelagos.games.ozeanien.rules import FORMS
from pelagos.games.ozeanien.state import CLASSES, COASTS, DEGREES, EDGES, VALUES
from pelagos.games.ozeanien.table.marks import AROUND, SHIP, START, Crowd, Stand

if TYPE_CHECKING:
    from pelagos.web.drawing import Drawing

DRAWS = ("others", "sheets", "facts", "log", "seats", "prompt", "loose", "clock")
FITS = True
SOUNDS = {
    "ship": "deal",
    "lay": "lay",
    "fill": "reveal",
    "explorer": "lay",
    "complete": "count",
}
STAGES = {
    "prompt.ship": "ship",
    "prompt.ship_last": "ship",
    "prompt.draw": "draw",
    "prompt.reuse": "draw",
    "prompt.reuse_last": "draw",
}
SHIP_LABELS = ("label.ship", "label.ship_last")
SIDE_OF = dict(zip(EDGES, SIDES, strict=True))
SIDE_NAMES = dict(zip(SIDES, EDGES, strict=True))
STRAITS = ("ns", "ew")
READ_IN = "wnes"
"""The sides as their explorers are listed: as on the chart, the left or the upper one first."""
INWARD = dict(zip(COASTS, "swne", strict=True))
"""From a side of the board into it."""
QUARTER = dict(zip(SIDES, SIDES[1:] + SIDES[:1], strict=True))
"""Where a side comes to lie on the turned chart."""


def land_of(face: str) -> str:
    """The sides with land of a tile's face, as `cape-90`; a class alone lies unturned."""
    kind, _, degrees = face.partition("-")
    quarters = DEGREES.index(int(degrees or 0))
    form = FORMS[CLASSES.index(kind)]
    land = {SIDES[(side + quarters) % 4] for side in range(4) if form[side] == "L"}
    return "".join(side for side in SIDES if side in land)


SYMBOLS = {"exploring-ship": "ship", **{f"explorer-{n}": f"explorer-0-{n}" for n in (1, 2, 3)}}
"""Symbols of things that the aid tells about."""


def symbol(face: str) -> str | None:
    """The picture of a tile's face, or of a thing that has another name."""
    if face in SYMBOLS:
        return SYMBOLS[face]
    return f"coast-{land_of(face) or 'sea'}-1" if face.partition("-")[0] in CLASSES else None


def turned(land: str) -> str:
    """Sides with land, on the turned chart."""
    return "".join(side for side in SIDES if side in {QUARTER[other] for other in land})


def sea_spot(land: str) -> str:
    """Where a ship lies on a tile: towards its sea, a side, a corner, or the middle (nothing)."""
    sea = [side for side in SIDES if side not in land]
    x = sum(STEP[side][0] for side in sea)
    y = sum(STEP[side][1] for side in sea)
    return "".join(
        side for side, on in (("n", y < 0), ("e", x > 0), ("s", y > 0), ("w", x < 0)) if on
    )


@dataclass
class Figure:
    """An explorer on the chart."""

    seat: int
    value: int
    part: str


@dataclass
class Island:
    """An island as the sheet tells it."""

    number: int
    name: str
    size: int
    coasts: int
    sums: list[int]
    keys: list[str]
    reason: Mapping[str, Any]
    points: list[int]

    @property
    def is_tied(self) -> bool:
        """Have both seats explorers here, of the same sum?"""
        return len(self.sums) == 2 and self.sums[0] == self.sums[1] > 0

    @property
    def holder(self) -> int | None:
        """The seat with the larger sum."""
        if len(self.sums) < 2 or self.sums[0] == self.sums[1]:
            return None
        return int(self.sums[1] > self.sums[0])


@dataclass
class Effect:
    """A line of what a choice does: of what, how, and what can be left out where room is short."""

    of: str
    what: str
    more: str = ""
    is_good: bool = False


@dataclass
class Start:
    """The legal starts on a cell: a tile, or its circle; a corner has two that do the same."""

    choices: list[Mapping[str, Any]]
    ways: list[str]
    """For each: sides of the cell towards what it reaches; from a circle, into the cell."""
    sides: list[str]
    """For each: the side of the cell where its circle is; empty on a tile."""
    stand: Stand
    """Where its number stands."""


@dataclass
class Badge:
    """An island's size, and where it covers no explorer's value."""

    island: Island
    stand: Stand

    @property
    def classes(self) -> str:
        """What the style sheet calls it: where it stands, how the island does."""
        island = self.island
        holder = "" if island.holder is None else f" h{island.holder}"
        is_open, is_tied = " is-open" * bool(island.coasts), " is-tied" * island.is_tied
        return f"{self.stand.classes}{holder}{is_open}{is_tied}"

    @property
    def text(self) -> str:
        """Its size; with a sign if it is tied."""
        return f"{self.island.size}{' =' if self.island.is_tied else ''}"

    @staticmethod
    def half(island: Island) -> tuple[float, float]:
        """Half of what it measures: two signs take more room than one."""
        return 0.24 + 0.06 * (island.size > 9) + 0.12 * island.is_tied, 0.24


@dataclass
class Cell:
    """A cell of the chart."""

    name: str
    row: int
    column: int
    piece: Mapping[str, Any]
    land: str | None = None
    """Sides with land; None: unexplored."""
    closed: list[str] = field(default_factory=list)
    """Corners with land at all four edges."""
    figure: Figure | None = None
    badges: list[Badge] = field(default_factory=list)
    islands: list[Island] = field(default_factory=list)
    start: Start | None = None
    mooring: str = ""
    """Where a ship lies beside the explorer."""
    lays: list[Mapping[str, Any]] = field(default_factory=list)
    way: str = ""
    """The side that the ship would sail towards to come here."""
    parts: dict[str, list[Mapping[str, Any]]] = field(default_factory=dict)
    """Explorers that may be put here, by island part."""
    fills: dict[int, str] = field(default_factory=dict)
    """By action: the land of the tile that would fill this cell."""
    fresh: bool = False
    """Was it laid or filled just now?"""
    called: str = ""
    """What lies there, in words."""

    def pictures(self, land: str | None = None) -> list[list[str]]:
        """The symbols of the tile that lies here, or of one that may: upright, and turned. Its
        closed corners have symbols of their own; what grows there is the corner's.
        """
        look, here = look_at(self.row, self.column), land is None
        shore = self.land or "" if land is None else land
        corners = [
            (corner, look_at(self.row + ("s" in corner), self.column + ("e" in corner)))
            for corner in (self.closed if here else ())
        ]
        quarter = dict(zip(CORNERS, CORNERS[1:] + CORNERS[:1], strict=True))
        return [
            [name_of(shore, look), *(plug_name(*corner) for corner in corners)],
            [
                name_of(turned(shore), look),
                *(plug_name(quarter[corner], its_look) for corner, its_look in corners),
            ],
        ]

    def stand(self, sides: str, reach: str) -> Stand:
        """A place on it."""
        return Stand(self.row, self.column, sides, reach)

    @property
    def berth(self) -> str:
        """Where a ship lies here."""
        return self.mooring or sea_spot(self.land or "")


@dataclass
class Ship:
    """Where the ship is, or was last: counted on the chart with its margin."""

    row: int
    column: int
    sides: str
    """Where it lies there: towards these."""
    on_tile: bool
    is_small: bool = False
    """Does it share its tile with somebody, or with numbers?"""


class Chart:
    """All of it."""

    def __init__(self, drawing: Drawing) -> None:
        self.drawing = drawing
        self.view = drawing.view
        self.me = drawing.me
        self.land_of, self.pictures, self.towards = land_of, pictures, towards
        self.own = drawing.near
        self.alone = self.view["players"] == 1
        self.seats = [self.own] if self.alone else [self.own, 1 - self.own]
        self.called = [
            drawing.words("table.you") if seat == self.me else name
            for seat, name in enumerate(drawing.names)
        ]
        self.unseen = sum(self.view["facts"]["unseen"].values())
        self.kinds = [
            (kind, count)
            for kind, count in self.view["facts"]["unseen"].items()
            if count or set(land_of(kind)) != set(SIDES)  # land all around is reserve alone
        ]
        pile = drawing.pieces.get("pile")
        self.pile = pile["count"] if pile else 0
        self.tile = drawing.pieces.get("tile")
        board = drawing.places["board"]
        self.rows, self.columns = board["rows"] - 2, board["columns"] - 2
        self.may_turn = self.rows > self.columns
        self.stage = self._stage()
        self.cells = self._cells()
        self.by_name = {cell.name: cell for line in self.cells for cell in line}
        self.rim = [piece for piece in self.view["pieces"] if piece["key"].startswith("circle.")]
        self.islands = self._islands()
        self.ship = self._ship()
        self._close_corners()
        self._attach()
        self._freshen()
        self._place_marks()
        for cell in self.by_name.values():
            cell.called = self._cell_words(cell)
        self.lays = [(cell, choice) for cell in self.by_name.values() for choice in cell.lays]
        self.starts = [
            choice for cell in self.by_name.values() if cell.start for choice in cell.start.choices
        ]

    # --- what lies there --------------------------------------------------------------------------

    def _stage(self) -> str:
        view = self.view
        if view["over"]:
            return "over"
        if not view["choices"]:
            return "wait"
        return STAGES.get(view["prompt"]["key"]) or str(view["choices"][0]["group"])

    def _cells(self) -> list[list[Cell]]:
        lines: list[list[Cell]] = [[] for _ in range(self.rows)]
        for piece in self.view["pieces"]:
            what, _, name = piece["key"].partition(":")
            if what not in ("cell", "tile") or not name:
                continue
            row, column = piece["at"][0] - 1, piece["at"][1] - 1
            cell = Cell(name, row, column, piece)
            if what == "tile":
                cell.land = land_of(piece["face"])
                cell.figure = _figure(piece["marks"], cell.land)
            lines[row].append(cell)
        return [sorted(line, key=lambda cell: cell.column) for line in lines]

    def _islands(self) -> list[Island]:
        sheets = self.view["sheets"]
        islands = []
        for number, proofs in enumerate(
            zip(*(sheet["lines"][0]["evidence"] for sheet in sheets), strict=True)
        ):
            params = proofs[0]["reason"]["params"]
            name = params["island"]
            sums = [int(number) for number in params["sums"].split(" : ")]
            islands.append(
                Island(
                    number,
                    self.drawing.say(name) if isinstance(name, Mapping) else name,
                    params["tiles"]["params"]["count"],
                    params["coasts"]["params"]["count"],
                    sums,
                    proofs[0]["pieces"],
                    proofs[0]["reason"],
                    [proof["points"] for proof in proofs],
                )
            )
        for island in islands:
            for key in island.keys:
                self.by_name[key.partition(":")[2]].islands.append(island)
        return islands

    def _ship(self) -> Ship | None:
        """Where its mark is; between turns, where it sailed last."""
        for piece in self.view["pieces"]:
            if "ship" in piece["marks"]:
                return self._berth(piece)
        for event in reversed(self.view["events"]):
            if event["key"] == "event.ship":
                start = event["params"]["start"]
                key = f"tile:{start}"
                if isinstance(start, Mapping):
                    key = f"circle.{start['key'].partition('.')[2]}.{start['params']['number']}"
                return self._berth(next(p for p in self.view["pieces"] if p["key"] == key))
        return None

    def _berth(self, piece: Mapping[str, Any]) -> Ship:
        row, column = piece["at"]
        if piece["key"].startswith("circle."):
            return Ship(row, column, INWARD[piece["key"].split(".")[1]], on_tile=False)
        return Ship(row, column, sea_spot(land_of(piece["face"])), on_tile=True)

    def _close_corners(self) -> None:
        land = set()
        for line in self.cells:
            for cell in line:
                for side in cell.land or "":
                    upright = side in "ew"
                    land.add((upright, cell.row + (side == "s"), cell.column + (side == "e")))
        for line in self.cells:
            for cell in line:
                if cell.land is None:
                    continue
                for corner, (down, right) in zip(
                    CORNERS, ((0, 1), (1, 1), (1, 0), (0, 0)), strict=True
                ):
                    y, x = cell.row + down, cell.column + right
                    around = {(False, y, x - 1), (False, y, x), (True, y - 1, x), (True, y, x)}
                    if around <= land:
                        cell.closed.append(corner)

    # --- what may be done there -------------------------------------------------------------------

    def _attach(self) -> None:
        for choice in self.view["choices"]:
            params = choice["label"]["params"]
            if choice["label"]["key"] in SHIP_LABELS:
                self._start(choice, params["goals"])
            elif choice["group"] == "lay":
                cell = self.by_name[params["cell"]]
                cell.lays.append(choice)
                cell.way = self._way(cell)
                for name, face in params.get("fills", ()):
                    self.by_name[name].fills[choice["action"]] = land_of(face)
            elif choice["group"] == "explorer" and choice["piece"]:
                cell = self.by_name[choice["piece"].partition(":")[2]]
                part = SIDE_OF.get(params.get("part", {}).get("noun"), cell.land or "")
                cell.parts.setdefault(part, []).append(choice)

    def _start(self, choice: Mapping[str, Any], goals: Sequence[str]) -> None:
        """An edge cell is its circle."""
        what, _, name = choice["piece"].partition(":")
        if what == "tile":
            cell = self.by_name[name]
            ways = "".join(
                side
                for side, (x, y) in STEP.items()
                if self._at(cell.row + y, cell.column + x) in goals
            )
            cell.start = Start([choice], [ways], [""], cell.stand(cell.berth, "near"))
            return
        cell = self.by_name[goals[0]]
        inward = INWARD[choice["piece"].split(".")[1]]
        if cell.start is None:
            cell.start = Start([], [], [], cell.stand("", "centre"))
        cell.start.choices.append(choice)
        cell.start.ways.append(inward)
        cell.start.sides.append(QUARTER[QUARTER[inward]])

    def _way(self, cell: Cell) -> str:
        """From the ship to a cell beside it: a side."""
        if self.ship is None:
            return ""
        step = (cell.column + 1 - self.ship.column, cell.row + 1 - self.ship.row)
        return next((side for side, move in STEP.items() if move == step), "")

    def _at(self, row: int, column: int) -> str:
        if 0 <= row < self.rows and 0 <= column < self.columns:
            return self.cells[row][column].name
        return ""

    def _freshen(self) -> None:
        """Mark what was laid or filled since the ship sailed."""
        for event in reversed(self.view["events"]):
            if event["key"] in ("event.lay", "event.fill"):
                self.by_name[event["params"]["cell"]].fresh = True
            if event["key"] == "event.ship":
                return

    def _place_marks(self) -> None:
        """Ships, then numbers of starts, then sizes of islands: they cover no explorer's value."""
        crowd = Crowd(self.rows, self.columns)
        for cell in self.by_name.values():
            for part in [cell.figure.part] if cell.figure else cell.parts:
                crowd.add_explorer(cell.stand(part, "land"))
        self._moor(crowd)
        for cell in self.by_name.values():
            if cell.start and cell.start.sides == [""]:
                sea = "".join(side for side in SIDES if side not in (cell.land or ""))
                stands = [cell.stand(sides, "near") for sides in (cell.berth, *sea, *AROUND)]
                stands += [cell.stand(sides, "far") for sides in AROUND]
                cell.start.stand = crowd.first_clear(stands, START) or cell.start.stand
                crowd.add(cell.start.stand, START)
        for island in self.islands:
            stand = crowd.first_clear(self._stands_on(island), Badge.half(island))
            if stand and island.size > 1:
                self.cells[stand.row][stand.column].badges.append(Badge(island, stand))
                crowd.add(stand, Badge.half(island))

    def _moor(self, crowd: Crowd) -> None:
        """Ships lie beside whoever stands on their tile, in a corner; between turns the last one
        does so anyway.
        """

        def corner(cell: Cell) -> Stand:
            stands = (cell.stand(sides, "moored") for sides in reversed(AROUND) if len(sides) == 2)
            return crowd.least_covering(stands, SHIP)

        for cell in self.by_name.values():
            if cell.figure or cell.parts:
                cell.mooring = corner(cell).sides
        ship = self.ship
        if ship and ship.on_tile:
            cell = self.cells[ship.row - 1][ship.column - 1]
            if cell.mooring or self.stage == "ship":
                stand = corner(cell)
                ship.sides, ship.is_small = stand.sides, True
                crowd.add(stand, SHIP)

    def _stands_on(self, island: Island) -> list[Stand]:
        """Places for an island's size: on its land, where nobody stands, near its middle."""
        cells = [self.by_name[key.partition(":")[2]] for key in island.keys]
        y = sum(cell.row for cell in cells) / len(cells)
        x = sum(cell.column for cell in cells) / len(cells)

        def worth(stand: Stand) -> tuple[bool, float]:
            cell = self.cells[stand.row][stand.column]
            land = "" if cell.land in STRAITS else cell.land or ""
            column, row = next(stand.points(self.rows))
            at_sea = not land or any(side not in land for side in stand.sides)
            return at_sea, (row - 0.5 - y) ** 2 + (column - 0.5 - x) ** 2

        stands = [cell.stand("", "centre") for cell in cells if len(cell.land or "") > 2]
        for cell in cells:
            stands += [cell.stand(sides, reach) for sides in AROUND for reach in ("land", "far")]
        return sorted(stands, key=worth)

    # --- in words ---------------------------------------------------------------------------------

    def _cell_words(self, cell: Cell) -> str:
        """What lies on a cell, whose explorer, of which island."""
        say = self.drawing.words
        parts = [self.drawing.noun(cell.piece["face"])]
        if cell.land is None:
            parts += [
                say("table.circle", start={"key": f"start.{coast}", "params": {"number": number}})
                for coast, number in self._circles(cell)
            ]
        if cell.figure:
            key = "table.explorer_part" if cell.land in STRAITS else "table.explorer_of"
            part = {"noun": SIDE_NAMES.get(cell.figure.part, "")}
            who = {"seat": cell.figure.seat}
            parts.append(say(key, who=who, value=cell.figure.value, part=part))
        for island in {island.number: island for island in cell.islands}.values():
            key = "table.island_is" if island.coasts else "table.island_whole"
            parts.append(say(key, tiles=self.tiles(island.size), coasts=self.coasts(island.coasts)))
            if not self.alone and any(island.sums):
                parts.append(self.sums(island.sums))
        if "filled" in cell.piece["marks"]:
            parts.append(say("mark.filled"))
        ship = self.ship
        if ship and ship.on_tile and (ship.row, ship.column) == (cell.row + 1, cell.column + 1):
            parts.append(say("table.ship_here"))
        return f"{cell.name}{say('table.colon')}{', '.join(parts)}"

    def _circles(self, cell: Cell) -> list[tuple[str, int]]:
        """The start circles of a cell: a side of the board, and a number."""
        circles = []
        for piece in self.rim:
            row, column = piece["at"]
            inside = (
                min(max(row, 1), self.rows) - 1,
                min(max(column, 1), self.columns) - 1,
            )
            if "circle" in piece["marks"] and inside == (cell.row, cell.column):
                _, coast, number = piece["key"].split(".")
                circles.append((coast, int(number)))
        return circles

    def tiles(self, count: int) -> str:
        """So many tiles."""
        return self.drawing.words("amount.tiles", count=count)

    def coasts(self, count: int) -> str:
        """So many open coasts."""
        return self.drawing.words("amount.coasts", count=count)

    def sums(self, sums: Sequence[int]) -> str:
        """Both seats' explorers on an island, the own first."""
        own, other = self.seats
        return self.drawing.words(
            "table.sums",
            one=self.called[own],
            mine=sums[own],
            theirs=sums[other],
            other=self.called[other],
        )

    def name(self, choice: Mapping[str, Any]) -> str:
        """What the large button says."""
        label, say = choice["label"], self.drawing.words
        params = label["params"]
        if label["key"] in SHIP_LABELS:
            return say(f"table.{'sail' if self._may_reuse else 'sail_draw'}", start=params["start"])
        keys = {
            "label.explorer": "put",
            "label.explorer_part": "put_part",
            "label.reuse": "reuse",
            "label.pass": "pass",
            "label.rest": "rest",
        }
        key = "lay" if choice["group"] == "lay" else keys.get(label["key"])
        return say(f"table.{key}", **params) if key else self.drawing.say(label)

    @property
    def _may_reuse(self) -> bool:
        in_place = self.drawing.pieces_in
        return bool(in_place(f"discards{self.me}") and in_place(f"supply{self.me}"))

    def prompt(self) -> str:
        """The one sentence that says what to do now."""
        say, tile = self.drawing.words, self.tile and {"noun": self.tile["face"]}
        last = self.view["prompt"]["key"].endswith("_last")
        if last:
            return say("table.ask_ship_last" if self.stage == "ship" else "table.ask_reuse")
        if self.stage == "draw":
            return say("table.ask_draw" if len(self.view["choices"]) > 1 else "table.ask_only_draw")
        if self.stage in ("ship", "lay", "explorer"):
            return say(f"table.ask_{self.stage}", tile=tile)
        if self.view["phase"]:
            who = {"seat": self.view["phase"][0]}
            return say("table.wait_lay" if tile else "table.wait", who=who, tile=tile)
        return self.drawing.say(self.view["prompt"])

    def hint(self) -> str:
        """What helps with it, until something is chosen."""
        if self.view["prompt"]["key"] == "prompt.ship_last":
            return self.drawing.words("table.start_hint_last")
        if self.stage == "ship":
            return self.drawing.words("table.start_hint", count=self.unseen)
        if self.stage == "lay":
            names = ", ".join(cell.name for cell in self.by_name.values() if cell.lays)
            return self.drawing.words("table.fits_at", cells=names)
        return ""

    @property
    def may_turn_tile(self) -> bool:
        """Is there a cell on which the tile fits in several ways?"""
        return any(len(cell.lays) > 1 for cell in self.by_name.values())

    def chance(self, choice: Mapping[str, Any]) -> str:
        """How likely a tile is to fit from a start."""
        params = choice["label"]["params"]
        key = "fits_chance_solo" if self.alone else "fits_chance"
        if choice["label"]["key"] == "label.ship_last":
            key = "fits_last"
        elif params["fitting"] == params["unseen"]:
            key = "fits_all"
        return self.drawing.words(f"table.{key}", count=params["fitting"], **params)

    # --- for the panels ---------------------------------------------------------------------------

    def series(self) -> str:
        """How the games played at this table stand: 1 for a game won, a half for a drawn one."""
        past, series = self.drawing.past, self.drawing.about.get("series")
        if self.alone or not (past or series):
            return ""
        points = [sum(1 / len(won) for won in past if seat in won) for seat in range(2)]
        number = len(past) + 1
        if series:
            points, number = series["points"], series["number"]
        own, other = self.seats
        first = own if points[own] >= points[other] else other
        shown = f"{written(points[first])} : {written(points[1 - first])}"
        key = "even" if points[0] == points[1] else "lead"
        line = self.drawing.words(f"table.{key}", number=number, who={"seat": first}, points=shown)
        of = self.drawing.tell("series.best", games=series["games"]) if series else ""
        return f"{of} · {line}" if series else line

    def effects(self, choice: Mapping[str, Any]) -> list[Effect]:
        """What laying a tile does."""
        say, params, effects = self.drawing.words, choice["label"]["params"], []
        for island in params["islands"]:
            sizes = " + ".join(str(size) for size, _ in island["was"])
            key = "joins" if len(island["was"]) > 1 else "grows" if sizes else "new_island"
            grown = say(f"table.{key}", before=sizes, tiles=self.tiles(island["size"]))
            before = " + ".join(str(coasts) for _, coasts in island["was"])
            still_open = say("table.open", count=island["coasts"])
            if before:
                still_open = say("table.coasts_now", before=before, coasts=still_open)
            named = say(f"table.{island['shore'] or 'island'}")
            if island["coasts"]:
                effects.append(Effect(named, grown, f", {still_open}"))
            else:
                effects.append(Effect(named, f"{grown}, {say('table.closes')}", is_good=True))
            if not self.alone and island["was"]:
                effects.append(Effect(say("table.held"), self._held(island["sums"])))
        fills = params.get("fills", ())
        if fills:
            tiles = ", ".join(
                say("table.fill_is", cell=name, tile=self.drawing.noun(face.partition("-")[0]))
                for name, face in fills
            )
            effects.append(Effect(say("table.fill"), tiles))
        return [*(effects or [Effect("", say("table.no_land"))]), *self._totals(choice)]

    def _totals(self, choice: Mapping[str, Any]) -> list[Effect]:
        """How the totals would stand, unless the table shows no previews."""
        if choice["gain"] is None:
            return []
        gains = [choice["gain"]] if self.alone else choice["label"]["params"]["gains"]
        totals = [self.drawing.sheet(seat)["total"] for seat in self.seats]
        then = [total + gains[seat] for total, seat in zip(totals, self.seats, strict=True)]
        before, after = (" : ".join(shown(total) for total in both) for both in (totals, then))
        key = "totals_stay" if totals == then else "totals_now"
        totals_line = self.drawing.words(f"table.{key}", before=before, after=after)
        return [Effect(self.drawing.words("table.totals"), totals_line)]

    def _held(self, sums: Sequence[int]) -> str:
        """How an island's explorers stand, the own first, and who holds it by that."""
        say, own, other = self.drawing.words, *self.seats
        holder = self.called[own if sums[own] > sums[other] else other]
        if sums[own] == sums[other]:
            holder = say("table.tied" if sums[own] else "table.nobody")
        return say("table.held_by", mine=sums[own], theirs=sums[other], who=holder)

    def reuses(self) -> list[tuple[str, list[Mapping[str, Any]]]]:
        """The discards that may be laid again, each with the explorers that may pay for it."""
        ways: dict[str, list[Mapping[str, Any]]] = {}
        for choice in self.view["choices"]:
            if choice["label"]["key"] == "label.reuse":
                ways.setdefault(choice["label"]["params"]["tile"]["noun"], []).append(choice)
        return list(ways.items())

    def choices(self, key: str) -> list[Mapping[str, Any]]:
        """The choices of this label."""
        return [choice for choice in self.view["choices"] if choice["label"]["key"] == key]

    def isles(self) -> list[dict[str, Any]]:
        """The parts of the tile just laid where an explorer may go, with what it would hold."""
        isles = []
        for cell in self.by_name.values():
            for part, choices in sorted(cell.parts.items(), key=_left_or_top_first):
                params = choices[0]["label"]["params"]
                sums = [int(number) for number in params["sums"].split(" : ")]
                name = SIDE_NAMES[part] if len(cell.parts) > 1 else "island"
                coasts = params["coasts"]["params"]["count"]
                isles.append(
                    {
                        "part": part,
                        "name": self.drawing.words(f"table.{name}"),
                        "tiles": self.drawing.say(params["tiles"]),
                        "open": self.drawing.words("table.open", count=coasts) if coasts else "",
                        "held": self._held(sums),
                        "men": [self._man(choice, sums) for choice in choices],
                    }
                )
        return isles

    def _man(self, choice: Mapping[str, Any], sums: Sequence[int]) -> dict[str, Any]:
        """An explorer that may be put there, and how the sums would stand."""
        value = choice["label"]["params"]["value"]
        mine, theirs = sums[self.own] + value, sums[1 - self.own]
        return {
            "choice": choice,
            "value": value,
            "left": self.drawing.pieces[f"supply{self.own}.{value}"]["count"],
            "sums": f"{mine} : {theirs}",
            "leads": mine > theirs,
        }

    def grown(self, choice: Mapping[str, Any]) -> str:
        """The rows of the sheet whose islands a tile would make larger."""
        after = [set(island["cells"]) for island in choice["label"]["params"]["islands"]]
        return " ".join(
            f"island-{island.number}"
            for island in self.islands
            if any({key.partition(":")[2] for key in island.keys} <= cells for cells in after)
        )

    def columns_of_sheet(self) -> list[dict[str, Any]]:
        """A column for each seat, the own first."""
        drawing = self.drawing
        return [
            drawing.column(seat, self.called[seat], drawing.sheet(seat)["total"])
            for seat in self.seats
        ]

    def rows_of_sheet(self) -> list[dict[str, Any]]:
        """A row for each island, and one for discards or unexplored cells."""
        say, rows = self.drawing.words, []
        lines = [line["key"] for line in self.drawing.sheet(0)["lines"]]
        for island in self.islands:
            note = say("table.open", count=island.coasts) if island.coasts else say("table.whole")
            if not self.alone:
                sums = "\u00a0:\u00a0".join(str(island.sums[seat]) for seat in self.seats)
                note += f" · {say('table.tied_sums', sums=sums) if island.is_tied else sums}"
            of = self.drawing.ids(island.keys)
            cells = [
                {
                    "points": island.points[seat],
                    "of": of if island.points[seat] else "",
                    "text": signed(island.points[seat]) if island.points[seat] else "·",
                }
                for seat in self.seats
            ]
            label = say("table.line_island", cell=island.name, tiles=self.tiles(island.size))
            kind = "is-open" if island.coasts else ""
            key = f"island-{island.number}"
            row = self.drawing.row(
                key, cells, label=label, note=note, of=of, kind=kind, aid=lines[0]
            )
            rows.append(row)
        last = [self.drawing.cell(self.drawing.sheet(seat)["lines"][1:]) for seat in self.seats]
        label = say("table.line_unexplored" if self.alone else "table.line_discards")
        rows.append(self.drawing.row("last", last, label=label, lines="discards", aid=lines[1]))
        return rows

    def explorers(self, seat: int) -> list[tuple[int, int]]:
        """A seat's explorers that are left: each value, and how many."""
        supply = {
            piece["face"]: piece["count"] for piece in self.drawing.pieces_in(f"supply{seat}")
        }
        values = range(VALUES, 0, -1)
        return [(value, supply.get(f"explorer-{seat}-{value}", 0)) for value in values]

    @property
    def tied(self) -> int:
        """How many islands nobody holds, though both are there."""
        return sum(island.is_tied for island in self.islands)

    def outcome(self) -> list[str]:
        """Why the game is over, and what a tie kept from both."""
        say = self.drawing.words
        sentences = [self.drawing.say(event) for event in self.view["events"] if _ends(event)]
        ties = [island for island in self.islands if island.is_tied and not island.coasts]
        if ties:
            sentences.append(
                say("table.ties", count=len(ties), islands=", ".join(map(self._tie, ties)))
            )
        totals = [self.drawing.sheet(seat)["total"] for seat in self.seats]
        if not self.alone and totals[0] == totals[1]:
            sentences.append(say("table.drawn", points=shown(totals[0])))
        return sentences

    def _tie(self, island: Island) -> str:
        tiles = self.tiles(island.size)
        return self.drawing.words("table.tie", island=island.name, sums=island.sums[0], tiles=tiles)

    def news(self) -> Mapping[str, Any] | None:
        """A tile that was drawn and fits nowhere, if that is what happened last."""
        for event in reversed(self.view["events"]):
            if event["key"] == "event.discard":
                discard: Mapping[str, Any] = event
                return discard
            if not event["key"].startswith("event.over"):
                return None
        return None


def _left_or_top_first(part: tuple[str, Any]) -> int:
    return READ_IN.find(part[0])


def signed(number: int) -> str:
    """A change of points."""
    return f"{number:+d}".replace("-", "−")


def shown(number: int) -> str:
    """Points, with a true minus sign."""
    return str(number).replace("-", "−")


def _ends(event: Mapping[str, Any]) -> bool:
    """Does it tell why the game is over?"""
    return str(event["key"]).startswith("event.over_")


def pictures(face: str) -> list[list[str]]:
    """The symbols of a tile that doesn't lie on the chart: upright, and turned."""
    return [[name_of(land, 1)] for land in (land_of(face), turned(land_of(face)))]


def towards(sides: str) -> str:
    """What the style sheet calls these sides."""
    return " ".join(f"to-{side}" for side in sides)


def _figure(marks: Sequence[str], land: str) -> Figure | None:
    for mark in marks:
        if mark.startswith("explorer-"):
            _, seat, value = mark.split("-")
            part = next((SIDE_OF[other] for other in marks if other in SIDE_OF), land)
            return Figure(int(seat), int(value), part)
    return None


def make(drawing: Drawing) -> Chart:
    """What the parts ask."""
    return Chart(drawing)

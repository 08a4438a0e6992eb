"""What Ozeanien's own table asks of a view: the chart cell by cell, its islands, the ship."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pelagos.games.ozeanien.coasts import CORNERS, SIDES, STEP, look_at, name_of, plug_name
from pelagos.games.ozeanien.rules import FORMS
from pelagos.games.ozeanien.state import CLASSES, COASTS, DEGREES

if TYPE_CHECKING:
    from pelagos.web.drawing import Drawing

STAGES = {"prompt.ship": "ship", "prompt.draw": "draw", "prompt.reuse": "draw"}
SIDE_OF = dict(zip(("north", "east", "south", "west"), SIDES, strict=True))
INWARD = dict(zip(COASTS, "swne", strict=True))
"""From a side of the board into it."""


def land_of(face: str) -> str:
    """The sides with land of a tile's face, as `cape-90`; a class alone lies unturned."""
    kind, _, degrees = face.partition("-")
    quarters = DEGREES.index(int(degrees or 0))
    form = FORMS[CLASSES.index(kind)]
    found = {SIDES[(side + quarters) % 4] for side in range(4) if form[side] == "L"}
    return "".join(side for side in SIDES if side in found)


def symbol(face: str) -> str | None:
    """The picture of a tile's face, for the plain table."""
    return f"coast-{land_of(face) or 'sea'}-1" if face.partition("-")[0] in CLASSES else None


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
    cell: str
    size: int
    coasts: int
    sums: list[int]
    keys: list[str]
    reason: Mapping[str, Any]
    points: list[int]

    @property
    def holder(self) -> int | None:
        """The seat with the larger sum."""
        if len(self.sums) < 2 or self.sums[0] == self.sums[1]:
            return None
        return int(self.sums[1] > self.sums[0])


@dataclass
class Start:
    """A legal start on a cell: the choice, and the ways that it opens."""

    choice: Mapping[str, Any]
    ways: str
    """Sides of the cell towards what it reaches; from a circle, into the cell."""
    side: str
    """The side of the board of a circle; empty on a tile."""


@dataclass
class Badge:
    """An island's size, at the edge of a tile where the next one joins it."""

    island: Island
    side: str


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
    lays: list[Mapping[str, Any]] = field(default_factory=list)
    way: str = ""
    """The side that the ship would sail towards to come here."""
    parts: dict[str, list[Mapping[str, Any]]] = field(default_factory=dict)
    """Explorers that may be put here, by island part."""
    fills: dict[int, str] = field(default_factory=dict)
    """By action: the land of the tile that would fill this cell."""
    fresh: bool = False
    """Was it laid or filled just now?"""

    def picture(self, land: str | None = None) -> str:
        """The symbol of the tile that lies here, or of one that may."""
        return name_of(self.land or "" if land is None else land, look_at(self.row, self.column))

    @property
    def plugs(self) -> list[str]:
        """The symbols that close its corners; what grows there is the corner's own."""
        return [
            plug_name(corner, look_at(self.row + ("s" in corner), self.column + ("e" in corner)))
            for corner in self.closed
        ]

    @property
    def berth(self) -> str:
        """Where a ship lies here."""
        return sea_spot(self.land or "")


@dataclass
class Ship:
    """Where the ship is, or was last: counted on the chart with its margin."""

    row: int
    column: int
    spot: str
    side: str


class Chart:
    """All of it."""

    def __init__(self, drawing: Drawing) -> None:
        self.view = drawing.view
        self.me = drawing.me
        self.land_of = land_of
        board = drawing.places["board"]
        self.rows, self.columns = board["rows"] - 2, board["columns"] - 2
        self.stage = self._stage()
        self.cells = self._cells()
        self.by_name = {cell.name: cell for line in self.cells for cell in line}
        self.rim = [piece for piece in self.view["pieces"] if piece["key"].startswith("circle.")]
        self.islands = self._islands()
        self.ship = self._ship()
        self._close_corners()
        self._attach()
        self._freshen()
        self._badge()

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
        found = []
        for number, proofs in enumerate(
            zip(*(sheet["lines"][0]["evidence"] for sheet in sheets), strict=True)
        ):
            told = proofs[0]["reason"]["params"]
            sums = [int(one) for one in told["sums"].split(" : ")]
            found.append(
                Island(
                    number,
                    told["cell"],
                    told["tiles"]["params"]["count"],
                    told["coasts"]["params"]["count"],
                    sums,
                    proofs[0]["pieces"],
                    proofs[0]["reason"],
                    [proof["points"] for proof in proofs],
                )
            )
        for island in found:
            for key in island.keys:
                self.by_name[key.partition(":")[2]].islands.append(island)
        return found

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
            return Ship(row, column, "", piece["key"].split(".")[1])
        return Ship(row, column, sea_spot(land_of(piece["face"])), "")

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
            if choice["label"]["key"] == "label.ship":
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
        """An edge cell is its circle; a corner's two circles do the same, and one is there."""
        what, _, name = choice["piece"].partition(":")
        if what == "tile":
            cell = self.by_name[name]
            ways = "".join(
                side
                for side, (x, y) in STEP.items()
                if self._at(cell.row + y, cell.column + x) in goals
            )
            cell.start = Start(choice, ways, "")
            return
        cell = self.by_name[goals[0]]
        side = choice["piece"].split(".")[1]
        if cell.start is None:
            cell.start = Start(choice, INWARD[side], side)

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

    def _badge(self) -> None:
        """Put an island's size where two of its tiles meet: in its middle, off explorers."""
        for island in self.islands:
            cells = [self.by_name[key.partition(":")[2]] for key in island.keys]
            y = sum(cell.row for cell in cells) / len(cells)
            x = sum(cell.column for cell in cells) / len(cells)
            meetings = [
                (
                    sum(_stands(one, side) for one, side in ((cell, near), (other, far))),
                    (cell.row + other.row - 2 * y) ** 2 + (cell.column + other.column - 2 * x) ** 2,
                    cell.name,
                    near,
                )
                for cell in cells
                for near, far in (("e", "w"), ("s", "n"))
                if (other := self._beyond(cell, near)) in cells
                and other is not None
                and near in (cell.land or "")
            ]
            if meetings:
                _, _, name, side = min(meetings)
                self.by_name[name].badges.append(Badge(island, side))

    def _beyond(self, cell: Cell, side: str) -> Cell | None:
        x, y = STEP[side]
        return self.by_name.get(self._at(cell.row + y, cell.column + x))

    # --- for the panels ---------------------------------------------------------------------------

    def standing(self, past: Sequence[Sequence[int]]) -> list[float]:
        """Points of the games played at this table: 1 for a game won, a half for a drawn one."""
        return [sum(1 / len(won) for won in past if seat in won) for seat in range(2)]

    def halves(self, points: float) -> str:
        """Points of a series: 1, 1½, ½."""
        whole, half = divmod(int(points * 2), 2)
        return f"{whole or ''}½" if half else str(whole)

    def fitting(self) -> list[str]:
        """The cells where the tile may be laid."""
        return [cell.name for line in self.cells for cell in line if cell.lays]

    def grown(self, choice: Mapping[str, Any]) -> list[int]:
        """The islands that a tile would make larger."""
        after = [set(island["cells"]) for island in choice["label"]["params"]["islands"]]
        return [
            island.number
            for island in self.islands
            if any({key.partition(":")[2] for key in island.keys} <= cells for cells in after)
        ]

    def news(self) -> Mapping[str, Any] | None:
        """A tile that was drawn and fits nowhere, if that is what happened last."""
        for event in reversed(self.view["events"]):
            if event["key"] == "event.discard":
                found: Mapping[str, Any] = event
                return found
            if not event["key"].startswith("event.over"):
                return None
        return None


def _stands(cell: Cell, side: str) -> bool:
    """Does an explorer stand, or may one, on the land at this side?"""
    return (cell.figure is not None and side in cell.figure.part) or any(
        side in part for part in cell.parts
    )


def _figure(marks: Sequence[str], land: str) -> Figure | None:
    for mark in marks:
        if mark.startswith("explorer-"):
            _, seat, value = mark.split("-")
            part = next((SIDE_OF[other] for other in marks if other in SIDE_OF), land)
            return Figure(int(seat), int(value), part)
    return None


def make(drawing: Drawing) -> Chart:
    """What `table.html` asks."""
    return Chart(drawing)

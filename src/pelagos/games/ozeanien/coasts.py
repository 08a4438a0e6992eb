"""Ozeanien's tiles as pictures: coasts that join across every edge.

A tile's picture follows from the sides on which it has land. Every shore crosses an edge at the
same points and angles, whichever tile it comes from, so any two tiles that fit join without a
seam; what lies between is drawn by a chance that is named after the tile's sides and one of a few
looks. Which look a tile has depends on its cell alone: all viewers and all replays see the same.

All layers of paper (shoal, surf, sand, meadow, upland) are one shore, moved towards sea or land.
Run as a module, this writes `art/coasts.svg`, which is checked in.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from pathlib import Path

Point = tuple[float, float]
Line = list[Point]
Ways = dict[int, Line]
Crossings = dict[tuple[str, str], tuple[float, float]]

FILE = Path(__file__).parent / "art" / "coasts.svg"
SIZE = 100
LOOKS = 4
"""Pictures of each tile, told apart by what lies between the crossings."""
SHEETS = 3
"""Sheets of paper around the chart."""
RAYS = 16
TRIES = 500
BLEED = 1
"""How far a picture reaches over its cell. The cell cuts it, at a whole pixel of the screen: a
picture that ended there itself would show hairlines.
"""
SIDES = "nesw"
STEP = {"n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0)}
CORNERS = ("ne", "es", "sw", "wn")
AT = {"ne": (100.0, 0.0), "es": (100.0, 100.0), "sw": (0.0, 100.0), "wn": (0.0, 0.0)}
RUN = 9
"""A shore runs straight this far beyond an edge, and half as far within."""

# Where a shore crosses an edge, from its top or left end, and how it leans there: the way it moves
# along the edge for each step across it. One for each end of a level and of an upright edge.
CROSSINGS = {
    ("level", "low"): (14.5, 0.16),
    ("level", "high"): (86.0, -0.1),
    ("upright", "low"): (14.0, -0.13),
    ("upright", "high"): (85.0, 0.14),
}
CHANNELS = {
    ("level", "low"): (31.0, -0.1),
    ("level", "high"): (68.0, 0.16),
    ("upright", "low"): (30.0, 0.14),
    ("upright", "high"): (70.0, -0.12),
}

# Where a shore passes on its way from one side to the next, by the quarter turns between them, seen
# with the side that it leaves at the top: x along it, y into the tile.
LAND: Ways = {
    1: [(89, 11)],
    2: [(78, 24), (57, 39), (54, 60), (75, 78)],
    3: [(80, 27), (62, 43), (46, 56), (27, 79)],
    4: [(83, 21), (73, 43), (51, 55), (28, 44), (17, 22)],
}
HEADLAND: Ways = {4: [(80, 14), (67, 26), (50, 31), (33, 26), (20, 14)]}
CHANNEL: Ways = {
    1: [(71, 12), (78, 22), (89, 28)],
    2: [(69, 34), (66, 66)],
    3: [(66, 38), (38, 66)],
    4: [(64, 30), (50, 47), (36, 30)],
}

CLEAR = 17.0
"""How near two shores of a tile may come."""
LOOSE = {1: 1.6, 2: 5.0, 3: 6.0, 4: 6.5}
"""How far from its way a shore may pass."""
SHOALS = {"shoal": -9.5, "surf": -5.0}
GROUND = {"sand": 0.0, "meadow": 5.0, "upland": 16.5}
"""Paper from the bottom up, and how far it lies from the waterline towards land."""


TONES = {
    "sea": "#79c6d2", "channel": "#62b8ca", "shoal": "#9ad6de", "surf": "#c8ebee",
    "sand": "#eadbb4", "meadow": "#97c78d", "upland": "#74b480", "leaf": "#4aa676",
    "fold": "#2f7d58", "rock": "#b5a891", "cliff": "#7d715f", "snow": "#fbf8f1",
    "shade": "#0b22392e", "drop": "#0b223933", "route": "#fff", "whale": "#2b7f9b",
    "eye": "#0b2239", "sheet-0": "#bfe6ea", "sheet-1": "#6fc1cf", "sheet-2": "#2b8aa8",
}  # fmt: skip
"""Colours by day; a page has its own for the night."""


def name_of(land: str, look: int) -> str:
    """The name of a picture: the sides with land, and which look."""
    return f"coast-{land or 'sea'}-{look}"


def look_at(row: int, column: int) -> int:
    """The look of whatever tile lies there; neighbours differ, and so do the next but one."""
    return (2 * row + column + row // 2 % 2) % LOOKS


def plug_name(corner: str, look: int) -> str:
    """The name of the land that closes a corner with land at all four of its edges."""
    return f"plug-{corner}-{look}"


# --- shores ---------------------------------------------------------------------------------------


def turned(point: Point, quarters: int) -> Point:
    """Turn a point about the middle of the tile, clockwise."""
    for _ in range(quarters):
        point = (SIZE - point[1], point[0])
    return point


def crossing(crossings: Crossings, side: str, leaving: bool,
             level: float = 0) -> Line:  # fmt: skip
    """Three points in line, in walking order: beyond, on and within the edge; or back."""
    low = leaving == (side in "sw")  # sides are walked clockwise, edges measured from the top left
    where, lean = crossings["upright" if side in "ew" else "level", "low" if low else "high"]
    along = where + (level if low else -level)
    line: Line = []
    for out in (RUN, 0, -RUN / 2):
        across = SIZE + out if side in "es" else -out
        moved = along + lean * (out if side in "es" else -out)
        line.append((across, moved) if side in "ew" else (moved, across))
    return line if leaving else line[::-1]


class Shore:
    """A shore from one side to the next, as scissors cut it; it can be moved to make a layer."""

    def __init__(self, dice: random.Random, leave: str, enter: str, ways: Ways,
                 crossings: Crossings) -> None:  # fmt: skip
        self.leave, self.enter, self.crossings = leave, enter, crossings
        steps = (SIDES.index(enter) - SIDES.index(leave)) % 4 or 4
        loose = 2.2 if ways in (HEADLAND, CHANNEL) else LOOSE[steps]
        quarters = SIDES.index(leave)
        way = [
            turned((x + dice.uniform(-loose, loose), y + dice.uniform(-loose, loose)), quarters)
            for x, y in ways[steps]
        ]
        first, last = crossing(crossings, leave, True)[2], crossing(crossings, enter, False)[0]
        self.cut = [first]
        for (ax, ay), (bx, by) in zip([first, *way], [*way, last], strict=True):
            slip = dice.uniform(-0.16, 0.16) if steps > 1 else 0
            mid = ((ax + bx) / 2 - (by - ay) * slip, (ay + by) / 2 + (bx - ax) * slip)
            self.cut += [mid, (bx, by)]
        self.uneven = [dice.uniform(0.72, 1.28) for _ in self.cut]

    def moved(self, level: float) -> Line:
        """The shore, moved by `level` towards land."""
        line = crossing(self.crossings, self.leave, True, level)
        inner = zip(self.cut, self.cut[1:], self.cut[2:], self.uneven[1:], strict=False)
        for (ax, ay), (x, y), (bx, by), uneven in inner:
            shift = level * uneven / (math.hypot(bx - ax, by - ay) or 1)
            line.append((x - (by - ay) * shift, y + (bx - ax) * shift))
        return line + crossing(self.crossings, self.enter, False, level)


def around(dice: random.Random, sides: str, ways: Ways,
           crossings: Crossings) -> list[Shore]:  # fmt: skip
    """The shores of what the sides have in common, clockwise."""
    pairs = zip(sides, sides[1:] + sides[0], strict=True)
    return [Shore(dice, leave, enter, ways, crossings) for leave, enter in pairs]


def parts_of(land: str) -> list[str]:
    """The sides of each island part: the two coasts of a strait stay apart."""
    return list(land) if land in ("ns", "ew") else [land] if land else []


def standing(part: str) -> Point:
    """Where an explorer stands on an island part."""
    pull = 31 if len(part) == 1 else 19
    return (
        50 + pull * sum(STEP[side][0] for side in part),
        50 + pull * sum(STEP[side][1] for side in part),
    )


# --- is it well cut? ------------------------------------------------------------------------------


def smooth(line: Line) -> Line:
    """The line as it is drawn, in short pieces."""
    ends, points = [line[0], *line, line[-1]], [line[0]]
    for (ax, ay), (bx, by), (cx, cy), (dx, dy) in zip(
        ends, ends[1:], ends[2:], ends[3:], strict=False
    ):
        for step in range(1, 6):
            t = step / 5
            u = 1 - t
            weights = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
            xs = (bx, bx + (cx - ax) / 6, cx - (dx - bx) / 6, cx)
            ys = (by, by + (cy - ay) / 6, cy - (dy - by) / 6, cy)
            points.append(
                (
                    sum(w * x for w, x in zip(weights, xs, strict=True)),
                    sum(w * y for w, y in zip(weights, ys, strict=True)),
                )
            )
    return points


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def crosses_itself(line: Line) -> bool:
    """Do two pieces of the line cross?"""
    pieces = list(pairwise(line))
    return any(
        _turn(*piece, other[0]) * _turn(*piece, other[1]) < 0
        and _turn(*other, piece[0]) * _turn(*other, piece[1]) < 0
        for piece, other in combinations(pieces, 2)
    )


def is_well_cut(groups: list[list[Shore]], land: str) -> bool:
    """No loops; shores keep apart; and land keeps off the edges that are sea."""
    shores = [shore for group in groups for shore in group]
    lines = [smooth(shore.moved(0)) for shore in shores]
    for shore, line in zip(shores, lines, strict=True):
        if any(crosses_itself(smooth(shore.moved(level))) for level in (-5.0, 0.0, 5.0)):
            return False
        inside = [(x, y) for x, y in line if 0 < x < SIZE and 0 < y < SIZE]
        for side in SIDES:
            if side not in land and any(_depth(point, side) < 11 for point in inside):
                return False
    return all(
        math.dist(a, b) > CLEAR
        for line, other in combinations(lines, 2)
        for a in line
        for b in other
    )


def _depth(point: Point, side: str) -> float:
    """How far a point is from a side."""
    x, y = point
    return {"n": y, "e": SIZE - x, "s": SIZE - y, "w": x}[side]


# --- drawing --------------------------------------------------------------------------------------


def number(value: float) -> str:
    """A number in as few letters as it needs."""
    text = f"{value:.1f}".rstrip("0").rstrip(".").replace("-0.", "-.")
    text = text.removeprefix("0") if text.startswith("0.") else text
    return "0" if text in ("-0", "", "-") else text


def numbers(values: Iterable[float]) -> str:
    """Numbers, one after the other."""
    text = ""
    for value in values:
        written = number(value)
        text += written if not text or written.startswith("-") else " " + written
    return text


def outline(lines: Sequence[Line]) -> str:
    """A sheet of paper, smooth along each of its shores."""
    text = ""
    for line in lines:
        text += ("L" if text else "M") + numbers(line[0])
        ends = [line[0], *line, line[-1]]
        quads = zip(ends, ends[1:], ends[2:], ends[3:], strict=False)
        for place, ((ax, ay), (bx, by), (cx, cy), (dx, dy)) in enumerate(quads):
            first = [(cx - ax) / 6, (cy - ay) / 6] if place == 0 else []
            rest = [cx - (dx - bx) / 6 - bx, cy - (dy - by) / 6 - by, cx - bx, cy - by]
            text += ("s" if place else "c") + numbers(first + rest)
    return text + "z"


def tone(name: str) -> str:
    """A named tone: the page's, or that of daylight."""
    return f"var(--c-{name},{TONES[name]})"


def paper(name: str, path: str, more: str = "") -> str:
    """A sheet of a named tone."""
    return f'<path fill="{tone(name)}"{more} d="{path}"/>'


def line_of(name: str, width: float, path: str, more: str = "") -> str:
    """A line of a named tone."""
    return (
        f'<path fill="none" stroke="{tone(name)}" stroke-width="{width}" '
        f'stroke-linecap="round"{more} d="{path}"/>'
    )


def routes(sea: str, dice: random.Random) -> str:
    """Dotted routes from the middle of every sea edge, and an anchorage where one ends."""
    pull = 12 if len(sea) == 2 else 22
    x, y = (
        50 + dice.uniform(-4, 4) + pull * sum(STEP[side][axis] for side in sea) for axis in (0, 1)
    )
    text = ""
    if len(sea) == 1:
        text = (f'<circle cx="{number(x)}" cy="{number(y)}" r="3.4" fill="none" '
                f'stroke="{tone("route")}" stroke-width="2"/>')  # fmt: skip
    path = ""
    for side, other in zip(sea, sea[::-1] if len(sea) == 2 else sea, strict=True):
        dx, dy = STEP[side]
        ox, oy = STEP[other] if other != side else (-dx, -dy)
        path += f"M{50 + 50 * dx} {50 + 50 * dy}C{50 + 26 * dx} {50 + 26 * dy} "
        path += numbers(
            value for far in (11, 1.8) for value in (x + far * (dx - ox), y + far * (dy - oy))
        )
    dots = ' stroke-dasharray="0 7.1" stroke-dashoffset="-3.55"'
    return text + line_of("route", 2.7, path, dots)


def scatter(dice: random.Random, part: str, shape: Line, count: int, off: float) -> Line:
    """Spots on an island part: off its coast, away from where an explorer stands and from corners
    that may be closed.
    """
    middle, spots = standing(part), list[Point]()
    closable = [AT[corner] for corner in CORNERS if set(corner) <= set(part)]
    for _ in range(220):
        (toward_x, toward_y), part_way = dice.choice(shape), dice.uniform(0.05, 0.92)
        x = middle[0] + (toward_x - middle[0]) * part_way
        y = middle[1] + 2 + (toward_y - middle[1]) * part_way
        clear = all(math.dist((x, y), point) > off for point in [*shape, *spots])
        away = math.dist((x, y - 3), middle) > 15
        away = away and all(math.dist((x, y), corner) > 40 for corner in closable)
        if clear and away and 12 < x < 88 and 19 < y < 94 and len(spots) < count:
            spots.append((x, y))
    return sorted(spots, key=lambda spot: spot[1])


def growth(part: str, coast: list[Line], dice: random.Random) -> str:
    """What stands on an island part."""
    shape = [point for line in coast for point in line]
    spots = scatter(dice, part, shape, 2 + 2 * len(part), 9.5)
    return planted(spots, set(dice.sample(spots, min(len(spots) // 3, len(part)))), dice)


def planted(spots: Iterable[Point], peaks: set[Point], dice: random.Random) -> str:
    """Trees, a leaf folded once; and mountains with snow at some spots, lit from the left."""
    leaf = fold = rock = cliff = snow = shade = ""
    for x, y in spots:
        size = dice.uniform(0.85, 1.15)
        at = f"M{numbers((x, y))}"

        def by(*values: float, size: float = size) -> str:
            return numbers(value * size for value in values)

        if (x, y) in peaks:
            cliff += f"{at}m{by(-9, 0)}q{by(6, -14, 9, -14)}t{by(9, 14)}z"
            rock += f"{at}m{by(-9, 0)}q{by(6, -14, 9, -14)}l{by(2, 8, -3, 6)}z"
            snow += f"{at}m{by(-4.4, -9.2)}q{by(2.8, -4.8, 4.4, -4.8)}t{by(4.4, 4.8)}"
            snow += f"l{by(-3, -1.4, -2.2, 2.4)}z"
        else:
            shade += (
                f"{at}m{by(-3, 0)}a{by(4, 1.4)} 0 1 0 {by(8, 0)}a{by(4, 1.4)} 0 1 0 {by(-8, 0)}"
            )
            leaf += f"{at}q{by(-4.4, 0, -4.4, -4.2)}t{by(4.4, -6.6)}z"
            fold += f"{at}q{by(4.4, 0, 4.4, -4.2)}t{by(-4.4, -6.6)}z"
    drawn = ""
    layers = {
        "shade": shade,
        "cliff": cliff,
        "rock": rock,
        "snow": snow,
        "leaf": leaf,
        "fold": fold,
    }
    for name, path in layers.items():
        drawn += paper(name, path) if path else ""
    return drawn


def at_sea(land: str, look: int, dice: random.Random) -> str:
    """What swims in the open: rocks, a whale, waves; off the routes."""
    if land:
        return ""
    x, y = dice.choice([(24, 26), (76, 27), (25, 77), (75, 76)])
    if look == 0:
        rocks = f"M{x - 9} {y + 3}q3-9 7-8t7 8zM{x + 4} {y + 4}q2-6 5-5t5 5z"
        surf = f"M{x - 13} {y + 5}q4-5 15-5t14 6q-5 4-15 3t-14-4z"
        return paper("surf", surf) + paper("cliff", rocks)
    if look == 2:
        whale = f"M{x - 13} {y + 4}q1-10 11-10q8 0 11 6q2 3 5 1q-1-4-4-5q4-1 5 1q2-3 5-2"
        whale += "q0 4-4 6q-2 5-9 5h-16q-3 0-4-2z"
        spout = f"M{x - 4} {y - 8}q-4-5-7-1M{x - 4} {y - 8}q1-6 5-4"
        return (
            paper("whale", whale)
            + (f'<circle cx="{x - 8}" cy="{y + 1}" r="1.1" fill="{tone("eye")}"/>')
            + line_of("surf", 1.8, spout)
        )
    waves = "".join(
        f"M{px - 7} {py}q3.5-4 7 0t7 0"
        for px, py in dice.sample([(24, 24), (76, 24), (24, 78), (76, 78)], 2)
    )
    return line_of("shoal", 2.2, waves)


def tile(land: str, look: int) -> str:
    """A tile's picture."""
    sea = "".join(side for side in SIDES if side not in land)
    parts = parts_of(land)
    ways = HEADLAND if len(parts) == 2 else LAND
    for attempt in range(TRIES):
        dice = random.Random(f"{land}/{look}/{attempt}")
        groups = [around(dice, part, ways, CROSSINGS) for part in parts]
        if is_well_cut(groups, land):
            break
    else:
        raise AssertionError(f"No coast for {land!r} is well cut.")
    edge, whole = -BLEED, SIZE + 2 * BLEED
    text = f'<path fill="{tone("sea")}" d="M{edge} {edge}h{whole}v{whole}h-{whole}z"/>'
    if sea:
        channel = around(dice, sea, CHANNEL, CHANNELS)
        text += paper("channel", outline([shore.moved(0) for shore in channel]))
    for name, level in SHOALS.items():
        for group in groups:
            text += paper(name, outline([shore.moved(level) for shore in group]))
    for group in groups:
        shore = outline([part_shore.moved(0) for part_shore in group])
        text += paper("drop", shore, ' transform="translate(0 2.4)"')
        for name, level in GROUND.items():
            text += paper(name, outline([part_shore.moved(level) for part_shore in group]))
    text += at_sea(land, look, dice) + (routes(sea, dice) if sea else "")
    for part, group in zip(parts, groups, strict=True):
        text += growth(part, [smooth(shore.moved(5)) for shore in group], dice)
    return text


def plug(corner: str, look: int) -> str:
    """Land that closes a corner, with something on it."""
    quarters = CORNERS.index(corner)
    rim = [(64, -RUN), (64, 0), (67, 9), (74, 26), (91, 33), (100, 36), (100 + RUN, 36)]
    line = [turned(point, quarters) for point in rim]
    end = turned((SIZE + RUN, -RUN), quarters)
    dice = random.Random(f"{corner}/{look}")
    x, y = AT[corner]
    spots: Line = []
    for _ in range(40):
        spot = (abs(x - dice.uniform(12, 27)), abs(y - dice.uniform(6, 27)))
        high = y > 0 or spot[1] > 19
        if high and all(math.dist(spot, other) > 10 for other in spots) and len(spots) < look:
            spots.append(spot)
    peaks = set(spots[:1]) if (look + quarters) % 3 == 1 else set()
    return paper("upland", outline([line, [end]])) + planted(spots, peaks, dice)


def frame(name: str, inset: float, dice: random.Random) -> str:
    """A sheet of sea around the chart, cut by hand; it is stretched to the board's shape."""
    wide, tall, bow = 100.0, 134.0, 9.0
    corners = [
        (inset, inset),
        (wide - inset, inset),
        (wide - inset, tall - inset),
        (inset, tall - inset),
    ]
    line: Line = []
    for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True):
        length = math.hypot(bx - ax, by - ay)
        ux, uy = (bx - ax) / length, (by - ay) / length
        steps = round((length - 2 * bow) / 11)
        for step in range(steps + 1):
            along = bow + (length - 2 * bow) * step / steps
            out = dice.uniform(-0.9, 0.9)
            line.append((ax + ux * along + uy * out, ay + uy * along - ux * out))
    closed = [line[-1], *line, line[0], line[1]]
    path = "M" + numbers(line[0])
    quads = zip(closed, closed[1:], closed[2:], closed[3:], strict=False)
    for (ax, ay), (bx, by), (cx, cy), (dx, dy) in quads:
        first = [(cx - ax) / 6, (cy - ay) / 6]
        path += "c" + numbers(
            [*first, cx - (dx - bx) / 6 - bx, cy - (dy - by) / 6 - by, cx - bx, cy - by]
        )
    return (
        f'<symbol id="{name}" viewBox="0 0 100 134" preserveAspectRatio="none">'
        f"{paper(name, path + 'z')}</symbol>"
    )


def rhumbs() -> str:
    """Lines of the wind from the compass rose to the chart's edges."""
    rays = [math.tau * (step + 0.5) / RAYS for step in range(RAYS)]
    path = "".join(f"M70 30l{numbers((200 * math.cos(ray), 200 * math.sin(ray)))}" for ray in rays)
    return (
        '<symbol id="rhumbs" viewBox="0 0 100 140" preserveAspectRatio="none">'
        f'<path d="{path}" fill="none" stroke="currentColor" stroke-width=".25"/></symbol>'
    )


def lands() -> Iterator[str]:
    """All sets of sides that may be land."""
    for count in range(5):
        yield from ("".join(sides) for sides in combinations(SIDES, count))


def sheet() -> str:
    """All pictures, as symbols of one file."""
    box = f"{-BLEED} {-BLEED} {SIZE + 2 * BLEED} {SIZE + 2 * BLEED}"
    pictures = [
        (name_of(land, look), tile(land, look)) for land in lands() for look in range(LOOKS)
    ]
    pictures += [
        (plug_name(corner, look), plug(corner, look)) for corner in CORNERS for look in range(LOOKS)
    ]
    symbols = [
        f'<symbol id="{name}" viewBox="{box}" overflow="visible">{drawn}</symbol>'
        for name, drawn in pictures
    ]
    dice = random.Random("frame")
    symbols.append(rhumbs())
    symbols += [frame(f"sheet-{sheet}", 1.1 + 1.5 * sheet, dice) for sheet in range(SHEETS)]
    return '<svg xmlns="http://www.w3.org/2000/svg">\n' + "\n".join(symbols) + "\n</svg>\n"


if __name__ == "__main__":
    FILE.write_text(sheet(), encoding="utf-8")

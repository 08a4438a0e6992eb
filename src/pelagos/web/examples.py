"""Examples of the rules as moving pictures: the engine plays them, the game draws each moment.

A game's `table/example.py` has `scenes(drawings, shows)`: one scene for each moment, from what the
seat is told and nothing else. Without it pieces are drawn as on the plain table. Pictures are SVG
in the page; what moves is told by a style sheet of the game's, `/static/<game>/examples.css`. All
is drawn once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from math import dist
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from pelagos.engine.examples import Example, Row, examples_about, examples_of, sheets_of
from pelagos.engine.game import find_game
from pelagos.engine.scene import Figure, Point, Scene
from pelagos.engine.view import View
from pelagos.engine.words import LANGUAGES
from pelagos.web import art, plain_scene
from pelagos.web.drawing import Drawing, environment, shown, signed
from pelagos.web.own_table import package_folder
from pelagos.web.reader import Reader
from pelagos.web.rules import Rules, rules_of
from pelagos.web.timeline import Timeline

STYLE = "examples.css"
"""The sheet of a game's examples: that of all games, the game's own, and what moves."""
SHEET = Path(str(files("pelagos.web"))) / "static" / STYLE
OWN_STYLE = "table/example.css"
"""What a game adds to it."""
STRIP = 52
"""Height of the strip of numbers below a scene."""
ICON, LETTER, NARROWEST, LEAST_GAP = 30, 6.9, 48, 8
"""How wide things are there: a symbol, a letter, a name, what parts two rows."""
_PLACE = re.compile(r"<!--example ([\w-]+)-->")
_SYMBOL = re.compile(r'href="#')


@dataclass(frozen=True)
class Moving:
    """An example drawn for a language."""

    id: str
    figure: Markup
    rules: tuple[str, ...]
    """What the style sheet needs for it."""
    story: str
    """The same in words."""


# --- asked by pages -------------------------------------------------------------------------------


@cache
def rules_with_examples(game: str, language: str) -> Rules | None:
    """The page of a game's rules, its examples where the page names them."""
    page = rules_of(game, language)
    if page is None:
        return None
    drawn = {example.id: moving(example, language).figure for example in examples_of(game)}
    text = _PLACE.sub(lambda place: drawn.get(place[1], Markup("")), page.text)
    return Rules(Markup(text), page.parts)


def figures_about(game: str, name: str, language: str) -> list[Markup]:
    """The examples of a card, a line of the sheet or a symbol."""
    return [moving(example, language).figure for example in examples_about(game, name)]


@cache
def style(game: str) -> str:
    """The style sheet of a game's examples; empty if it has none."""
    folder = package_folder(game)
    if folder is None or not examples_of(game):
        return ""
    drawn = [moving(each, language) for each in examples_of(game) for language in LANGUAGES]
    rules = dict.fromkeys(rule for example in drawn for rule in example.rules)
    sheets = [file.read_text("utf-8") for file in (SHEET, folder / OWN_STYLE) if file.is_file()]
    return "".join([*sheets, f"@layer game{{{''.join(rules)}}}"])


def style_address(game: str) -> str:
    """Where that sheet lies; empty if the game has no examples."""
    made = style(game)
    return f"/static/{game}/{STYLE}?{art.tag_of(made.encode())}" if made else ""


# --- one example ----------------------------------------------------------------------------------


@cache
def moving(example: Example, language: str) -> Moving:
    """An example, drawn."""
    reader = Reader(language)
    views = example.moments()
    drawings = [Drawing(_message(example, view), reader) for view in views]
    scenes = _painter(example.game)(drawings, example.shows)
    said = _said(example, drawings, scenes)
    picture = _Picture(example, drawings, scenes)
    story = " ".join([said["caption"], said["start"], *said["steps"]])
    figure = (
        environment()
        .get_template("parts/example.html")
        .render(
            example=example,
            said=said,
            story=story,
            picture=picture.drawn(),
            size=picture.size,
            steps=len(example.steps),
            marks=[picture.slot(number) for number in range(1, len(views))],
            ui=drawings[0].tell,
        )
    )
    return Moving(example.id, Markup(figure), tuple(picture.rules), story)


def _message(example: Example, view: View) -> dict[str, Any]:
    """What the seat would be sent at a table."""
    seat = {"kind": "person", "bot": None, "taken": True, "ready": True, "away": False}
    about = {
        "game": example.game,
        "pack": {"name": "default"},
        "seats": [{**seat, "name": name} for name in example.names],
        "waiting": [],
    }
    own = {"seat": example.seat, "owes": False, "undo": False}
    return {"number": 0, "table": about, "own": own, "view": view}


def _painter(game: str) -> Callable[[Sequence[Drawing], str], Sequence[Scene]]:
    """What draws a game's moments."""
    name = f"{find_game(game).package}.table.example"
    has_table = find_spec(name.rpartition(".")[0]) is not None
    if not has_table or find_spec(name) is None:
        return plain_scene.scenes
    painter: Callable[[Sequence[Drawing], str], Sequence[Scene]] = import_module(name).scenes
    return painter


def _said(example: Example, drawings: Sequence[Drawing], scenes: Sequence[Scene]) -> dict[str, Any]:
    """Its texts; every number is what the engine counts at that moment."""
    counted = [_counted(example, drawing.view) for drawing in drawings]

    def words(key: str, moment: int) -> str:
        now, before = counted[moment], counted[max(moment - 1, 0)]
        params = {
            **scenes[moment].facts,
            **now,
            **{f"{line}_was": points for line, points in before.items()},
            **{f"{line}_by": points - before[line] for line, points in now.items()},
        }
        return drawings[moment].words(f"example.{example.id}.{key}", **params)

    return {
        "title": words("title", 0),
        "caption": words("caption", len(scenes) - 1),
        "start": words("start", 0),
        "steps": [words(str(number), number) for number in range(1, len(scenes))],
    }


def _counted(example: Example, view: Any) -> dict[str, int]:
    """Every line, row and total by name; those of other seats with the seat's number."""
    points: dict[str, int] = {}
    for sheet in sheets_of(view):
        own = sheet["seat"] == example.seat
        for key, number in [
            *((line["key"], line["points"]) for line in sheet["lines"]),
            ("total", sheet["total"]),
        ]:
            points[key if own else f"{key}_{sheet['seat']}"] = number
    for row in example.rows:
        if row.seat == example.seat:
            points[row.key] = row.points(sheets_of(view))
    return points


# --- the picture ----------------------------------------------------------------------------------


class _Picture:
    """An example's scenes in one SVG, with the rules that move it."""

    def __init__(
        self, example: Example, drawings: Sequence[Drawing], scenes: Sequence[Scene]
    ) -> None:
        self._example = example
        self._drawings = drawings
        self._scenes = scenes
        self._time = Timeline(len(example.steps))
        self._lit = [self._pieces_lit(moment) for moment in range(len(scenes))]
        self.rules: dict[str, None] = {self._time.loop(): None}
        width, height = scenes[0].size
        self.size: Point = (width, height + (STRIP if example.rows else 0))

    def _pieces_lit(self, moment: int) -> frozenset[str]:
        """The pieces that prove the lines that are lit then."""
        if not moment:
            return frozenset()
        lines = self._example.steps[moment - 1].lit
        if lines is None:
            return self._pieces_moved(moment)
        return frozenset(
            piece
            for sheet in sheets_of(self._drawings[moment].view)  # type: ignore[arg-type]
            if sheet["seat"] == self._example.seat
            for line in sheet["lines"]
            if line["key"] in lines
            for proof in line["evidence"]
            if proof["points"]
            for piece in proof["pieces"]
        )

    def _pieces_moved(self, moment: int) -> frozenset[str]:
        """The figures that have come or moved, other than a little to make room."""
        before = {figure.key: figure.at for figure in self._scenes[moment - 1].figures}
        return frozenset(
            figure.key
            for figure in self._scenes[moment].figures
            if figure.key not in before
            or dist(before[figure.key], figure.at) > 1.5 * max(figure.size)
        )

    def slot(self, moment: int) -> str:
        """The class of what is there in one moment only."""
        return self._visible([moment == other for other in range(len(self._scenes))], late=False)

    def drawn(self) -> Markup:
        """All of it."""
        figures = [self._figure(key) for key in self._keys()]
        inside = "".join([*figures, *self._still_marks()])
        address = art.sprite_address(self._example.game)
        inside = _SYMBOL.sub(f'href="{escape(address)}#', inside)
        sea = _sea(*self._scenes[0].size)
        return Markup(f'{sea}<g class="ex-all">{inside}</g>{self._strip()}')

    def _keys(self) -> list[str]:
        """The figures, the lowest layer first."""
        layers: dict[str, int] = {}
        for scene in self._scenes:
            for figure in scene.figures:
                layers[figure.key] = max(figure.layer, layers.get(figure.key, figure.layer))
        return sorted(layers, key=lambda key: layers[key])

    def _frames(self, key: str) -> list[Figure | None]:
        return [
            next((figure for figure in scene.figures if figure.key == key), None)
            for scene in self._scenes
        ]

    def _figure(self, key: str) -> str:
        frames = self._frames(key)
        first_figure = next(figure for figure in frames if figure is not None)
        places = _places(frames)
        inside = (
            self._looks([None if figure is None else figure.drawn for figure in frames])
            + self._ring(frames)
            + self._looks([None if figure is None else figure.over for figure in frames])
        )
        here = [figure is not None for figure in frames]
        if not all(here):
            is_late = first_figure.comes_from is None
            inside = self._group(inside, self._visible(here, is_late), here[-1])
        x, y = places[-1]
        moves = ""
        if len(set(places)) > 1:
            name = f"ex-{self._example.id}-{self._keys().index(key)}"
            self.rules[self._time.moving(name, places, first_figure.size)] = None
            moves = f' class="ex-moves {name}"'
        return f'<g{moves} transform="translate({x:g} {y:g})">{inside}</g>'

    def _looks(self, frames: Sequence[str | None]) -> str:
        """What a figure looks like: one way, or one after the other."""
        looks = _held(frames)
        if len(set(looks)) == 1:
            return looks[0]
        return "".join(
            self._group(
                face, self._visible([look == face for look in looks], late=True), looks[-1] == face
            )
            for face in dict.fromkeys(looks)
            if face
        )

    def _ring(self, frames: Sequence[Figure | None]) -> str:
        lit = [
            figure is not None and not pieces.isdisjoint((figure.key, *figure.pieces))
            for figure, pieces in zip(frames, self._lit, strict=True)
        ]
        if not any(lit):
            return ""
        first_figure = next(figure for figure in frames if figure is not None)
        (width, height), radius = first_figure.size, first_figure.radius
        ring = (
            f'<rect class="ex-ring" x="-2" y="-2" width="{width + 4:g}" height="{height + 4:g}"'
            f' rx="{radius + 2:g}"/>'
        )
        return self._group(ring, self._visible(lit, late=True), lit[-1])

    def _visible(self, frames: Sequence[bool], late: bool) -> str:
        name, rule = self._time.visible(frames, late)
        self.rules[rule] = None
        return name

    def _group(self, inside: str, kind: str, at_the_end: bool) -> str:
        """Something that comes and goes; the attribute is for whoever wants no motion."""
        gone = "" if at_the_end else ' opacity="0"'
        return f'<g class="ex-moves {kind}"{gone}>{inside}</g>'

    def _still_marks(self) -> list[str]:
        """Without motion: the number of each step at what it changed, or where that was."""
        marks, used = [], set()
        for step in range(1, len(self._scenes)):
            changed = [key for key in reversed(self._keys()) if self._changes_in(key, step)]
            key = next((key for key in self._most_lasting(changed) if key not in used), None)
            if key is None:
                continue
            used.add(key)
            frames = self._frames(key)
            last_figure = next(each for each in (frames[-1], *frames[step::-1]) if each is not None)
            x, y = last_figure.at
            marks.append(
                f'<g class="ex-still" transform="translate({x + 2:g} {y + 2:g})">'
                f'<circle r="10"/><text y="4.5">{step}</text></g>'
            )
        return marks

    def _changes_in(self, key: str, step: int) -> bool:
        """Does a figure come, move, look otherwise or leave in a step?"""
        before, after = self._frames(key)[step - 1 : step + 1]
        if before is None or after is None:
            return before is not after
        return (before.at, before.drawn) != (after.at, after.drawn)

    def _most_lasting(self, keys: Sequence[str]) -> list[str]:
        """Figures, those first that are there at the end."""
        return sorted(keys, key=lambda key: self._frames(key)[-1] is None)

    # --- numbers ------------------------------------------------------------------------------

    def _strip(self) -> str:
        """The rows of the sheet that the example is about, and how they change."""
        rows = self._example.rows
        if not rows:
            return ""
        width, height = self._scenes[0].size
        names = [_label(self._drawings[0], row) for row in rows]
        wide = [max(len(name) * LETTER, NARROWEST) for name in names]
        has_icons = sum(wide) + len(rows) * (ICON + LEAST_GAP) < width
        gap = (width - sum(wide) - has_icons * len(rows) * ICON) / (len(rows) + 1)
        x, cells = gap, ""
        for row, name, size in zip(rows, names, wide, strict=True):
            icon = self._icon(row) if has_icons else ""
            left = ICON + 4 if icon else 0
            inside = icon + self._row(row, name, left)
            cells += f'<g transform="translate({x:g} {height:g})">{inside}</g>'
            x += size + gap + has_icons * ICON
        wave = "".join(f"q{width / 16:g} {bend} {width / 8:g} 0" for bend in (-7, 7) * 4)
        paper = f"M0 {height:g}{wave}V{height + STRIP:g}H0z"
        return f'<path class="ex-paper" d="{paper}"/>{cells}'

    def _icon(self, row: Row) -> str:
        symbol = row.art or self._drawings[0].symbol(row.key)
        if not symbol:
            return ""
        address = escape(art.sprite_address(self._example.game))
        use = f'<use class="ex-icon" href="{address}#{symbol}"'
        return f'{use} y="13" width="{ICON}" height="{ICON}"/>'

    def _row(self, row: Row, name: str, left: float) -> str:
        label = f'<text class="ex-name" x="{left:g}" y="24">{escape(name)}</text>'
        points = [row.points(sheets_of(each.view)) for each in self._drawings]  # type: ignore[arg-type]
        return label + self._numbers(points, left) + self._changes(points, left)

    def _numbers(self, points: Sequence[int], left: float) -> str:
        drawn = [
            (number, f'<text class="ex-points" x="{left:g}" y="44">{shown(number)}</text>')
            for number in dict.fromkeys(points)
        ]
        if len(drawn) == 1:
            return drawn[0][1]
        return "".join(
            self._group(
                text,
                self._visible([number == each for each in points], late=True),
                points[-1] == number,
            )
            for number, text in drawn
        )

    def _changes(self, points: Sequence[int], left: float) -> str:
        marks = ""
        for step in range(1, len(points)):
            change = points[step] - points[step - 1]
            if change:
                kind = "ex-gain" if change > 0 else "ex-loss"
                x = left + 12 + 10 * len(shown(points[step]))
                text = f'<text class="{kind}" x="{x:g}" y="44">{signed(change)}</text>'
                slot = [step == other for other in range(len(points))]
                marks += self._group(text, self._visible(slot, late=True), slot[-1])
        return marks


def _sea(width: float, height: float) -> str:
    """Layered paper behind a scene."""
    bands = ((0.2, 9, 0.0), (0.5, -10, 0.3), (0.8, 8, 0.15))
    drawn = ""
    for number, (depth, bend, shift) in enumerate(bands, 1):
        long, top = width * 0.4, height * depth
        waves = "".join(f"q{long / 4:g} {bend} {long / 2:g} 0t{long / 2:g} 0" for _ in range(4))
        start = f"M{-long * shift - long / 4:g} {top:g}"
        drawn += f'<path class="ex-sea-{number}" d="{start}{waves}V{height + 60:g}H{-long:g}z"/>'
    return drawn


def _label(drawing: Drawing, row: Row) -> str:
    """A row's name; where it isn't the own seat's, that seat's."""
    if row.label:
        return drawing.words(row.label)
    if row.seat != drawing.me:
        return drawing.names[row.seat]
    if row.key == "total":
        return drawing.tell("table.total")
    key = f"line.{row.key}"
    return drawing.words(key) if drawing.said.has(key) else drawing.noun(row.key)


def _places(frames: Sequence[Figure | None]) -> list[Point]:
    """Where a figure is in each frame, also before it comes and after it has gone."""
    first = next(number for number, figure in enumerate(frames) if figure is not None)
    places: list[Point] = []
    for number, figure in enumerate(frames):
        before = frames[number - 1] if number else None
        if figure is not None:
            places.append(figure.at)
        elif number < first:
            first_figure = frames[first]
            assert first_figure is not None
            places.append(first_figure.comes_from or first_figure.at)
        else:
            places.append((before.goes_to or before.at) if before is not None else places[-1])
    return places


def _held(looks: Sequence[str | None]) -> list[str]:
    """A look for every frame: that of the frame before, or of the first, where there is none."""
    held = next(look for look in looks if look is not None)
    kept = []
    for look in looks:
        held = held if look is None else look
        kept.append(held)
    return kept

"""Cards and submarines as pictures of the sprite's symbols, each made once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from markupsafe import Markup

from pelagos.games.oceanos.state import SPECIES

LARGE = ("shark", "manta", "turtle", "whale")
FINDS = ("coral", "treasure", "base", "green", "yellow")
CRYSTALS = ("green", "yellow")
PART_WIDTHS = {"propeller": 48, "motor": 60, "cockpit": 60, "aquarium": 70, "airlock": 58}
"""How wide each part of a submarine is drawn; together they are 296."""
PART_HEIGHT = 120
WIDTH, HEIGHT = 92, 128
"""A card."""
FLAT = 70
"""The height of a card that lies flat."""
INK_STRIP = 24
"""How much of a flat card the eyes take at its top."""

Use = tuple[str, float, float, float]
"""A symbol, where it stands on a card, and how large."""

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


@cache
def card_picture(sprite: str, face: str, marks: tuple[str, ...], depth: int) -> Markup:
    """A card as a layered scene of its round's water."""
    number = sum(map(ord, face))
    background = "abc"[number % 3]
    whole = [(name, 0.0, 0.0, 0.0) for name in backdrops(marks, background)]
    layers = [*whole, *card_symbols(face, marks), (f"floor-{background}", 0.0, 0.0, 0.0)]
    inside = Markup("").join(_use(sprite, *layer) for layer in layers)
    return Markup(
        '<svg class="face92 r{}" viewBox="0 0 {} {}" aria-hidden="true" focusable="false">{}</svg>'
    ).format(depth, WIDTH, HEIGHT, inside)


@cache
def flat_picture(sprite: str, face: str, marks: tuple[str, ...], depth: int) -> Markup:
    """The same card lying flat: its scene's lower part, its symbols set again."""
    background = "abc"[sum(map(ord, face)) % 3]
    lower = f'x="0" y="{FLAT - HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    whole = Markup('<use href="{}#{}" {}/>')
    inside = whole.format(sprite, f"scene-{background}", Markup(lower))
    if eyes := min(marks.count("eye"), 2):
        squeezed = Markup('<use href="{}#ink-{}" width="{}" height="{}" transform="scale(1 .7)"/>')
        inside += squeezed.format(sprite, eyes, WIDTH, HEIGHT)
    inside += Markup("").join(_use(sprite, *symbol) for symbol in flat_symbols(marks))
    inside += whole.format(sprite, f"floor-{background}", Markup(lower))
    return Markup(
        '<svg class="face92 flat r{}" viewBox="0 0 {} {}" aria-hidden="true" focusable="false">'
        "{}</svg>"
    ).format(depth, WIDTH, FLAT, inside)


def flat_symbols(marks: Sequence[str]) -> list[Use]:
    """What stands on a flat card: eyes in a strip of ink, animals left, finds right."""
    swim = [mark for mark in marks if mark in SPECIES]
    stand = [mark for mark in marks if mark in FINDS]
    eyes = marks.count("eye")
    symbols: list[Use] = []
    for place in range(eyes):
        x = WIDTH - INK_STRIP - 4 if eyes == 1 else (place + 0.5) * WIDTH / eyes - INK_STRIP / 2
        symbols.append(("eye", x, 0, INK_STRIP))
    share = max(0.36, min(0.64, len(swim) / max(len(swim) + len(stand), 1)))
    middle = WIDTH * (share if swim and stand else 1 if swim else 0)
    under_all, under_one = (INK_STRIP if count else 0 for count in (eyes > 1, eyes))
    symbols += _spread(swim, 0, middle, under_all if stand else under_one)
    symbols += _spread(stand, middle, WIDTH, under_one, "pending" in marks)
    return symbols


def _spread(
    symbols: Sequence[str], left: float, right: float, top: float, pending: bool = False
) -> Iterator[Use]:
    """Symbols in lines, as large as there is room for; a pending crystal on a burst."""
    if not symbols:
        return
    wide, high, count = right - left, FLAT - top, len(symbols)
    size, lines = max((min(wide / -(-count // n), high / n), n) for n in range(1, count + 1))
    columns = -(-count // lines)
    grown = min(size * 1.12, wide, high)
    for place, symbol in enumerate(symbols):
        line, column = divmod(place, columns)
        here = min(columns, count - line * columns)
        x = left + (column + 0.5) * wide / here - grown / 2
        y = top + (line + 0.5) * high / lines - grown / 2
        if pending and symbol in CRYSTALS:
            yield "burst", x - grown * 0.12, y - grown * 0.12, grown * 1.24
        yield symbol, x, y, grown


def _use(sprite: str, name: str, x: float, y: float, size: float) -> Markup:
    width, height = (round(size, 1), round(size, 1)) if size else (WIDTH, HEIGHT)
    return Markup('<use href="{}#{}" x="{}" y="{}" width="{}" height="{}"/>').format(
        sprite, name, round(x, 1), round(y, 1), width, height
    )


def backdrops(marks: Sequence[str], background: str) -> Iterator[str]:
    """The symbols behind what stands on a card."""
    eyes = marks.count("eye")
    swim = [mark for mark in marks if mark in SPECIES]
    yield f"scene-{background}"
    if swim == ["crab"]:
        yield "mound"
    if eyes:
        yield f"ink-{min(eyes, 2)}"
    elif not swim:
        yield "bubbles"


def card_symbols(face: str, marks: Sequence[str]) -> list[Use]:
    """What stands on a card: eyes in ink at its top, animals in the light, finds on the floor.

    A pending crystal stands on a paper burst.
    """
    swim = [mark for mark in marks if mark in SPECIES]
    stand = [mark for mark in marks if mark in FINDS]
    eyes = marks.count("eye")
    number = sum(map(ord, face))
    finds = _finds(stand, bool(swim), number, "pending" in marks)
    return [*_eyes(eyes), *_animals(swim, eyes), *finds]


def _eyes(count: int) -> Iterator[Use]:
    if count == 1:
        yield "eye", 54, 1, 34
        return
    size = min(37, WIDTH / max(count, 1))
    for place in range(count):
        yield "eye", (place + 0.5) * WIDTH / count - size / 2, 0, size


def _animals(swim: Sequence[str], eyes: int) -> Iterator[Use]:
    if len(swim) == 1 and swim[0] in LARGE and eyes < 2:
        yield (swim[0], 3, 12, 66) if eyes else (swim[0], 6, -2, 80)
        return
    places = SWIMMING[min(eyes, 2), min(max(len(swim), 1), 3)]
    for place, animal in enumerate(swim):
        yield animal, *places[place % len(places)]


def _finds(stand: Sequence[str], below: bool, number: int, pending: bool) -> Iterator[Use]:
    """Finds, below animals or alone; the number puts a single one left or right."""
    places = (STANDING if below else ALONE).get(len(stand)) or STANDING[5]
    for place, find in enumerate(stand):
        x, y, size = places[place % len(places)]
        if len(stand) == 1 and below and number % 2:
            x = 4
        if pending and find in CRYSTALS:
            yield "burst", x - size * 0.18, y - size * 0.18, size * 1.36
        yield find, x, y, size


@cache
def submarine_picture(sprite: str, seat: int, levels: tuple[int, ...], kind: str) -> Markup:
    """A seat's submarine; a part that grows turns into the next one."""
    uses, x = [], 0
    for (part, width), level in zip(PART_WIDTHS.items(), levels, strict=True):
        uses.append(
            Markup(
                '<use class="pt" id="pt-{0}-{1}" data-part="{1}" data-fly data-face="{2}"'
                ' href="{3}#sub-{1}-{2}" x="{4}" width="{5}" height="{6}"/>'
            ).format(seat, part, level, sprite, x, width, PART_HEIGHT)
        )
        x += width
    return Markup(
        '<svg class="submarine s{} {}" viewBox="0 0 300 122" aria-hidden="true" focusable="false">'
        "{}</svg>"
    ).format(seat % 6, kind, Markup("").join(uses))


@cache
def part_picture(sprite: str, part: str, level: int) -> Markup:
    """One part of a submarine."""
    return Markup(
        '<svg class="bit" viewBox="0 0 {1} 122" aria-hidden="true" focusable="false">'
        '<use href="{0}#sub-{2}-{3}" width="{1}" height="{4}"/></svg>'
    ).format(sprite, PART_WIDTHS[part], part, level, PART_HEIGHT)

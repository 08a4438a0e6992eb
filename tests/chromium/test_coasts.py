"""Ozeanien's coasts in Chromium: any two tiles that fit join without a seam."""

from __future__ import annotations

import base64
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from pelagos.games.ozeanien import coasts

STYLE = Path(coasts.__file__).parent / "table" / "table.css"
CELL = 60
IN_A_ROW = 32
STEEPEST = 45
"""How far a colour may step from one pixel to the next along a leaning shore, of 255."""

# The steps of colour across every pair's seam: for each pair the largest, over the cell's length.
STEPS = """async ([picture, pairs, across, cell, row]) => {
  const image = new Image();
  image.src = picture;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const paper = canvas.getContext("2d", { willReadFrequently: true });
  paper.drawImage(image, 0, 0);
  const largest = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const x = (pair % row) * cell * (across ? 2 : 1) + (across ? cell - 1 : 0);
    const y = Math.floor(pair / row) * cell * (across ? 1 : 2) + (across ? 0 : cell - 1);
    const seam = paper.getImageData(x, y, across ? 2 : cell, across ? cell : 2).data;
    let most = 0;
    for (let place = 0; place < cell; place += 1) {
      const near = across ? 8 * place : 4 * place;
      const far = across ? near + 4 : near + 4 * cell;
      for (let tone = 0; tone < 3; tone += 1) {
        most = Math.max(most, Math.abs(seam[near + tone] - seam[far + tone]));
      }
    }
    largest.push(most);
  }
  return largest;
}"""

Tile = tuple[str, ...]


def drawn(tile: Tile, slip: float = 0) -> str:
    """A cell with its tile, cut at its edges: the table lets it reach a little over them."""
    whole = coasts.SIZE + 2 * coasts.BLEED
    uses = "".join(f'<use href="#{name}" width="{whole}" height="{whole}"></use>' for name in tile)
    edge = coasts.BLEED + slip * coasts.SIZE / CELL
    box = f"{edge} {edge} {coasts.SIZE} {coasts.SIZE}"
    art = f'<svg class="coast" viewBox="{box}">{uses}</svg>'
    return f'<div class="spot known"><span class="plot">{art}</span></div>'


def steps(
    browser: Any, pairs: list[tuple[Tile, Tile]], across: bool, theme: str, slip: float = 0
) -> list[int]:
    """For each pair, laid side by side or one above the other, the largest step of colour.

    The second of them may be laid some pixels askew.
    """
    rows = -(-len(pairs) // IN_A_ROW)
    cells = [""] * (2 * IN_A_ROW * rows)
    for place, (tile, neighbour) in enumerate(pairs):
        row, column = divmod(place, IN_A_ROW)
        if across:
            first, second = 2 * place, 2 * place + 1
        else:
            first = 2 * row * IN_A_ROW + column
            second = first + IN_A_ROW
        cells[first], cells[second] = drawn(tile), drawn(neighbour, slip)
    columns = IN_A_ROW * (2 if across else 1)
    size = {"width": columns * CELL, "height": rows * CELL * (1 if across else 2)}
    page = browser.new_page(viewport=size)
    style = (
        f"{STYLE.read_text(encoding='utf-8')} :root {{ color-scheme: {theme} }} "
        "body { margin: 0 } "
        ".oze.bare { display: block; padding: 0 } .oze.bare .coast { inset: 0; width: 100%; "
        "height: 100%; will-change: auto } .sheet { display: grid; "
        f"grid: auto-flow {CELL}px / repeat({columns}, {CELL}px) }} "
        ".art { position: absolute; width: 0; height: 0; overflow: hidden }"
    )
    page.set_content(
        f'<html data-theme="{theme}"><style>{style}</style><body class="game-ozeanien">'
        f'<div class="art">{coasts.FILE.read_text(encoding="utf-8")}</div><div class="oze bare">'
        f'<div class="sheet">{"".join(cell or "<i></i>" for cell in cells)}</div></div>'
    )
    picture = "data:image/png;base64," + base64.b64encode(page.screenshot()).decode()
    largest: list[int] = page.evaluate(STEPS, [picture, len(pairs), across, CELL, IN_A_ROW])
    page.close()
    return largest


def neighbours(sides: str, fitting: bool = True) -> list[tuple[Tile, Tile]]:
    """Every tile in every turn and look beside every other, if they fit; or if they don't."""
    first, second = sides[0], sides[1]
    lands = list(coasts.lands())
    return [
        ((coasts.name_of(land, look),), (coasts.name_of(neighbour, beside),))
        for land, neighbour in product(lands, lands)
        if ((first in land) == (second in neighbour)) == fitting
        for look, beside in product(range(coasts.LOOKS), repeat=2)
    ]


@pytest.mark.parametrize("sides", ["ew", "sn"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_all_neighbours_join(sides: str, theme: str, browser: Any) -> None:
    pairs = neighbours(sides)
    assert len(pairs) == 2 * 8 * 8 * coasts.LOOKS**2
    largest = steps(browser, pairs, sides == "ew", theme)
    seams = [(pair, step) for pair, step in zip(pairs, largest, strict=True) if step > STEEPEST]
    assert seams == []


@pytest.mark.parametrize("sides", ["ew", "sn"])
def test_seams_would_be_seen(sides: str, browser: Any) -> None:
    """Where land meets sea, and where a shore is off by a pixel and a half."""
    across, some = sides == "ew", slice(None, None, coasts.LOOKS**2)
    assert min(steps(browser, neighbours(sides, False)[some], across, "light")) > STEEPEST
    coast = [pair for pair in neighbours(sides)[some] if sides[0] in pair[0][0].split("-")[1]]
    assert min(steps(browser, coast, across, "light", slip=1.5)) > STEEPEST


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_closed_corners_join(theme: str, browser: Any) -> None:
    inland = [coasts.name_of("nesw", look) for look in range(coasts.LOOKS)]
    for across, corners in (
        (True, (("ne", "wn"), ("es", "sw"))),
        (False, (("es", "ne"), ("sw", "wn"))),
    ):
        pairs: list[tuple[Tile, Tile]] = [
            ((tile, coasts.plug_name(near, look)), (neighbour, coasts.plug_name(far, look)))
            for near, far in corners
            for look in range(coasts.LOOKS)
            for tile, neighbour in product(inland, inland)
        ]
        assert max(steps(browser, pairs, across, theme)) <= STEEPEST

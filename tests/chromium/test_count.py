"""The count at the end: it keeps the winner to itself, clips nothing, and is seen on a phone."""

from __future__ import annotations

from typing import Any

import pytest

from browser import Party, Person, Site, resize
from pelagos.engine.game import find_game, games

CUT = """
[...document.querySelectorAll('#sheets .scroll')]
  .some(sheet => sheet.scrollWidth > sheet.clientWidth)
"""

WHILE_COUNTING = f"""() => {{
  const seen = query => [...document.querySelectorAll(query)].filter(element =>
    element.checkVisibility({{ visibilityProperty: true }}));
  const now = document.querySelector('#end .counting-now');
  const line = document.querySelector('[data-counting]');
  if (!document.documentElement.matches('.is-counting')) return null;
  if (!/\\d/.test(now?.textContent) || !line.innerText) return null;
  const {{ top, bottom }} = document.querySelector('#end .counting').getBoundingClientRect();
  const winner = ['.st-won', '.podium.reveal', '#prompt'].filter(query => seen(query).length);
  const names = document.querySelectorAll('.seat-name, .other-name').length;
  return {{ top, bottom, winner, names, cut: {CUT.strip()} }};
}}"""
"""Asked at one moment, while a line is counted: the count goes on meanwhile."""


@pytest.mark.parametrize("which", ["ecosystem", "oceanide", "minnows"])
@pytest.mark.parametrize(("width", "height"), [(390, 664), (1366, 641)])
def test_the_count_is_seen_and_keeps_the_winner_to_itself(
    which: str, width: int, height: int, site: Site, browser: Any
) -> None:
    party = Party(site, which, 3)
    for phase in party.phases():
        assert phase
    mira = Person(browser, site, width=width, height=height, settings={"motion": True})
    party.seat(mira)
    page = mira.page
    names = page.locator(".seat-name, .other-name").count()
    assert page.locator(".st-won").count() >= 1
    assert page.locator("#end .counting").is_hidden()
    was_cut = page.evaluate(CUT)
    page.locator("[data-count]").click()
    counted = page.wait_for_function(WHILE_COUNTING).json_value()
    assert counted["top"] >= 0
    assert counted["bottom"] <= height
    assert counted["winner"] == []
    assert counted["names"] == names
    assert counted["cut"] == was_cut
    page.keyboard.press("Shift")
    page.locator("html:not(.is-counting)").wait_for()
    assert page.locator("#prompt").is_visible()
    for total in page.locator("#sheets [data-total]").all():
        shown = str(total.text_content()).replace("−", "-")
        assert shown == total.get_attribute("data-total")
    assert mira.wrong == []
    mira.context.close()


LOST = """() => {
  const right = element => element.getBoundingClientRect().right;
  const clips = element => getComputedStyle(element).overflowX !== 'visible';
  const isLost = cell => {
    for (let up = cell.parentElement; up; up = up.parentElement)
      if (clips(up) && right(cell) > right(up) + 1) return true;
    return right(cell) > innerWidth;
  };
  return [...document.querySelectorAll('#sheets :is(thead, tfoot) :is(th, td)')]
    .filter(cell => cell.checkVisibility() && isLost(cell)).map(cell => cell.textContent.trim());
}"""


@pytest.mark.parametrize("which", sorted(games()))
def test_the_sheet_has_every_column_in_sight_at_the_end(
    which: str, site: Site, browser: Any
) -> None:
    most = find_game(which).players[-1]
    party = Party(site, which, most)
    for phase in party.phases():
        assert phase
    mira = Person(browser, site, language="fr")
    party.seat(mira)
    for window in ((1024, 768), (1280, 585), (1366, 641), (1920, 950)):
        resize(mira.page, *window)
        assert mira.page.evaluate(LOST) == [], window
    mira.context.close()

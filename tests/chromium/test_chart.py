"""Ozeanien's chart in Chromium: starts, turns, ghosts, and a tile that fits nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from browser import Party, Person, Site, lay, resize


@pytest.fixture(name="mira")
def _mira(site: Site, browser: Any) -> Iterator[Person]:
    """Alone at a chart on a phone, where tiles often fit nowhere."""
    mira = Person(browser, site, width=390, height=844, settings={"motion": False})
    lay(mira, "ozeanien", ["me"])
    yield mira
    assert mira.wrong == []
    mira.context.close()


def play_until(mira: Person, query: str) -> Any:
    """Move until there is such a thing, in as many games as it takes."""
    while not mira.page.locator(query).count():
        if mira.wait():
            mira.move()
        else:
            mira.page.locator("#again").click()
            mira.page.locator("main[data-over='0']").wait_for(state="attached")
    return mira.page.locator(query).first


def test_tapping_again_turns_the_tile_and_the_button_lays_it(mira: Person) -> None:
    cell = play_until(mira, ".laying[data-more]")
    at = cell.locator("xpath=..").get_attribute("data-at")
    ways = cell.locator("[data-way]").count()
    ghost = cell.locator("[data-way]:not([hidden]) .upright use")
    turn = cell.locator(".turn:not([hidden])")
    seen = []
    for tap in range(ways):
        if tap % 2:
            mira.page.keyboard.press("r")
        else:
            cell.click()
        assert turn.inner_text().strip() == f"{tap + 1}/{ways}"
        seen.append(ghost.get_attribute("href"))
    assert len(set(seen)) == ways
    assert at in mira.page.locator("#go-say").inner_text()
    assert mira.page.locator(".effect:visible").count() == 1
    mira.page.locator("#go").click()
    laid = mira.page.locator(f"#p-tile_{at} use").first
    laid.wait_for(state="attached")
    assert laid.get_attribute("href") == seen[-1]


def test_a_start_shows_the_ship_and_its_ways(mira: Person) -> None:
    start = play_until(mira, ".sailing.on-tile")
    assert not start.locator(".boat").is_visible()
    start.click()
    assert start.locator(".boat").is_visible()
    assert start.locator(".arrow:visible").count() >= 1
    assert "unseen tile" in mira.page.locator(".effect:visible").inner_text()
    mira.page.keyboard.press("Escape")
    assert not start.locator(".boat").is_visible()


def test_a_tile_that_fits_nowhere_is_shown_until_the_next_tap(mira: Person) -> None:
    play_until(mira, ".oze-news")
    assert mira.page.locator(".oze-news").inner_text().count("Fits nowhere from") == 1
    mira.page.mouse.click(5, 5)
    assert mira.page.locator(".oze-news").count() == 0


COVERED = """() => {
  const box = element => element.getBoundingClientRect();
  const seen = query => [...document.querySelectorAll(query)]
    .filter(element => element.checkVisibility());
  const meet = (mark, value) => mark.left < value.right && value.left < mark.right &&
    mark.top < value.bottom && value.top < mark.bottom;
  const faults = [];
  for (const mark of seen('.badge, .ring, .pill, .ship'))
    for (const value of seen('.spot .man b'))
      if (meet(box(mark), box(value))) faults.push(mark.className + ' covers ' +
        value.closest('.spot').dataset.at);
  return faults;
}"""


@pytest.mark.parametrize("deal", [1, 2])
def test_no_mark_covers_an_explorers_value(site: Site, browser: Any, deal: int) -> None:
    """Sizes of islands and numbers of starts, on the upright chart and on the turned one."""
    bo = Person(browser, site, settings={"motion": False})
    party = Party(site, "ozeanien", 2, deal)
    values = 0
    for step, _ in enumerate(party.phases()):
        if not step:
            party.seat(bo)
        if step % 4:
            continue
        number = party.look(0)["number"]
        bo.page.locator(f"main[data-number='{number}']").wait_for(state="attached")
        for width, height in ((360, 616), (844, 390), (1366, 641)):
            resize(bo.page, width, height)
            assert bo.page.evaluate(COVERED) == [], (step, width)
        values += bo.page.locator(".spot .man b").count()
    assert values > 20
    assert bo.wrong == []
    bo.context.close()


@pytest.mark.parametrize("touch", [True, False])
def test_keys_are_named_only_where_there_is_a_keyboard(
    site: Site, browser: Any, touch: bool
) -> None:
    person = Person(
        browser,
        site,
        width=390,
        height=664,
        settings={"motion": False},
        has_touch=touch,
        is_mobile=touch,
    )
    lay(person, "ozeanien", ["me"])
    hint = play_until(person, ".laying[data-more]").page.locator(".asked .hint")
    assert "Tap again to turn it." in hint.inner_text()
    assert ("R" in hint.inner_text().split()) is not touch
    person.context.close()

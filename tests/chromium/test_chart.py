"""Ozeanien's chart in Chromium: starts, turns, ghosts, and a tile that fits nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from browser import Person, Site, lay


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
    ghost = cell.locator("[data-way]:not([hidden]) use")
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
    assert "fits" in start.locator(".pill").inner_text()
    mira.page.keyboard.press("Escape")
    assert not start.locator(".boat").is_visible()


def test_a_tile_that_fits_nowhere_is_shown_until_the_next_tap(mira: Person) -> None:
    play_until(mira, ".oze-news")
    assert mira.page.locator(".oze-news").inner_text().count("Fits nowhere from") == 1
    mira.page.mouse.click(5, 5)
    assert mira.page.locator(".oze-news").count() == 0

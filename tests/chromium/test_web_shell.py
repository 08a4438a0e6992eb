"""Around the table, in Chromium: the front page, inviting, one device for two, the day's deal."""

from __future__ import annotations

from typing import Any

import pytest
from test_web_looks import FAULTS, LONGER

from browser import Person, Site, lay, resize

PAGES = (
    "/",
    "/new/ecosystem?players=6",
    "/new/oceanos",
    "/rules/oceanide",
    "/art",
    "/nowhere",
)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_pages_hold_at_every_width_with_longer_texts(
    language: str, site: Site, browser: Any
) -> None:
    mira = Person(browser, site, language=language, width=1440)
    lay(mira, "ozeanien", ["me", "kept"])
    gathering = mira.page.url.removeprefix(site.url)
    pages = (*PAGES, gathering, f"{gathering}/seats", f"{gathering}/fair")
    for path in pages:
        mira.go(path)
        mira.page.locator("html[data-ready]").wait_for()
        assert mira.serious() == [], path
        mira.page.evaluate(LONGER)
        for width in (390, 1440):
            resize(mira.page, width, 860)
            assert mira.page.evaluate(FAULTS) == [], (path, width)
    assert mira.wrong == []
    mira.context.close()


LAPTOPS = ((1280, 585), (1366, 641), (1440, 780), (1536, 730), (1920, 950))
PLAYS_IN_SIGHT = """() => [...document.querySelectorAll('.game:has([action^="/learn/"]) .main')]
  .filter(button => button.getBoundingClientRect().bottom <= innerHeight).length"""


@pytest.mark.parametrize("language", ["en", "fr"])
def test_all_games_can_be_begun_without_scrolling_on_a_laptop(
    language: str, site: Site, browser: Any
) -> None:
    mira = Person(browser, site, language=language)
    mira.go("/")
    for width, height in LAPTOPS:
        mira.page.set_viewport_size({"width": width, "height": height})
        assert mira.page.evaluate(PLAYS_IN_SIGHT) == 4, (width, height)
    mira.context.close()


def test_a_friend_comes_by_a_private_link(site: Site, browser: Any) -> None:
    mira, bo = (Person(browser, site) for _ in range(2))
    lay(mira, "ozeanien", ["me", "kept"])
    link = mira.page.locator("#link-1").input_value()
    bo.page.goto(link)
    bo.page.locator("#sit-name").fill("Bo")
    bo.page.get_by_role("button", name="Sit down").click()
    for person in (mira, bo):
        person.page.locator("main[data-decision='0'] #board").wait_for()
        assert person.wrong == []
        person.context.close()


def test_two_at_one_device_never_see_each_others_hand(site: Site, browser: Any) -> None:
    mira = Person(browser, site, width=390)
    lay(mira, "ecosystem", ["me", "here"])
    page = mira.page
    seen = []
    for _ in range(4):
        cover = page.locator(".cover")
        cover.wait_for()
        assert page.locator("[name='action']").count() == 0
        assert mira.serious() == []
        name = cover.locator("h1").inner_text()
        seen.append(name)
        cover.locator("a.main").click()
        page.locator("main[data-owes='1']").wait_for()
        while page.locator("main[data-owes='1']").count():
            mira.move()
    assert len(set(seen)) == 2
    assert mira.wrong == []
    mira.context.close()


def test_the_deal_of_the_day_is_one_click_away(site: Site, browser: Any) -> None:
    mira = Person(browser, site)
    mira.go("/")
    mira.page.locator(".daily button.main").click()
    mira.page.locator("#prompt").wait_for()
    address = mira.page.url
    mira.go("/")
    mira.page.locator(".daily a.main").click()
    mira.page.locator("#prompt").wait_for()
    assert mira.page.url == address
    assert mira.wrong == []
    mira.context.close()


def test_a_finished_game_is_seen_again_and_played_on(site: Site, browser: Any) -> None:
    mira = Person(browser, site, width=390)
    lay(mira, "ozeanien", ["puffin", "puffin"])
    page = mira.page
    page.locator("main[data-over='1']").wait_for()
    page.goto(f"{page.url}/replay?at=30&eyes=0")
    page.locator("html[data-ready]").wait_for()
    before = page.locator("#board").inner_html()
    for step in range(31, 37):
        page.locator("#replay-on").click()
        page.locator(f"main[data-number='{step}']").wait_for(state="attached")
    assert page.locator("#board").inner_html() != before
    page.wait_for_url("**at=36**")
    page.locator("#replay-at").fill("30")
    page.locator("main[data-number='30']").wait_for(state="attached")
    assert mira.serious() == []
    for width in (390, 1440):
        resize(page, width, 860)
        faults = page.evaluate(FAULTS)  # the table's own are looked for at the table
        assert not [fault for fault in faults if "replay" in fault or "sideways" in fault], width
    page.locator("#replay-play").click()
    page.wait_for_url(lambda address: "/replay" not in address)
    page.locator("html[data-ready]").wait_for()
    assert mira.wait()  # the game isn't over, and somebody is asked
    assert mira.wrong == []
    mira.context.close()

"""The score pads in Chromium, on a phone beside the box: tapping, undoing, reloading."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest
from test_web_looks import FAULTS, LONGER

from browser import Person, Site, box, resize

GAMES = ("ecosystem", "oceanide", "oceanos", "ozeanien")
TABLES = {
    "ecosystem": "Ada\n"
    + "krill whale coral crab turtle\n" * 4
    + "Bo\n- - - - -"
    + "\n- - - - -" * 3,
    "oceanide": "Ada\nsets: rum, star\nshowcase: sun\nhand: 2\nBo\nsets: 4\nthieves: 1",
    "oceanos": "kraken: 0 -2 0\nAda\nturtle+coral crab treasure! eye 0\n0 0 0 0 0\n0 0 0 0 0\n"
    "tokens: -\nBo\n- - - - -\n- - - - -\n- - - - -",
    "ozeanien": "Ada: 1\nBo: 0\n" + "e/r1 w . . .\n" + ". . . . .\n" * 6,
}


def address(game: str) -> str:
    return f"/pad/{game}?{urlencode({'t': TABLES[game]})}"


@pytest.mark.parametrize("language", ["en", "fr"])
def test_pads_hold_at_every_width_with_longer_texts(
    language: str, site: Site, browser: Any
) -> None:
    mira = Person(browser, site, language=language, width=390, height=664)
    for game in GAMES:
        mira.go(address(game))
        mira.page.locator("html[data-ready]").wait_for()
        assert mira.serious() == [], game
        mira.page.evaluate(LONGER)
        for width in (360, 390, 1366):
            resize(mira.page, width, 664)
            assert mira.page.evaluate(FAULTS) == [], (game, width)
    assert mira.wrong == []
    mira.context.close()


def test_board_and_keys_are_in_a_phones_window(site: Site, browser: Any) -> None:
    mira = Person(browser, site, width=390, height=664)
    for game in GAMES:
        mira.go(address(game))
        last = box(mira.page.locator(".pad-key, .pad-counter button").last)
        assert game == "oceanos" or last["y"] + last["height"] <= 664, game
        keys = mira.page.locator(".pad-key")
        for key in keys.all():
            place = box(key)
            assert place["y"] + place["height"] <= 664, game
            assert min(place["width"], place["height"]) >= 40, game
    mira.context.close()


def test_a_reef_is_tapped_in_undone_and_kept_over_a_reload(site: Site, browser: Any) -> None:
    mira = Person(browser, site, width=390, height=664)
    mira.go("/pad/ecosystem")
    page = mira.page
    page.locator("html[data-ready]").wait_for()
    for species in ("krill", "krill", "coral"):
        page.locator(f"#key-{species}").click()
    page.locator('#on-0_3[aria-current="true"]').wait_for()
    assert page.locator("#tab-0 b").inner_text() == "4"
    page.locator("#pad-undo").click()
    page.locator('#on-0_2[aria-current="true"]').wait_for()
    page.reload()
    page.locator("html[data-ready]").wait_for()
    assert page.locator("#on-0_1").inner_text() == "row 1, column 2: krill"
    assert page.locator("#tab-0 b").inner_text() == "4"
    page.locator("[data-lights]").first.click()
    assert page.locator(".pad-spot.is-lit").count() == 2
    page.goto(f"{site.url}/pad/ecosystem")
    page.locator("#pad-last").click()
    page.locator("#on-0_1 >> text=krill").wait_for()
    assert mira.wrong == []
    mira.context.close()


def test_names_are_typed_and_a_whale_too_many_is_refused(site: Site, browser: Any) -> None:
    mira = Person(browser, site, width=390, height=664)
    mira.go("/pad/ecosystem")
    page = mira.page
    page.locator("html[data-ready]").wait_for()
    page.locator("#pad-players summary").click()
    page.locator(".pad-names input").first.fill("Zoé")
    page.locator(".pad-names input").first.press("Enter")
    page.locator("#tab-0 >> text=Zoé").wait_for()
    for _ in range(7):
        page.locator("#key-whale").click()
    page.locator(".refused:visible >> text=7 × whale; the box has 6.").wait_for()
    assert page.locator('[id^="on-"]:has-text("whale")').count() == 6
    mira.context.close()


def test_a_pad_works_without_script(site: Site, browser: Any) -> None:
    mira = Person(browser, site, width=390, height=664, java_script_enabled=False)
    mira.go("/pad/oceanos")
    for symbol in ("turtle", "coral", "on"):
        with mira.page.expect_navigation():
            mira.page.locator(f"#key-{symbol}").click()
    assert mira.page.locator("#tab-0 b").inner_text() == "3"
    assert "turtle%2Bcoral" in mira.page.url
    mira.context.close()

"""The count at the end: it keeps the winner to itself, clips nothing, and is seen on a phone."""

from __future__ import annotations

from typing import Any

import pytest

from browser import Party, Person, Site

CUT = """
[...document.querySelectorAll('#sheets .scroll')]
  .some(sheet => sheet.scrollWidth > sheet.clientWidth)
"""


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
    page.locator("html.is-counting").wait_for()
    page.locator("#end .counting-now", has_text="0").first.wait_for(state="attached")
    box = page.locator("#end .counting").bounding_box()
    assert box is not None
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= height
    for hidden in (".st-won", ".podium.reveal", "#prompt"):
        assert page.locator(f"{hidden}:visible").count() == 0
    assert page.locator(".seat-name, .other-name").count() == names
    assert page.evaluate(CUT) == was_cut
    assert page.locator("[data-counting]").inner_text()
    page.keyboard.press("Shift")
    page.locator("html:not(.is-counting)").wait_for()
    assert page.locator("#prompt").is_visible()
    for total in page.locator("#sheets [data-total]").all():
        shown = str(total.text_content()).replace("−", "-")
        assert shown == total.get_attribute("data-total")
    assert mira.wrong == []
    mira.context.close()

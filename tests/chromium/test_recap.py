"""Since your turn, in a browser: the line, the marks on the board, and the log behind it."""

from __future__ import annotations

from typing import Any

import pytest

from browser import Party, Person, Site


@pytest.mark.parametrize(("width", "height"), [(390, 664), (1366, 641)])
def test_a_tap_on_the_recap_opens_the_log(
    width: int, height: int, site: Site, browser: Any
) -> None:
    party = Party(site, "ecosystem", 3)
    mira = Person(browser, site, width=width, height=height)
    mira.context.add_cookies([{"name": "pelagos-plain", "value": "1", "url": site.url}])
    for phase in party.phases():
        if "take" in phase and party.look(0)["view"]["seen"] > 12:
            break
    party.seat(mira)
    mira.page.locator("html[data-ready]").wait_for()
    recap = mira.page.locator("a#recap")
    recap.wait_for()
    assert "Bo:" in recap.inner_text()
    assert mira.page.locator("[data-last='1']").count() == 1
    assert mira.page.locator("[data-last='0']").count() == 0
    recap.click()
    if mira.page.locator("#log-sheet[open]").count():
        assert mira.page.locator("#log-sheet li").count() > 5
        mira.page.locator("#log-sheet [data-close]").click()
    else:
        assert mira.page.locator("#log ol:focus").count() == 1
    assert mira.serious() == []
    assert mira.wrong == []
    mira.context.close()

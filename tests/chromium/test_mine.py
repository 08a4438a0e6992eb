"""My games in a browser: after a game, on a phone too; moved to another browser; deleted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from browser import Party, Person, Site

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def test_games_are_listed_taken_along_and_deleted(site: Site, browser: Any, tmp_path: Path) -> None:
    mira = Person(browser, site, width=1366, height=641, settings={"motion": False})
    for deal in range(2):
        party = Party(site, "ecosystem", 2, deal)
        for phase in party.phases():
            if phase == "over":
                break
        party.seat(mira)
    mira.page.locator("#end a[href='/mine']").click()
    mira.page.locator(".mine-results tbody tr").nth(1).wait_for()
    assert mira.page.locator(".mine-results .with").first.inner_text() == "Bo"
    assert mira.page.locator(".mine-card .chart .dot").count() == 2
    assert mira.page.locator(".mine-lines tbody tr").count() > 5
    assert mira.page.evaluate(OVERFLOW) == 0
    assert mira.serious() == []
    with mira.page.expect_download() as download:
        mira.page.get_by_role("button", name="Save the key").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)

    phone = Person(browser, site, language="fr", width=390, height=664, color_scheme="dark")
    phone.go("/mine")
    phone.page.locator(".mine-none").wait_for()
    phone.page.locator("input[type=file]").set_input_files(file)
    phone.page.get_by_role("button", name="L'ouvrir").click()
    phone.page.locator(".mine-done").wait_for()
    phone.page.locator("html[data-ready]").wait_for()
    assert phone.page.locator(".mine-results tbody tr").count() == 2
    assert phone.page.evaluate(OVERFLOW) == 0
    assert phone.serious() == []
    phone.page.locator(".mine-results .go a").first.click()
    phone.page.locator("#replay").wait_for()
    phone.go("/mine/delete")
    assert "2 parties avec d'autres restent" in phone.page.locator("main").inner_text()
    phone.page.locator("main form .main").click()
    phone.page.locator(".mine-none").wait_for()
    assert mira.page.request.get(f"{site.url}/t/{party.table}/replay").status == 200
    assert phone.wrong == mira.wrong == []
    mira.context.close()
    phone.context.close()

"""Packs in Chromium: typed into as a table, read from files, chosen at a new table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from test_web_looks import FAULTS, LONGER

from browser import Person, Site, resize


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_page_holds_with_longer_texts(language: str, site: Site, browser: Any) -> None:
    mira = Person(browser, site, language=language, width=390, height=664)
    for game in ("ecosystem", "oceanide"):
        mira.go(f"/packs/{game}")
        mira.page.locator(".pack-table table").first.wait_for()
        assert mira.serious() == []
        mira.page.evaluate(LONGER)
        for width in (390, 1366):
            resize(mira.page, width, 664)
            faults = [fault for fault in mira.page.evaluate(FAULTS) if "INPUT" not in fault]
            assert faults == [], (game, width)
    assert mira.wrong == []
    mira.context.close()


def test_a_pack_is_changed_in_its_table_and_played_with(
    site: Site, browser: Any, tmp_path: Path
) -> None:
    mira = Person(browser, site, width=390, height=664)
    page = mira.page
    mira.go("/packs/ecosystem")
    krill = page.get_by_label("count, 3", exact=True)
    krill.fill("many")
    page.get_by_role("button", name="Check this pack").click()
    page.locator(".refused >> text=cards.csv, line 3").wait_for()
    page.locator(".is-wrong").wait_for()
    page.get_by_label("count, 3", exact=True).fill("25")
    own = tmp_path / "pack.toml"
    own.write_text('name = "krill day"\n', encoding="utf-8")
    page.locator("#pack-files").set_input_files(own)
    page.get_by_role("button", name="Check this pack").click()
    page.locator(".pack-good").wait_for()
    assert page.locator("#pack-now").inner_text() == "krill day"
    page.locator("html[data-ready]").wait_for()  # the script keeps it
    page.goto(f"{site.url}/packs/ecosystem")
    page.get_by_role("link", name="krill day").wait_for()
    page.goto(f"{site.url}/new/ecosystem?players=1")
    page.locator("details.more-options summary").click()
    page.locator("select[name='pack']").select_option(label="krill day")
    page.get_by_role("button", name="Lay the table").click()
    page.locator("#board").wait_for()
    assert mira.wrong == []
    mira.context.close()

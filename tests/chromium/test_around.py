"""Around the table: one device for many, replays, spectators, long names, rules."""

from __future__ import annotations

from typing import Any

import pytest

from browser import Person, Site

PHONES = ((360, 616), (390, 664))
LONG = "Maximilienne-Alexandrine de Saint-Exupér"

HEADER_FAULTS = """() => {
  const faults = [];
  const bar = document.querySelector('.bar').getBoundingClientRect();
  if (bar.height > 64) faults.push('the header is ' + bar.height + ' high');
  if (document.documentElement.scrollWidth > innerWidth) faults.push('it scrolls sideways');
  for (const link of document.querySelectorAll('.my-seats[open] a')) {
    const box = link.getBoundingClientRect();
    const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    if (box.left < 0 || box.right > innerWidth || !link.contains(hit))
      faults.push('out of reach: ' + link.textContent);
  }
  return faults;
}"""


@pytest.mark.parametrize("seats", range(2, 7))
def test_the_header_holds_with_many_at_one_device(site: Site, browser: Any, seats: int) -> None:
    mira = Person(browser, site, language="fr")
    mira.go(f"/new/ecosystem?players={seats}")
    mira.page.locator("#name").fill(LONG)
    for seat in range(1, seats):
        mira.page.locator(f"select[name='seat{seat}']").select_option("here")
        mira.page.locator(f"input[name='name{seat}']").fill(LONG[seat:])
    mira.page.locator("form[method='post'][action^='/new'] button.main").click()
    mira.page.locator(".cover a.main").click()
    mira.page.locator("#board").wait_for()
    for width, height in PHONES:
        mira.page.set_viewport_size({"width": width, "height": height})
        mira.page.locator("html[data-ready]").wait_for()
        if mira.page.locator(".menu-button").is_visible():
            mira.page.locator(".menu-button").click()
        mira.page.locator(".my-seats summary").click()
        assert mira.page.locator(".my-seats[open] a").count() == seats
        assert mira.page.evaluate(HEADER_FAULTS) == [], (width, height)
        mira.page.reload()
    assert mira.serious() == []
    assert mira.wrong == []
    mira.context.close()

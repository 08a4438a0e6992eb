"""Around the table: one device for many, replays, spectators, long names, rules."""

from __future__ import annotations

from typing import Any

import pytest

from browser import SOAK, Party, Person, Site, lay, resize
from pelagos.engine.game import find_game, games

PHONES = ((360, 616), (390, 664))
LONG = "Maximilienne-Alexandrine de Saint-Exupér"

HEADER_FAULTS = """() => {
  const faults = [];
  const bar = document.querySelector('.bar').getBoundingClientRect();
  if (bar.height > 64) faults.push('the header is ' + bar.height + ' high');
  if (document.documentElement.scrollWidth > innerWidth) faults.push('it scrolls sideways');
  for (const link of document.querySelectorAll('.my-seats[open] a')) {
    link.scrollIntoView({block: 'nearest'});
    const box = link.getBoundingClientRect();
    const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    if (box.left < 0 || box.right > innerWidth || !link.contains(hit))
      faults.push('out of reach: ' + link.textContent);
  }
  return faults;
}"""


@pytest.mark.parametrize("seats", range(2, 7) if SOAK else (2, 4, 6))
def test_the_header_holds_with_many_at_one_device(site: Site, browser: Any, seats: int) -> None:
    mira = Person(browser, site, language="fr")
    mira.go(f"/new/ecosystem?players={seats}")
    mira.page.locator("#name").fill(LONG)
    for seat in range(1, seats):
        mira.page.locator(f"select[name='seat{seat}']").select_option("here")
        mira.page.locator(f"input[name='name{seat}']").fill(LONG[seat:])
    mira.page.locator("form[method='post'][action^='/new'] button.main").click()
    board, cover = mira.page.locator("#board"), mira.page.locator(".cover a.main")
    for _ in range(seats):  # the table may be handed on while somebody reaches for it
        mira.page.locator("html[data-ready]").wait_for()
        board.or_(cover).first.wait_for()
        if board.is_visible():
            break
        cover.click()
        mira.page.wait_for_load_state()
    board.wait_for()
    for width, height in PHONES:
        resize(mira.page, width, height)
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


def test_a_table_without_secrets_turns_to_whoever_is_next(site: Site, browser: Any) -> None:
    mira = Person(browser, site, width=390)
    lay(mira, "ozeanien", ["me", "here"])
    page = mira.page
    movers = []
    for _ in range(8):
        page.locator("main[data-owes='1']").wait_for()
        assert page.locator(".cover").count() == 0
        shown = page.locator("main").get_attribute("data-number")
        movers.append(page.locator("#act input[name='seat']").input_value())
        page.locator("#act button.choice:not(.listed):visible").first.click()
        page.locator("#go").click()
        page.locator(f"main:not([data-number='{shown}'])").wait_for()
    assert set(movers) == {"0", "1"}
    assert mira.wrong == []
    mira.context.close()


def test_who_loses_a_seat_is_led_to_the_reason(site: Site, browser: Any) -> None:
    mira, bo = (Person(browser, site, width=390, height=664) for _ in range(2))
    lay(mira, "ozeanien", ["me", "open"])
    bo.page.goto(mira.page.url)
    bo.page.locator("#sit-name").fill("Bo")
    bo.page.get_by_role("button", name="Sit down").click()
    bo.page.locator("#board").wait_for()
    mira.go(f"/t/{bo.page.url.partition('/t/')[2].partition('?')[0]}/seats")
    mira.page.get_by_role("link", name="Free the seat").click()
    assert mira.serious() == []
    mira.page.get_by_text("it was the wrong seat").click()
    mira.page.get_by_role("button", name="Free the seat").click()
    bo.page.get_by_text("Mira has freed your seat. Why: it was the wrong seat.").wait_for()
    assert bo.serious() == []
    for person in (mira, bo):
        assert person.wrong == []
        person.context.close()


BAR_FAULTS = """() => {
  const faults = [];
  const bar = document.getElementById('replay');
  const box = bar.getBoundingClientRect();
  if (box.bottom > innerHeight + 1 || box.right > innerWidth + 1) faults.push('the bar is cut off');
  const fits = document.querySelector('#view > .fits');
  const hands = document.getElementById('hands');
  for (const part of document.querySelectorAll(fits ? '#view > .fits *' : '#view')) {
    if (hands?.contains(part) || part.closest('.unseen, .choices, [aria-hidden=true]')) continue;
    if (!part.checkVisibility()) continue;
    if (getComputedStyle(part).clipPath !== 'none') continue;
    const inner = part.getBoundingClientRect();
    let bottom = inner.bottom;
    for (let up = part.parentElement; up; up = up.parentElement)
      if (getComputedStyle(up).overflowY !== 'visible')
        bottom = Math.min(bottom, up.getBoundingClientRect().bottom);
    if (inner.width > 1 && bottom > box.top + 1 && inner.top < box.bottom &&
        inner.left < box.right && inner.right > box.left)
      faults.push('under the bar: ' + part.tagName + '.' + part.className);
  }
  if (document.documentElement.scrollWidth > innerWidth) faults.push('it scrolls sideways');
  return faults;
}"""


@pytest.mark.parametrize("which", sorted(games()))
def test_the_bar_of_a_replay_covers_nothing(site: Site, browser: Any, which: str) -> None:
    party = Party(site, which, find_game(which).default_players)
    for _ in party.phases():
        pass
    mira = Person(browser, site, language="fr", settings={"motion": False})
    resize(mira.page, 390, 664)
    for eyes in ("0", "open"):
        mira.go(f"/t/{party.table}/replay?at=12&eyes={eyes}")
        mira.page.locator("html[data-ready]").wait_for()
        for width, height in (*PHONES, (844, 390), (1366, 641)):
            resize(mira.page, width, height)
            assert mira.page.evaluate(BAR_FAULTS) == [], (eyes, width, height)
    mira.page.locator("#replay-on").click()
    mira.page.locator("main[data-number='13']").wait_for()
    assert mira.wrong == []
    mira.context.close()


LINES = """() => {
  const names = document.querySelectorAll('.seat-name, .other-name, .sheet-name, .podium-name');
  const lines = name => name.getBoundingClientRect().height /
    parseFloat(getComputedStyle(name).lineHeight);
  return [...names].filter(name => name.checkVisibility() && lines(name) > 2.5)
    .map(name => name.className);
}"""


def test_a_name_of_forty_letters_has_two_lines_at_most(site: Site, browser: Any) -> None:
    names = [f"{LONG[:38]}{number}" for number in range(4)]
    party = Party(site, "minnows", 4, names=names)
    mira = Person(browser, site, language="fr", settings={"motion": False})
    mira.context.add_cookies([{"name": "pelagos-plain", "value": "1", "url": site.url}])
    for when in ("during the game", "at its end"):
        party.seat(mira)
        for width, height in (*PHONES, (844, 390), (1366, 641)):
            resize(mira.page, width, height)
            assert mira.page.evaluate(LINES) == [], (when, width, height)
        mira.rest()
        for _ in party.phases():
            pass
    assert mira.wrong == []
    mira.context.close()


def test_rules_are_read_in_the_window_on_a_phone(site: Site, browser: Any) -> None:
    mira = Person(
        browser, site, language="fr", width=390, height=664, has_touch=True, is_mobile=True
    )
    for game in games().values():
        mira.go(f"/rules/{game.id}")
        cut = mira.page.evaluate(
            "[...document.querySelectorAll('.prose .scrolls')]"
            ".filter(table => table.scrollWidth > table.clientWidth + 1)"
            ".map(table => table.textContent)"
        )
        assert cut == [], game.id
        assert mira.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert mira.wrong == []
    mira.context.close()


def test_help_leaves_the_game_open_and_speaks_of_keys_only_where_there_are(
    site: Site, browser: Any
) -> None:
    desk = Person(browser, site)
    phone = Person(browser, site, width=390, height=664, has_touch=True, is_mobile=True)
    for person, keys in ((desk, True), (phone, False)):
        lay(person, "ozeanien", ["me", "here"])
        help_button = person.page.locator("[data-open='help']").first
        if not help_button.is_visible():
            person.page.locator(".menu-button").click()
        help_button.click()
        person.page.locator("#help[open]").wait_for()
        assert person.page.locator("#help .keys").first.is_visible() == keys
        with person.context.expect_page() as opened:
            person.page.locator("#help a[href^='/rules/']:not([href*='#'])").click()
        assert "/rules/ozeanien" in opened.value.url
        assert "/t/" in person.page.url
        assert person.wrong == []
        person.context.close()

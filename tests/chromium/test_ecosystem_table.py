"""Ecosystem's table in a real browser: a card and its cell at once, whales, and why not."""

from __future__ import annotations

from typing import Any

from browser import Party, Person, Site


def stopped_at(site: Site, phase: str, after: int, deals: range = range(1, 9)) -> Party:
    """A table at which seat 0 is asked this, after so many steps."""
    for deal in deals:
        party = Party(site, "ecosystem", 3, deal)
        for step, found in enumerate(party.phases()):
            if step > after and phase in found:
                return party
    raise AssertionError(f"Nobody was asked for {phase}.")


def test_a_card_and_its_cell_go_together(site: Site, browser: Any) -> None:
    """Tap a card, tap a lit cell, and the button says both; others' cards are awaited meanwhile."""
    party = stopped_at(site, "take", 30)
    mira = Person(browser, site, width=390, height=844, has_touch=True)
    party.seat(mira)
    page = mira.page
    page.locator(".eco .hand button.choice").nth(1).tap()
    assert page.locator("#tip").inner_text() != ""
    cells = page.locator(".eco button.later:visible")
    assert cells.count() > 3
    cells.nth(2).tap()
    wanted = cells.nth(2).get_attribute("data-later")
    assert "lay it here" in page.locator("#go-say").inner_text()
    assert page.locator(".eco .later .ghost").count() == 1
    page.locator("#go").tap()
    planned = page.locator(".eco .ghost.ahead")
    planned.wait_for()
    assert planned.get_attribute("data-at") == wanted
    laid = page.locator(".frame .slab").count()
    for seat in (1, 2):
        party.move(seat)
    page.locator(f".frame .spot.has-card >> nth={laid}").wait_for()
    assert mira.wrong == []
    mira.context.close()


def test_a_second_tap_on_the_cell_lays_the_card(site: Site, browser: Any) -> None:
    party = stopped_at(site, "take", 30)
    mira = Person(browser, site)
    party.seat(mira)
    page = mira.page
    page.locator(".eco .hand button.choice").first.click()
    cell = page.locator(".eco button.later:visible").first
    cell.click()
    assert cell.get_attribute("aria-pressed") == "true"
    cell.click()
    page.locator(".eco .ghost.ahead").wait_for()
    assert mira.wrong == []
    mira.context.close()


def test_what_cant_be_chosen_says_why(site: Site, browser: Any) -> None:
    """A tap on a cell, a card laid or a card of the hand that is no choice tells the reason."""
    party = stopped_at(site, "place", 40)
    mira = Person(browser, site)
    party.seat(mira)
    page, why = mira.page, party.look(0)["view"]["why"]
    assert "hand" in why
    page.locator(".eco .held .card.quiet").first.click()
    assert page.locator("#tip").inner_text().endswith("lay it first.")
    assert page.locator("#live").inner_text().strip() == page.locator("#tip").inner_text()
    page.locator(".frame .spot.has-card").first.click()
    assert "beside one of your cards" in page.locator("#tip").inner_text()
    page.locator(".frame .spot.can button").first.click()
    assert "beside one of your cards" not in page.locator("#tip").inner_text()
    assert mira.wrong == []
    mira.context.close()


def test_a_whale_turns_a_card_on_the_reef(site: Site, browser: Any) -> None:
    party = stopped_at(site, "flip", 60)
    mira = Person(browser, site)
    party.seat(mira)
    page = mira.page
    lit = page.locator(".frame .spot.can button")
    assert lit.count() > 0
    lit.first.click()
    assert "face down" in page.locator("#go-say").inner_text()
    assert page.locator(".frame .slab.is-acting").get_attribute("data-face") == "whale"
    page.locator("#go").click()
    page.locator(".frame .slab.is-down, main[data-over='1']").first.wait_for(state="attached")
    assert mira.wrong == []
    mira.context.close()


def test_one_part_at_a_time_on_a_phone(site: Site, browser: Any) -> None:
    party = stopped_at(site, "take", 30)
    mira = Person(browser, site, width=390, height=844, has_touch=True)
    party.seat(mira)
    page = mira.page
    parts = {"#prompt": ".play", "#sheets": ".sheets", "#others": ".beside", "#log": ".log"}
    for href, shown in parts.items():
        page.locator(f".tabs a[href='{href}']").tap()
        for part in parts.values():
            assert page.locator(f".eco > {part}").is_visible() == (part == shown), (href, part)
    page.locator("#seat-1 a").tap()
    assert page.locator("#other-1").is_visible()
    assert mira.wrong == []
    mira.context.close()

"""A hint in a browser: asked for, lit, chosen by a tap, counted at the end; none among people."""

from __future__ import annotations

from typing import Any

import pytest

from browser import Party, Person, Site, lay, read_all


@pytest.mark.parametrize(
    ("language", "width", "height", "counted"),
    [("fr", 390, 664, "1 conseil"), ("en", 1366, 641, "1 hint")],
)
def test_what_the_orca_would_do_is_lit_and_chosen_by_a_tap(
    language: str, width: int, height: int, counted: str, site: Site, browser: Any
) -> None:
    mira = Person(
        browser, site, language=language, width=width, height=height, settings={"motion": False}
    )
    page = mira.page
    lay(mira, "minnows", ["me", "puffin"])
    assert mira.wait()
    card, lit = page.locator("#hint-card"), page.locator("#view [data-hinted='1']:visible")
    page.locator("#hint").click()
    card.locator(".hint-line").first.wait_for()
    assert "%" in card.locator(".hint-expected").first.inner_text()
    lit.first.wait_for()
    assert card.locator(".hint-label").first.inner_text() in page.locator("#live").inner_text()
    page.locator("#hint-close").click()
    assert card.is_hidden()
    assert lit.count() == 0
    page.keyboard.press("h")
    card.locator(".hint-line").first.wait_for()
    page.locator("#hint-card:not(.is-thinking)").wait_for()  # a longer thought may say otherwise
    first = card.locator(".hint-line").first.get_attribute("data-action")
    assert mira.serious() == []
    before = mira.decision
    lit.first.click()
    assert card.is_hidden()  # its place is the large button's now
    chosen = read_all(page.locator("#act .is-chosen"), "all => all.map(button => button.value)")
    assert first in chosen
    page.locator("#go").click()
    page.locator(f"main:not([data-decision='{before}'])").first.wait_for(state="attached")
    assert lit.count() == 0
    while mira.wait():
        mira.move()
    assert counted in page.locator("#end .podium.reveal").inner_text()
    assert mira.wrong == []
    mira.context.close()


def test_among_people_there_is_no_hint_unless_the_table_has_it(site: Site, browser: Any) -> None:
    """Where there is one, all hear that it was asked for, and nobody else what it said."""
    mira, bo = Person(browser, site), Person(browser, site)
    without = Party(site, "minnows", 2)
    without.seat(mira)
    mira.page.locator("html[data-ready]").wait_for()
    assert not mira.page.locator("[data-ask-hint]:visible").count()
    mira.page.keyboard.press("h")
    assert mira.page.locator("#hint-card").is_hidden()
    party = Party(site, "minnows", 2, hints=True)
    while 0 not in party.look(0)["table"]["waiting"]:
        party.move(1)
    party.seat(mira)
    party.sit(bo, 1)
    mira.page.locator("[data-ask-hint]:visible").first.click()
    mira.page.locator("#hint-card .hint-line").first.wait_for()
    bo.page.locator("#log").get_by_text("Mira asks for a hint.").wait_for()
    assert not bo.page.locator(".hint-told, [data-hinted]").count()
    assert mira.wrong == bo.wrong == []
    mira.context.close()
    bo.context.close()

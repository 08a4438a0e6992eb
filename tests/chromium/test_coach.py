"""The coach in a browser: a finished game analysed, and walked through on a desktop and a phone."""

from __future__ import annotations

from typing import Any

from browser import Party, Person, Site, box

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def test_a_finished_game_is_analysed_and_walked_through(site: Site, browser: Any) -> None:
    party = Party(site, "minnows", 2)
    for phase in party.phases():
        if phase == "over":
            break
    mira = Person(browser, site, width=1366, height=641, settings={"motion": False})
    party.seat(mira)
    mira.page.locator(f"#end a[href='/t/{party.table}/coach']").click()
    mira.page.get_by_role("button", name="Let the coach look").click()
    mira.page.locator("#coach-step").wait_for(state="attached")  # the page fills itself in
    mira.page.locator(".coach-foot[data-round='6 done']").wait_for()
    assert mira.page.evaluate(OVERFLOW) == 0
    assert mira.serious() == []
    for part in (".coach-curve", ".coach-card", ".coach-sum"):
        place = box(mira.page.locator(part))
        assert place["y"] + place["height"] <= 641, part
    card = mira.page.locator("#card-name")
    slider = mira.page.locator("#coach-step")
    slider.focus()
    mira.page.keyboard.press("Home")
    mira.page.locator(".thumb-text", has_text="0").first.wait_for()
    mira.page.keyboard.press("ArrowRight")
    mira.page.get_by_text("Step 1", exact=True).wait_for()
    assert mira.page.evaluate("document.activeElement.id") == "coach-step"
    before = card.inner_text()
    mira.page.locator("#coach-after").click()
    mira.page.locator(".coach-eye b", has_not_text="Step 1").wait_for()
    assert mira.page.evaluate("document.activeElement.id") == "coach-after"
    assert before
    mira.page.locator(".coach-all summary").click()
    mira.page.locator(".coach-all tbody a").last.click()
    mira.page.locator(".coach-show").click()
    mira.page.locator("#replay").wait_for()
    mira.page.locator("#replay-back").click()
    mira.page.locator("#replay-coach").click()
    mira.page.locator("#coach-step").wait_for(state="attached")

    phone = Person(
        browser, site, language="fr", width=390, height=664, color_scheme="dark", has_touch=True
    )
    phone.go(f"/t/{party.table}/coach?seat=1")
    assert phone.page.evaluate(OVERFLOW) == 0
    assert phone.serious() == []
    phone.page.locator(".sum-next").click()
    phone.page.locator(".sum-next", has_text="Mira").wait_for()
    phone.page.locator(".coach-do .main").click()  # play on from here
    phone.page.locator("main[data-owes='1'], main[data-over='1']").first.wait_for(state="attached")
    assert phone.wrong == mira.wrong == []
    mira.context.close()
    phone.context.close()

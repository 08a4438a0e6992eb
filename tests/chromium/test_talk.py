"""Talk in a browser: two languages at one table, bubbles, the live region, muting, a phone."""

from __future__ import annotations

from typing import Any

from browser import Person, Site, box, lay

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


def seated(site: Site, browser: Any, game: str = "minnows") -> tuple[Person, Person]:
    """Mira, in French on a phone, and Bo, in English."""
    mira = Person(browser, site, language="fr", width=390, height=664, has_touch=True)
    bo = Person(browser, site, language="en", width=1366, height=641)
    lay(mira, game, ["me", "open"])
    bo.go(mira.page.locator("#link").input_value().removeprefix(site.url))
    bo.page.locator("#sit-name").fill("Bo")
    bo.page.locator("#sit button.main").click()
    for person in (mira, bo):
        person.page.locator("main[data-over='0'].table").wait_for()
    return mira, bo


def say(person: Person, choice: str) -> None:
    if not person.page.locator("#talk:popover-open").count():
        person.page.locator(".talk-open").click()
    person.page.locator(choice).click()


def test_each_reads_their_own_language_and_a_bubble_stands_at_the_chip(
    site: Site, browser: Any
) -> None:
    mira, bo = seated(site, browser)
    say(mira, "[name=phrase][value=well_played]")
    bubble = bo.page.locator(".bubble[data-seat='0']")
    bubble.wait_for()
    assert bubble.inner_text() == "Well played!"
    assert abs(box(bubble)["x"] - box(bo.page.locator("#seat-0"))["x"]) < 40
    assert bo.page.locator("#live").inner_text() == "Mira: Well played!"
    assert bo.page.locator(".talk-open.is-fresh").count() == 1
    say(bo, "[name=sign][value=laugh]")
    mira.page.locator(".bubble[data-seat='1'] svg").wait_for()
    assert "Bo: rit" in mira.page.locator("#live").inner_text()
    mira.page.locator(".talk-open").click()
    assert "Bien joué" in mira.page.locator("#talk-lines").inner_text()
    for person in (mira, bo):
        assert person.serious() == []
        assert person.wrong == []
        person.context.close()


def test_whoever_is_muted_is_not_heard_and_not_told(site: Site, browser: Any) -> None:
    mira, bo = seated(site, browser)
    bo.page.locator(".talk-open").click()
    bo.page.locator(".talk-mute summary").click()
    bo.page.locator("[data-mute='0']").click()
    bo.page.keyboard.press("Escape")
    say(mira, "[name=phrase][value=hello]")
    mira.page.locator("#talk-lines li").wait_for(state="attached")
    bo.page.locator("#talk-lines li").wait_for(state="attached")
    assert bo.page.locator(".bubble").count() == 0
    assert bo.page.locator(".talk-open.is-fresh").count() == 0
    assert "Hello" not in bo.page.locator("#live").inner_text()
    bo.page.reload()
    assert bo.page.locator("#talk-lines li:visible").count() == 0
    bo.page.locator(".talk-open").click()
    bo.page.locator(".talk-mute summary").click()
    bo.page.locator("[data-mute='0']").click()
    assert bo.page.locator("#talk-lines li:visible").count() == 1
    for person in (mira, bo):
        person.context.close()


def test_free_text_stays_until_it_is_accepted(site: Site, browser: Any) -> None:
    mira, bo = seated(site, browser)
    bo.page.locator(".talk-open").click()
    field = bo.page.locator("#talk-text")
    field.fill("\u202eback to front")
    bo.page.locator(".talk-free button").click()
    bo.page.locator("#talk-why:visible").wait_for()
    assert "control characters" in bo.page.locator("#talk-why").inner_text()
    assert field.input_value().endswith("back to front")
    field.fill(f"A family: {FAMILY}")
    field.press("Enter")
    mira.page.locator(".bubble").wait_for()
    assert mira.page.locator(".bubble").inner_text() == f"A family: {FAMILY}"
    bo.page.wait_for_function("document.getElementById('talk-text').value === ''")
    decision = bo.decision
    assert decision == bo.page.locator("main").get_attribute("data-decision")
    for person in (mira, bo):
        person.context.close()


def test_a_spectator_is_read_by_players_after_the_game(site: Site, browser: Any) -> None:
    mira, bo = seated(site, browser)
    eve = Person(browser, site)
    eve.go(mira.page.url.removeprefix(site.url).partition("?")[0])
    say(eve, "[name=phrase][value=luck]")
    eve.page.locator("#talk-lines li").wait_for(state="attached")
    say(mira, "[name=phrase][value=hello]")
    eve.page.locator("#talk-lines li").nth(1).wait_for(state="attached")
    bo.page.locator("#talk-lines li").wait_for(state="attached")
    assert bo.page.locator("#talk-lines li").count() == 1
    while not (mira.over and bo.over):
        for person in (mira, bo):
            if person.page.locator("main[data-owes='1']").count() and not person.over:
                person.move()
        mira.page.wait_for_timeout(20)
    bo.page.locator("#talk-lines li").nth(1).wait_for(state="attached")
    assert "watching" in str(bo.page.locator("#talk-lines li").first.text_content())
    for person in (mira, bo, eve):
        person.context.close()


def test_against_bots_there_is_nobody_to_talk_to(site: Site, browser: Any) -> None:
    mira = Person(browser, site)
    lay(mira, "minnows", ["me", "puffin"])
    assert mira.page.locator(".talk-open").count() == 0
    mira.context.close()

"""The aid in a browser: by finger, mouse and keys; beside its thing, inside the window."""

from __future__ import annotations

from typing import Any

import pytest

from browser import Party, Person, Site, box, read

WINDOWS = ((1366, 641), (1024, 700), (390, 664), (844, 390))
GAMES = (("ecosystem", 3), ("oceanos", 3), ("oceanide", 4), ("ozeanien", 2))

THINGS = """() => [...document.querySelectorAll(["[id^='p-']", "button.choice:not(.listed)",
    "[role=gridcell][data-at]", "[data-aid]", "[data-line]"].map(query => "#view " + query).join())]
  .filter(element => {
    const box = element.getBoundingClientRect();
    if (!box.width || box.top < 0 || box.bottom > innerHeight || box.right > innerWidth) return 0;
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return top && (element.contains(top) || top.contains(element));
  })
  .map(element => {
    const box = element.getBoundingClientRect();
    return [box.left, box.top, box.right, box.bottom];
  })"""


def middle(area: list[float]) -> tuple[float, float]:
    return (area[0] + area[2]) / 2, (area[1] + area[3]) / 2


def at_a_decision(site: Site, game: str, players: int, after: int) -> Party:
    """A table in the middle of its game, where seat 0 has something to decide."""
    party = Party(site, game, players, deal=3)
    for number, phase in enumerate(party.phases()):
        if number > after and phase not in ("wait", "over"):
            break
    return party


def check_place(person: Person, area: list[float]) -> None:
    """The card is in the window, and not over what it explains."""
    card = box(person.page.locator("#aid .aid-card"))
    size = person.page.viewport_size
    left, top = card["x"], card["y"]
    right, bottom = left + card["width"], top + card["height"]
    assert left >= 0
    assert top >= 0
    assert right <= size["width"]
    assert bottom <= size["height"]
    across = min(right, area[2]) - max(left, area[0])
    down = min(bottom, area[3]) - max(top, area[1])
    assert across <= 0 or down <= 0, (card, area)


@pytest.mark.parametrize(("game_id", "players"), GAMES)
def test_things_explain_themselves_beside_where_they_lie(
    game_id: str, players: int, site: Site, browser: Any
) -> None:
    party = at_a_decision(site, game_id, players, 45)
    for language, (width, height) in zip(("en", "fr", "en", "fr"), WINDOWS, strict=True):
        person = Person(browser, site, language=language, width=width, height=height)
        party.seat(person)
        person.page.locator("html[data-ready]").wait_for()
        before = person.decision
        things = person.page.evaluate(THINGS)
        assert len(things) > 3
        step = max(1, len(things) // 7)
        for area in things[::step]:
            person.page.mouse.click(*middle(area), button="right")
            person.page.locator("#aid .aid-card h2").wait_for()
            check_place(person, area)
            person.page.keyboard.press("Escape")
            person.page.locator("#aid:popover-open").wait_for(state="detached")
        assert person.decision == before
        assert person.wrong == []
        person.context.close()


def test_a_long_press_explains_and_commits_nothing(site: Site, browser: Any) -> None:
    party = at_a_decision(site, "ecosystem", 3, 45)
    person = Person(browser, site, width=390, height=664, has_touch=True, settings={"onetap": True})
    party.seat(person)
    person.page.locator("html[data-ready]").wait_for()
    before = person.decision
    finger = person.context.new_cdp_session(person.page)
    card = box(person.page.locator("#act .held button.choice").first)
    x, y = card["x"] + card["width"] / 2, card["y"] + card["height"] / 2
    finger.send(
        "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
    )
    person.page.locator("#aid.is-card .aid-card").wait_for()
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    person.page.wait_for_timeout(300)
    assert person.decision == before
    assert person.page.locator(".is-chosen").count() == 0
    person.page.locator("#aid .aid-mark.is-more.is-cell").first.wait_for(state="attached")
    check_place(person, [card[side] for side in ("left", "top", "right", "bottom")])
    assert person.serious() == []
    person.page.locator("#aid .aid-close").tap()
    person.page.locator("#aid:popover-open").wait_for(state="detached")
    assert person.wrong == []
    person.context.close()


def test_keys_and_the_resting_pointer_explain(site: Site, browser: Any) -> None:
    party = at_a_decision(site, "ecosystem", 3, 45)
    person = Person(browser, site, width=1366, height=641)
    party.seat(person)
    page = person.page
    page.locator("html[data-ready]").wait_for()
    held = page.locator("#act .held button.choice").first
    held.focus()
    page.keyboard.press("i")
    page.locator("#aid .aid-close:focus").wait_for()
    assert person.serious() == []
    page.keyboard.press("Escape")
    assert read(held, "card => card === document.activeElement")
    page.keyboard.press("a")
    page.locator("#aid-all h3").first.wait_for()
    assert person.serious() == []
    page.keyboard.press("Escape")
    assert page.locator("#aid-all[open]").count() == 0
    page.keyboard.press("a")
    page.locator("#aid-all[open]").wait_for()
    page.go_back()
    page.locator("#aid-all[open]").wait_for(state="detached")
    assert read(held, "card => card === document.activeElement")
    laid = page.locator(".frame .slab").first
    laid.hover(force=True)
    page.locator("#aid.is-peek .aid-card").wait_for()
    page.mouse.move(2, 320)
    page.locator("#aid:popover-open").wait_for(state="detached")
    empty = page.locator(".frame [role=gridcell][data-at]:not(:has(button:visible))").first
    empty.click(force=True)
    page.locator("#aid.is-why .aid-why").wait_for()
    page.keyboard.press("Escape")
    assert page.locator("#aid:popover-open").count() == 0
    assert person.wrong == []
    person.context.close()

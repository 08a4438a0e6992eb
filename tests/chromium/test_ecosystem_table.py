"""Ecosystem's table in a real browser: a card and its cell at once, whales, and why not."""

from __future__ import annotations

import re
from typing import Any

import pytest

from browser import Party, Person, Site, box, read, read_all, resize
from fit import WINDOWS, unfit


def stopped_at(site: Site, phase: str, after: int, deals: range = range(1, 9)) -> Party:
    """A table at which seat 0 is asked this, after so many steps."""
    for deal in deals:
        party = Party(site, "ecosystem", 3, deal)
        for step, phase_now in enumerate(party.phases()):
            if step > after and phase in phase_now:
                return party
    raise AssertionError(f"Nobody was asked for {phase}.")


def test_a_card_and_its_cell_go_together(site: Site, browser: Any) -> None:
    """Tap a card, tap a lit cell, and the button says both; others' cards are awaited meanwhile."""
    party = stopped_at(site, "take", 30)
    mira = Person(browser, site, width=390, height=844, has_touch=True)
    party.seat(mira)
    page = mira.page
    page.locator(".eco .hand button.choice").nth(1).tap()
    page.locator("#tip", has_text=re.compile(".")).wait_for(state="attached")
    cells = page.locator(".eco button.later:visible")
    cells.nth(3).wait_for()
    cells.nth(2).tap()
    page.locator("#go-say", has_text="lay it here").wait_for()
    wanted = cells.nth(2).get_attribute("data-later")
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


def test_a_second_tap_takes_back(site: Site, browser: Any) -> None:
    """On the chosen cell its cell, on the chosen card all of it; nothing is sent."""
    party = stopped_at(site, "take", 30)
    mira = Person(browser, site)
    party.seat(mira)
    page, before = mira.page, mira.decision
    card = page.locator(".eco .hand button.choice").first
    card.click()
    cell = page.locator(".eco button.later:visible").first
    cell.click()
    assert cell.get_attribute("aria-pressed") == "true"
    cell.click()
    assert cell.get_attribute("aria-pressed") == "false"
    assert page.locator(".eco .ghost").count() == 0
    assert "lay it here" not in page.locator("#go-say").inner_text()
    card.click()
    assert page.locator("#act .is-chosen").count() == 0
    assert page.locator("#go").is_disabled()
    assert 0 in party.look(0)["table"]["waiting"]
    assert mira.decision == before
    assert mira.wrong == []
    mira.context.close()


HELD = """() => Object.fromEntries([...document.querySelectorAll('.eco .held')].map(card =>
  [card.id, Object.values(card.getBoundingClientRect().toJSON()).map(Math.round)]))"""
"""Where the cards of the hand are."""


@pytest.mark.parametrize("deal", [5, 6])
def test_the_hand_keeps_its_places_through_a_turn(deal: int, site: Site, browser: Any) -> None:
    """A card that is taken stays where it was until it is laid, and leaves its place empty."""
    mira = Person(browser, site, width=390, height=664)
    party = Party(site, "ecosystem", 3, deal)
    page, emptied = mira.page, 0
    page.set_default_timeout(30_000)
    for turn in range(1, 5):
        party.seat(mira)
        page.locator(f"main[data-owes='1'] .held[id$='-{turn}']").first.wait_for()
        before = page.evaluate(HELD)
        party.move(0)
        page.locator(".eco .held .taken").wait_for()
        assert page.evaluate(HELD) == before, "when a card was taken"
        for seat in (1, 2):
            party.move(seat)
        if "place" in party.look(0)["view"]["prompt"]["key"]:  # the first card has one cell only
            page.locator("main[data-owes='1'] .stage-place").wait_for()
            assert page.evaluate(HELD) == before, "when all cards were turned up"
            party.move(0)
        if party.look(0)["view"]["facts"]["turn"] == turn:
            page.locator(".eco .taken").wait_for(state="detached")
            assert page.evaluate(HELD) == before, "when it was laid"
            emptied += page.locator(".eco .held.is-gone").count()
        mira.rest()
        while (message := party.look(0))["view"]["facts"]["turn"] == turn:
            party.move(message["table"]["waiting"][0])
    assert emptied > 0
    assert mira.wrong == []
    mira.context.close()


def test_what_cant_be_chosen_says_why(site: Site, browser: Any) -> None:
    """A tap on a card of the hand that is no choice tells the reason, once."""
    party = stopped_at(site, "place", 40)
    mira = Person(browser, site)
    party.seat(mira)
    page, why = mira.page, party.look(0)["view"]["why"]
    assert "hand" in why
    page.locator("html[data-ready]").wait_for()
    page.locator(".eco .held:not(:has(.taken)) .card.quiet").first.click()
    reason = page.locator("#aid.is-why .aid-why")
    reason.filter(has_text="lay it first.").wait_for()
    assert page.locator("#live").inner_text().strip() == reason.inner_text().strip()
    assert not page.locator("#tip:visible").filter(has_text="lay it first.").count()
    page.locator(".frame .spot.can button").first.click()
    reason.wait_for(state="detached")
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


@pytest.mark.parametrize("way_back", ["button", "beside", "escape"])
def test_a_rivals_reef_opens_over_the_table(way_back: str, site: Site, browser: Any) -> None:
    """What was selected is still there when it closes."""
    party = stopped_at(site, "take", 30)
    mira = Person(browser, site, width=390, height=664, has_touch=True)
    party.seat(mira)
    page = mira.page
    page.locator(".eco .hand button.choice").nth(1).tap()
    page.locator(".eco button.later:visible").nth(2).tap()
    page.locator("#go-say", has_text="lay it here").wait_for()
    selected = page.locator("#go-say").inner_text()
    page.locator("#seat-1 .seat-in").tap()
    reef = page.locator("#other-1")
    reef.wait_for()
    assert page.locator("#other-2").is_hidden()
    if way_back == "button":
        reef.locator(".drawer-close").tap()
    elif way_back == "beside":
        page.touchscreen.tap(30, 20)
    else:
        page.keyboard.press("Escape")
    reef.wait_for(state="hidden")
    assert page.locator("#go-say").inner_text() == selected
    assert page.locator(".eco .later .ghost").is_visible()
    assert mira.wrong == []
    mira.context.close()


def test_a_rivals_reef_opens_in_a_replay(site: Site, browser: Any) -> None:
    party = stopped_at(site, "take", 30)
    for _ in party.phases():
        pass
    mira = Person(browser, site, width=390, height=664, has_touch=True)
    party.seat(mira)
    mira.go(f"/t/{party.table}/replay?at=40&eyes=0")
    page = mira.page
    page.locator("html[data-ready]").wait_for()
    assert unfit(page) == []
    page.locator("#seat-1 .seat-in").tap()
    page.locator("#other-1").wait_for()
    page.locator("#other-1 .drawer-close").tap()
    page.locator("#other-1").wait_for(state="hidden")
    page.locator("#replay-on").tap()
    page.locator("#replay-number b", has_text="41").wait_for()
    assert mira.wrong == []
    mira.context.close()


CONTRAST = """element => {
  const luminance = text => {
    const parts = text.match(/[\\d.]+/g).map(Number);
    if (parts.length > 3 && parts[3] < 1) throw new Error('see-through: ' + text);
    const [red, green, blue] = parts.slice(0, 3).map(part => part / 255).map(
      part => part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4);
    return .2126 * red + .7152 * green + .0722 * blue;
  };
  const style = getComputedStyle(element);
  const [low, high] = [style.color, style.backgroundColor].map(luminance).sort((a, b) => a - b);
  return (high + .05) / (low + .05);
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_clear_can_be_read(theme: str, site: Site, browser: Any) -> None:
    """It stands on a ground of its own, whatever sea is behind it."""
    party = stopped_at(site, "take", 30)
    mira = Person(browser, site, width=1024, height=768, color_scheme=theme)
    party.seat(mira)
    mira.page.locator(".eco .hand button.choice").first.click()
    for width, height in ((1024, 768), (1366, 641), (768, 1024)):
        resize(mira.page, width, height)
        clear = mira.page.locator("#clear")
        assert clear.is_visible()
        assert read(clear, CONTRAST) >= 4.5
    assert mira.serious() == []
    mira.context.close()


def sides(page: Any) -> tuple[str, list[str]]:
    """Which chip gets the rest of the hand, and all chips from the left to the right."""
    chips = read_all(
        page.locator("#seats > .seat"),
        "all => all.map(chip => [chip.getBoundingClientRect().x, chip.id])",
    )
    receiver = page.locator("#seats > .seat:has(.receives)").get_attribute("id")
    return receiver, [chip for _, chip in sorted(chips)]


@pytest.mark.parametrize(("players", "seat"), [(2, 0), (2, 1), (3, 1), (4, 0), (6, 2)])
def test_the_hand_goes_where_the_arrow_points(
    players: int, seat: int, site: Site, browser: Any
) -> None:
    """First to the left neighbour, whose chip is the first; in the second round to the right."""
    party = Party(site, "ecosystem", players, 1)
    mira = Person(browser, site, settings={"motion": False})
    seen = set()
    for _ in party.phases():
        facts = party.look(seat)["view"]["facts"]
        direction = facts.get("direction", {}).get("key")
        if "goes_to" not in facts or direction in seen:
            continue
        seen.add(direction)
        party.sit(mira, seat)
        receiver, chips = sides(mira.page)
        goes = facts["goes_to"]
        assert receiver == f"seat-{goes.get('seat', goes.get('noun'))}"
        assert receiver == chips[0 if direction == "fact.left" else -1]
        arrow = mira.page.locator(".receives use").get_attribute("href")
        assert arrow.endswith("#i-left" if direction == "fact.left" else "#i-right")
        mira.rest()
    assert seen == {"fact.left", "fact.right"}
    mira.context.close()


def test_an_empty_reef_fills_its_room(site: Site, browser: Any) -> None:
    """And it is no smaller than one that has begun to grow."""
    party = Party(site, "ecosystem", 3, 1)
    mira = Person(browser, site, settings={"motion": False})
    party.seat(mira)
    page = mira.page
    for width, height in WINDOWS:
        resize(page, width, height)
        reef = box(page.locator(".frame .reef"))
        room = box(page.locator(".frame"))
        filled = max(reef["width"] / room["width"], reef["height"] / room["height"])
        assert filled > 0.85, (width, height, reef, room)
        page.locator(".eco .hand button.choice").first.dispatch_event("click")
        cell = box(page.locator(".eco button.later:visible"))
        assert cell["width"] > 70, (width, height)
        page.locator("#clear").dispatch_event("click")
    mira.context.close()


@pytest.mark.parametrize("players", [3, 6])
def test_long_names_stay_in_their_chips(players: int, site: Site, browser: Any) -> None:
    """Forty letters are cut in chips, sheet and drawers; nothing gets higher or wider by them."""
    names = [f"Maximilienne-Alexandrine de Saint-Exu{seat:03}" for seat in range(players)]
    assert {len(name) for name in names} == {40}
    party = Party(site, "ecosystem", players, 1, names=names)
    mira = Person(browser, site, language="fr", settings={"motion": False})
    for step, phase in enumerate(party.phases()):
        if step not in (0, 25) and phase != "over":
            continue
        for seat in (0, -1):
            party.seat(mira)
            mira.go(f"/t/{party.table}?seat={seat}")
            page = mira.page
            page.locator("html[data-ready]").wait_for()
            for width, height in WINDOWS:
                resize(page, width, height)
                where = (phase, seat, width, height)
                assert [fault for fault in unfit(page) if "no prompt" not in fault] == [], where
                heights = read_all(
                    page.locator("#seats .seat, .totals:visible"),
                    "chips => chips.map(chip => chip.getBoundingClientRect().height)",
                )
                assert heights, where
                assert max(heights) < 56, where
        mira.rest()
    assert mira.wrong == []
    mira.context.close()

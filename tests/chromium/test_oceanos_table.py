"""Oceanos' own table in a real browser: cards in laying order, parts that grow, cards enlarged."""

from __future__ import annotations

from typing import Any

import pytest

from browser import Party, Person, Site, box, read, resize

FACE = "button => button.closest('.held').id.replace('p-hand_', '')"


def until(party: Party, prompt: str, cards: int = 0) -> dict[str, Any]:
    """Play on until seat 0 is asked this, with so many cards in hand; its message."""
    for phase in party.phases():
        view = party.look(0)["view"]
        hand = [piece for piece in view["pieces"] if piece["place"] == "hand"]
        fuel = [piece for piece in view["pieces"] if piece["key"] == "boat0.fuel"]
        if phase.startswith(prompt) and len(hand) >= cards and (fuel or not cards):
            return party.look(0)
    raise AssertionError(f"Nobody was asked {prompt}.")


def sit(party: Party, browser: Any, site: Site, **more: Any) -> Person:
    mira = Person(browser, site, width=390, height=844, **more)
    party.seat(mira)
    mira.page.locator("html[data-ready]").wait_for()
    return mira


def tap(mira: Person, card: Any, keyboard: bool) -> None:
    if keyboard:
        card.focus()
        mira.page.keyboard.press("Enter")
    else:
        card.click()


def row_of(message: dict[str, Any]) -> list[str]:
    """The cards of the round's row, those that are kept face down too."""
    view = message["view"]
    depth = view["facts"]["round"] - 1
    rows = [piece for piece in view["pieces"] if piece["place"] == "rows0"]
    laid = [piece for piece in rows if piece["at"][0] == depth]
    kept = [piece for piece in view["pieces"] if piece["place"] == "kept"]
    return [piece["face"] for piece in laid + kept]


def test_cards_are_kept_in_laying_order_as_one_move(site: Site, browser: Any) -> None:
    for keyboard in (False, True):
        party = Party(site, "oceanos", 4, 7)
        before = row_of(until(party, "prompt.keep", 2))
        mira = sit(party, browser, site)
        page = mira.page
        decision = mira.decision
        held = page.locator(".held button.choice")
        first, second = (held.nth(at).get_attribute("data-card") for at in (0, 1))
        faces = [read(held.nth(at), FACE) for at in (1, 0)]
        tap(mira, held.nth(0), keyboard)
        assert page.locator(".slot .ghost").count() == 1
        tap(mira, held.nth(0), keyboard)
        assert page.locator(".slot .ghost").count() == 0
        assert page.locator("#go").is_disabled()
        tap(mira, held.nth(0), keyboard)
        tap(mira, page.locator("[data-further]"), keyboard)
        tap(mira, held.nth(1), keyboard)
        assert page.locator(".slot .number").all_inner_texts() == ["1", "2"]
        assert page.locator("#go-say").inner_text() == f"Keep: {first}, then {second} (1 fuel)"
        tap(mira, page.locator("[data-earlier-than='1']"), keyboard)
        assert page.locator("#go-say").inner_text() == f"Keep: {second}, then {first} (1 fuel)"
        tap(mira, page.locator("#go"), keyboard)
        page.locator(f"main:not([data-decision='{decision}'])").wait_for(state="attached")
        assert row_of(party.look(0)) == [*before, *faces]
        assert mira.wrong == []
        mira.context.close()


def test_fuel_is_spent_only_where_the_prompt_says_so(site: Site, browser: Any) -> None:
    """A tap on another card switches; only after "one more" it is added, and taps take it off."""
    party = Party(site, "oceanos", 3, 1)
    until(party, "prompt.keep", 3)
    mira = sit(party, browser, site)
    page = mira.page
    held = page.locator(".held button.choice")
    first, second, third = (held.nth(at).get_attribute("data-card") for at in range(3))
    alone = [held.nth(at).get_attribute("data-alone") for at in range(3)]
    said, hint, more = (page.locator(at) for at in ("#go-say", ".spare", "[data-further]"))
    quiet = hint.inner_text()
    held.nth(0).click()
    held.nth(1).click()
    assert said.inner_text() == f"Keep: {alone[1]}"
    more.click()
    assert hint.inner_text() != quiet
    more.click()
    assert hint.inner_text() == quiet
    more.click()
    held.nth(0).click()
    assert said.inner_text() == f"Keep: {second}, then {first} (1 fuel)"
    assert hint.inner_text() == ""
    held.nth(2).click()
    assert said.inner_text() == f"Keep: {second}, then {third} (1 fuel)"
    held.nth(1).click()
    assert said.inner_text() == f"Keep: {alone[2]}"
    held.nth(0).click()
    assert said.inner_text() == f"Keep: {alone[0]}"
    held.nth(0).click()
    assert page.locator("#go").is_disabled()
    assert mira.wrong == []
    mira.context.close()


@pytest.mark.parametrize("window", [(360, 616), (844, 390), (1366, 641)])
def test_crystals_can_be_saved_beside_the_parts(
    window: tuple[int, int], site: Site, browser: Any
) -> None:
    """No upgrade is as much in sight as the parts that could grow, and names itself."""
    party = Party(site, "oceanos", 3, 2)
    until(party, "prompt.base")
    mira = sit(party, browser, site)
    page = mira.page
    resize(page, *window)
    save = page.get_by_role("button", name="Save the crystals").locator("visible=true")
    assert save.count() == 1
    where = box(save)
    assert 0 <= where["x"] <= window[0] - where["width"]
    assert 0 <= where["y"] <= window[1] - where["height"]
    save.click()
    assert page.locator("#go-say").inner_text() == "Save the crystals"
    assert mira.wrong == []
    mira.context.close()


def test_a_long_name_takes_one_line_of_its_chip(site: Site, browser: Any) -> None:
    names = ["Maximilienne-Alexandrine de Saint-Exupér", "W" * 40, "Théa", "Ewan", "Noor"]
    for players in (2, 5):
        mira = sit(Party(site, "oceanos", players, 1, names), browser, site)
        for width, height in ((390, 664), (844, 390), (1366, 641)):
            resize(mira.page, width, height)
            for chip in mira.page.locator(".seat:visible, .other-head:visible").all():
                assert box(chip)["height"] <= 44
        mira.context.close()


def test_what_is_laid_out_stays_while_others_choose(site: Site, browser: Any) -> None:
    party = Party(site, "oceanos", 4, 7)
    waiting = until(party, "prompt.keep", 2)["table"]["waiting"]
    mira = sit(party, browser, site)
    page = mira.page
    page.locator(".held button.choice").nth(1).click()
    page.locator("[data-further]").click()
    page.locator(".held button.choice").nth(0).click()
    said = page.locator("#go-say").inner_text()
    for seat in waiting[1:]:
        shown = page.locator("main").get_attribute("data-number")
        while seat in party.look(0)["table"]["waiting"]:
            party.move(seat)
        page.locator(f"main:not([data-number='{shown}'])").wait_for(state="attached")
        assert page.locator(".slot .number").all_inner_texts() == ["1", "2"]
        assert page.locator("#go-say").inner_text() == said
    assert mira.wrong == []
    mira.context.close()


def test_coral_joins_only_coral_of_the_own_rows(site: Site, browser: Any) -> None:
    """The dashed bridges of a card that is about to be laid, against what lies beside it."""
    mira = Person(browser, site, settings={"motion": False})
    seen: set[tuple[str, bool]] = set()
    for deal in range(4, 12):
        party = Party(site, "oceanos", 2, deal)
        for phase in party.phases():
            if phase.startswith("prompt.keep"):
                look_at_coral(mira, party, seen)
            if len(seen) == 4:
                break
        if len(seen) == 4:
            break
    assert len(seen) == 4
    assert mira.wrong == []
    mira.context.close()


BRIDGE = "side => getComputedStyle(document.querySelector('.slot:has(.ghost)'), side).content"
"""What is drawn beside the card that is laid out: asked at once, since a new view may come."""


def look_at_coral(mira: Person, party: Party, seen: set[tuple[str, bool]]) -> None:
    """Lay out each card of the hand, and compare its bridges."""
    view = party.look(0)["view"]
    depth = view["facts"]["round"] - 1
    cards = [piece for piece in view["pieces"] if piece["place"] == "rows0"]
    laid = {tuple(card["at"]): card["marks"] for card in cards}
    column = len([at for at in laid if at[0] == depth])
    sides = {"::before": (depth, column - 1), "::after": (depth - 1, column)}
    party.seat(mira)
    mira.page.locator("html[data-ready]").wait_for()
    for card in mira.page.locator(".held button.choice").all():
        card.click()
        coral = "coral" in card.get_attribute("data-marks").split()
        for side, at in sides.items():
            wanted = coral and "coral" in laid.get(at, [])
            assert (mira.page.evaluate(BRIDGE, side) != "none") == wanted
            seen.add((side, wanted))
        card.click()
    mira.rest()


def test_the_part_that_is_chosen_is_seen_on_the_submarine(site: Site, browser: Any) -> None:
    party = Party(site, "oceanos", 3, 2)
    until(party, "prompt.base")
    mira = sit(party, browser, site)
    page = mira.page
    card = page.locator("button.way-card").first
    part = card.get_attribute("data-part")
    shown = page.locator(f".own [data-part='{part}']")
    now = shown.get_attribute("href")
    card.click()
    will = shown.get_attribute("href")
    assert will.rpartition("-")[2] == card.get_attribute("data-to")
    card.click()
    assert shown.get_attribute("href") == now
    card.click()
    decision = mira.decision
    page.locator("#go").click()
    page.locator(f"main:not([data-decision='{decision}'])").wait_for(state="attached")
    assert shown.get_attribute("href") == will
    assert mira.wrong == []
    mira.context.close()


def test_a_card_is_enlarged_and_named(site: Site, browser: Any) -> None:
    party = Party(site, "oceanos", 3, 3)
    for phase in party.phases():
        if phase.startswith("prompt.keep") and len(row_of(party.look(0))) > 1:
            break
    mira = sit(party, browser, site)
    page = mira.page
    small = page.locator(".cells button.card").nth(1)
    small.click()
    lens = page.locator("dialog.lens[open]")
    assert lens.locator("p").inner_text() == small.get_attribute("data-lens")
    assert box(lens.locator("svg"))["width"] > 4 * box(small)["width"]
    page.keyboard.press("Escape")
    assert lens.count() == 0
    page.locator("button.hull").click()
    assert page.locator("#parts[open] .now").count() == 5
    page.keyboard.press("Escape")
    assert mira.wrong == []
    mira.context.close()

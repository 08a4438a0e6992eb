"""Océanide's own table in a real browser: taking two, confirming always, hearing every showcase."""

from __future__ import annotations

from typing import Any

from test_web_play import heard_grids

from browser import Party, Person, Site
from pelagos.engine.game import find_game
from pelagos.engine.words import words


def until(party: Party, wanted: str, least: int = 0) -> dict[str, Any]:
    """Play on until seat 0 is asked this, with so many choices; its message."""
    for _ in party.phases():
        message = party.look(0)
        view = message["view"]
        if view["prompt"]["key"] == wanted and 0 in message["table"]["waiting"]:
            pairs = [one for one in view["choices"] if one["label"]["key"] == "label.take_two"]
            if len(pairs) >= least:
                return message
    raise AssertionError(f"Nobody was asked {wanted}.")


def test_two_are_taken_one_after_the_other(site: Site, browser: Any) -> None:
    for keyboard in (False, True):
        party = Party(site, "oceanide", 3, 5)
        message = until(party, "prompt.take", 3)
        mira = Person(browser, site, width=390, height=844)
        party.seat(mira)
        page = mira.page
        page.locator("html[data-ready]").wait_for()
        picks = page.locator("button.pick")
        assert picks.count() >= 3
        counter = page.locator("[data-counter]")

        def take(number: int, page: Any = page, picks: Any = picks, keys: bool = keyboard) -> None:
            if keys:
                picks.nth(number).focus()
                page.keyboard.press("Enter")
            else:
                picks.nth(number).click()

        take(0)
        assert counter.inner_text() == "1 of 2"
        assert page.locator("#commit").is_hidden()
        take(0)
        assert counter.inner_text() == "0 of 2"
        take(0)
        take(1)
        take(2)  # the oldest goes
        assert counter.inner_text() == "2 of 2"
        pressed = page.locator("button.pick[aria-pressed='true']")
        kinds = pressed.evaluate_all("all => all.map(one => one.dataset.pick)")
        assert len(kinds) == 2
        said = words(find_game("oceanide"), "en")
        assert {said.noun(kind) in page.locator("#go-say").inner_text() for kind in kinds} == {True}
        asked = page.locator("#commit-receipt li")
        assert asked.count() == 3
        page.locator("#go").click()
        page.locator(
            "main[data-owes='0'], main:not([data-decision='{}'])".format(message["own"]["decision"])
        ).first.wait_for(state="attached")
        log = party.look(0)["view"]["events"]
        named = [one["params"] for one in log if one["key"] == "event.take_two"][-1]
        assert {named["card"]["noun"], named["other"]["noun"]} == set(kinds)
        assert mira.wrong == []
        mira.context.close()


def test_the_prompt_keeps_its_width_beside_what_can_be_taken_back(site: Site, browser: Any) -> None:
    party = Party(site, "oceanide", 3, 5)
    for _ in party.phases():
        message = party.look(0)
        if message["own"]["undo"] and message["view"]["prompt"]["key"] == "prompt.act":
            break
    mira = Person(browser, site, language="fr", height=844)
    for width in (390, 768, 1024, 1366):
        mira.page.set_viewport_size({"width": width, "height": 844})
        party.seat(mira)
        mira.page.locator("html[data-ready]").wait_for()
        assert mira.page.locator(".so-far li").count()
        prompt = mira.page.locator("#prompt").bounding_box()
        panel = mira.page.locator(".now").bounding_box()
        assert prompt is not None
        assert panel is not None
        assert prompt["width"] > 150, width
        assert panel["height"] < 844 / 2, width
    assert mira.wrong == []
    mira.context.close()


def test_one_tap_never_plays_here(site: Site, browser: Any) -> None:
    party = Party(site, "oceanide", 3, 5)
    until(party, "prompt.act")
    mira = Person(browser, site, settings={"onetap": True})
    party.seat(mira)
    mira.page.locator("html[data-ready]").wait_for()
    before = mira.decision
    mira.page.locator("#act button.choice:not(.listed):visible").first.click()
    mira.page.locator("#go").wait_for()
    assert mira.decision == before
    mira.context.close()


def test_what_cannot_be_chosen_says_why_when_it_is_tapped(site: Site, browser: Any) -> None:
    party = Party(site, "oceanide", 3, 5)
    message = until(party, "prompt.act")
    said = words(find_game("oceanide"), "en")
    names = [seat["name"] for seat in message["table"]["seats"]]
    mira = Person(browser, site, width=390, height=844)
    party.seat(mira)
    page = mira.page
    page.locator("html[data-ready]").wait_for()
    why = page.locator(".why")
    assert why.is_hidden()
    key, reason = next(
        (key, reason)
        for key, reason in message["view"]["why"].items()
        if key.startswith("showcase0.")
    )
    kind = key.partition(".")[2]
    page.locator(f".mine .slot[data-kind='{kind}']").click()
    assert why.inner_text() == said.say(reason, names)
    assert page.locator("#live").inner_text().strip() == said.say(reason, names)
    page.locator("#prompt").click()
    assert why.is_hidden()
    assert mira.wrong == []
    mira.context.close()


def test_every_showcase_and_the_own_hand_are_heard(site: Site, browser: Any) -> None:
    said = words(find_game("oceanide"), "en")
    listener = Person(browser, site)
    for step in (4, 30):
        party = Party(site, "oceanide", 4, 2)
        phases = party.phases()
        for _ in range(step):
            next(phases)
        party.seat(listener)
        listener.page.locator("html[data-ready]").wait_for()
        told = heard_grids(listener.page)
        message = party.look(0)
        names = [seat["name"] for seat in message["table"]["seats"]]
        places = {place["key"]: place for place in message["view"]["places"]}
        pieces = {piece["key"]: piece for piece in message["view"]["pieces"]}
        for seat in range(4):
            cells = told[said.say(places[f"showcase{seat}"]["label"], names)]
            assert len(cells) == 13
            for kind, cell in zip(KINDS, cells, strict=True):
                assert cell.startswith(said.noun(kind))
                assert (": shown" in cell) == (f"showcase{seat}.{kind}" in pieces)
                held = pieces.get(f"hand{seat}.{kind}")
                known = "in hand" if seat == 0 else "seen in hand"
                assert (f"{held['count']} {known}" in cell) if held else known not in cell
    assert listener.wrong == []
    listener.context.close()


KINDS = (
    "trident", "button", "moon", "smoker", "key", "star", "fareye",
    "scales", "rum", "fang", "tear", "sun", "heart",
)  # fmt: skip


def test_collections_may_be_closed(site: Site, browser: Any) -> None:
    mira = Person(browser, site)
    mira.go("/new/oceanide?players=3")
    mira.page.locator("#name").fill("Mira")
    mira.page.locator("input[name='table-closed']").check()
    mira.page.locator("form[method='post'][action^='/new'] button.main").click()
    mira.page.locator("#prompt").wait_for()
    assert mira.page.locator(".theirs .shut").count() == 2
    party = Party(site, "oceanide", 3, 5, closed=True)
    for _ in party.phases():
        pieces = {piece["key"]: piece for piece in party.look(0)["view"]["pieces"]}
        if pieces.get("collection1", {}).get("count", 0) > 3:
            break
    party.seat(mira)
    mira.page.locator("html[data-ready]").wait_for()
    assert mira.page.locator(".theirs .heap").count() == 0
    assert mira.page.locator(".theirs .num").all_inner_texts() == ["?", "?"]
    assert mira.serious() == []
    mira.context.close()

"""What is on its way: it stays selected until the answer is here, and says so when it can't go."""

from __future__ import annotations

from typing import Any

import pytest

from browser import Party, Person, Site, lay
from tabling import client_id


def chosen(person: Person) -> int:
    return int(person.page.locator("#act .is-chosen").count())


def select(person: Person) -> None:
    person.page.locator("#act button.choice:not(.listed):visible").first.click()
    person.page.locator("#go:not([disabled])").wait_for()


@pytest.mark.parametrize("which", ["ecosystem", "minnows"])
def test_a_move_stays_selected_until_it_is_answered(which: str, site: Site, browser: Any) -> None:
    party = Party(site, which, 2)
    mira = Person(browser, site)
    party.seat(mira)
    held: list[Any] = []
    mira.page.route("**/act", lambda route: held.append(route))
    select(mira)
    before, say = mira.decision, mira.page.locator("#go-say").inner_text()
    mira.page.locator("#go").click()
    while not held:
        mira.page.wait_for_timeout(20)
    mira.page.wait_for_timeout(300)
    assert chosen(mira)
    assert mira.page.locator("#go-say").inner_text() == say
    mira.page.locator("#go").click(force=True)
    mira.page.locator("#clear").click()
    assert chosen(mira)
    assert len(held) == 1
    held[0].continue_()
    mira.page.locator(f"main:not([data-decision='{before}'])").wait_for()
    mira.page.locator("#act .is-chosen").first.wait_for(state="detached")
    assert mira.wrong == []
    mira.context.close()


@pytest.mark.parametrize(("language", "promised"), [("en", "will be sent"), ("fr", "sera envoyé")])
def test_offline_says_that_it_will_be_sent(
    language: str, promised: str, site: Site, browser: Any
) -> None:
    party = Party(site, "minnows", 2)
    mira = Person(browser, site, language=language)
    party.seat(mira)
    select(mira)
    before = mira.decision
    mira.context.set_offline(True)
    mira.page.locator("#go").click()
    mira.page.locator("#net", has_text=promised).wait_for()
    assert chosen(mira)
    mira.context.set_offline(False)
    mira.page.locator(f"main:not([data-decision='{before}'])").wait_for()
    mira.page.locator("#net").wait_for(state="hidden")
    assert chosen(mira) == 0
    mira.context.close()


def test_a_refused_move_stays_selected(site: Site, browser: Any) -> None:
    party = Party(site, "minnows", 2)
    mira = Person(browser, site)
    party.seat(mira)
    select(mira)
    why = {"X-Pelagos-Why": "no", "X-Pelagos-Number": "-1"}
    mira.page.route("**/act", lambda route: route.fulfill(status=409, headers=why, body=""))
    mira.page.locator("#go").click()
    mira.page.locator("#net", has_text="no").wait_for()
    assert chosen(mira)
    mira.page.unroute("**/act")
    before = mira.decision
    mira.page.locator("#go").click()
    mira.page.locator(f"main:not([data-decision='{before}'])").wait_for()
    mira.context.close()


def test_a_withdrawn_theft_is_told_to_its_victim(site: Site, browser: Any) -> None:
    party = Party(site, "oceanide", 2)
    mira = Person(browser, site)
    party.seat(mira)
    while True:
        seat = party.look(0)["table"]["waiting"][0]
        choices = party.look(seat)["view"]["choices"]
        steals = [choice for choice in choices if choice["notation"].startswith("steal")]
        chosen_one = (steals if seat else [])[:1] or choices[-1:]
        act(party, seat, "actions", actions=[chosen_one[0]["action"]])
        if seat and steals:
            break
    mira.page.locator("main[data-owes='1']").wait_for()
    act(party, 1, "undo")
    mira.page.locator("#net", has_text="Bo takes it back.").wait_for()
    assert "Bo takes it back." in mira.page.locator("#live").inner_text()
    mira.context.close()


def act(party: Party, seat: int, what: str, **body: Any) -> None:
    path = f"/tables/{party.table}/seats/{seat}/{what}"
    got = party.http.post(path, json={**body, "client": client_id()})
    assert got.status_code == 200, got.text


def test_a_second_tap_deselects_where_several_ways_are_open_too(site: Site, browser: Any) -> None:
    """But where a tile is laid on its own table: there it turns."""
    party = Party(site, "ozeanien", 2)
    mira = Person(browser, site, settings={"motion": False})
    for plain in ("1", ""):
        mira.context.add_cookies([{"name": "pelagos-plain", "value": plain, "url": site.url}])
        lit = mira.page.locator("#act button.choice[data-more]:not(.listed):visible")
        for phase in party.phases():
            party.seat(mira)
            mira.page.locator("html[data-ready]").wait_for()
            if phase != "wait" and lit.count():
                break
        chosen = mira.page.locator("#commit-more .way[aria-pressed='true']")
        lit.first.click()
        first = chosen.inner_text()
        lit.first.click()
        if plain:
            assert not chosen.is_visible()
            assert mira.page.locator("#go").is_disabled()
        else:
            assert chosen.inner_text() != first
    mira.context.close()


def test_who_is_next_at_one_device_may_choose_before_the_answer_is_here(
    site: Site, browser: Any
) -> None:
    """The stream shows the next seat's question first, which may have the same number."""
    mira = Person(browser, site)
    lay(mira, "ozeanien", ["me", "here"])
    held: list[Any] = []
    mira.page.route("**/act", lambda route: held.append((route, route.fetch())))
    same = 0
    while same < 2:
        if not chosen(mira):
            select(mira)
        seat, decision = question(mira)
        shown = mira.page.locator("main").get_attribute("data-number")
        mira.page.locator("#go").click()
        mira.page.locator(f"main:not([data-number='{shown}'])").wait_for()
        is_next = question(mira)[0] != seat
        if is_next:
            same += question(mira)[1] == decision
            select(mira)
        while not held:
            mira.page.wait_for_timeout(20)
        route, answer = held.pop()
        route.fulfill(response=answer)
        mira.page.locator("body:not(.sending)").wait_for()
        mira.page.wait_for_timeout(500)  # whatever follows the answer
        assert chosen(mira) or not is_next
    assert mira.wrong == []
    mira.context.close()


def question(person: Person) -> tuple[str, str]:
    """Whom the page asks, and for which of its decisions."""
    fields = ("seat", "decision")
    read = [person.page.locator(f"#act input[name='{name}']").input_value() for name in fields]
    return read[0], read[1]

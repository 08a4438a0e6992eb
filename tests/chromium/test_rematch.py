"""Another game, in a browser: the offer is seen, heard and in the tab's title."""

from __future__ import annotations

from typing import Any

from browser import Party, Person, Site
from tabling import client_id


def offer(party: Party, seat: int) -> None:
    path = f"/tables/{party.table}/seats/{seat}/rematch"
    assert party.http.post(path, json={"client": client_id()}).status_code == 200


def test_an_offer_reaches_the_others_and_the_game_before_can_be_seen(
    site: Site, browser: Any
) -> None:
    party = Party(site, "minnows", 2)
    mira = Person(browser, site, settings={"motion": False})
    party.seat(mira)
    for phase in party.phases():
        if phase == "over":
            break
    mira.page.locator("#end").wait_for()
    offer(party, 1)
    mira.page.locator("#end .wants").wait_for()
    assert mira.page.locator("#end .wants").inner_text() == "Bo wants another game."
    assert mira.page.title().startswith("● Bo wants another game.")
    mira.page.locator("#live", has_text="Bo wants another game.").wait_for(state="attached")
    mira.page.locator("#again").click()
    mira.page.locator("main[data-over='0']").wait_for()
    assert not mira.page.title().startswith("● Bo")
    mira.page.locator(".last-game a").first.click()
    mira.page.locator("#replay").wait_for()
    assert mira.wrong == []
    mira.context.close()

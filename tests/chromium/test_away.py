"""Somebody goes away while another chooses: the view that tells it takes nothing from them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from browser import Party, Person, Site
from pelagos.engine.game import games

PLAYED_BY_SEVERAL = [game.id for game in games().values() if 2 in game.players]


@pytest.fixture(name="hasty", scope="module")
def _hasty(tmp_path_factory: pytest.TempPathFactory, browser: Any) -> Iterator[Site]:
    """A server at which people count as away soon."""
    with Site(tmp_path_factory.mktemp("hasty"), AWAY="0.5") as hasty:
        yield hasty


@pytest.mark.parametrize("which", PLAYED_BY_SEVERAL)
def test_what_is_chosen_stays_when_somebody_goes_away(
    which: str, hasty: Site, browser: Any
) -> None:
    mira, bo = Person(browser, hasty), Person(browser, hasty)
    party = Party(hasty, which, 2, deal=1)
    while 0 not in party.look(0)["table"]["waiting"]:
        party.move(1)
    party.sit(bo, 1)
    party.seat(mira)
    page = mira.page
    while is_away(party):  # until it is heard that Bo is here
        page.wait_for_timeout(50)
    follow(page, party)
    page.locator("#act button.choice:not(.listed):visible").first.click()
    chosen = page.locator("#go-say").inner_text()
    assert chosen
    before = mira.decision
    bo.rest()
    while not is_away(party):
        page.wait_for_timeout(50)
    follow(page, party)
    assert page.locator("#go-say").inner_text() == chosen
    assert page.locator("#act .is-chosen, #act [aria-pressed='true']").count()
    page.locator("#go").click()
    page.locator(f"main:not([data-decision='{before}']), main[data-owes='0']").first.wait_for(
        state="attached"
    )
    assert mira.wrong == bo.wrong == []
    for person in (mira, bo):
        person.context.close()


def follow(page: Any, party: Party) -> None:
    """Until the page shows the newest view, whatever else has changed meanwhile."""
    while page.locator("main").get_attribute("data-number") != str(party.look(0)["number"]):
        page.wait_for_timeout(50)


def is_away(party: Party) -> bool:
    """Is it known that Bo has left?"""
    return bool(party.look(0)["table"]["seats"][1]["away"])

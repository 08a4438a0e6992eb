"""axe-core finds nothing serious on any kind of page, by day and by night, for any game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from browser import Party, Person, Site, lay
from pelagos.engine.examples import examples_of
from pelagos.engine.game import find_game, games

THEMES = ("light", "dark")


def pages_of(site: Site, browser: Any, which: str) -> Iterator[tuple[str, Person]]:
    """Every kind of page that has to do with a game, each with somebody before it."""
    more = {"color_scheme": "light", "settings": {"motion": False}, "width": 390, "height": 664}
    mira, guest = (Person(browser, site, language="fr", **more) for _ in range(2))
    mira.go(f"/new/{which}")
    yield "new", mira
    if not examples_of(which):  # else they are read with their examples, by day and by night
        mira.go(f"/rules/{which}")
        yield "rules", mira
    players = 2 if 2 in find_game(which).players else find_game(which).players[-1]
    lay(mira, which, ["me"] + ["kept"] * (players - 1))
    yield "gathering", mira
    private = mira.page.locator("#link-1").input_value()
    mira.go(mira.page.url.partition(site.url)[2].partition("?")[0] + "/seats")
    yield "seats", mira
    guest.page.goto(private)
    yield "sit by a private link", guest
    lay(mira, which, ["me"] + ["open"] * (players - 1))
    guest.page.goto(mira.page.url)
    yield "sit by the table's link", guest
    path = mira.page.url.partition(site.url)[2].partition("?")[0]
    mira.go(f"{path}/leave?seat=0")
    yield "sure", mira
    if find_game(which).secrets:
        lay(mira, which, ["me", "here"])
        mira.page.locator(".cover").wait_for()
        yield "cover", mira
    party = Party(site, which, find_game(which).default_players)
    for phase in party.phases():
        if phase == "wait" or phase == "over":
            party.seat(guest)
            yield phase, guest
            if phase == "over":
                break
            mira.go(f"/t/{party.table}?seat=-1")
            yield "watching", mira
            break
    for person in (mira, guest):
        person.rest()
    for _ in party.phases():
        pass
    party.seat(guest)
    yield "end", guest
    guest.go(f"/t/{party.table}/replay?at=7&eyes=0")
    yield "replay", guest
    guest.go(f"/t/{party.table}/replay?at=7&eyes=open")
    yield "replay, all open", guest
    guest.go(f"/t/{party.table}/fair")
    yield "fair", guest
    for person in (mira, guest):
        assert person.wrong == []
        person.context.close()


@pytest.mark.parametrize("which", sorted(games()))
def test_every_page_of_a_game_can_be_read(site: Site, browser: Any, which: str) -> None:
    faults = {}
    for kind, person in pages_of(site, browser, which):
        person.page.locator("html[data-ready]").wait_for()
        by_day = person.serious()
        person.page.emulate_media(color_scheme="dark")
        by_night = person.serious("color-contrast")
        person.page.emulate_media(color_scheme="light")
        if by_day or by_night:
            faults[kind] = [*by_day, *by_night]
    assert faults == {}


@pytest.mark.parametrize("theme", THEMES)
def test_pages_without_a_game_can_be_read(site: Site, browser: Any, theme: str) -> None:
    mira = Person(browser, site, language="fr", color_scheme=theme, width=390)
    for path in ("/", "/art", "/nowhere"):
        mira.go(path)
        mira.page.locator("html[data-ready]").wait_for()
        assert mira.serious() == [], path
    mira.context.close()

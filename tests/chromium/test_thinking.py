"""Hints and the coach think in the player's own browser; at the server for who can't."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from browser import Party, Person, Site, lay
from pelagos.bots import pocket
from pelagos.coach import analyse
from pelagos.engine.game import find_game
from pelagos.engine.record import replay
from tabling import client_id

GAME = "minnows"
WITHOUT = "delete globalThis.WebAssembly"


def thought(site: Site, of: str) -> dict[str, float]:
    """How often advice was thought out so far, by where."""
    line = re.compile(rf'pelagos_advice_total\{{of="{of}",where="(\w+)"\}} (\S+)')
    counted = {where: float(count) for where, count in line.findall(site.metrics())}
    return {"server": 0.0, "browser": 0.0} | counted


def ready(person: Person) -> None:
    """Wait until the server has the module; whoever asks before is served otherwise."""
    pocket.module(find_game(GAME))
    message = person.ask(person.table, 0)
    form = {"seat": "0", "decision": str(message["own"]["decision"]), "here": "1"}
    address = f"{person.site.url}/t/{person.table}/hint"
    while True:
        asked = {**form, "client": client_id()}
        answer = person.context.request.post(address, form=asked, headers={"X-Pelagos": "1"})
        if answer.headers["content-type"] == "application/json":
            return
        person.page.wait_for_timeout(200)


def finished_party(site: Site) -> Party:
    """A game that is over."""
    party = Party(site, GAME, 2)
    for phase in party.phases():
        if phase == "over":
            break
    return party


def coach_once_ready(person: Person, party: Party) -> str:
    """Open the coach's page once the server has the module; return its address."""
    pocket.module(find_game(GAME))
    coach = f"/t/{party.table}/coach"
    person.go(coach)
    while "data-work=" not in person.context.request.get(person.site.url + coach).text():
        person.page.wait_for_timeout(200)
    person.go(coach)
    return coach


@pytest.mark.parametrize(
    ("language", "width", "height"), [("fr", 390, 664), ("en", 1366, 641)], ids=["phone", "desktop"]
)
def test_a_hint_is_thought_out_in_the_browser_and_can_be_cancelled(
    language: str, width: int, height: int, site: Site, browser: Any
) -> None:
    mira = Person(browser, site, language=language, width=width, height=height)
    lay(mira, GAME, ["me", "puffin"])
    assert mira.wait()
    ready(mira)
    before = thought(site, "hint")
    card, said = mira.page.locator("#hint-card"), mira.page.locator("#hint-text")
    mira.page.keyboard.press("h")
    said.get_by_text(re.compile(r"\d %$")).wait_for()
    mira.page.locator("#hint-close").click()
    assert card.is_hidden()
    mira.page.keyboard.press("h")
    card.locator(".hint-line").first.wait_for()
    assert mira.page.locator("#view [data-hinted='1']:visible").count() >= 1
    mira.page.locator("#hint-card:not(.is-thinking)").wait_for()
    after = thought(site, "hint")
    assert after["server"] == before["server"]
    assert after["browser"] == before["browser"] + 2  # the first answer, and the longer thought
    mira.move()
    assert mira.wrong == []
    mira.context.close()


def test_the_coachs_games_are_played_on_in_the_browser(site: Site, browser: Any) -> None:
    """What it says is what it says everywhere, number by number."""
    party, mira = finished_party(site), Person(browser, site, language="fr", width=390, height=664)
    party.seat(mira)
    coach = coach_once_ready(mira, party)
    before = thought(site, "coach")
    mira.page.locator(".coach-ask .main").click()
    mira.page.locator("#coach-step").wait_for(state="attached")
    mira.page.locator(".coach-foot[data-round='6 done']").wait_for()
    after = thought(site, "coach")
    assert after["server"] == before["server"]
    assert after["browser"] == before["browser"] + 6
    coached = mira.context.request.get(f"{site.url}{coach}.json").json()
    record = party.http.get(f"/tables/{party.table}/seats/0/record").json()
    *_, analysis = analyse(replay(record))
    assert coached == json.loads(json.dumps(analysis))
    assert mira.wrong == []
    mira.context.close()


def test_without_webassembly_the_server_thinks(site: Site, browser: Any) -> None:
    mira = Person(browser, site)
    mira.context.add_init_script(WITHOUT)
    party, analysed = finished_party(site), thought(site, "coach")
    party.seat(mira)
    coach_once_ready(mira, party)
    mira.page.locator(".coach-ask .main").click()
    mira.page.locator("#coach-step").wait_for(state="attached")
    now = thought(site, "coach")
    assert (now["server"], now["browser"]) == (analysed["server"] + 1, analysed["browser"])
    lay(mira, GAME, ["me", "puffin"])
    assert mira.wait()
    ready(mira)
    before = thought(site, "hint")
    mira.page.keyboard.press("h")
    mira.page.locator("#hint-card .hint-line").first.wait_for()
    mira.page.locator("#hint-card:not(.is-thinking)").wait_for()
    after = thought(site, "hint")
    assert after["server"] > before["server"]
    assert after["browser"] == before["browser"]
    assert mira.wrong == []
    mira.context.close()

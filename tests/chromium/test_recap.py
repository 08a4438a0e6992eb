"""Since your turn, in a browser: the line, the marks on the board, and the log behind it."""

from __future__ import annotations

from typing import Any

import pytest

from browser import Party, Person, Site


@pytest.mark.parametrize(("width", "height"), [(390, 664), (1366, 641)])
def test_a_tap_on_the_recap_opens_the_log(
    width: int, height: int, site: Site, browser: Any
) -> None:
    party = Party(site, "ecosystem", 3)
    mira = Person(browser, site, width=width, height=height)
    mira.context.add_cookies([{"name": "pelagos-plain", "value": "1", "url": site.url}])
    for phase in party.phases():
        if "take" in phase and party.look(0)["view"]["seen"] > 12:
            break
    party.seat(mira)
    mira.page.locator("html[data-ready]").wait_for()
    recap = mira.page.locator("a#recap")
    recap.wait_for()
    assert "Bo:" in recap.inner_text()
    assert mira.page.locator("[data-last='1']").count() == 1
    assert mira.page.locator("[data-last='0']").count() == 0
    recap.click()
    if mira.page.locator("#log-sheet[open]").count():
        assert mira.page.locator("#log-sheet li").count() > 5
        mira.page.locator("#log-sheet [data-close]").click()
    else:
        assert mira.page.locator("#log ol:focus").count() == 1
    assert mira.serious() == []
    assert mira.wrong == []
    mira.context.close()


FLIGHTS = """() => document.getAnimations().filter(flight =>
  !(flight instanceof CSSTransition || flight instanceof CSSAnimation)).map(flight => {
  const { delay, duration } = flight.effect.getTiming();
  return [Boolean(flight.effect.target.closest('#recap')), delay, duration];
})"""


@pytest.mark.parametrize("which", ["ecosystem", "oceanos"])
def test_hidden_choices_are_turned_up_in_one_beat_before_anything_else_moves(
    which: str, site: Site, browser: Any
) -> None:
    party = Party(site, which, 3)
    mira = Person(browser, site, width=390, height=664, settings={"motion": True})
    party.seat(mira)
    mira.page.locator("html[data-ready]").wait_for()
    mira.page.evaluate(
        "document.addEventListener('pelagos:shown', () => {"
        f"  if (document.querySelector('#recap[data-reveal]')) window.flights ??= ({FLIGHTS})();"
        "})"
    )
    while not mira.page.locator("#recap[data-reveal]").count():
        waiting = party.look(0)["table"]["waiting"]
        mira.page.evaluate("document.getAnimations().forEach(flight => flight.finish())")
        party.move(next((seat for seat in waiting if seat), 0))
        number = party.look(0)["number"]
        mira.page.locator(f"main[data-number='{number}']").wait_for(state="attached")
    turns = mira.page.evaluate("window.flights")
    beats = {delay + duration for in_recap, delay, duration in turns if in_recap}
    assert len(beats) == 1
    waits = [delay for in_recap, delay, duration in turns if delay + duration not in beats]
    assert waits
    assert min(waits) >= beats.pop()
    mira.context.close()


CUT = """() => {
  const line = document.querySelector('#recap').getBoundingClientRect();
  const symbols = [...document.querySelectorAll('#recap .recap-deed > :is(svg, b)')];
  return symbols.map((symbol) => {
    const box = symbol.getBoundingClientRect();
    const room = symbol.closest('.recap-line').getBoundingClientRect();
    const seen = box.top < room.bottom - 2 && box.left < room.right - 1;
    const high = box.top < line.top - 1 || box.bottom > line.bottom + 1;
    return [seen, high || box.right > Math.min(room.right, line.right) + 1];
  }).filter(([seen]) => seen).map(([, cut]) => cut);
}"""


def play_until(party: Party, phase: str) -> None:
    """Well into the game, when seat 0 is asked this."""
    for step, now in enumerate(party.phases()):
        if step >= 40 and phase in now:
            break


def cut_in_recap(person: Person, party: Party) -> list[bool]:
    """Of each symbol and gain that the recap shows before seat 0: is it cut?"""
    party.seat(person)
    person.page.locator("#recap .recap-deed > svg").first.wait_for(state="attached")
    return list(person.page.evaluate(CUT))


@pytest.mark.parametrize("window", [(390, 664), (844, 390), (1366, 641)], ids=str)
def test_no_symbol_of_the_recap_is_cut_with_six(
    window: tuple[int, int], site: Site, browser: Any
) -> None:
    party = Party(site, "ecosystem", 6, deal=3)
    play_until(party, "take")  # an octopus has swapped two
    mira = Person(browser, site, language="fr", width=window[0], height=window[1])
    cut = cut_in_recap(mira, party)
    assert len(cut) >= 5
    assert not any(cut)
    mira.context.close()


@pytest.mark.parametrize("window", [(390, 664), (844, 390), (1024, 768)], ids=str)
def test_symbols_and_words_of_the_recap_stand_in_one_line(
    window: tuple[int, int], site: Site, browser: Any
) -> None:
    party = Party(site, "oceanide", 5, deal=15)
    play_until(party, "prompt.act")
    mira = Person(browser, site, width=window[0], height=window[1])
    cut = cut_in_recap(mira, party)
    assert len(cut) >= 3
    assert not any(cut)
    mira.context.close()

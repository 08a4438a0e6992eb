"""A table is laid as the host wants it, and a series of Ozeanien is played at it."""

from __future__ import annotations

from typing import Any

import pytest

from browser import Party, Person, Site, read
from tabling import client_id


@pytest.mark.parametrize(("width", "height", "language"), [(390, 664, "fr"), (1366, 641, "en")])
def test_the_form_for_a_new_table_is_short_until_more_is_asked_for(
    site: Site, browser: Any, width: int, height: int, language: str
) -> None:
    mira = Person(browser, site, language=language, width=width, height=height)
    mira.go("/new/oceanos?players=5")
    assert not mira.page.locator("select[name='first']").is_visible()
    assert mira.page.locator("input[name='option-troubled']").is_visible()
    mira.page.locator(".more-options > summary").click()
    mira.page.locator("select[name='first']").select_option("3")
    mira.page.locator("select[name='seat3']").select_option("here")
    mira.page.locator("input[name='name3']").fill("Noor")
    mira.page.locator(".seat-swap").nth(2).click()
    mira.page.locator("input[name='name2']:visible").wait_for()
    assert mira.page.locator("input[name='name2']").input_value() == "Noor"
    assert mira.page.locator("select[name='first']").input_value() == "2"
    wide = mira.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
    assert mira.serious() == []
    mira.page.locator(".pick-count", has_text="2").click()
    mira.page.locator(".pick-count[aria-current]", has_text="2").wait_for()
    assert mira.page.locator("input[name='option-troubled']").count() == 0
    assert mira.page.locator("select[name='first']").count() == 0
    mira.page.locator("button.start").click()
    mira.page.locator("#prompt").wait_for()
    assert mira.wrong == []
    mira.context.close()


def test_a_chosen_colour_is_that_of_everything_of_the_seat(site: Site, browser: Any) -> None:
    mira = Person(browser, site)
    mira.go("/new/oceanos?players=3")
    mira.page.locator(".more-options > summary").click()
    for seat, colour in enumerate("201"):
        mira.page.locator(f"select[name='colour{seat}']").select_option(colour)
    mira.page.locator("button.start").click()
    mira.page.locator("#prompt").wait_for()
    mira.page.locator("html[data-ready]").wait_for()
    colour_of = "part => getComputedStyle(part).getPropertyValue(name).trim()"
    seat_and_kelp = [
        read(mira.page.locator(part).first, colour_of.replace("name", f"'{name}'"))
        for part, name in (
            (".submarine.s0", "--seat"),
            (".seat-mark.s0", "--seat"),
            ("body", "--kelp"),
        )
    ]
    assert len(set(seat_and_kelp)) == 1
    waves = read(mira.page.locator(".submarine.s0").first, colour_of.replace("name", "'--waves'"))
    assert waves == "inline"
    assert mira.wrong == []
    mira.context.close()


def test_what_is_refused_is_said_in_the_form_and_nothing_typed_is_lost(
    site: Site, browser: Any
) -> None:
    mira = Person(browser, site)
    mira.go("/new/ozeanien?players=2")
    mira.page.locator("#name").fill("Mira")
    mira.page.locator("select[name='seat1']").select_option("here")
    mira.page.locator("input[name='name1']").fill("Bo")
    mira.page.locator("select[name='series'] option[value='9']").evaluate("o => { o.value = '4' }")
    mira.page.locator("select[name='series']").select_option("4")
    mira.page.locator("button.start").click()
    mira.page.locator(".refused").wait_for()
    assert "odd number" in mira.page.locator(".refused").inner_text()
    assert mira.page.locator("#name").input_value() == "Mira"
    assert mira.page.locator("input[name='name1']").input_value() == "Bo"
    mira.page.locator("select[name='series']").select_option("3")
    mira.page.locator("button.start").click()
    mira.page.locator("#series-now").wait_for()
    assert mira.page.locator("#series-now").inner_text() == "0 : 0"
    mira.context.close()


def test_the_host_moves_a_friend_who_keeps_looking_through_their_own_eyes(
    site: Site, browser: Any
) -> None:
    mira, bo = Person(browser, site), Person(browser, site, language="fr", width=390, height=664)
    mira.go("/new/oceanos?players=3")
    mira.page.locator("#name").fill("Mira")
    for seat in (1, 2):
        mira.page.locator(f"select[name='seat{seat}']").select_option("open")
    mira.page.locator("button.start").click()
    mira.page.locator("main.gathering").wait_for()
    bo.page.goto(mira.page.url.partition("?")[0])
    bo.page.locator("#sit-name").fill("Bo")
    bo.page.locator(".sit button.main").first.click()
    bo.page.locator(".chair.mine").wait_for()
    mira.page.locator(".chair.s1 .seat-name", has_text="Bo").wait_for()
    mira.page.locator(".chair-swap button").first.click()
    mira.page.locator(".chair.s1.mine .seat-name", has_text="Mira").wait_for()
    bo.page.locator(".chair.s0.mine .seat-name", has_text="Bo").wait_for()
    assert mira.serious() == []
    assert mira.wrong == []
    assert bo.wrong == []
    for person in (mira, bo):
        person.context.close()


def play_out(party: Party) -> None:
    for phase in party.phases():
        if phase == "over":
            break


def test_a_series_of_ozeanien_is_played_to_its_end_and_another_begins(
    site: Site, browser: Any
) -> None:
    party = Party(site, "ozeanien", 2, 3, series=3)
    mira = Person(browser, site, settings={"motion": False})
    bo = Person(browser, site, language="fr", width=390, height=664, settings={"motion": False})
    party.seat(mira)
    party.sit(bo, 1)
    bar = mira.page.locator("#series-now")
    bar.wait_for()
    assert bar.inner_text() == "0 : 0"
    bo.rest()
    play_out(party)  # one follows one game; whoever comes back later sees the same
    while True:
        party.sit(bo, 1)
        mira.page.locator("#end .series-end").wait_for()
        bo.page.locator("#end .series-end").wait_for()
        about = party.look(0)["table"]
        points = " : ".join(f"{share:g}".replace("1.5", "1½").replace("0.5", "½")
                            for share in about["series"]["points"])  # fmt: skip
        assert bar.inner_text() == points
        last, record = about["winners"], party.http.get(f"/tables/{party.table}/record").json()
        if about["series"]["over"]:
            break
        said = mira.page.locator("#end .series-end").inner_text()
        assert said.startswith(f"Best of 3, game {about['series']['number']}: ")
        assert mira.page.locator("#again").inner_text() == "Next game of the series"
        mira.page.locator("#again").click()
        bo.page.locator("#again").click()
        mira.page.locator("main[data-over='0']").wait_for()
        if len(last) == 1:
            assert party.look(0)["table"]["waiting"] == [1 - last[0]]
        else:
            assert party.look(0)["table"]["waiting"] == [1 - record["deal"]["start"]]
        assert "Best of 3" in mira.page.locator(".players .series").inner_text()
        for person in (mira, bo):
            person.rest()
        play_out(party)
        party.seat(mira)
    winners = [("You win", "Bo wins")[seat] for seat in about["series"]["winners"]]
    said = mira.page.locator("#end .series-end.decided").inner_text()
    assert said.startswith(winners[0] if len(winners) == 1 else "The series is shared")
    assert "série" in bo.page.locator("#end .series-end.decided").inner_text()
    assert mira.page.locator("#again").inner_text() == "A new series"
    assert mira.serious() == []
    assert bo.serious() == []
    mira.page.locator("#again").click()
    rematch = f"/tables/{party.table}/seats/1/rematch"
    assert party.http.post(rematch, json={"client": client_id()}).status_code == 200
    mira.page.locator("main[data-over='0']").wait_for()
    bar.get_by_text("0 : 0").wait_for()
    assert mira.wrong == []
    assert bo.wrong == []
    for person in (mira, bo):
        person.context.close()

"""The moving examples of the rules pages, in a browser: they move, and rest for who wants rest."""

from __future__ import annotations

from typing import Any

import pytest

from browser import Party, Person, Site, box
from pelagos.engine.examples import examples_about, examples_of
from pelagos.engine.game import games

ILLUSTRATED = [game for game in games() if examples_of(game)]
MOVING = "document.getAnimations().filter(motion => motion.playState === 'running').length"
WINDOWS = [("en", 1366, "light"), ("fr", 390, "dark"), ("fr", 1366, "light"), ("en", 390, "light")]
RUNNING_OR_PAUSED = """paused => paused === !document.querySelector('figure.example')
  .getAnimations({subtree: true}).filter(motion => motion.playState === 'running').length"""
SMALLEST = """Math.min(...[...document.querySelectorAll('.ex-picture text')]
  .filter(text => text.closest('.ex-still') === null)
  .map(text => [text, text.ownerSVGElement])
  .map(([text, picture]) => parseFloat(getComputedStyle(text).fontSize) *
    picture.getBoundingClientRect().width / picture.viewBox.baseVal.width))"""
OUTSIDE = """[...document.querySelectorAll('.ex-name, .ex-points')].filter(text => {
  const box = text.getBoundingClientRect();
  const picture = text.ownerSVGElement.getBoundingClientRect();
  return box.left < picture.left || box.right > picture.right + 0.5;
}).map(text => text.textContent)"""


def show_all(person: Person) -> None:
    """Draw also what is out of sight, which is left alone else."""
    person.page.evaluate(
        "document.querySelectorAll('.example').forEach("
        "example => example.style.setProperty('content-visibility', 'visible'))"
    )


@pytest.mark.parametrize(("language", "width", "theme"), WINDOWS)
def test_examples_move_fit_and_are_clean(
    browser: Any, site: Site, language: str, width: int, theme: str
) -> None:
    person = Person(
        browser,
        site,
        language=language,
        width=width,
        height=800,
        color_scheme=theme,
        settings={"motion": True},
    )
    for game in ILLUSTRATED:
        person.go(f"/rules/{game}")
        show_all(person)
        examples = person.page.locator("figure.example")
        assert examples.count() == len(examples_of(game))
        assert person.page.evaluate(MOVING) >= len(examples_of(game))
        assert person.page.evaluate("document.documentElement.scrollWidth") <= width
        assert person.page.evaluate(SMALLEST) >= 12
        assert person.page.evaluate(OUTSIDE) == []
        assert person.serious() == []
    assert person.wrong == []
    person.context.close()


@pytest.mark.parametrize("wish", ["system", "setting"])
def test_nothing_moves_for_who_wants_no_motion(browser: Any, site: Site, wish: str) -> None:
    more: dict[str, Any] = (
        {"settings": {"motion": True}, "reduced_motion": "reduce"}
        if wish == "system"
        else {"settings": {"motion": False}}
    )
    person = Person(browser, site, width=390, height=800, **more)
    for game in ILLUSTRATED:
        person.go(f"/rules/{game}")
        show_all(person)
        assert person.page.evaluate(MOVING) == 0
        first = person.page.locator("figure.example").first
        first.scroll_into_view_if_needed()
        before, then = first.screenshot(), person.page.evaluate("document.timeline.currentTime")
        for number, example in enumerate(examples_of(game)):
            figure = person.page.locator("figure.example").nth(number)
            marks = figure.locator(".ex-still:visible")
            assert marks.count() >= 1, example.id
            assert figure.locator(".ex-pause").is_hidden()
        person.page.wait_for_function(
            "then => document.timeline.currentTime > then + 1500", arg=then
        )
        assert first.screenshot() == before
    person.context.close()


def test_an_example_can_be_paused(browser: Any, site: Site) -> None:
    person = Person(browser, site, settings={"motion": True})
    person.go(f"/rules/{ILLUSTRATED[0]}")
    figure = person.page.locator("figure.example").first
    figure.scroll_into_view_if_needed()
    for paused in (False, True, False):
        figure.locator(".ex-pause input").set_checked(paused)
        person.page.wait_for_function(RUNNING_OR_PAUSED, arg=paused)
    person.context.close()


def test_the_aid_shows_an_example_of_what_it_explains(browser: Any, site: Site) -> None:
    party = Party(site, "ecosystem", 2, deal=3)
    for language, width, height in (("en", 1366, 641), ("fr", 390, 664)):
        window = {"width": width, "height": height}
        person = Person(browser, site, language=language, settings={"motion": True}, **window)
        party.seat(person)
        person.page.locator("html[data-ready]").wait_for()
        held = {card["face"] for card in party.look(0)["view"]["pieces"] if card["place"] == "hand"}
        face = next(face for face in sorted(held) if examples_about("ecosystem", face))
        person.page.locator(f"[id^='p-hand_{face}']").first.click(button="right")
        example = person.page.locator("#aid .aid-example")
        figure = example.locator("figure.example")
        example.locator("summary").wait_for()
        assert figure.is_hidden()
        example.locator("summary").click()
        figure.wait_for()
        person.page.wait_for_function(
            "() => document.querySelector('#aid .ex-picture').getAnimations({subtree: true}).length"
        )
        card = box(person.page.locator("#aid .aid-card"))
        picture = box(figure.locator(".ex-picture"))
        assert card["y"] >= 0
        assert card["y"] + card["height"] <= height
        assert picture["width"] > 250
        assert person.serious() == []
        assert person.wrong == []
        person.context.close()

"""A stranger learns each game by tapping what is lit; another does something else at every step."""

from __future__ import annotations

import random

import pytest

from browser import SOAK, Person, Site
from fit import unfit
from pelagos.engine.game import games
from pelagos.tables.lessons import has_lesson, lesson_of

TAUGHT = [game.id for game in games().values() if has_lesson(game)]
WINDOWS = (("fr", 390, 664), ("en", 1366, 641))
LIT = (
    "#commit-more [data-taught]:not([aria-pressed=true]):visible, "
    "#act [data-taught]:not(.listed):not(.is-chosen):not([aria-pressed=true]):visible"
)
LATER = "#act .later[data-taught]:not(.is-chosen):visible"
TURNING = "#act [data-taught][data-turns].is-chosen:visible"
"""What is tapped again for its next way."""
MOST = 300


def state(person: Person) -> str:
    """The lesson's state, when it has something to say or to be done."""
    person.page.locator("#lesson:not(.is-wait)").wait_for()
    return str(person.page.locator("#lesson").get_attribute("class")).rpartition("is-")[2]


def settle(person: Person, before: tuple[str, str]) -> None:
    """Wait until the page shows something else."""
    while marks(person) == before:
        person.page.wait_for_timeout(20)


def marks(person: Person) -> tuple[str, str]:
    lesson = person.page.locator("#lesson")
    return person.decision, f"{lesson.get_attribute('class')} {lesson.inner_text()}"


def press(person: Person, kind: str) -> None:
    before = marks(person)
    person.page.locator(f"#lesson {kind}").click()
    settle(person, before)


def begin(browser: object, site: Site, game: str, language: str, width: int, height: int) -> Person:
    window = {"width": width, "height": height, "settings": {"motion": False}}
    person = Person(browser, site, language=language, **window)
    person.go("/")
    person.page.locator(f"form[action='/learn/{game}'] button").click()
    person.page.locator("#lesson").wait_for()
    return person


def do_what_is_lit(person: Person) -> None:
    """Tap what glows, one thing after the other, until the move is made."""
    before = marks(person)
    for _ in range(8):
        go = person.page.locator("#go[data-taught]:enabled")
        later, lit = person.page.locator(LATER), person.page.locator(LIT)
        if go.count():
            go.click()
            settle(person, before)
            return
        turning = person.page.locator(TURNING)
        shown = next((found for found in (later, lit, turning) if found.count()), None)
        assert shown is not None, person.page.locator("#lesson").inner_text()
        shown.first.click()
    raise AssertionError("what is lit leads nowhere")


GLOWING = "#act [data-taught]:not(.listed), #lesson button"
UNREACHED = """query => [...document.querySelectorAll(query)]
  .filter(thing => thing.checkVisibility({visibilityProperty: true})).filter(thing => {
    const box = thing.getBoundingClientRect();
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return !top || !(thing.contains(top) || top.contains(thing));
  }).map(thing => thing.outerHTML.slice(0, 120))"""
CUT = """box => [...box.querySelectorAll('p, button')].filter(part => part.checkVisibility())
  .map(part => part.getBoundingClientRect())
  .filter(part => part.right > innerWidth || part.top < 0 ||
    part.bottom > box.getBoundingClientRect().bottom + 12).length"""


def fits(person: Person) -> None:
    """All that glows and all that the box offers can be tapped; every choice is in the window."""
    faults = [fault for fault in unfit(person.page) if "prompt" not in fault]
    faults = [fault for fault in faults if "covered" not in fault]
    faults += person.page.evaluate(UNREACHED, GLOWING)
    box = person.page.locator("#lesson")
    assert not faults, (box.inner_text(), faults)
    assert not box.evaluate(CUT), box.inner_text()


@pytest.mark.parametrize("game_id", TAUGHT)
def test_a_stranger_learns_it_by_what_is_lit(browser: object, site: Site, game_id: str) -> None:
    lesson = lesson_of(game_id)
    assert lesson is not None
    for language, width, height in WINDOWS if SOAK else WINDOWS[:1]:
        person = begin(browser, site, game_id, language, width, height)
        told = set()
        for _ in range(MOST):
            now = state(person)
            if now == "end":
                break
            fits(person)
            told.add(person.page.locator("#lesson .lesson-dots .unseen").inner_text())
            if now == "read":
                press(person, ".main")
                continue
            assert now in ("do", "free")
            if now == "do":
                assert person.page.locator("#act [data-taught][aria-description]").count()
                do_what_is_lit(person)
            else:
                person.move()
        assert len(told) == len(lesson.steps)
        assert not person.serious()
        person.page.locator("#lesson button[form='real']").click()
        person.page.locator("main:not(.teaches)").wait_for()
        assert not person.wrong
        person.context.close()


@pytest.mark.parametrize("game_id", TAUGHT)
def test_who_does_something_else_is_told_and_goes_on(
    browser: object, site: Site, game_id: str
) -> None:
    language, width, height = WINDOWS[1]
    person = begin(browser, site, game_id, language, width, height)
    chance = random.Random(3)
    others = 0
    for _ in range(MOST):
        now = state(person)
        if now == "end" or person.over:
            break
        fits(person)
        if now == "other":
            others += 1
            press(person, ".second" if others % 2 else ".main")
        elif now == "read":
            press(person, ".main")
        else:
            before = marks(person)
            quiet = "#act .choice:not([data-taught]):not(.listed):visible"
            choices = person.page.locator(quiet)
            if not choices.count() or (others and others % 2 and chance.random() < 0.5):
                do_what_is_lit(person) if now == "do" else person.move()
                continue
            choices.nth(chance.randrange(choices.count())).click()
            ways = person.page.locator("#commit-more .way:not([data-taught]):visible")
            if ways.count():
                ways.first.click()
            person.page.locator("#go:enabled").click()
            settle(person, before)
    assert state(person) == "end"
    assert others
    assert not person.wrong
    person.context.close()

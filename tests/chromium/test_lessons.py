"""A stranger does something else at every step of each lesson, takes it back, and learns by what is
lit; another goes on without taking anything back; a third has only a keyboard, and listens.
"""

from __future__ import annotations

import random

import pytest

from browser import SOAK, Person, Site, read
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
        shown = next((glowing for glowing in (later, lit, turning) if glowing.count()), None)
        assert shown is not None, person.page.locator("#lesson").inner_text()
        shown.first.click()
    raise AssertionError("what is lit leads nowhere")


GLOWING = "#act [data-taught]:not(.listed), #lesson button"
UNREACHED = """query => [...document.querySelectorAll(query)]
  .filter(element => element.checkVisibility({visibilityProperty: true})).filter(element => {
    const box = element.getBoundingClientRect();
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return !top || !(element.contains(top) || top.contains(element));
  }).map(element => element.outerHTML.slice(0, 120))"""
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
    assert not read(box, CUT), box.inner_text()


QUIET = "#act .choice:not([data-taught]):not(.listed):visible"


def do_something_else(person: Person, chance: random.Random) -> bool:
    """Make a move that the lesson doesn't light; False if there is none."""
    before = marks(person)
    quiet = person.page.locator(QUIET)
    if quiet.count():
        quiet.nth(chance.randrange(quiet.count())).click()
        ways = person.page.locator("#commit-more .way:not([data-taught]):visible")
        if ways.count():
            ways.first.click()
    else:
        person.page.locator(LIT).first.click()  # a part of what is meant is something else too
        if not person.page.locator("#go:enabled:not([data-taught])").count():
            return False
    person.page.locator("#go:enabled").click()
    settle(person, before)
    return True


def leave_and_return(person: Person) -> None:
    """Skip the lesson, and come back to where it was."""
    idea = person.page.locator("#lesson .lesson-idea").inner_text()
    press(person, ".skip-lesson")
    press(person, "[name=show][value='-1']")
    assert person.page.locator("#lesson .lesson-idea").inner_text() == idea


@pytest.mark.parametrize("game_id", TAUGHT)
def test_a_stranger_does_something_else_at_every_step_and_learns_by_what_is_lit(
    browser: object, site: Site, game_id: str
) -> None:
    lesson = lesson_of(game_id)
    assert lesson is not None
    for language, width, height in WINDOWS if SOAK else WINDOWS[:1]:
        person = begin(browser, site, game_id, language, width, height)
        chance = random.Random(3)
        reached, strayed = set(), set()
        for _ in range(MOST):
            now = state(person)
            if now == "end":
                break
            fits(person)
            step = person.page.locator("#lesson .lesson-dots .unseen").inner_text()
            is_new = step not in reached
            reached.add(step)
            if now == "read":
                if len(reached) == 1:
                    leave_and_return(person)
                press(person, ".main")
            elif now == "free":
                person.move()
            elif step in strayed or not is_new or not do_something_else(person, chance):
                assert person.page.locator("#act [data-taught][aria-description]").count()
                do_what_is_lit(person)
            else:
                strayed.add(step)
                assert state(person) == "other"
                fits(person)
                press(person, ".second")
        assert len(reached) == len(lesson.steps)
        assert len(strayed) > len([step for step in lesson.steps if step.lit]) / 2
        assert not person.serious()
        person.page.locator("#lesson button[form='real']").click()
        person.page.locator("main:not(.teaches)").wait_for()
        assert not person.wrong
        person.context.close()


@pytest.mark.parametrize("game_id", TAUGHT)
def test_who_goes_on_with_something_else_is_told_and_comes_to_the_end(
    browser: object, site: Site, game_id: str
) -> None:
    person = begin(browser, site, game_id, *WINDOWS[1])
    chance = random.Random(3)
    others = 0
    for _ in range(MOST):
        now = state(person)
        if now == "end" or person.over:
            break
        fits(person)
        if now in ("other", "read"):
            others += now == "other"
            press(person, ".main")
        elif now == "free":
            person.move()
        elif not do_something_else(person, chance):
            do_what_is_lit(person)
    assert state(person) == "end"
    assert others
    assert not person.wrong
    person.context.close()


LISTEN = """() => {
  window.heard = [];
  const live = document.getElementById('live');
  window.heard.push(live.textContent);
  new MutationObserver(() => window.heard.push(live.textContent))
    .observe(live, {childList: true, characterData: true, subtree: true});
}"""
TOWARDS = """target => {
  const now = document.activeElement;
  if (now === target) return '';
  const group = now.closest?.('[data-rove]');
  if (!group || !group.contains(target)) return 'Tab';
  const [from, to] = [now, target].map(element => element.getBoundingClientRect());
  const across = to.x + to.width / 2 - from.x - from.width / 2;
  const down = to.y + to.height / 2 - from.y - from.height / 2;
  if (Math.abs(down) > Math.abs(across)) return down > 0 ? 'ArrowDown' : 'ArrowUp';
  return across > 0 ? 'ArrowRight' : 'ArrowLeft';
}"""


def press_by_keys(person: Person, selector: str) -> None:
    """Come to a button by Tab and the arrows, and press it."""
    target = person.page.locator(selector).first
    for _ in range(120):
        key = read(target, TOWARDS)
        if not key:
            person.page.keyboard.press("Enter")
            return
        person.page.keyboard.press(key)
    raise AssertionError(f"no key leads to {selector}")


@pytest.mark.parametrize("game_id", TAUGHT if SOAK else TAUGHT[1:2])
def test_a_lesson_by_keyboard_and_ear(browser: object, site: Site, game_id: str) -> None:
    """In the dark, with nothing that moves: each step is said once, all that glows has a name."""
    window = {"width": 1366, "height": 641, "reduced_motion": "reduce", "color_scheme": "dark"}
    person = Person(browser, site, **window)
    person.go("/")
    person.page.locator(f"form[action='/learn/{game_id}'] button").press("Enter")
    person.page.locator("html[data-ready] #lesson").wait_for()
    person.page.evaluate(LISTEN)
    ideas = {}
    for _ in range(MOST):
        now = state(person)
        idea = person.page.locator("#lesson .lesson-idea").inner_text()
        step = person.page.locator("#lesson .lesson-dots .unseen")
        if now == "end":
            ideas["end"] = idea
            break
        if now != "free":
            ideas[step.inner_text()] = idea
        before = marks(person)
        if now == "read":
            press_by_keys(person, "#lesson .main")
        elif now == "free":
            person.move()
        else:
            assert all(lit.aria_snapshot().strip() for lit in person.page.locator(LIT).all())
            for _ in range(8):
                if person.page.locator("#go[data-taught]:enabled").count():
                    press_by_keys(person, "#go")
                    break
                ways = [way for way in (LATER, LIT, TURNING) if person.page.locator(way).count()]
                press_by_keys(person, ways[0])
        settle(person, before)
    page_said = "idea => window.heard.join(' ').replace(/\\s+/g, ' ').includes(idea)"
    person.page.wait_for_function(page_said, arg=" ".join(ideas["end"].split()))
    heard = " ".join(" ".join(person.page.evaluate("window.heard")).split())
    for idea in ideas.values():
        assert heard.count(" ".join(idea.split())) == 1, idea
    assert not person.serious()
    assert not person.wrong
    person.context.close()

"""How tables look in every phase: nothing covered, clipped, too small or found by axe-core."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from browser import SOAK, Party, Person, Site, resize
from pelagos.engine.game import find_game, games

WIDTHS = (390, 768, 1024, 1920)
FEWER_WIDTHS = WIDTHS if SOAK else (390, 1024)
DEALS = (1, 2, 3, 4) if SOAK else (1,)
LONGER = """() => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walk.nextNode()) texts.push(walk.currentNode);
  for (const node of texts) {
    const text = node.nodeValue.trim();
    const still = node.parentElement.closest('svg, select, script, style');
    if (still || !/[a-zà-ÿ]{2}/i.test(text)) continue;
    const more = Math.ceil(text.length * 0.4);
    node.nodeValue = node.nodeValue.trimEnd() + ' ' + 'en plus loin '.repeat(99).slice(0, more);
  }
}"""
FAULTS = """async () => {
  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  const faults = [];
  const name = element => element.tagName + '#' + element.id + '.' +
    String(element.className).slice(0, 40) + ' ' +
    (element.getAttribute('aria-label') || element.textContent).trim().slice(0, 30);
  if (document.documentElement.scrollWidth > innerWidth)
    faults.push('scrolls sideways: ' + document.documentElement.scrollWidth);
  for (const control of document.querySelectorAll('button, a[href], select, summary, input')) {
    if (!control.checkVisibility({visibilityProperty: true}) || control.closest('dialog') ||
        control.type === 'hidden' ||
        control.matches('.skip, .recap, .fits .choices:not([open]) *')) continue;
    control.scrollIntoView({block: 'center', behavior: 'instant'});
    const box = control.getBoundingClientRect();
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    if (!top || !(control.contains(top) || top.contains(control) && top.matches('label')))
      faults.push('covered: ' + name(control) + ' by ' + (top ? name(top) : 'nothing'));
    const least = control.closest('.fits .sheets, .pad-sheet') ? 24 :
      control.closest('[role=grid], #board') ? 40 : 44;
    const ticked = control.matches('input[type=checkbox], input[type=radio]');
    const holder = ticked ? control.closest('label') : control;
    const size = holder.getBoundingClientRect();
    if (!control.closest('.prose') && (size.width < least - .5 || size.height < least - .5))
      faults.push('small: ' + name(control) + ' ' + size.width + 'x' + size.height);
  }
  for (const element of document.querySelectorAll('main *, header *')) {
    if (element.closest('.unseen, svg, dialog, .recap, .watch')) continue;
    if (!element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    if (style.clipPath !== 'none' || element.clientWidth < 2) continue;
    if (style.webkitLineClamp !== 'none') continue;  // a long name, cut on purpose
    if (style.overflowX !== 'visible' && style.overflowX !== 'auto' &&
        element.scrollWidth > element.clientWidth + 1 && element.textContent.trim() &&
        element.children.length < 3)
      faults.push('clipped: ' + name(element));
    if (['hidden', 'clip'].includes(style.overflowY) && element.textContent.trim() &&
        element.scrollHeight > element.clientHeight + 2 && element.children.length < 3)
      faults.push('cut off: ' + name(element));
  }
  for (const control of document.querySelectorAll('main button, #commit button, main a[href]')) {
    if (!control.checkVisibility({visibilityProperty: true})) continue;
    if (control.closest('.recap, .watch')) continue;
    const box = control.getBoundingClientRect();
    const walk = document.createTreeWalker(control, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const text = walk.currentNode;
      let apart = !text.nodeValue.trim();
      for (let up = text.parentElement; up !== control; up = up.parentElement)
        apart ||= getComputedStyle(up).position === 'absolute' ||
          getComputedStyle(up).webkitLineClamp !== 'none';
      if (apart) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const ink = range.getBoundingClientRect();
      if (ink.width && (ink.left < box.left - 2 || ink.right > box.right + 2 ||
          ink.top < box.top - 2 || ink.bottom > box.bottom + 2))
        faults.push('spills: ' + name(control));
    }
  }
  return faults;
}"""


@cache
def moments(site: Site, which: str, players: int, deal: int) -> dict[int, str]:
    """The steps of a game at which to look: its first, its last, and the last of each phase."""
    phases = list(Party(site, which, players, deal).phases())
    phase_at = dict(enumerate(phases))
    last = {phase.split()[0]: step for step, phase in phase_at.items()}
    return {step: phase_at[step] for step in sorted({0, *last.values()})}


def look_everywhere(mira: Person, party: Party, phase: str, widths: tuple[int, ...]) -> None:
    """At every width, with texts 40 % longer, and with something chosen."""
    party.seat(mira)
    mira.page.locator("html[data-ready]").wait_for()
    assert mira.serious() == [], phase
    mira.page.evaluate(LONGER)
    for width in widths:
        resize(mira.page, width, 860)
        assert mira.page.evaluate(FAULTS) == [], (phase, width)
    lit = mira.page.locator("#act button.choice:not(.listed):visible")
    if lit.count():
        lit.first.click()
        for width in FEWER_WIDTHS:
            resize(mira.page, width, 860)
            assert mira.page.evaluate(FAULTS) == [], (phase, width, "chosen")
    mira.rest()
    assert mira.wrong == []


TABLES = [
    ("ecosystem", 1),
    ("ecosystem", 3),
    ("minnows", 3),
    ("oceanide", 3),
    ("oceanos", 3),
    ("ozeanien", 2),
]
PLAIN = TABLES if SOAK else [("ecosystem", 3), ("minnows", 3), ("oceanide", 3)]
"""Tables that are looked at as the plain table, too: a grid, a foreign game, rows and a hand."""


@pytest.mark.parametrize("deal", DEALS)
@pytest.mark.parametrize(
    ("which", "players", "plain"),
    [(*table, False) for table in TABLES] + [(*table, True) for table in PLAIN],
)
def test_nothing_is_covered_clipped_or_too_small(
    which: str, players: int, plain: bool, deal: int, site: Site, browser: Any
) -> None:
    """In every phase of a game, on its own table and on the plain one.

    At all widths before the first move and at the end; in between in turns at half of them.
    """
    scheme = "dark" if deal % 2 == plain else "light"
    mira = Person(browser, site, language="fr", color_scheme=scheme, settings={"motion": False})
    if plain:
        mira.context.add_cookies([{"name": "pelagos-plain", "value": "1", "url": site.url}])
    wanted = moments(site, which, players, deal)
    party = Party(site, which, players, deal)
    for step, phase in enumerate(party.phases()):
        if step in wanted:
            is_end = SOAK or phase == "over" or not step
            widths = WIDTHS if is_end else WIDTHS[list(wanted).index(step) % 2 :: 2]
            look_everywhere(mira, party, phase, widths)
    mira.context.close()


LONG = (
    "Maximilienne-Alexandrine de Saint-Exupér",
    "Donaudampfschifffahrtsgesellschaftskapit",
    "Théodora-Constantinopolitanissima Vasque",
    "Bo",
    "Ewan Llanfairpwllgwyngyllgogerychwyrndro",
    "Noor",
)


@pytest.mark.parametrize("which", sorted(games()))
@pytest.mark.parametrize("plain", [False, True] if SOAK else [False])
def test_long_names_a_full_table_and_watching(
    which: str, plain: bool, site: Site, browser: Any
) -> None:
    """As many as can sit down, with names as long as they may be; before, after, from outside."""
    mira = Person(browser, site, language="fr", settings={"motion": False})
    if plain:
        mira.context.add_cookies([{"name": "pelagos-plain", "value": "1", "url": site.url}])
    party = Party(site, which, find_game(which).players[-1], names=LONG, pace="slow")
    for when, widths in (("before", WIDTHS), ("after", FEWER_WIDTHS)):
        for seat in (0, -1):
            party.seat(mira)
            mira.go(f"/t/{party.table}?seat={seat}")
            mira.page.locator("html[data-ready]").wait_for()
            assert mira.serious() == [], (when, seat)
            for width in widths:
                resize(mira.page, width, 860)
                assert mira.page.evaluate(FAULTS) == [], (when, seat, width)
        mira.rest()
        for _ in party.phases():
            pass
    assert mira.wrong == []
    mira.context.close()

"""What a table shows at once: prompt, own board, every lit choice, and what commits it."""

from __future__ import annotations

from typing import Any

from browser import resize

WINDOWS = (
    (360, 616),
    (390, 664),
    (412, 732),
    (844, 390),
    (768, 1024),
    (1024, 700),
    (1280, 585),
    (1366, 641),
    (1440, 780),
    (1536, 730),
    (1920, 950),
)
"""What people have: browsers take 80 to 140 pixels of the screen's height."""
SMALLEST = 24
"""Pixels of a choice's shorter side, however low the window."""

UNFIT = """least => {
  const faults = [];
  const page = document.scrollingElement;
  const name = element => element.tagName.toLowerCase() + (element.id ? '#' + element.id : '') +
    '.' + String(element.className).replaceAll(' ', '.').slice(0, 50) + ' ' +
    (element.ariaLabel || element.textContent).trim().replace(/\\s+/g, ' ').slice(0, 30);
  const seen = { visibilityProperty: true, opacityProperty: true };
  const shown = element => element.checkVisibility(seen);
  const within = box => box.left > -1 && box.top > -1 &&
    box.right < innerWidth + 1 && box.bottom < innerHeight + 1;
  const at = box => [box.left, box.top, box.right, box.bottom].map(Math.round).join(' ');
  if (page.scrollWidth > innerWidth) faults.push('scrolls sideways: ' + page.scrollWidth);
  if (page.scrollHeight > innerHeight + 1) faults.push('scrolls: ' + page.scrollHeight);

  const hidden = element => {
    const box = element.getBoundingClientRect();
    for (const [x, y] of [[.5, .5], [.15, .15], [.85, .15], [.15, .85], [.85, .85]]) {
      const top = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y);
      if (!top || !(element.contains(top) || top.contains(element)))
        return top ? name(top) : 'nothing';
    }
    return null;
  };
  const check = (element, kind, whole = true) => {
    const box = element.getBoundingClientRect();
    if (!box.width || !box.height) faults.push(kind + ' has no size: ' + name(element));
    else if (!within(box)) faults.push(kind + ' is outside (' + at(box) + '): ' + name(element));
    else if (whole && hidden(element))
      faults.push(kind + ' is covered by ' + hidden(element) + ': ' + name(element));
    return box;
  };

  if (document.querySelector('main[data-over="1"]')) {
    for (const element of document.querySelectorAll('#end, #again'))
      if (shown(element)) check(element, 'end', element.id === 'again');
    return faults;
  }
  const prompt = document.getElementById('prompt');
  if (!prompt || !shown(prompt)) faults.push('no prompt');
  else check(prompt, 'prompt');
  const boards = [...document.querySelectorAll('main [data-fit]')].filter(shown);
  if (!boards.length) faults.push('no [data-fit]: the own board');
  for (const board of boards) check(board, 'board', false);
  const lit = '#act button.choice:not(.listed), #act button[data-part-of]';
  const choices = [...document.querySelectorAll(lit)].filter(shown);
  const reached = new Set();
  for (const choice of choices) {
    const box = check(choice, 'choice');
    if (box.width < least - .5 || box.height < least - .5)
      faults.push('choice is small (' + at(box) + '): ' + name(choice));
    reached.add(choice.value);
    for (const values of [choice.dataset.more, choice.dataset.partOf])
      for (const value of (values ?? '').split(' ')) reached.add(value);
  }
  const listed = [...document.querySelectorAll('#choices button.listed')];
  for (const choice of listed)
    if (!reached.has(choice.value)) faults.push('nothing lit stands for: ' + name(choice));
  const go = document.getElementById('go');
  if (document.querySelector('#act .is-chosen')) {
    if (go.disabled || !shown(go)) faults.push('nothing commits what is chosen');
    else check(go, 'commit');
  }
  return [...new Set(faults)];
}"""

UNFIT_CHOSEN = f"""async ([least, number]) => {{
  const unfit = {UNFIT};
  const drawn = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  await drawn();
  const faults = [unfit(least)];
  const kinds = new Map();
  for (const choice of document.querySelectorAll('#act button.choice:not(.listed)')) {{
    if (!choice.checkVisibility({{ visibilityProperty: true }})) continue;
    if (!choice.getBoundingClientRect().width) continue;
    const kind = choice.dataset.group + ' ' + choice.dataset.variant + ' ' + choice.className;
    kinds.set(kind, [...(kinds.get(kind) ?? []), choice]);
  }}
  for (const lit of kinds.values()) {{
    lit[number % lit.length].click();
    await drawn();
    faults.push(unfit(least));
    document.getElementById('clear').click();
  }}
  return faults;
}}"""
"""The same again with one of each kind of choice chosen, if there are any; each when it is drawn.

Which one of a kind depends on the number.
"""


def unfit(page: Any) -> list[str]:
    """What of the decision can't be seen or touched in the window as it is."""
    faults: list[str] = page.evaluate(UNFIT, SMALLEST)
    return faults


def unfit_anywhere(page: Any, windows: tuple[tuple[int, int], ...] = WINDOWS) -> list[str]:
    """The same in each of these windows, before and after something is chosen."""
    faults = []
    for number, (width, height) in enumerate(windows):
        resize(page, width, height)
        before, *chosen = page.evaluate(UNFIT_CHOSEN, [SMALLEST, 7 * number])
        faults += [f"{width}x{height}: {fault}" for fault in before]
        faults += [f"{width}x{height} chosen: {fault}" for after in chosen for fault in after]
    return faults

"""What a weak phone feels at each table: Chromium with its processor slowed four times.

Somebody plays at 390 × 664 pixels, by tapping a lit choice and then the large button; the others
move by chance. For each of their decisions, from the first tap until the next one:

- paint: milliseconds from the tap on the large button until the answer has been painted
- tap: the longest that any tap took until something was painted (event timing)
- frame: the longest frame, in milliseconds (long animation frames and long tasks)
- shift: the sum of all layout shifts, those after a tap included

    python bench/phones.py
    python bench/phones.py --game oceanos --turns 12
    python bench/phones.py --against COMMIT
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from tables import ROOT, tree_of

sys.path.insert(0, str(ROOT / "tests"))

from browser import Party, Person, Site, chromium, compile_all, need_browser

SLOWER = 4
WINDOW = {"width": 390, "height": 664, "device_scale_factor": 2, "has_touch": True}
FIGURES = ("paint", "tap", "frame", "shift")
LIMITS = {"paint": 200.0, "tap": 200.0, "frame": 100.0, "shift": 0.05}
WATCH = """
window.seen = { tap: 0, frame: 0, shift: 0, paint: 0 };
const watch = (type, note, more = {}) => {
  if (PerformanceObserver.supportedEntryTypes.includes(type))
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, ...more });
};
const longest = (name) => ({ duration }) => { seen[name] = Math.max(seen[name], duration); };
watch('longtask', longest('frame'));
watch('long-animation-frame', longest('frame'));
watch('event', longest('tap'), { durationThreshold: 16 });
watch('layout-shift', (entry) => { seen.shift += entry.value; });
let pressed = 0;
let painted = () => {};
window.expectPaint = () => { window.paint = new Promise((done) => { painted = done; }); };
addEventListener('click', (event) => {
  if (event.target.closest?.('#go')) pressed = event.timeStamp;
}, true);
document.addEventListener('pelagos:shown', () => requestAnimationFrame(() => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    if (!pressed) return;
    seen.paint = performance.now() - pressed;
    pressed = 0;
    painted();
  };
  port2.postMessage(0);
}));
"""
SETTLE = 700
"""Milliseconds until flights have landed and the observers have told everything."""


def lit(person: Person) -> Any:
    return person.page.locator("#act button.choice:not(.listed):visible")


def touch(person: Person, target: Any) -> None:
    """Tap in the middle of something. Where it is was asked before: what a locator does around a
    tap, and how it waits, is work for the slowed processor.
    """
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    person.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def turn(person: Person, number: int) -> dict[str, float]:
    """One decision: a tap on something lit, a tap on the large button, and what it took."""
    page = person.page
    before = person.decision
    choice = lit(person).nth(number % lit(person).count())
    page.evaluate("seen.tap = seen.frame = seen.shift = seen.paint = 0; expectPaint()")
    touch(person, choice)
    page.wait_for_timeout(SETTLE)
    assert page.locator("#go").is_enabled(), f"nothing is selected at decision {before}"
    touch(person, page.locator("#go"))
    page.evaluate("paint")
    page.wait_for_timeout(SETTLE)
    assert person.decision != before, "the answer shows the same decision"
    return figures(person)


def figures(person: Person) -> dict[str, float]:
    """What was seen since the decision's first tap."""
    seen = person.page.evaluate("seen")
    return {name: float(seen[name]) for name in FIGURES}


def play(site: Site, browser: Any, game: str, turns: int) -> list[dict[str, float]]:
    """A game's first decisions on a slowed phone."""
    person = Person(browser, site, **WINDOW)
    person.context.add_init_script(WATCH)
    party = Party(site, game, min(3, max(games_players(game))), deal=5)
    party.seat(person)
    person.page.locator("html[data-ready]").wait_for()
    phone = person.context.new_cdp_session(person.page)
    phone.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    measured: list[dict[str, float]] = []
    while len(measured) < turns and not (message := party.look(0))["view"]["over"]:
        waiting = message["table"]["waiting"]
        if 0 not in waiting:
            party.move(party.chance.choice(waiting))
            continue
        shown = f"main[data-number='{message['number']}'][data-owes='1']"
        person.page.locator(shown).wait_for(state="attached")
        person.page.wait_for_timeout(SETTLE)
        if measured:  # with what the others have moved since
            measured[-1] = figures(person)
        measured.append(turn(person, len(measured)))
    assert person.wrong == [], person.wrong
    person.context.close()
    return measured


def games_players(game: str) -> tuple[int, ...]:
    from pelagos.engine.game import find_game

    return tuple(find_game(game).players)


def summary(measured: list[dict[str, float]]) -> dict[str, dict[str, float]]:
    """Of each figure the median and the worst."""
    return {
        name: {
            "median": round(statistics.median(turn[name] for turn in measured), 3),
            "worst": round(max(turn[name] for turn in measured), 3),
        }
        for name in FIGURES
    }


@contextmanager
def serving(tree: Path) -> Iterator[Site]:
    """A server with the code of a tree, and the same deals on every run."""
    path = os.pathsep.join(str(tree / part) for part in ("src", "tests/minnows/src"))
    before = os.environ.get("PYTHONPATH")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PYTHONPATH"] = path
        try:
            site = Site(Path(folder))
            site.forked = False  # it loads the tree's own code
            site.start()
        finally:
            os.environ.pop("PYTHONPATH")
            if before is not None:
                os.environ["PYTHONPATH"] = before
        try:
            yield site.wait()
        finally:
            site.stop()


def show(side: str, game: str, figures: dict[str, dict[str, float]]) -> None:
    """A line for people: median and worst of each figure, those over the limit starred."""
    cells = []
    for name, limit in LIMITS.items():
        digits = 0 if limit > 1 else 3
        mark = "*" if figures[name]["worst"] > limit else " "
        cells.append(
            f"{figures[name]['median']:8.{digits}f} {figures[name]['worst']:7.{digits}f}{mark}"
        )
    print(f"{side[:8]:8} {game:10}", *cells, flush=True)


def main() -> None:
    from pelagos.engine.game import games

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", action="append", help="Only this one; may be repeated.")
    parser.add_argument("--turns", type=int, default=8, help="Decisions at each table.")
    parser.add_argument("--against", metavar="COMMIT", help="That commit's pages, too.")
    parser.add_argument("--json", type=Path, help="Write the results here too.")
    arguments = parser.parse_args()
    need_browser()
    compile_all()
    kinds = arguments.game or [game.id for game in games().values() if game.id != "minnows"]
    sides: dict[str, Any] = {}
    print(f"{'':19}", *(f"{name:>8} {'worst':>7} " for name in FIGURES))
    for side in [*([arguments.against] if arguments.against else []), "here"]:
        tree = tree_of(side) if side != "here" else nullcontext(ROOT)
        with tree as folder, serving(folder) as site, chromium() as browser:
            sides[side] = {}
            for game in kinds:
                sides[side][game] = summary(play(site, browser, game, arguments.turns))
                show(side, game, sides[side][game])
    if arguments.json:
        arguments.json.write_text(json.dumps(sides, indent=1) + "\n")


if __name__ == "__main__":
    main()

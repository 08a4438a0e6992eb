"""A real browser at real pages: the server in its own process, Chromium, and somebody who plays."""

from __future__ import annotations

import fcntl
import json
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

import debian
from pelagos.bots import warm_up
from pelagos.engine.game import games
from tabling import Server, client_id

SOAK = os.environ.get("PELAGOS_SOAK", "") not in ("", "0")
CHROMIUMS = {
    "chromium-headless-shell": [],
    "chromium": ["--headless=new"],
}
"""Debian's packages and programs: the same pages either way, without windows for a third less."""
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SERVE = """
import sys
from pathlib import Path
from pelagos.tables import fairness
from pelagos.web.serve import serve
fairness.new_secret = lambda: "5e" * 32  # deals follow from the seats' bytes alone
serve("127.0.0.1", int(sys.argv[1]), Path(sys.argv[2]))
"""
LIKED = """
localStorage.setItem('pelagos-settings', '%s');
addEventListener('submit', event => {
  for (const field of event.target.querySelectorAll('[data-bytes]')) field.value = '%s';
});
"""
"""The reader's settings, and the same deal every time."""
COMPILING = Path(tempfile.gettempdir()) / "pelagos-compiling.lock"
PATIENCE = 120_000
"""Milliseconds before a test gives up; nothing is measured by it."""
AXE = Path(__file__).parent.parent / "src/pelagos/web/static/vendor/axe.js"


def need_browser() -> None:
    """Chromium and the front-end packages; says what it installs, or why it can't."""
    for program in CHROMIUMS:
        if shutil.which(program) is None:
            debian.install(program, "the tests of the pages")
        if shutil.which(program) is not None:
            break
    else:
        pytest.fail("Chromium isn't here; apt-get install chromium brings it")
    from pelagos.web import vendor

    try:
        vendor.ensure(lambda step: print(step, file=sys.stderr))
    except vendor.NoPackages as error:
        pytest.fail(str(error))


def compile_all() -> None:
    """Rules and bots, before anybody waits in front of a page; one process for all."""
    with COMPILING.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for game in games().values():
            warm_up(game, ["greedy", "flat"])


class Site(Server):
    """`pelagos serve` with its pages; it can be killed and started again.

    Nobody counts as away before an hour is over: else a view comes half a minute after people have
    sat down, on a slow machine in the middle of a test, on a fast one after it.
    """

    code = SERVE

    def __init__(self, where: Path | str, port: int | None = None, **settings: str) -> None:
        super().__init__(where, port, **{"AWAY": "3600", **settings})


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser."""
    from playwright.sync_api import sync_playwright

    program, path = next((name, path) for name in CHROMIUMS if (path := shutil.which(name)))
    with sync_playwright() as playwright:
        flags = FLAGS + CHROMIUMS[program]
        browser = playwright.chromium.launch(executable_path=path, args=flags)
        try:
            yield browser
        finally:
            browser.close()


def read(element: Any, script: str, given: Any = None) -> Any:
    """What a script says of an element that is in the page.

    A view may take it away between looking for it and asking it: then the new one is asked.
    """
    asking = f"(element, given) => element.isConnected && [({script})(element, given)]"
    while not (answer := element.evaluate(asking, given)):
        pass
    return answer[0]


def read_all(elements: Any, script: str) -> Any:
    """The same of all elements, at one moment."""
    asking = f"all => all.every(element => element.isConnected) && [({script})(all)]"
    while not (answer := elements.evaluate_all(asking)):
        pass
    return answer[0]


BOX = "element => element.checkVisibility() ? element.getBoundingClientRect().toJSON() : null"


def box(element: Any) -> dict[str, float]:
    """Where an element is in the window, as soon as it is seen."""
    place = None
    while place is None:
        element.wait_for()
        place = read(element, BOX)
    return dict(place)


def resize(page: Any, width: int, height: int) -> None:
    """Change the window, and wait until the page knows."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function(
        "([width, height]) => innerWidth === width && innerHeight === height", arg=[width, height]
    )


def part_of(deal: int) -> str:
    """A seat's part of the shuffle: another one, another deal."""
    return f"{deal:064x}"


NAMES = ("Mira", "Bo", "Théa", "Ewan", "Noor", "Zélie")


class Party:
    """A table whose seats all play by chance, at once; somebody may look on at seat 0."""

    def __init__(
        self,
        site: Site,
        game: str,
        players: int,
        deal: int = 0,
        names: Sequence[str] = NAMES,
        **more: Any,
    ) -> None:
        self.chance = random.Random(deal)
        self.players = players
        self.rest: Iterator[str] = iter(())
        """What is still to be played, where a test has stopped."""
        self.http = httpx.Client(base_url=f"{site.url}/api/v1", timeout=None)
        options = {"players": players, **more.pop("options", {})}
        laid = self.http.post("/tables", json={"game": game, "options": options, **more}).json()
        self.table = laid["table"]["id"]
        self.messages: list[Any] = [{}] * players
        for seat in range(players):
            body = {"name": names[seat], "client": client_id(), "bytes": part_of(deal)}
            got = self.http.post(f"/tables/{self.table}/seats/{seat}", json=body).json()
            self.messages[seat] = got["message"]

    def look(self, seat: int) -> dict[str, Any]:
        """The seat's newest message."""
        got = self.http.get(f"/tables/{self.table}/seats/{seat}/view").json()
        return dict(got)

    def move(self, seat: int) -> None:
        """Choose something, anything."""
        message = self.look(seat)
        choice = self.chance.choice(message["view"]["choices"])
        body = {"actions": [choice["action"]], "client": client_id()}
        got = self.http.post(f"/tables/{self.table}/seats/{seat}/actions", json=body)
        assert got.status_code == 200, got.text

    def seat(self, person: Person, until: str = "load") -> None:
        """Let somebody have seat 0 before them."""
        self.sit(person, 0, until)

    def sit(self, person: Person, seat: int, until: str = "load") -> None:
        """Let somebody have a seat before them."""
        for name, value in self.http.cookies.items():
            if name.endswith(f"-{seat}"):
                person.context.add_cookies([{"name": name, "value": value, "url": person.site.url}])
        person.go(f"/t/{self.table}?seat={seat}", until)

    def phases(self) -> Iterator[str]:
        """Play to the end; stop before each move of seat 0, when it has moved, and at the end."""
        while True:
            message = self.look(0)
            if message["view"]["over"]:
                yield "over"
                return
            waiting = message["table"]["waiting"]
            if 0 in waiting:
                groups = sorted({choice["group"] for choice in message["view"]["choices"]})
                yield f"{message['view']['prompt']['key']} {' '.join(groups)}"
                self.move(0)
            else:
                yield "wait"
                self.move(self.chance.choice(waiting))


class Person:
    """Somebody in front of a browser of their own; collects everything that goes wrong in it.

    Nothing moves before them unless they like it: whatever glows costs a processor as long as it
    is seen.
    """

    def __init__(
        self,
        browser: Any,
        site: Site,
        *,
        language: str = "en",
        width: int = 1280,
        height: int = 860,
        keyboard: bool = False,
        settings: dict[str, Any] | None = None,
        deal: int = 0,
        **more: Any,
    ) -> None:
        self.site = site
        self.keyboard = keyboard
        self.chance = random.Random(f"{language}{width}")
        self.wrong: list[str] = []
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, locale=language, **more
        )
        liked = json.dumps({"speed": 0, "motion": False, **(settings or {})})
        self.context.add_init_script(LIKED % (liked, part_of(deal)))
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("pageerror", lambda error: self.wrong.append(f"script: {error}"))
        self.page.on("console", self._hear)

    def _hear(self, message: Any) -> None:
        text = message.text
        if "Content Security Policy" in text or "Content-Security-Policy" in text:
            self.wrong.append(f"policy: {text}")
        elif message.type == "error" and "Failed to load" not in text and "ERR_" not in text:
            self.wrong.append(f"console: {text}")

    def go(self, path: str, until: str = "load") -> None:
        self.page.goto(self.site.url + path, wait_until=until)

    def rest(self) -> None:
        """Follow no game until the next page: to draw each of its moves takes its time."""
        self.go("/health")

    # --- playing ------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return bool(self.page.locator("main[data-over='1']").count())

    def wait(self) -> bool:
        """Wait for a turn; False if the game is over."""
        turn = "main[data-owes='1'], main[data-over='1']"
        self.page.locator(turn).wait_for(state="attached")
        return not self.over

    @property
    def decision(self) -> str:
        return str(self.page.locator("main").get_attribute("data-decision"))

    def move(self) -> None:
        """Choose something that is lit, and commit it."""
        before = self.decision
        lit = self.page.locator("#act button.choice:not(.listed):visible")
        lit.first.wait_for()
        button = lit.nth(self.chance.randrange(lit.count()))
        if self.keyboard:
            button.focus()
            self.page.keyboard.press("ArrowRight")
            self.page.keyboard.press("ArrowDown")
            if not self.page.locator("#act button.choice:not(.listed):focus").count():
                button.focus()  # the arrows led to a card or cell that is no choice
            self.page.keyboard.press("Enter")
            self.page.locator("#go").focus()
            self.page.keyboard.press("Enter")
        else:
            button.click()
            self.page.locator("#go").click()
        done = f"main:not([data-decision='{before}']), main[data-over='1']"
        self.page.locator(done).first.wait_for(state="attached")

    @property
    def table(self) -> str:
        """The id of the table before them."""
        return str(self.page.url.partition("/t/")[2].partition("?")[0].partition("/")[0])

    def ask(self, table: str, seat: int) -> dict[str, Any]:
        """The newest message of a seat that this browser has."""
        path = f"/api/v1/tables/{table}/seats/{seat}/view"
        return dict(self.context.request.get(self.site.url + path).json())

    def decide_unseen(self, seat: int, message: dict[str, Any]) -> None:
        """Choose something without the page."""
        action = self.chance.choice(message["view"]["choices"])["action"]
        decision = message["own"]["decision"]
        path = f"/api/v1/tables/{message['table']['id']}/seats/{seat}/actions"
        asked = {"actions": [action], "decision": decision, "client": client_id()}
        answer = self.context.request.post(self.site.url + path, data=asked)
        assert answer.status == 200, answer.text()

    def serious(self, *rules: str) -> list[str]:
        """What axe-core finds serious here, by all its rules or by these."""
        self.page.evaluate(AXE.read_text(encoding="utf-8"))
        self.page.evaluate(
            "document.getAnimations().forEach(motion => motion.effect.getComputedTiming().endTime"
            " === Infinity ? motion.cancel() : motion.finish())"
        )
        violations = self.page.evaluate(
            "rules => axe.run(document, {resultTypes: ['violations'],"
            "...(rules.length && {runOnly: rules})}).then(r => r.violations.filter("
            "v => ['serious', 'critical'].includes(v.impact)).map("
            "v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) +"
            "(n.any[0]?.message || '')).join(' | ')))",
            list(rules),
        )
        return [str(violation) for violation in violations]


FOLLOWED = 12
"""Decisions during which everybody's page follows the game."""


def decisions(
    people: Mapping[int, Person], whole: bool = SOAK
) -> Iterator[tuple[Person, dict[str, Any]]]:
    """A game to its end: who is to decide something before their page, and the seat's message.

    That are the first decision of each kind, and every eleventh (or all). The others are made by
    chance without the page: it follows at first, later it is opened again when it is needed.
    """
    kinds: set[tuple[int, str, str]] = set()
    first, host = next(iter(people.items()))
    table, addresses = host.table, {seat: person.page.url for seat, person in people.items()}
    away: set[int] = set()
    step = 0

    def come_back(seat: int) -> Person:
        if seat in away:
            away.remove(seat)
            people[seat].page.goto(addresses[seat])
            people[seat].page.locator("html[data-ready]").wait_for()
        return people[seat]

    while not (now := host.ask(table, first))["view"]["over"]:
        asked = [seat for seat in now["table"]["waiting"] if seat in people]
        if not asked:  # a bot thinks
            if first in away:
                host.page.wait_for_timeout(20)
            else:
                newer = f"main:not([data-number='{now['number']}'])"
                host.page.locator(newer).wait_for(state="attached")
            continue
        seat, step = asked[0], step + 1
        message = people[seat].ask(table, seat)
        choices, prompt = message["view"]["choices"], message["view"]["prompt"]
        asks = {(seat, prompt["key"], choice["group"]) for choice in choices}
        if whole or not asks <= kinds or step % 11 == 0:
            kinds |= asks
            decision = f"main[data-owes='1'][data-decision='{message['own']['decision']}']"
            come_back(seat).page.locator(decision).wait_for(state="attached")
            yield people[seat], message
            continue
        if step > FOLLOWED:
            for other in people.keys() - away:
                people[other].rest()
                away.add(other)
        people[seat].decide_unseen(seat, message)
    for seat in people:
        come_back(seat).page.locator("main[data-over='1']").wait_for(state="attached")


def lay(person: Person, game: str, seats: list[str]) -> None:
    """Lay a table by the page for it."""
    person.go(f"/new/{game}?players={len(seats)}")
    person.page.locator("#name").fill("Mira")
    for number, wish in enumerate(seats):
        person.page.locator(f"select[name='seat{number}']").select_option(wish)
    person.page.locator("form[method='post'][action^='/new'] button.main").click()
    person.page.locator("#prompt").wait_for()
    person.page.locator("html[data-ready]").wait_for()

"""Visits to the site without a server: by a deep link, of a saved game, and when there is a newer
version of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser import Person
from pelagos.engine import record as records
from pelagos.pocket.build import build
from pelagos.tables import fairness
from pocketed import PATH, Host, Visitor, hosted

MEMORY = """async () => {
  const name = (await caches.keys()).find(name => name.endsWith(" memory"));
  const cache = name && await caches.open(name);
  const [key] = cache ? await cache.keys() : [];
  %s
  return Boolean(key);
}"""
KEPT_MEMORY = MEMORY % ""
SPOIL_MEMORY = MEMORY % "await cache.put(key, new Response(new Uint8Array(1000)));"
HOLD_THOUGHTS = """() => {
  Object.assign(self, {holding: true, held: []});
  self.Worker = class extends Worker {
    addEventListener(kind, listener) {
      super.addEventListener(kind, event => {
        if (holding && "answer" in (event.data ?? {})) held.push(() => listener(event));
        else listener(event);
      });
    }
  };
}"""
"""What a worker of the worker's own answers waits until it is let go."""
STRONG = "orca"
"""It thinks for a second."""
NEW_STYLE = "/* the newer version */"


@pytest.fixture(name="folder", scope="module")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A host's files, the site among them; tests change it from one version to the next."""
    folder = tmp_path_factory.mktemp("hosted")
    build(folder / PATH.strip("/"), lambda step: None)
    return folder


@pytest.fixture(name="host")
def _host(folder: Path) -> Iterator[Host]:
    with hosted(folder) as host:
        yield host


def test_a_deep_link_opens_its_page_at_the_first_visit(host: Host, browser: Any) -> None:
    stranger = Visitor(browser, host, path="/rules/minnows?from=a-link#scoring")
    assert stranger.window.url == f"{host.url}/rules/minnows?from=a-link#scoring"
    assert stranger.page.url == stranger.window.url
    stranger.page.locator("main.rules, main h1").first.wait_for()
    assert "innows" in stranger.page.locator("h1").first.inner_text()
    stranger.open("/no/such/page")
    assert stranger.page.locator("main h1").is_visible()
    assert stranger.page.locator("a[href$='/path/']").count()
    assert stranger.wrong == []
    stranger.context.close()


def test_an_address_where_no_site_is_gets_a_sentence(folder: Path, browser: Any) -> None:
    with hosted(folder) as host:
        lost = Person(browser, host)
        lost.page.goto(host.url.removesuffix(PATH) + "/any/404.html")
        lost.page.goto(host.url.removesuffix(PATH) + "/elsewhere/rules/minnows")
        lost.page.locator("#lost").wait_for()
        assert lost.page.locator("#lost [lang=fr]").is_visible()
        assert lost.wrong == []
        lost.context.close()


def test_a_running_game_goes_on_in_a_newer_version_and_its_record_is_opened_again(
    folder: Path, host: Host, browser: Any, tmp_path: Path
) -> None:
    visitor = Visitor(browser, host, language="fr")
    visitor.page.locator(".game-minnows form[action$='/play/minnows'] button").click()
    visitor.page.locator("main.table").wait_for()
    play(visitor)
    table, decision = visitor.window.url, visitor.decision
    assert version(visitor) == 0
    make_newer(folder / PATH.strip("/"))

    visitor.reload()  # the visitor comes back
    offer = visitor.window.locator("#news")
    use = offer.get_by_role("button", name="L’utiliser maintenant")
    use.wait_for()
    assert (visitor.window.url, visitor.decision) == (table, decision)
    play(visitor)  # and plays on in the old one
    decision = visitor.decision
    other = visitor.context.new_page()
    other.goto(host.url + "/", wait_until="commit")
    other.frame_locator("iframe").locator("html[data-ready]").wait_for(state="attached")
    use.click()
    offer.get_by_text("Fermez d’abord les autres fenêtres").wait_for()
    assert version(visitor) == 0
    other.close()

    with visitor.window.expect_navigation(wait_until="commit"):
        use.click()
    visitor.wait_for_page()
    assert version(visitor) == 1
    assert not offer.is_visible()
    assert (visitor.window.url, visitor.decision) == (table, decision)
    play(visitor)

    make_newer(folder / PATH.strip("/"))
    visitor.reload()
    offer.get_by_role("button", name="Plus tard").click()
    assert not offer.is_visible()
    assert version(visitor) == 1
    visitor.open("/")  # opened anew: nothing runs yet, so the newer one comes by itself
    assert version(visitor) == 2
    visitor.go(table.removeprefix(host.url))
    while visitor.wait():
        visitor.move()
    record = visitor.record(re.findall(r"/t/([\w-]{22})", table)[0])
    fairness.check(record)
    assert records.replay(record).over
    open_saved(visitor, record, tmp_path / "game.pelagos.json")
    assert visitor.wrong == []
    visitor.context.close()


def test_later_visits_start_from_pythons_memory_and_without_it_if_it_is_spoilt(
    folder: Path, browser: Any
) -> None:
    with hosted(folder) as host:
        visitor = Visitor(browser, host)
        assert not starts_from_memory(visitor)
        assert not visitor.window.evaluate(KEPT_MEMORY)
        visitor.window.locator("html[data-remembered]").wait_for(state="attached")
        assert visitor.window.evaluate(KEPT_MEMORY)
    visitor.open("/")
    assert starts_from_memory(visitor)
    visitor.page.locator(".game-minnows form[action$='/play/minnows'] button").click()
    visitor.page.locator("main.table").wait_for()
    play(visitor)
    decision = visitor.decision
    assert visitor.window.evaluate(SPOIL_MEMORY)
    visitor.reload()
    assert not starts_from_memory(visitor)
    assert visitor.decision == decision
    play(visitor)
    assert visitor.wrong == []
    visitor.context.close()


def test_pages_are_answered_while_a_bot_thinks(folder: Path, browser: Any) -> None:
    with hosted(folder) as host:
        visitor = Visitor(browser, host)
    [worker] = [worker for worker in visitor.window.workers if worker.url.endswith("/worker.js")]
    worker.evaluate(HOLD_THOUGHTS)
    visitor.go("/new/minnows?players=2")
    visitor.page.locator("select[name='seat1']").select_option(STRONG)
    visitor.page.locator("button.start").click()
    visitor.page.locator("main.table").wait_for()
    while not worker.evaluate("held.length"):  # a bot's choice, thought out and not yet told
        assert not visitor.over
        if visitor.page.locator("main[data-owes='1']").count():
            visitor.move()
        visitor.window.wait_for_timeout(50)
    number = visitor.page.locator("main").get_attribute("data-number")
    assert "innows" in visitor.fetch("/rules/minnows")
    assert visitor.page.locator("main").get_attribute("data-number") == number
    assert visitor.page.locator("main[data-owes='0']").count()
    worker.evaluate("holding = false; held.splice(0).forEach(tell => tell())")
    assert visitor.wait()
    visitor.move()
    assert visitor.wrong == []
    visitor.context.close()


def starts_from_memory(visitor: Visitor) -> bool:
    [worker] = [worker for worker in visitor.window.workers if worker.url.endswith("/worker.js")]
    return bool(worker.evaluate("performance.getEntriesByName('from memory').length"))


def play(visitor: Visitor) -> None:
    """A move, and the others' until the next."""
    visitor.wait()
    visitor.move()
    visitor.wait()


def version(visitor: Visitor) -> int:
    """How often the site was made newer that the visitor has."""
    return visitor.fetch("/shell.css").count(NEW_STYLE)


def open_saved(visitor: Visitor, record: dict[str, Any], file: Path) -> None:
    """All games are deleted, and one is opened from its file; what is none is refused."""
    visitor.go("/mine/delete")
    visitor.page.locator("main form .main").click()
    visitor.page.locator(".mine-none").wait_for()
    refused = "n'a pas été ouvert, et rien n'a changé"
    for content, shown in (
        ("[]", visitor.page.get_by_text(refused)),
        (json.dumps(record), visitor.page.locator(".mine-done")),
    ):
        file.write_text(content)
        visitor.page.locator("input[type=file]").set_input_files(file)
        visitor.page.get_by_role("button", name="L'ouvrir").click()
        shown.wait_for()
    visitor.page.locator(".mine-results .go a").click()
    visitor.page.locator("#replay").wait_for()


def make_newer(site: Path) -> None:
    """Change one of the site's files, and thus its version, as a new build does."""
    style, script = site / "shell.css", site / "service-worker.js"
    style.write_text(style.read_text() + NEW_STYLE)
    first, rest = script.read_text().split("\n", 1)
    files = json.loads(first.removeprefix("self.FILES = ").removesuffix(";"))
    files["version"] += "+"
    script.write_text(f"self.FILES = {json.dumps(files)};\n{rest}")

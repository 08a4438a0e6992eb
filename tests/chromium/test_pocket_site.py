"""`pelagos site` in Chromium, the network cut after the first visit: all that needs nobody else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from browser import SOAK
from pelagos.cli import app
from pelagos.engine import record as records
from pelagos.engine.game import games
from pelagos.pocket.build import build
from pelagos.tables import fairness
from pocketed import PATH, Visitor, hosted

FEW = 2
"""Moves at tables that aren't played to their end."""
SHORTEST = "minnows"
WHOLE = {"fr": SHORTEST, "en": "ecosystem"}
"""The game that is played to its end, by the reader's language; all are in the soak run."""
MOST_COMPRESSED = 8_000_000
WINDOWS: dict[str, dict[str, Any]] = {
    "fr": {"width": 390, "height": 664, "has_touch": True},
    "en": {},
}


def test_without_a_network(tmp_path: Path, browser: Any) -> None:
    weight = build(tmp_path / PATH.strip("/"), lambda step: None)
    assert weight.compressed <= MOST_COMPRESSED
    for language, window in WINDOWS.items():
        with hosted(tmp_path) as host:
            visitor = Visitor(browser, host, language=language, **window)
        visit(visitor, language, tmp_path)


def visit(visitor: Visitor, language: str, folder: Path) -> None:
    """All that the site offers, its host gone."""
    assert visitor.page.locator("html").get_attribute("lang") == language
    for game in games():
        visitor.go("/")
        visitor.page.locator(f".game-{game} form[action$='/play/{game}'] button").click()
        play(visitor, whole=SOAK or game == WHOLE[language])
        if visitor.over:
            accept_record(visitor, folder)
    over = finish_check(visitor)
    visitor.go(f"/t/{over}/replay?at=3&eyes=0")
    visitor.page.locator("#replay-on").click()
    visitor.page.locator("main[data-number='4']").wait_for(state="attached")
    if SOAK or WHOLE[language] == SHORTEST:
        let_coach_look(visitor, over)
    one_device(visitor)
    visitor.go("/")
    visitor.page.locator("form[action$='/daily'] button").click()
    play(visitor)
    visitor.go("/")
    visitor.page.locator("form[action*='/learn/'] button").first.click()
    visitor.page.locator(".teaches #view").wait_for()
    visitor.go("/")
    visitor.page.locator("a[href*='/pad/'], a[href*='/score/']").first.click()
    visitor.page.locator("#pad").wait_for()
    assert visitor.wrong == []
    visitor.context.close()


def play(visitor: Visitor, whole: bool = False) -> None:
    """A few moves, a reload, and more of them."""
    visitor.page.locator("#prompt").wait_for()
    visitor.page.locator("html[data-ready]").wait_for(state="attached")
    for _ in range(FEW):
        assert visitor.wait()
        visitor.move()
    if whole and visitor.wait():  # the others have moved
        decision, address = visitor.decision, visitor.window.url
        visitor.reload()
        assert visitor.window.url == address
        assert visitor.decision == decision
    while whole and visitor.wait():
        visitor.move()


def accept_record(visitor: Visitor, folder: Path) -> None:
    """The record of the game that is over, downloaded, is one that our commands take."""
    file = folder / f"game{records.SUFFIX}"
    with visitor.window.expect_download() as download:
        visitor.page.locator("#end a[href$='/record']").click()
    download.value.save_as(file)
    for command in ("verify", "replay"):
        done = CliRunner().invoke(app, [command, str(file)])
        assert done.exit_code == 0, done.output


def finish_check(visitor: Visitor) -> str:
    """The record of the game that is over is one that anybody can verify; which table it was."""
    visitor.go("/mine")
    link = visitor.page.locator("a[href*='/replay']").first.get_attribute("href")
    table = str(link).partition("/t/")[2].partition("/")[0]
    record = visitor.record(table)
    fairness.check(record)
    assert records.replay(record).over
    return table


def let_coach_look(visitor: Visitor, table: str) -> None:
    """The coach's rounds, to the last."""
    visitor.go(f"/t/{table}/coach")
    visitor.page.locator("form[method='post'][action$='/coach'] button").click()
    visitor.page.locator("#coach-step").wait_for(state="attached")
    visitor.page.locator(".coach-foot:not([data-running])").wait_for()
    assert visitor.page.locator(".coach-curve").is_visible()


def one_device(visitor: Visitor) -> None:
    """Two people before one screen."""
    visitor.go(f"/new/{SHORTEST}?players=2")
    visitor.page.locator("select[name='seat1']").select_option("here")
    assert not visitor.page.locator("option[value='open']").count()
    visitor.page.locator("button.start").click()
    visitor.page.locator("#prompt, .cover").first.wait_for()

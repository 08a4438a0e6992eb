"""The first start in a browser: the line appears, somebody waits, plays, and the line goes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from browser import PATIENCE, Site
from held import Held
from pelagos.bots import LADDER
from pelagos.engine.game import games
from pelagos.tables.compiling import RULES

GAME = "minnows"
BOTS = tuple(dict.fromkeys(creature.bot for creature in LADDER))


class ColdSite(Site):
    """A server for which nothing is compiled until it is let."""

    forked = False
    code = f"""
import sys
from pathlib import Path
sys.path[:0] = {sys.path!r}
from held import Held
from pelagos.tables import compiling
from pelagos.web.serve import serve
compiling.note = lambda step: None
cold = compiling.Compiling(Held(Path(sys.argv[2]) / "steps"), noted=False)
compiling.Compiling = lambda: cold
serve("127.0.0.1", int(sys.argv[1]), Path(sys.argv[2]) / "data")
"""


def test_the_line_appears_and_who_waits_goes_on_by_themselves(tmp_path: Path, browser: Any) -> None:
    (tmp_path / "steps").mkdir()
    held = Held(tmp_path / "steps")
    server = ColdSite(tmp_path, COMPILE_AHEAD="on").start()
    try:
        server.wait()
        page = browser.new_page(locale="en-GB", viewport={"width": 390, "height": 664})
        page.set_default_timeout(PATIENCE)
        page.goto(server.url)
        assert "First start" in page.locator("#compiling-text").inner_text()
        page.locator(f".game-{GAME} button.main").click()
        page.locator(f"[data-awaited='{GAME}']").wait_for()
        held.let(GAME, RULES)
        page.locator("#view").wait_for(state="attached")
        page.locator("#compiling.is-awaited", has_text="Puffin").wait_for()
        for game in games():
            for step in (RULES, *BOTS):
                held.let(game, step)
        page.locator("#compiling").wait_for(state="detached")
        page.close()
    finally:
        server.stop()

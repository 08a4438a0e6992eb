"""Pictures of the real pages, from fixed deals: `make pictures`.

The README's and the documents' go to `docs/pictures`; for every game three moments, at three
widths, light and dark, in both languages, go to `pictures`, which git ignores.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import uvicorn
from playwright.sync_api import BrowserContext, Page, sync_playwright
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from pelagos.bots import Budget, Player, decide
from pelagos.engine.game import find_game, games
from pelagos.tables import acts, tokens
from pelagos.tables.settings import Settings
from pelagos.tables.table import Table
from pelagos.web import daily, vendor
from pelagos.web.site import make_site

ROOT = Path(__file__).parent.parent
ALL, OURS = ROOT / "pictures", ROOT / "docs" / "pictures"
CHROMIUM = "/usr/bin/chromium"
SIZES = {390: 844, 1024: 768, 1440: 900}
MOMENTS = {"early": 0.12, "middle": 0.6, "end": 1.0}
NAMES = ("Mira", "Bo", "Théa", "Ewan", "Noor", "Zélie")
DAY = date(2026, 11, 15)
"""The day on the front page."""
HEAVIEST = 150_000
"""Bytes of a picture that is committed."""


class House:
    """The real server, on a data folder of its own, with tables laid from fixed deals."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        daily.today = lambda: DAY
        self.app = make_site(folder, Settings(limits=False, away=3600.0))
        config = uvicorn.Config(self.app, port=self.port, log_level="warning", access_log=False)
        self.server = uvicorn.Server(config)
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(self.server.serve())

    @contextmanager
    def opened(self) -> Iterator[House]:
        """The server, until it isn't needed any more."""
        self.thread.start()
        while not self.server.started:
            time.sleep(0.05)
        yield self
        self.server.should_exit = True
        self.thread.join()

    def ask(self, coroutine: Any) -> Any:
        """Something of the server's own loop."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result()

    @property
    def tables(self) -> Any:
        """The live tables."""
        return self.app.state.server.tables

    def lay(self, game: str, moves: list[tuple[int, str]], part: float) -> Table:
        """A table at which this part of a game has been played, and seat 0 is asked."""
        seats = [{"kind": "open"}] * find_game(game).default_players
        entries = acts.create(game, {"players": len(seats)}, seats, deal=f"pictures of {game}")
        table = self.ask(self.tables.create(entries)).table
        for seat in range(len(seats)):
            table = self.do(
                table,
                lambda now, seat=seat: acts.sit(now, seat, NAMES[seat], "", f"{seat}" * 20, False),
            )
        for number, (seat, move) in enumerate(moves):
            if part < 1 and number >= part * len(moves) and 0 in table.waiting:
                break
            table = self.do(
                table,
                lambda now, seat=seat, move=move, number=number: acts.move(
                    now, seat, None, [move], f"picture-{number}"
                ),
            )
        return table

    def do(self, table: Table, make: Any) -> Table:
        """Let something happen at a table."""
        done: Table = self.ask(self.tables.do(table.id, make)).table
        return done

    def cookies(self, *tables: Table) -> list[dict[str, str]]:
        """What lets a browser sit at seat 0 of these."""
        return [
            {
                "name": tokens.cookie_name(table.id, "0"),
                "value": self.tables.token(table, 0),
                "url": self.url,
            }
            for table in tables
        ]


def play(game: str) -> list[tuple[int, str]]:
    """A whole game, always the same: who moved, and how."""
    table = Table("x")
    for entry in acts.create(
        game, {"players": find_game(game).default_players}, None, deal=f"pictures of {game}"
    ):
        table.apply(entry)
    for seat in range(table.players):
        acts.sit(table, seat, NAMES[seat], "", f"{seat}" * 20, False)
    acts.settle(table)
    greedy = Player("greedy")
    moves: list[tuple[int, str]] = []
    match = table.match
    while match is not None and not match.over:
        seat = match.pending[0]
        action = decide(match, seat, greedy, Budget(simulations=1)).action
        move = match.position.write(seat, action)
        acts.move(table, seat, None, [move], f"picture-{len(moves)}")
        acts.settle(table)
        moves.append((seat, move))
        match = table.match
    return moves


def webp(page: Page, shot: bytes, quality: float = 0.86) -> bytes:
    """A screenshot, made small by the browser itself."""
    address: str = page.evaluate(
        """async ([data, quality]) => {
            const image = new Image();
            image.src = "data:image/png;base64," + data;
            await image.decode();
            const canvas = document.createElement("canvas");
            canvas.width = image.width; canvas.height = image.height;
            canvas.getContext("2d").drawImage(image, 0, 0);
            return canvas.toDataURL("image/webp", quality);
        }""",
        [base64.b64encode(shot).decode(), quality],
    )
    return base64.b64decode(address.partition(",")[2])


def sit_down(browser: Any, house: House, width: int, theme: str, language: str) -> BrowserContext:
    """A browser of this width, light or dark, in this language."""
    context: BrowserContext = browser.new_context(
        viewport={"width": width, "height": SIZES[width]},
        locale=language,
        color_scheme=theme,
        reduced_motion="reduce",
    )
    liked = json.dumps({"speed": 0, "motion": False})
    context.add_init_script(f"localStorage.setItem('pelagos-settings', '{liked}')")
    return context


def look(page: Page, address: str, whole: bool = False) -> bytes:
    """A screenshot, when the page is ready."""
    page.goto(address)
    page.locator("html[data-ready]").wait_for()
    page.evaluate("document.fonts.ready.then(() => true)")
    page.wait_for_timeout(250)
    return page.screenshot(full_page=whole)


def main() -> None:
    """Make them all, or those for the documents."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--docs", action="store_true", help="only those that are committed")
    parser.add_argument("games", nargs="*", help="only these games")
    asked = parser.parse_args()
    vendor.ensure()
    for game in list(games().values()):
        if not game.package.startswith("pelagos."):
            del games()[game.id]  # the tests' own game is on no picture
    which = [game for game in games() if not asked.games or game in asked.games]
    columns = (
        TextColumn("· {task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with (
        tempfile.TemporaryDirectory() as folder,
        House(Path(folder)).opened() as house,
        sync_playwright() as playwright,
        Progress(*columns) as bar,
    ):
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--headless=new", "--no-sandbox", "--disable-gpu"]
        )
        laid: dict[tuple[str, str], Table] = {}
        task = bar.add_task("playing the games", total=len(which) * len(MOMENTS))
        for game in which:
            moves = play(game)
            for moment, part in MOMENTS.items():
                laid[game, moment] = house.lay(game, moves, part)
                bar.advance(task)
        for_documents(browser, house, laid, bar)
        if not asked.docs:
            for_looking(browser, house, laid, bar)
        browser.close()


def for_documents(browser: Any, house: House, laid: dict[tuple[str, str], Table], bar: Any) -> None:
    """The front page and each table, small enough to be committed."""
    OURS.mkdir(parents=True, exist_ok=True)
    middles = {game: table for (game, moment), table in laid.items() if moment == "middle"}
    wide = sit_down(browser, house, 1440, "light", "en")
    phone = sit_down(browser, house, 390, "dark", "fr")
    shots = [("front", wide, "/")]
    shots += [(game, wide, f"/t/{table.id}?seat=0") for game, table in middles.items()]
    shots += [(f"{game}-phone", phone, f"/t/{table.id}?seat=0") for game, table in middles.items()]
    task = bar.add_task("pictures for the documents", total=len(shots))
    for name, context, path in shots:
        if path != "/":
            context.add_cookies(house.cookies(*middles.values()))
        page = context.new_page()
        shot = look(page, house.url + path)
        page.close()
        blank = wide.new_page()
        small = webp(blank, shot)
        blank.close()
        if len(small) > HEAVIEST:
            raise SystemExit(f"{name} has {len(small)} bytes; {HEAVIEST} are allowed.")
        (OURS / f"{name}.webp").write_bytes(small)
        bar.advance(task)
    wide.close()
    phone.close()


def for_looking(browser: Any, house: House, laid: dict[tuple[str, str], Table], bar: Any) -> None:
    """Every moment at every width, light and dark, in both languages."""
    ALL.mkdir(exist_ok=True)
    task = bar.add_task("pictures to look at", total=len(laid) * len(SIZES) * 4)
    for width in SIZES:
        for theme in ("light", "dark"):
            for language in ("en", "fr"):
                context = sit_down(browser, house, width, theme, language)
                context.add_cookies(house.cookies(*laid.values()))
                page = context.new_page()
                for (game, moment), table in laid.items():
                    shot = look(page, f"{house.url}/t/{table.id}?seat=0", whole=width == 390)
                    name = f"{game}-{moment}-{width}-{theme}-{language}.png"
                    (ALL / name).write_bytes(shot)
                    bar.advance(task)
                context.close()


if __name__ == "__main__":
    main()

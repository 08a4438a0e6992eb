"""Debian's Firefox plays: at a server's tables, and on the site without a server, its host gone."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

import bidi
from browser import LIKED, SOAK, Site, part_of
from pelagos.cli import app
from pelagos.engine.game import games
from pelagos.pocket.build import build
from pocketed import PATH, hosted

FEW = 3
"""Moves at tables that aren't played to their end."""
SHORTEST = "minnows"
WHOLE = tuple(games()) if SOAK else (SHORTEST,)
SETTINGS = json.dumps({"speed": 0, "motion": False})
LIT = "#act button.choice:not(.listed)"
PHONE = {"language": "fr", "width": 390, "height": 664}
LAPTOP = {"language": "en", "width": 1366, "height": 641}


@pytest.fixture(name="firefox", scope="module")
def _firefox() -> Iterator[bidi.Firefox]:
    with bidi.running() as firefox:
        yield firefox


class Player:
    """Somebody before a page, who chooses by chance among what is lit."""

    def __init__(self, page: bidi.Page, root: str) -> None:
        self.page = page
        self.root = root
        self.chance = random.Random(0)

    def go(self, path: str) -> None:
        self.page.go(self.root + path)
        self.page.wait("html[data-ready]")

    def begin(self, game: str) -> None:
        """One click on the front page."""
        self.page.click(f".game-{game} form[action$='/play/{game}'] button")
        self.page.wait("main.table #prompt")
        self.page.wait("html[data-ready]")

    @property
    def decision(self) -> str:
        return self.page.attribute("main", "data-decision")

    def wait(self) -> bool:
        """For a turn; False if the game is over."""
        self.page.wait("main[data-owes='1'], main[data-over='1']")
        return self.page.attribute("main", "data-over") != "1"

    def move(self) -> None:
        """Press something that is lit, and the button that commits it."""
        before = self.decision
        self.page.click(LIT, self.chance.randrange(self.page.count(LIT)))
        self.page.click("#go")
        self.page.wait(f"main:not([data-decision='{before}']), main[data-over='1']")

    def play(self, moves: int | None = None) -> None:
        """Some moves, or all of them."""
        while (moves is None or moves > 0) and self.wait():
            self.move()
            moves = None if moves is None else moves - 1

    def verify(self, folder: Path) -> None:
        """The record of the game that is over holds, for whoever has downloaded it."""
        self.page.wait("main[data-over='1'] #end a[href$='/record']")
        script = "() => fetch(document.querySelector('#end a[href$=\"/record\"]').href)"
        record = self.page.run(f"{script}.then(answer => answer.text())")
        file = folder / "game.json"
        file.write_text(record)
        verified = CliRunner().invoke(app, ["verify", str(file), "--json"])
        assert verified.exit_code == 0, verified.output
        assert json.loads(verified.output)["ok"] is True


def play_all(player: Player, folder: Path, firefox: bidi.Firefox) -> None:
    for game in games():
        player.go("/")
        player.begin(game)
        player.play(None if game in WHOLE else FEW)
        if game in WHOLE:
            player.verify(folder)
        assert firefox.wrong == []


def test_games_at_a_servers_tables(site: Site, firefox: bidi.Firefox, tmp_path: Path) -> None:
    page = firefox.open(**LAPTOP, script=LIKED % (SETTINGS, part_of(0)))
    page.go(site.url)
    play_all(Player(page, site.url), tmp_path, firefox)
    page.close()


def test_games_on_the_site_without_a_network(firefox: bidi.Firefox, tmp_path: Path) -> None:
    build(tmp_path / PATH.strip("/"), lambda step: None)
    window = firefox.open(**PHONE, script=LIKED % (SETTINGS, part_of(0)))
    with hosted(tmp_path) as host:
        window.go(f"{host.url}/")
        player = Player(window.frame(), host.url)
        player.page.wait("html[data-ready]")
    play_all(player, tmp_path, firefox)
    window.close()

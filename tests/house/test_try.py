"""The documentation's site carries Pelagos: “try it now” leads somewhere."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from conftest import SOAK
from pelagos.cli import app
from pelagos.engine.game import games
from places import ROOT

PAGES = {"index.md": "index.html", "index.fr.md": "index.fr/index.html"}


def target(page: str) -> str:
    """Where the page's button leads, from the documentation's own root."""
    [link] = re.findall(
        r'class="md-button[^"]*" href="([^"]+)"', (ROOT / "docs" / page).read_text()
    )
    return str((Path(PAGES[page]).parent / link).as_posix()).replace("index.fr/../", "")


def test_the_documentations_site_carries_our_own_games_alone(tmp_path: Path) -> None:
    [written] = re.findall(r"pelagos (site \$\(DOCS\)/try.*)", (ROOT / "Makefile").read_text())
    asked = written.replace("$(DOCS)", str(tmp_path)).split()
    done = CliRunner().invoke(app, asked)
    assert done.exit_code == 0, done.output
    site = tmp_path / "try"
    own = {game.id for game in games().values() if game.package.startswith("pelagos.")}
    assert set(json.loads((site / "site.json").read_text())["games"]) == own
    foreign = [path.name for path in site.rglob("*") if "minnows" in str(path.relative_to(site))]
    opened = gzip.decompress((site / "python.pack").read_bytes())
    names = json.loads(opened[4 : 4 + int.from_bytes(opened[:4], "little")])
    assert foreign + [name for name in names if "minnows" in name] == []
    assert set(games()) - own == {"minnows"}, "which is what could have come in"


def test_the_front_pages_lead_to_where_make_docs_puts_the_site() -> None:
    for page in PAGES:
        assert f"pelagos site $(DOCS)/{target(page)}" in (ROOT / "Makefile").read_text(), page
        assert not (ROOT / "docs" / f"{target(page)}.md").exists(), "a page has this address"


@pytest.mark.skipif(not SOAK, reason="builds the whole documentation")
def test_it_is_there_after_a_build(tmp_path: Path) -> None:
    command = ["make", "docs", f"DOCS={tmp_path}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    for page, built in PAGES.items():
        assert f'href="{"../" if "/" in built else ""}try/"' in (tmp_path / built).read_text()
        assert (tmp_path / target(page) / "index.html").is_file()
    shell = (tmp_path / "try" / "404.html").read_bytes()
    assert (tmp_path / "404.html").read_bytes() == shell

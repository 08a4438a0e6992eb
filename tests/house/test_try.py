"""The documentation's site carries Pelagos: “try it now” leads somewhere."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from conftest import SOAK
from places import ROOT

PAGES = {"index.md": "index.html", "index.fr.md": "index.fr/index.html"}


def target(page: str) -> str:
    """Where the page's button leads, from the documentation's own root."""
    [link] = re.findall(
        r'class="md-button[^"]*" href="([^"]+)"', (ROOT / "docs" / page).read_text()
    )
    return str((Path(PAGES[page]).parent / link).as_posix()).replace("index.fr/../", "")


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

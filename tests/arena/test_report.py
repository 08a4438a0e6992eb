"""The command and its report."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from arena.setting import QUICK, make_plan, pelagos, played
from pelagos.arena.host import host
from pelagos.arena.plan import Entrant, Plan
from pelagos.arena.report import report
from pelagos.arena.standings import compute_standings


def test_the_command_prints_json_and_writes_a_report(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    command = pelagos(
        *f"arena ecosystem random greedy --players 2 --games 4 --report {page}".split(),
        *("--budget", "1sims", "--json", "--no-times"),
    )
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    data = json.loads(done.stdout)
    assert data["games"] == 4
    assert "ms_per_decision" not in data["bots"]["greedy"]
    assert "greedy" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("players", [1, 2, 3])
def test_the_report_needs_nothing_from_outside(players: int) -> None:
    standings, _ = host(make_plan("random", "greedy", players=players), 6)
    page = report(standings)
    assert not re.search(r"https?://|<script|<link|@import|url\(", page)
    assert "prefers-color-scheme: dark" in page
    assert "$" not in page.partition("</style>")[2]
    drawings = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert len(drawings) >= 4
    for drawing in drawings:
        ElementTree.fromstring(drawing)
        assert "nan" not in drawing
    for name in ("random", "greedy"):
        assert name in page


def test_a_bots_name_is_text_in_the_report() -> None:
    entrants = (Entrant("<i>one", "random", QUICK), Entrant("two", "random", QUICK))
    plan = Plan("ecosystem", {"players": 2}, "0", entrants)
    page = report(compute_standings(plan, [played(0, ["<i>one", "two"], [1, 2], [1])]))
    assert "&lt;i&gt;one" in page
    assert "<i>" not in page

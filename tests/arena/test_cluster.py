"""A tournament on a Ray cluster."""

from __future__ import annotations

import subprocess
import sys

import pytest

from arena.setting import as_text, make_plan
from conftest import SOAK
from pelagos.arena import workers
from pelagos.arena.host import host
from pelagos.engine.errors import PelagosError


def test_without_ray_a_cluster_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    plan = make_plan("random")
    with pytest.raises(PelagosError, match=r"pelagos\[cluster\]"), workers.cluster(plan):
        pass


def test_a_local_ray_plays_the_same_to_the_byte() -> None:
    if not SOAK:
        pytest.importorskip("ray")
    plan = make_plan("random", "greedy", seed="ray")
    code = (
        "import json, sys\n"
        "from pelagos.arena.host import host\n"
        "from pelagos.arena.plan import Plan\n"
        "from pelagos.bots import Budget\n"
        "from pelagos.engine.game import find_game\n"
        "plan = Plan.make(find_game('ecosystem'), {'players': 2}, 'ray', ['random', 'greedy'],\n"
        "                 Budget.parse('5sims'))\n"
        "found, left = host(plan, 6, on_cluster=True)\n"
        "print(json.dumps(found.as_json(times=False)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.strip().splitlines()[-1] == as_text(host(plan, 6)[0])

"""On a machine with a GPU and torch (`make gpu`): an agent learns to beat a bot in minutes."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))


def test_an_agent_learns_to_beat_greedy(tmp_path: Path) -> None:
    import ppo

    share, lower = ppo.train(ppo.parse(["--minutes", "4", "--out", str(tmp_path)]))
    assert lower > 0.5
    assert share > 0.6
    assert (tmp_path / "curve.csv").exists()

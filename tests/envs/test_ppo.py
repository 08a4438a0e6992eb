"""Where torch is installed: the example's agent learns on a CPU, too."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
UPDATES = 8
DEALS = 100


def test_an_agent_learns_on_a_cpu() -> None:
    """After so many updates it wins most games against a player that has learnt nothing, and more
    than it did before them.
    """
    torch = pytest.importorskip("torch")
    import ppo

    torch.manual_seed(1)
    options = ppo.parse(["--device", "cpu", "--opponent", "random"])
    table = ppo.Table(options, 128, ppo.SEAT, seed="learn", rewards="margin")
    agent = ppo.Agent(table.observations.shape[1], table.masks.shape[1], width=128)
    optimizer = torch.optim.Adam(agent.parameters(), 1e-3, eps=1e-5)
    before, _ = ppo.judge(agent, options, DEALS)
    for _ in range(UPDATES):
        with torch.no_grad():
            kept = ppo.collect(agent, table, options.steps)
        ppo.learn(agent, optimizer, kept, options.epochs, 1024)
    _, at_least = ppo.judge(agent, options, DEALS)
    assert at_least > 0.5
    assert at_least > before

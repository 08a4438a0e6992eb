"""An agent that learns a game by PPO, in one file: `python examples/ppo.py --minutes 4`.

It plays thousands of games at once against a house bot (`pelagos.Batch`), on a GPU if there is one:
rules, observations, choices and learning all stay there. It needs torch beside Pelagos.
Every tenth of the time it is judged in mirrored games against the bot: each deal is played twice,
with the seats changed. The folder `--out` gets the curve and the weights.
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path

import torch
from torch import nn

from pelagos import Batch

SEAT = 0
GAMMA, LAMBDA = 1.0, 0.95
CLIP, VALUE_WEIGHT, ENTROPY = 0.2, 0.5, 0.01
POINTS = 0.05
"""A reward of 1 is a lead of twenty points."""


class Agent(nn.Module):
    """One body, two heads: how good each action is, and how good the position."""

    def __init__(self, columns: int, actions: int, width: int = 512) -> None:
        """`columns` is how many numbers are seen."""
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(columns, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.policy, self.value = nn.Linear(width, actions), nn.Linear(width, 1)
        for layer, gain in ((self.policy, 0.01), (self.value, 1.0)):
            nn.init.orthogonal_(layer.weight, gain)
            nn.init.zeros_(layer.bias)

    def forward(
        self, seen: torch.Tensor, masks: torch.Tensor
    ) -> tuple[torch.distributions.Categorical, torch.Tensor]:
        """What to do, among what is legal, and what to expect."""
        hidden = self.body(seen)
        logits = self.policy(hidden).float().masked_fill(~masks, -1e9)
        return torch.distributions.Categorical(logits=logits), self.value(hidden).float()[:, 0]


class Table:
    """A batch whose arrays torch reads where they are."""

    def __init__(self, options: argparse.Namespace, count: int, seat: int, **more: object) -> None:
        """`count` games at once; the agent has this seat in all of them."""
        device = "gpu" if options.device == "cuda" else "cpu"
        self.batch = Batch(
            options.game,
            count,
            players=options.players,
            device=device,
            observe="float32",
            learners=(seat,),
            opponents=options.opponent,
            **more,
        )
        for name in ("seats", "observations", "masks", "rewards", "ended", "won"):
            array = getattr(self.batch, name)
            setattr(self, name, torch.as_tensor(array, device=options.device))


def collect(agent: Agent, table: Table, steps: int) -> dict[str, torch.Tensor]:
    """So many decisions in every game, with what came of them."""
    kept: dict[str, list[torch.Tensor]] = {
        name: [] for name in ("seen", "masks", "actions", "likely", "values", "rewards", "ended")
    }
    for _ in range(steps):
        choice, value = agent(table.observations, table.masks)
        action = choice.sample()
        for name, now in (
            ("seen", table.observations.clone(memory_format=torch.contiguous_format)),
            ("masks", table.masks.clone(memory_format=torch.contiguous_format)),
            ("actions", action),
            ("likely", choice.log_prob(action)),
            ("values", value),
        ):
            kept[name].append(now)
        table.batch.step(action if action.is_cuda else action.numpy())
        kept["rewards"].append(POINTS * table.rewards[:, SEAT])
        kept["ended"].append(table.ended > 0)
    _, value = agent(table.observations, table.masks)
    kept["values"].append(value)
    return {name: torch.stack(now) for name, now in kept.items()}


def advantages(kept: dict[str, torch.Tensor]) -> torch.Tensor:
    """How much better than expected each decision was (GAE)."""
    goes_on = (~kept["ended"]).float()
    rewards, values = kept["rewards"], kept["values"]
    better = torch.zeros_like(rewards)
    carried = torch.zeros_like(rewards[0])
    for step in reversed(range(len(rewards))):
        surprise = rewards[step] + GAMMA * values[step + 1] * goes_on[step] - values[step]
        carried = better[step] = surprise + GAMMA * LAMBDA * goes_on[step] * carried
    return better


def learn(
    agent: Agent,
    optimizer: torch.optim.Optimizer,
    kept: dict[str, torch.Tensor],
    epochs: int,
    size: int,
) -> None:
    """Some epochs of clipped policy steps over what was collected."""
    better = advantages(kept)
    flat = {name: kept[name].flatten(0, 1) for name in ("seen", "masks", "actions", "likely")}
    goals = (better + kept["values"][:-1]).flatten()
    better = better.flatten()
    count = len(goals)
    for _ in range(epochs):
        for some in torch.randperm(count, device=goals.device).split(size):
            with torch.autocast(goals.device.type, torch.bfloat16):
                choice, value = agent(flat["seen"][some], flat["masks"][some])
            ratio = (choice.log_prob(flat["actions"][some]) - flat["likely"][some]).exp()
            gain = better[some]
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            clipped = torch.minimum(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain)
            error = (value - goals[some]).square()
            loss = VALUE_WEIGHT * error.mean() - clipped.mean() - ENTROPY * choice.entropy().mean()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()


@torch.no_grad()
def judge(agent: Agent, options: argparse.Namespace, deals: int) -> tuple[float, float]:
    """The share of mirrored games won, and the lower end of its 95 % interval, by deal."""
    shares = torch.zeros(deals)
    for seat in range(options.players):
        table = Table(options, deals, seat, seed="judge", reset=False)
        while (table.seats >= 0).any():
            choice, _ = agent(table.observations, table.masks)
            action = choice.probs.argmax(1)
            table.batch.step(action if action.is_cuda else action.numpy())
        won = table.won.cpu().int()
        sharing = sum((won >> other) & 1 for other in range(options.players))
        shares += ((won >> seat) & 1) / sharing / options.players
    mean = shares.mean().item()
    return mean, mean - 1.96 * shares.std().item() / deals**0.5


def train(options: argparse.Namespace) -> tuple[float, float]:
    """Learn for the time given; return the last judgement."""
    torch.manual_seed(options.seed)
    torch.set_float32_matmul_precision("high")
    table = Table(options, options.games, SEAT, seed=f"ppo/{options.seed}", rewards="margin")
    agent = Agent(table.observations.shape[1], table.masks.shape[1]).to(options.device)
    optimizer = torch.optim.Adam(agent.parameters(), options.rate, eps=1e-5)
    options.out.mkdir(parents=True, exist_ok=True)
    with (options.out / "curve.csv").open("w", newline="") as file:
        curve = csv.writer(file)
        curve.writerow(("seconds", "decisions", "share", "lower"))
        judge(agent, options, 2)  # compiles what must be compiled
        start, decisions, judged = time.perf_counter(), 0, -1.0
        while True:
            spent = (time.perf_counter() - start) / (60 * options.minutes)
            if spent >= judged + 0.1 or spent >= 1:
                judged = spent
                share, lower = judge(agent, options, options.deals)
                seconds = time.perf_counter() - start
                curve.writerow((round(seconds, 1), decisions, share, lower))
                file.flush()
                print(
                    f"{seconds:6.0f} s {decisions / 1e6:8.1f} M decisions: {share:.1%} of the wins "
                    f"against {options.opponent} (at least {lower:.1%})",
                    flush=True,
                )
            if spent >= 1:
                break
            for group in optimizer.param_groups:
                group["lr"] = options.rate * (1 - spent)
            with torch.no_grad():
                kept = collect(agent, table, options.steps)
            learn(agent, optimizer, kept, options.epochs, options.minibatch)
            decisions += options.games * options.steps
    torch.save(agent.state_dict(), options.out / "agent.pt")
    return share, lower


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """What to train, and how."""
    gpu = torch.cuda.is_available()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="ecosystem")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--opponent", default="greedy")
    parser.add_argument("--minutes", type=float, default=4)
    parser.add_argument("--device", default="cuda" if gpu else "cpu", choices=("cuda", "cpu"))
    parser.add_argument("--games", type=int, default=8192 if gpu else 128, help="at once")
    parser.add_argument("--steps", type=int, default=32, help="decisions a game between updates")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--minibatch", type=int, default=16384 if gpu else 1024)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--deals", type=int, default=500, help="each judged from every seat")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("ppo"))
    return parser.parse_args(arguments)


if __name__ == "__main__":
    train(parse())

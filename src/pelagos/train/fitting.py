"""Fitting a network to rows: with NumPy anywhere, with torch (the extra `train`) on a GPU."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from pelagos.engine.network import HEADS, Floats
from pelagos.engine.types import Array
from pelagos.train.self_play import Rows

HELD_OUT = 20
"""One game of so many is held out, to see how far off the network is."""
DECAYS = 0.9, 0.999
TINY = 1e-8
WARM_UP = 100
"""Steps until the full rate is reached."""
LAST_RATE = 0.02
"""Of the rate, what is left of it at the end."""


@dataclass
class Norms:
    """Between what games count and what a network learns best."""

    features: Array
    mean: Array
    spread: Array

    @classmethod
    def of(cls, rows: Rows) -> Norms:
        """As these rows are spread."""
        step = max(1, len(rows.features) // 100_000)
        sample = rows.features[::step].astype(np.float32)
        size = np.sqrt((sample**2).mean(0))
        features = np.clip(1 / np.maximum(size, 0.05), 0.02, 4.0).astype(np.float32)
        spread = np.maximum(rows.targets.std(0), 1.0)
        return cls(features, rows.targets.mean(0), spread)


def new_weights(norms: Norms, hidden: int, inner: int, seed: int = 0) -> Floats:
    """Weights that say next to nothing."""
    rng = np.random.default_rng(seed)
    rows = len(norms.features)

    def drawn(inputs: int, shape: tuple[int, int], size: float = 1.0) -> Array:
        spread = size * np.sqrt(2 / inputs)
        return rng.normal(0, spread, shape).astype(np.float32)

    return Floats(
        drawn(rows, (rows, hidden), 0.7) * norms.features[:, None],
        np.zeros(hidden, np.float32),
        drawn(hidden, (hidden, inner)),
        np.zeros(inner, np.float32),
        drawn(inner, (inner, HEADS), 0.3) * norms.spread.astype(np.float32),
        norms.mean.astype(np.float32),
    )


def _scaled(weights: Floats, norms: Norms) -> list[Array]:
    """As they are learnt: features and targets of about the same size."""
    first, bias, second, second_bias, third, third_bias = weights
    spread = norms.spread
    return [
        first / norms.features[:, None],
        bias.copy(),
        second.copy(),
        second_bias.copy(),
        (third / spread).astype(np.float32),
        ((third_bias - norms.mean) / spread).astype(np.float32),
    ]


def _unscaled(weights: list[Array], norms: Norms) -> Floats:
    first, bias, second, second_bias, third, third_bias = weights
    return Floats(
        first * norms.features[:, None],
        bias,
        second,
        second_bias,
        third * norms.spread.astype(np.float32),
        (third_bias * norms.spread + norms.mean).astype(np.float32),
    )


@dataclass(frozen=True)
class Course:
    """What is learnt from, and how."""

    norms: Norms
    rounds: list[Rows]
    steps: int
    batch: int
    rate: float
    seed: int
    device: str

    def rates(self) -> Iterator[float]:
        """How far each step goes: less at first, and towards the end."""
        for step in range(self.steps):
            falling = LAST_RATE + (1 - LAST_RATE) * 0.5 * (1 + np.cos(np.pi * step / self.steps))
            yield float(self.rate * min(1.0, (step + 1) / WARM_UP) * falling)

    def learnt_from(self) -> list[Array]:
        """The rows of each round that aren't held out."""
        return [np.flatnonzero(rows.games % HELD_OUT != 0) for rows in self.rounds]

    def picked(self, places: list[Any], draw: Callable[[int, int], Any]) -> list[Any]:
        """Some of these rows for a step, of each round its share; `draw`: so many below a number,
        by lot.
        """
        total = sum(map(len, places))
        return [own[draw(len(own), max(1, self.batch * len(own) // total))] for own in places]


def fit(
    weights: Floats,
    norms: Norms,
    rounds: list[Rows],
    *,
    steps: int,
    batch: int,
    rate: float,
    seed: int,
    device: str = "cpu",
) -> tuple[Floats, Array]:
    """Fitted weights, and how far off they are on games held out: root mean squares, by head."""
    course = Course(norms, rounds, steps, batch, rate, seed, device)
    learn = _torch_fit if device != "cpu" else _numpy_fit
    fitted = _unscaled(learn(_scaled(weights, norms), course), norms)
    return fitted, errors(fitted, rounds[-1])


def errors(weights: Floats, rows: Rows, most: int = 100_000) -> Array:
    """How far off the network is on the games held out."""
    held = np.flatnonzero(rows.games % HELD_OUT == 0)[:most]
    off = predicted(weights, rows.features[held]) - rows.targets[held]
    return np.asarray(np.sqrt((off**2).mean(0)), np.float64)


def predicted(weights: Floats, features: Array) -> Array:
    """What a network says, in floats."""
    first, bias, second, second_bias, third, third_bias = weights
    hidden = np.maximum(features.astype(np.float32) @ first + bias, 0)
    inner = np.maximum(hidden @ second + second_bias, 0)
    return np.asarray(inner @ third + third_bias)


def _numpy_fit(weights: list[Array], course: Course) -> list[Array]:
    rng = np.random.default_rng(course.seed)
    norms, rounds, places = course.norms, course.rounds, course.learnt_from()
    weights = [np.ascontiguousarray(part, np.float32) for part in weights]
    slow = [(np.zeros_like(part), np.zeros_like(part)) for part in weights]
    for step, now in enumerate(course.rates(), start=1):
        picks = course.picked(places, lambda below, count: rng.integers(0, below, count))
        features = np.concatenate(
            [rows.features[pick] for rows, pick in zip(rounds, picks, strict=True)]
        ).astype(np.float32)
        features *= norms.features
        goal = np.concatenate(
            [rows.targets[pick] for rows, pick in zip(rounds, picks, strict=True)]
        )
        slopes = _slopes(weights, features, (goal - norms.mean) / norms.spread)
        first, second = (1 - decay**step for decay in DECAYS)
        for part, slope, (mean, square) in zip(weights, slopes, slow, strict=True):
            mean += (1 - DECAYS[0]) * (slope - mean)
            square += (1 - DECAYS[1]) * (slope * slope - square)
            part -= now * (mean / first) / (np.sqrt(square / second) + TINY)
    return weights


def _slopes(weights: list[Array], features: Array, goal: Array) -> list[Array]:
    """The squared error's slope along each weight."""
    first, bias, second, second_bias, third, third_bias = weights
    hidden = np.maximum(features @ first + bias, 0)
    inner = np.maximum(hidden @ second + second_bias, 0)
    off = ((inner @ third + third_bias - goal) * (2 / goal.size)).astype(np.float32)
    back_inner = (off @ third.T) * (inner > 0)
    back_hidden = (back_inner @ second.T) * (hidden > 0)
    return [
        features.T @ back_hidden,
        back_hidden.sum(0),
        hidden.T @ back_inner,
        back_inner.sum(0),
        inner.T @ off,
        off.sum(0),
    ]


def has_torch() -> bool:
    """Is the extra `train` installed?"""
    return find_spec("torch") is not None


def _torch_fit(weights: list[Array], course: Course) -> list[Array]:
    torch: Any = import_module("torch")
    torch.manual_seed(course.seed)
    torch.set_float32_matmul_precision("high")
    norms, rounds, device = course.norms, course.rounds, course.device
    places = [torch.as_tensor(own, device=device) for own in course.learnt_from()]
    features = [torch.as_tensor(rows.features, device=device) for rows in rounds]
    mean, spread, scale = (
        torch.as_tensor(part, dtype=torch.float32, device=device)
        for part in (norms.mean, norms.spread, norms.features)
    )
    goals = [(torch.as_tensor(rows.targets, device=device) - mean) / spread for rows in rounds]
    parts = [torch.tensor(part, device=device, requires_grad=True) for part in weights]
    first, bias, second, second_bias, third, third_bias = parts
    adam = torch.optim.Adam(parts, lr=course.rate, betas=DECAYS, eps=TINY)
    for now in course.rates():
        adam.param_groups[0]["lr"] = now
        picks = course.picked(
            places, lambda below, count: torch.randint(below, (count,), device=device)
        )
        batch_of = [part[pick] for part, pick in zip(features, picks, strict=True)]
        goal = torch.cat([part[pick] for part, pick in zip(goals, picks, strict=True)])
        hidden = torch.relu((torch.cat(batch_of).float() * scale) @ first + bias)
        inner = torch.relu(hidden @ second + second_bias)
        loss = ((inner @ third + third_bias - goal) ** 2).mean()
        adam.zero_grad(set_to_none=True)
        loss.backward()
        adam.step()
    return [part.detach().cpu().numpy() for part in parts]

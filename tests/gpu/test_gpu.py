"""On a machine with a GPU (`make gpu`): the same games, to the last byte."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pelagos.engine.batch import DEVICES, OBSERVED, Batch
from pelagos.engine.game import Game
from pelagos.engine.gpu import why_not
from pelagos.engine.turns import Shown

GAMES = 10_000


def test_there_is_a_gpu() -> None:
    assert why_not() == ""


def test_a_gpu_plays_the_same_games(game: Game, options: dict[str, Any]) -> None:
    cpu = Batch(game, GAMES, seed="gpu", **options)
    gpu = Batch(game, GAMES, seed="gpu", device="gpu", **options)
    assert (cpu.play_out() == gpu.play_out()).all()
    assert cpu.states.tobytes() == gpu.states.tobytes()
    assert (cpu.won == gpu.won).all()
    assert (cpu.lengths == gpu.lengths).all()


@pytest.mark.parametrize("observe", OBSERVED)
def test_a_gpu_steps_through_the_same_games(game: Game, observe: str) -> None:
    """Every byte that a learner is shown, over several games a slot."""
    cpu, gpu = (
        Batch(game, 64, seed="steps", observe=observe, finals=True, check=False, device=device)
        for device in DEVICES
    )
    choices = np.random.default_rng(1)
    for _ in range(300):
        for name in Shown._fields:
            assert getattr(gpu, name).copy_to_host().tobytes() == getattr(cpu, name).tobytes("F")
        actions = (cpu.masks * choices.random(cpu.masks.shape)).argmax(axis=1)
        actions[choices.random(64) < 0.002] = -1
        cpu.step(actions)
        gpu.step(actions)
    assert cpu.states.tobytes() == gpu.states.tobytes()
    assert (cpu.numbers == gpu.numbers).all()


def test_a_gpu_works_on_the_callers_stream(game: Game) -> None:
    torch = pytest.importorskip("torch")
    stream = torch.cuda.Stream()
    cpu, gpu = (
        Batch(game, 64, seed="stream", observe="raw", check=False, **more)
        for more in ({}, {"device": "gpu", "stream": stream})
    )
    choices = np.random.default_rng(2)
    with torch.cuda.stream(stream):
        masks = torch.from_dlpack(gpu.masks)
        for _ in range(200):
            actions = (cpu.masks * choices.random(cpu.masks.shape)).argmax(axis=1)
            cpu.step(actions)
            gpu.step(torch.as_tensor(actions, device="cuda"))
            assert (masks.cpu().numpy() == cpu.masks).all()
    assert gpu.observations.copy_to_host().tobytes() == cpu.observations.tobytes("F")
    assert cpu.states.tobytes() == gpu.states.tobytes()

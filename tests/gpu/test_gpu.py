"""On a machine with a GPU (`make gpu`): the same games, to the last byte."""

from __future__ import annotations

from typing import Any

import numpy as np

from pelagos.engine.batch import Batch
from pelagos.engine.game import Game
from pelagos.engine.gpu import why_not

GAMES = 10_000


def test_there_is_a_gpu() -> None:
    assert why_not() == ""


def test_a_gpu_plays_the_same_games(game: Game, options: dict[str, Any]) -> None:
    cpu = Batch(game, GAMES, seed="gpu", **options)
    gpu = Batch(game, GAMES, seed="gpu", device="gpu", **options)
    assert (cpu.play_out() == gpu.play_out()).all()
    assert cpu.states.tobytes() == gpu.fetch().tobytes()
    assert (cpu.won == gpu.won).all()
    assert (cpu.lengths == gpu.lengths).all()


def test_a_gpu_steps_through_the_same_games(game: Game) -> None:
    cpu = Batch(game, 64, seed="steps")
    gpu = Batch(game, 64, seed="steps", device="gpu")
    choices = np.random.default_rng(1)
    for batch in (cpu, gpu):
        batch.mark()
    for _ in range(150):
        assert (cpu.masks == gpu.masks).all()
        assert (cpu.seats == gpu.seats).all()
        actions = (cpu.masks * choices.random(cpu.masks.shape)).argmax(axis=1)
        assert (cpu.step(actions, reset=True) == gpu.step(actions, reset=True)).all()
    assert cpu.fetch().tobytes() == gpu.fetch().tobytes()

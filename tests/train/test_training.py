"""Training goes on where it stopped, and what it writes can be played."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from pelagos.bots.learned import Learned
from pelagos.bots.networks import read
from pelagos.cli import app
from pelagos.cli.train import read_numbers
from pelagos.engine.errors import BadOption
from pelagos.engine.game import find_game
from pelagos.engine.network import Floats
from pelagos.train.curve import read_rows
from pelagos.train.fitting import Norms, errors, fit, new_weights, predicted
from pelagos.train.self_play import Rows

SMALL = "--games 24 --steps 40 --batch 128 --deals 4 --hidden 8 --inner 4 --threads 2 --minutes 0"
LEANING = "--trace 0.9"
"""On what the network said of next decisions."""


def test_a_run_goes_on_from_its_folder_and_its_network_plays(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    command = ["train", "oceanide", "--players", "2", "--out", str(folder)]
    command += [*SMALL.split(), *LEANING.split()]
    for rounds in (1, 2):
        result = CliRunner().invoke(app, command)
        assert result.exit_code == 0, result.output
        assert f"round {rounds}: {24 * rounds} games in all" in result.output
    curve = read_rows(folder / "curve.csv")
    assert [row["games"] for row in curve] == [24, 48]
    assert (folder / "curve.svg").read_text().startswith("<svg")
    game = find_game("oceanide")
    networks = read((folder / "network.npz").read_bytes(), game)
    (trained,) = networks.trained
    assert trained.players == (2,)
    assert trained.about["games"] == 48
    assert trained.about["recipe"]["seed"] == "train"
    assert Learned(trained).name == "learned"


def test_the_same_seed_learns_the_same(tmp_path: Path) -> None:
    written = []
    for folder in (tmp_path / "first", tmp_path / "second"):
        command = ["train", "oceanide", "-p", "2", "--out", str(folder), *SMALL.split()]
        assert CliRunner().invoke(app, command).exit_code == 0
        with np.load(folder / "training.npz") as arrays:
            written.append(arrays["weights.first"])
    assert (written[0] == written[1]).all()


def test_fitting_finds_what_the_rows_say() -> None:
    """Own points: three times the first feature and the second's square; the other's: 50."""
    rng = np.random.default_rng(1)
    features = rng.integers(0, 5, (4_000, 6)).astype(np.int8)
    own = 3.0 * features[:, 0] + features[:, 1].astype(float) ** 2
    targets = np.stack([own, np.full(4_000, 50.0)], 1).astype(np.float32)
    rows = Rows(features, targets, np.arange(4_000))
    norms = Norms.of(rows)
    weights, off = fit(
        new_weights(norms, 16, 8), norms, [rows], steps=600, batch=256, rate=1e-2, seed=1
    )
    assert isinstance(weights, Floats)
    assert off[0] < 0.5 < targets.std(0)[0] / 5
    assert (off == errors(weights, rows)).all()
    assert abs(predicted(weights, features[:5])[:, 1] - 50).max() < 1


def test_numbers_of_players_are_read_as_they_are_written() -> None:
    game = find_game("ecosystem")
    assert read_numbers(game, "") == (1, 2, 3, 4, 5, 6)
    assert read_numbers(game, "2-4,1") == (2, 3, 4, 1)
    for wrong in ("two", "2-", "9"):
        with pytest.raises(BadOption):
            read_numbers(game, wrong)

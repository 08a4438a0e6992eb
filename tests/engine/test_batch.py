"""Many games in one array give what single games give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pelagos.arena.simulate import random_match
from pelagos.engine.batch import Batch
from pelagos.engine.errors import PelagosError
from pelagos.engine.game import Game
from pelagos.engine.pack import default_pack


def test_a_batch_plays_the_games_that_matches_play(game: Game, options: dict[str, Any]) -> None:
    batch = Batch(game, 12, seed="same", first=3, **options)
    scores = batch.play_out()
    for index in range(batch.count):
        match = random_match(game, default_pack(game), options, "same", 3 + index)
        assert match.position.states.tobytes() == batch.states[index].tobytes()
        assert match.scores == scores[index].tolist()
        assert match.winners == [s for s in range(match.players) if batch.won[index] >> s & 1]
        moves = [entry for entry in match.history if entry.seat >= 0]
        assert len(moves) == batch.lengths[index]


def test_threads_change_nothing(game: Game, options: dict[str, Any]) -> None:
    one = Batch(game, 50, seed=1, **options)
    many = Batch(game, 50, seed=1, threads=3, **options)
    assert (one.play_out() == many.play_out()).all()
    assert one.states.tobytes() == many.states.tobytes()


def test_stepping_plays_whole_games_and_deals_new_ones(game: Game, options: dict[str, Any]) -> None:
    choices = np.random.default_rng(4)
    batch = Batch(game, 6, seed="steps", threads=2, **options)
    batch.mark()
    ended = 0
    while ended < 12:
        chosen = (batch.masks * choices.random(batch.masks.shape)).argmax(axis=1)
        over = batch.step(chosen, reset=True)
        ended += int(over.sum())
        assert (batch.seats >= 0).all()
    assert batch.next == 6 + ended


def test_without_a_reset_finished_games_stay_finished(game: Game) -> None:
    choices = np.random.default_rng(5)
    batch = Batch(game, 3, seed="stop")
    batch.mark()
    while (batch.seats >= 0).any():
        batch.step((batch.masks * choices.random(batch.masks.shape)).argmax(axis=1))
    assert not batch.step(np.zeros(3)).any()
    for index in range(3):
        assert batch.position(index).scores == batch.totals[index].tolist()


def test_an_illegal_action_is_refused_and_nothing_moves(game: Game) -> None:
    batch = Batch(game, 2)
    batch.mark()
    before = batch.states.tobytes()
    wrong = np.array([int(np.flatnonzero(~batch.masks[0])[0]), 0])
    with pytest.raises(PelagosError, match="isn't legal for seat"):
        batch.step(wrong)
    with pytest.raises(PelagosError, match="one a game"):
        batch.step(np.zeros(3))
    assert batch.states.tobytes() == before


def test_wrong_batches_are_refused() -> None:
    with pytest.raises(PelagosError, match="at least one game"):
        Batch("ecosystem", 0)
    with pytest.raises(PelagosError, match="device"):
        Batch("ecosystem", 1, device="abacus")

"""Many games in one object give what single games give."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

from pelagos.arena.simulate import random_match
from pelagos.engine.batch import Batch
from pelagos.engine.dlpack import CPU, Lent, _kept
from pelagos.engine.errors import PelagosError
from pelagos.engine.game import Game
from pelagos.engine.match import Match
from pelagos.engine.pack import default_pack
from pelagos.engine.rewards import REWARDS
from pelagos.engine.rule import INTERPRETED
from pelagos.engine.stream import seed_of
from pelagos.engine.types import Array


def drawn(masks: Array, choices: np.random.Generator) -> Array:
    """A legal action of each game, by lot."""
    return (masks * choices.random(masks.shape)).argmax(axis=1)


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
    alone = Batch(game, 50, seed=1, **options)
    several = Batch(game, 50, seed=1, threads=3, **options)
    assert (alone.play_out() == several.play_out()).all()
    assert alone.states.tobytes() == several.states.tobytes()


def test_steps_are_the_moves_of_matches(game: Game, options: dict[str, Any]) -> None:
    """Every seat, mask, observation, reward and ending, over several games a slot."""
    choices = np.random.default_rng(4)
    batch = Batch(game, 3, seed="steps", threads=2, observe="raw", finals=True, **options)
    matches = [Match.new(game, seed=seed_of("steps", slot), **options) for slot in range(3)]
    ended = 0
    while ended < 4:
        actions = drawn(batch.masks, choices)
        for slot, match in enumerate(matches):
            seat = match.pending[0]
            assert batch.seats[slot] == seat
            assert np.flatnonzero(batch.masks[slot]).tolist() == sorted(match.legal(seat))
            assert (batch.observations[slot] == match.position.observe(seat)).all()
            match.play(seat, int(actions[slot]))
        last = batch.seats.copy()
        over = batch.step(actions)
        for slot, match in enumerate(matches):
            assert over[slot] == match.over
            if not match.over:
                assert not batch.rewards[slot].any()
                continue
            ended += 1
            assert batch.totals[slot].tolist() == match.scores
            won = int(batch.won[slot])
            assert match.winners == [seat for seat in range(batch.players) if won >> seat & 1]
            assert (batch.finals[slot] == match.position.observe(int(last[slot]))).all()
            in_all = 0 if batch.players > 1 else match.scores[0]
            assert batch.rewards[slot].sum() == pytest.approx(in_all, abs=1e-6)
            number = int(batch.numbers[slot])
            assert number % 3 == slot
            matches[slot] = Match.new(game, seed=seed_of("steps", number), **options)


def test_without_a_reset_finished_games_stay_finished(game: Game) -> None:
    choices = np.random.default_rng(5)
    batch = Batch(game, 3, seed="stop", reset=False)
    while (batch.seats >= 0).any():
        batch.step(drawn(batch.masks, choices))
    assert not batch.step(np.zeros(3, int)).any()
    for index in range(3):
        assert batch.position(index).scores == batch.totals[index].tolist()


def test_a_batch_is_played_out_from_where_it_stands(game: Game) -> None:
    choices = np.random.default_rng(6)
    batch = Batch(game, 4, seed="half")
    for _ in range(5):
        batch.step(drawn(batch.masks, choices))
    points = batch.play_out()
    for index in range(4):
        assert batch.position(index).over
        assert batch.position(index).scores == points[index].tolist()
    with pytest.raises(PelagosError, match="played out"):
        batch.step(np.zeros(4, int))


def test_learners_meet_the_opponents_they_asked_for() -> None:
    """Only their seats are asked; and greedy opponents leave a random learner few wins."""
    choices = np.random.default_rng(7)
    wins = {}
    for opponents in ("random", "greedy"):
        batch = Batch("ecosystem", 60, players=2, seed=7, learners=(1,), opponents=opponents)
        won = ended = 0
        while ended < 120:
            assert set(batch.seats.tolist()) == {1}
            over = batch.step(drawn(batch.masks, choices)) > 0
            ended += int(over.sum())
            won += int((batch.rewards[over, 1] > 0).sum())
        wins[opponents] = won / ended
    assert wins["greedy"] < wins["random"]


def test_seats_can_have_opponents_of_their_own() -> None:
    options: dict[str, Any] = {"players": 3, "learners": (), "seed": "mixed"}
    names = ["random", "greedy", "random"]
    mixed = Batch("ecosystem", 40, opponents=names, **options)
    points = mixed.play_out()
    again = Batch("ecosystem", 40, opponents=names, threads=2, **options)
    assert (points == again.play_out()).all()
    assert mixed.states.tobytes() == again.states.tobytes()
    assert points[:, 1].mean() > points[:, [0, 2]].mean() + 10


def test_rewards_by_hand() -> None:
    for points, winners, expected in (
        ([40, 31, 22], [0], {"win": [1, -0.5, -0.5], "margin": [13.5, 0, -13.5]}),
        ([7, 7, 3], [0, 1], {"win": [0.25, 0.25, -0.5], "margin": [2, 2, -4]}),
        ([3, 9], [1], {"win": [-1, 1], "margin": [-6, 6]}),
        ([12], [0], {"win": [12], "margin": [12]}),
    ):
        won = sum(1 << seat for seat in winners)
        totals, players = np.array(points, np.int32), len(points)
        for name, rewards in {**expected, "score": points}.items():
            assert rewards == [REWARDS[name](totals, won, players, seat) for seat in range(players)]


def test_an_illegal_action_is_refused_and_nothing_moves(game: Game) -> None:
    batch = Batch(game, 2)
    before = batch.states.tobytes()
    wrong = np.array([int(np.flatnonzero(~batch.masks[0])[0]), 0])
    with pytest.raises(PelagosError, match="isn't legal for seat"):
        batch.step(wrong)
    with pytest.raises(PelagosError, match="isn't legal for seat"):
        batch.step(np.array([-1, game.actions]))
    for wrong in (np.zeros(3, int), np.zeros(2), np.zeros((2, 1), int)):
        with pytest.raises(PelagosError, match="one a game"):
            batch.step(wrong)
    assert batch.states.tobytes() == before


def test_unchecked_an_illegal_action_loses_the_game(game: Game) -> None:
    batch = Batch(game, 2, check=False)
    seats = batch.seats.copy()
    actions = batch.masks.argmax(axis=1)
    actions[0] = game.actions
    assert batch.step(actions)[0] == 2
    assert batch.rewards[0, seats[0]] == -1
    assert batch.rewards[0].sum() == -1
    assert batch.numbers[0] == 2
    assert batch.seats[0] >= 0


def test_the_caller_may_own_the_arrays() -> None:
    masks, seats = np.zeros((3, 251), bool), np.zeros(3, np.int8)
    batch = Batch("ecosystem", 3, buffers={"masks": masks, "seats": seats})
    assert batch.masks is masks
    assert masks.any(axis=1).all()
    batch.step(masks.argmax(axis=1))
    assert seats.tolist() == batch.seats.tolist()
    with pytest.raises(PelagosError, match="masks must be bool"):
        Batch("ecosystem", 3, buffers={"masks": np.zeros((2, 251), bool)})
    with pytest.raises(PelagosError, match="no buffer 'mask'"):
        Batch("ecosystem", 3, buffers={"mask": masks})


def test_wrong_batches_are_refused() -> None:
    for wrong, reason in (
        ({"count": 0}, "at least one game"),
        ({"device": "abacus"}, "device"),
        ({"observe": "int8"}, "raw, float32"),
        ({"rewards": "gold"}, "win, margin, score"),
        ({"opponents": "search", "learners": (0,)}, "compiled"),
        ({"opponents": "nobody", "learners": (0,)}, "compiled"),
        ({"opponents": ["random"]}, "one a seat"),
        ({"learners": (3,)}, "0 to 2"),
        ({"learners": 3}, "0 to 2"),
        ({"opponents": None, "learners": (0,)}, "None can't choose"),
        ({"count": 2.0}, r"count must be a whole number, not 2\.0"),
        ({"count": "2"}, "count must be a whole number, not '2'"),
        ({"threads": None}, "threads must be a whole number"),
        ({"first": -1}, "numbered from 0, not from"),
        ({"pack": "nowhere"}, "nowhere is no folder"),
        ({"stream": 7}, "device gpu, a stream is"),
    ):
        with pytest.raises(PelagosError, match=reason):
            Batch("ecosystem", **{"count": 1, **wrong})


@pytest.mark.skipif(INTERPRETED, reason="interpreted, any function will do")
def test_a_reward_that_is_no_rule_is_refused_before_anything_is_dealt() -> None:
    def gold(points: Array, won: int, players: int, seat: int) -> float:
        return 1.0

    with pytest.raises(PelagosError, match="'gold' is no rule"):
        Batch("ecosystem", 1, rewards=gold)


def test_one_learner_needs_no_brackets() -> None:
    alone, listed = (Batch("ecosystem", 2, learners=learners) for learners in (1, (1,)))
    assert alone.seats.tolist() == listed.seats.tolist() == [1, 1]


def test_lent_memory_is_seen_without_copying_and_kept_while_it_is_used() -> None:
    for array in (
        np.arange(12, dtype=np.int16).reshape(3, 4).T,
        np.zeros((2, 5), bool),
        np.ones(4, np.float32),
    ):
        lent = Lent(array, array.ctypes.data, (CPU, 0))
        seen = np.from_dlpack(lent)  # type: ignore[arg-type]
        assert seen.shape == array.shape
        assert seen.strides == array.strides
        array[...] = array[::-1].copy()
        assert (seen == array).all()
        assert _kept
        del seen
        lent.__dlpack__()  # a capsule that nobody takes
        gc.collect()
        assert not _kept

"""Gymnasium's own check on every game, and what it doesn't look at."""

from __future__ import annotations

import pickle
import random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import pelagos.envs.gym  # noqa: F401 (registers the games)
from envs.checks import EVERY, pick
from pelagos.bots import Budget, Player, decide
from pelagos.engine.errors import PelagosError
from pelagos.engine.match import Match

pytestmark = pytest.mark.filterwarnings(
    "ignore:.*not within the spec as it isn't registered:UserWarning",
    "ignore:.*render_modes:UserWarning",
)


def make(name: str, **options: Any) -> Any:
    return gymnasium.make(f"pelagos/{name}-v1", **options)


def play(env: Any, seed: int) -> tuple[float, dict[str, Any]]:
    """A whole random game; what it brought."""
    choices, over = random.Random(seed), False
    seen, info = env.reset(seed=seed)
    while not over:
        assert seen in env.observation_space
        assert (env.unwrapped.action_masks() == info["action_mask"]).all()
        seen, reward, over, cut, info = env.step(pick(info["action_mask"], choices))
        assert not cut
    return reward, info


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_its_own_check_passes(name: str, players: int) -> None:
    check_env(make(name, players=players).unwrapped, skip_render_check=True)
    env = make(name, players=players, opponents="random", seat="rotating")
    for seed in range(2):
        reward, info = play(env, seed)
        match = env.unwrapped.table.match()
        seat = info["seat"]
        assert info["points"] == match.scores[seat:] + match.scores[:seat]
        assert info["won"] == (seat in match.winners)
        assert reward == env.unwrapped.table.returns()[seat]


def test_it_is_drawn_as_text() -> None:
    check_env(make("minnows", render_mode="ansi").unwrapped)


def test_bots_play_as_they_do_everywhere() -> None:
    env = make("minnows", players=3, opponents=("greedy", "flat"), budget="20sims", seat=1)
    play(env, 6)
    log = env.unwrapped.table.log
    match = Match.new("minnows", players=3, seed=6)
    bots, budget = {2: Player("greedy"), 0: Player("flat")}, Budget(simulations=20)
    for seat, action in log:
        if seat != 1:
            assert decide(match, seat, bots[seat], budget).action == action
        match.play(seat, action)
    assert match.over


def test_the_learner_sits_where_it_is_told() -> None:
    def seats(seat: Any) -> list[int]:
        env = make("minnows", players=3, seat=seat, opponents="random")
        first = env.reset(seed=1)[1]["seat"]
        return [first] + [env.reset()[1]["seat"] for _ in range(29)]

    assert seats(2) == [2] * 30
    assert seats("rotating") == [0, 1, 2] * 10
    assert set(seats("random")) == {0, 1, 2}
    assert seats("random") == seats("random")


def test_an_illegal_action_loses() -> None:
    env = make("minnows")
    env.reset(seed=0)
    _, reward, over, _, info = env.step(12)
    assert (reward, over, info["illegal"]) == (-1.0, True, True)


def test_a_pickle_goes_on_alike() -> None:
    env = make("minnows", players=2).unwrapped
    _, info = env.reset(seed=3)
    env.step(pick(info["action_mask"], random.Random(0)))
    again = pickle.loads(pickle.dumps(env))
    action = pick(env.action_masks(), random.Random(1))
    ours, theirs = env.step(action), again.step(action)
    assert (ours[0] == theirs[0]).all()
    assert ours[1:4] == theirs[1:4]
    assert env.table.states.tobytes() == again.table.states.tobytes()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"seat": 3}, "seat from 0 to 2, or on one that is rotating, random, not on 3"),
        ({"opponents": ("greedy",)}, "one bot for all other seats, or 2, not 1"),
        ({"opponents": "kraken"}, "There is no bot 'kraken'"),
        ({"opponents": None}, "one bot for all other seats, or 2, not None"),
        ({"budget": 100}, "A budget is written 50ms, 2s or 1000sims, not 100"),
        ({"render_mode": "rgb_array"}, "drawn as human, ansi"),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PelagosError, match=sentence):
        make("minnows", players=3, **options)


def test_an_action_is_a_whole_number() -> None:
    env = make("minnows", players=3, seat=np.int64(1)).unwrapped
    env.reset(seed=0)
    for nonsense in (0.5, "a", None):
        with pytest.raises(PelagosError, match="An action is a whole number, not"):
            env.step(nonsense)
    assert not [seat for seat, _ in env.table.log if seat == 1]


# --- many games at once ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "players", "observe"),
    [("ecosystem", 2, "raw"), ("minnows", 3, "float32"), ("ozeanien", 1, "raw")],
)
def test_many_games_at_once_are_those_of_the_series(name: str, players: int, observe: str) -> None:
    count, seat = 5, players - 1
    options = {"players": players, "observe": observe, "opponents": "random"}
    envs = gymnasium.make_vec(f"pelagos/{name}-v1", num_envs=count, seat=seat, **options)
    choices = random.Random(0)
    seen, info = envs.reset(seed=8)
    games = [[] for _ in range(count)]
    ends: list[Any] = [None] * count
    while None in ends:
        assert seen in envs.observation_space
        actions = [pick(mask, choices) for mask in info["action_mask"]]
        for slot, action in enumerate(actions):
            if ends[slot] is None:
                games[slot].append((seen[slot], action))
        seen, rewards, over, cut, info = envs.step(np.array(actions))
        assert not cut.any()
        for slot in np.flatnonzero(over):
            if ends[slot] is None:
                points = info["final_info"]["points"][slot].tolist()
                ends[slot] = rewards[slot], points, info["final_obs"][slot]
    if players == 1:  # no bots, whose luck would be another here
        for slot in range(count):
            env = make(name, **options).unwrapped
            first, _ = env.reset(seed=8)
            for _ in range(slot):
                first, _ = env.reset()
            for expected, action in games[slot]:
                assert (first == expected).all()
                first, reward, ended, _, infos = env.step(action)
            assert ended
            assert (reward, infos["points"]) == ends[slot][:2]
            assert (first == ends[slot][2]).all()
    again, _ = envs.reset(seed=8)
    assert all((again[slot] == games[slot][0][0]).all() for slot in range(count))
    before = envs.unwrapped.batch.states.tobytes()
    envs.reset()
    assert envs.unwrapped.batch.states.tobytes() != before


def test_many_games_lose_by_illegal_actions_alone() -> None:
    envs = gymnasium.make_vec("pelagos/minnows-v1", num_envs=3, players=2, copy=False)
    _, info = envs.reset(seed=0)
    actions = info["action_mask"].argmax(1)
    actions[1] = 12
    _, rewards, over, _, info = envs.step(actions)
    assert over.tolist() == [False, True, False]
    assert rewards.tolist() == [0, -1, 0]
    assert info["final_info"]["illegal"].tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"seat": "rotating"}, "one seat from 0 to 1, not on 'rotating'"),
        ({"opponents": "search"}, "'search' can't choose in compiled games"),
        ({"rewards": lambda points, won, players, seat: 1.0}, "is no rule"),
    ],
)
def test_many_games_refuse_what_makes_no_sense(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PelagosError, match=sentence):
        gymnasium.make_vec("pelagos/minnows-v1", num_envs=2, players=2, **options).reset()


def test_many_games_have_one_seed() -> None:
    envs = gymnasium.make_vec("pelagos/minnows-v1", num_envs=2, players=2)
    with pytest.raises(PelagosError, match="give one seed"):
        envs.reset(seed=[1, 2])
    seen, _ = envs.reset(seed=np.int64(3))
    again, _ = envs.reset(seed=3)
    assert (seen == again).all()

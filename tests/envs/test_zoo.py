"""PettingZoo's own suites on every game, and what they don't look at."""

from __future__ import annotations

import copy
import pickle
import random
from functools import partial
from importlib import import_module
from typing import Any

import pettingzoo.test as suites
import pytest

from envs.checks import EVERY, pick
from pelagos.engine.errors import IllegalMove, PelagosError
from pelagos.engine.match import Match
from pelagos.envs import zoo

state_suite = import_module("pettingzoo.test.state_test")  # a function has the same name

CYCLES = 60

pytestmark = pytest.mark.filterwarnings(
    "ignore:Observation space for each agent probably should be:UserWarning",
    "ignore:Observation is not a NumPy array:UserWarning",
)
"""Observations with masks are dicts, in PettingZoo's own card games too."""


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_its_own_suites_pass(name: str, players: int, capsys: Any) -> None:
    turns = partial(zoo.env, name, players=players)
    together = partial(zoo.parallel_env, name, players=players)
    suites.api_test(turns(), num_cycles=CYCLES)
    suites.seed_test(turns, num_cycles=CYCLES)
    suites.parallel_api_test(together(), num_cycles=CYCLES)
    suites.parallel_seed_test(together, num_cycles=CYCLES)
    state_suite.test_state_space(turns())
    state_suite.test_parallel_env(together())


def test_it_is_drawn_as_text(capsys: Any) -> None:
    suites.render_test(partial(zoo.env, "minnows"))
    assert "cards in the deck" in capsys.readouterr().out


def play(env: Any, seed: int) -> Any:
    """Random play turn by turn: the action of each step, before it is made."""
    choices = random.Random(seed)
    env.reset(seed=seed)
    while not any(env.terminations.values()):
        agent = env.agent_selection
        seen = env.observe(agent)
        assert seen in env.observation_space(agent)
        yield pick(seen["action_mask"], choices)


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_copies_go_on_alike_and_the_end_is_told(name: str, players: int) -> None:
    env = zoo.env(name, players=players)
    for action in play(env, 2):
        others = copy.deepcopy(env), pickle.loads(pickle.dumps(env))
        env.step(action)
        for other in others:
            other.step(action)
            assert other.table.states.tobytes() == env.table.states.tobytes()
            assert other.agent_selection == env.agent_selection
            assert (other.rewards, other.infos) == (env.rewards, env.infos)
        assert env.state() in env.state_space
    match = env.table.match()
    assert [info["points"] for info in env.infos.values()] == match.scores
    assert [seat for seat, info in enumerate(env.infos.values()) if info["won"]] == match.winners
    assert match.deal == Match.new(name, players=players, seed=2).deal
    if players > 1:
        assert sum(env.rewards.values()) == pytest.approx(0)


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_all_at_once_is_the_same_game_as_one_after_another(name: str, players: int) -> None:
    turns, together = zoo.env(name, players=players), zoo.parallel_env(name, players=players)
    seen, _ = together.reset(seed=4)
    choices = random.Random(4)
    made: dict[str, list[int]] = {agent: [] for agent in together.agents}
    while together.agents:
        actions = {}
        for agent in together.agents:
            assert seen[agent] in together.observation_space(agent)
            actions[agent] = pick(seen[agent]["action_mask"], choices)
            if actions[agent] != together.wait:
                made[agent].append(actions[agent])
        seen, rewards, ended, cut, infos = together.step(actions)
    assert all(ended.values())
    assert not any(cut.values())
    turns.reset(seed=4)
    while not any(turns.terminations.values()):
        turns.step(made[turns.agent_selection].pop(0))
    assert not any(made.values())
    assert turns.table.states.tobytes() == together.table.states.tobytes()
    assert (rewards, infos) == (turns.rewards, turns.infos)


def test_an_illegal_action_is_refused_in_turn_and_lost_at_once() -> None:
    turns, together = zoo.env("minnows"), zoo.parallel_env("minnows")
    for early in (turns.state, turns.last, turns.agent_iter):
        with pytest.raises(PelagosError, match="call reset first"):
            early()
    with pytest.raises(PelagosError, match="drawn as human, ansi, not as 'rgb_array'"):
        zoo.env("minnows", render_mode="rgb_array")
    turns.reset(seed=1)
    for wrong in (12, 99, -1, None):
        with pytest.raises(IllegalMove, match="isn't legal now"):
            turns.step(wrong)
    assert not turns.table.log
    for nonsense in (5.9, "a", [1, 2]):
        with pytest.raises(PelagosError, match="An action is a whole number, not"):
            turns.step(nonsense)
    assert not turns.table.log
    with pytest.raises(PelagosError, match="call reset first"):
        together.step({})
    seen, _ = together.reset(seed=1)
    with pytest.raises(PelagosError, match=r"Every agent needs .* of player_1, player_2"):
        together.step({"player_0": 0})
    with pytest.raises(PelagosError, match="An action is a whole number"):
        together.step(dict.fromkeys(together.agents, 1.5))
    assert not together.table.log
    actions = {agent: int(seen_by["action_mask"].argmax()) for agent, seen_by in seen.items()}
    actions["player_1"] = together.wait
    _, rewards, ended, _, infos = together.step(actions)
    assert rewards == {"player_0": 0.0, "player_1": -1.0, "player_2": 0.0}
    assert all(ended.values())
    assert infos["player_1"] == {"illegal": True}
    assert not together.agents
    with pytest.raises(PelagosError, match="The game is over: call reset"):
        together.step(actions)

"""OpenSpiel's own suites on every game, and what they don't reach."""

from __future__ import annotations

import copy
import pickle
import random
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest

from envs.checks import EVERY
from pelagos.engine.errors import IllegalMove, PelagosError
from pelagos.engine.match import Match
from pelagos.envs import spiel

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def written(name: str, **parameters: Any) -> str:
    return f"pelagos_{name}({','.join(f'{key}={value}' for key, value in parameters.items())})"


def both_ways(name: str, players: int) -> list[Any]:
    """The game with simultaneous choices, and turn by turn."""
    return [
        pyspiel.load_game(written(name, players=players, turns=turns)) for turns in (False, True)
    ]


def step(state: Any, choices: random.Random) -> None:
    """One random step of any kind."""
    if state.is_simultaneous_node():
        seats = range(state.num_players())
        state.apply_actions([choices.choice(state.legal_actions(seat) or [0]) for seat in seats])
    else:
        state.apply_action(choices.choice(state.legal_actions()))


def walk(game: Any, seed: int) -> Iterator[Any]:
    """A state before every step of a random game, and after the last."""
    state, choices = game.new_initial_state(), random.Random(seed)
    while not state.is_terminal():
        yield state
        step(state, choices)
    yield state


def known(state: Any) -> list[Any]:
    """All that anybody can ask of a state."""
    seats = range(state.num_players())
    return [
        state.current_player(),
        state.history(),
        str(state),
        state.returns(),
        [state.information_state_string(seat) for seat in seats],
        [state.observation_tensor(seat) for seat in seats],
        [] if state.is_terminal() or state.is_chance_node() else [*map(state.legal_actions, seats)],
    ]


# --- its own suites -------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_its_own_simulations_pass(name: str, players: int, capfd: Any) -> None:
    for game in both_ways(name, players):
        pyspiel.random_sim_test(game, 1, True, False)
    for reward in ("margin", "score"):
        parameters = {"players": players, "rewards": reward, "turns": True}
        pyspiel.random_sim_test(pyspiel.load_game(written(name, **parameters)), 1, False, False)
    game = pyspiel.load_game_as_turn_based(written(name, players=players))
    pyspiel.random_sim_test(game, 1, False, False)


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_its_own_look_at_the_api_passes_on_whole_games(name: str, players: int) -> None:
    from absl import flags
    from open_spiel.integration_tests import api_test

    flags.FLAGS(["test"], known_only=True)
    game = both_ways(name, players)[1]

    class Case(api_test.EnforceAPIOnPartialTreeBase):  # by itself it takes no more than the root
        @classmethod
        def setUpClass(cls) -> None:
            cls.game, cls.game_name, cls.game_type = game, str(game), game.get_type()
            cls.some_states = [state.clone() for state in walk(game, 0)]

    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(Case).run(result)
    assert result.testsRun
    assert result.wasSuccessful(), result.failures + result.errors


@pytest.mark.parametrize(("name", "players"), [("ecosystem", 3), ("minnows", 2), ("oceanide", 4)])
def test_a_playthrough_plays_again(name: str, players: int, tmp_path: Path, capfd: Any) -> None:
    from open_spiel.python.algorithms import generate_playthrough

    for turns in (False, True):
        file = tmp_path / f"{turns}.txt"
        parameters = written(name, players=players, turns=turns)
        file.write_text(generate_playthrough.playthrough(parameters, None, seed=1))
        original, again = generate_playthrough.replay(str(file))
        assert original == again


# --- copies, pickles, histories -------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_a_copy_at_every_ply_is_the_state(name: str, players: int) -> None:
    for game in both_ways(name, players):
        assert str(pickle.loads(pickle.dumps(game))) == str(game)
        for state in walk(game, 1):
            copies = state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))
            before = known(state)
            assert all(known(other) == before for other in copies)
            if not state.is_terminal():
                for other in copies:
                    step(other, random.Random(9))
                assert known(copies[0]) == known(copies[1]) == known(copies[2]) != before
                assert known(state) == before


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_a_history_says_all_and_tells_the_match(name: str, players: int) -> None:
    game = both_ways(name, players)[1]
    *_, ended = walk(game, 2)
    again = game.new_initial_state()
    words = []
    for action in ended.history():
        if not again.is_chance_node():
            words.append((again.current_player(), again.action_to_string(action)))
        again.apply_action(action)
    assert known(again) == known(ended)
    number = int.from_bytes(bytes(ended.history()[: spiel.BYTES]), "big")
    match = Match.new(name, players=players, seed=number)
    for seat, move in words:
        match.play(seat, move)
    assert match.over
    assert match.scores == ended.table.standing()[0]


# --- what a player knows --------------------------------------------------------------------------


def check_worlds(game: Any) -> None:
    """OpenSpiel's own such test is C++, and can't be called for a game in Python."""
    chance = random.Random(0)
    for ply, state in enumerate(walk(game, 3)):
        if ply % 3 or state.is_terminal():
            continue
        for player in range(game.num_players()):
            other = state.resample_from_infostate(player, chance.random)
            assert other.current_player() == state.current_player()
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            if player == state.current_player():
                assert other.legal_actions() == state.legal_actions()
    while not other.is_terminal():
        step(other, chance)


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_a_world_dealt_anew_looks_the_same(name: str, players: int) -> None:
    for game in both_ways(name, players):
        check_worlds(game)


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_the_same_information_means_the_same_own_past(name: str, players: int) -> None:
    """All lines of an end phase: OpenSpiel's own check is wrong where hidden choices of one phase
    take different numbers of steps.
    """
    game = both_ways(name, players)[1]
    seen: dict[Any, Any] = {}
    left = 300

    def visit(state: Any, past: tuple[Any, ...]) -> None:
        nonlocal left
        left -= 1
        if state.is_terminal() or left < 0:
            return
        player = state.current_player()
        key = player, state.information_state_string(player)
        own = [made for made in past if made[0][0] == player], state.legal_actions()
        assert seen.setdefault(key, own) == own
        for action in state.legal_actions():
            visit(state.child(action), (*past, (key, action)))

    path = [state.clone() for state in walk(game, 4)]
    visit(path[-7], ())
    assert len(seen) > 3


# --- what is played with it -----------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players"), [("ecosystem", 3), ("minnows", 4), ("ozeanien", 2)])
def test_its_searches_learners_and_bots_play(name: str, players: int) -> None:
    from open_spiel.python import rl_environment
    from open_spiel.python.algorithms import ismcts, mcts, random_agent

    game = both_ways(name, players)[1]
    draws = np.random.RandomState(1)
    *_, state = (state.clone() for state, _ in zip(walk(game, 0), range(10), strict=False))
    for evaluator in (mcts.RandomRolloutEvaluator(1, draws), spiel.PlayOuts(2)):
        for bot in (
            ismcts.ISMCTSBot(game, evaluator, 2.0, 10, random_state=draws),
            mcts.MCTSBot(game, 2.0, 10, evaluator, random_state=draws),
        ):
            assert bot.step(state) in state.legal_actions()
    environment = rl_environment.Environment(game)
    agents = [
        random_agent.RandomAgent(seat, game.num_distinct_actions()) for seat in range(players)
    ]
    now = environment.reset()
    while not now.last():
        now = environment.step([agents[now.observations["current_player"]].step(now).action])
    assert sum(now.rewards) == pytest.approx(0)
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(players)]
    assert len(pyspiel.evaluate_bots(game.new_initial_state(), bots, 0)) == players


def test_compiled_play_outs_are_worth_what_its_own_are() -> None:
    from open_spiel.python.algorithms import mcts

    game = pyspiel.load_game(written("minnows", players=2, turns=True, rewards="margin"))
    *_, state = (state.clone() for state, _ in zip(walk(game, 0), range(7), strict=False))
    own = mcts.RandomRolloutEvaluator(300, np.random.RandomState(0)).evaluate(state)
    ours = spiel.PlayOuts(3000).evaluate(state)
    assert ours == pytest.approx(own, abs=1.5)
    assert (spiel.PlayOuts(9).evaluate(state) == spiel.PlayOuts(9).evaluate(state)).all()


def test_what_makes_no_sense_is_refused_and_changes_nothing() -> None:
    at_once, _ = both_ways("ecosystem", 2)
    state = at_once.new_initial_state()
    with pytest.raises(PelagosError, match="apply the actions of chance first"):
        spiel.PlayOuts().evaluate(state)
    with pytest.raises(PelagosError, match="at least one play-out, not 0"):
        spiel.PlayOuts(0)
    for _ in range(spiel.BYTES):
        state.apply_action(7)
    before = state.table.states.tobytes()
    with pytest.raises(IllegalMove, match="Action 250 of seat 1 isn't legal now"):
        state.apply_actions([state.legal_actions(0)[0], 250])
    with pytest.raises(PelagosError, match="call apply_actions, or load the game with turns=True"):
        state.apply_action(state.legal_actions(0)[0])
    assert state.table.states.tobytes() == before
    assert not state.table.log


# --- planted faults -------------------------------------------------------------------------------


def test_unsorted_actions_are_found(monkeypatch: pytest.MonkeyPatch, capfd: Any) -> None:
    legal = spiel.SpielState._legal_actions
    monkeypatch.setattr(
        spiel.SpielState, "_legal_actions", lambda state, player: legal(state, player)[::-1]
    )
    with pytest.raises(pyspiel.SpielError):
        pyspiel.random_sim_test(both_ways("minnows", 3)[1], 1, True, False)


def test_a_leak_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    sees = spiel.Progress.sees

    def leak(progress: Any, player: int) -> str:
        hands = "" if progress.table is None else progress.table.states["hands"].tobytes().hex()
        return f"{sees(progress, player)}{hands}"

    game = both_ways("minnows", 3)[1]
    check_worlds(game)
    monkeypatch.setattr(spiel.Progress, "sees", leak)
    with pytest.raises(AssertionError):
        check_worlds(game)

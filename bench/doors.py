"""Decisions a second through every door, beside its library's own games: `make bench`.

Each game is played at random through the same loop as the library's own games: ask what is seen
and legal, choose, step. One core, CPU time; compiling isn't counted. One choice of one player is a
decision; where bots sit on the other seats, only the learner's own count. Our games are measured
before and after the libraries' own, and the mean is shown.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from peers import Play, Row, measured, pick, use_one_core

SHAPES = (("ecosystem", 3), ("oceanide", 3), ("oceanos", 3), ("ozeanien", 2))
SIMULATIONS = 100
MANY = 256
Prepare = Callable[[], Play]


# --- loops, the same for everybody's games --------------------------------------------------------


def turn_loop(env: Any) -> Play:
    """PettingZoo's AEC: one game a call."""

    def play() -> float:
        env.reset()
        decisions = 0
        while True:
            seen, _, ended, cut, _ = env.last()
            if ended or cut:
                return decisions
            env.step(int(pick(seen["action_mask"].nonzero()[0])))
            decisions += 1

    return play


def parallel_loop(env: Any) -> Play:
    """PettingZoo's parallel API: one game a call. Who waits decides nothing."""

    def play() -> float:
        seen, _ = env.reset()
        decisions = 0
        while env.agents:
            actions = {}
            for agent in env.agents:
                legal = seen[agent]["action_mask"].nonzero()[0]
                actions[agent] = int(pick(legal))
                decisions += actions[agent] != env.wait
            seen, *_ = env.step(actions)
        return decisions

    return play


def gym_loop(env: Any) -> Play:
    """Gymnasium: one game a call, by the mask if there is one."""

    def play() -> float:
        _, info = env.reset()
        decisions, over = 0, False
        while not over:
            mask = info.get("action_mask")
            action = env.action_space.sample() if mask is None else int(pick(mask.nonzero()[0]))
            _, _, ended, cut, info = env.step(action)
            over = ended or cut
            decisions += 1
        return decisions

    return play


def vector_loop(env: Any) -> Play:
    """Gymnasium's vectors: a hundred steps a call, each game's first legal action."""
    _, info = env.reset(seed=1)

    def play() -> float:
        nonlocal info
        for _ in range(100):
            *_, info = env.step(info["action_mask"].argmax(1))
        return 100 * env.num_envs

    return play


def spiel_loop(name: str, tensor: str) -> Play:
    """OpenSpiel: one game a call, each player reading its tensor before it decides."""
    game = import_module("pyspiel").load_game(name)
    seats = range(game.num_players())

    def play() -> float:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(outcomes, weights)[0])
                continue
            asked = [state.current_player()] if state.current_player() >= 0 else seats
            actions = []
            for seat in asked:
                legal = state.legal_actions(seat)
                if legal:
                    getattr(state, tensor)(seat)
                    decisions += 1
                actions.append(pick(legal) if legal else 0)
            if state.is_simultaneous_node():
                state.apply_actions(actions)
            else:
                state.apply_action(actions[0])
        return decisions

    return play


def search_loop(name: str, evaluator: str) -> Play:
    """OpenSpiel's IS-MCTS in Python: one decision a call, from the middle of games."""
    pyspiel, ismcts = (
        import_module("pyspiel"),
        import_module("open_spiel.python.algorithms.ismcts"),
    )
    game = pyspiel.load_game(name)
    if evaluator == "compiled":
        chosen = import_module("pelagos.envs.spiel").PlayOuts()
    else:
        chosen = import_module("open_spiel.python.algorithms.mcts").RandomRolloutEvaluator()
    bot = ismcts.ISMCTSBot(game, chosen, 2.0, SIMULATIONS)
    states = []
    while len(states) < 64:
        state = game.new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node() and len(state.legal_actions()) > 1:
                states.append(state.clone())
            state.apply_action(pick(state.legal_actions()))

    def play() -> float:
        bot.step(pick(states))
        return SIMULATIONS

    return play


# --- what is measured -----------------------------------------------------------------------------


def our_rows(seconds: float) -> list[Row]:
    """All doors of all games."""
    zoo, gym, _ = (import_module(f"pelagos.envs.{door}") for door in ("zoo", "gym", "spiel"))
    rows = []

    def add(library: str, game: str, how: str, prepare: Prepare, unit: str = "decisions") -> None:
        rows.append(measured(library, f"Pelagos: {game}", how, prepare, seconds, unit))

    for name, players in SHAPES:
        shown = f"{name}, {players} players"
        for observe in ("raw", "float32"):
            options = {"players": players, "observe": observe}
            add("PettingZoo", shown, f"AEC, {observe}", partial(zoo_turns, zoo, name, options))
            add("PettingZoo", shown, f"parallel, {observe}", partial(zoo_all, zoo, name, options))
        for bot in ("random", "greedy"):
            env = partial(gym.SeatEnv, name, players=players, opponents=bot)
            add("Gymnasium", shown, f"against {bot}", partial(made, gym_loop, env))
        for bot in ("random", "greedy"):
            env = partial(gym.SeatVectorEnv, name, MANY, players=players, opponents=bot, copy=False)
            add(
                "Gymnasium", shown, f"{MANY} at once against {bot}", partial(made, vector_loop, env)
            )
        for turns in (False, True):
            written = f"pelagos_{name}(players={players},turns={turns})"
            how = "turn by turn" if turns else "simultaneous"
            add("OpenSpiel", shown, how, partial(spiel_loop, written, "observation_tensor"))
        for evaluator in ("own", "compiled"):
            written = f"pelagos_{name}(players={players},turns=True)"
            how = f"IS-MCTS in Python, {evaluator} play-outs"
            add("OpenSpiel", shown, how, partial(search_loop, written, evaluator), "simulations")
    return rows


def zoo_turns(zoo: Any, name: str, options: dict[str, Any]) -> Play:
    return turn_loop(zoo.env(name, **options))


def zoo_all(zoo: Any, name: str, options: dict[str, Any]) -> Play:
    return parallel_loop(zoo.parallel_env(name, **options))


def made(loop: Callable[[Any], Play], make: Callable[[], Any]) -> Play:
    return loop(make())


THEIR_TURNS = ("connect_four_v3", "leduc_holdem_v4", "hanabi_v5")
THEIR_SEATS = ("CartPole-v1", "Blackjack-v1")
THEIR_GAMES = {
    "python_block_dominoes": "information_state_tensor",
    "python_tic_tac_toe": "observation_tensor",
    "oh_hell": "information_state_tensor",
    "goofspiel(players=3,imp_info=True)": "observation_tensor",
}
"""Two games in Python and two in C++."""


def their_rows(seconds: float) -> list[Row]:
    """The libraries' own games."""
    rows = []
    for name in THEIR_TURNS:
        rows.append(measured("PettingZoo", name, "AEC", partial(their_turns, name), seconds))
    for name in THEIR_SEATS:
        rows.append(measured("Gymnasium", name, "alone", partial(their_seat, name), seconds))
    for name, tensor in THEIR_GAMES.items():
        how = "Python" if name.startswith("python_") else "C++"
        rows.append(measured("OpenSpiel", name, how, partial(their_game, name, tensor), seconds))
    return rows


def their_turns(name: str) -> Play:
    return turn_loop(import_module(f"pettingzoo.classic.{name}").env())


def their_seat(name: str) -> Play:
    return gym_loop(import_module("gymnasium").make(name, disable_env_checker=True))


def their_game(name: str, tensor: str) -> Play:
    import_module("open_spiel.python.games")
    return spiel_loop(name, tensor)


# --- one run --------------------------------------------------------------------------------------


def ask_peers(python: str, seconds: float) -> list[Row]:
    """The libraries' own games, by the interpreter that has all they need."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "doors.json"
        command = [python, __file__, "--theirs", "--seconds", str(seconds), "--json", str(target)]
        subprocess.run(command, check=True)
        return [Row(**row) for row in json.loads(target.read_text())]


def mean(first: Row, second: Row) -> Row:
    seconds, count = first.seconds + second.seconds, first.count + second.count
    speed = count / seconds if seconds else 0.0
    return Row(first.peer, first.game, first.how, first.unit, count, seconds, speed, first.reason)


def main() -> None:
    """Measure, print, and write JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", help="the interpreter that has the libraries' own games")
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU seconds a row")
    parser.add_argument("--json", type=Path, help="where the numbers go")
    parser.add_argument("--theirs", action="store_true", help="the libraries' own games alone")
    words = parser.parse_args()
    warnings.simplefilter("ignore")
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    use_one_core()
    random.seed(1)
    if words.theirs:
        rows = their_rows(words.seconds)
    else:
        before = our_rows(words.seconds / 2)
        others = ask_peers(words.peers or sys.executable, words.seconds)
        rows = [*map(mean, before, our_rows(words.seconds / 2)), *others]
        for row in sorted(rows, key=lambda row: (row.peer, row.unit, -row.per_second)):
            speed = row.reason or f"{row.per_second:>12,.0f} {row.unit}/s"
            print(f"{row.peer:<11} {row.game:<36} {row.how:<38} {speed}")
    if words.json:
        words.json.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")


if __name__ == "__main__":
    main()

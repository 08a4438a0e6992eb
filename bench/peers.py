"""How fast other game engines play at random, on one core.

Every row is random play of whole games, uniform over the legal actions, timed
by CPU time. Warm-up and compilation are left out. One choice by one player is
one decision: a round in which four players choose at once is four decisions, a
forced choice that the engine still asks for is one, and a chance step is none.

Where a peer offers a quicker way to do the same thing, that way is taken or gets
a row of its own. Two things are not quite whole games, both to the gain of the
peer: the OpenSpiel rollouts leave out the deal, and the last games of a Pgx batch
are cut off when the time is over.

One row counts something else: ``ismcts`` is OpenSpiel's own information-set search,
in simulations a second.

Run it in an environment of its own, made from ``peers.txt``::

    python bench/peers.py --seconds 1 --json peers.json --only openspiel,pgx
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module, metadata
from itertools import cycle
from pathlib import Path
from typing import Any, TypeVar

WARM_UP_SECONDS = 0.3

Item = TypeVar("Item")

# Plays some games and returns how many decisions they took, or searches and returns
# how many simulations that took. The C++ loops return games times the mean length
# of a game, so it may be a fraction.
Play = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement, or the plain reason why there is none."""

    peer: str
    game: str
    how: str
    unit: str
    count: int
    seconds: float
    per_second: float
    reason: str | None = None


def measured(
    peer: str,
    game: str,
    how: str,
    prepare: Callable[[], Play],
    seconds: float,
    unit: str = "decisions",
) -> Row:
    """Prepare a game, warm it up, play it for some CPU seconds and report."""
    try:
        play = prepare()
        timed(play, WARM_UP_SECONDS)
        count, elapsed = timed(play, seconds)
    except Exception as error:  # A broken peer must not stop the other peers.
        return failed(peer, game, how, error, unit)
    return Row(peer, game, how, unit, round(count), elapsed, count / elapsed)


def timed(play: Play, seconds: float) -> tuple[float, float]:
    """Play until some CPU seconds are over; return what it counted and CPU seconds."""
    count = 0.0
    start = time.process_time()
    while True:
        count += play()
        elapsed = time.process_time() - start
        if elapsed >= seconds:
            return count, elapsed


def failed(peer: str, game: str, how: str, error: Exception, unit: str = "decisions") -> Row:
    """Return a row that says why there is no measurement."""
    return Row(peer, game, how, unit, 0, 0.0, 0.0, f"{type(error).__name__}: {error}")


def pick(items: Sequence[Item]) -> Item:
    """Return one item, uniformly; quicker than ``random.choice``."""
    return items[int(random.random() * len(items))]


# --- OpenSpiel --------------------------------------------------------------------------------

OPENSPIEL_GAMES = {
    "goofspiel, 4 players": "goofspiel(players=4)",
    "hearts": "hearts",
    "gin rummy": "gin_rummy",
    "hanabi, 2 players": "hanabi",
}
GAMES_PER_CALL = 32
GAMES_FOR_MEAN_LENGTH = 1024
ROLLOUT_ROOTS = 64


def openspiel(seconds: float) -> list[Row]:
    """Measure OpenSpiel: a Python loop and its two C++ loops.

    The wheel gives Python two loops that play random games inside C++:

    * ``evaluate_bots`` with C++ uniform random bots plays one whole game a
      call, the deal included. It takes games with joint moves as they are.
    * ``RandomRolloutEvaluator`` has no method of its own in Python, but
      ``MCTSBot.mcts_search`` with one simulation asks it once, at the root, and
      then does nothing else. This is the leanest loop, since no bots and no
      policies are built. The root must be a decision, so it starts after the
      deal, and the bot refuses joint moves (so goofspiel is made turn based)
      and rewards before the end (so hanabi has no such number). In goofspiel
      "after the deal" is only after the first prize card: all 48 decisions and
      11 of 12 prize draws are still inside.

    ``random_sim_test`` also loops in C++, but it tests every state on the way
    and is many times slower.
    """
    pyspiel = import_module("pyspiel")
    loops = {
        "Python loop": openspiel_python_loop,
        "C++ loop, evaluate_bots": openspiel_bots_loop,
        "C++ loop, rollouts after the deal": openspiel_rollout_loop,
    }
    return [
        measured("OpenSpiel", name, how, partial(loop, pyspiel, spec), seconds)
        for name, spec in OPENSPIEL_GAMES.items()
        for how, loop in loops.items()
    ]


def openspiel_python_loop(pyspiel: Any, spec: str) -> Play:
    """Play one game a call, step by step from Python.

    The first state is cloned, not made anew: a new gin rummy state takes more
    than a millisecond to make, a clone some microseconds.
    """
    game = pyspiel.load_game(spec)
    initial = game.new_initial_state()
    players = range(game.num_players())
    chance = int(pyspiel.PlayerId.CHANCE)
    simultaneous = int(pyspiel.PlayerId.SIMULTANEOUS)

    def play() -> float:
        state = initial.clone()
        decisions = 0
        while not state.is_terminal():
            player = state.current_player()
            if player == chance:
                state.apply_action(draw_outcome(state.chance_outcomes()))
            elif player == simultaneous:
                state.apply_actions([pick(state.legal_actions(each)) for each in players])
                decisions += len(players)
            else:
                state.apply_action(pick(state.legal_actions()))
                decisions += 1
        return decisions

    return play


def draw_outcome(outcomes: Sequence[tuple[int, float]]) -> int:
    """Draw a chance outcome by its probability."""
    left = random.random()
    for outcome, probability in outcomes:
        left -= probability
        if left < 0.0:
            return outcome
    return outcomes[-1][0]


def openspiel_bots_loop(pyspiel: Any, spec: str) -> Play:
    """Play whole games in C++ with uniform random bots."""
    game = pyspiel.load_game(spec)
    initial = game.new_initial_state()
    bots = random_bots(pyspiel, game)
    mean_length = mean_decisions(pyspiel, game, [initial])
    seeds = iter(range(sys.maxsize))

    def play() -> float:
        for _ in range(GAMES_PER_CALL):
            pyspiel.evaluate_bots(initial.clone(), bots, next(seeds) % 2**31)
        return GAMES_PER_CALL * mean_length

    return play


def openspiel_rollout_loop(pyspiel: Any, spec: str) -> Play:
    """Play games in C++ from states just after the deal, many a call."""
    game = pyspiel.load_game(spec)
    if game.get_type().reward_model != pyspiel.GameType.RewardModel.TERMINAL:
        raise ValueError("the C++ search refuses games with rewards before the end")
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    roots = [dealt_state(game) for _ in range(ROLLOUT_ROOTS)]
    mean_length = mean_decisions(pyspiel, game, roots)
    next_root = cycle(roots)
    bot = pyspiel.MCTSBot(
        game=game,
        evaluator=pyspiel.RandomRolloutEvaluator(n_rollouts=GAMES_PER_CALL, seed=1),
        uct_c=1.0,
        max_simulations=1,
        max_memory_mb=1,
        solve=False,
        seed=1,
        verbose=False,
    )

    def play() -> float:
        root = bot.mcts_search(next(next_root))
        return float(root.explore_count) * GAMES_PER_CALL * mean_length

    return play


def random_bots(pyspiel: Any, game: Any) -> list[Any]:
    """Return a C++ uniform random bot for every player."""
    return [pyspiel.make_uniform_random_bot(player, player) for player in range(game.num_players())]


def dealt_state(game: Any) -> Any:
    """Return a state at its first decision, all chance before it drawn."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(draw_outcome(state.chance_outcomes()))
    return state


def mean_decisions(pyspiel: Any, game: Any, roots: Sequence[Any]) -> float:
    """Return the mean number of decisions of random games from these states."""
    bots = random_bots(pyspiel, game)
    decisions = 0
    for seed in range(GAMES_FOR_MEAN_LENGTH):
        state = roots[seed % len(roots)].clone()
        pyspiel.evaluate_bots(state, bots, seed)
        # A joint move stands in the history as one entry for each player.
        decisions += sum(entry.player >= 0 for entry in state.full_history())
    return decisions / GAMES_FOR_MEAN_LENGTH


# --- OpenSpiel's search -----------------------------------------------------------------------

SEARCHED_GAME = "oh_hell"
SEARCHED_STATES = 256
SIMULATIONS = 200


def ismcts(seconds: float) -> list[Row]:
    """Measure OpenSpiel's information-set search in C++, in simulations a second.

    One simulation redeals what the player can't see, goes down the tree, plays one
    random game to its end and backs the result up. The states searched are the
    decisions of random games; those with one legal action are left out, since the
    bot answers them without a search.
    """
    how = f"C++ ISMCTS, {SIMULATIONS} a decision"
    return [measured("OpenSpiel", "oh hell, 3 players", how, ismcts_loop, seconds, "simulations")]


def ismcts_loop() -> Play:
    """Search one decision a call."""
    pyspiel = import_module("pyspiel")
    game = pyspiel.load_game(SEARCHED_GAME)
    bot = pyspiel.ISMCTSBot(
        seed=1,
        evaluator=pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=1),
        uct_c=2.0,
        max_simulations=SIMULATIONS,
    )
    next_state = cycle(choices(game, SEARCHED_STATES))

    def play() -> float:
        bot.step(next(next_state))
        return SIMULATIONS

    return play


def choices(game: Any, count: int) -> list[Any]:
    """Return states of random games in which the player has a choice, in random order.

    Whole games only, so that no part of a game counts more than another.
    """
    states: list[Any] = []
    while len(states) < count:
        state = dealt_state(game)
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(draw_outcome(state.chance_outcomes()))
                continue
            if len(state.legal_actions()) > 1:
                states.append(state.clone())
            state.apply_action(pick(state.legal_actions()))
    random.shuffle(states)
    return states


# --- Pgx --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Batch:
    """How Pgx plays a game: the setting that was quickest on one core."""

    lanes: int
    steps_between_refills: int
    refills: int


PGX_GAMES = {
    "tic_tac_toe": Batch(lanes=4096, steps_between_refills=1, refills=64),
    "leduc_holdem": Batch(lanes=4096, steps_between_refills=4, refills=16),
    "backgammon": Batch(lanes=256, steps_between_refills=16, refills=8),
    "sparrow_mahjong": Batch(lanes=1024, steps_between_refills=32, refills=2),
}


def pgx(seconds: float) -> list[Row]:
    """Measure Pgx on the CPU: the whole loop is one compiled call."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")
    import_module("jax")
    import_module("pgx")
    return [
        measured(
            "Pgx",
            name,
            f"jit and vmap, {batch.lanes} lanes, CPU",
            partial(pgx_loop, name, batch),
            seconds,
        )
        for name, batch in PGX_GAMES.items()
    ]


def pgx_loop(name: str, batch: Batch) -> Play:
    """Compile a loop that steps all lanes, and now and then refills ended ones.

    Only lanes whose game is still going count. The new observation is dropped,
    so the compiler need not make it; that is to the gain of Pgx.
    """
    jax = import_module("jax")
    numpy = import_module("jax.numpy")
    environment = import_module("pgx").make(name)
    begin = jax.vmap(environment.init)
    advance = jax.vmap(environment.step)

    def step(_: int, carry: Any) -> Any:
        state, key, decisions = carry
        key, action_key, chance_key = jax.random.split(key, 3)
        actions = pgx_legal_actions(action_key, state.legal_action_mask)
        playing = ~(state.terminated | state.truncated)
        after = advance(state, actions, jax.random.split(chance_key, batch.lanes))
        after = after.replace(observation=state.observation)
        return after, key, decisions + numpy.sum(playing, dtype=numpy.int32)

    def step_and_refill(_: int, carry: Any) -> Any:
        state, key, decisions = jax.lax.fori_loop(0, batch.steps_between_refills, step, carry)
        key, begin_key = jax.random.split(key)
        fresh = begin(jax.random.split(begin_key, batch.lanes))
        return pgx_where_ended(state, fresh), key, decisions

    def run(state: Any, key: Any) -> Any:
        return jax.lax.fori_loop(0, batch.refills, step_and_refill, (state, key, numpy.int32(0)))

    run_compiled = jax.jit(run)
    key = jax.random.PRNGKey(1)
    state = jax.jit(begin)(jax.random.split(key, batch.lanes))

    def play() -> float:
        nonlocal state, key
        state, key, decisions = run_compiled(state, key)
        return int(decisions)

    play()  # Compiles.
    return play


def pgx_legal_actions(key: Any, legal: Any) -> Any:
    """Pick a legal action in each lane: one random number each, no logits."""
    jax = import_module("jax")
    numpy = import_module("jax.numpy")
    counts = numpy.cumsum(legal, axis=1, dtype=numpy.int32)
    chosen = jax.random.uniform(key, (legal.shape[0],)) * counts[:, -1]
    return numpy.argmax(counts > numpy.floor(chosen)[:, None], axis=1).astype(numpy.int32)


def pgx_where_ended(state: Any, fresh: Any) -> Any:
    """Put a fresh game into every lane whose game has ended."""
    jax = import_module("jax")
    numpy = import_module("jax.numpy")
    ended = state.terminated | state.truncated

    def choose(new: Any, old: Any) -> Any:
        return numpy.where(ended.reshape(ended.shape + (1,) * (old.ndim - 1)), new, old)

    return jax.tree.map(choose, fresh, state)


# --- PettingZoo -------------------------------------------------------------------------------

PETTINGZOO_GAMES = ("hanabi_v5", "leduc_holdem_v4", "connect_four_v3", "tictactoe_v3")


def pettingzoo(seconds: float) -> list[Row]:
    """Measure PettingZoo classic, with its usual checks and without them."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    import_module("pettingzoo")
    return [
        measured(
            "PettingZoo",
            name,
            f"Python loop, {maker}()",
            partial(pettingzoo_loop, name, maker),
            seconds,
        )
        for name in PETTINGZOO_GAMES
        for maker in ("env", "raw_env")
    ]


def pettingzoo_loop(name: str, maker: str) -> Play:
    """Play one game a call through ``last`` and ``step``."""
    environment = getattr(import_module(f"pettingzoo.classic.{name}"), maker)()

    def play() -> float:
        environment.reset()
        decisions = 0
        while True:
            observation, _, terminated, truncated, _ = environment.last()
            if terminated or truncated:
                return decisions
            legal = observation["action_mask"].nonzero()[0]
            environment.step(int(pick(legal)))
            decisions += 1

    return play


# --- RLCard -----------------------------------------------------------------------------------

RLCARD_GAMES = ("gin-rummy", "uno", "leduc-holdem")


def rlcard(seconds: float) -> list[Row]:
    """Measure RLCard by its ``step``, which spares the records ``run`` keeps."""
    import_module("rlcard")
    return [
        measured("RLCard", name, "Python loop", partial(rlcard_loop, name), seconds)
        for name in RLCARD_GAMES
    ]


def rlcard_loop(name: str) -> Play:
    """Play one game a call."""
    environment = import_module("rlcard").make(name, config={"seed": 1})

    def play() -> float:
        state, _ = environment.reset()
        decisions = 0
        while not environment.is_over():
            state, _ = environment.step(pick(list(state["legal_actions"])))
            decisions += 1
        return decisions

    return play


# --- catanatron -------------------------------------------------------------------------------


def catanatron(seconds: float) -> list[Row]:
    """Measure catanatron with four of its own random players."""
    import_module("catanatron")
    return [measured("catanatron", "catan, 4 players", "Python loop", catanatron_loop, seconds)]


def catanatron_loop() -> Play:
    """Play one game a call. Rolling the dice is a decision here: it is asked for."""
    engine = import_module("catanatron.game")
    players = import_module("catanatron.models.player")

    def play() -> float:
        game = engine.Game([players.RandomPlayer(color) for color in players.Color])
        decisions = 0
        while game.winning_color() is None and game.state.num_turns < engine.TURNS_LIMIT:
            game.play_tick()
            decisions += 1
        return decisions

    return play


# --- Command line -----------------------------------------------------------------------------

PEERS: dict[str, Callable[[float], list[Row]]] = {
    "openspiel": openspiel,
    "ismcts": ismcts,
    "pgx": pgx,
    "pettingzoo": pettingzoo,
    "rlcard": rlcard,
    "catanatron": catanatron,
}
PACKAGES = ("open_spiel", "pgx", "jax", "pettingzoo", "shimmy", "rlcard", "catanatron", "numpy")


def peer_rows(peer: str, seconds: float) -> list[Row]:
    """Measure one peer, or say why it cannot be measured."""
    try:
        return PEERS[peer](seconds)
    except Exception as error:  # Mostly an import that fails.
        return [failed(peer, "", "", error)]


def use_one_core() -> None:
    """Keep this process and all its threads on one CPU."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def installed_versions() -> dict[str, str]:
    """Return the version of each package, or that it is not installed."""
    versions = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            versions[package] = "not installed"
    return versions


def line(row: Row) -> str:
    """Return a row as a line of text."""
    result = row.reason or f"{row.per_second:>14,.0f} {row.unit}/s"
    return f"{row.peer:<12} {row.game:<22} {row.how:<36} {result}"


def parsed_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Measure other game engines on one core.")
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU seconds a row")
    parser.add_argument("--json", type=Path, help="write the rows to this file")
    parser.add_argument("--only", default=",".join(PEERS), help="peers, with commas between")
    parser.add_argument("--seed", type=int, default=1, help="seed of the Python loops")
    options = parser.parse_args(arguments)
    options.only = [peer.strip() for peer in options.only.split(",") if peer.strip()]
    unknown = sorted(set(options.only) - set(PEERS))
    if unknown:
        parser.error(f"unknown peers: {', '.join(unknown)}; known: {', '.join(PEERS)}")
    return options


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the peers that are asked for, and print and save the rows."""
    options = parsed_arguments(arguments)
    use_one_core()
    random.seed(options.seed)
    rows: list[Row] = []
    for peer in options.only:
        for row in peer_rows(peer, options.seconds):
            print(line(row), flush=True)
            rows.append(row)
    if options.json:
        report = {"versions": installed_versions(), "rows": [asdict(row) for row in rows]}
        options.json.write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()

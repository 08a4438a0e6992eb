"""OpenSpiel's door: importing it registers `pelagos_<game>` for every installed game.

Parameters are `players`, `rewards`, `observe`, `turns` and the game's options. Four chance nodes
at the start draw the number of the deal, and all that chance does later follows from it: so a
state is a function of its history. Choices made at once are simultaneous nodes; with `turns=True`
the seats are asked one after another instead, none seeing what the others chose.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from hashlib import blake2b
from typing import Any

import numpy as np

from pelagos.engine.errors import PelagosError, short, text
from pelagos.engine.game import BY_LOT, Game, games
from pelagos.engine.rewards import REWARDS
from pelagos.engine.stream import seed_of, words_of
from pelagos.engine.types import Array
from pelagos.envs.extras import MissingExtra
from pelagos.envs.table import Setup, Table, set_up

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise MissingExtra(library="OpenSpiel", extra="spiel") from error

BYTES = 4
"""A deal's number has so many bytes, each drawn by a chance node."""
OUTCOMES = [(byte, 1 / 256) for byte in range(256)]
NOTHING = b"\0" * 16
"""The past of who has not decided yet."""
CHANCE, SIMULTANEOUS, TERMINAL = (
    int(pyspiel.PlayerId.CHANCE),
    int(pyspiel.PlayerId.SIMULTANEOUS),
    int(pyspiel.PlayerId.TERMINAL),
)
_Type = pyspiel.GameType


class Progress:
    """What changes in a state: the deal's bytes, the table, what each seat remembers."""

    __slots__ = ("asked_first", "deal", "pasts", "player", "setup", "table", "turns")

    def __init__(self, setup: Setup, turns: bool) -> None:
        self.setup = setup
        self.turns = turns
        self.deal = b""
        self.table: Table | None = None
        self.pasts = (NOTHING,) * setup.players
        """For each seat the digest of all that it saw when it decided, and what it did."""
        self.player = CHANCE
        self.asked_first = -1
        """In a world dealt anew: the seat that was being asked."""

    def copy(self) -> Progress:
        """An independent copy."""
        other = object.__new__(Progress)
        other.setup, other.turns, other.deal = self.setup, self.turns, self.deal
        other.table = self.table and self.table.copy()
        other.pasts, other.player, other.asked_first = self.pasts, self.player, self.asked_first
        return other

    def __deepcopy__(self, memo: Any) -> Progress:
        return self.copy()

    def draw(self, byte: int) -> None:
        """The next byte of the deal's number; with the last one, the deal."""
        self.deal += bytes((byte,))
        if len(self.deal) == BYTES:
            number = int.from_bytes(self.deal, "big")
            self.table = Table(self.setup, seed_of(str(number), 0))
            self._go_on(self.table)

    def choose(self, action: int) -> None:
        """The action of the seat that is asked."""
        assert self.table is not None
        if self.player == SIMULTANEOUS:
            raise PelagosError(text("envs/refuse.at_once"))
        self._act(self.table, self.player, action)
        self._go_on(self.table)

    def choose_all(self, actions: list[int]) -> None:
        """The actions of all seats that owe one."""
        assert self.table is not None
        for seat in self.table.pending:  # all or none: a refusal changes nothing
            self.table.check(seat, actions[seat])
        for seat in self.table.pending:
            self._act(self.table, seat, actions[seat])
        self._go_on(self.table)

    def _act(self, table: Table, seat: int, action: int) -> None:
        seen = table.see(seat).tobytes()
        past = blake2b(self.pasts[seat] + seen + b"%d" % action, digest_size=16).digest()
        table.act(seat, action)
        self.pasts = (*self.pasts[:seat], past, *self.pasts[seat + 1 :])

    def _go_on(self, table: Table) -> None:
        """Who is asked next?"""
        if table.over:
            self.player = TERMINAL
        elif self.asked_first >= 0 and table.owes(self.asked_first):
            self.player = self.asked_first
        elif self.turns or table.who & (table.who - 1) == 0:
            self.player = table.first
        else:
            self.player = SIMULTANEOUS

    def redeal(self, seat: int, stream: Array) -> Progress:
        """A world that looks the same to the seat; what others remember there isn't known."""
        other = self.copy()
        if self.table is not None:
            other.table = self.table.redeal(seat, stream)
            other.pasts = tuple(
                past if place == seat else NOTHING for place, past in enumerate(self.pasts)
            )
            other.asked_first = max(self.player, -1)
            other._go_on(other.table)
        return other

    def knows(self, player: int) -> str:
        """All that the player knows: its past as a digest, and what it sees now."""
        return f"{player} {self.pasts[player].hex()} {self.sees(player)}"

    def sees(self, player: int) -> str:
        """What the player sees now."""
        if self.table is None:
            return "nothing is dealt yet"
        return base64.b64encode(self.table.see(player).tobytes()).decode()


class SpielState(pyspiel.State):
    """A state as OpenSpiel wants it."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.progress = Progress(game.setup, game.turns)

    @property
    def table(self) -> Table:
        """The game as it stands, once it is dealt."""
        if self.progress.table is None:
            raise PelagosError(text("envs/refuse.chance_first"))
        return self.progress.table

    def current_player(self) -> int:
        """Who is asked."""
        return self.progress.player

    def is_terminal(self) -> bool:
        """Is it over?"""
        return self.progress.player == TERMINAL

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """All bytes, equally likely."""
        return OUTCOMES

    def _legal_actions(self, player: int) -> list[int]:
        return self.table.legal(player)

    def _apply_action(self, action: int) -> None:
        if self.progress.player == CHANCE:
            self.progress.draw(action)
        else:
            self.progress.choose(action)

    def _apply_actions(self, actions: list[int]) -> None:
        self.progress.choose_all(actions)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == CHANCE:
            return f"deal {action:02x}"
        return self.table.position().write(player, action)

    def returns(self) -> list[float]:
        """What the end is worth; nothing before it."""
        if not self.is_terminal():
            return [0.0] * self.num_players()
        return self.table.returns()

    def __str__(self) -> str:
        if self.progress.table is None:
            return f"deal {self.progress.deal.hex()}"
        return base64.b64encode(self.table.states.tobytes()).decode()

    def __reduce__(self) -> Any:
        return _load_state, (self.get_game(), self.serialize())

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> Any:
        """A world that looks the same to the player, with no history that would tell more."""
        stream = words_of(repr(float(sampler())).encode())
        other = SpielState(self.get_game())
        other.progress = self.progress.redeal(player, stream)
        return other


class SpielGame(pyspiel.Game):
    """A game as OpenSpiel wants it; each has a class of its own, with `pelagos` in it."""

    pelagos: Game

    def __init__(self, params: Any = None) -> None:
        given = {**_parameters(self.pelagos), **(params or {})}
        reward = given["rewards"]
        turns = given.pop("turns") or not self.pelagos.simultaneous or given["players"] == 1
        self.turns = bool(turns)
        self.setup = set_up(self.pelagos, **given)
        players = self.setup.players
        low, high = _utility(self.setup)
        sums_to_zero = _is_zero_sum(players, reward)
        super().__init__(
            _game_type(self.pelagos, players, reward, self.turns),
            pyspiel.GameInfo(
                num_distinct_actions=self.setup.actions,
                max_chance_outcomes=len(OUTCOMES),
                num_players=players,
                min_utility=low,
                max_utility=high,
                utility_sum=0.0 if sums_to_zero else None,
                max_game_length=self.setup.longest,
            ),
            params or {},
        )

    def __reduce__(self) -> Any:
        return load_game, (str(self),)

    def new_initial_state(self, *_: Any) -> SpielState:
        """Before the deal."""
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """The deal's number, and nothing after it."""
        return BYTES

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Who reads what a player sees."""
        return Observer(self.setup, iig_obs_type)


def load_game(name: str) -> SpielGame:
    """The game of this name, as `pyspiel.load_game` gives it; what pickles are read by."""
    game: SpielGame = pyspiel.load_game(name)
    return game


def _load_state(game: SpielGame, written: str) -> SpielState:
    state: SpielState = game.deserialize_state(written)
    return state


def _parameters(game: Game) -> dict[str, Any]:
    """A game's parameters with their defaults."""
    first = {} if game.first is None else {game.first.name: BY_LOT}
    options = {option.name: option.default for option in game.options}
    usual = {"rewards": "win", "observe": "raw", "turns": False}
    return {"players": game.default_players, **usual, **options, **first}


def _is_zero_sum(players: int, reward: str) -> bool:
    return players > 1 and reward != "score"


def _utility(setup: Setup) -> tuple[float, float]:
    """The least and the most that an end can be worth."""
    least, most = setup.points
    bounds = {
        REWARDS["win"]: (-1.0, 1.0),
        REWARDS["margin"]: (float(least - most), float(most - least)),
        REWARDS["score"]: (float(least), float(most)),
    }
    return bounds[setup.reward if setup.players > 1 else REWARDS["score"]]


def _game_type(game: Game, players: int, reward: str, turns: bool) -> Any:
    zero_sum = _is_zero_sum(players, reward)
    return _Type(
        short_name=f"pelagos_{game.id}",
        long_name=f"Pelagos: {game.titles['en']}",
        dynamics=_Type.Dynamics.SEQUENTIAL if turns else _Type.Dynamics.SIMULTANEOUS,
        chance_mode=_Type.ChanceMode.EXPLICIT_STOCHASTIC,
        information=_Type.Information.IMPERFECT_INFORMATION,
        utility=_Type.Utility.ZERO_SUM if zero_sum else _Type.Utility.GENERAL_SUM,
        reward_model=_Type.RewardModel.TERMINAL,
        max_num_players=game.players[-1],
        min_num_players=game.players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=_parameters(game),
    )


class Observer:
    """What a player sees: the game's own numbers as a tensor, and a string."""

    def __init__(self, setup: Setup, kind: Any) -> None:
        self._kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        self.tensor = None if self._kind.perfect_recall else np.zeros(setup.size, np.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what the player sees into the tensor."""
        if self.tensor is not None:
            table = state.progress.table
            self.tensor[:] = 0 if table is None else table.look(player)[0]

    def string_from(self, state: SpielState, player: int) -> str | None:
        """What the player knows, if it is to remember, else what it sees."""
        if self._kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        progress = state.progress
        if self._kind.perfect_recall:
            return progress.knows(player)
        return f"{player} {progress.sees(player)}"


class PlayOuts:
    """An evaluator for OpenSpiel's MCTS and IS-MCTS in Python: compiled play-outs in place of its
    own, which go through the door for every move.
    """

    def __init__(self, count: int = 1, seed: int = 0) -> None:
        """So many play-outs an evaluation."""
        if count < 1:
            raise PelagosError(text("envs/refuse.play_outs", value=short(count)))
        self.count = count
        self._stream = words_of(b"play-outs %d" % seed)

    def evaluate(self, state: SpielState) -> Array:
        """The mean of what the ends are worth to every seat."""
        worth = np.zeros(state.num_players())
        for _ in range(self.count):
            table = state.table.copy()
            table.play_out(self._stream)
            worth += table.returns()
        return worth / self.count

    def prior(self, state: SpielState) -> list[tuple[int, float]]:
        """Every legal action is equally likely."""
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]


def register() -> None:
    """Make every installed game known to `pyspiel.load_game`."""
    for game in games().values():
        kind = type(f"SpielGame_{game.id}", (SpielGame,), {"pelagos": game})
        usual = _game_type(game, game.default_players, "win", not game.simultaneous)
        pyspiel.register_game(usual, kind)


register()

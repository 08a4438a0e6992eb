"""Gymnasium's door: one seat learns, house bots have the others.

Importing it registers `pelagos/<game>-v1` for every installed game. `reset(seed=n)` deals game 0
of `--seed n`, and each reset after it the next of the series.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pelagos.bots.budget import Budget
from pelagos.bots.player import Player
from pelagos.bots.question import Question, bot_stream
from pelagos.bots.registry import find_bot
from pelagos.engine.batch import Batch, find_chooser
from pelagos.engine.errors import PelagosError, short, text
from pelagos.engine.game import Game, games
from pelagos.engine.pack import Pack
from pelagos.engine.rewards import Reward
from pelagos.engine.turns import WAS_ILLEGAL
from pelagos.engine.types import Array
from pelagos.envs.extras import MissingExtra
from pelagos.envs.table import Series, Table, set_up, whole

try:
    import gymnasium
    from gymnasium import spaces

    from pelagos.envs.spaces import MODES, check_mode, seen_space
except ModuleNotFoundError as error:
    raise MissingExtra(library="Gymnasium", extra="gym") from error

ILLEGAL = -1.0
"""What an illegal action costs: it ends the game."""
MOVING = ("rotating", "random")
"""Where the learner may sit, if not always on the same seat."""


class SeatEnv(gymnasium.Env[Array, int]):
    """A game as one of its seats lives it.

    `info["action_mask"]` and `action_masks()` say what is legal; `info["seat"]` where one sits. At
    the end `info` has the `points` of all seats, the own first, and whether one has `won`.
    """

    metadata: dict[str, Any] = {"render_modes": [*MODES], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: str | Game,
        *,
        opponents: str | Sequence[str] = "greedy",
        budget: str | Budget = "100sims",
        seat: int | str = 0,
        pack: Pack | Path | str | None = None,
        rewards: str | Reward = "win",
        observe: str = "raw",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.setup = set_up(game, pack=pack, rewards=rewards, observe=observe, **options)
        self.render_mode = check_mode(render_mode)
        self.observation_space = seen_space(self.setup)
        self.action_space: Any = spaces.Discrete(self.setup.actions)
        self.budget = budget if isinstance(budget, Budget) else Budget.parse(budget)
        self.opponents = _opponents(opponents, self.setup.players - 1)
        """The bots on the other seats, in the order of play after the learner."""
        self.seating = _seating(seat, self.setup.players)
        self.seat = 0
        """The learner's in this game."""
        self._series = Series(self.setup)
        self._players: dict[int, Player] = {}

    @property
    def table(self) -> Table:
        """The game as it stands."""
        return self._series.table

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Deal the next game; with a seed, the first of that series."""
        super().reset(seed=seed)
        self._series.deal(seed)
        self._sit_down()
        self._let_others()
        return self._look({})

    def step(self, action: int) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """The learner's action, and what the others do until it is asked again."""
        table = self.table
        if not table.attempt(self.seat, action):
            seen, info = self._look({"illegal": True})
            return seen, ILLEGAL, True, False, info
        self._let_others()
        if not table.over:
            seen, info = self._look({})
            return seen, 0.0, False, False, info
        rewards, infos = table.end()
        order = [(self.seat + step) % len(infos) for step in range(len(infos))]
        points = [infos[seat]["points"] for seat in order]
        seen, info = self._look({"points": points, "won": infos[self.seat]["won"]})
        return seen, rewards[self.seat], True, False, info

    def action_masks(self) -> Array:
        """What is legal, as masked learners ask it."""
        mask: Array = self.table.look(self.seat)[1].astype(bool)
        return mask

    def render(self) -> Any:
        """The table as text, as the learner sees it."""
        drawn = self.table.match().text(self.seat)
        if self.render_mode == "human":
            print(drawn)
        return drawn if self.render_mode == "ansi" else None

    def close(self) -> None:
        """End what bots of other packages run in."""
        for player in self._players.values():
            player.close()
        self._players = {}

    def _sit_down(self) -> None:
        """Seat the learner and the bots for a new game."""
        players = self.setup.players
        if isinstance(self.seating, int):
            self.seat = self.seating
        elif self.seating == "rotating":
            self.seat = (self._series.next - 1) % players
        else:
            self.seat = int(self.np_random.integers(players))
        self.close()
        self._players = {
            (self.seat + 1 + step) % players: Player(bot) for step, bot in enumerate(self.opponents)
        }

    def _let_others(self) -> None:
        """Let the bots decide until the learner is asked, as they do everywhere: by `decide`."""
        table = self.table
        while not table.over and not table.owes(self.seat):
            seat = table.first
            legal = table.legal(seat)
            table.attempt(seat, legal[0] if len(legal) == 1 else self._decide(table, seat))

    def _decide(self, table: Table, seat: int) -> int:
        assert table.seed is not None
        number = table.decisions(seat)
        stream = bot_stream(table.seed, seat, number)
        known = table.position().redeal(seat, stream)
        return self._players[seat].answer(Question(known, seat, stream, self.budget, number)).action

    def _look(self, info: dict[str, Any]) -> tuple[Array, dict[str, Any]]:
        seen, mask = self.table.look(self.seat)
        return seen, {"action_mask": mask, "seat": self.seat, **info}


class SeatVectorEnv(gymnasium.vector.VectorEnv[Array, Array, Array]):
    """Many games at once, compiled, in which the same seat learns: `gymnasium.make_vec`.

    Game k of slot i is game i + k * num_envs of the series; where one has ended, the next is dealt
    in the same step. Bots that choose by a rule, `random` and `greedy`, can have the other seats.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": [],
        "autoreset_mode": gymnasium.vector.AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        *,
        opponents: str | Sequence[str] = "greedy",
        seat: int | str = 0,
        pack: Pack | Path | str | None = None,
        rewards: str | Reward = "win",
        observe: str = "raw",
        threads: int = 1,
        copy: bool = True,
        **options: Any,
    ) -> None:
        """With `copy=False` arrays are lent, and written anew by the next step."""
        self.setup = setup = set_up(game, pack=pack, rewards=rewards, observe=observe, **options)
        self.num_envs = num_envs
        self.seat = _fixed(seat, setup.players, "envs/refuse.seat_fixed")
        after = ("random", *_opponents(opponents, setup.players - 1))
        by_seat = [after[(place - self.seat) % setup.players] for place in range(setup.players)]
        for bot in after:
            find_chooser(setup.game, bot)
        self._batch_options: dict[str, Any] = {
            **setup.options,
            "pack": setup.pack,
            "opponents": by_seat,
            "learners": (self.seat,),
            "rewards": rewards,
            "observe": observe,
            "finals": True,
            "check": False,
            "threads": threads,
        }
        self.single_observation_space = seen_space(setup)
        self.single_action_space: Any = spaces.Discrete(setup.actions)
        batched = gymnasium.vector.utils.batch_space
        self.observation_space = batched(self.single_observation_space, num_envs)
        self.action_space = batched(self.single_action_space, num_envs)
        self._copy = copy
        self._series, self._next = secrets.randbits(63), 0
        self._batch: Batch | None = None

    @property
    def batch(self) -> Batch:
        """The games as they stand."""
        if self._batch is None:
            raise PelagosError(text("envs/refuse.not_dealt"))
        return self._batch

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Deal the next games; with a seed, the first of that series."""
        if isinstance(seed, Sequence):
            raise PelagosError(text("envs/refuse.seeds"))
        if seed is not None:
            self._series, self._next = int(seed), 0
        self._batch = Batch(
            self.setup.game,
            self.num_envs,
            seed=self._series,
            first=self._next,
            **self._batch_options,
        )
        self._next += self.num_envs
        return self._lend(self._batch.observations), self._masks(self._batch)

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """The learner's action in every game."""
        batch, seat = self.batch, self.seat
        over = batch.step(np.asarray(actions)) > 0
        info = self._masks(batch)
        if over.any():
            self._next = max(self._next, int(batch.numbers.max()) + 1)
            info |= {
                "final_obs": self._lend(batch.finals),
                "_final_obs": over,
                "final_info": {
                    "points": np.roll(batch.totals, -seat, axis=1),
                    "won": (batch.won >> seat & 1).astype(bool),
                    "illegal": batch.ended == WAS_ILLEGAL,
                },
                "_final_info": over,
            }
        seen, rewards = self._lend(batch.observations), batch.rewards[:, seat].astype(np.float64)
        return seen, rewards, over, np.zeros_like(over), info

    def _masks(self, batch: Batch) -> dict[str, Any]:
        return {"action_mask": self._lend(batch.masks)}

    def _lend(self, array: Array) -> Array:
        return array.copy() if self._copy else array


def _opponents(opponents: str | Sequence[str], count: int) -> tuple[str, ...]:
    if not isinstance(opponents, Sequence):
        raise PelagosError(text("envs/refuse.opponents", count=count, value=short(opponents)))
    named = (opponents,) * count if isinstance(opponents, str) else tuple(opponents)
    if len(named) != count:
        raise PelagosError(text("envs/refuse.opponents", count=count, value=len(named)))
    for bot in named:
        find_bot(bot)
    return named


def _seating(seat: int | str, players: int) -> int | str:
    if isinstance(seat, str) and seat in MOVING:
        return seat
    return _fixed(seat, players, "envs/refuse.seat", known=", ".join(MOVING))


def _fixed(seat: Any, players: int, refusal: str, **known: str) -> int:
    """A seat's number; refused with a sentence if there is no such seat."""
    number = -1 if isinstance(seat, str) else whole(seat)
    if not 0 <= number < players:
        raise PelagosError(text(refusal, last=players - 1, value=short(seat), **known))
    return number


def register() -> None:
    """Make every installed game known to `gymnasium.make`."""
    for game in games():
        gymnasium.register(
            f"pelagos/{game}-v1",
            f"{__name__}:SeatEnv",
            vector_entry_point=f"{__name__}:SeatVectorEnv",
            kwargs={"game": game},
        )


register()
